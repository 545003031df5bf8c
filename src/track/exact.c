// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The exact answer, and Linux's answers judged against it (SPEC 4). Allocates nothing: the
 * pieces are walked, never collected.
 */
#include "internal.h"

void itf_exact_init(struct itf_exact *it, const struct itf_space *space,
		    const struct itf_filter *filter)
{
	it->space = space;
	it->filter = filter;
	it->next = 0;
}

/* The piece in mapping @i, if that is executable and holds any. */
static bool piece_at(const struct itf_exact *it, size_t i, struct itf_piece *piece)
{
	const struct itf_mapping *mapping = &it->space->maps[i];

	return mapping->prot & ITF_PROT_EXEC && itf__holds(it->filter, mapping, piece);
}

static bool kernel_piece(struct itf_exact *it, struct itf_piece *piece)
{
	if (it->next)
		return false;
	it->next = 1;
	piece->start = it->filter->start;
	piece->size = it->filter->size;
	piece->offset = 0;
	return true;
}

bool itf_exact_next(struct itf_exact *it, struct itf_piece *piece)
{
	size_t count = it->space->count;
	struct itf_piece more;

	if (it->filter->source == ITF_SOURCE_KERNEL)
		return kernel_piece(it, piece);
	while (it->next < count && !piece_at(it, it->next, piece))
		it->next++;
	if (it->next == count)
		return false;
	/* What is adjacent in memory is in the next mapping or nowhere. */
	while (++it->next < count) {
		if (!piece_at(it, it->next, &more) || !itf_piece_join(piece, &more))
			break;
	}
	return true;
}

enum itf_verdict itf_judge(const struct itf_space *space, const struct itf_filter *filter,
			   const struct itf_slot *slot)
{
	bool some = false, all = true;
	struct itf_piece piece;
	struct itf_exact it;

	if (!slot->matched)
		return ITF_VERDICT_NONE;
	if (filter->size && !slot->range.size)
		return ITF_VERDICT_RUNAWAY;
	itf_exact_init(&it, space, filter);
	while (itf_exact_next(&it, &piece)) {
		struct itf_range exact = { piece.start, piece.size };
		struct itf_range common;

		if (!itf_range_common(&exact, &slot->range, &common)) {
			all = false;
			continue;
		}
		some = true;
		/* Of a point there is one byte in common or none. */
		if (exact.size && common.size != exact.size)
			all = false;
	}
	if (!some)
		return ITF_VERDICT_NONE;
	return all ? ITF_VERDICT_COVERED : ITF_VERDICT_PARTIAL;
}
