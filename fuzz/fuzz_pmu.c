// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Property: a model of hardware takes the filter sets that KERNEL-FACTS 4 says its driver takes,
 * and of others names the first filter that makes the set one that is refused, and why. Of a set
 * that it takes, each filter goes into the hardware's registers as the driver puts it there, and
 * what the registers then cover are the bytes of the range, except for what is said: bytes that
 * no address can name are cut off (Intel PT), a range of size 0 is everything above (Intel PT),
 * and there is one address more at the end (ETM).
 */
#include <itf/pmu.h>

#include "fuzz.h"

const enum gen_format fuzz_format = GEN_PMU;

#define FILTERS 24

static const struct itf_pmu_model *const models[] = { &itf_pmu_intel_pt, &itf_pmu_cs_etm,
						      &itf_pmu_count, &itf_pmu_any };

static struct itf_pmu take_pmu(struct fuzz_bytes *in)
{
	u8 model = fuzz_u8(in), slots = fuzz_u8(in);
	struct itf_pmu pmu;

	itf_pmu_init(&pmu, models[model & 3]);
	if (model & 8)
		return pmu;
	pmu.vaddr_bits = model & 4 ? 57 : 48;
	if (pmu.model == &itf_pmu_intel_pt)
		pmu.slots = slots % 5;
	else if (pmu.model == &itf_pmu_cs_etm)
		pmu.slots = slots % 9;
	else
		pmu.slots = 1 + slots % 16;
	return pmu;
}

static struct itf_filter take_filter(struct fuzz_bytes *in)
{
	u8 what = fuzz_u8(in);
	struct itf_filter f = {
		.action = (enum itf_action)((what & 3) % 3),
		.source = what & 4 ? ITF_SOURCE_KERNEL : ITF_SOURCE_FILE,
		.object = !(what & 4),
	};

	f.start = fuzz_u64(in);
	f.size = fuzz_u64(in);
	/* Sets that hardware takes are rare among chance ones. */
	if (what & 0x40)
		f.size = 0;
	if (what & 0x80)
		f.action = ITF_ACTION_FILTER;
	return f;
}

/* ---------- which sets are taken */

/* What the drivers say when the set is set. */
static bool driver_takes(const struct itf_pmu *pmu, const struct itf_filter *f, size_t count)
{
	size_t i, points = 0;

	for (i = 0; i < count; i++) {
		points += !f[i].size;
		if (pmu->model == &itf_pmu_intel_pt &&
		    (!f[i].size || f[i].action == ITF_ACTION_START))
			return false;
		if (pmu->model == &itf_pmu_cs_etm && f[i].size && f[i].action != ITF_ACTION_FILTER)
			return false;
	}
	if (pmu->model == &itf_pmu_cs_etm)
		return count <= 8 && (!points || points == count);
	return pmu->model == &itf_pmu_any || count <= pmu->slots;
}

/* Comparators, when the event starts: two in a pair; a filter takes two, anything else one. */
static bool hardware_takes(const struct itf_pmu *pmu, const struct itf_filter *f, size_t count)
{
	size_t i, comparators = 0;

	for (i = 0; i < count; i++)
		comparators += f[i].action == ITF_ACTION_FILTER ? 2 : 1;
	return pmu->model != &itf_pmu_cs_etm || comparators <= 2 * (size_t)pmu->slots;
}

/* Is what the error says true of this filter? */
static bool true_of(enum itf_error error, const struct itf_pmu *pmu, const struct itf_filter *f,
		    size_t i)
{
	switch (error) {
	case ITF_E_START_UNSUPPORTED:
		return pmu->model == &itf_pmu_intel_pt && f[i].action == ITF_ACTION_START;
	case ITF_E_POINT_UNSUPPORTED:
		return pmu->model == &itf_pmu_intel_pt && !f[i].size;
	case ITF_E_SIZED_START_STOP:
		return pmu->model == &itf_pmu_cs_etm && f[i].size &&
		       f[i].action != ITF_ACTION_FILTER;
	case ITF_E_TOO_MANY_FILTERS:
		return i == (pmu->model == &itf_pmu_cs_etm ? 8 : pmu->slots) &&
		       pmu->model != &itf_pmu_any;
	case ITF_E_MIXED_RANGES_AND_POINTS:
		return pmu->model == &itf_pmu_cs_etm && i && !f[i].size != !f[0].size;
	case ITF_E_TOO_MANY_COMPARATORS:
		return pmu->model == &itf_pmu_cs_etm;
	default:
		return false;
	}
}

static void check_set(const struct itf_pmu *pmu, const struct itf_filter *f, size_t count)
{
	bool driver = driver_takes(pmu, f, count);
	size_t bad = 0x5a, n = 0;
	enum itf_error error;

	error = itf_pmu_check(pmu, f, count, &bad);
	FUZZ_ASSERT(itf_pmu_check(pmu, f, count, NULL) == error);
	if (!error) {
		FUZZ_ASSERT(driver && hardware_takes(pmu, f, count) && bad == 0x5a);
		return;
	}
	FUZZ_ASSERT(bad < count && true_of(error, pmu, f, bad));
	FUZZ_ASSERT((error == ITF_E_TOO_MANY_COMPARATORS) == driver);
	/* All before the bad one are fine together, and it is the one that is too much. */
	while (n <= count && (driver ? hardware_takes : driver_takes)(pmu, f, n))
		n++;
	FUZZ_ASSERT(bad == n - 1);
	FUZZ_ASSERT(itf_error_errno(error) == ITF_EOPNOTSUPP);
}

/* ---------- Intel PT */

/* As the driver tells: does an address repeat its sign from bit vaddr_bits - 1 on? */
static bool canonical(const struct itf_pmu *pmu, u64 a)
{
	unsigned int shift = 64 - pmu->vaddr_bits;

	return (u64)((long long)(a << shift) >> shift) == a;
}

/* KERNEL-FACTS 4.1, sync; false: both registers 0. */
static bool pt_registers(const struct itf_pmu *pmu, const struct itf_filter *f, u64 *a, u64 *b)
{
	u64 top = ~(u64)0 << (pmu->vaddr_bits - 1);

	if (f->source == ITF_SOURCE_FILE && !f->start)
		return false;
	*a = f->start;
	*b = f->start + (f->size - 1);
	if (!f->size || *b < *a)
		*b = ~(u64)0;
	if (!canonical(pmu, *a))
		*a = top;
	if (!canonical(pmu, *b))
		*b = ~top;
	return *b >= *a;
}

/* Do registers that hold [a, b] trace this address? */
static bool pt_traces(const struct itf_pmu *pmu, const struct itf_hw *hw, u64 address)
{
	return canonical(pmu, address) && address >= hw->first && address <= hw->last;
}

static bool in_range(const struct itf_filter *f, u64 address)
{
	return address >= f->start && (!f->size || address - f->start < f->size);
}

static void check_pt(const struct itf_pmu *pmu, const struct itf_filter *f, const struct itf_hw *hw,
		     bool programmed)
{
	u64 a, b, last = f->start + (f->size - 1), top = ~(u64)0 << (pmu->vaddr_bits - 1);
	u64 edges[] = { 0, f->start, last, ~top, top, ~(u64)0 };
	unsigned int i, j;

	FUZZ_ASSERT(pt_registers(pmu, f, &a, &b) == programmed);
	if (f->source == ITF_SOURCE_FILE && !f->start) {
		FUZZ_ASSERT(!hw->clamped);
		return;
	}
	if (!f->size || last < f->start)
		last = ~(u64)0;
	FUZZ_ASSERT(hw->clamped == (!canonical(pmu, f->start) || !canonical(pmu, last)));
	if (programmed)
		FUZZ_ASSERT(hw->first == a && hw->last == b);
	/* Where covering can change at all: at the ends, and one address to each side of them. */
	for (i = 0; i < sizeof(edges) / sizeof(edges[0]); i++) {
		for (j = 0; j < 3; j++) {
			u64 at = edges[i] + j - 1;

			FUZZ_ASSERT((programmed && pt_traces(pmu, hw, at)) ==
				    (in_range(f, at) && canonical(pmu, at)));
		}
	}
}

/* ---------- ETM, and hardware that is not known */

/* The driver programs the first address behind the range, and the comparator includes it. */
static void check_etm(const struct itf_filter *f, const struct itf_hw *hw)
{
	u64 end = f->start + f->size;

	FUZZ_ASSERT(hw->first == f->start);
	FUZZ_ASSERT(hw->last == (end < f->start ? ~(u64)0 : end));
	FUZZ_ASSERT(!hw->clamped);
}

static void check_plain(const struct itf_filter *f, const struct itf_hw *hw)
{
	u64 bytes = f->size ? f->size : 1;

	FUZZ_ASSERT(hw->first == f->start);
	FUZZ_ASSERT(hw->last - hw->first == bytes - 1 ||
		    (hw->last == ~(u64)0 && bytes - 1 > hw->last - hw->first));
	FUZZ_ASSERT(!hw->clamped);
}

static void check_program(const struct itf_pmu *pmu, const struct itf_filter *f)
{
	const struct itf_range range = { f->start, f->size };
	struct itf_hw hw = { 0x5a, 0xa5, 0xaa, true };
	bool programmed;

	programmed = itf_pmu_program(pmu, f, &range, &hw);
	if (!programmed) {
		FUZZ_ASSERT(pmu->model == &itf_pmu_intel_pt);
		FUZZ_ASSERT(hw.first == 0x5a && hw.last == 0xa5 && hw.config == 0xaa);
	} else {
		FUZZ_ASSERT(hw.first <= hw.last);
		FUZZ_ASSERT(hw.config == (f->action == ITF_ACTION_FILTER ? 1u :
					  f->action == ITF_ACTION_STOP	 ? 2u :
									   3u));
	}
	if (pmu->model == &itf_pmu_intel_pt)
		check_pt(pmu, f, &hw, programmed);
	else if (pmu->model == &itf_pmu_cs_etm)
		check_etm(f, &hw);
	else
		check_plain(f, &hw);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes in = { data, size };
	struct itf_pmu pmu = take_pmu(&in);
	struct itf_filter filters[FILTERS], *exact;
	size_t i, count = 0;

	while (in.left && count < FILTERS)
		filters[count++] = take_filter(&in);
	exact = fuzz_copy(filters, count * sizeof(*exact));
	check_set(&pmu, exact, count);
	/* Also of a set that is refused: a range is programmed as it is. */
	for (i = 0; i < count; i++)
		check_program(&pmu, &exact[i]);
	free(exact);
	return 0;
}
