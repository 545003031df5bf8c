// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Families of processes: what "itf watch" says of each member, and what the kernel programmed for
 * it, as a table. trees: all of it; trees make NAME: only the family, for "itf watch" to follow;
 * trees exec NAME: what a member becomes.
 */
#define _GNU_SOURCE
#include "guest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define A 0x40000000ul
#define B 0x50000000ul
#define C 0x60000000ul
#define FILTERS "filter 0x1000/0x800@" LIB ",start 0x1800@" LIB ",filter 0x5000/0x100@" LIB

/* Set while the kernel is asked, not while itf watches. */
static struct opened root = { .fd = -1 };

static void role(const char *name)
{
	prctl(PR_SET_NAME, name);
}

/* The last thing that a member does: what the kernel has for it. */
static void tell(const char *name)
{
	if (root.id) {
		printf("SEEN\t%s\t%s\n", name, ranges_of(root, 0));
		fflush(stdout);
	}
}

static void text_at(unsigned long addr)
{
	map(addr, 0x2000, R | X, 0x1000);
}

static void leave(const char *name)
{
	tell(name);
	_exit(0);
}

static void plain(void)
{
	text_at(A);
	if (!fork()) {
		role("child");
		leave("child");
	}
	wait(NULL);
}

static void maps_elsewhere(void)
{
	text_at(A);
	if (!fork()) {
		role("child");
		text_at(B);
		leave("child");
	}
	wait(NULL);
}

static void two_children(void)
{
	text_at(A);
	if (!fork()) {
		role("first");
		text_at(B);
		leave("first");
	}
	if (!fork()) {
		role("second");
		text_at(C);
		map(C + 0x2000, 0x1000, R | X, 0x5000);
		leave("second");
	}
	wait(NULL);
	wait(NULL);
}

static void becomes(void)
{
	text_at(A);
	if (!fork()) {
		char id[32];

		snprintf(id, sizeof(id), "%llu", (unsigned long long)root.id);
		setenv("ROOT", id, 1);
		execl("/trees", "trees", "exec", "becomes", (char *)NULL);
		_exit(97);
	}
	wait(NULL);
}

/* R12: the grandchild has the child's mapping; stock gives it the root's range. */
static void grandchild(void)
{
	text_at(A);
	if (!fork()) {
		role("child");
		text_at(B);
		if (!fork()) {
			role("grandchild");
			leave("grandchild");
		}
		wait(NULL);
		leave("child");
	}
	wait(NULL);
}

static void turns(void)
{
	struct turns t;
	int i;

	text_at(A);
	turns_make(&t);
	if (!fork()) {
		role("child");
		text_at(B);
		for (i = 0; i < 7; i++) {
			turn_give(&t, true);
			turn_wait(&t, true);
		}
		leave("child");
	}
	for (i = 0; i < 7; i++) {
		turn_wait(&t, false);
		turn_give(&t, false);
	}
	wait(NULL);
}

static const struct {
	const char *name;
	void (*make)(void);
} trees[] = {
	{ "plain", plain },
	{ "maps-elsewhere", maps_elsewhere },
	{ "two-children", two_children },
	{ "becomes", becomes },
	{ "grandchild", grandchild },
	{ "turns", turns },
};

static void make(const char *name)
{
	size_t i;

	role("root");
	for (i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		if (!strcmp(trees[i].name, name))
			trees[i].make();
	}
	tell("root");
}

static void ask_kernel(const char *name)
{
	if (!fork()) {
		root = watch_self(FILTERS);
		make(name);
		_exit(0);
	}
	wait(NULL);
}

static void ask_itf(const char *name)
{
	if (!fork()) {
		execl("/usr/bin/itf", "itf", "watch", "--json", "--dialect=mainline", FILTERS, "--",
		      "/trees", "make", name, (char *)NULL);
		_exit(97);
	}
	wait(NULL);
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc == 3 && !strcmp(argv[1], "make")) {
		make(argv[2]);
		return 0;
	}
	if (argc == 3) {
		const char *id = getenv("ROOT");

		root.id = id ? strtoull(id, NULL, 10) : 0;
		role("child");
		text_at(C);
		tell("child");
		return 0;
	}
	lib_make(LIB);
	for (i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		printf("TREE\t%s\n", trees[i].name);
		fflush(stdout);
		ask_kernel(trees[i].name);
		ask_itf(trees[i].name);
	}
	return 0;
}
