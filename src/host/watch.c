// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The watch itself: wait, read the rings, read mappings anew, hand everything on in the order of
 * time, see the end. Must not know what a record changes.
 *
 * Each CPU has its own ring, so a record may come out of one after a later record came out of
 * another. They wait a little for each other. What /proc/PID/maps shows is put among them at the
 * time when it was read: what the records before say about munmap is wrong, it is right, and the
 * records after come on top of it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "family.h"
#include "perfdata_decode.h"
#include "procfs.h"
#include "refused.h"
#include "ring.h"
#include "signals.h"
#include "spawn.h"
#include "target.h"
#include "watch_internal.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

/* How long a record waits for others, in milliseconds: much longer than it takes to write one. */
#define HOLD 3

/**
 * struct watch - a watch in progress
 * @ask: what was asked
 * @objects: the object files
 * @rings: where records come from
 * @newest: array, the time of the last record of each ring
 * @reread: reads mappings
 * @timeline: what waits for its turn
 * @family: what it is all about
 * @signals: signals
 * @spawned: the command
 * @pidfd: of the process, if there is no command; -1 if the kernel has none
 * @ended: all that is followed has ended
 * @told_lost: records that the kernel told to have dropped
 * @end: how it ended
 * @trouble: what went wrong
 */
struct watch {
	const struct watch_ask *ask;
	struct objects objects;
	struct rings rings;
	u64 *newest;
	struct reread reread;
	struct timeline timeline;
	struct family family;
	struct signals signals;
	struct spawned spawned;
	int pidfd;
	bool ended;
	u64 told_lost;
	struct watch_end *end;
	struct trouble *trouble;
};

static bool fail_memory(struct watch *watch)
{
	refused_memory(watch->trouble);
	return false;
}

/* ---------------------------------------------------------------------- from rings to timeline */

static u64 object_of_record(struct watch *watch, const struct perfdata_record *record)
{
	static const char deleted[] = " (deleted)";
	const size_t len = sizeof(deleted) - 1;
	struct map_line line = {
		.start = record->start,
		.end = record->start + record->size,
		.prot = record->prot,
		.offset = record->offset,
		.major = record->major,
		.minor = record->minor,
		.inode = record->inode,
		.name = record->name,
		.name_len = record->name_len,
	};

	if (line.name_len > len && !memcmp(line.name + line.name_len - len, deleted, len)) {
		line.name_len -= len;
		line.deleted = true;
	}
	return object_of_line(&watch->objects, &line, watch->reread.blind ? 0 : (pid_t)record->pid);
}

/* Note whose mappings are to be read. */
static bool touch(struct watch *watch, const struct perfdata_record *record)
{
	pid_t pid = (pid_t)record->pid, tid = (pid_t)record->tid;

	switch (record->kind) {
	case PERFDATA_MMAP:
		return reread_touch(&watch->reread, pid, tid);
	case PERFDATA_COMM:
		return !record->exec || reread_touch(&watch->reread, pid, tid);
	case PERFDATA_FORK:
		return pid == (pid_t)record->ppid || reread_touch(&watch->reread, pid, tid);
	case PERFDATA_EXIT:
		if (pid == tid)
			reread_ended(&watch->reread, pid);
		return true;
	case PERFDATA_LOST:
		reread_touch_all(&watch->reread);
		return true;
	}
	return true;
}

static bool take_bytes(const u8 *bytes, size_t size, size_t ring, void *ctx)
{
	static const struct perfdata_layout layout = {
		.size = RING_ID_SIZE,
		.time_at = RING_TIME_AT,
	};
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	struct watch *watch = ctx;
	struct moment moment = { 0 };
	struct perfdata_record *record = &moment.record;

	if (perfdata_decode(bytes, size, big, &layout, record) != 1)
		return true;
	moment.time = record->time;
	moment.since = watch->newest[ring];
	watch->newest[ring] = record->time;
	if (record->kind == PERFDATA_MMAP)
		moment.object = object_of_record(watch, record);
	if (record->kind == PERFDATA_LOST)
		watch->told_lost += record->lost;
	return touch(watch, record) && timeline_add(&watch->timeline, &moment);
}

/* Read all rings. Return: false if memory ran out. */
static bool read_rings(void *ctx)
{
	struct watch *watch = ctx;

	return rings_read(&watch->rings, take_bytes, watch);
}

static bool take_maps(pid_t pid, struct reread_maps *maps, void *ctx)
{
	struct watch *watch = ctx;
	struct moment moment = {
		.time = maps->time,
		.record = { .pid = (u32)pid },
		.is_maps = true,
		.maps = maps->maps,
		.map_count = maps->count,
	};

	if (timeline_add(&watch->timeline, &moment))
		return true;
	free(maps->maps);
	errno = ENOMEM;
	return false;
}

/* Hand on what happened up to a time. */
static bool hand_on(struct watch *watch, u64 until)
{
	struct moment moment;
	bool ok = true;

	while (ok && timeline_take(&watch->timeline, until, &moment)) {
		ok = family_take(&watch->family, &moment);
		moment_free(&moment);
	}
	return ok;
}

/* One turn: records first, then the mappings of those that they are about, while they are fresh. */
static bool turn(struct watch *watch, bool last)
{
	u64 now = monotonic();

	if (!read_rings(watch) || !reread_due(&watch->reread, last, take_maps, watch) ||
	    !hand_on(watch, last ? UINT64_MAX : now - HOLD * 1000000u))
		return fail_memory(watch);
	return true;
}

/* ---------------------------------------------------------------------- the loop */

/* Has the command ended? */
static bool command_ended(struct watch *watch)
{
	struct watch_end *end = watch->end;
	pid_t pid = watch->spawned.pid;
	int status;

	if (!pid)
		return true;
	if (waitpid(pid, &status, WNOHANG) != pid)
		return false;
	end->has_status = true;
	end->exited = WIFEXITED(status);
	end->status = end->exited ? WEXITSTATUS(status) : WTERMSIG(status);
	watch->spawned.pid = 0;
	return true;
}

/* Is it time to stop? */
static bool over(struct watch *watch, bool process_ended)
{
	unsigned int asked = watch->signals.asked;

	watch->end->interrupted = asked > 0;
	if (!watch->ask->command)
		return asked || process_ended || watch->ended;
	/* The terminal sends SIGINT to the command too: it may have something to say yet. */
	return (command_ended(watch) && (watch->ended || asked)) || asked > 1;
}

static int wait_time(const struct watch *watch)
{
	int wait = reread_wait(&watch->reread);

	if (watch->timeline.count && (wait < 0 || wait > HOLD))
		wait = HOLD;
	return wait;
}

static bool loop(struct watch *watch)
{
	size_t rings = watch->rings.count;
	struct pollfd *polls = calloc(rings + 2, sizeof(*polls));
	bool ok = polls, stop = false;

	if (!polls)
		return fail_memory(watch);
	while (ok && !stop) {
		rings_poll(&watch->rings, polls);
		polls[rings] = (struct pollfd){ .fd = watch->signals.fd, .events = POLLIN };
		polls[rings + 1] = (struct pollfd){ .fd = watch->pidfd, .events = POLLIN };
		if (poll(polls, rings + 2, wait_time(watch)) < 0) {
			if (errno == EINTR)
				continue;
			ok = fail_memory(watch);
			break;
		}
		signals_read(&watch->signals, watch->spawned.pid);
		watch->ended = rings_polled(&watch->rings, polls);
		/* Before the last turn: what ended has written all of its records. */
		stop = over(watch, polls[rings + 1].revents);
		ok = turn(watch, false);
		/* Without a pidfd only its record says so, and nothing may come after it. */
		if (!watch->ask->command && (watch->family.main_ended || watch->family.unheard))
			stop = true;
	}
	free(polls);
	return ok;
}

/* What the kernel dropped and could not tell any more, because no record came after it. */
static bool count_lost(struct watch *watch)
{
	u64 lost = rings_lost(&watch->rings);
	struct moment moment = {
		.time = monotonic(),
		.record = { .kind = PERFDATA_LOST },
		.since = UINT64_MAX,
	};

	if (lost <= watch->told_lost)
		return true;
	moment.record.lost = lost - watch->told_lost;
	for (size_t i = 0; i < watch->rings.count; i++) {
		if (watch->newest[i] < moment.since)
			moment.since = watch->newest[i];
	}
	return timeline_add(&watch->timeline, &moment);
}

static bool run(struct watch *watch)
{
	if (!loop(watch))
		return false;
	if (!read_rings(watch) || !count_lost(watch))
		return fail_memory(watch);
	/* What still lives is told as it is now. */
	reread_touch_all(&watch->reread);
	if (!turn(watch, true))
		return false;
	if (!family_finish(&watch->family))
		return fail_memory(watch);
	watch->end->lost = watch->family.lost;
	return true;
}

/* ---------------------------------------------------------------------- beginnings */

static bool begin_command(struct watch *watch)
{
	char *const *command = watch->ask->command;
	bool gone;

	if (!spawn_wait(&watch->spawned, command, watch->ask->stdout_fd, &watch->signals.before,
			watch->trouble))
		return false;
	if (!rings_follow(&watch->rings, watch->spawned.pid, true, &gone, watch->trouble) ||
	    (!family_command(&watch->family, watch->spawned.pid) && !fail_memory(watch))) {
		spawn_abandon(&watch->spawned);
		return false;
	}
	return spawn_go(&watch->spawned, command[0], watch->trouble);
}

/* Did a record tell that a thread began? Only when a watch begins, so there are few to look at. */
static bool told_of(pid_t tid, void *ctx)
{
	const struct watch *watch = ctx;

	for (size_t i = 0; i < watch->timeline.count; i++) {
		const struct moment *moment = &watch->timeline.heap[i].moment;

		if (!moment->is_maps && moment->record.kind == PERFDATA_FORK &&
		    (pid_t)moment->record.tid == tid)
			return true;
	}
	return false;
}

static bool begin_process(struct watch *watch, struct target *target)
{
	if (!target_follow(target, &watch->rings, read_rings, told_of, watch, &watch->reread,
			   watch->trouble))
		return false;
	watch->pidfd = (int)syscall(SYS_pidfd_open, target->pid, 0);
	/* For the end, when all that were ever touched are read. */
	if (!reread_touch(&watch->reread, target->pid, target->pid) ||
	    !family_process(&watch->family, target->pid, target->comm, target->comm_len,
			    target->tids, target->count, &target->maps))
		return fail_memory(watch);
	return true;
}

/* With signals, objects and rings at hand. */
static bool begin(struct watch *watch, struct target *target)
{
	watch->newest = calloc(watch->rings.count, sizeof(*watch->newest));
	if (!watch->newest)
		return fail_memory(watch);
	if (watch->ask->command ? !begin_command(watch) : !begin_process(watch, target))
		return false;
	return run(watch);
}

static bool with_rings(struct watch *watch, struct target *target, size_t bytes)
{
	bool ok;

	if (!rings_init(&watch->rings, bytes, watch->trouble))
		return false;
	ok = begin(watch, target);
	rings_free(&watch->rings);
	free(watch->newest);
	timeline_free(&watch->timeline);
	reread_free(&watch->reread);
	family_free(&watch->family);
	if (watch->pidfd >= 0)
		close(watch->pidfd);
	return ok;
}

/* As watch_run_with(), once it is known who is watched. */
static bool with_target(struct watch *watch, struct target *target, size_t bytes)
{
	bool ok;

	if (!objects_by_inode(&watch->objects, watch->ask->set, target->pid))
		return fail_memory(watch);
	watch->reread.objects = &watch->objects;
	watch->reread.blind = !procfs_is_ours();
	watch->family.objects = &watch->objects;
	if (signals_take(&watch->signals)) {
		ok = with_rings(watch, target, bytes);
		signals_give_back(&watch->signals);
	} else {
		snprintf(watch->trouble->text, sizeof(watch->trouble->text),
			 "cannot wait for signals: %s", strerror(errno));
		watch->trouble->hint[0] = '\0';
		ok = false;
	}
	objects_free(&watch->objects);
	return ok;
}

bool watch_run_with(struct report *report, const struct watch_ask *ask, size_t bytes,
		    struct watch_end *end, struct trouble *trouble)
{
	struct watch_end ended = { 0 };
	struct watch watch = {
		.ask = ask,
		.family = { .ask = ask, .report = report },
		.pidfd = -1,
		.end = &ended,
		.trouble = trouble,
	};
	struct target target = { 0 };
	bool ok = ask->command || target_of(&target, ask->pid, trouble);

	ok = ok && with_target(&watch, &target, bytes);
	target_free(&target);
	if (ok)
		*end = ended;
	return ok;
}

bool watch_run(struct report *report, const struct watch_ask *ask, struct watch_end *end,
	       struct trouble *trouble)
{
	return watch_run_with(report, ask, RING_BYTES, end, trouble);
}
