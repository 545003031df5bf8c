# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Fuzzing, and the tests that share its oracles. Included by Makefile.am.

engine_tests += tests/test_exhaustive_parse
tests_test_exhaustive_parse_SOURCES = tests/test_exhaustive_parse.c tests/oracle.c tests/oracle.h
