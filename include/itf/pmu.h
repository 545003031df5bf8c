/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What instruction-trace hardware can take (SPEC 5, KERNEL-FACTS 4): models as const data, one
 * checker for all of them, and the view of a resolved range that the hardware gets.
 */
#ifndef ITF_PMU_H
#define ITF_PMU_H

#include <itf/env.h>
#include <itf/error.h>
#include <itf/filter.h>
#include <itf/range.h>

#ifdef __cplusplus
extern "C" {
#endif

struct itf_pmu_model;

/* The models, after the drivers of Linux: intel/pt.c, coresight-etm-perf.c, coresight-etm4x. */
extern const struct itf_pmu_model itf_pmu_any; /* no limits */
extern const struct itf_pmu_model itf_pmu_count; /* nr_addr_filters and nothing else */
extern const struct itf_pmu_model itf_pmu_intel_pt;
extern const struct itf_pmu_model itf_pmu_cs_etm;

/**
 * struct itf_pmu - a model with the numbers of one machine
 * @model: which model
 * @slots: itf_pmu_count: nr_addr_filters, at least 1; itf_pmu_intel_pt: address ranges, 0 to 4;
 *	itf_pmu_cs_etm: address comparator pairs, 0 to 8; itf_pmu_any: not looked at
 * @vaddr_bits: itf_pmu_intel_pt: width of a virtual address, 48 or 57; others: not looked at
 */
struct itf_pmu {
	const struct itf_pmu_model *model;
	unsigned int slots;
	unsigned int vaddr_bits;
};

/**
 * itf_pmu_init() - a model with its default numbers
 * @pmu: to be initialised
 * @model: which model
 *
 * Defaults (SPEC 5): intel_pt 4 ranges and 48 bits, cs_etm 4 pairs, count 1.
 */
void itf_pmu_init(struct itf_pmu *pmu, const struct itf_pmu_model *model);

/**
 * itf_pmu_name() - "intel_pt", "cs_etm", "any" or "nr_addr_filters"
 * @pmu: an initialised pmu
 *
 * Return: a static string, never NULL.
 */
const char *itf_pmu_name(const struct itf_pmu *pmu);

/**
 * itf_pmu_check() - can the hardware take a filter set
 * @pmu: an initialised pmu
 * @filters: array of @count filters
 * @count: filters in the set
 * @bad: set to the index of the filter that is refused, on error; may be NULL. For errors of the
 *	whole set it is the first filter that does not fit
 *
 * Judges filter by filter as the drivers do (KERNEL-FACTS 4.1, 4.2), and the first one refused
 * decides: its action, its size, whether a slot is left, whether it goes with the filters
 * before it. Comparators, which no driver counts before the event starts, come last, when all
 * else is well.
 *
 * Return: ITF_OK, or ITF_E_TOO_MANY_FILTERS, ITF_E_START_UNSUPPORTED, ITF_E_POINT_UNSUPPORTED,
 * ITF_E_SIZED_START_STOP, ITF_E_MIXED_RANGES_AND_POINTS, ITF_E_TOO_MANY_COMPARATORS.
 */
enum itf_error itf_pmu_check(const struct itf_pmu *pmu, const struct itf_filter *filters,
			     size_t count, size_t *bad);

/* struct itf_hw.config, for every model; 1 and 2 are ADDRn_CFG of Intel PT (SDM, IA32_RTIT_CTL). */
#define ITF_HW_FILTER 1u
#define ITF_HW_STOP 2u
#define ITF_HW_START 3u

/**
 * struct itf_hw - what the hardware is given for one filter
 * @first: first byte, inclusive
 * @last: last byte, inclusive; at least @first
 * @config: ITF_HW_FILTER, ITF_HW_STOP or ITF_HW_START
 * @clamped: bytes of the range were cut off because their addresses are not canonical
 */
struct itf_hw {
	u64 first;
	u64 last;
	u32 config;
	bool clamped;
};

/**
 * itf_pmu_program() - the hardware view of one resolved filter
 * @pmu: an initialised pmu
 * @filter: only its action and source are looked at
 * @range: the addresses that Linux resolved it to, as in struct itf_slot; size 0 is programmed as
 *	the driver does: by Intel PT as everything above (R3), by others as one address
 * @hw: set if anything is programmed. With cs_etm, @hw->last of a range is one past its last
 *	byte, as the driver programs it (KERNEL-FACTS 4.2), cut at 2^64 - 1
 *
 * Return: false, and @hw is as it was except for @hw->clamped, if nothing is programmed: Intel
 * PT, when no byte of the range is canonical, or when a file filter was resolved to address 0,
 * which its driver takes for one that is not mapped.
 */
bool itf_pmu_program(const struct itf_pmu *pmu, const struct itf_filter *filter,
		     const struct itf_range *range, struct itf_hw *hw);

#ifdef __cplusplus
}
#endif

#endif
