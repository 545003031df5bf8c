// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Scenes for watched processes. Each is short, and says in a line what it does to mappings. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actor.h"

#define TEXT (PROT_READ | PROT_EXEC)

/* Where the scene is, and its file. */
static char **self;
static const char *path;

/* Exit statuses that say that a scene went wrong: a test that sees one fails. */
static void must(bool ok)
{
	if (!ok)
		_exit(99);
}

char *actor_program(void)
{
	static char program[4096];
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);

	must(n > 0);
	program[n] = '\0';
	return program;
}

static size_t page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* Map @pages of the file from page @from on, at the place @at if that is not NULL. */
static char *map(void *at, size_t from, size_t pages, int prot)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *p;

	must(fd >= 0);
	p = mmap(at, pages * page(), prot, MAP_PRIVATE | (at ? MAP_FIXED : 0), fd,
		 (off_t)(from * page()));
	must(p != MAP_FAILED);
	close(fd);
	return p;
}

/* A mapping of no interest, so that maps is read once more. */
static void map_other(void)
{
	must(mmap(NULL, page(), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
}

static void wait_for_cue(void)
{
	char byte;

	must(read(CUE_FD, &byte, 1) == 1);
}

/* Let the watch see everything before it goes on: there is a cue for each mapping that it saw. */
static void rest(void)
{
	struct pollfd cue = { .fd = CUE_FD, .events = POLLIN };

	for (int wait = 1000; poll(&cue, 1, wait) > 0; wait = 100)
		wait_for_cue();
}

static void run_again(const char *scene)
{
	char *args[] = { self[0], self[1], (char *)scene, self[3], NULL };

	execv(actor_program(), args);
	must(false);
}

static void *in_thread(void *(*fn)(void *), void *arg)
{
	pthread_t thread;
	void *result;

	must(pthread_create(&thread, NULL, fn, arg) == 0);
	must(pthread_join(thread, &result) == 0);
	return result;
}

static void *map_in_thread(void *arg)
{
	(void)arg;
	return map(NULL, 0, PAGES, TEXT);
}

static void *wait_in_thread(void *arg)
{
	(void)arg;
	pause();
	return NULL;
}

/* Exit status of a child. */
static int child_status(pid_t pid)
{
	int status = 0;

	must(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* ---------------------------------------------------------------------- scenes */

static int once(void)
{
	map(NULL, 0, PAGES, TEXT);
	rest();
	return 0;
}

static int twice(void)
{
	map(NULL, 0, PAGES, TEXT);
	map(NULL, 0, PAGES, TEXT);
	rest();
	return 0;
}

/* One mapping becomes two, both executable. */
static int split(void)
{
	char *p = map(NULL, 0, 4, TEXT);

	must(mprotect(p + 2 * page(), 2 * page(), TEXT | PROT_WRITE) == 0);
	rest();
	return 0;
}

/* Data over the second half of text. */
static int cover(void)
{
	char *p = map(NULL, 0, 4, TEXT);

	map(p + 2 * page(), 2, 2, PROT_READ);
	rest();
	return 0;
}

static int unmap(void)
{
	char *p = map(NULL, 0, PAGES, TEXT);

	must(munmap(p, PAGES * page()) == 0);
	map_other();
	rest();
	return 0;
}

static int move(void)
{
	char *p = map(NULL, 0, PAGES, TEXT);
	char *to = mmap(NULL, 2 * PAGES * page(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(to != MAP_FAILED);
	must(mremap(p, PAGES * page(), PAGES * page(), MREMAP_MAYMOVE | MREMAP_FIXED,
		    to + PAGES * page()) != MAP_FAILED);
	map_other();
	rest();
	return 0;
}

static int unlinked(void)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	must(fd >= 0 && unlink(path) == 0);
	must(mmap(NULL, PAGES * page(), TEXT, MAP_PRIVATE, fd, 0) != MAP_FAILED);
	rest();
	return 0;
}

static int library(void)
{
	must(dlopen(path, RTLD_NOW) != NULL);
	rest();
	return 0;
}

static void *load_in_thread(void *arg)
{
	(void)arg;
	return dlopen(path, RTLD_NOW);
}

static int library_in_thread(void)
{
	must(in_thread(load_in_thread, NULL) != NULL);
	rest();
	return 0;
}

static int thread_maps(void)
{
	in_thread(map_in_thread, NULL);
	rest();
	return 0;
}

/* The other thread is there to the end, and does not have what the main thread mapped. */
static int thread_misses(void)
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, wait_in_thread, NULL) == 0);
	map(NULL, 0, PAGES, TEXT);
	rest();
	return 0;
}

/* A thread made later begins with what the main thread, whose event it is, has. */
static int thread_inherits(void)
{
	pthread_t thread;

	map(NULL, 0, PAGES, TEXT);
	must(pthread_create(&thread, NULL, wait_in_thread, NULL) == 0);
	rest();
	return 0;
}

static void *outlive(void *arg)
{
	pthread_join(*(pthread_t *)arg, NULL);
	map(NULL, 0, PAGES, TEXT);
	rest();
	_exit(5);
}

/* The main thread ends first. */
static int outlived(void)
{
	static pthread_t me;
	pthread_t thread;

	me = pthread_self();
	must(pthread_create(&thread, NULL, outlive, &me) == 0);
	pthread_exit(NULL);
}

static void *exec_in_thread(void *arg)
{
	(void)arg;
	run_again("once");
	return NULL;
}

static int thread_execs(void)
{
	map(NULL, 0, PAGES, TEXT);
	in_thread(exec_in_thread, NULL);
	return 98;
}

static int chain(void)
{
	map(NULL, 0, PAGES, TEXT);
	run_again("chain2");
	return 98;
}

static int chain2(void)
{
	run_again("once");
	return 98;
}

/* The child maps the file elsewhere, its own child maps nothing. */
static int family(void)
{
	pid_t child, grandchild;

	map(NULL, 0, PAGES, TEXT);
	child = fork();
	if (child)
		return child_status(child);
	map(NULL, 0, PAGES, TEXT);
	grandchild = fork();
	if (grandchild)
		_exit(child_status(grandchild));
	rest();
	_exit(0);
}

/* A thread of a child begins with the ranges of the command, which has none. */
static int child_thread(void)
{
	pid_t child = fork();

	if (child)
		return child_status(child);
	map(NULL, 0, PAGES, TEXT);
	in_thread(map_in_thread, NULL);
	rest();
	_exit(0);
}

/* Go on when told, and be gone before anybody can look. */
static int vanish(void)
{
	wait_for_cue();
	map(NULL, 0, PAGES, TEXT);
	return 0;
}

/* Many mappings: no two are neighbours that the kernel would make one of. */
static int flood(void)
{
	wait_for_cue();
	for (int i = 0; i < 2000; i++)
		map(NULL, i % 2 ? 0 : 2, 1, i % 2 ? PROT_READ : TEXT);
	return 0;
}

static int flood_then_rest(void)
{
	pid_t child;

	flood();
	usleep(400000);
	child = fork();
	if (!child)
		_exit(0);
	must(child_status(child) == 0);
	map(NULL, 0, PAGES, TEXT);
	rest();
	return 3;
}

/* On one CPU, so that its ring tells of what was dropped before it tells of the exec. */
static int flood_then_exec(void)
{
	cpu_set_t one;
	int cpu = sched_getcpu();

	must(cpu >= 0);
	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	must(sched_setaffinity(0, sizeof(one), &one) == 0);
	flood();
	usleep(400000);
	run_again("once");
	return 98;
}

/* A child that lives on. */
static int daemonize(void)
{
	pid_t child = fork();

	if (child)
		return 4;
	map(NULL, 0, PAGES, TEXT);
	usleep(300000);
	_exit(0);
}

/* A mapping, and then nothing. */
static int forever(void)
{
	map(NULL, 0, PAGES, TEXT);
	while (true)
		pause();
	return 0;
}

/* A second mapping after the first was seen. */
static int stubborn(void)
{
	signal(SIGINT, SIG_IGN);
	map(NULL, 0, PAGES, TEXT);
	wait_for_cue();
	return forever();
}

/* As if it had run for long; on cue another thread maps once more. */
static void *map_on_cue(void *arg)
{
	char byte = 'r';

	(void)arg;
	must(write(STDOUT_FILENO, &byte, 1) == 1);
	wait_for_cue();
	return map(NULL, 0, PAGES, TEXT);
}

static int ready(void)
{
	map(NULL, 0, PAGES, TEXT);
	in_thread(map_on_cue, NULL);
	rest();
	return 0;
}

/* Ready; on cue a mapping goes, and nothing tells of it. */
static int ready_unmap(void)
{
	char *p = map(NULL, 0, PAGES, TEXT);
	char byte = 'r';

	must(write(STDOUT_FILENO, &byte, 1) == 1);
	wait_for_cue();
	must(munmap(p, PAGES * page()) == 0);
	pause();
	return 0;
}

/* Ready; on cue a child that lives on, and another thread that maps. */
static int ready_parent(void)
{
	char byte = 'r';

	must(write(STDOUT_FILENO, &byte, 1) == 1);
	wait_for_cue();
	if (!fork()) {
		usleep(3000000);
		_exit(0);
	}
	in_thread(map_in_thread, NULL);
	rest();
	return 0;
}

static int say(void)
{
	must(write(STDOUT_FILENO, "hello\n", 6) == 6);
	return 0;
}

/* Each mapping on another CPU than the one before; their sizes count up. */
static int wander(void)
{
	cpu_set_t all, one;
	size_t cpu = 0;

	must(sched_getaffinity(0, sizeof(all), &all) == 0);
	for (size_t i = 1; i <= 200; i++) {
		do
			cpu = (cpu + 1) % CPU_SETSIZE;
		while (!CPU_ISSET(cpu, &all));
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		must(sched_setaffinity(0, sizeof(one), &one) == 0);
		must(munmap(map(NULL, 0, i, PROT_READ), i * page()) == 0);
	}
	return 0;
}

static const struct {
	const char *name;
	int (*play)(void);
} scenes[] = {
	{ "once", once },
	{ "twice", twice },
	{ "split", split },
	{ "cover", cover },
	{ "unmap", unmap },
	{ "move", move },
	{ "unlinked", unlinked },
	{ "library", library },
	{ "library_in_thread", library_in_thread },
	{ "thread_maps", thread_maps },
	{ "thread_misses", thread_misses },
	{ "thread_inherits", thread_inherits },
	{ "outlived", outlived },
	{ "thread_execs", thread_execs },
	{ "chain", chain },
	{ "chain2", chain2 },
	{ "family", family },
	{ "child_thread", child_thread },
	{ "vanish", vanish },
	{ "flood", flood },
	{ "flood_then_rest", flood_then_rest },
	{ "daemonize", daemonize },
	{ "forever", forever },
	{ "stubborn", stubborn },
	{ "flood_then_exec", flood_then_exec },
	{ "ready", ready },
	{ "ready_unmap", ready_unmap },
	{ "ready_parent", ready_parent },
	{ "say", say },
	{ "wander", wander },
};

void actor_main(int argc, char **argv)
{
	if (argc != 4 || strcmp(argv[1], ACT))
		return;
	self = argv;
	path = argv[3];
	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
		/* Sanitizers do things of their own at an orderly exit. */
		if (!strcmp(argv[2], scenes[i].name))
			_exit(scenes[i].play());
	}
	_exit(97);
}
