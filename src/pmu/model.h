/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What one model of hardware is. Not part of the library's interface. */
#ifndef ITF_PMU_MODEL_H
#define ITF_PMU_MODEL_H

#include <itf/pmu.h>

/**
 * struct itf_pmu_model - what the hardware and its driver take; the limits are data
 * @name: as users write it
 * @slots: default of struct itf_pmu.slots
 * @vaddr_bits: default of struct itf_pmu.vaddr_bits
 * @max_filters: filters in a set; 0 means as many as slots
 * @comparators: address comparators in a slot: a filter takes two, a start or stop one; 0
 *	means that filters take slots as they are and @max_filters says it all
 * @start: takes start filters
 * @point: takes filters without a size
 * @sized_start_stop: takes start and stop with a size
 * @mixed: takes filters with and without a size in one set
 * @program: sets first, last and clamped of struct itf_hw as itf_pmu_program() says; NULL for
 *	hardware that takes a range as it is
 */
struct itf_pmu_model {
	const char *name;
	unsigned int slots;
	unsigned int vaddr_bits;
	unsigned int max_filters;
	unsigned int comparators;
	bool start;
	bool point;
	bool sized_start_stop;
	bool mixed;
	bool (*program)(const struct itf_pmu *pmu, const struct itf_filter *filter,
			const struct itf_range *range, struct itf_hw *hw);
};

#endif
