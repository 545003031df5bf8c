/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The signals that matter during a watch, as something to poll. */
#ifndef ITF_HOST_SIGNALS_H
#define ITF_HOST_SIGNALS_H

#include <signal.h>
#include <sys/types.h>

#include <itf/env.h>

/**
 * struct signals - SIGINT, SIGTERM, SIGHUP and SIGCHLD, kept from their handlers
 * @fd: readable when one came
 * @asked: how often one of the first three came
 * @before: the signal mask as it was
 * @child: what SIGCHLD did
 */
struct signals {
	int fd;
	unsigned int asked;
	sigset_t before;
	struct sigaction child;
};

/**
 * signals_take() - take the signals
 * @signals: filled; give them back with signals_give_back()
 *
 * A signal that is ignored stays ignored.
 *
 * Return: true; false with errno set.
 */
bool signals_take(struct signals *signals);

/**
 * signals_read() - see what came
 * @signals: signals
 * @command: a child to pass on to what was sent to this process only; 0 if there is none
 */
void signals_read(struct signals *signals, pid_t command);

/**
 * signals_give_back() - everything as it was; what came and was not read is forgotten
 * @signals: signals
 */
void signals_give_back(struct signals *signals);

#endif
