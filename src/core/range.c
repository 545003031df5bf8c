// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Ranges and pieces (SPEC 3). Every comparison subtracts first: a sum of two u64 is never formed
 * before it is known to fit. Knows no text and no filters.
 */
#include <itf/range.h>

bool itf_range_valid(u64 start, u64 size, unsigned int addr_bits)
{
	u64 last = addr_bits == 32 ? 0xffffffffu : ~(u64)0;

	/* The end may be last + 1, which need not be a u64, so the last byte is compared. */
	return start <= last && (size == 0 || size - 1 <= last - start);
}

static u64 bytes(const struct itf_range *range)
{
	return range->size ? range->size : 1;
}

bool itf_range_share(const struct itf_range *a, const struct itf_range *b)
{
	struct itf_range common;

	return itf_range_common(a, b, &common);
}

bool itf_range_common(const struct itf_range *a, const struct itf_range *b,
		      struct itf_range *common)
{
	const struct itf_range *low = a->start <= b->start ? a : b;
	const struct itf_range *high = low == a ? b : a;
	u64 skip = high->start - low->start;
	u64 left;

	if (skip >= bytes(low))
		return false;
	left = bytes(low) - skip;
	common->start = high->start;
	common->size = bytes(high) < left ? bytes(high) : left;
	/* Ranges that go past the last byte there is share none of those that are not. */
	if (common->size - 1 > ~(u64)0 - high->start)
		common->size = 0 - high->start;
	return true;
}

bool itf_piece_of(const struct itf_range *want, const struct itf_mapping *mapping,
		  struct itf_piece *piece)
{
	struct itf_range held = { mapping->offset, mapping->size };
	struct itf_range common;

	if (mapping->size == 0 || !itf_range_common(want, &held, &common))
		return false;
	piece->start = mapping->start + (common.start - mapping->offset);
	piece->size = want->size ? common.size : 0;
	piece->offset = common.start;
	return true;
}

bool itf_piece_join(struct itf_piece *piece, const struct itf_piece *next)
{
	if (piece->size == 0 || next->size == 0)
		return false;
	if (next->start < piece->start || next->start - piece->start != piece->size)
		return false;
	if (next->offset < piece->offset || next->offset - piece->offset != piece->size)
		return false;
	/* All 2^64 bytes cannot be told from a point: they stay two pieces. */
	if (next->size > ~(u64)0 - piece->size)
		return false;
	piece->size += next->size;
	return true;
}
