/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What resolve and watch found, ready to be printed: no pointers into anything that still changes
 * but the set itself. Made from processes by report_add(); printed by cli/text.c and cli/json.c.
 */
#ifndef ITF_HOST_REPORT_H
#define ITF_HOST_REPORT_H

#include "object.h"
#include "process.h"
#include "set.h"

/**
 * enum report_judge - which linux answer the verdict is about (SPEC 4)
 * @JUDGE_LAUNCH: launch
 * @JUDGE_ATTACH: attach
 * @JUDGE_WORSE: the worse of both
 */
enum report_judge {
	JUDGE_LAUNCH,
	JUDGE_ATTACH,
	JUDGE_WORSE
};

/**
 * struct report_note - one note
 * @code: which
 * @detail: what to show behind the note's own message, such as "thread 1234"; owned; NULL if none
 */
struct report_note {
	enum itf_note code;
	char *detail;
};

/**
 * struct report_filter - one filter in one process
 * @exact: array of @exact_count pieces by address, owned
 * @exact_count: pieces
 * @launch: Linux's answer on launch
 * @attach: Linux's answer on attach
 * @launch_hw: with a model and if anything is programmed, what; else @launch_has_hw is false
 * @launch_has_hw: likewise
 * @attach_hw: likewise
 * @attach_has_hw: likewise
 * @verdict: the verdict
 * @notes: array of @note_count notes in the order of enum itf_note, owned
 * @note_count: notes
 */
struct report_filter {
	struct itf_piece *exact;
	size_t exact_count;
	struct itf_slot launch;
	struct itf_slot attach;
	struct itf_hw launch_hw;
	bool launch_has_hw;
	struct itf_hw attach_hw;
	bool attach_has_hw;
	enum itf_verdict verdict;
	struct report_note *notes;
	size_t note_count;
};

/**
 * struct report_process - one process
 * @pid: 0 if not known
 * @judge: which answer its verdicts are about
 * @comm: owned; NULL if not known
 * @comm_len: bytes in @comm
 * @filters: array, one for each filter of the set, owned
 */
struct report_process {
	pid_t pid;
	enum report_judge judge;
	char *comm;
	size_t comm_len;
	struct report_filter *filters;
};

struct report_guess;

/**
 * struct report - the report
 * @set: the set, not owned
 * @pmu: the model, not owned; NULL if none was asked for
 * @judge: which answer the verdicts are about; of a recording it may differ from process to
 *	process
 * @recorded: processes are of another time or machine: their ids lead nowhere
 * @processes: array of @count, owned
 * @count: processes
 * @guesses: private
 */
struct report {
	const struct filter_set *set;
	const struct itf_pmu *pmu;
	enum report_judge judge;
	bool recorded;
	struct report_process *processes;
	size_t count;
	struct report_guess *guesses;
};

/**
 * report_init() - an empty report
 * @report: filled; release it with report_free()
 * @set: kept
 * @pmu: kept; NULL for none
 * @judge: which answer the verdicts are about
 */
void report_init(struct report *report, const struct filter_set *set, const struct itf_pmu *pmu,
		 enum report_judge judge);

/**
 * report_add() - add a process as it is now
 * @report: a report
 * @process: made from the report's set
 * @objects: the set's object files; their @seen become notes
 *
 * Return: the new entry, valid until the next call; NULL with errno set if memory ran out.
 */
struct report_process *report_add(struct report *report, const struct process *process,
				  const struct objects *objects);

/**
 * report_note() - add a note to one filter of a process, or give an existing one a detail
 * @filter: where
 * @code: which
 * @detail: copied; NULL for none
 *
 * Return: true; false with errno set if memory ran out.
 */
bool report_note(struct report_filter *filter, enum itf_note code, const char *detail);

/**
 * report_trouble() - does the report call for exit status 3 (SPEC 6)
 * @report: a report
 *
 * Return: whether a filter runs away in any process, or is none or unknown in all of them.
 */
bool report_trouble(const struct report *report);

/**
 * report_free() - release what a report owns
 * @report: a report
 */
void report_free(struct report *report);

#endif
