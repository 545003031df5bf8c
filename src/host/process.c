// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * One process: the memory around a track. It must not know where mappings come from, nor judge what
 * came out.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "object.h"
#include "process.h"

#define FIRST_CAPACITY ((size_t)64)

/* No filter names the object of this mapping: neither linux answer can change. */
static bool concerns_no_filter(const struct itf_mapping *mapping)
{
	return !mapping->object || mapping->object == OBJECT_OTHER;
}

/* A process without mappings and with slots that are not filled in. */
static bool process_alloc(struct process *process, size_t filters, unsigned int addr_bits)
{
	*process = (struct process){ 0 };
	itf_space_init(&process->track.space, NULL, 0, addr_bits);
	process->track.launch = calloc(filters ? filters : 1, sizeof(*process->track.launch));
	process->track.attach = calloc(filters ? filters : 1, sizeof(*process->track.attach));
	if (process->track.launch && process->track.attach)
		return true;
	process_free(process);
	errno = ENOMEM;
	return false;
}

/* Room for @count mappings in all. */
static bool reserve(struct itf_space *space, size_t count)
{
	struct itf_mapping *maps;
	size_t capacity = space->capacity ? space->capacity : FIRST_CAPACITY;

	if (count <= space->capacity)
		return true;
	while (capacity < count) {
		if (__builtin_mul_overflow(capacity, (size_t)2, &capacity)) {
			errno = ENOMEM;
			return false;
		}
	}
	maps = reallocarray(space->maps, capacity, sizeof(*maps));
	if (!maps)
		return false;
	space->maps = maps;
	space->capacity = capacity;
	return true;
}

bool process_init(struct process *process, const struct filter_set *set, unsigned int addr_bits)
{
	if (!process_alloc(process, set->count, addr_bits))
		return false;
	itf_track_set(&process->track, set->filters, set->count, process->track.launch,
		      process->track.attach);
	return true;
}

enum itf_error process_mmap(struct process *process, const struct itf_mapping *mapping)
{
	struct itf_space *space = &process->track.space;

	if (!reserve(space, space->count + ITF_SPACE_ROOM))
		return ITF_E_SPACE_FULL;
	if (concerns_no_filter(mapping))
		return itf_space_map(space, mapping);
	return itf_track_mmap(&process->track, mapping);
}

bool process_replace(struct process *process, const struct itf_mapping *maps, size_t count)
{
	struct itf_space *space = &process->track.space;

	if (!reserve(space, count + ITF_SPACE_ROOM))
		return false;
	itf_space_clear(space);
	for (size_t i = 0; i < count; i++)
		itf_space_map(space, &maps[i]);
	return true;
}

void process_attach(struct process *process)
{
	struct itf_track *track = &process->track;

	itf_linux_reset(track->filters, track->count, track->attach);
	for (size_t i = 0; i < track->space.count; i++) {
		const struct itf_mapping *mapping = &track->space.maps[i];

		if (!concerns_no_filter(mapping))
			itf_linux_attach(track->filters, track->count, mapping,
					 track->space.addr_bits, track->attach);
	}
}

bool process_fork(struct process *child, pid_t pid, const struct process *parent,
		  const struct process *root)
{
	const struct itf_space *space = &parent->track.space;

	if (!process_alloc(child, root->track.count, space->addr_bits))
		return false;
	child->pid = pid;
	child->notes = parent->notes;
	if (reserve(&child->track.space, space->count) &&
	    process_comm(child, parent->comm, parent->comm_len) &&
	    itf_track_fork(&child->track, &parent->track, &root->track) == ITF_OK)
		return true;
	process_free(child);
	errno = ENOMEM;
	return false;
}

bool process_comm(struct process *process, const char *comm, size_t len)
{
	char *copy = NULL;

	if (comm) {
		copy = malloc(len + 1);
		if (!copy)
			return false;
		memcpy(copy, comm, len);
		copy[len] = '\0';
	}
	free(process->comm);
	process->comm = copy;
	process->comm_len = copy ? len : 0;
	return true;
}

void process_free(struct process *process)
{
	free(process->track.space.maps);
	free(process->track.launch);
	free(process->track.attach);
	free(process->comm);
	*process = (struct process){ 0 };
}
