/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the tests of the watch share: a file to map, a watch over an actor, and what it told. */
#ifndef ITF_TESTS_WATCHING_H
#define ITF_TESTS_WATCHING_H

#include "host/watch_internal.h"

/* Events that are kept; more are counted only. */
#define EVENTS_MAX 64

/**
 * struct told - one event
 * @kind: of struct watch_event, as all up to @mapping
 * @pid: likewise
 * @tid: likewise
 * @child: likewise
 * @time: likewise
 * @lost: likewise
 * @mapping: likewise
 * @slot: launch answer of the first filter, as it was then
 * @comm: command name, NUL-terminated
 */
struct told {
	enum watch_kind kind;
	pid_t pid;
	pid_t tid;
	pid_t child;
	u64 time;
	u64 lost;
	struct itf_mapping mapping;
	struct itf_slot slot;
	char comm[32];
};

/**
 * struct watching - one watch, and what came of it
 * @file: the file that actors map
 * @program: what is run
 * @set: one filter, over all of it
 * @ask: what is asked; change it before watch()
 * @bytes: of a ring
 * @cue_on: an event of this kind gives the actor its cue; each mapping, if nothing else is said
 * @cues: so many events of that kind give it
 * @pause: milliseconds that the cue makes the watch sleep
 * @raise: each mapping sends this signal to the watch; 0 for none
 * @ok: watch_run() succeeded
 * @report: its report
 * @end: its end
 * @trouble: its trouble
 * @events: the first events
 * @count: events in all
 * @counts: events of each kind
 * @cue: where cues are written
 */
struct watching {
	char file[64];
	char *program;
	struct filter_set set;
	struct watch_ask ask;
	size_t bytes;
	enum watch_kind cue_on;
	unsigned int cues;
	unsigned int pause;
	int raise;
	bool ok;
	struct report report;
	struct watch_end end;
	struct trouble trouble;
	struct told events[EVENTS_MAX];
	size_t count;
	size_t counts[WATCH_LOST + 1];
	int cue;
};

/**
 * watching_init() - a file of PAGES pages, a filter over all of it, nobody to watch
 * @w: filled
 */
void watching_init(struct watching *w);

/**
 * watching_filter() - another filter set
 * @w: from watching_init()
 * @format: the filters, with %s for the file
 */
void watching_filter(struct watching *w, const char *format);

/**
 * watching_start() - an actor that is not watched yet
 * @w: from watching_init()
 * @scene: its scene; it writes a byte to its standard output when it is ready
 *
 * Return: its process.
 */
pid_t watching_start(struct watching *w, const char *scene);

/**
 * watching_cue_later() - a cue in a while, whatever happens
 * @w: from watching_init()
 * @ms: milliseconds from now
 */
void watching_cue_later(struct watching *w, unsigned int ms);

/**
 * watching_signal_later() - send a signal to this process in a while
 * @sig: signal
 * @ms: milliseconds from now
 */
void watching_signal_later(int sig, unsigned int ms);

/**
 * watching_run() - watch a scene, or if it is NULL what @w->ask says
 * @w: from watching_init()
 * @scene: scene
 */
void watching_run(struct watching *w, const char *scene);

/**
 * watching_filter_of() - the first filter of a process of the report
 * @w: after watching_run()
 * @process: index of the process
 *
 * Return: the entry.
 */
const struct report_filter *watching_filter_of(const struct watching *w, size_t process);

/**
 * watching_note() - a note in an entry
 * @filter: entry
 * @code: which
 *
 * Return: the note, NULL if it is not there.
 */
const struct report_note *watching_note(const struct report_filter *filter, enum itf_note code);

/**
 * watching_last() - the last event of a kind that was kept
 * @w: after watching_run()
 * @kind: kind
 *
 * Return: the event; NULL if there is none.
 */
const struct told *watching_last(const struct watching *w, enum watch_kind kind);

/**
 * watching_free() - release everything; actors that are left are killed with the test
 * @w: a watch
 */
void watching_free(struct watching *w);

/**
 * events_refused() - does the kernel refuse perf events here
 * @status: set to the exit status that says that tests were left out
 *
 * Says so loudly, in the way in which the harness reads it.
 *
 * Return: whether it does.
 */
bool events_refused(int *status);

#endif
