# The one list of freestanding sources (layers 1 and 2), relative to the top of the source tree.
# automake, the kernel build and the tests read it.
ITF_CORE = src/core/error.c src/core/number.c src/core/lex.c src/core/parse.c src/core/format.c \
	src/core/lint.c src/core/range.c
ITF_CORE_INTERNAL = src/core/lex.h src/core/number.h
ITF_TRACK = src/track/linux.c src/track/space.c src/track/exact.c src/track/track.c \
	src/track/explain.c
ITF_TRACK_INTERNAL = src/track/internal.h
ITF_PMU = src/pmu/pmu.c src/pmu/any.c src/pmu/intel_pt.c src/pmu/cs_etm.c
ITF_PMU_INTERNAL = src/pmu/model.h
