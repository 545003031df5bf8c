// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What came out, for every filter of every process: answers, verdict and notes. Asks the engine and
 * the object files; must not print anything.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf.h"
#include "report.h"

/* Room for one more in an array that has room for the next power of two. NULL if memory ran out. */
static void *room_for_one(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	return reallocarray(array, count ? count * 2 : 1, size);
}

void report_init(struct report *report, const struct filter_set *set, const struct itf_pmu *pmu,
		 enum report_judge judge)
{
	*report = (struct report){ .set = set, .pmu = pmu, .judge = judge };
}

bool report_note(struct report_filter *filter, enum itf_note code, const char *detail)
{
	struct report_note note = { .code = code };
	struct report_note *notes;
	size_t at = 0;

	if (detail) {
		note.detail = strdup(detail);
		if (!note.detail)
			return false;
	}
	while (at < filter->note_count && filter->notes[at].code < code)
		at++;
	if (at < filter->note_count && filter->notes[at].code == code) {
		if (detail) {
			free(filter->notes[at].detail);
			filter->notes[at].detail = note.detail;
		}
		return true;
	}
	notes = room_for_one(filter->notes, filter->note_count, sizeof(*notes));
	if (!notes) {
		free(note.detail);
		return false;
	}
	filter->notes = notes;
	memmove(notes + at + 1, notes + at, (filter->note_count - at) * sizeof(*notes));
	notes[at] = note;
	filter->note_count++;
	return true;
}

static bool add_notes(struct report_filter *out, u32 notes)
{
	for (unsigned int code = 0; code < ITF_NOTE_COUNT; code++) {
		if (notes & ITF_NOTE_BIT(code) && !report_note(out, (enum itf_note)code, NULL))
			return false;
	}
	return true;
}

/* ---------------------------------------------------------------------- what matters to whom */

/*
 * The mappings of a process, sorted by object: those of object I are @maps[@end[I - 2]] to
 * @maps[@end[I - 1]]. Each filter then looks at the few of its own object instead of at all.
 */
struct views {
	struct itf_mapping *maps;
	size_t *end;
};

/* First to count, then to copy. */
static void put(struct views *views, u64 object, const struct itf_mapping *mapping)
{
	size_t at = views->end[object - 1]++;

	if (views->maps)
		views->maps[at] = *mapping;
}

/*
 * To an object matter its own mappings; the anonymous memory right behind one, which may fill a
 * hole in the file; and of other files' mappings the first behind one, which ends such a hole.
 */
static void sort_by_object(struct views *views, const struct itf_space *space, size_t objects)
{
	u64 last = 0, end = 0;

	for (size_t i = 0; i < space->count; i++) {
		const struct itf_mapping *mapping = &space->maps[i];

		if (!mapping->object) {
			if (last && mapping->start == end) {
				put(views, last, mapping);
				end += mapping->size;
			}
			continue;
		}
		if (last && last != mapping->object)
			put(views, last, mapping);
		last = mapping->object <= objects ? mapping->object : 0;
		if (last)
			put(views, last, mapping);
		end = mapping->start + mapping->size;
	}
}

/* Return: false if memory ran out; @views are to be released in any case. */
static bool make_views(struct views *views, const struct itf_space *space, size_t objects)
{
	size_t total = 0;

	*views = (struct views){ .end = calloc(objects + 1, sizeof(*views->end)) };
	if (!views->end)
		return false;
	sort_by_object(views, space, objects);
	for (size_t i = 0; i < objects; i++) {
		size_t count = views->end[i];

		views->end[i] = total;
		total += count;
	}
	views->maps = calloc(total + 1, sizeof(*views->maps));
	if (!views->maps)
		return false;
	sort_by_object(views, space, objects);
	return true;
}

static struct itf_space view_of(const struct views *views, u64 object, unsigned int addr_bits)
{
	struct itf_space view;
	size_t first;

	itf_space_init(&view, NULL, 0, addr_bits);
	if (object) {
		first = object > 1 ? views->end[object - 2] : 0;
		view.maps = views->maps + first;
		view.count = views->end[object - 1] - first;
		view.capacity = view.count;
	}
	return view;
}

static void free_views(struct views *views)
{
	free(views->maps);
	free(views->end);
}

/* ---------------------------------------------------------------------- one filter */

static bool add_exact(struct report_filter *out, const struct itf_space *space,
		      const struct itf_filter *filter)
{
	struct itf_exact it;
	struct itf_piece piece;

	itf_exact_init(&it, space, filter);
	while (itf_exact_next(&it, &piece)) {
		struct itf_piece *exact;

		exact = room_for_one(out->exact, out->exact_count, sizeof(*exact));
		if (!exact)
			return false;
		out->exact = exact;
		exact[out->exact_count++] = piece;
	}
	return true;
}

/*
 * One linux answer judged. If the list of mappings was cut short, a filter that nothing matched may
 * well have matched what is missing; whatever did match is judged as it is.
 */
static enum itf_verdict judge_slot(const struct itf_space *view, const struct itf_filter *filter,
				   const struct itf_slot *slot, bool truncated)
{
	enum itf_verdict verdict = itf_judge(view, filter, slot);

	if (verdict == ITF_VERDICT_NONE && !slot->matched && itf_in_mainline(filter) && truncated)
		return ITF_VERDICT_UNKNOWN;
	return verdict;
}

/* Unknown is no answer, so it gives way to whatever is certainly worse. */
static enum itf_verdict worse(enum itf_verdict a, enum itf_verdict b)
{
	if (a == ITF_VERDICT_RUNAWAY || b == ITF_VERDICT_RUNAWAY)
		return ITF_VERDICT_RUNAWAY;
	return a > b ? a : b;
}

static enum itf_verdict judge(const struct itf_space *view, const struct itf_filter *filter,
			      const struct report_filter *out, enum report_judge about,
			      bool truncated)
{
	switch (about) {
	case JUDGE_LAUNCH:
		return judge_slot(view, filter, &out->launch, truncated);
	case JUDGE_ATTACH:
		return judge_slot(view, filter, &out->attach, truncated);
	case JUDGE_WORSE:
		break;
	}
	return worse(judge_slot(view, filter, &out->launch, truncated),
		     judge_slot(view, filter, &out->attach, truncated));
}

/* Return: whether anything is programmed; @notes then tell what is special about it. */
static bool program(const struct itf_pmu *pmu, const struct itf_filter *filter,
		    const struct itf_slot *slot, struct itf_hw *hw, u32 *notes)
{
	bool programmed = slot->matched && itf_pmu_program(pmu, filter, &slot->range, hw);

	if (hw->clamped)
		*notes |= ITF_NOTE_BIT(ITF_NOTE_NON_CANONICAL);
	return programmed;
}

/* Was an address written where a file offset belongs? */
static bool add_address_note(struct report_filter *out, const struct itf_filter *filter,
			     const struct object *object, pid_t pid)
{
	char *detail = NULL;
	char path[64];
	bool ok = true;
	int fd = object_open(object->path, pid);

	if (fd < 0)
		return true;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (elf_looks_like_address(path, filter->start, &detail))
		ok = report_note(out, ITF_NOTE_LOOKS_LIKE_ADDRESS, detail);
	free(detail);
	close(fd);
	return ok;
}

/* Whether an address was written where a file offset belongs, asked once for all processes. */
struct report_guess {
	bool known;
	struct report_filter found; /* with that note or without */
};

/* As add_address_note() for a process that is not there. */
static bool add_guess(struct report_filter *out, struct report *report, size_t index,
		      const struct objects *objects)
{
	const struct itf_filter *filter = &report->set->filters[index];
	struct report_guess *guess;

	if (!report->guesses)
		report->guesses = calloc(report->set->count, sizeof(*report->guesses));
	if (!report->guesses)
		return false;
	guess = &report->guesses[index];
	if (!guess->known &&
	    !add_address_note(&guess->found, filter, &objects->list[filter->object - 1], 0))
		return false;
	guess->known = true;
	return !guess->found.note_count ||
	       report_note(out, guess->found.notes->code, guess->found.notes->detail);
}

/*
 * Notes explain whatever is shown, and both linux answers always are: a range of size 0 beside a
 * good verdict of the other answer would be a riddle without its note.
 */
static bool add_filter(struct report_filter *out, struct report *report, size_t index,
		       const struct process *process, const struct objects *objects,
		       const struct views *views)
{
	const struct itf_filter *filter = &report->set->filters[index];
	const struct itf_track *track = &process->track;
	struct itf_space view = view_of(views, filter->object, track->space.addr_bits);
	u32 notes;

	out->launch = track->launch[index];
	out->attach = track->attach[index];
	if (!add_exact(out, &view, filter))
		return false;
	out->verdict = judge(&view, filter, out, report->judge,
			     process->notes & ITF_NOTE_BIT(ITF_NOTE_TRUNCATED_MAPS));
	notes = itf_explain(&view, filter, &out->launch, &out->attach);
	if (filter->source == ITF_SOURCE_FILE)
		notes |= process->notes;
	if (filter->object)
		notes |= objects->list[filter->object - 1].seen;
	if (report->pmu) {
		out->launch_has_hw =
			program(report->pmu, filter, &out->launch, &out->launch_hw, &notes);
		out->attach_has_hw =
			program(report->pmu, filter, &out->attach, &out->attach_hw, &notes);
	}
	if (!add_notes(out, notes))
		return false;
	if (!filter->object || out->verdict == ITF_VERDICT_COVERED)
		return true;
	return report->recorded ? add_guess(out, report, index, objects) :
				  add_address_note(out, filter, &objects->list[filter->object - 1],
						   process->pid);
}

static void free_filter(struct report_filter *filter)
{
	for (size_t i = 0; i < filter->note_count; i++)
		free(filter->notes[i].detail);
	free(filter->notes);
	free(filter->exact);
}

static void free_process(struct report_process *process, size_t filters)
{
	for (size_t i = 0; process->filters && i < filters; i++)
		free_filter(&process->filters[i]);
	free(process->filters);
	free(process->comm);
}

/* Return: false if memory ran out; @out is to be released in any case. */
static bool fill_process(struct report_process *out, struct report *report,
			 const struct process *process, const struct objects *objects)
{
	size_t count = report->set->count;
	struct views views;
	bool ok;

	out->pid = process->pid;
	out->judge = report->judge;
	if (process->comm) {
		out->comm = malloc(process->comm_len + 1);
		if (!out->comm)
			return false;
		memcpy(out->comm, process->comm, process->comm_len);
		out->comm[process->comm_len] = '\0';
		out->comm_len = process->comm_len;
	}
	out->filters = calloc(count ? count : 1, sizeof(*out->filters));
	if (!out->filters)
		return false;
	ok = make_views(&views, &process->track.space, objects->count);
	for (size_t i = 0; ok && i < count; i++)
		ok = add_filter(&out->filters[i], report, i, process, objects, &views);
	free_views(&views);
	return ok;
}

struct report_process *report_add(struct report *report, const struct process *process,
				  const struct objects *objects)
{
	struct report_process entry = { 0 };
	struct report_process *processes;

	processes = room_for_one(report->processes, report->count, sizeof(*processes));
	if (processes)
		report->processes = processes;
	if (!processes || !fill_process(&entry, report, process, objects)) {
		free_process(&entry, report->set->count);
		errno = ENOMEM;
		return NULL;
	}
	processes[report->count] = entry;
	return &processes[report->count++];
}

bool report_trouble(const struct report *report)
{
	for (size_t i = 0; i < report->set->count; i++) {
		bool in_all = true;

		for (size_t p = 0; p < report->count; p++) {
			enum itf_verdict verdict = report->processes[p].filters[i].verdict;

			if (verdict == ITF_VERDICT_RUNAWAY)
				return true;
			if (verdict != ITF_VERDICT_NONE && verdict != ITF_VERDICT_UNKNOWN)
				in_all = false;
		}
		if (in_all)
			return true;
	}
	return false;
}

void report_free(struct report *report)
{
	for (size_t i = 0; i < report->count; i++)
		free_process(&report->processes[i], report->set->count);
	free(report->processes);
	for (size_t i = 0; report->guesses && i < report->set->count; i++)
		free_filter(&report->guesses[i].found);
	free(report->guesses);
	*report = (struct report){ 0 };
}
