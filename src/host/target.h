/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* A process that runs already: who it is, and events on all of its threads. */
#ifndef ITF_HOST_TARGET_H
#define ITF_HOST_TARGET_H

#include "reread.h"
#include "ring.h"

/**
 * struct target - a running process
 * @pid: thread-group id
 * @comm: its name, NUL-terminated, owned; NULL if it could not be read
 * @comm_len: bytes in @comm
 * @tids: array of @count threads with an event of their own, owned
 * @count: threads
 * @maps: its mappings, read after all events were there; owned
 */
struct target {
	pid_t pid;
	char *comm;
	size_t comm_len;
	pid_t *tids;
	size_t count;
	struct reread_maps maps;
};

/**
 * target_of() - find the process
 * @target: filled; release it with target_free()
 * @pid: thread-group id or thread id
 * @trouble: set on failure
 *
 * Return: true; false if there is no such process.
 */
bool target_of(struct target *target, pid_t pid, struct trouble *trouble);

/**
 * target_follow() - follow all of its threads, and read its mappings
 * @target: from target_of()
 * @rings: rings
 * @read: puts aside what is in the rings: threads that are followed since their beginning are told
 *	by record; returns false if memory ran out
 * @known: tells whether such a record came for a thread
 * @ctx: passed to both
 * @reread: reads mappings
 * @trouble: set on failure
 *
 * Return: true; false if it has ended, the kernel refuses, or memory ran out.
 */
bool target_follow(struct target *target, struct rings *rings, bool (*read)(void *ctx),
		   bool (*known)(pid_t tid, void *ctx), void *ctx, struct reread *reread,
		   struct trouble *trouble);

/**
 * target_free() - release what a target owns
 * @target: a target
 */
void target_free(struct target *target);

#endif
