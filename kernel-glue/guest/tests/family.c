// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Ranges over fork, exec and exit, and what tasks without memory get. */
#define _GNU_SOURCE
#include "guest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define A 0x10000000ul
#define B 0x20000000ul
#define C 0x30000000ul

/* The family that a program belongs to which this one became by exec. */
static struct opened family(void)
{
	struct opened root = { .fd = -1 };
	const char *id = getenv("ROOT");

	if (id)
		root.id = strtoull(id, NULL, 10);
	return root;
}

static void become(const char *program, const char *what, struct opened root)
{
	char id[32];

	snprintf(id, sizeof(id), "%llu", (unsigned long long)root.id);
	setenv("ROOT", id, 1);
	execl(program, program, what, (char *)NULL);
	_exit(97);
}

/* With an event that is not inherited the contexts of parent and child are no clones. */
static void no_swap(void)
{
	struct perf_event_attr attr = attr_make();

	event_open(&attr, 0, -1);
}

/* Is the range of the whole file longer than the text of this program that is mapped? */
static void loaded(const char *range)
{
	unsigned long start, size, first, end;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512], prot[8];

	if (sscanf(range, "%lx+%lx", &start, &size) != 2) {
		printf("%s", range);
		return;
	}
	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %7s", &first, &end, prot) == 3 && prot[2] == 'x' &&
		    first == start) {
			printf("%s the text", size > end - first ? "longer than" :
			       size < end - first ? "shorter than" : "as long as");
			return;
		}
	}
	printf("not where the text is");
}

/* What this program does after become(); its answer goes to standard output as it is. */
void family_exec(const char *what)
{
	struct opened root = family();
	int status;

	if (strcmp(what, "loaded"))
		printf("%s", ranges_of(root, 0));
	if (!strcmp(what, "maps")) {
		map(B, 0x2000, R | X, 0x1000);
		printf(" then %s", ranges_of(root, 0));
	} else if (!strcmp(what, "loaded")) {
		loaded(ranges_of(root, 0));
	} else if (!strcmp(what, "maps-and-forks")) {
		map(B, 0x2000, R | X, 0x1000);
		printf(" then %s", ranges_of(root, 0));
		fflush(stdout);
		no_swap();
		if (!fork()) {
			printf(" grandchild %s", ranges_of(root, 0));
			fflush(stdout);
			_exit(0);
		}
		wait(&status);
	}
	fflush(stdout);
}

/* Runs what becomes another program and says what that printed. */
static void say_child(const char *program, const char *what, struct opened root)
{
	char text[1024];
	ssize_t len, all = 0;
	int out[2];
	pid_t pid;

	if (pipe(out))
		_exit(96);
	pid = fork();
	if (!pid) {
		dup2(out[1], 1);
		close(out[0]);
		close(out[1]);
		become(program, what, root);
	}
	close(out[1]);
	while ((len = read(out[0], text + all, sizeof(text) - 1 - (size_t)all)) > 0)
		all += len;
	text[all] = '\0';
	say("%s", text);
	close(out[0]);
	reap(pid);
}

static void exec_forgets(void)
{
	struct opened root;

	map(A, 0x2000, R | X, 0x1000);
	no_swap();
	root = watch_self("filter 0x1000/0x1000@" LIB ",filter 0xffffffff81000000/0x100");
	say("%s child ", ranges_of(root, 0));
	say_child("/guest", "maps", root);
}

/* The kernel's loader maps a first segment as long as the whole image, and cuts it without a word. */
static void loader(void)
{
	no_swap();
	say_child("/guest-pie", "loaded", watch_self("filter 0/0x1000000@/guest-pie"));
}

static void fork_copies(void)
{
	struct opened root;
	pid_t pid;

	map(A, 0x2000, R | X, 0x1000);
	root = watch_self("filter 0x1000/0x1000@" LIB);
	pid = fork();
	if (!pid) {
		say("child %s", ranges_of(root, 0));
		case_end();
		_exit(0);
	}
	reap(pid);
	_exit(0);
}

/* A child that called exec forks: the grandchild has the mappings of the child. */
static void grandchild(void)
{
	struct opened root;

	map(A, 0x2000, R | X, 0x1000);
	no_swap();
	root = watch_self("filter 0x1000/0x1000@" LIB);
	say("child ");
	say_child("/guest", "maps-and-forks", root);
}

/* A child that mapped the file elsewhere forks. */
static void grandchild_without_exec(void)
{
	struct opened root = watch_self("filter 0x1000/0x1000@" LIB);
	pid_t pid;

	no_swap();
	map(A, 0x2000, R | X, 0x1000);
	pid = fork();
	if (!pid) {
		map(C, 0x2000, R | X, 0x1000);
		say("child %s", ranges_of(root, 0));
		no_swap();
		pid = fork();
		if (!pid) {
			say(" grandchild %s", ranges_of(root, 0));
			case_end();
			_exit(0);
		}
		reap(pid);
		_exit(0);
	}
	reap(pid);
	_exit(0);
}

/* Whether a task ever had another range than its own; when is up to the scheduler. */
static void own(const char *who, const char *seen, const char *expected, bool *strayed)
{
	if (strcmp(seen, expected) && !*strayed) {
		*strayed = true;
		say("%s strayed to %s ", who, seen);
	}
}

static void parent_after_children(void)
{
	struct opened root = watch_self("filter 0x1000/0x1000@" LIB);
	bool strayed = false;
	struct turns t;
	pid_t pid;
	int i;

	map(A, 0x2000, R | X, 0x1000);
	for (i = 0; i < 20; i++) {
		turns_make(&t);
		pid = fork();
		if (!pid) {
			turn_wait(&t, true);
			map(C, 0x2000, R | X, 0x1000);
			turn_give(&t, true);
			_exit(0);
		}
		turn_give(&t, false);
		turn_wait(&t, false);
		reap(pid);
		own("parent", ranges_of(root, 0), "0x10000000+0x1000", &strayed);
	}
	say("%s", strayed ? "" : "each its own");
}

/* Parent and child take turns, each with its own mapping. */
static void taking_turns(void)
{
	struct opened root = watch_self("filter 0x1000/0x1000@" LIB);
	bool parent_strayed = false, child_strayed = false;
	struct turns t;
	pid_t pid;
	int i;

	map(A, 0x2000, R | X, 0x1000);
	turns_make(&t);
	pid = fork();
	if (!pid) {
		map(C, 0x2000, R | X, 0x1000);
		for (i = 0; i < 20; i++) {
			turn_give(&t, true);
			turn_wait(&t, true);
		}
		_exit(0);
	}
	for (i = 0; i < 20; i++) {
		turn_wait(&t, false);
		own("parent", ranges_of(root, 0), "0x10000000+0x1000", &parent_strayed);
		own("child", ranges_of(root, pid), "0x30000000+0x1000", &child_strayed);
		turn_give(&t, false);
	}
	reap(pid);
	say("%s", parent_strayed || child_strayed ? "" : "each its own");
}

/* A kernel thread has no memory: pid 2 is kthreadd. */
static void kernel_thread(void)
{
	struct perf_event_attr attr = attr_make();
	struct opened event = event_open(&attr, 2, -1);

	set_ok(event, "filter 0x1000/0x1000@" LIB);
	say("%s", ranges_of(event, 2));
	set_ok(event, "filter 0xffffffff81000000/0x100");
	say(" %s", ranges_of(event, 2));
	set_ok(event, "filter 0xffffffff82000000/0x100,filter 0x1000/0x1000@" LIB);
	say(" %s", ranges_of(event, 2));
}

/* After a failed string the count of file filters still is that of the set in place. */
static void counted_after_failure(void)
{
	struct opened event;

	map(A, 0x2000, R | X, 0x1000);
	event = watch_self("filter 0x1000/0x1000@" LIB);
	say("%s", errno_name(set(event, "bogus")));
	say(" %s", ranges_of(event, 0));
	set_ok(event, "filter 0x1000/0x800@" LIB);
	say(" %s", ranges_of(event, 0));
}

/*
 * The task of the root event exits while its child goes on, and filters are set then. The child
 * forks: what does the grandchild begin with?
 */
static void root_exited(void)
{
	struct perf_event_attr attr = attr_make();
	struct opened root;
	struct turns t, u;
	pid_t pid;

	turns_make(&t);
	turns_make(&u);
	pid = fork();
	if (!pid) {
		turn_wait(&t, true);
		no_swap();
		if (fork())
			_exit(0);
		map(C, 0x2000, R | X, 0x1000);
		turn_give(&u, true);
		turn_wait(&u, true);
		no_swap();
		if (fork()) {
			wait(NULL);
			_exit(0);
		}
		turn_give(&u, true);
		turn_wait(&u, true);
		_exit(0);
	}
	attr.inherit = 1;
	root = event_open(&attr, pid, -1);
	set_ok(root, "filter 0xffffffff81000000/0x100");
	turn_give(&t, false);
	reap(pid);
	turn_wait(&u, false);
	set_ok(root, "filter 0x1000/0x1000@" LIB);
	turn_give(&u, false);
	turn_wait(&u, false);
	say("grandchild %s", ranges_of_youngest(root));
	turn_give(&u, false);
}

void family_cases(void)
{
	run("exec forgets file ranges, keeps the others", exec_forgets);
	run("exec of a program without separate code (R18)", loader);
	run("fork copies", fork_copies);
	run("fork of a child that called exec (R12)", grandchild);
	run("fork of a child that mapped elsewhere (R12)", grandchild_without_exec);
	run("a parent after its children have gone (R17)", parent_after_children);
	run("parent and child take turns (R17)", taking_turns);
	run("a kernel thread: files, then none (R13, R14)", kernel_thread);
	run("count of files after a failed set (R13)", counted_after_failure);
	run("the root has exited (R15)", root_exited);
}
