/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The kernel's own events: one software dummy event for each task and CPU, one ring buffer a CPU.
 * Hands out the bytes of records; does not look into them.
 */
#ifndef ITF_HOST_RING_H
#define ITF_HOST_RING_H

#include <poll.h>
#include <sys/types.h>

#include "resolve.h"

/* Ring buffer a CPU, in bytes: what an ordinary user may lock by default (perf_event_mlock_kb). */
#define RING_BYTES ((size_t)512 << 10)

/* What stands behind the fields of each record: pid and tid, the time, the CPU. */
#define RING_ID_SIZE 24
#define RING_TIME_AT 16

/**
 * struct ring - the ring buffer of one CPU
 * @cpu: its number
 * @fds: array of @fd_count events that write to it, owned; the first one's is mapped
 * @fd_count: events
 * @ended: so many of the first events have ended, with all tasks that they followed
 * @page: the kernel's page in front of the data; NULL while nothing is mapped
 * @size: bytes of data, a power of two
 */
struct ring {
	unsigned int cpu;
	int *fds;
	size_t fd_count;
	size_t ended;
	void *page;
	size_t size;
};

/**
 * struct rings - the ring buffers of all CPUs
 * @list: array of @count rings, owned
 * @count: rings
 * @bytes: size of a ring that is asked for
 * @tells_lost: the kernel can be asked how many records were dropped (since 6.0)
 * @straight: room to put a record together that goes over the end of its ring, owned
 */
struct rings {
	struct ring *list;
	size_t count;
	size_t bytes;
	bool tells_lost;
	u8 *straight;
};

/**
 * rings_init() - no events yet, on all CPUs that are online
 * @rings: filled; release it with rings_free()
 * @bytes: size of a ring, rounded up to a power of two; at least a page
 * @trouble: set on failure
 *
 * Return: true; false if memory ran out.
 */
bool rings_init(struct rings *rings, size_t bytes, struct trouble *trouble);

/**
 * rings_follow() - follow a thread, and all threads and processes that it makes from now on
 * @rings: rings
 * @tid: thread
 * @on_exec: begin when it does exec; else at once
 * @gone: set to whether there is no such thread; that is no trouble
 * @trouble: set on failure
 *
 * Records bear times of CLOCK_MONOTONIC.
 *
 * Return: true; false if @gone, if the kernel refuses, with a hint, or if memory ran out.
 */
bool rings_follow(struct rings *rings, pid_t tid, bool on_exec, bool *gone,
		  struct trouble *trouble);

/**
 * rings_poll() - what to wait for
 * @rings: rings
 * @polls: array of @rings->count, filled
 */
void rings_poll(const struct rings *rings, struct pollfd *polls);

/**
 * rings_polled() - look at what was waited for
 * @rings: rings
 * @polls: as rings_poll() and then poll() left them
 *
 * Return: whether all tasks that were followed have ended; all their records are there then.
 */
bool rings_polled(struct rings *rings, const struct pollfd *polls);

/**
 * typedef ring_fn - takes one record
 * @bytes: the record: u32 type, u16 misc, u16 size of all, and so on
 * @size: bytes in it, at least 8
 * @ring: index of the ring that it was in
 * @ctx: as given to rings_read()
 *
 * Return: false to stop reading.
 */
typedef bool ring_fn(const u8 *bytes, size_t size, size_t ring, void *ctx);

/**
 * rings_read() - take out all records that are there, ring by ring
 * @rings: rings
 * @fn: called for each record; in one ring they are in the order of time
 * @ctx: passed to @fn
 *
 * Return: true; false if @fn stopped it: the record that it stopped at was taken out.
 */
bool rings_read(struct rings *rings, ring_fn *fn, void *ctx);

/**
 * rings_lost() - how many records the kernel dropped in all
 * @rings: rings
 *
 * The record that tells of it comes only before the next one that fits, which may never come.
 *
 * Return: their number; 0 if the kernel cannot tell.
 */
u64 rings_lost(const struct rings *rings);

/**
 * rings_free() - stop following and release everything
 * @rings: rings
 */
void rings_free(struct rings *rings);

#endif
