# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Fuzzing, and the tests that share its oracles. Included by Makefile.am.

engine_tests += tests/test_exhaustive_parse
tests_test_exhaustive_parse_SOURCES = tests/test_exhaustive_parse.c tests/oracle.c tests/oracle.h

# ---------------------------------------------------------------------------- replay
# Every harness over its corpus and over generated inputs, without any fuzzer.

fuzz_tests = fuzz/fuzz_kernel fuzz/fuzz_maps fuzz/fuzz_parse fuzz/fuzz_pmu fuzz/fuzz_range \
	fuzz/fuzz_track
if PROGRAM
fuzz_tests += fuzz/fuzz_perfdata
endif
fuzz_common = fuzz/fuzz.h fuzz/gen.c fuzz/gen.h fuzz/gen_perfdata.c fuzz/replay.c
fuzz_kernels = fuzz/libkernel_6_1.a fuzz/libkernel_6_12.a

check_LIBRARIES += $(fuzz_kernels)
fuzz_libkernel_6_1_a_SOURCES = fuzz/kernel.c fuzz/kernel.h fuzz/kernel_shim.h
fuzz_libkernel_6_1_a_CPPFLAGS = $(AM_CPPFLAGS) -DKERNEL_CUT='"fuzz/cut-6.1.h"' \
	-DKERNEL_VERSION='"6.1"' -DKERNEL_SYMBOL=kernel_6_1
fuzz_libkernel_6_12_a_SOURCES = fuzz/kernel.c fuzz/kernel.h fuzz/kernel_shim.h
fuzz_libkernel_6_12_a_CPPFLAGS = $(AM_CPPFLAGS) -DKERNEL_CUT='"fuzz/cut-6.12.h"' \
	-DKERNEL_VERSION='"6.12"' -DKERNEL_SYMBOL=kernel_6_12
fuzz/libkernel_6_1_a-kernel.$(OBJEXT): fuzz/cut-6.1.h
fuzz/libkernel_6_12_a-kernel.$(OBJEXT): fuzz/cut-6.12.h

cut_kernel = $(AM_V_GEN)$(MKDIR_P) fuzz && \
	$(SHELL) $(srcdir)/tools/cut-kernel.sh
fuzz/cut-6.1.h: $(srcdir)/tools/cut-kernel.sh
	$(cut_kernel) 6.1 >$@.new && mv $@.new $@
fuzz/cut-6.12.h: $(srcdir)/tools/cut-kernel.sh
	$(cut_kernel) 6.12 >$@.new && mv $@.new $@
CLEANFILES = fuzz/cut-6.1.h fuzz/cut-6.12.h

fuzz_fuzz_kernel_SOURCES = fuzz/fuzz_kernel.c fuzz/kernels.c $(fuzz_common)
fuzz_fuzz_kernel_LDADD = $(fuzz_kernels) libengine.la
fuzz_fuzz_maps_SOURCES = fuzz/fuzz_maps.c src/host/maps.c src/host/maps.h $(fuzz_common)
fuzz_fuzz_maps_LDADD =
fuzz_fuzz_parse_SOURCES = fuzz/fuzz_parse.c tests/oracle.c tests/oracle.h $(fuzz_common)
fuzz_fuzz_parse_LDADD = libengine.la
fuzz_fuzz_perfdata_SOURCES = fuzz/fuzz_perfdata.c fuzz/second_perfdata.c \
	fuzz/second_perfdata.h src/host/perfdata.c src/host/perfdata.h src/host/perfdata_decode.c \
	src/host/perfdata_decode.h src/host/perfdata_queue.c src/host/perfdata_queue.h \
	$(fuzz_common)
fuzz_fuzz_perfdata_LDADD = $(ZSTD_LIBS)
fuzz_fuzz_pmu_SOURCES = fuzz/fuzz_pmu.c $(fuzz_common)
fuzz_fuzz_pmu_LDADD = libengine.la
fuzz_fuzz_range_SOURCES = fuzz/fuzz_range.c fuzz/kernels.c $(fuzz_common)
fuzz_fuzz_range_LDADD = $(fuzz_kernels) libengine.la
fuzz_fuzz_track_SOURCES = fuzz/fuzz_track.c fuzz/model.c fuzz/model.h fuzz/model_compare.c \
	$(fuzz_common)
fuzz_fuzz_track_LDADD = libengine.la

source_tests += tests/source/seeds.sh tests/fuzz/oss-fuzz.sh

fuzz_dist = .clusterfuzzlite corpus docs/fuzzing.md fuzz/afl_mutator.c fuzz/build.sh fuzz/fuzz.sh \
	fuzz/fuzz_kernel.dict fuzz/fuzz_kernel.options fuzz/fuzz_maps.dict fuzz/fuzz_maps.options \
	fuzz/fuzz_parse.dict fuzz/fuzz_parse.options fuzz/fuzz_perfdata.options fuzz/fuzz_pmu.options \
	fuzz/fuzz_range.options fuzz/fuzz_track.options fuzz/mutator.c tools/cut-kernel.sh \
	oss-fuzz tools/make-seeds.py

# ---------------------------------------------------------------------------- fuzzers
# See docs/fuzzing.md. What is built and found is kept in fuzz-work.

FUZZER = fuzz_parse
FUZZ_SECONDS = 600
JOBS = 2
fuzz_sh = FUZZ_DIR=fuzz-work $(abs_srcdir)/fuzz/fuzz.sh

.PHONY: fuzz fuzz-afl fuzz-log fuzz-minimize fuzz-plant fuzz-smoke fuzz-triage

fuzz:
	@$(fuzz_sh) run $(FUZZER) $(FUZZ_SECONDS)

fuzz-afl:
	@$(fuzz_sh) afl $(FUZZER) $(JOBS) $(FUZZ_SECONDS)

fuzz-log:
	@$(fuzz_sh) log $(FUZZER)

fuzz-minimize:
	@$(fuzz_sh) minimize $(FUZZER)

fuzz-plant:
	@$(fuzz_sh) plant

fuzz-smoke:
	@$(fuzz_sh) smoke

fuzz-triage:
	@$(fuzz_sh) triage $(FUZZER) $(INPUT)

distclean-local:
	rm -rf fuzz-work
