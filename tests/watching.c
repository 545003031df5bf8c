// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Watches over actors. Checks nothing but that it could do its own work. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actor.h"
#include "host/ring.h"
#include "watching.h"

void watching_filter(struct watching *w, const char *format)
{
	const struct itf_syntax syntax = { .quotes = true };
	char text[512];
	int n;

	set_free(&w->set);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	n = snprintf(text, sizeof(text), format, w->file, w->file);
#pragma GCC diagnostic pop
	ck_assert(set_parse(&w->set, text, (size_t)n, &syntax));
	ck_assert_int_eq(w->set.error, ITF_OK);
}

void watching_init(struct watching *w)
{
	size_t size = PAGES * (size_t)sysconf(_SC_PAGESIZE);
	char format[64];
	int fd, pair[2];

	*w = (struct watching){ .bytes = RING_BYTES, .file = "/tmp/itf-watch-XXXXXX" };
	fd = mkstemp(w->file);
	ck_assert(fd >= 0 && ftruncate(fd, (off_t)size) == 0 && fchmod(fd, 0755) == 0);
	close(fd);
	snprintf(format, sizeof(format), "filter file:0/%#zx@%%s", size);
	watching_filter(w, format);
	w->program = actor_program();
	ck_assert(pipe2(pair, O_CLOEXEC) == 0 && dup2(pair[0], CUE_FD) == CUE_FD);
	close(pair[0]);
	w->cue = pair[1];
	w->cue_on = WATCH_MMAP;
	w->cues = 100;
	w->ask.set = &w->set;
	w->ask.stdout_fd = STDERR_FILENO;
}

/* A process that does one thing in a while and is gone; not a child, so nobody waits for it. */
static bool later(unsigned int ms)
{
	pid_t pid = fork();

	ck_assert(pid >= 0);
	if (pid) {
		waitpid(pid, NULL, 0);
		return false;
	}
	if (fork())
		_exit(0);
	usleep(ms * 1000);
	return true;
}

void watching_cue_later(struct watching *w, unsigned int ms)
{
	if (later(ms))
		_exit(write(w->cue, "c", 1) != 1);
}

void watching_signal_later(int sig, unsigned int ms)
{
	pid_t pid = getpid();

	if (later(ms))
		_exit(kill(pid, sig) != 0);
}

pid_t watching_start(struct watching *w, const char *scene)
{
	int pair[2];
	pid_t pid;
	char byte;

	ck_assert(pipe2(pair, O_CLOEXEC) == 0);
	pid = fork();
	ck_assert(pid >= 0);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(pair[1], STDOUT_FILENO);
		execl(actor_program(), "actor", ACT, scene, w->file, NULL);
		_exit(96);
	}
	close(pair[1]);
	ck_assert(read(pair[0], &byte, 1) == 1);
	close(pair[0]);
	return pid;
}

static bool on_event(const struct watch_event *event, void *ctx)
{
	struct watching *w = ctx;
	struct told *told = &w->events[w->count % EVENTS_MAX];

	if (w->count++ < EVENTS_MAX) {
		*told = (struct told){
			.kind = event->kind,
			.pid = event->pid,
			.tid = event->tid,
			.child = event->child,
			.time = event->time,
			.lost = event->lost,
			.mapping = event->mapping,
		};
		if (event->process)
			told->slot = event->process->track.launch[0];
		if (event->comm)
			snprintf(told->comm, sizeof(told->comm), "%.*s", (int)event->comm_len,
				 event->comm);
	}
	w->counts[event->kind]++;
	if (event->kind == WATCH_MMAP && w->raise)
		ck_assert(kill(getpid(), w->raise) == 0);
	if (event->kind == w->cue_on && w->cues) {
		w->cues--;
		ck_assert(write(w->cue, "c", 1) == 1);
		usleep(w->pause * 1000);
	}
	return true;
}

void watching_run(struct watching *w, const char *scene)
{
	char *command[] = { w->program, (char *)ACT, (char *)scene, w->file, NULL };

	if (scene)
		w->ask.command = command;
	w->ask.event = on_event;
	w->ask.ctx = w;
	report_init(&w->report, &w->set, NULL, JUDGE_LAUNCH);
	w->ok = watch_run_with(&w->report, &w->ask, w->bytes, &w->end, &w->trouble);
	if (scene)
		w->ask.command = NULL;
}

const struct report_filter *watching_filter_of(const struct watching *w, size_t process)
{
	ck_assert_msg(w->ok, "%s (%s)", w->trouble.text, w->trouble.hint);
	ck_assert_uint_lt(process, w->report.count);
	return &w->report.processes[process].filters[0];
}

const struct report_note *watching_note(const struct report_filter *filter, enum itf_note code)
{
	for (size_t i = 0; i < filter->note_count; i++) {
		if (filter->notes[i].code == code)
			return &filter->notes[i];
	}
	return NULL;
}

const struct told *watching_last(const struct watching *w, enum watch_kind kind)
{
	size_t count = w->count < EVENTS_MAX ? w->count : EVENTS_MAX;

	while (count--) {
		if (w->events[count].kind == kind)
			return &w->events[count];
	}
	return NULL;
}

void watching_free(struct watching *w)
{
	report_free(&w->report);
	set_free(&w->set);
	unlink(w->file);
	close(w->cue);
	close(CUE_FD);
}

bool events_refused(int *status)
{
	const char *tap = getenv("CK_TAP_LOG_FILE_NAME");
	struct trouble trouble;
	struct rings rings;
	bool gone, ok;

	if (!rings_init(&rings, RING_BYTES, &trouble))
		return false;
	ok = rings_follow(&rings, getpid(), false, &gone, &trouble);
	rings_free(&rings);
	if (ok)
		return false;
	fprintf(stderr, "SKIP: %s (%s)\n", trouble.text, trouble.hint);
	if (tap)
		printf("1..0 # SKIP %s\n", trouble.text);
	/* 77 says it to automake, unless it reads TAP. */
	*status = tap ? EXIT_SUCCESS : 77;
	return true;
}
