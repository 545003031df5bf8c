# The one list of freestanding sources (layers 1 and 2). automake, the kernel build and the tests read it.
ITF_CORE = core/error.c core/number.c core/lex.c core/parse.c core/format.c core/lint.c core/range.c
ITF_CORE_INTERNAL = core/lex.h core/number.h
ITF_TRACK = track/linux.c track/space.c track/exact.c track/track.c track/explain.c
ITF_PMU = pmu/pmu.c pmu/any.c pmu/intel_pt.c pmu/cs_etm.c
ITF_PMU_INTERNAL = pmu/model.h
