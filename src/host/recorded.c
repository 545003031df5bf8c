// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * From the records of a perf.data file to a report: what would Linux have programmed in each
 * process, had the filters been set where the recording began? Must look at no process that runs.
 *
 * What perf makes up itself tells of what was there before: such records have no time, and the
 * filters are taken to be set on a process right after the last of them, as a tracer that attaches
 * does. From then on all is as when it is watched: see family.c.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "member.h"
#include "recorded.h"

/* A process that ended and never mapped an object file of the set. */
struct quiet {
	pid_t pid;
	char *comm;
	size_t comm_len;
	u32 notes;
	bool attached;
	u64 born;
};

/* Where an entry of the report belongs. */
struct place {
	u64 born;
	size_t at;
};

struct recorded {
	struct watch_ask ask;
	struct family family;
	struct objects objects;
	struct report *report;
	unsigned int addr_bits;
	const struct perfdata_end *end;
	struct place *places;
	struct quiet *quiet;
	size_t quiet_count;
	bool no_memory;
};

/* Room for one more in an array that has room for the next power of two. NULL if memory ran out. */
static void *room_for_one(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	return reallocarray(array, count ? count * 2 : 1, size);
}

/* ---------------------------------------------------------------------- who and what */

/* A process, taken in if nobody has told of it: as if a tracer had attached to it. */
static struct member *who(struct recorded *r, pid_t pid)
{
	struct member *member = member_find(&r->family, pid);

	if (member)
		return member;
	member = member_add(&r->family, pid, NULL);
	if (!member)
		return NULL;
	itf_space_init(&member->process.track.space, NULL, 0, r->addr_bits);
	if (r->family.lost)
		member->process.notes |= ITF_NOTE_BIT(ITF_NOTE_MAY_BE_STALE);
	return member;
}

static struct thread *who_thread(struct recorded *r, struct member *member, pid_t tid, bool root)
{
	struct thread *thread = thread_find(&r->family, tid);

	if (thread && thread->member == member)
		return thread;
	if (thread)
		thread_remove(&r->family, thread); /* its end was lost */
	return thread_add(&r->family, member, tid, root ? NULL : member->leader->root);
}

static u64 object_of_record(struct recorded *r, const struct perfdata_record *record)
{
	static const char deleted[] = " (deleted)";
	static const char anonymous[] = "//anon";
	const size_t len = sizeof(deleted) - 1;
	struct map_line line = { .name = record->name, .name_len = record->name_len };

	/* With a build-id there is no inode. */
	line.inode = record->has_inode ?
			     record->inode :
			     record->name_len && record->name[0] == '/' &&
				     (record->name_len < sizeof(anonymous) - 1 ||
				      memcmp(record->name, anonymous, sizeof(anonymous) - 1) != 0);
	if (line.name_len > len && !memcmp(line.name + line.name_len - len, deleted, len)) {
		line.name_len -= len;
		line.deleted = true;
	}
	return object_of_line(&r->objects, &line, 0);
}

static bool is_wanted(const struct recorded *r, u64 object)
{
	return object && object <= r->objects.count;
}

/* ---------------------------------------------------------------------- answers */

/* The filters are set now: every thread has an event of its own, and all see the same mappings. */
static void scan(struct recorded *r, struct member *member)
{
	struct itf_track *track = &member->process.track;
	struct thread *thread;

	if (!member->attached || member->scanned)
		return;
	member->scanned = true;
	process_attach(&member->process);
	memcpy(member->leader->slots, track->attach, slots_size(&r->family));
	DL_FOREACH(member->threads, thread)
	memcpy(thread->slots, track->attach, slots_size(&r->family));
}

/* The answer that is not the one of its history: launch in address order, or attach right now. */
static void answer(struct recorded *r, struct member *member)
{
	struct itf_track *track = &member->process.track;

	if (!member->attached) {
		memcpy(track->launch, member->leader->slots, slots_size(&r->family));
		process_attach(&member->process);
		return;
	}
	memcpy(track->attach, member->leader->slots, slots_size(&r->family));
	itf_linux_reset(track->filters, track->count, track->launch);
	for (size_t i = 0; i < track->space.count; i++) {
		if (is_wanted(r, track->space.maps[i].object))
			itf_linux_mmap(track->filters, track->count, &track->space.maps[i],
				       track->space.addr_bits, track->launch);
	}
}

/* ---------------------------------------------------------------------- to the report */

static bool add_quiet(struct recorded *r, struct member *member)
{
	struct quiet *quiet = room_for_one(r->quiet, r->quiet_count, sizeof(*quiet));

	if (!quiet)
		return false;
	r->quiet = quiet;
	quiet += r->quiet_count++;
	*quiet = (struct quiet){
		.pid = member->pid,
		.comm = member->process.comm,
		.comm_len = member->process.comm_len,
		.notes = member->process.notes,
		.attached = member->attached,
		.born = member->born,
	};
	member->process.comm = NULL;
	return true;
}

/*
 * On attach Linux looks at all mappings of a file, and the first that matches wins. If perf
 * recorded the executable ones only, another may have come before whatever matched here.
 */
static bool add_no_data(const struct filter_set *set, struct report_process *entry)
{
	static const char detail[] = "executable ones only; perf record -d records the others too";

	for (size_t i = 0; i < set->count; i++) {
		if (set->filters[i].source != ITF_SOURCE_FILE || !itf_in_mainline(&set->filters[i]))
			continue;
		if (entry->judge == JUDGE_ATTACH)
			entry->filters[i].verdict = ITF_VERDICT_UNKNOWN;
		if (!report_note(&entry->filters[i], ITF_NOTE_TRUNCATED_MAPS, detail))
			return false;
	}
	return true;
}

static bool add_entry(struct recorded *r, struct member *member)
{
	const struct filter_set *set = r->ask.set;
	struct report_process *entry;
	struct place *places;

	places = room_for_one(r->places, r->report->count, sizeof(*places));
	if (!places)
		return false;
	r->places = places;
	places[r->report->count] = (struct place){ member->born, r->report->count };
	r->report->judge = member->attached ? JUDGE_ATTACH : JUDGE_LAUNCH;
	entry = report_add(r->report, &member->process, &r->objects);
	if (!entry)
		return false;
	for (size_t i = 0; i < set->count; i++) {
		if (!family__notes(member, &set->filters[i], i, &entry->filters[i]))
			return false;
	}
	return r->end->data || add_no_data(set, entry);
}

static bool has_wanted(const struct recorded *r, const struct member *member)
{
	const struct itf_space *space = &member->process.track.space;

	for (size_t i = 0; i < space->count; i++) {
		if (is_wanted(r, space->maps[i].object))
			return true;
	}
	return false;
}

/* A process ends, or the recording does. */
static bool end_member(struct recorded *r, struct member *member)
{
	struct thread *thread;
	bool ok;

	scan(r, member);
	DL_FOREACH(member->threads, thread)
	family__compare(&r->family, member, thread);
	answer(r, member);
	if (member->concerned || has_wanted(r, member))
		ok = add_entry(r, member);
	else
		ok = add_quiet(r, member);
	member_remove(&r->family, member);
	return ok;
}

/* Nobody ever mapped an object file of the set. */
static bool report_quiet(struct recorded *r)
{
	for (size_t i = 0; i < r->quiet_count; i++) {
		struct member *member = member_add(&r->family, r->quiet[i].pid, NULL);

		if (!member)
			return false;
		member->born = r->quiet[i].born;
		member->process.comm = r->quiet[i].comm;
		member->process.comm_len = r->quiet[i].comm_len;
		r->quiet[i].comm = NULL;
		member->process.notes = r->quiet[i].notes;
		member->attached = r->quiet[i].attached;
		if (!add_entry(r, member))
			return false;
		member_remove(&r->family, member);
	}
	return true;
}

static int by_birth(const void *a, const void *b)
{
	u64 left = ((const struct place *)a)->born, right = ((const struct place *)b)->born;

	return left < right ? -1 : left > right;
}

/* Processes came to the report as they ended; the first to begin is to be the first. */
static bool sort_report(struct recorded *r)
{
	struct report *report = r->report;
	struct report_process *sorted;

	if (report->count < 2)
		return true;
	sorted = calloc(report->count, sizeof(*sorted));
	if (!sorted)
		return false;
	qsort(r->places, report->count, sizeof(*r->places), by_birth);
	for (size_t i = 0; i < report->count; i++)
		sorted[i] = report->processes[r->places[i].at];
	memcpy(report->processes, sorted, report->count * sizeof(*sorted));
	free(sorted);
	return true;
}

/* What still lives goes to the report as it is. */
static bool finish(struct recorded *r)
{
	struct member *member, *next;

	HASH_ITER(hh, r->family.members, member, next) {
		if (r->end->broken)
			member->process.notes |= ITF_NOTE_BIT(ITF_NOTE_TRUNCATED_MAPS);
		if (!end_member(r, member))
			return false;
	}
	return (r->report->count || report_quiet(r)) && sort_report(r);
}

/* ---------------------------------------------------------------------- what happened */

static bool take_mmap(struct recorded *r, const struct perfdata_record *record)
{
	struct itf_mapping mapping = {
		.start = record->start,
		.size = record->size,
		.prot = record->prot,
	};
	struct member *member = who(r, (pid_t)record->pid);
	struct itf_slot *answers;
	struct thread *thread;
	enum itf_error error;

	if (!member)
		return false;
	thread = who_thread(r, member, (pid_t)record->tid, !record->has_time);
	if (!thread)
		return false;
	mapping.object = object_of_record(r, record);
	/* Of memory without a file it is an address; maps shows 0. */
	mapping.offset = mapping.object ? record->offset : 0;
	if (is_wanted(r, mapping.object))
		member->concerned = true;
	if (record->truncated)
		member->process.notes |= ITF_NOTE_BIT(ITF_NOTE_TRUNCATED_MAPS);
	if (!record->has_time && !member->started) {
		member->attached = true;
		member->scanned = false;
		return process_mmap(&member->process, &mapping) != ITF_E_SPACE_FULL;
	}
	scan(r, member);
	/* The mapping is the process', the slots that it changes are the thread's (R10). */
	answers = member->process.track.launch;
	member->process.track.launch = thread->slots;
	error = process_mmap(&member->process, &mapping);
	member->process.track.launch = answers;
	return error != ITF_E_SPACE_FULL;
}

static bool take_comm(struct recorded *r, const struct perfdata_record *record)
{
	struct member *member = who(r, (pid_t)record->pid);

	if (!member)
		return false;
	if (record->exec) {
		family__take_over(&r->family, member);
		itf_track_exec(&member->process.track);
		itf_linux_reset(r->ask.set->filters, r->ask.set->count, member->leader->slots);
		memset(member->files, 0, r->ask.set->count * sizeof(*member->files));
		/* Whatever was missed before is over now. */
		member->process.notes = 0;
		member->attached = false;
		member->started = true;
	} else if (!who_thread(r, member, (pid_t)record->tid, !record->has_time)) {
		return false;
	}
	return record->tid != record->pid ||
	       process_comm(&member->process, record->name, record->name_len);
}

/* A new process: its parent's mappings, the root's ranges (R12). */
static bool take_process(struct recorded *r, const struct perfdata_record *record,
			 struct member *parent)
{
	struct thread *maker = thread_find(&r->family, (pid_t)record->ptid);
	struct thread *root = maker ? maker->root : parent->leader->root;
	struct process asked = parent->process;
	struct member *child = member_new(&r->family, (pid_t)record->pid);

	if (!child)
		return false;
	asked.track.launch = root->slots;
	if (!process_fork(&child->process, child->pid, &parent->process, &asked)) {
		member_free(child);
		return false;
	}
	child->attached = parent->attached;
	child->scanned = true;
	child->started = true;
	return member_enter(&r->family, child, root);
}

static bool take_fork(struct recorded *r, const struct perfdata_record *record)
{
	struct member *member = member_find(&r->family, (pid_t)record->pid);
	struct member *parent = member_find(&r->family, (pid_t)record->ppid);
	struct thread *old;

	/* What perf makes up tells who is there, and nothing of where it came from. */
	if (!record->has_time && !record->time) {
		member = who(r, (pid_t)record->pid);
		return member && who_thread(r, member, (pid_t)record->tid, true);
	}
	if (record->pid == record->ppid) {
		member = who(r, (pid_t)record->pid);
		if (member)
			scan(r, member);
		return member && who_thread(r, member, (pid_t)record->tid, false);
	}
	/* Made up while it was new, and its fork told later; or the end of another was lost. */
	if (member && !r->family.lost)
		return true;
	if (member && !end_member(r, member))
		return false;
	old = thread_find(&r->family, (pid_t)record->tid);
	if (old)
		thread_remove(&r->family, old);
	if (parent) {
		scan(r, parent);
		return take_process(r, record, parent);
	}
	member = who(r, (pid_t)record->pid);
	if (member)
		member->started = true;
	return member;
}

static bool take_exit(struct recorded *r, const struct perfdata_record *record)
{
	struct thread *thread = thread_find(&r->family, (pid_t)record->tid);
	struct member *member;

	if (!thread || thread->member->pid != (pid_t)record->pid)
		return true;
	member = thread->member;
	scan(r, member);
	if (thread != member->leader)
		family__compare(&r->family, member, thread);
	thread_remove(&r->family, thread);
	return member->threads || end_member(r, member);
}

/*
 * Records are gone, and nothing tells whose, or since when: those of any process, even if it has
 * ended in the meantime.
 */
static bool take_lost(struct recorded *r, const struct perfdata_record *record)
{
	const struct filter_set *set = r->ask.set;
	struct member *member, *next;

	r->family.lost += record->lost;
	HASH_ITER(hh, r->family.members, member, next)
		member->process.notes |= ITF_NOTE_BIT(ITF_NOTE_MAY_BE_STALE);
	for (size_t n = 0; n < r->report->count; n++) {
		for (size_t i = 0; i < set->count; i++) {
			if (set->filters[i].source == ITF_SOURCE_FILE &&
			    !report_note(&r->report->processes[n].filters[i], ITF_NOTE_MAY_BE_STALE,
					 NULL))
				return false;
		}
	}
	return true;
}

static bool take(const struct perfdata_record *record, void *ctx)
{
	struct recorded *r = ctx;
	bool ok = true;

	/* The kernel's own mappings have the process id -1, the idle task has 0. */
	if (record->kind != PERFDATA_LOST && (pid_t)record->pid <= 0)
		return true;
	switch (record->kind) {
	case PERFDATA_MMAP:
		ok = take_mmap(r, record);
		break;
	case PERFDATA_COMM:
		ok = take_comm(r, record);
		break;
	case PERFDATA_FORK:
		ok = take_fork(r, record);
		break;
	case PERFDATA_EXIT:
		ok = take_exit(r, record);
		break;
	case PERFDATA_LOST:
		ok = take_lost(r, record);
		break;
	}
	r->no_memory = !ok;
	return ok;
}

/* ---------------------------------------------------------------------- the whole */

static bool fail(struct trouble *trouble, const char *name, const char *why)
{
	snprintf(trouble->text, sizeof(trouble->text), "cannot read %s: %s", name, why);
	trouble->hint[0] = '\0';
	return false;
}

static bool fail_memory(struct trouble *trouble)
{
	snprintf(trouble->text, sizeof(trouble->text), "%s", strerror(ENOMEM));
	trouble->hint[0] = '\0';
	return false;
}

static bool run(struct recorded *r, int fd, const char *name, struct perfdata_end *end,
		void (*progress)(u64 bytes), struct trouble *trouble)
{
	char why[256];

	if (!perfdata_read(fd, take, r, end, progress))
		return r->no_memory ? fail_memory(trouble) : fail(trouble, name, strerror(errno));
	if (end->broken && !end->records) {
		snprintf(why, sizeof(why), "byte %llu: %s", (unsigned long long)end->at, end->why);
		return fail(trouble, name, why);
	}
	return finish(r) || fail_memory(trouble);
}

bool resolve_perfdata(struct report *report, struct filter_set *set, int fd, const char *name,
		      unsigned int addr_bits, struct perfdata_end *end, void (*progress)(u64 bytes),
		      struct trouble *trouble)
{
	struct recorded r = {
		.ask = { .set = set },
		.report = report,
		.addr_bits = addr_bits,
		.end = end,
	};
	bool ok;

	report->recorded = true;
	if (!objects_by_name(&r.objects, set))
		return fail_memory(trouble);
	r.family.ask = &r.ask;
	r.family.objects = &r.objects;
	r.family.report = report;
	ok = run(&r, fd, name, end, progress, trouble);
	family_free(&r.family);
	for (size_t i = 0; i < r.quiet_count; i++)
		free(r.quiet[i].comm);
	free(r.quiet);
	free(r.places);
	objects_free(&r.objects);
	return ok;
}
