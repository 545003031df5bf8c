// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The exact answer, and verdicts on Linux's answers (SPEC 4). */
#include <itf/track.h>

#include "runner.h"

#define TOP (~(u64)0)
#define R ITF_PROT_READ
#define RX (ITF_PROT_READ | ITF_PROT_EXEC)
#define RW (ITF_PROT_READ | ITF_PROT_WRITE)
#define MAX 6

static const struct {
	const char *name;
	struct itf_mapping maps[MAX];
	struct itf_range want;
	struct itf_piece exact[MAX];
	size_t count;
} answers[] = {
	{ "one mapping",
	  { { 0x401000, 0x1000, 0x1000, 1, RX } },
	  { 0x1100, 0x80 },
	  { { 0x401100, 0x80, 0x1100 } },
	  1 },
	{ "not executable",
	  { { 0x401000, 0x1000, 0x1000, 1, RW } },
	  { 0x1100, 0x80 },
	  { { 0 } },
	  0 },
	{ "another file", { { 0x401000, 0x1000, 0x1000, 2, RX } }, { 0x1100, 0x80 }, { { 0 } }, 0 },
	{ "no file", { { 0x401000, 0x1000, 0x1000, 0, RX } }, { 0x1100, 0x80 }, { { 0 } }, 0 },
	{ "touching", { { 0x401000, 0x1000, 0x1000, 1, RX } }, { 0, 0x1000 }, { { 0 } }, 0 },
	{ "only executable parts",
	  { { 0x400000, 0x2000, 0, 1, R },
	    { 0x402000, 0x4000, 0x2000, 1, RX },
	    { 0x406000, 0x2000, 0x6000, 1, R },
	    { 0x408000, 0x2000, 0x7000, 1, RW } },
	  { 0, 0x9000 },
	  { { 0x402000, 0x4000, 0x2000 } },
	  1 },
	{ "split by mprotect, all executable",
	  { { 0x400000, 0x1000, 0, 1, RX },
	    { 0x401000, 0x1000, 0x1000, 1, RX | RW },
	    { 0x402000, 0x1000, 0x2000, 1, RX } },
	  { 0x800, 0x2000 },
	  { { 0x400800, 0x2000, 0x800 } },
	  1 },
	{ "adjacent in memory only",
	  { { 0x400000, 0x1000, 0, 1, RX }, { 0x401000, 0x1000, 0x3000, 1, RX } },
	  { 0, 0x4000 },
	  { { 0x400000, 0x1000, 0 }, { 0x401000, 0x1000, 0x3000 } },
	  2 },
	{ "adjacent in the file only",
	  { { 0x400000, 0x1000, 0, 1, RX }, { 0x500000, 0x1000, 0x1000, 1, RX } },
	  { 0, 0x4000 },
	  { { 0x400000, 0x1000, 0 }, { 0x500000, 0x1000, 0x1000 } },
	  2 },
	{ "another file between",
	  { { 0x400000, 0x1000, 0, 1, RX },
	    { 0x401000, 0x1000, 0x1000, 2, RX },
	    { 0x402000, 0x1000, 0x2000, 1, RX } },
	  { 0, 0x4000 },
	  { { 0x400000, 0x1000, 0 }, { 0x402000, 0x1000, 0x2000 } },
	  2 },
	{ "the same bytes twice",
	  { { 0x400000, 0x2000, 0, 1, RX }, { 0x402000, 0x2000, 0, 1, RX } },
	  { 0x1000, 0x1000 },
	  { { 0x401000, 0x1000, 0x1000 }, { 0x403000, 0x1000, 0x1000 } },
	  2 },
	{ "a point, twice",
	  { { 0x400000, 0x2000, 0, 1, RX }, { 0x402000, 0x2000, 0, 1, RX } },
	  { 0x1fff, 0 },
	  { { 0x401fff, 0, 0x1fff }, { 0x403fff, 0, 0x1fff } },
	  2 },
	{ "a point at the end of a mapping is in the next",
	  { { 0x400000, 0x1000, 0, 1, RX }, { 0x402000, 0x1000, 0x1000, 1, RX } },
	  { 0x1000, 0 },
	  { { 0x402000, 0, 0x1000 } },
	  1 },
	{ "the top of memory",
	  { { TOP - 0x1fff, 0x1000, 0, 1, RX }, { TOP - 0xfff, 0x1000, 0x1000, 1, RX } },
	  { 0, TOP },
	  { { TOP - 0x1fff, 0x2000, 0 } },
	  1 },
	{ "the top of the file",
	  { { 0x400000, 0x1000, TOP - 0x1fff, 1, RX }, { 0x401000, 0x2000, TOP - 0xfff, 1, RX } },
	  { TOP - 0x1000, 0x1001 },
	  { { 0x400fff, 0x1001, TOP - 0x1000 } },
	  1 },
};

static void init_space(struct itf_space *space, struct itf_mapping *room,
		       const struct itf_mapping *maps)
{
	size_t i;

	itf_space_init(space, room, MAX, 64);
	for (i = 0; i < MAX && maps[i].size; i++)
		ck_assert_int_eq(itf_space_map(space, &maps[i]), ITF_OK);
	/* What lies behind the last mapping is none, whatever it looks like. */
	if (i > 0 && i < MAX)
		room[i] = (struct itf_mapping){ room[i - 1].start + room[i - 1].size, 0x1000,
						room[i - 1].offset + room[i - 1].size, 1, RX };
}

START_TEST(exact_is_every_executable_byte_merged)
{
	struct itf_filter filter = {
		.action = ITF_ACTION_STOP,
		.source = ITF_SOURCE_FILE,
		.start = answers[_i].want.start,
		.size = answers[_i].want.size,
		.object = 1,
	};
	struct itf_piece piece = { 1, 2, 3 };
	struct itf_mapping room[MAX];
	struct itf_space space;
	struct itf_exact it;
	size_t i;

	init_space(&space, room, answers[_i].maps);
	itf_exact_init(&it, &space, &filter);
	for (i = 0; i < answers[_i].count; i++) {
		const struct itf_piece *want = &answers[_i].exact[i];
		bool same;

		ck_assert_msg(itf_exact_next(&it, &piece), "%s", answers[_i].name);
		same = piece.start == want->start && piece.size == want->size &&
		       piece.offset == want->offset;
		ck_assert_msg(same, "%s: 0x%llx/0x%llx of 0x%llx", answers[_i].name,
			      (unsigned long long)piece.start, (unsigned long long)piece.size,
			      (unsigned long long)piece.offset);
	}
	piece = (struct itf_piece){ 1, 2, 3 };
	ck_assert(!itf_exact_next(&it, &piece) && !itf_exact_next(&it, &piece));
	ck_assert(piece.start == 1 && piece.size == 2 && piece.offset == 3);

	/* A "filter" without a size is the point just as well; object 0 is in no mapping. */
	filter.action = ITF_ACTION_FILTER;
	itf_exact_init(&it, &space, &filter);
	ck_assert(itf_exact_next(&it, &piece) == (answers[_i].count > 0));
	filter.object = 0;
	itf_exact_init(&it, &space, &filter);
	ck_assert(!itf_exact_next(&it, &piece));
}
END_TEST

START_TEST(exact_of_a_kernel_filter_is_its_own_range)
{
	static const struct itf_mapping maps[MAX] = { { 0x401000, 0x1000, 0x1000, 1, RX } };
	struct itf_filter filter = {
		.action = ITF_ACTION_FILTER,
		.source = ITF_SOURCE_KERNEL,
		.start = 0xffffffff81000000,
		.size = 0x1000,
		.object = 1,
	};
	struct itf_slot slot;
	struct itf_mapping room[MAX];
	struct itf_piece piece;
	struct itf_space space;
	struct itf_exact it;

	init_space(&space, room, maps);
	itf_exact_init(&it, &space, &filter);
	ck_assert(itf_exact_next(&it, &piece));
	ck_assert(piece.start == filter.start && piece.size == 0x1000 && piece.offset == 0);
	ck_assert(!itf_exact_next(&it, &piece));

	itf_linux_reset(&filter, 1, &slot);
	ck_assert_int_eq(itf_judge(&space, &filter, &slot), ITF_VERDICT_COVERED);
	itf_space_clear(&space);
	filter.size = 0;
	filter.action = ITF_ACTION_START;
	itf_linux_reset(&filter, 1, &slot);
	ck_assert_int_eq(itf_judge(&space, &filter, &slot), ITF_VERDICT_COVERED);
	filter.action = ITF_ACTION_FILTER;
	itf_linux_reset(&filter, 1, &slot);
	ck_assert_int_eq(itf_judge(&space, &filter, &slot), ITF_VERDICT_NONE);
}
END_TEST

/* Mapped: file bytes [0x1000, 0x3000) at 0x401000, executable, and again at 0x801000. */
static const struct itf_mapping twice[MAX] = {
	{ 0x401000, 0x2000, 0x1000, 1, RX },
	{ 0x801000, 0x2000, 0x1000, 1, RX },
};

static const struct itf_mapping once[MAX] = { { 0x401000, 0x2000, 0x1000, 1, RX } };
static const struct itf_mapping nowhere[MAX] = { { 0x401000, 0x2000, 0x1000, 1, R } };

static const struct {
	const char *name;
	const struct itf_mapping *maps;
	struct itf_range want;
	bool matched;
	struct itf_range range;
	enum itf_verdict verdict;
} verdicts[] = {
	{ "exactly", once, { 0x1800, 0x100 }, true, { 0x401800, 0x100 }, ITF_VERDICT_COVERED },
	{ "and more", once, { 0x1800, 0x100 }, true, { 0x400000, 0x10000 }, ITF_VERDICT_COVERED },
	{ "end cut", once, { 0x1800, 0x100 }, true, { 0x401800, 0xff }, ITF_VERDICT_PARTIAL },
	{ "start cut", once, { 0x1800, 0x100 }, true, { 0x401801, 0x1000 }, ITF_VERDICT_PARTIAL },
	{ "one byte", once, { 0x1800, 0x100 }, true, { 0x4018ff, 1 }, ITF_VERDICT_PARTIAL },
	{ "touching above", once, { 0x1800, 0x100 }, true, { 0x401900, 1 }, ITF_VERDICT_NONE },
	{ "touching below", once, { 0x1800, 0x100 }, true, { 0x4017ff, 1 }, ITF_VERDICT_NONE },
	{ "no match", once, { 0x1800, 0x100 }, false, { 0, 0 }, ITF_VERDICT_NONE },
	{ "size 0", once, { 0x1800, 0x100 }, true, { 0x401800, 0 }, ITF_VERDICT_RUNAWAY },
	{ "size 0 elsewhere", once, { 0x1800, 0x100 }, true, { 0x1, 0 }, ITF_VERDICT_RUNAWAY },
	{ "size 0, none exact",
	  nowhere,
	  { 0x1800, 0x100 },
	  true,
	  { 0x401800, 0 },
	  ITF_VERDICT_RUNAWAY },
	{ "none exact", nowhere, { 0x1800, 0x100 }, true, { 0x401800, 0x100 }, ITF_VERDICT_NONE },
	{ "one copy of two",
	  twice,
	  { 0x1800, 0x100 },
	  true,
	  { 0x801800, 0x100 },
	  ITF_VERDICT_PARTIAL },
	{ "the first of two",
	  twice,
	  { 0x1800, 0x100 },
	  true,
	  { 0x401800, 0x100 },
	  ITF_VERDICT_PARTIAL },
	{ "both", twice, { 0x1800, 0x100 }, true, { 0x401800, 0x400100 }, ITF_VERDICT_COVERED },
	{ "a point", once, { 0x1800, 0 }, true, { 0x401800, 0 }, ITF_VERDICT_COVERED },
	{ "a point in a range",
	  once,
	  { 0x1800, 0 },
	  true,
	  { 0x401000, 0x1000 },
	  ITF_VERDICT_COVERED },
	{ "another point", once, { 0x1800, 0 }, true, { 0x401801, 0 }, ITF_VERDICT_NONE },
	{ "a point unmatched", once, { 0x1800, 0 }, false, { 0, 0 }, ITF_VERDICT_NONE },
	{ "a point unmapped", nowhere, { 0x1800, 0 }, true, { 0x401800, 0 }, ITF_VERDICT_NONE },
	{ "a point of two", twice, { 0x1800, 0 }, true, { 0x401800, 0 }, ITF_VERDICT_PARTIAL },
};

START_TEST(verdicts_count_bytes)
{
	struct itf_filter filter = {
		.action = ITF_ACTION_STOP,
		.source = ITF_SOURCE_FILE,
		.start = verdicts[_i].want.start,
		.size = verdicts[_i].want.size,
		.object = 1,
	};
	struct itf_slot slot = { .range = verdicts[_i].range, .matched = verdicts[_i].matched };
	struct itf_mapping room[MAX];
	struct itf_space space;
	enum itf_verdict verdict;

	init_space(&space, room, verdicts[_i].maps);
	verdict = itf_judge(&space, &filter, &slot);
	ck_assert_msg(verdict == verdicts[_i].verdict, "%s: %s", verdicts[_i].name,
		      itf_verdict_name(verdict));
}
END_TEST

START_TEST(verdicts_have_names_from_good_to_bad)
{
	ck_assert_str_eq(itf_verdict_name(ITF_VERDICT_COVERED), "covered");
	ck_assert_str_eq(itf_verdict_name(ITF_VERDICT_PARTIAL), "partial");
	ck_assert_str_eq(itf_verdict_name(ITF_VERDICT_NONE), "none");
	ck_assert_str_eq(itf_verdict_name(ITF_VERDICT_RUNAWAY), "runaway");
	ck_assert_str_eq(itf_verdict_name(ITF_VERDICT_UNKNOWN), "unknown");
	ck_assert_str_eq(itf_verdict_name(ITF_VERDICT_COUNT), "unknown");
	/* Worse is later; the program takes the worst. */
	ck_assert_int_lt(ITF_VERDICT_COVERED, ITF_VERDICT_PARTIAL);
	ck_assert_int_lt(ITF_VERDICT_PARTIAL, ITF_VERDICT_NONE);
	ck_assert_int_lt(ITF_VERDICT_NONE, ITF_VERDICT_RUNAWAY);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("exact");
	TCase *t = tcase_create("exact");

	tcase_add_loop_test(t, exact_is_every_executable_byte_merged, 0,
			    sizeof(answers) / sizeof(answers[0]));
	tcase_add_test(t, exact_of_a_kernel_filter_is_its_own_range);
	tcase_add_loop_test(t, verdicts_count_bytes, 0, sizeof(verdicts) / sizeof(verdicts[0]));
	tcase_add_test(t, verdicts_have_names_from_good_to_bad);
	suite_add_tcase(s, t);
	return run_suite(s);
}
