// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Fuzzer of the ioctl, in the guest: fuzz SECONDS. Strings from the grammar's generator, and whole
 * filter sets over files that are mapped, while other threads and processes map, unmap, protect,
 * move, fork, exec, open and close. The property: the kernel has nothing to say about it.
 */
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../../fuzz/gen.h"

#define EVENTS 8
#define BASE 0x40000000ul
#define AREA 0x100000ul

static atomic_ulong calls, accepted, forks, maps;
static atomic_int fds[EVENTS];
static time_t end;
static unsigned int type;

static bool over(void)
{
	return time(NULL) >= end;
}

/* A set over LIB that is likely to be accepted. */
static void known_set(struct gen *g, char *text, size_t size)
{
	static const char *const actions[] = { "filter", "start", "stop" };
	size_t used = 0;
	unsigned int i, count = gen_below(g, 9);

	for (i = 0; i < count && used < size; i++) {
		unsigned long start = gen_below(g, LIB_SIZE), bytes = 1 + gen_below(g, 0x4000);
		const char *path = gen_below(g, 4) ? "@" LIB : "";

		if (!gen_below(g, 8))
			start = gen_number(g);
		if (!gen_below(g, 8))
			bytes = gen_number(g);
		used += (size_t)snprintf(text + used, size - used, "%s %s%#lx/%#lx%s,",
					 actions[gen_below(g, 3)],
					 gen_below(g, 6) ? "" : *path ? "file:" : "kernel:", start,
					 bytes, path);
	}
	text[used < size ? used : size - 1] = '\0';
}

static void set_one(struct gen *g, char *text, size_t size)
{
	int fd = atomic_load(&fds[gen_below(g, EVENTS)]);

	if (gen_below(g, 2)) {
		g->bytes = (uint8_t *)text;
		g->used = 0;
		g->max = size - 1;
		gen_filters(g);
		text[g->used] = '\0';
	} else {
		known_set(g, text, size);
	}
	atomic_fetch_add(&calls, 1);
	if (!ioctl(fd, PERF_EVENT_IOC_SET_FILTER, text))
		atomic_fetch_add(&accepted, 1);
	if (!gen_below(g, 16))
		ioctl(fd, gen_below(g, 2) ? PERF_EVENT_IOC_DISABLE : PERF_EVENT_IOC_ENABLE, 0);
}

static void *setter(void *arg)
{
	static _Thread_local char text[4096];
	struct gen g;

	gen_init(&g, (uintptr_t)arg, text, sizeof(text));
	while (!over())
		set_one(&g, text, sizeof(text));
	return NULL;
}

static void map_one(struct gen *g, int fd)
{
	void *at = (void *)(BASE + gen_below(g, 64) * 0x1000ul);
	size_t size = (1 + gen_below(g, 8)) * 0x1000ul;
	int prot = (int)gen_below(g, 8);

	atomic_fetch_add(&maps, 1);
	switch (gen_below(g, 6)) {
	case 0:
		munmap(at, size);
		break;
	case 1:
		mprotect(at, size, prot | (gen_below(g, 2) ? X : 0));
		break;
	case 2:
		mremap(at, size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
		       (void *)(BASE + AREA + gen_below(g, 64) * 0x1000ul));
		break;
	default:
		mmap(at, size, prot | X, MAP_PRIVATE | MAP_FIXED, fd,
		     (off_t)gen_below(g, 16) * 0x1000);
	}
}

static void *mapper(void *arg)
{
	int fd = open(LIB, O_RDONLY);
	struct gen g;

	gen_init(&g, (uintptr_t)arg, NULL, 0);
	while (!over())
		map_one(&g, fd);
	close(fd);
	return NULL;
}

/* Children map a little, fork once more or become another program. */
static void child(struct gen *g)
{
	int fd = open(LIB, O_RDONLY);
	unsigned int i;

	alarm(10);
	for (i = gen_below(g, 8); i; i--)
		map_one(g, fd);
	if (gen_below(g, 2) && !fork()) {
		map_one(g, fd);
		sched_yield();
		_exit(0);
	}
	if (!gen_below(g, 4))
		execl("/fuzz", "fuzz", "child", (char *)NULL);
	if (gen_below(g, 2))
		wait(NULL);
	_exit(0);
}

static void *forker(void *arg)
{
	struct gen g;

	gen_init(&g, (uintptr_t)arg, NULL, 0);
	while (!over()) {
		pid_t pid = fork();

		if (!pid)
			child(&g);
		gen_number(&g);
		atomic_fetch_add(&forks, 1);
		if (gen_below(&g, 2))
			sched_yield();
		if (pid > 0)
			waitpid(pid, NULL, 0);
	}
	return NULL;
}

static int event(struct gen *g)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.mmap = 1,
		.inherit = gen_below(g, 4) != 0,
		.enable_on_exec = !gen_below(g, 4),
		.disabled = !gen_below(g, 4),
	};
	bool cpu_wide = !gen_below(g, 8);

	return (int)syscall(SYS_perf_event_open, &attr, cpu_wide ? -1 : 0, cpu_wide ? 0 : -1, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

static void *opener(void *arg)
{
	struct gen g;

	gen_init(&g, (uintptr_t)arg, NULL, 0);
	while (!over()) {
		unsigned int i = gen_below(&g, EVENTS);
		int fresh = event(&g);

		if (fresh >= 0)
			close(atomic_exchange(&fds[i], fresh));
		usleep(1000 * gen_below(&g, 20));
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static void *(*const work[])(void *) = { setter, setter, mapper, mapper, forker, opener };
	pthread_t threads[sizeof(work) / sizeof(work[0])];
	struct gen g;
	size_t i;

	if (argc < 2 || !strcmp(argv[1], "child"))
		return 0;
	lib_make(LIB);
	type = attr_make().type;
	end = time(NULL) + atoi(argv[1]);
	gen_init(&g, 1, NULL, 0);
	/* Threads inherit events too: the first are there before them. */
	for (i = 0; i < EVENTS; i++)
		atomic_store(&fds[i], event(&g));
	for (i = 0; i < sizeof(work) / sizeof(work[0]); i++)
		pthread_create(&threads[i], NULL, work[i], (void *)(i + 100));
	for (i = 0; i < sizeof(work) / sizeof(work[0]); i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < EVENTS; i++)
		close(atomic_load(&fds[i]));
	printf("FUZZ %lu sets, %lu accepted, %lu maps, %lu forks\n", calls, accepted, maps, forks);
	return 0;
}
