// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Linux's own rule: what one mapping does to the slots of a filter set (KERNEL-FACTS 2). What
 * is wrong in Linux is wrong here in the same way: the right answer is exact.c's. Keeps
 * nothing, knows no space.
 */
#include "internal.h"

bool itf_linux_match(const struct itf_range *want, const struct itf_mapping *mapping,
		     unsigned int addr_bits, struct itf_range *range)
{
	/*
	 * The kernel computes in unsigned long, so every value and every sum is cut to its
	 * width.
	 */
	u64 ulong_max = addr_bits == 32 ? 0xffffffffu : ~(u64)0;
	u64 want_start = want->start & ulong_max;
	u64 want_size = want->size & ulong_max;
	u64 start = mapping->start & ulong_max;
	u64 size = mapping->size & ulong_max;
	u64 offset = mapping->offset & ulong_max;
	u64 left;

	/* Both edges are inclusive (R1, R2) and both sums may wrap (R6). */
	if (want_start > ((offset + size) & ulong_max))
		return false;
	if (((want_start + want_size) & ulong_max) < offset)
		return false;

	if (want_start < offset) {
		/* A sum that wrapped was below want_start and went above: this cannot underflow. */
		want_size -= offset - want_start;
		left = size;
	} else {
		left = size - (want_start - offset);
		start = (start + (want_start - offset)) & ulong_max;
	}
	range->start = start;
	range->size = want_size < left ? want_size : left;
	return true;
}

/*
 * A "filter" without a size cannot be written for today's kernel, so no slot of it is ever
 * filled.
 */
static bool reaches_linux(const struct itf_filter *filter)
{
	return filter->size || filter->action != ITF_ACTION_FILTER;
}

void itf_linux_reset(const struct itf_filter *filters, size_t count, struct itf_slot *slots)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct itf_filter *filter = &filters[i];
		struct itf_slot *slot = &slots[i];

		slot->matched = filter->source == ITF_SOURCE_KERNEL && reaches_linux(filter);
		slot->range.start = slot->matched ? filter->start : 0;
		slot->range.size = slot->matched ? filter->size : 0;
		slot->touching = false;
		slot->exec = slot->matched;
	}
}

static bool fill(const struct itf_filter *filter, const struct itf_mapping *mapping,
		 unsigned int addr_bits, struct itf_slot *slot)
{
	struct itf_range want = { filter->start, filter->size };
	struct itf_piece piece;

	if (!itf__same_object(filter, mapping) || !reaches_linux(filter))
		return false;
	if (!itf_linux_match(&want, mapping, addr_bits, &slot->range))
		return false;
	slot->matched = true;
	slot->touching = !itf_piece_of(&want, mapping, &piece);
	slot->exec = mapping->prot & ITF_PROT_EXEC;
	return true;
}

size_t itf_linux_mmap(const struct itf_filter *filters, size_t count,
		      const struct itf_mapping *mapping, unsigned int addr_bits,
		      struct itf_slot *slots)
{
	size_t filled = 0;
	size_t i;

	if (!(mapping->prot & ITF_PROT_EXEC))
		return 0;
	for (i = 0; i < count; i++)
		filled += fill(&filters[i], mapping, addr_bits, &slots[i]);
	return filled;
}

size_t itf_linux_attach(const struct itf_filter *filters, size_t count,
			const struct itf_mapping *mapping, unsigned int addr_bits,
			struct itf_slot *slots)
{
	size_t filled = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!slots[i].matched)
			filled += fill(&filters[i], mapping, addr_bits, &slots[i]);
	}
	return filled;
}
