# SPDX-License-Identifier: GPL-2.0-only OR MIT
# How well the engine's unit tests test the engine, measured. Included by Makefile.am.
# "make mutants MUTANTS=src/core/range.c" makes mutants of one file only.

measured = $(ITF_CORE) $(ITF_TRACK) $(ITF_PMU)
measured_support = tests/support.c tests/oracle.c
measured_with = CC='$(CC)' CHECK_CFLAGS='$(CHECK_CFLAGS)' CHECK_LIBS='$(CHECK_LIBS)'
MUTANTS = $(measured) $(ITF_CORE_INTERNAL) $(ITF_TRACK_INTERNAL) $(ITF_PMU_INTERNAL) \
	$(itfinclude_HEADERS)

source_tests += tests/tools/mutants.sh
EXTRA_DIST += tests/equivalent-mutants.tsv tools/coverage.sh tools/mutants.py tools/mutate.py

.PHONY: coverage mutants

coverage:
	@rm -rf $@ && $(MKDIR_P) $@
	@cd $@ && $(measured_with) $(abs_srcdir)/tools/coverage.sh $(abs_srcdir) $(measured) -- \
		$(measured_support) -- $(engine_tests)

mutants:
	@$(MKDIR_P) $@
	@cd $@ && $(measured_with) $(abs_srcdir)/tools/mutants.py --srcdir $(abs_srcdir) \
		--equivalent $(abs_srcdir)/tests/equivalent-mutants.tsv --sources $(measured) \
		--support $(measured_support) --tests $(engine_tests) --mutate $(MUTANTS)

mostlyclean-local:
	rm -rf coverage mutants
