// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Processes and threads under a filter set. Decides what a moment changes, and for whom; the rules
 * of what a mapping changes are the engine's.
 *
 * Linux keeps ranges for each event, and each thread has its own (R10): a mapping changes the
 * ranges of the thread that made it. A new thread or process begins with the ranges of the root,
 * the event that was opened and not inherited (R12), whatever has become of its own parent; a root
 * whose thread has ended keeps what it had (R15). So each thread has slots, roots outlive their
 * threads, and the answers of a process are its main thread's.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "member.h"

/* ---------------------------------------------------------------------- who it is about */

/*
 * The member that a record is about. One that was not heard of yet is taken in only if records were
 * dropped, the one of its beginning among them; else it is a leftover of one that has ended.
 * Return: false if memory ran out; @member is NULL if it is nobody.
 */
static bool who(struct family *family, pid_t pid, struct member **member)
{
	*member = member_find(family, pid);
	if (*member || !family->lost || !family->roots || pid <= 0)
		return true;
	*member = member_add(family, pid, family->roots);
	if (!*member)
		return false;
	(*member)->process.notes |= ITF_NOTE_BIT(ITF_NOTE_MAY_BE_STALE);
	return true;
}

/* As who(), with the thread that did it. */
static bool who_thread(struct family *family, const struct perfdata_record *record,
		       struct member **member, struct thread **thread)
{
	pid_t tid = (pid_t)record->tid;

	if (!who(family, (pid_t)record->pid, member))
		return false;
	if (!*member)
		return true;
	*thread = thread_find(family, tid);
	if (*thread && (*thread)->member != *member) {
		/* Its end was dropped, and the number is somebody else's now. */
		thread_remove(family, *thread);
		*thread = NULL;
	}
	if (!*thread)
		*thread = thread_add(family, *member, tid, (*member)->leader->root);
	return *thread;
}

/* ---------------------------------------------------------------------- what happened */

/* Is all of a mapping there already, so that only its protection can be new? */
static bool is_there(const struct itf_space *space, const struct itf_mapping *mapping)
{
	u64 start = mapping->start, left = mapping->size;

	for (size_t i = itf_space_find(space, start); i < space->count; i++) {
		const struct itf_mapping *old = &space->maps[i];
		u64 into = start - old->start;

		/* The same bytes of the file are at the same distance from their addresses. */
		if (old->start > start || old->object != mapping->object ||
		    old->offset - old->start != mapping->offset - mapping->start)
			return false;
		if (left <= old->size - into)
			return true;
		left -= old->size - into;
		start += old->size - into;
	}
	return false;
}

static bool is_wanted(const struct filter_set *set, u64 object)
{
	for (size_t i = 0; object && i < set->count; i++) {
		if (set->filters[i].object == object)
			return true;
	}
	return false;
}

/* The mappings of an object were added to: they are to be looked at in maps once more. */
static void mark_mapped(const struct family *family, struct member *member, u64 object, u64 time)
{
	const struct filter_set *set = family->ask->set;

	/* A record that came too late is newer than what was read, as far as anybody knows. */
	if (time <= member->checked_at)
		time = member->checked_at + 1;
	for (size_t i = 0; i < set->count; i++) {
		if (set->filters[i].object == object)
			member->files[i].mapped_at = time;
	}
}

static bool take_mmap(struct family *family, const struct moment *moment)
{
	const struct perfdata_record *record = &moment->record;
	struct itf_mapping mapping = {
		.start = record->start,
		.size = record->size,
		/* Of memory without a file it is an address; maps shows 0. */
		.offset = moment->object ? record->offset : 0,
		.object = moment->object,
		.prot = record->prot,
	};
	struct watch_event event = {
		.kind = WATCH_MMAP,
		.tid = (pid_t)record->tid,
		.time = moment->time,
		.mapping = mapping,
		.name = record->name,
		.name_len = record->name_len,
	};
	struct member *member;
	struct thread *thread;
	struct itf_slot *answers;
	enum itf_error error;
	bool wanted = is_wanted(family->ask->set, moment->object);

	if (!who_thread(family, record, &member, &thread))
		return false;
	if (!member || moment->time <= member->from)
		return true;
	if (wanted && !is_there(&member->process.track.space, &mapping))
		mark_mapped(family, member, mapping.object, moment->time);
	/* The mapping is the process', the slots that it changes are the thread's (R10). */
	answers = member->process.track.launch;
	member->process.track.launch = thread->slots;
	error = process_mmap(&member->process, &mapping);
	member->process.track.launch = answers;
	if (error)
		return error != ITF_E_SPACE_FULL;
	if (wanted)
		family__tell(family, member, &event);
	return true;
}

void family__take_over(struct family *family, struct member *member)
{
	struct thread *heir = member->leader, *thread, *next;

	if (thread_find(family, member->pid) != heir && member->threads) {
		heir = member->threads;
		thread_release(member->leader);
		member->leader = heir;
		HASH_DELETE(hh, family->threads, heir);
		heir->tid = member->pid;
		/* One was just taken out, so there is room. */
		HASH_ADD(hh, family->threads, tid, sizeof(heir->tid), heir);
	}
	DL_FOREACH_SAFE(member->threads, thread, next)
	{
		if (thread != heir)
			thread_remove(family, thread);
	}
}

static bool take_exec(struct family *family, const struct moment *moment)
{
	const struct perfdata_record *record = &moment->record;
	struct watch_event event = {
		.kind = WATCH_EXEC,
		.tid = (pid_t)record->tid,
		.time = moment->time,
		.comm = record->name,
		.comm_len = record->name_len,
	};
	struct member *member;

	if (!who(family, (pid_t)record->pid, &member))
		return false;
	if (!member || moment->time <= member->from)
		return true;
	family__take_over(family, member);
	itf_track_exec(&member->process.track);
	memcpy(member->leader->slots, member->process.track.launch, slots_size(family));
	memset(member->files, 0, family->ask->set->count * sizeof(*member->files));
	member->checked_at = 0;
	/* Whatever was missed before is over now. */
	member->process.notes &= ~ITF_NOTE_BIT(ITF_NOTE_MAY_BE_STALE);
	if (!process_comm(&member->process, record->name, record->name_len))
		return false;
	family__tell(family, member, &event);
	return true;
}

static bool take_comm(struct family *family, const struct moment *moment)
{
	const struct perfdata_record *record = &moment->record;
	struct member *member;

	if (record->exec)
		return take_exec(family, moment);
	member = member_find(family, (pid_t)record->pid);
	if (!member || record->tid != record->pid)
		return true;
	return process_comm(&member->process, record->name, record->name_len);
}

/* A new process: its parent's mappings, the root's ranges. */
static bool take_fork(struct family *family, const struct moment *moment, struct member *parent,
		      struct thread *root)
{
	const struct perfdata_record *record = &moment->record;
	struct watch_event event = {
		.kind = WATCH_FORK,
		.tid = (pid_t)record->ptid,
		.time = moment->time,
		.child = (pid_t)record->pid,
	};
	struct process asked = parent->process;
	struct member *child = member_new(family, (pid_t)record->pid);

	if (!child)
		return false;
	asked.track.launch = root->slots;
	if (!process_fork(&child->process, child->pid, &parent->process, &asked)) {
		member_free(child);
		return false;
	}
	for (size_t i = 0; i < family->ask->set->count; i++)
		child->files[i].mapped_at = parent->files[i].mapped_at;
	child->checked_at = parent->checked_at;
	if (!member_enter(family, child, root))
		return false;
	family__tell(family, parent, &event);
	return true;
}

static bool take_new(struct family *family, const struct moment *moment)
{
	const struct perfdata_record *record = &moment->record;
	struct member *parent, *same;
	struct thread *maker, *old;
	struct thread *root;

	if (!who(family, (pid_t)record->ppid, &parent))
		return false;
	if (!parent)
		return true;
	maker = thread_find(family, (pid_t)record->ptid);
	root = maker ? maker->root : parent->leader->root;
	old = thread_find(family, (pid_t)record->tid);
	if (record->pid == record->ppid) {
		if (old && old->member == parent)
			return true;
		if (old)
			thread_remove(family, old); /* its end was dropped */
		return thread_add(family, parent, (pid_t)record->tid, root);
	}
	same = member_find(family, (pid_t)record->pid);
	if (same && !family->lost)
		return true;
	/* Somebody whose end was dropped had the number before. */
	if (same && !family__end(family, same, moment->time, 0))
		return false;
	old = thread_find(family, (pid_t)record->tid);
	if (old)
		thread_remove(family, old);
	return take_fork(family, moment, parent, root);
}

static bool take_exit(struct family *family, const struct moment *moment)
{
	const struct perfdata_record *record = &moment->record;
	struct thread *thread = thread_find(family, (pid_t)record->tid);
	struct member *member;

	if (!thread || thread->member->pid != (pid_t)record->pid)
		return true;
	member = thread->member;
	if (thread != member->leader)
		family__compare(family, member, thread);
	thread_remove(family, thread);
	if (member->threads)
		return true;
	return family__end(family, member, moment->time, (pid_t)record->tid);
}

static bool take_lost(struct family *family, const struct moment *moment)
{
	struct watch_event event = {
		.kind = WATCH_LOST,
		.time = moment->time,
		.lost = moment->record.lost,
	};
	struct member *member, *next;

	family->lost += moment->record.lost;
	HASH_ITER(hh, family->members, member, next)
		member->process.notes |= ITF_NOTE_BIT(ITF_NOTE_MAY_BE_STALE);
	if (!family__lost(family, moment->since))
		return false;
	family__tell(family, NULL, &event);
	return true;
}

static bool take_maps(struct family *family, const struct moment *moment)
{
	struct member *member;

	if (!who(family, (pid_t)moment->record.pid, &member))
		return false;
	if (!member || moment->time <= member->from)
		return true;
	if (!process_replace(&member->process, moment->maps, moment->map_count))
		return false;
	if (moment->time > member->checked_at)
		member->checked_at = moment->time;
	return true;
}

bool family_take(struct family *family, const struct moment *moment)
{
	if (moment->is_maps)
		return take_maps(family, moment);
	switch (moment->record.kind) {
	case PERFDATA_MMAP:
		return take_mmap(family, moment);
	case PERFDATA_COMM:
		return take_comm(family, moment);
	case PERFDATA_FORK:
		return take_new(family, moment);
	case PERFDATA_EXIT:
		return take_exit(family, moment);
	case PERFDATA_LOST:
		return take_lost(family, moment);
	}
	return true;
}

/* ---------------------------------------------------------------------- beginning and end */

bool family_command(struct family *family, pid_t pid)
{
	family->main = pid;
	return member_add(family, pid, NULL);
}

bool family_process(struct family *family, pid_t pid, const char *comm, size_t comm_len,
		    const pid_t *tids, size_t count, const struct reread_maps *maps)
{
	struct member *member = member_add(family, pid, NULL);

	if (!member || !process_comm(&member->process, comm, comm_len))
		return false;
	family->main = pid;
	for (size_t i = 0; i < maps->count; i++) {
		if (process_mmap(&member->process, &maps->maps[i]) == ITF_E_SPACE_FULL)
			return false;
	}
	member->from = maps->time;
	member->checked_at = maps->time;
	memcpy(member->leader->slots, member->process.track.launch, slots_size(family));
	for (size_t i = 0; i < count; i++) {
		struct thread *thread;

		if (tids[i] == pid)
			continue;
		thread = thread_add(family, member, tids[i], NULL);
		if (!thread)
			return false;
		memcpy(thread->slots, member->leader->slots, slots_size(family));
	}
	for (size_t i = 0; i < count; i++) {
		if (tids[i] == pid)
			return true;
	}
	/* The main thread has ended already. */
	thread_remove(family, member->leader);
	return true;
}

void family_free(struct family *family)
{
	struct member *member, *next;
	struct thread *root, *other;

	HASH_ITER(hh, family->members, member, next)
		member_remove(family, member);
	LL_FOREACH_SAFE2(family->roots, root, other, next_root)
	{
		free(root->slots);
		free(root);
	}
	free(family->entries);
	family->roots = NULL;
	family->entries = NULL;
}
