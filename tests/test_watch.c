// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What Linux would hold for processes that map, unmap, fork, exec and make threads (SPEC 4). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "actor.h"
#include "runner.h"
#include "watching.h"

static struct watching w;

static void setup(void)
{
	watching_init(&w);
}

static void teardown(void)
{
	watching_free(&w);
}

static u64 pages(u64 n)
{
	return n * (u64)sysconf(_SC_PAGESIZE);
}

/* The one process of a scene with one. */
static const struct report_filter *one(void)
{
	const struct report_filter *filter = watching_filter_of(&w, 0);

	ck_assert_uint_eq(w.report.count, 1);
	ck_assert(w.end.has_status && w.end.exited);
	return filter;
}

static bool noted(const struct report_filter *filter, enum itf_note code)
{
	return watching_note(filter, code);
}

/* ---------------------------------------------------------------------- mappings */

START_TEST(a_mapping_is_told_and_covered)
{
	const struct report_filter *filter;
	const struct told *told;

	watching_run(&w, "once");
	filter = one();
	told = watching_last(&w, WATCH_MMAP);
	ck_assert_ptr_nonnull(told);
	ck_assert_uint_eq(told->mapping.size, pages(PAGES));
	ck_assert_uint_eq(told->mapping.offset, 0);
	ck_assert_uint_eq(told->mapping.prot, ITF_PROT_READ | ITF_PROT_EXEC);
	ck_assert(told->slot.matched && told->slot.range.start == told->mapping.start);
	ck_assert_uint_eq(filter->exact_count, 1);
	ck_assert_uint_eq(filter->exact[0].start, told->mapping.start);
	ck_assert_uint_eq(filter->exact[0].size, pages(PAGES));
	ck_assert_uint_eq(filter->launch.range.start, told->mapping.start);
	ck_assert_uint_eq(filter->launch.range.size, pages(PAGES));
	ck_assert(filter->attach.matched);
	ck_assert_int_eq(filter->verdict, ITF_VERDICT_COVERED);
	ck_assert(!noted(filter, ITF_NOTE_MAY_BE_STALE));
	ck_assert(!noted(filter, ITF_NOTE_THREADS_DIFFER));
}
END_TEST

START_TEST(only_mappings_of_the_object_are_told)
{
	watching_run(&w, "say");
	ck_assert(watching_filter_of(&w, 0)->exact_count == 0);
	ck_assert_uint_eq(w.counts[WATCH_MMAP], 0);
	ck_assert_uint_eq(w.counts[WATCH_EXEC], 1);
	ck_assert_uint_eq(w.counts[WATCH_EXIT], 1);
	/* What was never mapped cannot have gone. */
	ck_assert(!noted(one(), ITF_NOTE_MAY_BE_STALE));
}
END_TEST

START_TEST(of_two_mappings_the_last_wins_and_exact_has_both)
{
	const struct report_filter *filter;
	const struct told *told;

	watching_run(&w, "twice");
	filter = one();
	told = watching_last(&w, WATCH_MMAP);
	ck_assert_uint_eq(w.counts[WATCH_MMAP], 2);
	ck_assert_uint_eq(filter->launch.range.start, told->mapping.start);
	ck_assert_uint_eq(filter->exact_count, 2);
	ck_assert(filter->attach.range.start == filter->exact[0].start);
	ck_assert(noted(filter, ITF_NOTE_SEVERAL_MAPPINGS));
}
END_TEST

START_TEST(text_split_by_mprotect_leaves_linux_one_half)
{
	const struct report_filter *filter;

	watching_run(&w, "split");
	filter = one();
	ck_assert_uint_eq(w.counts[WATCH_MMAP], 2);
	ck_assert_uint_eq(filter->exact_count, 1);
	ck_assert_uint_eq(filter->exact[0].size, pages(4));
	ck_assert_uint_eq(filter->launch.range.start, filter->exact[0].start + pages(2));
	ck_assert_uint_eq(filter->launch.range.size, pages(2));
	ck_assert_uint_eq(filter->attach.range.start, filter->exact[0].start);
	ck_assert_uint_eq(filter->attach.range.size, pages(2));
	ck_assert_int_eq(filter->verdict, ITF_VERDICT_PARTIAL);
}
END_TEST

START_TEST(a_mapping_over_another_replaces_it_only_in_exact)
{
	const struct report_filter *filter;

	watching_run(&w, "cover");
	filter = one();
	ck_assert_uint_eq(filter->exact_count, 1);
	ck_assert_uint_eq(filter->exact[0].size, pages(2));
	ck_assert_uint_eq(filter->launch.range.size, pages(4));
}
END_TEST

START_TEST(munmap_is_seen_in_maps_and_linux_keeps_its_range)
{
	const struct report_filter *filter;

	watching_run(&w, "unmap");
	filter = one();
	ck_assert_uint_eq(filter->exact_count, 0);
	ck_assert(filter->launch.matched);
	ck_assert_uint_eq(filter->launch.range.size, pages(PAGES));
	ck_assert(!filter->attach.matched);
	ck_assert_int_eq(filter->verdict, ITF_VERDICT_NONE);
	ck_assert(!noted(filter, ITF_NOTE_MAY_BE_STALE));
}
END_TEST

START_TEST(mremap_is_seen_in_maps_and_linux_keeps_its_range)
{
	const struct report_filter *filter;

	watching_run(&w, "move");
	filter = one();
	ck_assert_uint_eq(filter->exact_count, 1);
	ck_assert_uint_eq(filter->exact[0].size, pages(PAGES));
	ck_assert_uint_ne(filter->launch.range.start, filter->exact[0].start);
	ck_assert_uint_eq(filter->attach.range.start, filter->exact[0].start);
}
END_TEST

START_TEST(what_nobody_could_look_at_may_be_stale)
{
	const struct report_filter *filter;

	w.cue_on = WATCH_EXEC;
	w.cues = 1;
	w.pause = 200;
	watching_run(&w, "vanish");
	filter = one();
	ck_assert_uint_eq(filter->exact_count, 1);
	ck_assert(noted(filter, ITF_NOTE_MAY_BE_STALE));
}
END_TEST

START_TEST(a_file_deleted_before_it_is_mapped_is_the_same_object)
{
	const struct report_filter *filter;

	watching_run(&w, "unlinked");
	filter = one();
	ck_assert_int_eq(filter->verdict, ITF_VERDICT_COVERED);
	/* The filter found it when it was set, as the kernel would have. */
	ck_assert(!noted(filter, ITF_NOTE_DELETED_FILE));
}
END_TEST

/* A copy of the mathematics library, which is a file of its own. */
static void copy_library(void)
{
	double (*volatile function)(double) = floor;
	char buf[65536];
	Dl_info info;
	ssize_t n;
	int in, out;

	ck_assert(dladdr((void *)(uintptr_t)function, &info) != 0);
	in = open(info.dli_fname, O_RDONLY);
	out = open(w.file, O_WRONLY);
	ck_assert(in >= 0 && out >= 0);
	while ((n = read(in, buf, sizeof(buf))) > 0)
		ck_assert(write(out, buf, (size_t)n) == n);
	close(in);
	close(out);
	watching_filter(&w, "filter file:0/0x1000000@%s");
}

START_TEST(a_library_loaded_while_running_is_followed)
{
	const struct report_filter *filter;

	copy_library();
	watching_run(&w, "library");
	filter = one();
	ck_assert_int_eq(w.end.status, 0);
	ck_assert_uint_ge(w.counts[WATCH_MMAP], 2);
	ck_assert_uint_eq(filter->exact_count, 1);
	ck_assert_int_eq(filter->verdict, ITF_VERDICT_COVERED);
	/* Its first mapping is of headers only. */
	ck_assert(noted(filter, ITF_NOTE_NON_EXEC_FIRST));
}
END_TEST

/* ---------------------------------------------------------------------- threads */

START_TEST(a_library_loaded_by_another_thread_is_not_the_main_threads)
{
	const struct report_filter *filter;

	copy_library();
	watching_run(&w, "library_in_thread");
	filter = one();
	ck_assert(!filter->launch.matched);
	ck_assert_uint_eq(filter->exact_count, 1);
	ck_assert_int_eq(filter->verdict, ITF_VERDICT_NONE);
	ck_assert(noted(filter, ITF_NOTE_THREADS_DIFFER));
}
END_TEST

START_TEST(a_mapping_changes_the_ranges_of_its_thread_only)
{
	const struct report_filter *filter;
	const struct told *told;
	char detail[64];

	watching_run(&w, "thread_maps");
	filter = one();
	told = watching_last(&w, WATCH_MMAP);
	ck_assert_int_ne(told->tid, told->pid);
	ck_assert(!told->slot.matched);
	ck_assert(!filter->launch.matched);
	ck_assert_uint_eq(filter->exact_count, 1);
	ck_assert(noted(filter, ITF_NOTE_THREADS_DIFFER));
	snprintf(detail, sizeof(detail), "thread %ld", (long)told->tid);
	ck_assert_str_eq(watching_note(filter, ITF_NOTE_THREADS_DIFFER)->detail, detail);
}
END_TEST

START_TEST(a_thread_that_was_there_before_the_mapping_differs)
{
	watching_run(&w, "thread_misses");
	ck_assert(one()->launch.matched);
	ck_assert(noted(one(), ITF_NOTE_THREADS_DIFFER));
}
END_TEST

START_TEST(a_new_thread_begins_with_the_ranges_of_the_root)
{
	watching_run(&w, "thread_inherits");
	ck_assert(one()->launch.matched);
	ck_assert(!noted(one(), ITF_NOTE_THREADS_DIFFER));
}
END_TEST

START_TEST(a_process_lives_as_long_as_its_last_thread)
{
	watching_run(&w, "outlived");
	ck_assert_uint_eq(one()->exact_count, 1);
	ck_assert(!one()->launch.matched);
	ck_assert_uint_eq(w.counts[WATCH_EXIT], 1);
	ck_assert_int_eq(w.end.status, 5);
	ck_assert(!noted(one(), ITF_NOTE_MAY_BE_STALE));
}
END_TEST

START_TEST(a_thread_that_does_exec_becomes_the_process)
{
	const struct told *told;

	watching_run(&w, "thread_execs");
	ck_assert_int_eq(w.end.status, 0);
	ck_assert_uint_eq(w.counts[WATCH_EXEC], 2);
	ck_assert_uint_eq(w.counts[WATCH_EXIT], 1);
	told = watching_last(&w, WATCH_MMAP);
	ck_assert_int_eq(told->tid, told->pid);
	ck_assert_uint_eq(one()->exact_count, 1);
	ck_assert_uint_eq(one()->launch.range.start, told->mapping.start);
	ck_assert(!noted(one(), ITF_NOTE_THREADS_DIFFER));
}
END_TEST

/* ---------------------------------------------------------------------- fork and exec */

START_TEST(exec_forgets_file_ranges)
{
	size_t mapped = 0, forgotten = 0;

	watching_run(&w, "chain");
	ck_assert_int_eq(w.end.status, 0);
	ck_assert_uint_eq(w.counts[WATCH_EXEC], 3);
	ck_assert_uint_eq(w.counts[WATCH_MMAP], 2);
	for (size_t i = 0; i < w.count; i++) {
		mapped += w.events[i].kind == WATCH_MMAP && w.events[i].slot.matched;
		forgotten += w.events[i].kind == WATCH_EXEC && !w.events[i].slot.matched;
	}
	ck_assert_uint_eq(mapped, 2);
	ck_assert_uint_eq(forgotten, 3);
	ck_assert_uint_eq(one()->exact_count, 1);
	ck_assert_str_eq(watching_last(&w, WATCH_EXEC)->comm, "test_watch");
	ck_assert_str_eq(w.report.processes[0].comm, "test_watch");
}
END_TEST

START_TEST(kernel_filters_outlive_exec)
{
	watching_filter(&w, "filter kernel:0x1000/0x1000");
	watching_run(&w, "chain");
	ck_assert(one()->launch.matched);
	ck_assert_uint_eq(one()->launch.range.start, 0x1000);
	ck_assert_int_eq(one()->verdict, ITF_VERDICT_COVERED);
}
END_TEST

START_TEST(children_begin_with_the_ranges_of_the_root)
{
	const struct report_filter *parent, *child, *grandchild;

	watching_run(&w, "family");
	parent = watching_filter_of(&w, 0);
	child = watching_filter_of(&w, 1);
	grandchild = watching_filter_of(&w, 2);
	ck_assert_uint_eq(w.report.count, 3);
	ck_assert_uint_eq(w.counts[WATCH_FORK], 2);
	ck_assert_uint_eq(parent->exact_count, 1);
	ck_assert_uint_eq(child->exact_count, 2);
	ck_assert_uint_eq(grandchild->exact_count, 2);
	/* R12: the grandchild has its parent's mappings and its grandparent's ranges. */
	ck_assert_uint_ne(child->launch.range.start, parent->launch.range.start);
	ck_assert_uint_eq(grandchild->launch.range.start, parent->launch.range.start);
}
END_TEST

START_TEST(processes_are_reported_in_the_order_of_their_beginnings)
{
	const struct told *fork = NULL;

	watching_run(&w, "family");
	for (size_t i = 0; i < w.count && !fork; i++) {
		if (w.events[i].kind == WATCH_FORK)
			fork = &w.events[i];
	}
	ck_assert_ptr_nonnull(fork);
	ck_assert_uint_eq(w.report.count, 3);
	ck_assert_int_eq(w.report.processes[0].pid, fork->pid);
	ck_assert_int_eq(w.report.processes[1].pid, fork->child);
}
END_TEST

START_TEST(a_thread_of_a_child_begins_with_the_ranges_of_the_root_too)
{
	const struct report_filter *child;

	watching_run(&w, "child_thread");
	child = watching_filter_of(&w, 1);
	ck_assert_uint_eq(child->exact_count, 2);
	ck_assert(child->launch.matched);
	ck_assert(noted(child, ITF_NOTE_THREADS_DIFFER));
}
END_TEST

START_TEST(a_shell_shows_fork_and_exec_as_they_are)
{
	char *command[] = { "sh", "-c", "true; /bin/true", NULL };
	static const enum watch_kind kinds[] = { WATCH_EXEC, WATCH_FORK, WATCH_EXEC, WATCH_EXIT,
						 WATCH_EXIT };
	size_t n = 0;

	watching_filter(&w, "filter file:0/0x100000@/usr/bin/sh");
	w.ask.command = command;
	watching_run(&w, NULL);
	ck_assert(watching_filter_of(&w, 0)->launch.matched);
	for (size_t i = 0; i < w.count; i++) {
		if (w.events[i].kind == WATCH_MMAP)
			continue;
		ck_assert_uint_lt(n, 5);
		ck_assert_int_eq(w.events[i].kind, kinds[n++]);
	}
	ck_assert_uint_eq(n, 5);
	ck_assert_uint_eq(w.report.count, 2);
	ck_assert_str_eq(w.report.processes[0].comm, "sh");
	ck_assert_str_eq(w.report.processes[1].comm, "true");
	ck_assert_int_eq(watching_filter_of(&w, 1)->verdict, ITF_VERDICT_NONE);
}
END_TEST

START_TEST(events_come_in_the_order_of_time)
{
	watching_run(&w, "family");
	for (size_t i = 1; i < w.count && i < EVENTS_MAX; i++)
		ck_assert_uint_le(w.events[i - 1].time, w.events[i].time);
}
END_TEST

START_TEST(the_watch_waits_for_children_that_live_on)
{
	watching_run(&w, "daemonize");
	ck_assert_uint_eq(watching_filter_of(&w, 1)->exact_count, 1);
	ck_assert_uint_eq(w.counts[WATCH_EXIT], 2);
	ck_assert(w.end.has_status && w.end.exited && w.end.status == 4);
	ck_assert(!w.end.interrupted);
}
END_TEST

/* ---------------------------------------------------------------------- dropped records */

START_TEST(dropped_records_are_told_and_noted)
{
	w.bytes = 1;
	w.cue_on = WATCH_EXEC;
	w.cues = 1;
	w.pause = 200;
	watching_run(&w, "flood_then_rest");
	ck_assert(noted(watching_filter_of(&w, 0), ITF_NOTE_MAY_BE_STALE));
	ck_assert_uint_ge(w.counts[WATCH_LOST], 1);
	ck_assert_uint_gt(w.end.lost, 1000);
	ck_assert_int_eq(w.end.status, 3);
	/* What was dropped is in maps: 1000 executable mappings of one page, and one of all. */
	ck_assert_uint_gt(watching_filter_of(&w, 0)->exact_count, 1000);
}
END_TEST

START_TEST(exec_makes_up_for_dropped_records)
{
	w.bytes = pages(4);
	w.cue_on = WATCH_EXEC;
	w.cues = 1;
	w.pause = 200;
	watching_run(&w, "flood_then_exec");
	ck_assert_uint_ge(w.counts[WATCH_LOST], 1);
	ck_assert_uint_eq(w.counts[WATCH_EXEC], 2);
	ck_assert_uint_eq(one()->exact_count, 1);
	ck_assert(!noted(one(), ITF_NOTE_MAY_BE_STALE));
}
END_TEST

START_TEST(records_dropped_at_the_very_end_are_told_too)
{
	w.bytes = 1;
	w.cue_on = WATCH_EXEC;
	w.cues = 1;
	w.pause = 400;
	watching_run(&w, "flood");
	ck_assert(noted(watching_filter_of(&w, 0), ITF_NOTE_MAY_BE_STALE));
	ck_assert_uint_ge(w.counts[WATCH_LOST], 1);
	ck_assert_uint_gt(w.end.lost, 1000);
}
END_TEST

int main(int argc, char **argv)
{
	TCase *mappings, *threads, *forks, *lost, *all[4];
	Suite *s;
	int status;

	actor_main(argc, argv);
	if (events_refused(&status))
		return status;
	s = suite_create("watch");
	all[0] = mappings = tcase_create("mappings");
	all[1] = threads = tcase_create("threads");
	all[2] = forks = tcase_create("fork and exec");
	all[3] = lost = tcase_create("dropped records");
	tcase_add_test(mappings, a_mapping_is_told_and_covered);
	tcase_add_test(mappings, only_mappings_of_the_object_are_told);
	tcase_add_test(mappings, of_two_mappings_the_last_wins_and_exact_has_both);
	tcase_add_test(mappings, text_split_by_mprotect_leaves_linux_one_half);
	tcase_add_test(mappings, a_mapping_over_another_replaces_it_only_in_exact);
	tcase_add_test(mappings, munmap_is_seen_in_maps_and_linux_keeps_its_range);
	tcase_add_test(mappings, mremap_is_seen_in_maps_and_linux_keeps_its_range);
	tcase_add_test(mappings, what_nobody_could_look_at_may_be_stale);
	tcase_add_test(mappings, a_file_deleted_before_it_is_mapped_is_the_same_object);
	tcase_add_test(mappings, a_library_loaded_while_running_is_followed);
	tcase_add_test(threads, a_library_loaded_by_another_thread_is_not_the_main_threads);
	tcase_add_test(threads, a_mapping_changes_the_ranges_of_its_thread_only);
	tcase_add_test(threads, a_thread_that_was_there_before_the_mapping_differs);
	tcase_add_test(threads, a_new_thread_begins_with_the_ranges_of_the_root);
	tcase_add_test(threads, a_process_lives_as_long_as_its_last_thread);
	tcase_add_test(threads, a_thread_that_does_exec_becomes_the_process);
	tcase_add_test(forks, exec_forgets_file_ranges);
	tcase_add_test(forks, kernel_filters_outlive_exec);
	tcase_add_test(forks, children_begin_with_the_ranges_of_the_root);
	tcase_add_test(forks, processes_are_reported_in_the_order_of_their_beginnings);
	tcase_add_test(forks, a_thread_of_a_child_begins_with_the_ranges_of_the_root_too);
	tcase_add_test(forks, a_shell_shows_fork_and_exec_as_they_are);
	tcase_add_test(forks, events_come_in_the_order_of_time);
	tcase_add_test(forks, the_watch_waits_for_children_that_live_on);
	tcase_add_test(lost, dropped_records_are_told_and_noted);
	tcase_add_test(lost, exec_makes_up_for_dropped_records);
	tcase_add_test(lost, records_dropped_at_the_very_end_are_told_too);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		tcase_add_checked_fixture(all[i], setup, teardown);
		suite_add_tcase(s, all[i]);
	}
	return run_suite(s);
}
