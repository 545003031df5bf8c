// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* KUnit: ranges, by hand at the edges and against a count of bytes in a small address space. */
#include <kunit/test.h>
#include <linux/kernel.h>

#include <itf/range.h>
#include <itf/track.h>

#define U64_LAST (~(u64)0)

struct piece_case {
	struct itf_range want;
	struct itf_mapping mapping;
	bool held;
	u64 start;
	u64 size;
};

static const struct piece_case piece_cases[] = {
	/* inside, straddling either end, covering */
	{ { 0x1100, 0x80 }, { 0x401000, 0x1000, 0x1000 }, true, 0x401100, 0x80 },
	{ { 0xf00, 0x200 }, { 0x401000, 0x1000, 0x1000 }, true, 0x401000, 0x100 },
	{ { 0x1f00, 0x200 }, { 0x401000, 0x1000, 0x1000 }, true, 0x401f00, 0x100 },
	{ { 0, 0x10000 }, { 0x401000, 0x1000, 0x1000 }, true, 0x401000, 0x1000 },
	/* touching is not sharing, at either end */
	{ { 0, 0x1000 }, { 0x401000, 0x1000, 0x1000 }, false },
	{ { 0x2000, 0x1000 }, { 0x401000, 0x1000, 0x1000 }, false },
	/* a point is one byte */
	{ { 0x1000, 0 }, { 0x401000, 0x1000, 0x1000 }, true, 0x401000, 0 },
	{ { 0x1fff, 0 }, { 0x401000, 0x1000, 0x1000 }, true, 0x401fff, 0 },
	{ { 0x2000, 0 }, { 0x401000, 0x1000, 0x1000 }, false },
	/* sums that do not fit, offsets beyond 4 GiB */
	{ { 1, U64_LAST }, { 0x401000, 0x1000, 0x1000 }, true, 0x401000, 0x1000 },
	{ { 0x100000000, 0x1000 }, { 0x10000, 0x1000, 0x100000000 }, true, 0x10000, 0x1000 },
	{ { 0, 0x1000 }, { 0x10000, 0x1000, 0x100000000 }, false },
	/* a mapping without bytes holds none */
	{ { 0x1000, 0x1000 }, { 0x401000, 0, 0x1000 }, false },
};

static void pieces_at_the_edges(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(piece_cases); i++) {
		const struct piece_case *c = &piece_cases[i];
		struct itf_piece piece = { .start = 1, .size = 2, .offset = 3 };
		bool held = itf_piece_of(&c->want, &c->mapping, &piece);

		KUNIT_EXPECT_EQ_MSG(test, held, c->held, "case %zu", i);
		KUNIT_EXPECT_EQ_MSG(test, piece.start, c->held ? c->start : 1, "case %zu", i);
		KUNIT_EXPECT_EQ_MSG(test, piece.size, c->held ? c->size : 2, "case %zu", i);
	}
}

static void check_against_bytes(struct kunit *test, const struct itf_range *want,
				const struct itf_mapping *mapping)
{
	u64 end = min(want->start + want->size, mapping->offset + mapping->size);
	u64 first = max(want->start, mapping->offset);
	u64 count = first < end ? end - first : 0;
	struct itf_piece piece = { };

	KUNIT_EXPECT_EQ(test, itf_piece_of(want, mapping, &piece), count > 0);
	KUNIT_EXPECT_EQ(test, piece.size, count);
	if (count)
		KUNIT_EXPECT_EQ(test, piece.start, mapping->start + (first - mapping->offset));
}

static void pieces_hold_the_bytes_that_both_have(struct kunit *test)
{
	unsigned int i;

	/* Every range and mapping of 1 to 5 bytes at 0 to 5. */
	for (i = 0; i < 6 * 5 * 6 * 5; i++) {
		const struct itf_range want = { .start = i % 6, .size = i / 6 % 5 + 1 };
		const struct itf_mapping mapping = {
			.start = 0x7000,
			.size = i / 180 + 1,
			.offset = i / 30 % 6,
		};

		check_against_bytes(test, &want, &mapping);
	}
}

static void pieces_join_when_adjacent_in_both(struct kunit *test)
{
	const struct itf_piece far_in_file = { 0x2000, 0x1000, 0x5000 };
	const struct itf_piece far_in_memory = { 0x4000, 0x1000, 0x1000 };
	const struct itf_piece next = { 0x2000, 0x1000, 0x1000 };
	struct itf_piece piece = { 0x1000, 0x1000, 0 };

	KUNIT_EXPECT_FALSE(test, itf_piece_join(&piece, &far_in_file));
	KUNIT_EXPECT_FALSE(test, itf_piece_join(&piece, &far_in_memory));
	KUNIT_EXPECT_EQ(test, piece.size, 0x1000);
	KUNIT_EXPECT_TRUE(test, itf_piece_join(&piece, &next));
	KUNIT_EXPECT_EQ(test, piece.size, 0x2000);
}

static void ranges_may_end_at_the_last_address(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, itf_range_valid(U64_LAST, 1, 64));
	KUNIT_EXPECT_FALSE(test, itf_range_valid(U64_LAST, 2, 64));
	KUNIT_EXPECT_TRUE(test, itf_range_valid(0, U64_LAST, 64));
	KUNIT_EXPECT_TRUE(test, itf_range_valid(0xffffffff, 1, 32));
	KUNIT_EXPECT_FALSE(test, itf_range_valid(0xffffffff, 2, 32));
	KUNIT_EXPECT_FALSE(test, itf_range_valid(0x100000000, 0, 32));
}

static void linux_takes_a_mapping_that_is_touched(struct kunit *test)
{
	const struct itf_mapping headers = { 0x400000, 0x1000, 0, 1, ITF_PROT_READ };
	const struct itf_range want = { 0x1000, 0x200 };
	struct itf_range range = { };
	struct itf_piece piece;

	KUNIT_EXPECT_TRUE(test, itf_linux_match(&want, &headers, 64, &range));
	KUNIT_EXPECT_EQ(test, range.start, 0x401000);
	KUNIT_EXPECT_EQ(test, range.size, 0);
	KUNIT_EXPECT_FALSE(test, itf_piece_of(&want, &headers, &piece));
}

static struct kunit_case itf_range_cases[] = {
	KUNIT_CASE(pieces_at_the_edges),
	KUNIT_CASE(pieces_hold_the_bytes_that_both_have),
	KUNIT_CASE(pieces_join_when_adjacent_in_both),
	KUNIT_CASE(ranges_may_end_at_the_last_address),
	KUNIT_CASE(linux_takes_a_mapping_that_is_touched),
	{ },
};

static struct kunit_suite itf_range_suite = {
	.name = "itf_range",
	.test_cases = itf_range_cases,
};

kunit_test_suites(&itf_range_suite);
