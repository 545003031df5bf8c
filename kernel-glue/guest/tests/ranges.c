// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Ranges of one process: which mapping a filter ends up in. The object file is LIB throughout. */
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define A 0x10000000ul
#define B 0x20000000ul

static void now(struct opened event)
{
	say("%s", ranges_of(event, 0));
}

static void launch(void)
{
	struct opened event = watch_self("filter 0x1100/0x80@" LIB);

	now(event);
	map(A, 0x1000, R, 0);
	map(A + 0x1000, 0x1000, R | X, 0x1000);
	say(" then ");
	now(event);
	say(" programmed %s", programmed_of(event, 0));
}

static void attach(void)
{
	map(A, 0x1000, R, 0);
	map(A + 0x1000, 0x1000, R | X, 0x1000);
	now(watch_self("filter 0x1100/0x80@" LIB));
}

/* One mapping, in its file from 0x1000 to 0x2000, and filters at all its edges. */
static void edges(void)
{
	map(A + 0x1000, 0x1000, R | X, 0x1000);
	now(watch_self("filter 0xf00/0x200@" LIB ",filter 0x1f00/0x200@" LIB ",filter 0/0x10000@" LIB
		       ",filter 0x900000/0x10@" LIB ",start 0x1000@" LIB ",start 0x1fff@" LIB));
}

static void touching_below(void)
{
	map(A, 0x2000, R, 0);
	map(A + 0x2000, 0x2000, R | X, 0x2000);
	now(watch_self("filter 0x2000/0x1000@" LIB));
}

static void touching_above(void)
{
	struct opened event = watch_self("filter 0x2000/0x1000@" LIB);

	map(A + 0x2000, 0x1000, R | X, 0x2000);
	map(B, 0x1000, R | X, 0x3000);
	now(event);
}

static void touching_executable_below(void)
{
	map(A, 0x1000, R | X, 0x1000);
	map(B, 0x1000, R | X, 0x2000);
	now(watch_self("filter 0x2000/0x200@" LIB));
}

static void headers_first(void)
{
	map(A, 0x2000, R, 0);
	map(A + 0x2000, 0x4000, R | X, 0x2000);
	now(watch_self("filter 0/0x10000@" LIB));
}

static void point_on_the_boundary(void)
{
	/* As lld lays out: another bias for each segment. */
	map(A, 0x1000, R, 0);
	map(A + 0x2000, 0x1000, R | X, 0x1000);
	now(watch_self("start 0x1000@" LIB));
}

static void wrapping_size(void)
{
	map(A, 0x1000, R | X, 0x1000);
	say("%s ", errno_name(set(watch_self(""), "filter 0x1000/0xffffffffffffffff@" LIB)));
	now(watch_self("filter 0/0xffffffffffffffff@" LIB));
}

static void split_attach(void)
{
	map(A, 0x4000, R | X, 0x1000);
	mprotect((void *)(A + 0x2000), 0x1000, R | W | X);
	now(watch_self("filter 0x1000/0x4000@" LIB));
}

static void split_later(void)
{
	struct opened event = watch_self("filter 0x1000/0x4000@" LIB);

	map(A, 0x4000, R | X, 0x1000);
	mprotect((void *)(A + 0x2000), 0x2000, R | W | X);
	now(event);
	mprotect((void *)(A + 0x1000), 0x1000, R | W | X);
	say(" ");
	now(event);
}

static void split_hole(void)
{
	struct opened event;

	map(A, 0x4000, R | X, 0x1000);
	mprotect((void *)(A + 0x1000), 0x1000, R);
	event = watch_self("filter 0x1000/0x4000@" LIB);
	now(event);
	mprotect((void *)(A + 0x3000), 0x1000, R | W | X);
	say(" ");
	now(event);
}

static void two_mappings(void)
{
	struct opened event;

	map(A, 0x2000, R | X, 0x1000);
	map(B, 0x2000, R | X, 0x1000);
	event = watch_self("filter 0x1000/0x1000@" LIB);
	now(event);
	map(A + 0x100000, 0x2000, R | X, 0x1000);
	say(" ");
	now(event);
}

static void unmapped_later(void)
{
	struct opened event = watch_self("filter 0x1000/0x1000@" LIB);

	map(A, 0x2000, R | X, 0x1000);
	munmap((void *)A, 0x2000);
	now(event);
}

static void moved(void)
{
	struct opened event = watch_self("filter 0x1000/0x1000@" LIB);

	map(A, 0x2000, R | X, 0x1000);
	mremap((void *)A, 0x2000, 0x2000, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)B);
	now(event);
}

static void execute_lost(void)
{
	struct opened event = watch_self("filter 0x1000/0x1000@" LIB);

	map(A, 0x2000, R, 0x1000);
	now(event);
	mprotect((void *)A, 0x2000, R | X);
	say(" ");
	now(event);
	mprotect((void *)A, 0x2000, R);
	say(" ");
	now(event);
}

static void *map_in_thread(void *arg)
{
	(void)arg;
	map(A, 0x2000, R | X, 0x1000);
	return NULL;
}

/* dlopen() in another thread: only the events of the thread that maps follow. */
static void other_thread(void)
{
	struct perf_event_attr attr = attr_make();
	struct opened event = event_open(&attr, 0, -1);
	pthread_t thread;

	set_ok(event, "filter 0x1000/0x1000@" LIB);
	pthread_create(&thread, NULL, map_in_thread, NULL);
	pthread_join(thread, NULL);
	now(event);
}

static void no_mmap_events(void)
{
	struct perf_event_attr attr = attr_make();
	struct opened event;

	attr.mmap = 0;
	event = event_open(&attr, 0, -1);
	set_ok(event, "filter 0x1000/0x1000@" LIB);
	map(A, 0x2000, R | X, 0x1000);
	now(event);
}

static void replaced(void)
{
	struct opened event;

	lib_make("/old.bin");
	map_file("/old.bin", A, 0x2000, R | X, 0x1000);
	event = watch_self("filter 0x1000/0x1000@/old.bin");
	lib_make("/new.bin");
	rename("/new.bin", "/old.bin");
	map_file("/old.bin", B, 0x2000, R | X, 0x1000);
	now(event);
	set_ok(event, "filter 0x1000/0x1000@/old.bin");
	say(" ");
	now(event);
}

static void overlay(void)
{
	mkdir("/tmp/ovl", 0755);
	mount("none", "/tmp/ovl", "tmpfs", 0, NULL);
	mkdir("/tmp/ovl/lower", 0755);
	mkdir("/tmp/ovl/upper", 0755);
	mkdir("/tmp/ovl/work", 0755);
	mkdir("/tmp/ovl/merged", 0755);
	lib_make("/tmp/ovl/lower/lib.bin");
	if (mount("overlay", "/tmp/ovl/merged", "overlay", 0,
		  "lowerdir=/tmp/ovl/lower,upperdir=/tmp/ovl/upper,workdir=/tmp/ovl/work"))
		say("no overlay: %s ", errno_name(errno));
	map_file("/tmp/ovl/merged/lib.bin", A, 0x2000, R | X, 0x1000);
	now(watch_self("filter 0x1000/0x1000@/tmp/ovl/merged/lib.bin"));
}

static void replaced_on_a_live_process(void)
{
	struct opened event;

	map(A, 0x2000, R | X, 0x1000);
	map(B, 0x1000, R | X, 0x5000);
	event = watch_self("filter 0x1000/0x1000@" LIB);
	set_ok(event, "filter 0x5000/0x10@" LIB ",filter 0x7000/0x10");
	now(event);
	set_ok(event, "");
	say(" ");
	now(event);
}

static void memfd(void)
{
	int fd = memfd_create("code", 0);
	char filters[64];

	if (fd < 0 || ftruncate(fd, LIB_SIZE))
		say("no memfd ");
	snprintf(filters, sizeof(filters), "filter 0x1000/0x100@/proc/self/fd/%d", fd);
	mmap((void *)A, 0x2000, R | X, MAP_PRIVATE | MAP_FIXED, fd, 0x1000);
	now(watch_self(filters));
}

void range_cases(void)
{
	run("launch", launch);
	run("attach", attach);
	run("edges of one mapping", edges);
	run("attach: a mapping below only touches (R1)", touching_below);
	run("launch: a mapping above only touches (R2)", touching_above);
	run("attach: executable mapping that only touches (R1)", touching_executable_below);
	run("attach: the headers are mapped first (R4)", headers_first);
	run("attach: a point on the boundary (R20)", point_on_the_boundary);
	run("a size that wraps (R6)", wrapping_size);
	run("attach: text split by mprotect (R5)", split_attach);
	run("text split by mprotect later (R5)", split_later);
	run("text with a hole (R5)", split_hole);
	run("text mapped several times (R5)", two_mappings);
	run("munmap (R8)", unmapped_later);
	run("mremap (R9)", moved);
	run("mprotect gives and takes execute (R21)", execute_lost);
	run("mapped by another thread (R10)", other_thread);
	run("attr.mmap = 0 (R11)", no_mmap_events);
	run("file replaced (G9)", replaced);
	run("overlayfs (R19)", overlay);
	run("replace and clear on a running process", replaced_on_a_live_process);
	run("memfd (R22)", memfd);
}
