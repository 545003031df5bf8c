// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Puts the records of a perf.data file into the order of time. See perfdata_queue.h. */
#include "perfdata_queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A file without rounds must not fill the memory: past this many, the older half is let go. */
#define TOO_MANY ((size_t)1 << 20)

static bool before(const struct perfdata_waiting *a, const struct perfdata_waiting *b)
{
	if (a->record.time != b->record.time)
		return a->record.time < b->record.time;
	return a->arrival < b->arrival;
}

static void swap(struct perfdata_waiting *a, struct perfdata_waiting *b)
{
	struct perfdata_waiting c = *a;

	*a = *b;
	*b = c;
}

static void sift_up(struct perfdata_waiting *heap, size_t i)
{
	for (; i && before(&heap[i], &heap[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&heap[i], &heap[(i - 1) / 2]);
}

static void sift_down(struct perfdata_waiting *heap, size_t count)
{
	size_t i = 0;

	for (;;) {
		size_t least = i, child;

		for (child = 2 * i + 1; child <= 2 * i + 2 && child < count; child++) {
			if (before(&heap[child], &heap[least]))
				least = child;
		}
		if (least == i)
			return;
		swap(&heap[i], &heap[least]);
		i = least;
	}
}

/* Hand out all records up to a time. */
static bool flush(struct perfdata_queue *queue, u64 limit)
{
	while (queue->count && queue->heap[0].record.time <= limit) {
		struct perfdata_record record = queue->heap[0].record;
		bool go_on;

		queue->heap[0] = queue->heap[--queue->count];
		sift_down(queue->heap, queue->count);
		go_on = queue->fn(&record, queue->ctx);
		free((void *)record.name);
		if (!go_on) {
			errno = 0;
			return false;
		}
	}
	return true;
}

static bool grow(struct perfdata_queue *queue)
{
	size_t capacity = queue->capacity ? 2 * queue->capacity : 256;
	struct perfdata_waiting *heap = realloc(queue->heap, capacity * sizeof(*heap));

	if (!heap)
		return false;
	queue->heap = heap;
	queue->capacity = capacity;
	return true;
}

bool perfdata_queue_add(struct perfdata_queue *queue, const struct perfdata_record *record)
{
	struct perfdata_waiting *slot;
	char *name;

	if (!record->has_time) {
		if (queue->fn(record, queue->ctx))
			return true;
		errno = 0;
		return false;
	}
	if (queue->count == queue->capacity && !grow(queue))
		return false;
	name = malloc(record->name_len + 1);
	if (!name)
		return false;
	if (record->name_len)
		memcpy(name, record->name, record->name_len);
	name[record->name_len] = '\0';
	slot = &queue->heap[queue->count++];
	slot->record = *record;
	slot->record.name = name;
	slot->arrival = queue->arrived++;
	if (record->time > queue->newest)
		queue->newest = record->time;
	sift_up(queue->heap, queue->count - 1);
	if (queue->count < TOO_MANY)
		return true;
	return flush(queue,
		     queue->heap[0].record.time + (queue->newest - queue->heap[0].record.time) / 2);
}

bool perfdata_queue_round(struct perfdata_queue *queue)
{
	u64 limit = queue->safe;

	queue->safe = queue->newest;
	return flush(queue, limit);
}

bool perfdata_queue_end(struct perfdata_queue *queue)
{
	return flush(queue, ~(u64)0);
}

void perfdata_queue_free(struct perfdata_queue *queue)
{
	while (queue->count)
		free((void *)queue->heap[--queue->count].record.name);
	free(queue->heap);
	queue->heap = NULL;
	queue->capacity = 0;
}
