#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The one build of the harnesses is OSS-Fuzz's.
exec "${SRC:?}/itrace-filter/oss-fuzz/build.sh"
