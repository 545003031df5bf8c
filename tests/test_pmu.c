// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What the hardware takes and gets (SPEC 5, KERNEL-FACTS 4). */
#include <itf/pmu.h>

#include <string.h>

#include "runner.h"
#include "support.h"

#define TOP (~(u64)0)
#define NONE ((size_t)-1)

#define PT (&itf_pmu_intel_pt)
#define ETM (&itf_pmu_cs_etm)
#define ANY (&itf_pmu_any)
#define NR (&itf_pmu_count)

static const struct itf_filter filter_sized = { .action = ITF_ACTION_FILTER, .size = 0x10 };
static const struct itf_filter filter_point = { .action = ITF_ACTION_FILTER };
static const struct itf_filter start_sized = { .action = ITF_ACTION_START, .size = 0x10 };
static const struct itf_filter start_point = { .action = ITF_ACTION_START };
static const struct itf_filter stop_sized = { .action = ITF_ACTION_STOP, .size = 0x10 };
static const struct itf_filter stop_point = { .action = ITF_ACTION_STOP };

/*
 * A filter set is text: upper case for sized, lower case for a point; "f" filter, "s" start,
 * "p" stop.
 */
static size_t read_set(const char *text, struct itf_filter *filters)
{
	static const char letters[] = "FfSsPp";
	static const struct itf_filter *const kinds[] = {
		&filter_sized, &filter_point, &start_sized, &start_point, &stop_sized, &stop_point,
	};
	size_t n;

	for (n = 0; text[n]; n++)
		filters[n] = *kinds[strchr(letters, text[n]) - letters];
	return n;
}

static const struct {
	const struct itf_pmu_model *model;
	int slots; /* -1: the default */
	const char *set;
	enum itf_error error;
	size_t bad;
} checks[] = {
	{ &itf_pmu_any, -1, "", ITF_OK, NONE },
	{ &itf_pmu_any, 0, "FfSsPpFfSsPpFfSsPpFfSsPp", ITF_OK, NONE },

	{ &itf_pmu_count, -1, "", ITF_OK, NONE },
	{ &itf_pmu_count, -1, "s", ITF_OK, NONE },
	{ &itf_pmu_count, -1, "FF", ITF_E_TOO_MANY_FILTERS, 1 },
	{ &itf_pmu_count, 6, "FfSsPp", ITF_OK, NONE },
	{ &itf_pmu_count, 6, "FfSsPpFF", ITF_E_TOO_MANY_FILTERS, 6 },
	{ &itf_pmu_count, 12, "FFFFFFFFFFFF", ITF_OK, NONE },

	{ &itf_pmu_intel_pt, -1, "FPFP", ITF_OK, NONE },
	{ &itf_pmu_intel_pt, -1, "FPFPF", ITF_E_TOO_MANY_FILTERS, 4 },
	{ &itf_pmu_intel_pt, 2, "FPF", ITF_E_TOO_MANY_FILTERS, 2 },
	{ &itf_pmu_intel_pt, 0, "", ITF_OK, NONE },
	{ &itf_pmu_intel_pt, 0, "F", ITF_E_TOO_MANY_FILTERS, 0 },
	{ &itf_pmu_intel_pt, -1, "FS", ITF_E_START_UNSUPPORTED, 1 },
	{ &itf_pmu_intel_pt, -1, "s", ITF_E_START_UNSUPPORTED, 0 },
	{ &itf_pmu_intel_pt, -1, "FPp", ITF_E_POINT_UNSUPPORTED, 2 },
	{ &itf_pmu_intel_pt, -1, "f", ITF_E_POINT_UNSUPPORTED, 0 },
	/* the first filter refused decides, whatever is wrong with later ones */
	{ &itf_pmu_intel_pt, 1, "FPs", ITF_E_TOO_MANY_FILTERS, 1 },
	{ &itf_pmu_intel_pt, 1, "FsP", ITF_E_START_UNSUPPORTED, 1 },
	{ &itf_pmu_intel_pt, -1, "Fps", ITF_E_POINT_UNSUPPORTED, 1 },

	{ &itf_pmu_cs_etm, -1, "FFFF", ITF_OK, NONE },
	{ &itf_pmu_cs_etm, -1, "sspspsps", ITF_OK, NONE },
	{ &itf_pmu_cs_etm, 8, "FFFFFFFF", ITF_OK, NONE },
	{ &itf_pmu_cs_etm, 8, "FFFFFFFFF", ITF_E_TOO_MANY_FILTERS, 8 },
	{ &itf_pmu_cs_etm, 8, "ppppppppp", ITF_E_TOO_MANY_FILTERS, 8 },
	{ &itf_pmu_cs_etm, -1, "P", ITF_E_SIZED_START_STOP, 0 },
	{ &itf_pmu_cs_etm, -1, "FS", ITF_E_SIZED_START_STOP, 1 },
	{ &itf_pmu_cs_etm, -1, "Fs", ITF_E_MIXED_RANGES_AND_POINTS, 1 },
	{ &itf_pmu_cs_etm, -1, "spF", ITF_E_MIXED_RANGES_AND_POINTS, 2 },
	{ &itf_pmu_cs_etm, -1, "FsP", ITF_E_MIXED_RANGES_AND_POINTS, 1 },
	{ &itf_pmu_cs_etm, -1, "FFFFF", ITF_E_TOO_MANY_COMPARATORS, 4 },
	{ &itf_pmu_cs_etm, 2, "ssppp", ITF_E_TOO_MANY_COMPARATORS, 4 },
	{ &itf_pmu_cs_etm, 2, "sspp", ITF_OK, NONE },
	{ &itf_pmu_cs_etm, 0, "", ITF_OK, NONE },
	{ &itf_pmu_cs_etm, 0, "s", ITF_E_TOO_MANY_COMPARATORS, 0 },
	/* what the ioctl refuses comes before what the start of the event does */
	{ &itf_pmu_cs_etm, 1, "FFFs", ITF_E_MIXED_RANGES_AND_POINTS, 3 },
	{ &itf_pmu_cs_etm, 1, "FFFFFFFFF", ITF_E_TOO_MANY_FILTERS, 8 },
};

START_TEST(the_first_filter_refused_decides)
{
	struct itf_filter room[32];
	size_t count = read_set(checks[_i].set, room);
	struct guarded g = guard(room, count * sizeof(room[0]));
	const struct itf_filter *filters = (const void *)g.text;
	size_t bad = NONE;
	struct itf_pmu pmu;

	itf_pmu_init(&pmu, checks[_i].model);
	if (checks[_i].slots >= 0)
		pmu.slots = (unsigned int)checks[_i].slots;
	ck_assert_int_eq(itf_pmu_check(&pmu, filters, count, &bad), checks[_i].error);
	ck_assert_uint_eq(bad, checks[_i].bad);
	ck_assert_int_eq(itf_pmu_check(&pmu, filters, count, NULL), checks[_i].error);
	unguard(&g);
}
END_TEST

static const struct {
	const struct itf_pmu_model *model;
	unsigned int vaddr_bits;
	char filter;
	u64 start, size;
	u64 first, last;
	u32 config; /* 0: nothing is programmed */
	bool clamped;
} programs[] = {
	{ PT, 48, 'F', 0x401000, 0x1000, 0x401000, 0x401fff, 1, false },
	{ PT, 48, 'P', 0x401000, 1, 0x401000, 0x401000, 2, false },
	/* R3: size 0 is everything above */
	{ PT, 48, 'F', 0x401000, 0, 0x401000, TOP, 1, false },
	{ PT, 48, 'F', TOP, 1, TOP, TOP, 1, false },
	{ PT, 48, 'F', 0xffffffff81000000, TOP, 0xffffffff81000000, TOP, 1, false },
	/* KERNEL-FACTS 4.1, 48 bits */
	{ PT, 48, 'F', 0x800000000000, 0x1000, 0, 0, 0, true },
	{ PT, 48, 'F', 0x7ffffffff000, 0x10000, 0x7ffffffff000, 0x7fffffffffff, 1, true },
	{ PT, 48, 'F', 0x7ffffffff000, 0x1000, 0x7ffffffff000, 0x7fffffffffff, 1, false },
	{ PT, 48, 'F', 0x7ffffffff000, 0x1001, 0x7ffffffff000, 0x7fffffffffff, 1, true },
	{ PT, 48, 'F', 0x800000000000, 0, 0xffff800000000000, TOP, 1, true },
	{ PT, 48, 'F', 0xffff800000000000, 0x1000, 0xffff800000000000, 0xffff800000000fff, 1,
	  false },
	{ PT, 48, 'F', 0xffff7fffffffffff, 1, 0, 0, 0, true },
	{ PT, 48, 'F', 0xffff7fffffffffff, 2, 0xffff800000000000, 0xffff800000000000, 1, true },
	{ PT, 48, 'F', 0x7fffffffffff, 0xffff000000000002, 0x7fffffffffff, 0xffff800000000000, 1,
	  false },
	{ PT, 57, 'F', 0x800000000000, 0x1000, 0x800000000000, 0x800000000fff, 1, false },
	{ PT, 57, 'F', 0xfffffffffff000, 0x10000, 0xfffffffffff000, 0xffffffffffffff, 1, true },
	{ PT, 57, 'F', 0x100000000000000, 0x1000, 0, 0, 0, true },
	{ PT, 57, 'F', 0xfe00000000000000, TOP >> 7, 0xff00000000000000, 0xfffffffffffffffe, 1,
	  true },
	/* the driver takes 0 to mean unmapped */
	{ PT, 48, 'F', 0, 0x1000, 0, 0, 0, false },

	{ ETM, 0, 'F', 0x401000, 0x1000, 0x401000, 0x402000, 1, false },
	{ ETM, 0, 'F', 0x401000, 0, 0x401000, 0x401000, 1, false },
	{ ETM, 0, 's', 0x401000, 0, 0x401000, 0x401000, 3, false },
	{ ETM, 0, 'p', 0x401000, 0, 0x401000, 0x401000, 2, false },
	{ ETM, 0, 'F', TOP - 0xfff, 0x1000, TOP - 0xfff, TOP, 1, false },
	{ ETM, 0, 'F', TOP - 0xfff, 0xfff, TOP - 0xfff, TOP, 1, false },

	{ ANY, 0, 'F', 0x401000, 0x1000, 0x401000, 0x401fff, 1, false },
	{ ANY, 0, 'P', 0x800000000000, 0, 0x800000000000, 0x800000000000, 2, false },
	{ ANY, 0, 'S', TOP, 1, TOP, TOP, 3, false },
	{ ANY, 0, 's', TOP, 0, TOP, TOP, 3, false },
	{ ANY, 0, 'F', TOP, 3, TOP, TOP, 1, false },
	{ NR, 0, 'F', 0, TOP, 0, TOP - 1, 1, false },
};

START_TEST(the_hardware_gets_what_its_driver_computes)
{
	const char letter[] = { programs[_i].filter, '\0' };
	struct itf_range range = { programs[_i].start, programs[_i].size };
	struct itf_hw hw = { 1, 2, 3, !programs[_i].clamped };
	bool programmed = programs[_i].config != 0;
	struct itf_filter filter;
	struct itf_pmu pmu;

	read_set(letter, &filter);
	itf_pmu_init(&pmu, programs[_i].model);
	if (programs[_i].vaddr_bits)
		pmu.vaddr_bits = programs[_i].vaddr_bits;
	ck_assert(itf_pmu_program(&pmu, &filter, &range, &hw) == programmed);
	ck_assert(hw.clamped == programs[_i].clamped);
	if (!programmed) {
		ck_assert(hw.first == 1 && hw.last == 2 && hw.config == 3);
		return;
	}
	ck_assert_msg(hw.first == programs[_i].first && hw.last == programs[_i].last,
		      "0x%llx..0x%llx", (unsigned long long)hw.first, (unsigned long long)hw.last);
	ck_assert_uint_eq(hw.config, programs[_i].config);
}
END_TEST

START_TEST(a_kernel_filter_at_0_is_programmed)
{
	/* KERNEL-FACTS 4.1: abs 0/~0 */
	static const struct itf_filter all = {
		.action = ITF_ACTION_FILTER,
		.source = ITF_SOURCE_KERNEL,
		.size = TOP,
	};
	static const struct itf_range range = { 0, TOP };
	struct itf_pmu pmu;
	struct itf_hw hw;

	itf_pmu_init(&pmu, &itf_pmu_intel_pt);
	ck_assert(itf_pmu_program(&pmu, &all, &range, &hw));
	ck_assert(hw.first == 0 && hw.last == 0xfffffffffffffffe && !hw.clamped);
}
END_TEST

START_TEST(models_have_names_and_defaults)
{
	struct itf_pmu pmu;

	itf_pmu_init(&pmu, &itf_pmu_any);
	ck_assert_str_eq(itf_pmu_name(&pmu), "any");
	itf_pmu_init(&pmu, &itf_pmu_count);
	ck_assert_str_eq(itf_pmu_name(&pmu), "nr_addr_filters");
	ck_assert_uint_eq(pmu.slots, 1);
	itf_pmu_init(&pmu, &itf_pmu_intel_pt);
	ck_assert_str_eq(itf_pmu_name(&pmu), "intel_pt");
	ck_assert_uint_eq(pmu.slots, 4);
	ck_assert_uint_eq(pmu.vaddr_bits, 48);
	itf_pmu_init(&pmu, &itf_pmu_cs_etm);
	ck_assert_str_eq(itf_pmu_name(&pmu), "cs_etm");
	ck_assert_uint_eq(pmu.slots, 4);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("pmu");
	TCase *t = tcase_create("pmu");

	tcase_add_loop_test(t, the_first_filter_refused_decides, 0,
			    sizeof(checks) / sizeof(checks[0]));
	tcase_add_loop_test(t, the_hardware_gets_what_its_driver_computes, 0,
			    sizeof(programs) / sizeof(programs[0]));
	tcase_add_test(t, a_kernel_filter_at_0_is_programmed);
	tcase_add_test(t, models_have_names_and_defaults);
	suite_add_tcase(s, t);
	return run_suite(s);
}
