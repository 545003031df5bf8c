// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Why the kernel refuses its events. Reads the settings that decide it; must not try anything
 * again.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "refused.h"

/* Linux 5.8; older headers lack it. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

static void set(struct trouble *trouble, int error, const char *what)
{
	snprintf(trouble->text, sizeof(trouble->text), "%s: %s", what, strerror(error));
	trouble->hint[0] = '\0';
}

/* The first bytes of a file of /proc. Return: whether there are any. */
static bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* A line of /proc/self/status that holds a number. */
static unsigned long long own_status(const char *key, int base)
{
	char text[8192];
	const char *line;

	if (!read_text("/proc/self/status", text, sizeof(text)))
		return 0;
	line = strstr(text, key);
	return line ? strtoull(line + strlen(key), NULL, base) : 0;
}

/* May this process look at performance whatever the settings say? */
static bool privileged(void)
{
	unsigned long long caps = own_status("\nCapEff:", 16);

	return caps >> CAP_SYS_ADMIN & 1 || caps >> CAP_PERFMON & 1;
}

static void hint_permission(struct trouble *trouble)
{
	const char *seccomp = own_status("\nSeccomp:", 10) == 2 ?
		"; a seccomp filter, as containers have, may be what refuses it" : "";
	char value[32] = "";

	/* A kernel without the file has no perf events at all. */
	if (!read_text("/proc/sys/kernel/perf_event_paranoid", value, sizeof(value)))
		strcpy(value, "not there");
	value[strcspn(value, "\n")] = '\0';
	if (!privileged() && strtol(value, NULL, 10) > 2)
		snprintf(trouble->hint, sizeof(trouble->hint),
			 "sysctl kernel.perf_event_paranoid is %s: 2 or less helps, and so does the "
			 "capability CAP_PERFMON (or root)%s", value, seccomp);
	else if (!privileged())
		snprintf(trouble->hint, sizeof(trouble->hint),
			 "it takes the user of the process, or the capability CAP_PERFMON (or root); "
			 "sysctl kernel.perf_event_paranoid is %s, which allows one's own processes%s",
			 value, seccomp);
	else
		snprintf(trouble->hint, sizeof(trouble->hint),
			 "sysctl kernel.perf_event_paranoid is %s and the capability CAP_PERFMON is "
			 "there, so a security module or the container forbids it%s", value, seccomp);
}

void refused_event(struct trouble *trouble, int error)
{
	const char *hint = "";

	set(trouble, error, "the kernel refuses perf_event_open");
	switch (error) {
	case EACCES:
	case EPERM:
		hint_permission(trouble);
		return;
	case ENOSYS:
		hint = "the kernel was built without CONFIG_PERF_EVENTS, or a seccomp filter, as "
		       "containers have, hides the system call: neither a sysctl nor CAP_PERFMON helps";
		break;
	case EINVAL:
	case E2BIG:
	case ENOENT:
	case EOPNOTSUPP:
		hint = "the kernel is too old: it takes Linux 4.1 or newer";
		break;
	case EMFILE:
	case ENFILE:
		hint = "it takes one open file for each thread and CPU: raise the limit (ulimit -n)";
		break;
	case ENODEV:
		hint = "no CPU of those that /sys/devices/system/cpu/online lists took an event";
		break;
	default:
		break;
	}
	snprintf(trouble->hint, sizeof(trouble->hint), "%s", hint);
}

void refused_ring(struct trouble *trouble, int error)
{
	struct rlimit limit = { 0 };
	char value[32] = "";

	set(trouble, error, "the kernel refuses a ring buffer for its events");
	if (error != EPERM && error != ENOMEM)
		return;
	if (!read_text("/proc/sys/kernel/perf_event_mlock_kb", value, sizeof(value)))
		strcpy(value, "not there");
	value[strcspn(value, "\n")] = '\0';
	getrlimit(RLIMIT_MEMLOCK, &limit);
	snprintf(trouble->hint, sizeof(trouble->hint),
		 "not even one page may be locked: sysctl kernel.perf_event_mlock_kb is %s (for all "
		 "perf events of the user), ulimit -l is %llu KiB; raise either, end other users of "
		 "perf events, or use the capability CAP_IPC_LOCK",
		 value, (unsigned long long)limit.rlim_cur / 1024);
}

void refused_memory(struct trouble *trouble)
{
	snprintf(trouble->text, sizeof(trouble->text), "%s", strerror(ENOMEM));
	trouble->hint[0] = '\0';
}
