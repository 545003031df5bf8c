// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Start a command: fork, wait, exec, and tell whether exec worked. Knows nothing of events. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spawn.h"

/* What a shell says too if a command cannot be run. Nobody sees it: the parent reports why. */
#define NOT_RUN 127

__attribute__((noreturn)) static void run(char *const *command, int stdout_fd, const sigset_t *mask,
					  int go, int failed)
{
	char byte;
	ssize_t n;
	int error;

	do
		n = read(go, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(NOT_RUN); /* given up, or the parent is gone */
	if (stdout_fd >= 0 && stdout_fd != STDOUT_FILENO && dup2(stdout_fd, STDOUT_FILENO) < 0)
		goto out;
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(command[0], command);
out:
	error = errno;
	do
		n = write(failed, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	_exit(NOT_RUN);
}

static void close_pair(const int *pair)
{
	close(pair[0]);
	close(pair[1]);
}

static bool fail(struct trouble *trouble, const char *what, int error, const char *hint)
{
	snprintf(trouble->text, sizeof(trouble->text), "%s: %s", what, strerror(error));
	snprintf(trouble->hint, sizeof(trouble->hint), "%s", hint);
	return false;
}

bool spawn_wait(struct spawned *spawned, char *const *command, int stdout_fd, const sigset_t *mask,
		struct trouble *trouble)
{
	int go[2], failed[2], error;
	pid_t pid;

	*spawned = (struct spawned){ .go = -1, .failed = -1 };
	/* A socket: writing to a pipe whose child was killed meanwhile would kill us too. */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, go))
		return fail(trouble, "cannot make a socket", errno, "");
	if (pipe2(failed, O_CLOEXEC)) {
		error = errno;
		close_pair(go);
		return fail(trouble, "cannot make a pipe", error, "");
	}
	pid = fork();
	if (pid == 0) {
		close(go[1]);
		close(failed[0]);
		run(command, stdout_fd, mask, go[0], failed[1]);
	}
	error = errno;
	close(go[0]);
	close(failed[1]);
	if (pid < 0) {
		close(go[1]);
		close(failed[0]);
		return fail(trouble, "cannot make a process", error, "");
	}
	*spawned = (struct spawned){ .pid = pid, .go = go[1], .failed = failed[0] };
	return true;
}

/* Close what is open and take the exit status of a process that cannot run for long any more. */
static void reap(struct spawned *spawned)
{
	if (spawned->go >= 0)
		close(spawned->go);
	if (spawned->failed >= 0)
		close(spawned->failed);
	while (waitpid(spawned->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*spawned = (struct spawned){ .go = -1, .failed = -1 };
}

bool spawn_go(struct spawned *spawned, const char *name, struct trouble *trouble)
{
	char what[384];
	int error = 0;
	ssize_t n;

	do
		n = send(spawned->go, "", 1, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	close(spawned->go);
	spawned->go = -1;
	do
		n = read(spawned->failed, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	close(spawned->failed);
	spawned->failed = -1;
	if (n != (ssize_t)sizeof(error))
		return true; /* exec closed it */
	reap(spawned);
	snprintf(what, sizeof(what), "cannot run %s", name);
	return fail(trouble, what, error,
		    error == ENOENT && !strchr(name, '/') ? "no directory of PATH has it" : "");
}

void spawn_abandon(struct spawned *spawned)
{
	if (spawned->pid)
		reap(spawned);
}
