/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the guest tests share: events of the test PMU, what it was given, mappings at fixed
 * addresses. Each case runs in a process of its own and says one line, so that what one kernel
 * says can be compared with what another one does.
 */
#ifndef ITF_GUEST_H
#define ITF_GUEST_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* An object file of 64 KiB, made by lib_make(), and filters that name it. */
#define LIB "/lib.bin"
#define LIB_SIZE 0x10000

enum {
	R = 1,
	W = 2,
	X = 4,
};

struct opened {
	int fd;
	uint64_t id;
};

/* The name of the case that runs, and its answer in pieces; the line is said by case_end(). */
void case_begin(const char *name);
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void case_end(void);

/* Runs a case in a child, with its own mappings and events; what hangs is killed and said. */
void run(const char *name, void (*body)(void));

void lib_make(const char *path);

/* The kernel's errno, by name; "ok" for 0. */
const char *errno_name(int error);

/* An attribute for the test PMU, with mmap = 1, and an event with it; dies if it cannot. */
struct perf_event_attr attr_make(void);
struct opened event_open(struct perf_event_attr *attr, pid_t pid, int cpu);

/* SET_FILTER: 0 or the errno. set_ok() says any errno, as part of the answer. */
int set(struct opened event, const char *filters);
void set_ok(struct opened event, const char *filters);

/* An event of its own for this process, with inherit = 1, and filters. */
struct opened watch_self(const char *filters);

/*
 * The ranges that perf core has for the event of @pid in the family of @root (0: this process),
 * "a+b c+d"; "none" if there is no such event. Static.
 */
const char *ranges_of(struct opened root, pid_t pid);
/* Those of the event in the family that was made last. Static. */
const char *ranges_of_youngest(struct opened root);
/* Those of the last time that they were programmed. Static. */
const char *programmed_of(struct opened root, pid_t pid);

/* Maps the object file, private and fixed; says nothing unless it fails. */
void map(unsigned long addr, unsigned long size, int prot, unsigned long offset);
void map_file(const char *path, unsigned long addr, unsigned long size, int prot,
	      unsigned long offset);

/* A number to a file, as of debugfs. */
void write_file(const char *path, const char *text);

/* Waits for a child that is expected to end by itself. */
void reap(pid_t pid);

/* Two processes take turns: the pipe ends of one side. */
struct turns {
	int ours[2];
	int theirs[2];
};

void turns_make(struct turns *t);
void turn_give(struct turns *t, bool child);
void turn_wait(struct turns *t, bool child);

void grammar_cases(void);
void string_cases(void);
void range_cases(void);
void family_cases(void);
void family_exec(const char *what);

#endif
