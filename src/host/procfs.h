/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Whose processes /proc shows. That of another PID namespace knows ours by other numbers, and by
 * our numbers other processes.
 */
#ifndef ITF_HOST_PROCFS_H
#define ITF_HOST_PROCFS_H

#include "resolve.h"

/**
 * procfs_is_ours() - does /proc show processes by the numbers that system calls take?
 *
 * Return: false if it does not, or if there is none.
 */
bool procfs_is_ours(void);

/**
 * procfs_missing() - say why a process cannot be seen
 * @trouble: set
 * @pid: process
 *
 * Return: false.
 */
bool procfs_missing(struct trouble *trouble, pid_t pid);

#endif
