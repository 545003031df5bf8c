// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * From a process id to events on every thread. Threads come and go meanwhile: one that a followed
 * thread makes is followed by itself, all others have to be found. Must not decode records.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "procfs.h"
#include "refused.h"
#include "target.h"

/* The list of threads is read until it shows nothing new, but not for ever. */
#define ROUNDS 64

/* A thread can be seen this much before its record, in microseconds. */
#define SEEN_BEFORE 1000

/* The longest name that the kernel gives, even to a thread of its own, with room to spare. */
#define COMM_MAX 256

static bool fail(struct trouble *trouble, pid_t pid, const char *what, const char *hint)
{
	snprintf(trouble->text, sizeof(trouble->text), "process %ld %s", (long)pid, what);
	snprintf(trouble->hint, sizeof(trouble->hint), "%s", hint);
	return false;
}

static ssize_t read_proc(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, text, size - 1);
	close(fd);
	if (n >= 0)
		text[n] = '\0';
	return n;
}

bool target_of(struct target *target, pid_t pid, struct trouble *trouble)
{
	char text[4096], comm[COMM_MAX];
	const char *line;
	ssize_t n;

	*target = (struct target){ 0 };
	/*
	 * 0 and negative numbers name no process, though "/proc/0" might be looked up. Events are
	 * asked for by our numbers.
	 */
	if (pid <= 0 || !procfs_is_ours() || read_proc(pid, "status", text, sizeof(text)) <= 0)
		return procfs_missing(trouble, pid);
	/* The name comes first and is escaped, so this is the line itself. */
	line = strstr(text, "\nTgid:");
	target->pid = line ? (pid_t)strtol(line + strlen("\nTgid:"), NULL, 10) : pid;
	n = read_proc(target->pid, "comm", comm, sizeof(comm));
	if (n <= 0)
		return procfs_missing(trouble, pid);
	/* A name may hold newlines of its own; the last one is /proc's. */
	if (comm[n - 1] == '\n')
		n--;
	target->comm = strndup(comm, (size_t)n);
	if (!target->comm) {
		refused_memory(trouble);
		return false;
	}
	target->comm_len = strlen(target->comm);
	return true;
}

static bool has(const struct target *target, pid_t tid)
{
	for (size_t i = 0; i < target->count; i++) {
		if (target->tids[i] == tid)
			return true;
	}
	return false;
}

static bool add(struct target *target, pid_t tid)
{
	pid_t *tids = reallocarray(target->tids, target->count + 1, sizeof(*tids));

	if (!tids)
		return false;
	target->tids = tids;
	tids[target->count++] = tid;
	return true;
}

/* What target_follow() was given. */
struct following {
	struct target *target;
	struct rings *rings;
	bool (*read)(void *ctx);
	bool (*known)(pid_t tid, void *ctx);
	void *ctx;
	struct trouble *trouble;
	bool first;
	bool found;
};

/* A thread of the list. Return: false on trouble. */
static bool follow_thread(struct following *f, pid_t tid)
{
	bool gone;

	if (has(f->target, tid))
		return true;
	if (!f->first) {
		/* Followed already, if one of those that are made it. */
		usleep(SEEN_BEFORE);
		if (!f->read(f->ctx)) {
			refused_memory(f->trouble);
			return false;
		}
		if (f->known(tid, f->ctx))
			return true;
	}
	f->found = true;
	if (!rings_follow(f->rings, tid, false, &gone, f->trouble))
		return gone;
	if (add(f->target, tid))
		return true;
	refused_memory(f->trouble);
	return false;
}

/* One reading of the list of threads. Return: false on trouble. */
static bool follow_list(struct following *f)
{
	struct dirent *entry;
	bool ok = true;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%ld/task", (long)f->target->pid);
	dir = opendir(path);
	if (!dir)
		return procfs_missing(f->trouble, f->target->pid);
	f->found = false;
	while (ok && (entry = readdir(dir))) {
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			ok = follow_thread(f, (pid_t)strtol(entry->d_name, NULL, 10));
	}
	closedir(dir);
	return ok;
}

bool target_follow(struct target *target, struct rings *rings, bool (*read)(void *ctx),
		   bool (*known)(pid_t tid, void *ctx), void *ctx, struct reread *reread,
		   struct trouble *trouble)
{
	struct following f = { target, rings, read, known, ctx, trouble, true, true };
	pid_t pid = target->pid;

	for (int round = 0; f.found && round < ROUNDS; round++) {
		if (!follow_list(&f))
			return false;
		f.first = false;
	}
	if (!target->count)
		return fail(trouble, pid, "has ended", "");
	if (!reread_now(reread, pid, target->tids[target->count - 1], &target->maps)) {
		snprintf(trouble->text, sizeof(trouble->text), "cannot read /proc/%ld/maps: %s",
			 (long)pid, strerror(errno));
		snprintf(trouble->hint, sizeof(trouble->hint),
			 "it takes the user of the process, or CAP_SYS_PTRACE: try it as root");
		return false;
	}
	if (!target->maps.count)
		return fail(trouble, pid, "has no mappings",
			    "a kernel thread has none, nor has a process that is just ending");
	return true;
}

void target_free(struct target *target)
{
	free(target->comm);
	free(target->tids);
	free(target->maps.maps);
	*target = (struct target){ 0 };
}
