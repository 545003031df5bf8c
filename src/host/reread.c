// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Reads the mappings of processes anew. No record tells of munmap and mremap, so what records say
 * is compared with /proc after each of them. Must not touch any model.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Lack of memory is an error to report, not a reason for a library to end the program. */
#define HASH_NONFATAL_OOM 1
/* The default hash function does not compile without warnings. */
#define HASH_FUNCTION(key, len, hash) HASH_FNV(key, len, hash)
#include <uthash.h>
#include <utlist.h>

#include "reread.h"

/* An exec in the middle takes the mappings away: try again, but not for ever. */
#define TRIES 4

/*
 * How often reading is worth it: one that is cheap is done half of the time, because processes may
 * be short-lived; one that costs more than so many nanoseconds, a small part of the time.
 */
#define CHEAP 1000000u
#define REST 8

#define FIRST_ROOM ((size_t)64 << 10)

struct reread_entry {
	pid_t pid;
	pid_t tid;
	bool due;
	u64 not_before;
	UT_hash_handle hh;
	struct reread_entry *prev, *next; /* of those that are due */
};

static u64 clock_of(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (u64)now.tv_sec * 1000000000u + (u64)now.tv_nsec;
}

u64 monotonic(void)
{
	return clock_of(CLOCK_MONOTONIC);
}

/* ---------------------------------------------------------------------- one process */

/* Read a file to its end. Return: its length, or -1 with errno set. */
static ssize_t read_text(struct reread *reread, int fd)
{
	size_t len = 0;

	for (;;) {
		ssize_t n;

		if (len == reread->room) {
			size_t room = len ? len * 2 : FIRST_ROOM;
			char *text = realloc(reread->text, room);

			if (!text)
				return -1;
			reread->text = text;
			reread->room = room;
		}
		n = read(fd, reread->text + len, reread->room - len);
		if (n == 0)
			return (ssize_t)len;
		if (n > 0)
			len += (size_t)n;
		else if (errno != EINTR)
			return -1;
	}
}

/* Did the mappings outlive the reading? If not, what was read looks like a whole and is none. */
static bool still_there(int fd)
{
	char byte;

	return lseek(fd, 0, SEEK_SET) == 0 && read(fd, &byte, 1) == 1;
}

/* Return: bytes of text, 0 if the process has no mappings (any more), -1 with errno set. */
static ssize_t read_maps(struct reread *reread, pid_t tid, u64 *time)
{
	for (int try = 0; try < TRIES; try++) {
		char path[64];
		ssize_t len;
		bool whole;
		int fd;

		snprintf(path, sizeof(path), "/proc/%ld/maps", (long)tid);
		/*
		 * Before it is opened: that settles which image of the process is read. If exec
		 * comes in between, its record is later and takes this away again.
		 */
		*time = monotonic();
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return errno == ENOENT || errno == ESRCH ? 0 : -1;
		len = read_text(reread, fd);
		whole = len > 0 && still_there(fd);
		close(fd);
		if (len < 0)
			return errno == ESRCH ? 0 : -1;
		if (whole)
			return len;
	}
	return 0;
}

struct taking {
	struct objects *objects;
	pid_t pid;
	struct reread_maps *maps;
	size_t capacity;
};

static bool take_line(const struct map_line *line, void *ctx)
{
	struct taking *taking = ctx;
	struct reread_maps *maps = taking->maps;

	if (maps->count == taking->capacity) {
		size_t capacity = taking->capacity ? taking->capacity * 2 : 64;
		struct itf_mapping *more = reallocarray(maps->maps, capacity, sizeof(*more));

		if (!more)
			return false;
		maps->maps = more;
		taking->capacity = capacity;
	}
	maps->maps[maps->count++] = (struct itf_mapping){
		.start = line->start,
		.size = line->end - line->start,
		.offset = line->offset,
		.object = object_of_line(taking->objects, line, taking->pid),
		.prot = line->prot,
	};
	return true;
}

bool reread_now(struct reread *reread, pid_t pid, pid_t tid, struct reread_maps *maps)
{
	struct taking taking = { .objects = reread->objects, .pid = pid, .maps = maps };
	struct maps_count count;
	ssize_t len;

	*maps = (struct reread_maps){ 0 };
	/* The main thread may have ended before the others: then it shows nothing. */
	len = read_maps(reread, tid, &maps->time);
	if (len == 0 && tid != pid)
		len = read_maps(reread, pid, &maps->time);
	if (len < 0)
		return false;
	if (maps_parse(reread->text, (size_t)len, take_line, &taking, &count))
		return true;
	free(maps->maps);
	*maps = (struct reread_maps){ 0 };
	errno = ENOMEM;
	return false;
}

/* ---------------------------------------------------------------------- all processes */

static struct reread_entry *find(const struct reread *reread, pid_t pid)
{
	struct reread_entry *entry;

	HASH_FIND(hh, reread->first, &pid, sizeof(pid), entry);
	return entry;
}

static void set_due(struct reread *reread, struct reread_entry *entry)
{
	if (!entry->due)
		DL_APPEND(reread->due, entry);
	entry->due = true;
}

static void clear_due(struct reread *reread, struct reread_entry *entry)
{
	if (entry->due)
		DL_DELETE(reread->due, entry);
	entry->due = false;
}

bool reread_touch(struct reread *reread, pid_t pid, pid_t tid)
{
	struct reread_entry *entry = find(reread, pid);

	if (reread->blind)
		return true;
	if (!entry) {
		entry = calloc(1, sizeof(*entry));
		if (!entry)
			return false;
		entry->pid = pid;
		HASH_ADD(hh, reread->first, pid, sizeof(pid), entry);
		if (!entry->hh.tbl) {
			free(entry);
			errno = ENOMEM;
			return false;
		}
	}
	entry->tid = tid;
	set_due(reread, entry);
	return true;
}

void reread_touch_all(struct reread *reread)
{
	struct reread_entry *entry, *next;

	HASH_ITER(hh, reread->first, entry, next)
		set_due(reread, entry);
}

static void forget(struct reread *reread, struct reread_entry *entry)
{
	clear_due(reread, entry);
	HASH_DELETE(hh, reread->first, entry);
	free(entry);
}

void reread_ended(struct reread *reread, pid_t pid)
{
	struct reread_entry *entry = find(reread, pid);

	if (entry)
		set_due(reread, entry);
}

/* As reread_due(), for one process. */
static bool read_entry(struct reread *reread, struct reread_entry *entry, reread_fn *fn, void *ctx)
{
	struct reread_maps maps;
	pid_t pid = entry->pid;
	/* What it costs, not how long it takes: a busy machine is no reason to wait longer. */
	u64 cost = clock_of(CLOCK_THREAD_CPUTIME_ID);

	clear_due(reread, entry);
	if (!reread_now(reread, pid, entry->tid, &maps))
		return errno != ENOMEM; /* may not be read: nothing can be corrected */
	if (!maps.count) {
		forget(reread, entry);
		return true;
	}
	cost = clock_of(CLOCK_THREAD_CPUTIME_ID) - cost;
	entry->not_before = monotonic() + (cost < CHEAP ? cost : cost * REST);
	return fn(pid, &maps, ctx);
}

bool reread_due(struct reread *reread, bool all, reread_fn *fn, void *ctx)
{
	struct reread_entry *entry, *next;
	u64 now = monotonic();

	DL_FOREACH_SAFE(reread->due, entry, next)
	{
		if ((all || entry->not_before <= now) && !read_entry(reread, entry, fn, ctx))
			return false;
	}
	return true;
}

int reread_wait(const struct reread *reread)
{
	const struct reread_entry *entry;
	u64 now = monotonic(), earliest = UINT64_MAX;

	DL_FOREACH(reread->due, entry)
	{
		if (entry->not_before < earliest)
			earliest = entry->not_before;
	}
	if (earliest == UINT64_MAX)
		return -1;
	return earliest <= now ? 1 : (int)((earliest - now) / 1000000 + 1);
}

void reread_free(struct reread *reread)
{
	struct reread_entry *entry, *next;

	HASH_ITER(hh, reread->first, entry, next)
		forget(reread, entry);
	free(reread->text);
	reread->text = NULL;
	reread->room = 0;
}
