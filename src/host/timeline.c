// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* A heap by time. Must not look at anything but times. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdlib.h>
#include <string.h>

#include "timeline.h"

static bool before(const struct timeline_entry *a, const struct timeline_entry *b)
{
	if (a->moment.time != b->moment.time)
		return a->moment.time < b->moment.time;
	return a->arrival < b->arrival;
}

static bool reserve(struct timeline *timeline)
{
	size_t capacity = timeline->capacity ? timeline->capacity * 2 : 64;
	struct timeline_entry *heap;

	if (timeline->count < timeline->capacity)
		return true;
	heap = reallocarray(timeline->heap, capacity, sizeof(*heap));
	if (!heap)
		return false;
	timeline->heap = heap;
	timeline->capacity = capacity;
	return true;
}

bool timeline_add(struct timeline *timeline, const struct moment *moment)
{
	struct timeline_entry entry = { .moment = *moment, .arrival = timeline->arrived };
	struct perfdata_record *record = &entry.moment.record;
	struct timeline_entry *heap;
	size_t at;

	if (!reserve(timeline))
		return false;
	if (record->name) {
		char *name = malloc(record->name_len + 1);

		if (!name)
			return false;
		memcpy(name, record->name, record->name_len);
		name[record->name_len] = '\0';
		record->name = name;
	}
	heap = timeline->heap;
	for (at = timeline->count; at && before(&entry, &heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = entry;
	timeline->count++;
	timeline->arrived++;
	return true;
}

bool timeline_take(struct timeline *timeline, u64 until, struct moment *moment)
{
	struct timeline_entry *heap = timeline->heap;
	const struct timeline_entry *last;
	size_t at = 0, child;

	if (!timeline->count || heap[0].moment.time > until)
		return false;
	*moment = heap[0].moment;
	last = &heap[--timeline->count];
	for (; (child = at * 2 + 1) < timeline->count; at = child) {
		if (child + 1 < timeline->count && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], last))
			break;
		heap[at] = heap[child];
	}
	heap[at] = *last;
	return true;
}

void moment_free(struct moment *moment)
{
	free((char *)moment->record.name);
	free(moment->maps);
	moment->record.name = NULL;
	moment->maps = NULL;
}

void timeline_free(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->count; i++)
		moment_free(&timeline->heap[i].moment);
	free(timeline->heap);
	*timeline = (struct timeline){ 0 };
}
