/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the kernel told and what /proc/PID/maps showed, waiting to be taken in the order of time.
 * Knows nothing of what it means.
 */
#ifndef ITF_HOST_TIMELINE_H
#define ITF_HOST_TIMELINE_H

#include "perfdata.h"

#include <itf/range.h>

/**
 * struct moment - one record, or the mappings of a process as they were read
 * @time: when, of CLOCK_MONOTONIC
 * @record: a record; its name is the moment's own
 * @object: of a mapping, its object
 * @since: of lost records: the last record that came before them
 * @is_maps: there is no record but for its pid: @maps are all mappings that the process had, and
 *	maybe some that came since
 * @maps: array of @map_count mappings, owned
 * @map_count: mappings
 */
struct moment {
	u64 time;
	struct perfdata_record record;
	u64 object;
	u64 since;
	bool is_maps;
	struct itf_mapping *maps;
	size_t map_count;
};

/* A moment, and the how manieth it was to come. */
struct timeline_entry {
	struct moment moment;
	u64 arrival;
};

/**
 * struct timeline - moments that wait
 * @heap: array of @count entries, owned; a binary heap by time, then by arrival
 * @count: entries
 * @capacity: entries that fit
 * @arrived: moments that came so far
 *
 * All zero is an empty timeline.
 */
struct timeline {
	struct timeline_entry *heap;
	size_t count;
	size_t capacity;
	u64 arrived;
};

/**
 * timeline_add() - a moment came
 * @timeline: a timeline
 * @moment: copied; the name of its record is copied too, its maps are taken over
 *
 * Return: true; false with errno set if memory ran out: the maps are the caller's then.
 */
bool timeline_add(struct timeline *timeline, const struct moment *moment);

/**
 * timeline_take() - take the earliest moment, the one that came first if there are several
 * @timeline: a timeline
 * @until: only if it is not later
 * @moment: set; release it with moment_free()
 *
 * Return: whether there is one.
 */
bool timeline_take(struct timeline *timeline, u64 until, struct moment *moment);

/**
 * moment_free() - release what a moment owns
 * @moment: a moment
 */
void moment_free(struct moment *moment);

/**
 * timeline_free() - release a timeline with all that waits in it
 * @timeline: a timeline
 */
void timeline_free(struct timeline *timeline);

#endif
