// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Whose processes /proc shows. Must not read what it shows of them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "procfs.h"

/* Our number in /proc. Return: 0 if there is none. */
static pid_t number_there(void)
{
	char text[32];
	ssize_t n = readlink("/proc/self", text, sizeof(text) - 1);

	if (n <= 0)
		return 0;
	text[n] = '\0';
	return (pid_t)strtol(text, NULL, 10);
}

bool procfs_is_ours(void)
{
	return number_there() == getpid();
}

bool procfs_missing(struct trouble *trouble, pid_t pid)
{
	bool lives = pid > 0 && (kill(pid, 0) == 0 || errno == EPERM);
	const char *hint = "";

	if (!procfs_is_ours())
		hint = access("/proc/stat", F_OK) ?
			       "there is no /proc: mount one" :
			       "/proc is that of another PID namespace: mount one of this";
	else if (lives)
		hint = "/proc is mounted with hidepid: try it as root";
	snprintf(trouble->text, sizeof(trouble->text),
		 lives ? "process %ld is not visible in /proc" : "there is no process %ld",
		 (long)pid);
	snprintf(trouble->hint, sizeof(trouble->hint), "%s", hint);
	return false;
}
