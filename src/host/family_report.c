// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* From the processes that are followed to events and to the report. Must not change a mapping. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "member.h"

/* PF_EXITING of Linux, which /proc/PID/stat shows: on its way out. */
#define FLAG_EXITING 4

/* What is to be remembered of an entry of the report. */
struct family_entry {
	u64 born;
	u64 ended;
	size_t at;
};

void family__answer(const struct family *family, struct member *member)
{
	memcpy(member->process.track.launch, member->leader->slots,
	       family->ask->set->count * sizeof(struct itf_slot));
	process_attach(&member->process);
}

void family__tell(struct family *family, struct member *member, struct watch_event *event)
{
	if (!family->ask->event)
		return;
	if (member) {
		family__answer(family, member);
		event->pid = member->pid;
		event->process = &member->process;
	}
	if (!family->ask->event(event, family->ask->ctx))
		family->unheard = true;
}

void family__compare(const struct family *family, struct member *member,
		     const struct thread *thread)
{
	const struct thread *leader = member->leader;

	if (thread == leader)
		return;
	for (size_t i = 0; i < family->ask->set->count; i++) {
		const struct itf_slot *a = &thread->slots[i], *b = &leader->slots[i];

		if (a->matched == b->matched && a->range.start == b->range.start &&
		    a->range.size == b->range.size)
			continue;
		if (!member->files[i].others++)
			member->files[i].other = thread->tid;
	}
}

/* ---------------------------------------------------------------------- notes */

static bool maps_object(const struct itf_space *space, u64 object)
{
	for (size_t i = 0; i < space->count; i++) {
		if (space->maps[i].object == object)
			return true;
	}
	return false;
}

/*
 * Mappings that were made and never seen in /proc since may have gone again. One that is not there
 * according to the records is not there: nothing makes a mapping without a record.
 */
static bool stale(const struct member *member, const struct itf_filter *filter, size_t index)
{
	return filter->object && member->files[index].mapped_at > member->checked_at &&
	       maps_object(&member->process.track.space, filter->object);
}

bool family__notes(const struct member *member, const struct itf_filter *filter, size_t index,
		   struct report_filter *out)
{
	const struct member_file *file = &member->files[index];
	char detail[96];

	if (stale(member, filter, index) && !report_note(out, ITF_NOTE_MAY_BE_STALE, NULL))
		return false;
	if (!file->others)
		return true;
	if (file->others == 1)
		snprintf(detail, sizeof(detail), "thread %ld", (long)file->other);
	else
		snprintf(detail, sizeof(detail), "thread %ld and %zu more", (long)file->other,
			 file->others - 1);
	return report_note(out, ITF_NOTE_THREADS_DIFFER, detail);
}

/*
 * Does a process go on although its events have ended? The kernel takes them from whoever may not
 * watch a program with more rights, when it does exec of one.
 */
static bool runs_on(pid_t pid)
{
	char path[64], text[512];
	unsigned long flags = 0;
	const char *end;
	ssize_t n;
	char state;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	/* Behind the name, which may hold anything: state, five numbers, flags. */
	end = strrchr(text, ')');
	if (!end || sscanf(end + 1, " %c %*d %*d %*d %*d %*d %lu", &state, &flags) != 2)
		return false;
	return state != 'Z' && state != 'X' && !(flags & FLAG_EXITING);
}

/* Return: false if memory ran out. */
static bool add_runs_on(const struct filter_set *set, struct report_process *entry)
{
	static const char detail[] = "its events ended when it did exec of a privileged program";

	for (size_t i = 0; i < set->count; i++) {
		if (set->filters[i].source == ITF_SOURCE_FILE &&
		    !report_note(&entry->filters[i], ITF_NOTE_MAY_BE_STALE, detail))
			return false;
	}
	return true;
}

/* ---------------------------------------------------------------------- the report */

static bool remember(struct family *family, const struct member *member, u64 time)
{
	size_t count = family->report->count;
	struct family_entry *entries = family->entries;

	/* Room for the next power of two, as the report itself has. */
	if ((count & (count - 1)) == 0) {
		entries = reallocarray(entries, count ? count * 2 : 1, sizeof(*entries));
		if (!entries)
			return false;
		family->entries = entries;
	}
	entries[count] = (struct family_entry){ member->born, time, count };
	return true;
}

/* Enter a process in the report as it is now. */
static bool report_member(struct family *family, struct member *member, u64 time)
{
	const struct filter_set *set = family->ask->set;
	struct report_process *entry;
	struct thread *thread;

	DL_FOREACH(member->threads, thread)
	family__compare(family, member, thread);
	family__answer(family, member);
	if (!remember(family, member, time))
		return false;
	entry = report_add(family->report, &member->process, family->objects);
	if (!entry)
		return false;
	for (size_t i = 0; i < set->count; i++) {
		if (!family__notes(member, &set->filters[i], i, &entry->filters[i]))
			return false;
	}
	return true;
}

bool family__end(struct family *family, struct member *member, u64 time, pid_t tid)
{
	struct watch_event event = { .kind = WATCH_EXIT, .tid = tid, .time = time };

	family__tell(family, member, &event);
	if (!report_member(family, member, time))
		return false;
	if (runs_on(member->pid) &&
	    !add_runs_on(family->ask->set, &family->report->processes[family->report->count - 1]))
		return false;
	if (member->pid == family->main)
		family->main_ended = true;
	member_remove(family, member);
	return true;
}

bool family__lost(struct family *family, u64 since)
{
	const struct filter_set *set = family->ask->set;

	for (size_t n = 0; n < family->report->count; n++) {
		struct report_process *process = &family->report->processes[n];

		if (family->entries[n].ended < since)
			continue;
		for (size_t i = 0; i < set->count; i++) {
			if (set->filters[i].source == ITF_SOURCE_FILE &&
			    !report_note(&process->filters[i], ITF_NOTE_MAY_BE_STALE, NULL))
				return false;
		}
	}
	return true;
}

static int by_birth(const void *a, const void *b)
{
	u64 left = ((const struct family_entry *)a)->born;
	u64 right = ((const struct family_entry *)b)->born;

	return left < right ? -1 : left > right;
}

/* Processes came to the report as they ended; the first to begin is to be the first. */
static bool sort_report(struct family *family)
{
	struct report *report = family->report;
	struct report_process *sorted;

	if (report->count < 2)
		return true;
	sorted = calloc(report->count, sizeof(*sorted));
	if (!sorted)
		return false;
	qsort(family->entries, report->count, sizeof(*family->entries), by_birth);
	for (size_t i = 0; i < report->count; i++)
		sorted[i] = report->processes[family->entries[i].at];
	memcpy(report->processes, sorted, report->count * sizeof(*sorted));
	free(sorted);
	return true;
}

bool family_finish(struct family *family)
{
	struct member *member, *next;
	u64 now = monotonic();

	HASH_ITER(hh, family->members, member, next) {
		if (!report_member(family, member, now))
			return false;
		member_remove(family, member);
	}
	return sort_report(family);
}
