// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Linux's own rule, row by row as KERNEL-FACTS 2 has it: also what is wrong in Linux. */
#include <itf/track.h>

#include "runner.h"

#define TOP (~(u64)0)
#define RX (ITF_PROT_READ | ITF_PROT_EXEC)
#define MAP(start, size, offset)           \
	{                                  \
		start, size, offset, 1, RX \
	}
/* What was there before: no match. */
#define LEFT               \
	{                  \
		0x5a, 0xa5 \
	}

static const struct {
	const char *name;
	struct itf_range want;
	struct itf_mapping mapping;
	unsigned int addr_bits;
	struct itf_range range;
} rows[] = {
	/* KERNEL-FACTS 2.5 */
	{ "inside", { 0x1100, 0x80 }, MAP(0x401000, 0x1000, 0x1000), 64, { 0x401100, 0x80 } },
	{ "over low", { 0xf00, 0x200 }, MAP(0x401000, 0x1000, 0x1000), 64, { 0x401000, 0x100 } },
	{ "over high", { 0x1f00, 0x200 }, MAP(0x401000, 0x1000, 0x1000), 64, { 0x401f00, 0x100 } },
	{ "cover", { 0, 0x10000 }, MAP(0x401000, 0x1000, 0x1000), 64, { 0x401000, 0x1000 } },
	{ "touch low (R2)", { 0, 0x1000 }, MAP(0x401000, 0x1000, 0x1000), 64, { 0x401000, 0 } },
	{ "touch high (R1)", { 0x1000, 0x200 }, MAP(0x400000, 0x1000, 0), 64, { 0x401000, 0 } },
	{ "wrap (R6)", { 0x1000, TOP }, MAP(0x400000, 0x3000, 0), 64, { 0x401000, 0x2000 } },
	{ "wrap, offset above", { 0x1000, TOP }, MAP(0x401000, 0x2000, 0x1000), 64, LEFT },
	{ "almost wrap",
	  { 0x1000, TOP - 0x1000 },
	  MAP(0x402000, 0x1000, 0x2000),
	  64,
	  { 0x402000, 0x1000 } },
	{ "beyond", { 0x900000, 0x10 }, MAP(0x401000, 0x1000, 0x1000), 64, LEFT },

	{ "0 means 64 bits",
	  { 0x100000100, 0x80 },
	  MAP(0x401000, 0x1000, 0x100000000),
	  0,
	  { 0x401100, 0x80 } },
	{ "sum 0 (R6)", { 1, TOP }, MAP(0x401000, 0x1000, 0x1000), 64, LEFT },
	{ "sum 0, offset 0", { 1, TOP }, MAP(0x400000, 0x1000, 0), 64, { 0x400001, 0xfff } },
	{ "largest sum", { 0, TOP }, MAP(0x401000, 0x1000, 0x1000), 64, { 0x401000, 0x1000 } },
	{ "one below touching", { 0, 0xfff }, MAP(0x401000, 0x1000, 0x1000), 64, LEFT },
	{ "one above touching", { 0x2001, 1 }, MAP(0x401000, 0x1000, 0x1000), 64, LEFT },
	{ "point", { 0x1fff, 0 }, MAP(0x401000, 0x1000, 0x1000), 64, { 0x401fff, 0 } },
	{ "point at the end (R20)", { 0x1000, 0 }, MAP(0x200000, 0x1000, 0), 64, { 0x201000, 0 } },
	{ "point at the start", { 0x1000, 0 }, MAP(0x202000, 0x1000, 0x1000), 64, { 0x202000, 0 } },
	{ "top of memory",
	  { 0, 0x10000 },
	  MAP(TOP - 0xfff, 0x1000, 0x1000),
	  64,
	  { TOP - 0xfff, 0x1000 } },
	{ "rest at the top of memory",
	  { 0x1800, 0x10000 },
	  MAP(TOP - 0xfff, 0x1000, 0x1000),
	  64,
	  { TOP - 0x7ff, 0x800 } },
	{ "touches 2^64", { 0x2000, 1 }, MAP(TOP - 0xfff, 0x1000, 0x1000), 64, { 0, 0 } },
	{ "file bytes at the top",
	  { TOP - 0xfff, 0x800 },
	  MAP(0x400000, 0x800, TOP - 0xfff),
	  64,
	  { 0x400000, 0x800 } },
	{ "offset wraps", { TOP - 0xfff, 0x800 }, MAP(0x400000, 0x1000, TOP - 0xfff), 64, LEFT },

	/* 32-bit kernels */
	{ "inside", { 0x1100, 0x80 }, MAP(0x401000, 0x1000, 0x1000), 32, { 0x401100, 0x80 } },
	{ "offset cut (R7)",
	  { 0x100, 0x80 },
	  MAP(0x401000, 0x1000, 0x100000000),
	  32,
	  { 0x401100, 0x80 } },
	{ "offset above 4 GiB", { 0x100, 0x80 }, MAP(0x401000, 0x1000, 0x100000000), 64, LEFT },
	{ "sum wraps", { 0x1000, 0xffffffff }, MAP(0x401000, 0x2000, 0x1000), 32, LEFT },
	{ "sum wraps, offset 0",
	  { 0x1000, 0xffffffff },
	  MAP(0x400000, 0x3000, 0),
	  32,
	  { 0x401000, 0x2000 } },
	{ "ends at 2^32",
	  { 0x1800, 0x10000 },
	  MAP(0xfffff000, 0x1000, 0x1000),
	  32,
	  { 0xfffff800, 0x800 } },
	{ "4 GiB are none", { 0, 0x10 }, MAP(0, 0x100000000, 0), 32, { 0, 0 } },
	{ "touches 2^32", { 0x2000, 1 }, MAP(0xfffff000, 0x1000, 0x1000), 32, { 0, 0 } },
	{ "offset wraps", { 0xfffff000, 0x800 }, MAP(0x400000, 0x1000, 0xfffff000), 32, LEFT },
};

START_TEST(match_and_clip_are_those_of_linux)
{
	static const struct itf_range left = LEFT;
	const struct itf_range *want = &rows[_i].range;
	struct itf_range range = left;
	bool match = itf_linux_match(&rows[_i].want, &rows[_i].mapping, rows[_i].addr_bits, &range);

	ck_assert_msg(match == (want->start != left.start), "%s", rows[_i].name);
	ck_assert_msg(range.start == want->start && range.size == want->size, "%s: 0x%llx/0x%llx",
		      rows[_i].name, (unsigned long long)range.start,
		      (unsigned long long)range.size);
}
END_TEST

/* One filter of each kind that the rule tells apart. */
static const struct itf_filter set[] = {
	{ .action = ITF_ACTION_FILTER,
	  .source = ITF_SOURCE_FILE,
	  .start = 0x2000,
	  .size = 0x1000,
	  .object = 1 },
	{ .action = ITF_ACTION_STOP, .source = ITF_SOURCE_FILE, .start = 0x2800, .object = 1 },
	{ .action = ITF_ACTION_FILTER, .source = ITF_SOURCE_FILE, .start = 0x2800, .object = 1 },
	{ .action = ITF_ACTION_FILTER,
	  .source = ITF_SOURCE_FILE,
	  .start = 0x2000,
	  .size = 0x1000,
	  .object = 2 },
	{ .action = ITF_ACTION_FILTER, .source = ITF_SOURCE_FILE, .start = 0x2000, .size = 0x1000 },
	{ .action = ITF_ACTION_FILTER,
	  .source = ITF_SOURCE_KERNEL,
	  .start = 0x2000,
	  .size = 0x1000 },
	{ .action = ITF_ACTION_START, .source = ITF_SOURCE_KERNEL, .start = 0x2000, .object = 1 },
	{ .action = ITF_ACTION_FILTER, .source = ITF_SOURCE_KERNEL, .start = 0x2000 },
};

enum {
	SIZED,
	POINT,
	SIZELESS,
	OTHER_OBJECT,
	NO_OBJECT,
	KERNEL,
	KERNEL_POINT,
	KERNEL_SIZELESS,
	COUNT
};

static void check_slot(const struct itf_slot *slot, u64 start, u64 size, bool touching, bool exec)
{
	ck_assert(slot->matched && slot->touching == touching && slot->exec == exec);
	ck_assert_msg(slot->range.start == start && slot->range.size == size, "0x%llx/0x%llx",
		      (unsigned long long)slot->range.start, (unsigned long long)slot->range.size);
}

static void check_empty(const struct itf_slot *slot)
{
	ck_assert(!slot->matched && !slot->touching && !slot->exec);
	ck_assert(slot->range.start == 0 && slot->range.size == 0);
}

/* What no file mapping ever changes. */
static void check_others(const struct itf_slot *slots)
{
	check_empty(&slots[SIZELESS]);
	check_empty(&slots[OTHER_OBJECT]);
	check_empty(&slots[NO_OBJECT]);
	check_slot(&slots[KERNEL], 0x2000, 0x1000, false, true);
	check_slot(&slots[KERNEL_POINT], 0x2000, 0, false, true);
	check_empty(&slots[KERNEL_SIZELESS]);
}

START_TEST(reset_leaves_kernel_ranges_only)
{
	struct itf_slot slots[COUNT];
	size_t i;

	for (i = 0; i < COUNT; i++)
		slots[i] = (struct itf_slot){ { 0x77, 0x77 }, true, true, true };
	itf_linux_reset(set, COUNT, slots);
	check_empty(&slots[SIZED]);
	check_empty(&slots[POINT]);
	check_others(slots);
	itf_linux_reset(NULL, 0, NULL);
}
END_TEST

START_TEST(mmap_takes_executable_mappings_and_the_last_wins)
{
	struct itf_mapping m = { 0x401000, 0x2000, 0x1000, 1, ITF_PROT_READ };
	struct itf_slot slots[COUNT];

	itf_linux_reset(set, COUNT, slots);
	ck_assert_uint_eq(itf_linux_mmap(set, COUNT, &m, 64, slots), 0);
	check_empty(&slots[SIZED]);

	m.prot = RX;
	ck_assert_uint_eq(itf_linux_mmap(set, COUNT, &m, 64, slots), 2);
	check_slot(&slots[SIZED], 0x402000, 0x1000, false, true);
	check_slot(&slots[POINT], 0x402800, 0, false, true);
	check_others(slots);

	m.start = 0x801000;
	ck_assert_uint_eq(itf_linux_mmap(set, COUNT, &m, 64, slots), 2);
	check_slot(&slots[SIZED], 0x802000, 0x1000, false, true);

	/* A mapping that only touches is as good as any. */
	m.offset = 0x3000;
	ck_assert_uint_eq(itf_linux_mmap(set, COUNT, &m, 64, slots), 1);
	check_slot(&slots[SIZED], 0x801000, 0, true, true);
	check_slot(&slots[POINT], 0x802800, 0, false, true);

	/* Nor does a mapping that does not match clear anything. */
	m.offset = 0x9000;
	ck_assert_uint_eq(itf_linux_mmap(set, COUNT, &m, 64, slots), 0);
	check_slot(&slots[SIZED], 0x801000, 0, true, true);
	check_others(slots);
}
END_TEST

START_TEST(attach_takes_any_protection_and_the_first_wins)
{
	struct itf_mapping m = { 0x400000, 0x2000, 0, 1, ITF_PROT_READ };
	struct itf_slot slots[COUNT];

	itf_linux_reset(set, COUNT, slots);
	ck_assert_uint_eq(itf_linux_attach(set, COUNT, &m, 64, slots), 1);
	check_slot(&slots[SIZED], 0x402000, 0, true, false);
	check_empty(&slots[POINT]);

	m = (struct itf_mapping){ 0x402000, 0x2000, 0x2000, 1, RX };
	ck_assert_uint_eq(itf_linux_attach(set, COUNT, &m, 64, slots), 1);
	check_slot(&slots[SIZED], 0x402000, 0, true, false);
	check_slot(&slots[POINT], 0x402800, 0, false, true);

	m.start = 0x802000;
	ck_assert_uint_eq(itf_linux_attach(set, COUNT, &m, 64, slots), 0);
	check_slot(&slots[POINT], 0x402800, 0, false, true);
	check_others(slots);
}
END_TEST

START_TEST(a_match_that_does_not_hold_the_filter_is_touching)
{
	/* R20: the byte of a point at the end of a mapping is not in it. */
	static const struct itf_filter point = {
		.action = ITF_ACTION_START,
		.source = ITF_SOURCE_FILE,
		.start = 0x1000,
		.object = 1,
	};
	/* R7: what Linux takes for offset 0 is the file's byte 2^32. */
	static const struct itf_filter low = {
		.action = ITF_ACTION_FILTER,
		.source = ITF_SOURCE_FILE,
		.size = 0x10,
		.object = 1,
	};
	static const struct itf_mapping below = { 0x200000, 0x1000, 0, 1, RX };
	static const struct itf_mapping far = { 0x400000, 0x1000, 0x100000000, 1, RX };
	struct itf_slot slot;

	itf_linux_reset(&point, 1, &slot);
	ck_assert_uint_eq(itf_linux_mmap(&point, 1, &below, 64, &slot), 1);
	check_slot(&slot, 0x201000, 0, true, true);
	itf_linux_reset(&low, 1, &slot);
	ck_assert_uint_eq(itf_linux_mmap(&low, 1, &far, 64, &slot), 0);
	ck_assert_uint_eq(itf_linux_mmap(&low, 1, &far, 32, &slot), 1);
	check_slot(&slot, 0x400000, 0x10, true, true);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("linux");
	TCase *t = tcase_create("linux");

	tcase_add_loop_test(t, match_and_clip_are_those_of_linux, 0,
			    sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(t, reset_leaves_kernel_ranges_only);
	tcase_add_test(t, mmap_takes_executable_mappings_and_the_last_wins);
	tcase_add_test(t, attach_takes_any_protection_and_the_first_wins);
	tcase_add_test(t, a_match_that_does_not_hold_the_filter_is_touching);
	suite_add_tcase(s, t);
	return run_suite(s);
}
