// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Ranges and pieces at their edges (SPEC 3): touching is not sharing, and nothing wraps. */
#include <itf/range.h>

#include "runner.h"

#define TOP (~(u64)0)

static const struct {
	struct itf_range a, b;
	bool share;
	struct itf_range common;
} pairs[] = {
	{ { 0x10, 0x10 }, { 0x10, 0x10 }, true, { 0x10, 0x10 } },
	{ { 0x10, 0x10 }, { 0x20, 0x10 }, false, { 0, 0 } },
	{ { 0x10, 0x11 }, { 0x20, 0x10 }, true, { 0x20, 1 } },
	{ { 0x10, 0x10 }, { 0x14, 4 }, true, { 0x14, 4 } },
	{ { 0x10, 0x10 }, { 0x18, 0x10 }, true, { 0x18, 8 } },
	{ { 0x10, 0 }, { 0x10, 0 }, true, { 0x10, 1 } },
	{ { 0x10, 0 }, { 0x11, 0 }, false, { 0, 0 } },
	{ { 0x10, 0 }, { 0x10, 5 }, true, { 0x10, 1 } },
	{ { 0x14, 0 }, { 0x10, 5 }, true, { 0x14, 1 } },
	{ { 0x15, 0 }, { 0x10, 5 }, false, { 0, 0 } },
	{ { 0, TOP }, { TOP, 1 }, false, { 0, 0 } },
	{ { 1, TOP }, { TOP, 1 }, true, { TOP, 1 } },
	{ { TOP, 1 }, { TOP, 0 }, true, { TOP, 1 } },
	{ { TOP, 0 }, { 0, 0 }, false, { 0, 0 } },
	{ { 0, TOP }, { 1, TOP }, true, { 1, TOP - 1 } },
	{ { TOP - 0xfff, 0x1000 }, { 0, 0x1000 }, false, { 0, 0 } },
	{ { 0xffffffff, 2 }, { 0x100000000, 1 }, true, { 0x100000000, 1 } },
	/* no byte lies at or beyond 2^64, not even of a range that is not valid */
	{ { TOP, 2 }, { TOP, 2 }, true, { TOP, 1 } },
	{ { TOP - 2, 4 }, { TOP - 3, TOP }, true, { TOP - 2, 3 } },
	{ { TOP - 2, 3 }, { TOP - 3, TOP }, true, { TOP - 2, 3 } },
	{ { TOP - 2, 2 }, { TOP - 3, TOP }, true, { TOP - 2, 2 } },
	{ { 0, TOP }, { 0, TOP }, true, { 0, TOP } },
};

START_TEST(ranges_share_their_common_bytes)
{
	int swap;

	for (swap = 0; swap < 2; swap++) {
		const struct itf_range *a = swap ? &pairs[_i].b : &pairs[_i].a;
		const struct itf_range *b = swap ? &pairs[_i].a : &pairs[_i].b;
		struct itf_range common = { 0, 0 };

		ck_assert(itf_range_share(a, b) == pairs[_i].share);
		ck_assert(itf_range_common(a, b, &common) == pairs[_i].share);
		ck_assert(common.start == pairs[_i].common.start);
		ck_assert(common.size == pairs[_i].common.size);
	}
}
END_TEST

static const struct {
	struct itf_range want;
	struct itf_mapping mapping;
	bool holds;
	struct itf_piece piece;
} pieces[] = {
	/* KERNEL-FACTS 2.5, with the right answers */
	{ { 0x1100, 0x80 }, { 0x401000, 0x1000, 0x1000, 1, 5 }, true, { 0x401100, 0x80, 0x1100 } },
	{ { 0xf00, 0x200 }, { 0x401000, 0x1000, 0x1000, 1, 5 }, true, { 0x401000, 0x100, 0x1000 } },
	{ { 0x1f00, 0x200 }, { 0x401000, 0x1000, 0x1000, 1, 5 }, true, { 0x401f00, 256, 0x1f00 } },
	{ { 0, 0x10000 }, { 0x401000, 0x1000, 0x1000, 1, 5 }, true, { 0x401000, 0x1000, 0x1000 } },
	{ { 0, 0x1000 }, { 0x401000, 0x1000, 0x1000, 1, 5 }, false, { 0, 0, 0 } },
	{ { 0x1000, 0x200 }, { 0x400000, 0x1000, 0, 1, 5 }, false, { 0, 0, 0 } },
	{ { 0x1000, ~(u64)0xfff },
	  { 0x401000, 0x2000, 0x1000, 1, 5 },
	  true,
	  { 0x401000, 0x2000, 0x1000 } },
	{ { 0x900000, 0x10 }, { 0x401000, 0x1000, 0x1000, 1, 5 }, false, { 0, 0, 0 } },
	/* points */
	{ { 0x1000, 0 }, { 0x401000, 0x1000, 0x1000, 1, 5 }, true, { 0x401000, 0, 0x1000 } },
	{ { 0x1fff, 0 }, { 0x401000, 0x1000, 0x1000, 1, 5 }, true, { 0x401fff, 0, 0x1fff } },
	{ { 0x2000, 0 }, { 0x401000, 0x1000, 0x1000, 1, 5 }, false, { 0, 0, 0 } },
	{ { 0xfff, 0 }, { 0x401000, 0x1000, 0x1000, 1, 5 }, false, { 0, 0, 0 } },
	/* the top of memory and of the file */
	{ { TOP, 1 }, { TOP - 0xfff, 0x1000, TOP - 0xfff, 1, 5 }, true, { TOP, 1, TOP } },
	{ { TOP, 0 }, { 0, 0x1000, TOP - 0xfff, 1, 5 }, true, { 0xfff, 0, TOP } },
	{ { 0, 1 }, { 0x1000, 0x2000, TOP - 0xfff, 1, 5 }, false, { 0, 0, 0 } },
	{ { 0x100000010, 0x10 },
	  { 0x10000, 0x1000, 0x100000000, 1, 5 },
	  true,
	  { 0x10010, 0x10, 0x100000010 } },
	{ { 0x10, 0x10 }, { 0x10000, 0x1000, 0x100000000, 1, 5 }, false, { 0, 0, 0 } },
	/* no mapping at all */
	{ { 0, 0x10 }, { 0x1000, 0, 0, 1, 5 }, false, { 0, 0, 0 } },
	{ { 0, 0 }, { 0x1000, 0, 0, 1, 5 }, false, { 0, 0, 0 } },
};

START_TEST(a_mapping_holds_what_it_shares)
{
	struct itf_piece piece = { 0, 0, 0 };

	ck_assert(itf_piece_of(&pieces[_i].want, &pieces[_i].mapping, &piece) == pieces[_i].holds);
	ck_assert(piece.start == pieces[_i].piece.start);
	ck_assert(piece.size == pieces[_i].piece.size);
	ck_assert(piece.offset == pieces[_i].piece.offset);
}
END_TEST

START_TEST(valid_ranges_end_at_the_last_address)
{
	ck_assert(itf_range_valid(0, 0, 64) && itf_range_valid(TOP, 0, 64));
	ck_assert(itf_range_valid(TOP, 1, 64) && !itf_range_valid(TOP, 2, 64));
	ck_assert(itf_range_valid(0, TOP, 64) && itf_range_valid(1, TOP, 64));
	ck_assert(!itf_range_valid(2, TOP, 0) && itf_range_valid(1, TOP, 0));
	ck_assert(itf_range_valid(0xffffffff, 0, 32) && itf_range_valid(0xffffffff, 1, 32));
	ck_assert(!itf_range_valid(0xffffffff, 2, 32) && !itf_range_valid(0x100000000, 0, 32));
	ck_assert(itf_range_valid(0, 0x100000000, 32) && !itf_range_valid(0, 0x100000001, 32));
	ck_assert(itf_range_valid(0x100000000, 1, 64));
}
END_TEST

static const struct {
	struct itf_piece piece, next;
	bool joins;
} joins[] = {
	{ { 0x1000, 0x1000, 0 }, { 0x2000, 0x10, 0x1000 }, true },
	{ { 0x1000, 0x1000, 0 }, { 0x2000, 0x10, 0x1001 }, false }, /* gap in the file */
	{ { 0x1000, 0x1000, 0 }, { 0x2001, 0x10, 0x1000 }, false }, /* gap in memory */
	{ { 0x1000, 0x1000, 0 }, { 0x2000, 0, 0x1000 }, false },
	{ { 0x1000, 0, 0 }, { 0x1000, 0, 0 }, false },
	{ { 0x1000, 0, 0 }, { 0x1000, 0x10, 0 }, false },
	{ { 0x2000, 0x1000, 0x1000 }, { 0x1000, 0x1000, 0 }, false }, /* backwards */
	{ { 0x1000, 0x1000, TOP - 0xfff }, { 0x2000, 0x1000, 0 }, false }, /* round the top */
	{ { TOP - 0xfff, 0x1000, 0 }, { 0, 0x1000, 0x1000 }, false },
	{ { 0, TOP, 0 }, { TOP, 1, TOP }, false }, /* 2^64 bytes */
	{ { 1, TOP - 1, 1 }, { TOP, 1, TOP }, true },
};

START_TEST(pieces_join_where_both_follow)
{
	struct itf_piece piece = joins[_i].piece;
	u64 size = piece.size + (joins[_i].joins ? joins[_i].next.size : 0);

	ck_assert(itf_piece_join(&piece, &joins[_i].next) == joins[_i].joins);
	ck_assert(piece.size == size);
	ck_assert(piece.start == joins[_i].piece.start && piece.offset == joins[_i].piece.offset);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("range");
	TCase *t = tcase_create("range");

	tcase_add_loop_test(t, ranges_share_their_common_bytes, 0,
			    sizeof(pairs) / sizeof(pairs[0]));
	tcase_add_loop_test(t, a_mapping_holds_what_it_shares, 0,
			    sizeof(pieces) / sizeof(pieces[0]));
	tcase_add_loop_test(t, pieces_join_where_both_follow, 0, sizeof(joins) / sizeof(joins[0]));
	tcase_add_test(t, valid_ranges_end_at_the_last_address);
	suite_add_tcase(s, t);
	return run_suite(s);
}
