/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Puts the records of a perf.data file into the order of time. Knows nothing of the file's form. */
#ifndef ITF_HOST_PERFDATA_QUEUE_H
#define ITF_HOST_PERFDATA_QUEUE_H

#include "perfdata.h"

/**
 * struct perfdata_waiting - a record that waits for its turn
 * @record: with a name of its own
 * @arrival: records that came before it
 */
struct perfdata_waiting {
	struct perfdata_record record;
	u64 arrival;
};

/**
 * struct perfdata_queue - records that wait for their turn
 * @heap: array of @count entries, owned; a binary heap by time, then by arrival
 * @count: entries
 * @capacity: entries that fit
 * @arrived: records that came so far
 * @newest: latest time that came so far
 * @safe: up to here no record can come any more
 * @fn: takes records
 * @ctx: passed to @fn
 */
struct perfdata_queue {
	struct perfdata_waiting *heap;
	size_t count;
	size_t capacity;
	u64 arrived;
	u64 newest;
	u64 safe;
	perfdata_fn *fn;
	void *ctx;
};

/**
 * perfdata_queue_add() - a record came
 * @queue: a queue, all zero but for @fn and @ctx at first
 * @record: copied with its name; handed out at once if it has no time
 *
 * Return: true; false if memory ran out (errno is set) or the taker stopped it (errno is 0).
 */
bool perfdata_queue_add(struct perfdata_queue *queue, const struct perfdata_record *record);

/**
 * perfdata_queue_round() - perf has read all of its buffers once
 * @queue: a queue
 *
 * A record that comes later cannot be older than what had come at the end of the round before.
 *
 * Return: as perfdata_queue_add().
 */
bool perfdata_queue_round(struct perfdata_queue *queue);

/**
 * perfdata_queue_end() - no more records will come
 * @queue: a queue
 *
 * Return: as perfdata_queue_add().
 */
bool perfdata_queue_end(struct perfdata_queue *queue);

/**
 * perfdata_queue_free() - release what a queue owns
 * @queue: a queue
 */
void perfdata_queue_free(struct perfdata_queue *queue);

#endif
