// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A filter set over the life of a process (SPEC 4): what was seen in a booted Linux (R1, R2,
 * R12), then event by event. Random events are test_track_model.c's.
 */
#include <itf/track.h>

#include <string.h>

#include "runner.h"

#define R ITF_PROT_READ
#define RX (ITF_PROT_READ | ITF_PROT_EXEC)
#define ROOM 8
#define LIB 1

enum {
	FILE_RANGE,
	KERNEL_RANGE,
	FILE_POINT,
	COUNT
};

static const struct itf_filter filters[COUNT] = {
	{ .action = ITF_ACTION_FILTER,
	  .source = ITF_SOURCE_FILE,
	  .start = 0x2000,
	  .size = 0x1000,
	  .object = LIB },
	{ .action = ITF_ACTION_FILTER,
	  .source = ITF_SOURCE_KERNEL,
	  .start = 0xffffffff81000000,
	  .size = 0x1000 },
	{ .action = ITF_ACTION_START, .source = ITF_SOURCE_FILE, .start = 0x2800, .object = LIB },
};

struct process {
	struct itf_track track;
	struct itf_mapping room[ROOM];
	struct itf_slot launch[COUNT], attach[COUNT];
};

static void set(struct process *p)
{
	itf_track_set(&p->track, filters, COUNT, p->launch, p->attach);
}

/* A process with the filter set from before exec; nothing is mapped yet. */
static void launch(struct process *p)
{
	memset(p, 0, sizeof(*p));
	itf_space_init(&p->track.space, p->room, ROOM, 64);
	set(p);
}

static void map(struct process *p, u64 start, u64 size, u64 offset, u32 prot)
{
	struct itf_mapping m = { start, size, offset, LIB, prot };

	ck_assert_int_eq(itf_track_mmap(&p->track, &m), ITF_OK);
}

static void check_slot(const struct itf_slot *slot, u64 start, u64 size)
{
	ck_assert_msg(slot->range.start == start && slot->range.size == size, "0x%llx/0x%llx",
		      (unsigned long long)slot->range.start, (unsigned long long)slot->range.size);
}

static void check_kernel(const struct process *p)
{
	ck_assert(p->launch[KERNEL_RANGE].matched && p->attach[KERNEL_RANGE].matched);
	check_slot(&p->launch[KERNEL_RANGE], 0xffffffff81000000, 0x1000);
	check_slot(&p->attach[KERNEL_RANGE], 0xffffffff81000000, 0x1000);
}

/* Both answers, which go the same way once the filters are set. */
static void check_range(const struct process *p, u64 start, u64 size)
{
	check_slot(&p->launch[FILE_RANGE], start, size);
	check_slot(&p->attach[FILE_RANGE], start, size);
	check_kernel(p);
}

static void check_nothing(const struct process *p)
{
	ck_assert(!p->launch[FILE_RANGE].matched && !p->attach[FILE_RANGE].matched);
	check_range(p, 0, 0);
}

/* The exact answer has one piece at @start, or none if @start is 0. */
static void check_exact(const struct process *p, u64 start)
{
	struct itf_piece piece = { 0, 0, 0 };
	struct itf_exact it;

	itf_exact_init(&it, &p->track.space, &filters[FILE_RANGE]);
	ck_assert(itf_exact_next(&it, &piece) == (start != 0));
	ck_assert(piece.start == start && piece.size == (start ? 0x1000 : 0));
	ck_assert(!itf_exact_next(&it, &piece));
}

START_TEST(r1_attach_takes_the_mapping_that_touches)
{
	struct process p;

	launch(&p);
	map(&p, 0x10000000, 0x2000, 0, R);
	map(&p, 0x10002000, 0x2000, 0x2000, RX);
	check_range(&p, 0x10002000, 0x1000);
	set(&p);
	check_slot(&p.attach[FILE_RANGE], 0x10002000, 0);
	ck_assert(p.attach[FILE_RANGE].touching && !p.attach[FILE_RANGE].exec);
	check_slot(&p.launch[FILE_RANGE], 0, 0);
	ck_assert(!p.launch[FILE_RANGE].matched);
	check_slot(&p.attach[FILE_POINT], 0x10002800, 0);
	ck_assert(!p.attach[FILE_POINT].touching && p.attach[FILE_POINT].exec);
	check_exact(&p, 0x10002000);
	check_kernel(&p);
}
END_TEST

START_TEST(r2_the_last_executable_mapping_wins_even_if_it_touches)
{
	struct process p;

	launch(&p);
	map(&p, 0x10002000, 0x2000, 0x2000, RX);
	check_range(&p, 0x10002000, 0x1000);
	map(&p, 0x10004000, 0x1000, 0x3000, RX);
	check_range(&p, 0x10004000, 0);
	ck_assert(p.launch[FILE_RANGE].touching);
	map(&p, 0x20002000, 0x2000, 0x2000, RX);
	check_range(&p, 0x20002000, 0x1000);
	ck_assert(!p.launch[FILE_RANGE].touching);
	ck_assert_int_eq(itf_track_munmap(&p.track, 0x20002000, 0x2000), ITF_OK);
	check_range(&p, 0x20002000, 0x1000);
	check_exact(&p, 0x10002000);

	/* mprotect away from exec, and back */
	ck_assert_int_eq(itf_track_mprotect(&p.track, 0x10002000, 0x2000, R), ITF_OK);
	check_range(&p, 0x20002000, 0x1000);
	check_exact(&p, 0);
	ck_assert_int_eq(itf_track_mprotect(&p.track, 0x10002000, 0x2000, RX), ITF_OK);
	check_range(&p, 0x10002000, 0x1000);
	check_exact(&p, 0x10002000);
}
END_TEST

START_TEST(r12_children_start_with_the_ranges_of_the_root)
{
	struct process root, child, grandchild;

	launch(&root);
	launch(&child);
	launch(&grandchild);
	map(&root, 0x10000000, 0x2000, 0, RX);
	check_range(&root, 0x10002000, 0);

	ck_assert_int_eq(itf_track_fork(&child.track, &root.track, &root.track), ITF_OK);
	check_range(&child, 0x10002000, 0);
	itf_track_exec(&child.track);
	check_nothing(&child);
	check_exact(&child, 0);
	map(&child, 0x30002000, 0x2000, 0x2000, RX);
	check_range(&child, 0x30002000, 0x1000);
	check_range(&root, 0x10002000, 0);

	/* The grandchild has its parent's mappings and the root's ranges. */
	ck_assert_int_eq(itf_track_fork(&grandchild.track, &child.track, &root.track), ITF_OK);
	check_range(&grandchild, 0x10002000, 0);
	check_exact(&grandchild, 0x30002000);

	/* R17: when the scheduler swapped contexts, the root event has the child's ranges. */
	ck_assert_int_eq(itf_track_fork(&grandchild.track, &root.track, &child.track), ITF_OK);
	check_range(&grandchild, 0x30002000, 0x1000);
	check_exact(&grandchild, 0);
}
END_TEST

START_TEST(r5_attach_keeps_the_lowest_and_launch_the_latest)
{
	struct process p;

	launch(&p);
	map(&p, 0x800000, 0x2000, 0x2000, RX);
	map(&p, 0x400000, 0x2000, 0x2000, RX);
	check_range(&p, 0x400000, 0x1000);
	map(&p, 0x600000, 0x2000, 0x2000, RX);
	check_range(&p, 0x600000, 0x1000);
	set(&p);
	check_slot(&p.attach[FILE_RANGE], 0x400000, 0x1000);
	/* Set on a running process, the answer is open to the next mapping like any other. */
	map(&p, 0xa00000, 0x2000, 0x2000, RX);
	check_range(&p, 0xa00000, 0x1000);
}
END_TEST

START_TEST(r9_mremap_changes_exact_only)
{
	struct process p;

	launch(&p);
	map(&p, 0x400000, 0x2000, 0x2000, RX);
	ck_assert_int_eq(itf_track_mremap(&p.track, 0x400000, 0x2000, 0x900000, 0x1000), ITF_OK);
	check_range(&p, 0x400000, 0x1000);
	check_exact(&p, 0x900000);
}
END_TEST

START_TEST(r18_the_loader_maps_more_than_it_keeps)
{
	struct process p;

	launch(&p);
	map(&p, 0x400000, 0x5000, 0x2000, RX);
	check_range(&p, 0x400000, 0x1000);
	ck_assert_int_eq(itf_track_munmap(&p.track, 0x400800, 0x4800), ITF_OK);
	check_range(&p, 0x400000, 0x1000);
	ck_assert_int_eq(itf_judge(&p.track.space, &filters[FILE_RANGE], &p.launch[FILE_RANGE]),
			 ITF_VERDICT_COVERED);
}
END_TEST

START_TEST(r21_only_a_change_to_executable_counts)
{
	struct process p;

	launch(&p);
	map(&p, 0x400000, 0x2000, 0x2000, RX);
	map(&p, 0x800000, 0x2000, 0x2000, RX);
	check_range(&p, 0x800000, 0x1000);
	/* The same protection again is no change. */
	ck_assert_int_eq(itf_track_mprotect(&p.track, 0x400000, 0x2000, RX), ITF_OK);
	check_range(&p, 0x800000, 0x1000);
	ck_assert_int_eq(itf_track_mprotect(&p.track, 0x400000, 0x2000, R), ITF_OK);
	check_range(&p, 0x800000, 0x1000);
	/* Another protection that is executable too is one. */
	ck_assert_int_eq(itf_track_mprotect(&p.track, 0x400000, 0x400, RX | ITF_PROT_WRITE),
			 ITF_OK);
	check_range(&p, 0x400000, 0x400);
	/* Of several the last in address order wins. */
	ck_assert_int_eq(itf_track_mprotect(&p.track, 0x400200, 0x600, RX), ITF_OK);
	check_range(&p, 0x400400, 0x400);
	ck_assert_uint_eq(p.track.space.count, 5);
}
END_TEST

START_TEST(exec_forgets_files_and_keeps_kernel_ranges)
{
	struct process p;

	launch(&p);
	map(&p, 0x400000, 0x2000, 0x2000, RX);
	itf_track_exec(&p.track);
	check_nothing(&p);
	check_exact(&p, 0);
	map(&p, 0x500000, 0x2000, 0x2000, RX);
	check_range(&p, 0x500000, 0x1000);
}
END_TEST

START_TEST(exit_leaves_the_answers_readable)
{
	struct process p;

	launch(&p);
	map(&p, 0x400000, 0x2000, 0x2000, RX);
	itf_track_exit(&p.track);
	check_range(&p, 0x400000, 0x1000);
	check_exact(&p, 0);
	ck_assert_uint_eq(p.track.space.count, 0);
}
END_TEST

START_TEST(a_set_replaces_the_one_before)
{
	static const struct itf_filter other = {
		.action = ITF_ACTION_STOP,
		.source = ITF_SOURCE_FILE,
		.start = 0x2100,
		.size = 0x10,
		.object = LIB,
	};
	struct process p;

	launch(&p);
	map(&p, 0x400000, 0x2000, 0x2000, RX);
	itf_track_set(&p.track, &other, 1, p.launch, p.attach);
	ck_assert(!p.launch[0].matched);
	check_slot(&p.attach[0], 0x400100, 0x10);
	/* Clear: nothing is left to follow, the mappings are. */
	itf_track_set(&p.track, NULL, 0, NULL, NULL);
	map(&p, 0x800000, 0x2000, 0x2000, RX);
	ck_assert_int_eq(itf_track_mprotect(&p.track, 0x800000, 0x1000, R), ITF_OK);
	itf_track_exec(&p.track);
	map(&p, 0x600000, 0x2000, 0x2000, RX);
	set(&p);
	check_slot(&p.attach[FILE_RANGE], 0x600000, 0x1000);
}
END_TEST

START_TEST(a_failed_event_changes_nothing)
{
	static const struct itf_mapping bad = { 0x900000, 0, 0x2000, LIB, RX };
	static const struct itf_mapping wraps = { ~(u64)0, 2, 0x2000, LIB, RX };
	static const struct itf_mapping more = { 0x900000, 0x1000, 0x2000, LIB, RX };
	struct process p, before;

	launch(&p);
	map(&p, 0x400000, 0x2000, 0x2000, R);
	map(&p, 0x800000, 0x2000, 0x2000, RX);
	p.track.space.capacity = 2;
	before = p;
	ck_assert_int_eq(itf_track_mmap(&p.track, &bad), ITF_E_BAD_MAPPING);
	ck_assert_int_eq(itf_track_mmap(&p.track, &wraps), ITF_E_BAD_MAPPING);
	ck_assert_int_eq(itf_track_mmap(&p.track, &more), ITF_E_SPACE_FULL);
	ck_assert_int_eq(itf_track_munmap(&p.track, 0x400100, 0x100), ITF_E_SPACE_FULL);
	ck_assert_int_eq(itf_track_munmap(&p.track, 0x400100, 0), ITF_E_BAD_MAPPING);
	ck_assert_int_eq(itf_track_mprotect(&p.track, 0x400000, 0x100, RX), ITF_E_SPACE_FULL);
	ck_assert_int_eq(itf_track_mprotect(&p.track, 0x400000, 0, RX), ITF_E_BAD_MAPPING);
	ck_assert_int_eq(itf_track_mremap(&p.track, 0x400000, 0x100, 0x900000, 0x100),
			 ITF_E_SPACE_FULL);
	ck_assert_int_eq(memcmp(&p, &before, sizeof(p)), 0);
	ck_assert_int_eq(itf_track_mprotect(&p.track, 0x400000, 0x2000, RX), ITF_OK);
	check_range(&p, 0x400000, 0x1000);
}
END_TEST

START_TEST(a_fork_without_room_changes_nothing)
{
	struct process root, child, before;

	launch(&root);
	launch(&child);
	map(&root, 0x400000, 0x2000, 0x2000, RX);
	map(&root, 0x800000, 0x2000, 0x2000, RX);
	child.track.space.capacity = 1;
	itf_track_set(&child.track, filters + KERNEL_RANGE, 1, child.launch, child.attach);
	before = child;
	ck_assert_int_eq(itf_track_fork(&child.track, &root.track, &root.track), ITF_E_SPACE_FULL);
	ck_assert_int_eq(memcmp(&child, &before, sizeof(child)), 0);
	child.track.space.capacity = 2;
	ck_assert_int_eq(itf_track_fork(&child.track, &root.track, &root.track), ITF_OK);
	ck_assert(child.track.filters == filters && child.track.count == COUNT);
	check_range(&child, 0x800000, 0x1000);
}
END_TEST

START_TEST(a_mapping_of_the_space_itself_can_be_mapped_again)
{
	struct process p;

	launch(&p);
	map(&p, 0x400000, 0x1000, 0x1000, RX);
	map(&p, 0x800000, 0x2000, 0x2000, RX);
	map(&p, 0x600000, 0x1000, 0x9000, RX);
	ck_assert_int_eq(itf_track_mmap(&p.track, &p.room[2]), ITF_OK);
	check_range(&p, 0x800000, 0x1000);
	ck_assert_uint_eq(p.track.space.count, 3);
	check_exact(&p, 0x800000);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("track");
	TCase *t = tcase_create("track");

	tcase_add_test(t, r1_attach_takes_the_mapping_that_touches);
	tcase_add_test(t, r2_the_last_executable_mapping_wins_even_if_it_touches);
	tcase_add_test(t, r12_children_start_with_the_ranges_of_the_root);
	tcase_add_test(t, r5_attach_keeps_the_lowest_and_launch_the_latest);
	tcase_add_test(t, r9_mremap_changes_exact_only);
	tcase_add_test(t, r18_the_loader_maps_more_than_it_keeps);
	tcase_add_test(t, r21_only_a_change_to_executable_counts);
	tcase_add_test(t, exec_forgets_files_and_keeps_kernel_ranges);
	tcase_add_test(t, exit_leaves_the_answers_readable);
	tcase_add_test(t, a_set_replaces_the_one_before);
	tcase_add_test(t, a_failed_event_changes_nothing);
	tcase_add_test(t, a_fork_without_room_changes_nothing);
	tcase_add_test(t, a_mapping_of_the_space_itself_can_be_mapped_again);
	suite_add_tcase(s, t);
	return run_suite(s);
}
