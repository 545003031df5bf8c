/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The processes that are followed, with their threads: what Linux would hold for each, told by one
 * moment after the other. Knows nothing of where moments come from.
 */
#ifndef ITF_HOST_FAMILY_H
#define ITF_HOST_FAMILY_H

#include "reread.h"
#include "timeline.h"
#include "watch.h"

struct member;
struct thread;

/**
 * struct family - the processes
 * @ask: the filters, and who wants to know of changes; not owned
 * @objects: the object files, not owned
 * @report: where processes go when they end, not owned
 * @main: the process that it began with
 * @main_ended: it has ended
 * @unheard: nobody takes events any more
 * @lost: records that the kernel dropped, in all
 * @members: private
 * @threads: private
 * @roots: private
 * @entries: private
 * @births: private
 *
 * Zero but for @ask, @objects and @report at first.
 */
struct family {
	const struct watch_ask *ask;
	struct objects *objects;
	struct report *report;
	pid_t main;
	bool main_ended;
	bool unheard;
	u64 lost;
	struct member *members;
	struct thread *threads;
	struct thread *roots;
	struct family_entry *entries;
	u64 births;
};

/**
 * family_command() - begin with a process that has not done exec yet
 * @family: an empty family
 * @pid: process
 *
 * Return: true; false if memory ran out.
 */
bool family_command(struct family *family, pid_t pid);

/**
 * family_process() - begin with a running process
 * @family: an empty family
 * @pid: process
 * @comm: its name; NULL if not known
 * @comm_len: bytes in @comm
 * @tids: array of @count threads
 * @count: its threads, each of which is followed by an event of its own
 * @maps: its mappings, taken to be made in their order; what was mapped before they were read is
 *	passed over
 *
 * Return: true; false if memory ran out.
 */
bool family_process(struct family *family, pid_t pid, const char *comm, size_t comm_len,
		    const pid_t *tids, size_t count, const struct reread_maps *maps);

/**
 * family_take() - something happened
 * @family: a family
 * @moment: what; not earlier than the one before, or it is taken for what it is worth
 *
 * Return: true; false if memory ran out.
 */
bool family_take(struct family *family, const struct moment *moment);

/**
 * family_finish() - the watch ends: what still lives goes to the report as it is now
 * @family: a family
 *
 * The entries of the report are put in the order in which their processes began.
 *
 * Return: true; false if memory ran out.
 */
bool family_finish(struct family *family);

/**
 * family_free() - release what a family owns
 * @family: a family
 */
void family_free(struct family *family);

#endif
