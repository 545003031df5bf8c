// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Records come out of the rings whole, in the order of time, and mappings are read when due. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actor.h"
#include "host/perfdata_decode.h"
#include "host/reread.h"
#include "host/ring.h"
#include "host/spawn.h"
#include "host/timeline.h"
#include "runner.h"
#include "watching.h"

/* ---------------------------------------------------------------------- timeline */

static struct timeline timeline;

static void add(u64 time, const char *name)
{
	struct moment moment = { .time = time };

	moment.record.name = name;
	moment.record.name_len = strlen(name);
	ck_assert(timeline_add(&timeline, &moment));
}

static void take(u64 until, const char *name)
{
	struct moment moment;

	ck_assert(timeline_take(&timeline, until, &moment) == (name != NULL));
	if (!name)
		return;
	ck_assert_str_eq(moment.record.name, name);
	moment_free(&moment);
}

START_TEST(moments_come_by_time_then_by_arrival)
{
	add(5, "b");
	add(3, "a");
	add(5, "c");
	add(UINT64_MAX, "e");
	add(5, "d");
	take(2, NULL);
	take(3, "a");
	take(4, NULL);
	take(5, "b");
	take(5, "c");
	take(5, "d");
	take(UINT64_MAX - 1, NULL);
	take(UINT64_MAX, "e");
	take(UINT64_MAX, NULL);
	add(1, "left over");
	timeline_free(&timeline);
}
END_TEST

START_TEST(a_timeline_sorts_as_a_stable_sort_does)
{
	struct moment moment, last = { 0 };
	unsigned int seed = 1;

	for (u32 i = 0; i < 3000; i++) {
		moment = (struct moment){ .time = (u64)rand_r(&seed) % 500, .object = i };
		ck_assert(timeline_add(&timeline, &moment));
	}
	for (u32 i = 0; i < 3000; i++) {
		ck_assert(timeline_take(&timeline, UINT64_MAX, &moment));
		ck_assert(moment.time >= last.time);
		if (i && moment.time == last.time)
			ck_assert(moment.object > last.object);
		last = moment;
	}
	timeline_free(&timeline);
}
END_TEST

/* ---------------------------------------------------------------------- rings */

static struct rings rings;
static struct trouble trouble;
static struct watching w;

/* What came out of the rings. */
static struct {
	size_t mappings;
	size_t forks;
	size_t exits;
	u64 lost;
	u64 newest[1024];
} out;

static bool take_bytes(const u8 *bytes, size_t size, size_t ring, void *ctx)
{
	static const struct perfdata_layout layout = { RING_ID_SIZE, RING_TIME_AT, false };
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	struct moment moment = { 0 };
	struct perfdata_record *record = &moment.record;

	(void)ctx;
	ck_assert_int_eq(perfdata_decode(bytes, size, big, &layout, record), 1);
	ck_assert_ptr_eq(bytes, rings.straight);
	/* In one ring they come in order, and on the clock that was asked for. */
	ck_assert(record->has_time);
	ck_assert_uint_ge(record->time, out.newest[ring]);
	ck_assert_uint_le(record->time, monotonic());
	out.newest[ring] = record->time;
	out.forks += record->kind == PERFDATA_FORK;
	out.exits += record->kind == PERFDATA_EXIT;
	out.lost += record->kind == PERFDATA_LOST ? record->lost : 0;
	moment.time = record->time;
	if (record->kind == PERFDATA_MMAP && record->name_len == strlen(w.file) &&
	    !memcmp(record->name, w.file, record->name_len)) {
		out.mappings++;
		ck_assert(timeline_add(&timeline, &moment));
	}
	/* Whatever of the next record is not copied is to be seen. */
	memset(rings.straight, 0xee, size);
	return true;
}

/* Wait for records. Return: whether all has ended. */
static bool wait_for_rings(int timeout)
{
	struct pollfd polls[1024];

	ck_assert_uint_le(rings.count, 1024);
	rings_poll(&rings, polls);
	ck_assert_int_ge(poll(polls, rings.count, timeout), 0);
	return rings_polled(&rings, polls);
}

/* Follow a scene to its end. */
static void follow(const char *scene)
{
	char *command[] = { actor_program(), ACT, (char *)scene, w.file, NULL };
	struct spawned spawned;
	sigset_t mask;
	bool gone;

	sigemptyset(&mask);
	ck_assert(spawn_wait(&spawned, command, -1, &mask, &trouble));
	ck_assert(rings_follow(&rings, spawned.pid, true, &gone, &trouble));
	ck_assert(!wait_for_rings(0));
	ck_assert(spawn_go(&spawned, command[0], &trouble));
	while (!wait_for_rings(1000))
		ck_assert(rings_read(&rings, take_bytes, NULL));
	ck_assert(rings_read(&rings, take_bytes, NULL));
	ck_assert(waitpid(spawned.pid, NULL, 0) == spawned.pid);
}

static void setup_bytes(size_t bytes)
{
	watching_init(&w);
	memset(&out, 0, sizeof(out));
	ck_assert(rings_init(&rings, bytes, &trouble));
}

static void setup(void)
{
	setup_bytes(RING_BYTES);
}

static void setup_tiny(void)
{
	setup_bytes(1);
}

static void teardown(void)
{
	rings_free(&rings);
	timeline_free(&timeline);
	watching_free(&w);
}

START_TEST(records_of_all_cpus_merge_in_the_order_of_time)
{
	struct moment moment;
	u64 size = 0;

	follow("wander");
	ck_assert_uint_eq(out.lost, 0);
	ck_assert_uint_eq(out.mappings, 200);
	ck_assert_uint_eq(out.exits, 1);
	while (timeline_take(&timeline, UINT64_MAX, &moment)) {
		ck_assert_uint_gt(moment.record.size, size);
		size = moment.record.size;
		moment_free(&moment);
	}
	ck_assert_uint_eq(size, 200 * (u64)sysconf(_SC_PAGESIZE));
}
END_TEST

START_TEST(a_ring_that_is_gone_round_many_times_loses_nothing_unsaid)
{
	u64 told;

	follow("wander");
	told = rings_lost(&rings);
	ck_assert_uint_le(out.lost, rings.tells_lost ? told : out.lost);
	if (rings.tells_lost)
		ck_assert_uint_ge(out.mappings + told, 200);
	ck_assert_uint_gt(out.mappings, 0);
}
END_TEST

START_TEST(threads_of_a_process_and_its_children_write_to_the_same_rings)
{
	follow("family");
	ck_assert_uint_eq(out.mappings, 2);
	ck_assert_uint_eq(out.forks, 2);
	ck_assert_uint_eq(out.exits, 3);
}
END_TEST

START_TEST(a_thread_that_is_not_there_is_gone)
{
	bool gone = false;

	ck_assert(!rings_follow(&rings, 0x7ffffffe, false, &gone, &trouble));
	ck_assert(gone);
}
END_TEST

START_TEST(several_events_share_the_ring_of_their_cpu)
{
	bool gone;

	ck_assert(rings_follow(&rings, getpid(), false, &gone, &trouble));
	ck_assert(rings_follow(&rings, getpid(), false, &gone, &trouble));
	for (size_t i = 0; i < rings.count; i++)
		ck_assert_uint_eq(rings.list[i].fd_count, 2);
	ck_assert(!wait_for_rings(0));
	ck_assert(mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
	ck_assert(!wait_for_rings(1000));
	ck_assert(rings_read(&rings, take_bytes, NULL));
}
END_TEST

/* ---------------------------------------------------------------------- mappings read anew */

static struct reread reread;
static struct reread_maps got;
static size_t times;

static bool take_maps(pid_t pid, struct reread_maps *maps, void *ctx)
{
	ck_assert_ptr_eq(ctx, &reread);
	ck_assert_int_gt(pid, 0);
	free(got.maps);
	got = *maps;
	times++;
	return true;
}

static void read_due(bool all, size_t expected)
{
	times = 0;
	ck_assert(reread_due(&reread, all, take_maps, &reread));
	ck_assert_uint_eq(times, expected);
}

static struct objects objects;

static void setup_reread(void)
{
	watching_init(&w);
	ck_assert(objects_by_inode(&objects, &w.set, 0));
	reread.objects = &objects;
}

static void teardown_reread(void)
{
	reread_free(&reread);
	objects_free(&objects);
	free(got.maps);
	watching_free(&w);
}

START_TEST(a_process_is_read_once_after_it_was_touched)
{
	const struct itf_mapping *found = NULL;
	u64 before = monotonic();

	read_due(false, 0);
	ck_assert_int_eq(reread_wait(&reread), -1);
	ck_assert(reread_touch(&reread, getpid(), getpid()));
	ck_assert(reread_touch(&reread, getpid(), getpid()));
	read_due(false, 1);
	ck_assert(got.time >= before && got.time <= monotonic());
	for (size_t i = 0; i < got.count; i++) {
		if (got.maps[i].start <= (u64)(uintptr_t)&timeline &&
		    (u64)(uintptr_t)&timeline - got.maps[i].start < got.maps[i].size)
			found = &got.maps[i];
	}
	ck_assert_ptr_nonnull(found);
	ck_assert_uint_eq(found->prot, ITF_PROT_READ | ITF_PROT_WRITE);
	read_due(true, 0);
}
END_TEST

/* Read, touch and try to read at once. Return: how often it was read then. */
static size_t read_again_at_once(void)
{
	ck_assert(reread_touch(&reread, getpid(), getpid()));
	read_due(true, 1);
	ck_assert(reread_touch(&reread, getpid(), getpid()));
	times = 0;
	ck_assert(reread_due(&reread, false, take_maps, &reread));
	return times;
}

START_TEST(a_process_is_not_read_too_often)
{
	int tries = 100, wait;

	/* On a busy machine there may be a rest between the two. */
	while (read_again_at_once())
		ck_assert_int_gt(--tries, 0);
	wait = reread_wait(&reread);
	ck_assert_int_ge(wait, 1);
	usleep((unsigned int)wait * 1000);
	read_due(false, 1);
	/* At the end everything is due. */
	reread_touch_all(&reread);
	read_due(true, 1);
}
END_TEST

START_TEST(processes_that_are_found_gone_are_forgotten)
{
	pid_t pid = fork();
	siginfo_t info;

	if (!pid)
		_exit(0);
	/* A zombie has no mappings. */
	ck_assert(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0);
	ck_assert(reread_touch(&reread, pid, pid));
	read_due(true, 0);
	ck_assert(waitpid(pid, NULL, 0) == pid);
	ck_assert(reread_touch(&reread, pid, pid));
	read_due(true, 0);
	reread_touch_all(&reread);
	ck_assert_int_eq(reread_wait(&reread), -1);
}
END_TEST

START_TEST(when_a_main_thread_ended_its_process_is_looked_at_once_more)
{
	reread_ended(&reread, getpid());
	read_due(true, 0);
	ck_assert(reread_touch(&reread, getpid(), getpid()));
	read_due(true, 1);
	reread_ended(&reread, getpid());
	read_due(true, 1);
}
END_TEST

START_TEST(if_the_thread_is_gone_its_process_is_read)
{
	ck_assert(reread_now(&reread, getpid(), 0x7ffffffe, &got));
	ck_assert_uint_gt(got.count, 0);
}
END_TEST

int main(int argc, char **argv)
{
	TCase *times_case, *ring, *tiny, *maps;
	Suite *s;
	int status;

	actor_main(argc, argv);
	if (events_refused(&status))
		return status;
	s = suite_create("ring");
	times_case = tcase_create("timeline");
	tcase_add_test(times_case, moments_come_by_time_then_by_arrival);
	tcase_add_test(times_case, a_timeline_sorts_as_a_stable_sort_does);
	suite_add_tcase(s, times_case);
	ring = tcase_create("rings");
	tcase_add_checked_fixture(ring, setup, teardown);
	tcase_add_test(ring, records_of_all_cpus_merge_in_the_order_of_time);
	tcase_add_test(ring, threads_of_a_process_and_its_children_write_to_the_same_rings);
	tcase_add_test(ring, a_thread_that_is_not_there_is_gone);
	tcase_add_test(ring, several_events_share_the_ring_of_their_cpu);
	suite_add_tcase(s, ring);
	tiny = tcase_create("tiny rings");
	tcase_add_checked_fixture(tiny, setup_tiny, teardown);
	tcase_add_test(tiny, a_ring_that_is_gone_round_many_times_loses_nothing_unsaid);
	suite_add_tcase(s, tiny);
	maps = tcase_create("mappings");
	tcase_add_checked_fixture(maps, setup_reread, teardown_reread);
	tcase_add_test(maps, a_process_is_read_once_after_it_was_touched);
	tcase_add_test(maps, a_process_is_not_read_too_often);
	tcase_add_test(maps, processes_that_are_found_gone_are_forgotten);
	tcase_add_test(maps, when_a_main_thread_ended_its_process_is_looked_at_once_more);
	tcase_add_test(maps, if_the_thread_is_gone_its_process_is_read);
	suite_add_tcase(s, maps);
	return run_suite(s);
}
