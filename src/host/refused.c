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
#include <stdarg.h>
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

/* A line of a file of /proc/sys; without perf events in the kernel there is none. */
static void read_setting(const char *path, char *text, size_t size)
{
	if (!read_text(path, text, size))
		snprintf(text, size, "not there");
	text[strcspn(text, "\n")] = '\0';
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

/* Put more behind the hint. */
__attribute__((format(printf, 2, 3))) static void add(struct trouble *trouble, const char *format,
						      ...)
{
	size_t len = strlen(trouble->hint);
	va_list args;

	va_start(args, format);
	vsnprintf(trouble->hint + len, sizeof(trouble->hint) - len, format, args);
	va_end(args);
}

static void hint_permission(struct trouble *trouble)
{
	char value[32];
	long paranoid;

	read_setting("/proc/sys/kernel/perf_event_paranoid", value, sizeof(value));
	paranoid = strtol(value, NULL, 10);
	add(trouble, "sysctl kernel.perf_event_paranoid is %s", value);
	if (privileged()) {
		add(trouble, " and the capability CAP_PERFMON is there");
		add(trouble, ", so a security module or the container forbids it");
	} else if (paranoid > 2) {
		add(trouble, ": 2 or less helps, and so does the capability CAP_PERFMON (or root)");
	} else {
		add(trouble,
		    ", which allows one's own processes: it takes the user of the process");
		add(trouble, ", or the capability CAP_PERFMON (or root)");
	}
	if (own_status("\nSeccomp:", 10) == 2)
		add(trouble, "; a seccomp filter, as containers have, may be what refuses it");
}

void refused_event(struct trouble *trouble, int error)
{
	set(trouble, error, "the kernel refuses perf_event_open");
	switch (error) {
	case EACCES:
	case EPERM:
		hint_permission(trouble);
		break;
	case ENOSYS:
		add(trouble, "the kernel was built without CONFIG_PERF_EVENTS");
		add(trouble, ", or a seccomp filter, as containers have, hides the system call");
		add(trouble, ": neither a sysctl nor CAP_PERFMON helps");
		break;
	case EINVAL:
	case E2BIG:
	case ENOENT:
	case EOPNOTSUPP:
		add(trouble, "the kernel is too old: it takes Linux 4.1 or newer");
		break;
	case EMFILE:
	case ENFILE:
		add(trouble, "it takes one open file for each thread and CPU");
		add(trouble, ": raise the limit (ulimit -n)");
		break;
	case ENODEV:
		add(trouble, "no CPU in /sys/devices/system/cpu/online takes an event");
		break;
	default:
		break;
	}
}

void refused_ring(struct trouble *trouble, int error)
{
	struct rlimit limit = { 0 };
	char value[32];

	set(trouble, error, "the kernel refuses a ring buffer for its events");
	if (error != EPERM && error != ENOMEM)
		return;
	read_setting("/proc/sys/kernel/perf_event_mlock_kb", value, sizeof(value));
	getrlimit(RLIMIT_MEMLOCK, &limit);
	add(trouble, "not even one page may be locked");
	add(trouble, ": sysctl kernel.perf_event_mlock_kb is %s", value);
	add(trouble, " for all perf events of the user, ulimit -l is %llu KiB",
	    (unsigned long long)limit.rlim_cur / 1024);
	add(trouble, "; raise either, end other users of perf events");
	add(trouble, ", or use the capability CAP_IPC_LOCK");
}

void refused_memory(struct trouble *trouble)
{
	snprintf(trouble->text, sizeof(trouble->text), "%s", strerror(ENOMEM));
	trouble->hint[0] = '\0';
}
