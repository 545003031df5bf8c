/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Follow a command or a process through the kernel's own events (perf_event_open, the software
 * dummy event), without any tracing hardware.
 */
#ifndef ITF_HOST_WATCH_H
#define ITF_HOST_WATCH_H

#include "resolve.h"

/**
 * enum watch_kind - what happened
 * @WATCH_MMAP: a mapping that concerns a filter: a file mapping of one of its object files
 * @WATCH_EXEC: exec
 * @WATCH_FORK: a new process
 * @WATCH_EXIT: a process ended
 * @WATCH_LOST: the kernel dropped records
 */
enum watch_kind {
	WATCH_MMAP,
	WATCH_EXEC,
	WATCH_FORK,
	WATCH_EXIT,
	WATCH_LOST
};

/**
 * struct watch_event - one change
 * @kind: what happened
 * @pid: process
 * @tid: thread that did it
 * @time: nanoseconds, the kernel's clock of the events
 * @child: of WATCH_FORK: the new process
 * @comm: of WATCH_EXEC: the new command name; NULL otherwise. Valid during the call
 * @comm_len: bytes in @comm
 * @lost: of WATCH_LOST: records dropped
 * @mapping: of WATCH_MMAP: the mapping
 * @name: of WATCH_MMAP: file name as the kernel tells it. Valid during the call
 * @name_len: bytes in @name
 * @process: the process as it is after the change, with its linux answers; NULL for WATCH_LOST
 */
struct watch_event {
	enum watch_kind kind;
	pid_t pid;
	pid_t tid;
	u64 time;
	pid_t child;
	const char *comm;
	size_t comm_len;
	u64 lost;
	struct itf_mapping mapping;
	const char *name;
	size_t name_len;
	const struct process *process;
};

/**
 * struct watch_ask - what to watch
 * @set: the filters; their objects are set
 * @command: NULL-terminated argument vector, run with PATH looked up; NULL to watch @pid
 * @pid: a running process, if @command is NULL
 * @stdout_fd: where the command's standard output goes; -1 to leave it
 * @event: called for each change, in the order of time. Returns false once nobody takes them any
 *	more: that ends the watch of a process, not that of a command
 * @ctx: passed to @event
 */
struct watch_ask {
	struct filter_set *set;
	char *const *command;
	pid_t pid;
	int stdout_fd;
	bool (*event)(const struct watch_event *event, void *ctx);
	void *ctx;
};

/**
 * struct watch_end - how it ended
 * @has_status: there was a command and it ended
 * @exited: it ended by exit; else by a signal
 * @status: its exit status or the signal's number
 * @interrupted: SIGINT, SIGTERM or SIGHUP ended the watch
 * @lost: records dropped in all
 */
struct watch_end {
	bool has_status;
	bool exited;
	int status;
	bool interrupted;
	u64 lost;
};

/**
 * watch_run() - watch until the command and its children have ended, the process has, or SIGINT
 * @report: an initialised, empty report that judges launch; one entry a process, as it was just
 *	before it ended
 * @ask: what to watch
 * @end: set on success
 * @trouble: set on failure
 *
 * Return: true; false if the kernel refused the events (the hint tells which sysctl or capability
 * helps), the command could not be run, there is no such process, or memory ran out.
 */
bool watch_run(struct report *report, const struct watch_ask *ask, struct watch_end *end,
	       struct trouble *trouble);

#endif
