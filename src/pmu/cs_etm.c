// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Arm CoreSight ETMv4 as its driver drives it (KERNEL-FACTS 4.2). */
#include "model.h"

static bool program(const struct itf_pmu *pmu, const struct itf_filter *filter,
		    const struct itf_range *range, struct itf_hw *hw)
{
	(void)pmu;
	(void)filter;
	/*
	 * The driver gives the hardware, which includes the end of a range, the first byte
	 * behind it.
	 */
	hw->first = range->start;
	if (__builtin_add_overflow(range->start, range->size, &hw->last))
		hw->last = ~(u64)0;
	hw->clamped = false;
	return true;
}

const struct itf_pmu_model itf_pmu_cs_etm = {
	.name = "cs_etm",
	.slots = 4,
	.max_filters = 8,
	.comparators = 2,
	.start = true,
	.point = true,
	.program = program,
};
