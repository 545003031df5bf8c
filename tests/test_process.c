// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Processes: the memory around a track, and what each call must leave alone. */
#include <string.h>

#include "host/object.h"
#include "host/process.h"
#include "runner.h"
#include "support.h"

#define TEXT (ITF_PROT_READ | ITF_PROT_EXEC)

static const struct itf_syntax syntax;
static struct filter_set set;

static void parse_set(void)
{
	static const char text[] = "filter 0/0x1000@/f,filter kernel:0x5000/0x10";

	ck_assert(set_parse(&set, text, strlen(text), &syntax));
	set.filters[0].object = 1;
}

static void free_set(void)
{
	set_free(&set);
}

static struct itf_mapping mapping(u64 start, u64 object, u32 prot)
{
	return (struct itf_mapping){
		.start = start, .size = 0x1000, .object = object, .prot = prot
	};
}

static enum itf_error map(struct process *process, u64 start, u64 object, u32 prot)
{
	struct itf_mapping m = mapping(start, object, prot);

	return process_mmap(process, &m);
}

START_TEST(the_set_is_set_before_any_mapping)
{
	struct process process;

	ck_assert(process_init(&process, &set, 0));
	ck_assert_uint_eq(process.track.count, 2);
	ck_assert_uint_eq(process.track.space.count, 0);
	ck_assert(!process.track.launch[0].matched);
	ck_assert(!process.track.attach[0].matched);
	ck_assert_uint_eq(process.track.launch[1].range.start, 0x5000);
	ck_assert_uint_eq(process.track.attach[1].range.size, 0x10);
	ck_assert_int_eq(process.pid, 0);
	ck_assert_ptr_null(process.comm);
	ck_assert_uint_eq(process.notes, 0);
	process_free(&process);
}
END_TEST

START_TEST(an_empty_set_is_no_failure)
{
	struct filter_set empty;
	struct process process;

	ck_assert(set_parse(&empty, "", 0, &syntax));
	ck_assert(process_init(&process, &empty, 0));
	ck_assert_int_eq(map(&process, 0x1000, 1, TEXT), ITF_OK);
	process_attach(&process);
	process_free(&process);
	set_free(&empty);
}
END_TEST

START_TEST(the_space_grows_with_the_mappings)
{
	struct process process;

	ck_assert(process_init(&process, &set, 0));
	for (u64 i = 1; i <= 100000; i++)
		ck_assert_int_eq(map(&process, i << 13, OBJECT_OTHER, TEXT), ITF_OK);
	ck_assert_uint_eq(process.track.space.count, 100000);
	ck_assert_uint_eq(process.track.space.maps[99999].start, (u64)100000 << 13);
	process_free(&process);
}
END_TEST

START_TEST(a_mapping_may_split_one_in_a_full_space)
{
	struct process process;
	struct itf_mapping big = mapping(0x100000, 1, TEXT);
	size_t count;

	ck_assert(process_init(&process, &set, 0));
	big.size = 0x10000000;
	ck_assert_int_eq(process_mmap(&process, &big), ITF_OK);
	/* Each one in the middle of what is left makes one mapping into three. */
	for (u64 i = 1; i < 1000; i++) {
		count = process.track.space.count;
		ck_assert_int_eq(map(&process, 0x100000 + i * 0x2000, OBJECT_OTHER, TEXT), ITF_OK);
		ck_assert_uint_eq(process.track.space.count, count + 2);
	}
	process_free(&process);
}
END_TEST

START_TEST(both_answers_follow_mappings_and_attach_starts_anew)
{
	struct process process;

	ck_assert(process_init(&process, &set, 0));
	map(&process, 0x3000, 1, TEXT);
	map(&process, 0x1000, 1, ITF_PROT_READ);
	ck_assert_uint_eq(process.track.launch[0].range.start, 0x3000);
	ck_assert_uint_eq(process.track.attach[0].range.start, 0x3000);
	process_attach(&process);
	ck_assert_uint_eq(process.track.launch[0].range.start, 0x3000);
	ck_assert_uint_eq(process.track.attach[0].range.start, 0x1000);
	ck_assert(!process.track.attach[0].exec);
	ck_assert_uint_eq(process.track.attach[1].range.start, 0x5000);
	process_free(&process);
}
END_TEST

START_TEST(attach_forgets_what_was_found_before)
{
	struct process process;

	ck_assert(process_init(&process, &set, 0));
	map(&process, 0x3000, 1, TEXT);
	process_attach(&process);
	ck_assert(process.track.attach[0].matched);
	map(&process, 0x3000, OBJECT_OTHER, TEXT);
	process_attach(&process);
	ck_assert(!process.track.attach[0].matched);
	process_free(&process);
}
END_TEST

START_TEST(mappings_of_no_filter_are_kept_but_match_nothing)
{
	struct process process;

	ck_assert(process_init(&process, &set, 0));
	ck_assert_int_eq(map(&process, 0x1000, 0, TEXT), ITF_OK);
	ck_assert_int_eq(map(&process, 0x2000, OBJECT_OTHER, TEXT), ITF_OK);
	process_attach(&process);
	ck_assert_uint_eq(process.track.space.count, 2);
	ck_assert(!process.track.launch[0].matched);
	ck_assert(!process.track.attach[0].matched);
	process_free(&process);
}
END_TEST

START_TEST(a_bad_mapping_changes_nothing)
{
	struct itf_mapping empty = mapping(0x2000, 1, TEXT);
	struct itf_mapping wide = mapping(0x100000000, 1, TEXT);
	struct process process;

	ck_assert(process_init(&process, &set, 32));
	map(&process, 0x1000, 1, TEXT);
	empty.size = 0;
	ck_assert_int_eq(process_mmap(&process, &empty), ITF_E_BAD_MAPPING);
	ck_assert_int_eq(process_mmap(&process, &wide), ITF_E_BAD_MAPPING);
	empty.object = OBJECT_OTHER;
	wide.object = OBJECT_OTHER;
	ck_assert_int_eq(process_mmap(&process, &empty), ITF_E_BAD_MAPPING);
	ck_assert_int_eq(process_mmap(&process, &wide), ITF_E_BAD_MAPPING);
	ck_assert_uint_eq(process.track.space.count, 1);
	ck_assert_uint_eq(process.track.launch[0].range.start, 0x1000);
	process_free(&process);
}
END_TEST

START_TEST(replaced_mappings_leave_the_answers_alone)
{
	struct process process;
	struct itf_mapping maps[500];

	ck_assert(process_init(&process, &set, 0));
	map(&process, 0x1000, 1, TEXT);
	process_attach(&process);
	for (size_t i = 0; i < 500; i++)
		maps[i] = mapping(0x100000 + i * 0x1000, 1, TEXT);
	ck_assert(process_replace(&process, maps, 500));
	ck_assert_uint_eq(process.track.space.count, 500);
	ck_assert_mem_eq(&process.track.space.maps[499].start, &maps[499].start, sizeof(u64));
	ck_assert_uint_eq(process.track.launch[0].range.start, 0x1000);
	ck_assert_uint_eq(process.track.attach[0].range.start, 0x1000);
	ck_assert(process_replace(&process, NULL, 0));
	ck_assert_uint_eq(process.track.space.count, 0);
	process_free(&process);
}
END_TEST

START_TEST(a_child_has_its_parents_mappings_and_the_roots_ranges)
{
	struct process root, parent, child;

	ck_assert(process_init(&root, &set, 0));
	ck_assert(process_init(&parent, &set, 0));
	map(&root, 0x1000, 1, TEXT);
	process_attach(&root);
	map(&parent, 0x7000, 1, TEXT);
	map(&parent, 0x9000, 0, TEXT);
	ck_assert(process_comm(&parent, "par\nent", 7));
	parent.pid = 5;
	parent.notes = ITF_NOTE_BIT(ITF_NOTE_MAY_BE_STALE);
	ck_assert(process_fork(&child, 6, &parent, &root));
	process_free(&parent);
	ck_assert_int_eq(child.pid, 6);
	ck_assert_uint_eq(child.track.count, 2);
	ck_assert_ptr_eq(child.track.filters, set.filters);
	ck_assert_uint_eq(child.track.space.count, 2);
	ck_assert_uint_eq(child.track.space.maps[0].start, 0x7000);
	ck_assert_uint_eq(child.track.launch[0].range.start, 0x1000);
	ck_assert_uint_eq(child.track.attach[0].range.start, 0x1000);
	ck_assert_uint_eq(child.comm_len, 7);
	ck_assert_mem_eq(child.comm, "par\nent", 7);
	ck_assert_uint_eq(child.notes, ITF_NOTE_BIT(ITF_NOTE_MAY_BE_STALE));
	/* And it lives on by itself. */
	ck_assert_int_eq(map(&child, 0xb000, 1, TEXT), ITF_OK);
	ck_assert_uint_eq(child.track.launch[0].range.start, 0xb000);
	ck_assert_uint_eq(root.track.launch[0].range.start, 0x1000);
	process_free(&child);
	process_free(&root);
}
END_TEST

START_TEST(a_name_can_be_set_changed_and_forgotten)
{
	struct process process;
	char name[] = "a b";

	ck_assert(process_init(&process, &set, 0));
	ck_assert(process_comm(&process, name, 3));
	name[0] = 'x';
	ck_assert_mem_eq(process.comm, "a b", 3);
	ck_assert(process_comm(&process, "", 0));
	ck_assert_ptr_nonnull(process.comm);
	ck_assert_uint_eq(process.comm_len, 0);
	ck_assert(process_comm(&process, process.comm, 0));
	ck_assert(process_comm(&process, NULL, 0));
	ck_assert_ptr_null(process.comm);
	process_free(&process);
	process_free(&process);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("process");
	TCase *all = tcase_create("all");

	tcase_add_checked_fixture(all, parse_set, free_set);
	tcase_add_test(all, the_set_is_set_before_any_mapping);
	tcase_add_test(all, an_empty_set_is_no_failure);
	tcase_add_test(all, the_space_grows_with_the_mappings);
	tcase_add_test(all, a_mapping_may_split_one_in_a_full_space);
	tcase_add_test(all, both_answers_follow_mappings_and_attach_starts_anew);
	tcase_add_test(all, attach_forgets_what_was_found_before);
	tcase_add_test(all, mappings_of_no_filter_are_kept_but_match_nothing);
	tcase_add_test(all, a_bad_mapping_changes_nothing);
	tcase_add_test(all, replaced_mappings_leave_the_answers_alone);
	tcase_add_test(all, a_child_has_its_parents_mappings_and_the_roots_ranges);
	tcase_add_test(all, a_name_can_be_set_changed_and_forgotten);
	suite_add_tcase(suite, all);
	return run_suite(suite);
}
