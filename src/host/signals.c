// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Signals through a signalfd. Decides nothing about what they end. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "signals.h"

/* A signal that is blocked is not ignored any more, so one that is ignored must not be blocked. */
static void add_unless_ignored(sigset_t *set, int sig)
{
	struct sigaction action;

	if (sigaction(sig, NULL, &action) || action.sa_handler != SIG_IGN)
		sigaddset(set, sig);
}

bool signals_take(struct signals *signals)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };
	sigset_t set;
	int error;

	*signals = (struct signals){ 0 };
	sigemptyset(&set);
	add_unless_ignored(&set, SIGINT);
	add_unless_ignored(&set, SIGTERM);
	add_unless_ignored(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	signals->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals->fd < 0)
		return false;
	if (sigprocmask(SIG_BLOCK, &set, &signals->before)) {
		error = errno;
		close(signals->fd);
		errno = error;
		return false;
	}
	/* If it is ignored, children leave no exit status. */
	sigemptyset(&plain.sa_mask);
	sigaction(SIGCHLD, &plain, &signals->child);
	return true;
}

void signals_read(struct signals *signals, pid_t command)
{
	struct signalfd_siginfo info;

	while (read(signals->fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		signals->asked++;
		/* What a terminal sends, it sends to the command too. */
		if (command && info.ssi_code <= 0)
			kill(command, (int)info.ssi_signo);
	}
}

void signals_give_back(struct signals *signals)
{
	signals_read(signals, 0);
	close(signals->fd);
	sigaction(SIGCHLD, &signals->child, NULL);
	sigprocmask(SIG_SETMASK, &signals->before, NULL);
}
