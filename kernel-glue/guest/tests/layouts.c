// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Does itf tell the truth? layouts N: for each of N random layouts, what the kernel programmed when
 * the filters were set before the mappings were made and after, against the linux-launch of "itf
 * watch" and the linux-attach of "itf resolve". Every layout comes from its number alone.
 *
 * layouts make SEED: only make the layout, for "itf watch" to follow.
 */
#define _GNU_SOURCE
#include "guest.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../fuzz/gen.h"

#define OTHER "/other.bin"
#define BASE 0x40000000ul
#define PAGES 24u

struct layout {
	struct gen g;
	unsigned long cursor;
	bool threads;
};

static const int prots[] = { R, R | X, R | X, R | X, R | W, R | W | X };

static void map_one(struct layout *l)
{
	/* Many follow each other in memory, some in the file too, as loaders lay out. */
	unsigned long page = gen_below(&l->g, 3) ? l->cursor : gen_below(&l->g, PAGES);
	unsigned long size = 1 + gen_below(&l->g, 4);
	unsigned long off = gen_below(&l->g, 3) ? page % 12 : gen_below(&l->g, 12);
	const char *path = gen_below(&l->g, 6) ? LIB : OTHER;

	map_file(path, BASE + page * 0x1000, size * 0x1000, prots[gen_below(&l->g, 6)],
		 off * 0x1000);
	l->cursor = (page + size) % PAGES;
}

static void change_one(struct layout *l)
{
	void *at = (void *)(BASE + gen_below(&l->g, PAGES) * 0x1000ul);
	unsigned long size = (1 + gen_below(&l->g, 3)) * 0x1000ul;

	switch (gen_below(&l->g, 3)) {
	case 0:
		munmap(at, size);
		break;
	case 1:
		mprotect(at, size, prots[gen_below(&l->g, 6)]);
		break;
	default:
		mremap(at, 0x1000, 0x1000, MREMAP_MAYMOVE | MREMAP_FIXED,
		       (void *)(BASE + (PAGES + gen_below(&l->g, 4)) * 0x1000ul));
	}
}

static void *step(void *arg)
{
	struct layout *l = arg;

	if (gen_below(&l->g, 4))
		map_one(l);
	else
		change_one(l);
	return NULL;
}

static void make(unsigned long seed)
{
	struct layout l = { .threads = seed % 4 == 0 };
	unsigned int i, steps;
	pthread_t thread;

	gen_init(&l.g, seed * 2, NULL, 0);
	steps = 2 + gen_below(&l.g, 8);
	for (i = 0; i < steps; i++) {
		if (l.threads && gen_below(&l.g, 2)) {
			pthread_create(&thread, NULL, step, &l);
			pthread_join(thread, NULL);
		} else {
			step(&l);
		}
	}
}

static void filters_of(unsigned long seed, char *text, size_t size)
{
	unsigned int count;
	size_t used = 0;
	struct gen g;

	gen_init(&g, seed * 2 + 1, NULL, 0);
	for (count = 1 + gen_below(&g, 4); count; count--) {
		/* Edges of pages are where mappings touch. */
		unsigned long start = gen_below(&g, 14) * 0x1000ul;
		unsigned long bytes = (1 + gen_below(&g, 4)) * 0x1000ul;
		bool point = !gen_below(&g, 4);

		if (!gen_below(&g, 3))
			start += gen_below(&g, 0x1000);
		if (!gen_below(&g, 3))
			bytes = 1 + gen_below(&g, 0x2000);
		used += (size_t)snprintf(text + used, size - used, "%s%s %#lx/%#lx@%s",
					 used ? "," : "", point ? "start" : "filter", start,
					 point ? 0 : bytes, gen_below(&g, 8) ? LIB : OTHER);
	}
}

/* Runs itf and takes one answer for each filter out of its JSON, as the test PMU writes them. */
static void predicted(char *const argv[], const char *key, char *text, size_t size)
{
	static char json[65536];
	size_t used = 0, all = 0;
	int out[2], status;
	const char *at;
	ssize_t len;
	pid_t pid;

	if (pipe(out))
		_exit(96);
	pid = fork();
	if (!pid) {
		dup2(out[1], 1);
		close(out[0]);
		close(out[1]);
		execv(argv[0], argv);
		_exit(97);
	}
	close(out[1]);
	while ((len = read(out[0], json + all, sizeof(json) - 1 - all)) > 0)
		all += (size_t)len;
	json[all] = '\0';
	close(out[0]);
	waitpid(pid, &status, 0);
	snprintf(text, size, "itf ended with %#x", (unsigned int)status);
	/* The last line is the report. */
	at = strstr(json, "{\"processes\"");
	for (; at && (at = strstr(at, key)); at++) {
		unsigned long start = 0, bytes = 0;

		sscanf(at + strlen(key), "{\"start\":\"%lx\",\"size\":\"%lx\"", &start, &bytes);
		used += (size_t)snprintf(text + used, size - used, "%s0x%lx+0x%lx", used ? " " : "",
					 start, bytes);
	}
}

static bool compare(const char *what, unsigned long seed, const char *filters, const char *seen,
		    const char *said)
{
	if (!strcmp(seen, said))
		return true;
	printf("LAYOUT %lu %s: \"%s\": the kernel %s, itf %s\n", seed, what, filters, seen, said);
	fflush(stdout);
	return false;
}

/* In a process of its own: the exit status is the number of disagreements. */
static int attach_one(unsigned long seed, const char *filters)
{
	char pid[32], said[2048], text[1024];
	char *argv[] = { "/usr/bin/itf", "resolve", "--json", "--dialect=mainline", pid, text, NULL };
	struct perf_event_attr attr = attr_make();
	struct opened event = event_open(&attr, 0, -1);

	/* Not inherited: the process that becomes itf must not be able to take it along (R17). */
	make(seed);
	set(event, filters);
	snprintf(pid, sizeof(pid), "--pid=%d", (int)getpid());
	snprintf(text, sizeof(text), "%s", filters);
	predicted(argv, "\"linux_attach\":", said, sizeof(said));
	return !compare("attach", seed, filters, ranges_of(event, 0), said);
}

static int launch_one(unsigned long seed, const char *filters)
{
	char number[32], said[2048], text[1024], seen[2048];
	char *argv[] = { "/usr/bin/itf", "watch", "--json", "--dialect=mainline", text, "--",
			 "/layouts", "make", number, NULL };
	struct perf_event_attr attr = attr_make();
	struct opened event = event_open(&attr, 0, -1);

	set(event, filters);
	make(seed);
	snprintf(seen, sizeof(seen), "%s", ranges_of(event, 0));
	close(event.fd);
	snprintf(text, sizeof(text), "%s", filters);
	snprintf(number, sizeof(number), "%lu", seed);
	predicted(argv, "\"linux_launch\":", said, sizeof(said));
	return !compare("launch", seed, filters, seen, said);
}

static int in_a_process(int (*one)(unsigned long, const char *), unsigned long seed)
{
	char filters[1024];
	int status;
	pid_t pid;

	filters_of(seed, filters, sizeof(filters));
	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(one(seed, filters));
	waitpid(pid, &status, 0);
	return status != 0;
}

int main(int argc, char **argv)
{
	unsigned long seed, count, attach = 0, launch = 0;

	if (argc == 3) {
		make(strtoul(argv[2], NULL, 10));
		return 0;
	}
	lib_make(LIB);
	lib_make(OTHER);
	count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	for (seed = 1; seed <= count; seed++) {
		attach += !in_a_process(attach_one, seed);
		launch += !in_a_process(launch_one, seed);
	}
	printf("LAYOUTS %lu attach agreed %lu launch agreed %lu\n", count, attach, launch);
	return 0;
}
