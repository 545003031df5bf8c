// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What the guest tests share. Static, in a guest with nothing but the kernel. */
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define EVENTS "/sys/kernel/debug/itf_test/events"

static char answer[4096];
static size_t used;

static void die(const char *what)
{
	printf("FATAL\t%s: %s\n", what, strerror(errno));
	fflush(stdout);
	_exit(99);
}

void case_begin(const char *name)
{
	used = (size_t)snprintf(answer, sizeof(answer), "CASE\t%s\t", name);
}

void say(const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(answer + used, sizeof(answer) - used, format, args);
	va_end(args);
	used += (size_t)len;
	if (used >= sizeof(answer))
		used = sizeof(answer) - 1;
}

void case_end(void)
{
	answer[used++] = '\n';
	if (write(1, answer, used) < 0)
		_exit(98);
	used = 0;
}

void run(const char *name, void (*body)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		alarm(30);
		case_begin(name);
		body();
		case_end();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status) || WEXITSTATUS(status)) {
		case_begin(name);
		say("ended with status %#x", (unsigned int)status);
		case_end();
	}
}

void lib_make(const char *path)
{
	static char byte[LIB_SIZE];
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0755);

	memset(byte, 0xc3, sizeof(byte));
	if (fd < 0 || write(fd, byte, sizeof(byte)) != sizeof(byte))
		die(path);
	close(fd);
}

const char *errno_name(int error)
{
	return error ? strerrorname_np(error) : "ok";
}

struct perf_event_attr attr_make(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .mmap = 1 };
	FILE *file = fopen("/sys/bus/event_source/devices/itf_test/type", "r");

	if (!file || fscanf(file, "%u", &attr.type) != 1)
		die("the type of the test PMU");
	fclose(file);
	return attr;
}

struct opened event_open(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	struct opened event = { .fd = -1 };

	event.fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (event.fd < 0 || ioctl(event.fd, PERF_EVENT_IOC_ID, &event.id))
		die("perf_event_open");
	return event;
}

int set(struct opened event, const char *filters)
{
	return ioctl(event.fd, PERF_EVENT_IOC_SET_FILTER, filters) ? errno : 0;
}

void set_ok(struct opened event, const char *filters)
{
	int error = set(event, filters);

	if (error)
		say("%s ", errno_name(error));
}

struct opened watch_self(const char *filters)
{
	struct perf_event_attr attr = attr_make();
	struct opened event;

	attr.inherit = 1;
	event = event_open(&attr, 0, -1);
	set_ok(event, filters);
	return event;
}

static const char *shown(struct opened root, pid_t pid, const char *key, char *text, size_t size)
{
	char line[4096];
	FILE *file = fopen(EVENTS, "r");

	if (!pid)
		pid = getpid();
	snprintf(text, size, "none");
	if (!file)
		die(EVENTS);
	while (fgets(line, sizeof(line), file)) {
		unsigned long long id, family;
		char *at, *end;
		int owner;

		if (sscanf(line, "event %llu root %llu pid %d", &id, &family, &owner) != 3 ||
		    family != root.id || (pid > 0 && owner != pid))
			continue;
		at = strstr(line, key);
		if (!at)
			die("what the test PMU shows");
		at += strlen(key);
		end = strpbrk(at, "pn\n");
		snprintf(text, size, "%.*s", (int)(end - at), at);
		if (*text)
			text[strlen(text) - (text[strlen(text) - 1] == ' ')] = '\0';
		memmove(text, text + (*text == ' '), strlen(text));
	}
	fclose(file);
	return *text ? text : "empty";
}

const char *ranges_of(struct opened root, pid_t pid)
{
	static char text[2048];

	return shown(root, pid, " now", text, sizeof(text));
}

const char *ranges_of_youngest(struct opened root)
{
	static char text[2048];

	return shown(root, -1, " now", text, sizeof(text));
}

const char *programmed_of(struct opened root, pid_t pid)
{
	static char text[2048];

	return shown(root, pid, " programmed", text, sizeof(text));
}

void map_file(const char *path, unsigned long addr, unsigned long size, int prot,
	      unsigned long offset)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0 || mmap((void *)addr, size, prot, MAP_PRIVATE | MAP_FIXED, fd, (off_t)offset) ==
			      MAP_FAILED)
		die(path);
	close(fd);
}

void map(unsigned long addr, unsigned long size, int prot, unsigned long offset)
{
	map_file(LIB, addr, size, prot, offset);
}

void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(path);
	close(fd);
}

void reap(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	if (status)
		say("child ended with %#x ", (unsigned int)status);
}

void turns_make(struct turns *t)
{
	if (pipe(t->ours) || pipe(t->theirs))
		die("pipe");
}

void turn_give(struct turns *t, bool child)
{
	if (write(child ? t->ours[1] : t->theirs[1], "x", 1) != 1)
		die("turn");
}

void turn_wait(struct turns *t, bool child)
{
	char c;

	if (read(child ? t->theirs[0] : t->ours[0], &c, 1) != 1)
		die("turn");
}
