/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Start a command in two steps, so that it can be followed from its very first instruction. */
#ifndef ITF_HOST_SPAWN_H
#define ITF_HOST_SPAWN_H

#include <signal.h>
#include <sys/types.h>

#include "resolve.h"

/**
 * struct spawned - a command
 * @pid: its process; 0 if there is none (any more)
 * @go: private: the child waits until something comes through here
 * @failed: private: what exec said comes through here
 */
struct spawned {
	pid_t pid;
	int go;
	int failed;
};

/**
 * spawn_wait() - make the process, which waits before exec
 * @spawned: filled
 * @command: NULL-terminated argument vector, run with PATH looked up
 * @stdout_fd: where its standard output goes; -1 to leave it
 * @mask: its signal mask
 * @trouble: set on failure
 *
 * Return: true; false if there can be no process.
 */
bool spawn_wait(struct spawned *spawned, char *const *command, int stdout_fd, const sigset_t *mask,
		struct trouble *trouble);

/**
 * spawn_go() - let it exec
 * @spawned: from spawn_wait()
 * @name: of the command, for messages
 * @trouble: set on failure
 *
 * Return: true; false if exec failed, and then the process has ended and is gone.
 */
bool spawn_go(struct spawned *spawned, const char *name, struct trouble *trouble);

/**
 * spawn_abandon() - end a process that still waits
 * @spawned: from spawn_wait()
 */
void spawn_abandon(struct spawned *spawned);

#endif
