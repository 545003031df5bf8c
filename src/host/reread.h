/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Reads /proc/PID/maps of processes that mapped something, soon but not too often. Knows which
 * processes are due, not what becomes of what was read.
 */
#ifndef ITF_HOST_REREAD_H
#define ITF_HOST_REREAD_H

#include "object.h"

struct reread_entry;

/**
 * struct reread - which processes are to be read
 * @first: private
 * @due: private
 * @objects: the object files, not owned
 * @blind: /proc does not show our processes: nothing is ever due
 * @text: private
 * @room: private
 *
 * Zero but for @objects and @blind at first.
 */
struct reread {
	struct reread_entry *first;
	struct reread_entry *due;
	struct objects *objects;
	bool blind;
	char *text;
	size_t room;
};

/**
 * struct reread_maps - the mappings of a process
 * @time: of CLOCK_MONOTONIC: all that was mapped then is here, and maybe some that came since
 * @maps: array of @count mappings by address, owned by whoever gets it
 * @count: mappings; 0 if the process has ended
 */
struct reread_maps {
	u64 time;
	struct itf_mapping *maps;
	size_t count;
};

/**
 * typedef reread_fn - takes the mappings of a process
 * @pid: process
 * @maps: mappings, at least one
 * @ctx: as given to reread_due()
 *
 * Return: false to stop.
 */
typedef bool reread_fn(pid_t pid, struct reread_maps *maps, void *ctx);

/**
 * monotonic() - the time now
 *
 * Return: nanoseconds of CLOCK_MONOTONIC.
 */
u64 monotonic(void);

/**
 * reread_touch() - a process mapped something: read it when it is due
 * @reread: what to read
 * @pid: process
 * @tid: its thread that did it
 *
 * Return: true; false with errno set if memory ran out.
 */
bool reread_touch(struct reread *reread, pid_t pid, pid_t tid);

/**
 * reread_touch_all() - as reread_touch(), for all processes that were touched and not found gone
 * @reread: what to read
 */
void reread_touch_all(struct reread *reread);

/**
 * reread_ended() - the main thread of a process has ended
 * @reread: what to read
 * @pid: process
 *
 * It is forgotten when the next look finds it gone: other threads may live on, and what they did
 * may be told later, out of another ring.
 */
void reread_ended(struct reread *reread, pid_t pid);

/**
 * reread_due() - read all processes that are due
 * @reread: what to read
 * @all: also those that are due only later
 * @fn: called for each that still lives
 * @ctx: passed to @fn
 *
 * Return: true; false if @fn stopped it or, with errno set, memory ran out.
 */
bool reread_due(struct reread *reread, bool all, reread_fn *fn, void *ctx);

/**
 * reread_wait() - when is something due
 * @reread: what to read
 *
 * Return: milliseconds from now, at least 1; -1 if nothing is to be read.
 */
int reread_wait(const struct reread *reread);

/**
 * reread_now() - read one process
 * @reread: only its @objects matter
 * @pid: process
 * @tid: its thread to try first
 * @maps: filled
 *
 * Return: true, also if there is no such process any more; false with errno set if it may not be
 * read or memory ran out.
 */
bool reread_now(struct reread *reread, pid_t pid, pid_t tid, struct reread_maps *maps);

/**
 * reread_free() - release what it owns
 * @reread: what to read
 */
void reread_free(struct reread *reread);

#endif
