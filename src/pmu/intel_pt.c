// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Intel PT as its driver drives it since Linux 5.18 (KERNEL-FACTS 4.1; Intel SDM, Intel
 * Processor Trace).
 */
#include "model.h"

static bool program(const struct itf_pmu *pmu, const struct itf_filter *filter,
		    const struct itf_range *range, struct itf_hw *hw)
{
	/* Addresses are canonical below half and from 2^64 - half on. */
	u64 half = pmu->vaddr_bits == 57 ? (u64)1 << 56 : (u64)1 << 47;
	u64 first = range->start;
	u64 last;

	/* The driver takes start 0 of a file filter to mean that nothing is mapped. */
	hw->clamped = false;
	if (filter->source == ITF_SOURCE_FILE && !first)
		return false;

	/*
	 * Size 0 is not told apart: size - 1 becomes the largest number and the range
	 * everything above (R3).
	 */
	if (__builtin_add_overflow(first, range->size - 1, &last))
		last = ~(u64)0;
	if (first >= half && first < 0 - half) {
		first = 0 - half;
		hw->clamped = true;
	}
	if (last >= half && last < 0 - half) {
		last = half - 1;
		hw->clamped = true;
	}
	if (last < first)
		return false;
	hw->first = first;
	hw->last = last;
	return true;
}

const struct itf_pmu_model itf_pmu_intel_pt = {
	.name = "intel_pt",
	.slots = 4,
	.vaddr_bits = 48,
	.sized_start_stop = true,
	.program = program,
};
