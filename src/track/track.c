// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * One filter set followed over one process: each event goes to the space and, where Linux looks
 * at it, to Linux's rule. Has no rule of its own.
 */
#include "internal.h"

void itf_track_set(struct itf_track *track, const struct itf_filter *filters, size_t count,
		   struct itf_slot *launch, struct itf_slot *attach)
{
	const struct itf_space *space = &track->space;
	size_t i;

	track->filters = filters;
	track->count = count;
	track->launch = launch;
	track->attach = attach;
	itf_linux_reset(filters, count, launch);
	itf_linux_reset(filters, count, attach);
	for (i = 0; i < space->count; i++)
		itf_linux_attach(filters, count, &space->maps[i], space->addr_bits, attach);
}

/* From here on the two answers live the same life: the event is there and a mapping comes. */
static void linux_mmap(struct itf_track *track, const struct itf_mapping *mapping)
{
	unsigned int addr_bits = track->space.addr_bits;

	itf_linux_mmap(track->filters, track->count, mapping, addr_bits, track->launch);
	itf_linux_mmap(track->filters, track->count, mapping, addr_bits, track->attach);
}

enum itf_error itf_track_mmap(struct itf_track *track, const struct itf_mapping *mapping)
{
	/* @mapping may be one of the space's own, which move. */
	const struct itf_mapping added = *mapping;
	enum itf_error error;

	error = itf_space_map(&track->space, &added);
	if (!error)
		linux_mmap(track, &added);
	return error;
}

enum itf_error itf_track_munmap(struct itf_track *track, u64 start, u64 size)
{
	return itf_space_unmap(&track->space, start, size);
}

enum itf_error itf_track_mremap(struct itf_track *track, u64 old_start, u64 old_size, u64 new_start,
				u64 new_size)
{
	return itf_space_remap(&track->space, old_start, old_size, new_start, new_size);
}

enum itf_error itf_track_mprotect(struct itf_track *track, u64 start, u64 size, u32 prot)
{
	enum itf_error error;
	size_t i, end;

	error = itf__space_split(&track->space, start, size, prot, &i, &end);
	if (error)
		return error;
	for (; i < end; i++) {
		struct itf_mapping *mapping = &track->space.maps[i];

		if (mapping->prot == prot)
			continue;
		mapping->prot = prot;
		linux_mmap(track, mapping);
	}
	return ITF_OK;
}

void itf_track_exec(struct itf_track *track)
{
	itf_space_clear(&track->space);
	itf_linux_reset(track->filters, track->count, track->launch);
	itf_linux_reset(track->filters, track->count, track->attach);
}

enum itf_error itf_track_fork(struct itf_track *child, const struct itf_track *parent,
			      const struct itf_track *root)
{
	enum itf_error error;
	size_t i;

	error = itf_space_copy(&child->space, &parent->space);
	if (error)
		return error;
	child->filters = root->filters;
	child->count = root->count;
	for (i = 0; i < root->count; i++) {
		child->launch[i] = root->launch[i];
		child->attach[i] = root->attach[i];
	}
	return ITF_OK;
}

void itf_track_exit(struct itf_track *track)
{
	itf_space_clear(&track->space);
}
