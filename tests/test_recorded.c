// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What becomes of the processes of a recording: their mappings, answers, verdicts and notes. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/recorded.h"
#include "recording.h"
#include "runner.h"

#define TEXT (ITF_PROT_READ | ITF_PROT_EXEC)
#define DATA ITF_PROT_READ
#define USER PERF_RECORD_MISC_USER
#define EXEC PERF_RECORD_MISC_COMM_EXEC

static struct filter_set set;
static struct report report;
static struct perfdata_end end;
static struct trouble trouble;

/* Begin a file that perf record -d would make, or one without mappings of data. */
static void begin_with_data(bool data)
{
	begin_simple();
	put_at(FILE_HEADER + 40, (u64)1 << 18 | (u64)data << 17, 8);
}

static void map_as(u32 pid, u32 tid, u64 start, u64 offset, u32 prot, u64 time)
{
	const struct made_map map = { pid, tid, start, 0x1000, offset, prot, "/f" };

	put_map(&map, USER, time);
}

static void map(u32 pid, u64 start, u64 offset, u32 prot, u64 time)
{
	map_as(pid, pid, start, offset, prot, time);
}

/* A process or thread begins or ends, both with threads of their own ids. */
static void task(u32 type, u32 pid, u32 ppid, u32 tid, u64 time)
{
	const u32 ids[] = { pid, ppid, tid, pid == ppid ? pid : ppid };

	put_ids(type, ids, time, time);
}

static void child(u32 pid, u32 ppid, u64 time)
{
	task(PERF_RECORD_FORK, pid, ppid, pid, time);
}

static void thread(u32 pid, u32 tid, u64 time)
{
	task(PERF_RECORD_FORK, pid, pid, tid, time);
}

static void ends(u32 pid, u32 tid, u64 time)
{
	task(PERF_RECORD_EXIT, pid, 1, tid, time);
}

static void lost(u64 time)
{
	put_head(PERF_RECORD_LOST, 0);
	put(7, 8);
	put(5, 8);
	put_tail(0, 0, time);
}

static bool resolve_part(const char *filters, size_t size, unsigned int addr_bits)
{
	const struct itf_syntax syntax = { .quotes = true };
	int fd = memfd_create("perf.data", 0);
	bool ok;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, made, size), (ssize_t)size);
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	ck_assert(set_parse(&set, filters, strlen(filters), &syntax));
	ck_assert_int_eq(set.error, ITF_OK);
	report_init(&report, &set, NULL, JUDGE_WORSE);
	ok = resolve_perfdata(&report, &set, fd, "perf.data", addr_bits, &end, NULL, &trouble);
	close(fd);
	return ok;
}

static void resolve(const char *filters)
{
	end_file();
	ck_assert(resolve_part(filters, made_len, 64));
	ck_assert(!end.broken);
}

static void release(void)
{
	report_free(&report);
	set_free(&set);
}

static const struct report_filter *found(size_t process)
{
	ck_assert_uint_lt(process, report.count);
	return report.processes[process].filters;
}

static void expect_pids(size_t count, ...)
{
	va_list args;

	ck_assert_uint_eq(report.count, count);
	va_start(args, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_int_eq(report.processes[i].pid, va_arg(args, int));
	va_end(args);
}

static bool noted(const struct report_filter *filter, enum itf_note code)
{
	for (size_t i = 0; i < filter->note_count; i++) {
		if (filter->notes[i].code == code)
			return true;
	}
	return false;
}

/* Whether it is judged by launch or by attach, and how. */
static void expect_verdict(size_t process, enum report_judge judge, enum itf_verdict verdict)
{
	ck_assert_int_eq(report.processes[process].judge, judge);
	ck_assert_str_eq(itf_verdict_name(found(process)->verdict), itf_verdict_name(verdict));
}

/* ---------------------------------------------------------------------- launch and attach */

START_TEST(what_is_launched_is_judged_by_launch)
{
	begin_with_data(true);
	put_comm(10, 0, "perf-exec", 0);
	put_comm(10, EXEC, "prog", 5);
	map(10, 0x10000, 0, DATA, 6);
	map(10, 0x11000, 0x1000, TEXT, 7);
	ends(10, 10, 8);
	resolve("filter 0x1000/0x100@/f");
	expect_pids(1, 10);
	ck_assert_str_eq(report.processes[0].comm, "prog");
	expect_verdict(0, JUDGE_LAUNCH, ITF_VERDICT_COVERED);
	ck_assert_uint_eq(found(0)->launch.range.start, 0x11000);
	/* Set on it now, Linux would take the mapping that it touches. */
	ck_assert(found(0)->attach.matched && !found(0)->attach.range.size);
	release();
}
END_TEST

START_TEST(what_was_there_is_judged_by_attach_and_followed)
{
	begin_with_data(true);
	put_comm(10, 0, "prog", 0);
	map(10, 0x20000, 0x1000, TEXT, 0);
	map(10, 0x10000, 0, DATA, 0);
	resolve("filter 0x1000/0x100@/f");
	expect_verdict(0, JUDGE_ATTACH, ITF_VERDICT_RUNAWAY);
	/* Launch is what mappings made in the order of their addresses would give. */
	ck_assert_uint_eq(found(0)->launch.range.start, 0x20000);
	ck_assert_uint_eq(found(0)->launch.range.size, 0x100);
	release();
	/* A mapping that comes later takes the filter over. */
	map(10, 0x30000, 0x1000, TEXT, 9);
	resolve("filter 0x1000/0x100@/f");
	expect_verdict(0, JUDGE_ATTACH, ITF_VERDICT_PARTIAL);
	ck_assert_uint_eq(found(0)->attach.range.start, 0x30000);
	release();
	/* And exec begins anew. */
	put_comm(10, EXEC, "other", 10);
	map(10, 0x40000, 0x1000, TEXT, 11);
	resolve("filter 0x1000/0x100@/f");
	expect_verdict(0, JUDGE_LAUNCH, ITF_VERDICT_COVERED);
	ck_assert_uint_eq(found(0)->launch.range.start, 0x40000);
	release();
}
END_TEST

START_TEST(an_attach_cannot_be_judged_without_mappings_of_data)
{
	begin_with_data(false);
	map(10, 0x20000, 0x1000, TEXT, 0);
	put_comm(20, EXEC, "prog", 5);
	map(20, 0x20000, 0x1000, TEXT, 6);
	resolve("filter 0x1000/0x100@/f,filter 0x1000/0x10");
	expect_pids(2, 10, 20);
	expect_verdict(0, JUDGE_ATTACH, ITF_VERDICT_UNKNOWN);
	expect_verdict(1, JUDGE_LAUNCH, ITF_VERDICT_COVERED);
	ck_assert(noted(found(0), ITF_NOTE_TRUNCATED_MAPS));
	ck_assert(noted(found(1), ITF_NOTE_TRUNCATED_MAPS));
	/* Kernel filters need no mapping. */
	ck_assert_int_eq(found(0)[1].verdict, ITF_VERDICT_COVERED);
	ck_assert(!noted(&found(0)[1], ITF_NOTE_TRUNCATED_MAPS));
	release();
}
END_TEST

START_TEST(without_times_exec_tells_a_launch)
{
	struct made_event event = { PERF_SAMPLE_IDENTIFIER, 7, 136 };

	begin(&event, 1);
	map(10, 0x20000, 0x1000, TEXT, 0);
	put_comm(20, EXEC, "prog", 0);
	map(20, 0x20000, 0x1000, TEXT, 0);
	resolve("filter 0x1000/0x100@/f");
	expect_pids(2, 10, 20);
	expect_verdict(0, JUDGE_ATTACH, ITF_VERDICT_UNKNOWN);
	expect_verdict(1, JUDGE_LAUNCH, ITF_VERDICT_COVERED);
	release();
}
END_TEST

/* ---------------------------------------------------------------------- forks and threads */

START_TEST(a_child_has_its_parents_mappings_and_the_roots_ranges)
{
	begin_with_data(true);
	put_comm(10, EXEC, "root", 1);
	map(10, 0x20000, 0x1000, TEXT, 2);
	child(11, 10, 3);
	put_comm(11, EXEC, "child", 4);
	map(11, 0x50000, 0x1000, TEXT, 5);
	child(12, 11, 6);
	ends(12, 12, 7);
	ends(11, 11, 8);
	ends(10, 10, 9);
	resolve("filter 0x1000/0x100@/f");
	expect_pids(3, 10, 11, 12);
	expect_verdict(0, JUDGE_LAUNCH, ITF_VERDICT_COVERED);
	expect_verdict(1, JUDGE_LAUNCH, ITF_VERDICT_COVERED);
	expect_verdict(2, JUDGE_LAUNCH, ITF_VERDICT_NONE);
	ck_assert_uint_eq(found(2)->exact[0].start, 0x50000);
	ck_assert_uint_eq(found(2)->launch.range.start, 0x20000);
	ck_assert_str_eq(report.processes[2].comm, "child");
	release();
}
END_TEST

START_TEST(a_child_of_what_was_there_is_judged_by_attach_until_exec)
{
	begin_with_data(true);
	map(10, 0x20000, 0x1000, TEXT, 0);
	child(11, 10, 3);
	child(12, 10, 4);
	put_comm(12, EXEC, "prog", 5);
	map(12, 0x30000, 0x1000, TEXT, 6);
	resolve("filter 0x1000/0x100@/f");
	expect_pids(3, 10, 11, 12);
	expect_verdict(1, JUDGE_ATTACH, ITF_VERDICT_COVERED);
	ck_assert_uint_eq(found(1)->attach.range.start, 0x20000);
	expect_verdict(2, JUDGE_LAUNCH, ITF_VERDICT_COVERED);
	ck_assert_uint_eq(found(2)->launch.range.start, 0x30000);
	release();
}
END_TEST

START_TEST(a_fork_that_perf_made_up_copies_nothing)
{
	begin_with_data(true);
	map(10, 0x20000, 0x1000, TEXT, 0);
	child(11, 10, 0);
	put_comm(11, 0, "other", 0);
	resolve("filter 0x1000/0x100@/f");
	expect_pids(1, 10);
	release();
	/* Nor does the fork of one that perf has told of already. */
	map(11, 0x30000, 0x1000, TEXT, 0);
	child(11, 10, 5);
	resolve("filter 0x1000/0x100@/f");
	expect_pids(2, 10, 11);
	ck_assert_uint_eq(found(1)->exact_count, 1);
	ck_assert_uint_eq(found(1)->exact[0].start, 0x30000);
	release();
}
END_TEST

START_TEST(only_the_thread_that_maps_has_the_range)
{
	begin_with_data(true);
	put_comm(10, EXEC, "prog", 1);
	thread(10, 11, 2);
	map_as(10, 11, 0x20000, 0x1000, TEXT, 3);
	ends(10, 11, 4);
	ends(10, 10, 5);
	resolve("filter 0x1000/0x100@/f");
	expect_pids(1, 10);
	expect_verdict(0, JUDGE_LAUNCH, ITF_VERDICT_NONE);
	ck_assert(!found(0)->launch.matched);
	ck_assert_uint_eq(found(0)->exact_count, 1);
	ck_assert(noted(found(0), ITF_NOTE_THREADS_DIFFER));
	release();
}
END_TEST

START_TEST(threads_that_were_there_all_see_what_was_mapped)
{
	begin_with_data(true);
	thread(10, 11, 0);
	map(10, 0x20000, 0x1000, TEXT, 0);
	put_comm(10, 0, "late", 5);
	ends(10, 10, 6);
	resolve("filter 0x1000/0x100@/f");
	expect_pids(1, 10);
	expect_verdict(0, JUDGE_ATTACH, ITF_VERDICT_COVERED);
	ck_assert(!noted(found(0), ITF_NOTE_THREADS_DIFFER));
	release();
}
END_TEST

START_TEST(exec_in_another_thread_ends_the_others)
{
	begin_with_data(true);
	put_comm(10, EXEC, "prog", 1);
	thread(10, 11, 2);
	ends(10, 10, 3);
	put_comm(10, EXEC, "next", 4);
	map(10, 0x20000, 0x1000, TEXT, 5);
	ends(10, 10, 6);
	/* The number is used again. */
	child(10, 1, 7);
	put_comm(10, EXEC, "third", 8);
	map(10, 0x30000, 0x1000, TEXT, 9);
	resolve("filter 0x1000/0x100@/f");
	expect_pids(2, 10, 10);
	expect_verdict(0, JUDGE_LAUNCH, ITF_VERDICT_COVERED);
	ck_assert_str_eq(report.processes[0].comm, "next");
	ck_assert_uint_eq(found(0)->launch.range.start, 0x20000);
	ck_assert_str_eq(report.processes[1].comm, "third");
	ck_assert_uint_eq(found(1)->launch.range.start, 0x30000);
	release();
}
END_TEST

/* ---------------------------------------------------------------------- who is reported */

START_TEST(those_who_mapped_the_file_are_reported_in_order_of_birth_or_all_if_none_did)
{
	begin_with_data(true);
	for (u32 pid = 10; pid < 20; pid++) {
		put_comm(pid, EXEC, "prog", pid);
		if (pid % 3 == 0)
			map(pid, 0x20000, 0x1000, TEXT, pid);
	}
	for (u32 pid = 19; pid >= 10; pid -= 2)
		ends(pid, pid, 100 - pid);
	resolve("filter 0x1000/0x100@/f,filter 0/1@/g");
	expect_pids(3, 12, 15, 18);
	release();
	resolve("filter 0x1000/0x100@/g");
	expect_pids(10, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
	expect_verdict(0, JUDGE_LAUNCH, ITF_VERDICT_NONE);
	ck_assert_str_eq(report.processes[9].comm, "prog");
	release();
	resolve("");
	ck_assert_uint_eq(report.count, 10);
	release();
}
END_TEST

START_TEST(the_kernel_is_no_process)
{
	begin_with_data(true);
	map((u32)-1, 0x20000, 0x1000, TEXT, 0);
	put_comm(0, 0, "swapper", 0);
	child(1, 0, 0);
	put_comm(1, 0, "init", 0);
	resolve("filter 0x1000/0x100@/f");
	expect_pids(1, 1);
	release();
}
END_TEST

/* ---------------------------------------------------------------------- which file */

static void map_name(u32 pid, const char *name, bool inode)
{
	static const u32 none[6];

	put_comm(pid, EXEC, "prog", pid);
	put_mmap2(USER, TEXT, inode ? device : none, name, pid + 1);
	/* That record is about process 31. */
	put_at(record_at + 8, pid, 4);
	put_at(record_at + 12, pid, 4);
	put_at(record_at + 32, 0x1000, 8);
}

START_TEST(files_match_by_name_with_an_inode_or_without)
{
	begin_with_data(true);
	map_name(10, "/f", true);
	map_name(20, "/f", false);
	map_name(30, "/f (deleted)", true);
	map_name(40, "/ff", true);
	map_name(50, "//anon", false);
	map_name(60, "[vdso]", false);
	map_name(70, "/", false);
	resolve("filter 0x1000/0x100@/f");
	expect_pids(3, 10, 20, 30);
	for (size_t i = 0; i < 3; i++)
		expect_verdict(i, JUDGE_LAUNCH, ITF_VERDICT_COVERED);
	ck_assert(noted(found(2), ITF_NOTE_DELETED_FILE));
	release();
}
END_TEST

START_TEST(addresses_of_32_bits_are_kept_to)
{
	begin_with_data(true);
	put_comm(10, EXEC, "prog", 1);
	map(10, 0xfffff000, 0x1000, TEXT, 2);
	map(10, 0x100000000, 0x1000, TEXT, 3);
	end_file();
	ck_assert(resolve_part("filter 0x1000/0x100@/f", made_len, 32));
	ck_assert_uint_eq(found(0)->exact_count, 1);
	ck_assert_uint_eq(found(0)->launch.range.start, 0xfffff000);
	release();
	ck_assert(resolve_part("filter 0x1000/0x100@/f", made_len, 0));
	ck_assert_uint_eq(found(0)->exact_count, 2);
	release();
}
END_TEST

/* ---------------------------------------------------------------------- what is missing */

START_TEST(lost_records_make_everything_stale_until_exec)
{
	begin_with_data(true);
	for (u32 pid = 10; pid < 14; pid++) {
		put_comm(pid, EXEC, "prog", 1);
		map(pid, 0x20000, 0x1000, TEXT, 2);
	}
	ends(10, 10, 3);
	lost(4);
	ends(11, 11, 5);
	put_comm(12, EXEC, "prog", 6);
	map(12, 0x20000, 0x1000, TEXT, 7);
	map(14, 0x20000, 0x1000, TEXT, 8);
	resolve("filter 0x1000/0x100@/f,filter 1/1");
	expect_pids(5, 10, 11, 12, 13, 14);
	for (size_t i = 0; i < 5; i++) {
		ck_assert(noted(found(i), ITF_NOTE_MAY_BE_STALE) == (i != 2));
		ck_assert(!noted(&found(i)[1], ITF_NOTE_MAY_BE_STALE));
	}
	release();
}
END_TEST

START_TEST(after_lost_records_a_new_process_may_have_an_old_number)
{
	begin_with_data(true);
	put_comm(10, EXEC, "prog", 1);
	map(10, 0x20000, 0x1000, TEXT, 2);
	lost(3);
	child(10, 1, 4);
	put_comm(10, EXEC, "next", 5);
	map(10, 0x30000, 0x1000, TEXT, 6);
	resolve("filter 0x1000/0x100@/f");
	expect_pids(2, 10, 10);
	ck_assert_uint_eq(found(0)->exact_count, 1);
	ck_assert_uint_eq(found(1)->launch.range.start, 0x30000);
	release();
}
END_TEST

START_TEST(maps_that_perf_could_not_read_to_the_end_are_noted)
{
	const struct made_map map = { 10, 10, 0x20000, 0x1000, 0x1000, TEXT, "/f" };

	begin_with_data(true);
	put_map(&map, USER | 0x1000, 0);
	resolve("filter 0x1000/0x100@/f,filter 0x9000/0x100@/f");
	ck_assert(noted(found(0), ITF_NOTE_TRUNCATED_MAPS));
	ck_assert_int_eq(found(0)->verdict, ITF_VERDICT_COVERED);
	ck_assert_int_eq(found(0)[1].verdict, ITF_VERDICT_UNKNOWN);
	release();
}
END_TEST

START_TEST(of_a_damaged_file_what_was_read_is_reported)
{
	size_t cut;

	begin_with_data(true);
	put_comm(10, EXEC, "ended", 1);
	map(10, 0x20000, 0, TEXT, 2);
	ends(10, 10, 3);
	put_comm(11, EXEC, "lives", 4);
	map(11, 0x20000, 0, TEXT, 5);
	cut = made_len;
	map(11, 0x21000, 0x1000, TEXT, 6);
	end_file();
	ck_assert(resolve_part("filter 0/0x100@/f,filter 0x4000/0x100@/f", cut + 9, 64));
	ck_assert(end.broken);
	ck_assert_uint_eq(end.at, cut);
	expect_pids(2, 10, 11);
	ck_assert_int_eq(found(0)->verdict, ITF_VERDICT_COVERED);
	ck_assert_int_eq(found(0)[1].verdict, ITF_VERDICT_NONE);
	ck_assert_int_eq(found(1)->verdict, ITF_VERDICT_COVERED);
	ck_assert_int_eq(found(1)[1].verdict, ITF_VERDICT_UNKNOWN);
	ck_assert(!noted(found(0), ITF_NOTE_TRUNCATED_MAPS));
	ck_assert(noted(found(1), ITF_NOTE_TRUNCATED_MAPS));
	release();
	/* Nobody mapped it, as far as can be known. */
	ck_assert(resolve_part("filter 0/0x100@/g", cut + 9, 64));
	expect_pids(2, 10, 11);
	expect_verdict(0, JUDGE_LAUNCH, ITF_VERDICT_NONE);
	expect_verdict(1, JUDGE_LAUNCH, ITF_VERDICT_UNKNOWN);
	release();
}
END_TEST

START_TEST(a_file_without_a_single_record_is_refused)
{
	begin_with_data(true);
	put_comm(10, EXEC, "prog", 1);
	end_file();
	ck_assert(!resolve_part("filter 0/0x100@/f", data_at + 3, 64));
	ck_assert_ptr_nonnull(strstr(trouble.text, "cannot read perf.data: byte "));
	release();
	ck_assert(!resolve_part("filter 0/0x100@/f", 0, 64));
	release();
	/* One that is whole has nobody to tell of. */
	made_len = data_at;
	put_round();
	resolve("filter 0/0x100@/f");
	ck_assert_uint_eq(report.count, 0);
	ck_assert(report_trouble(&report));
	release();
}
END_TEST

/* Ids of a recording are nobody's: this process is not looked at, though it has the number. */
START_TEST(processes_that_run_are_not_looked_at)
{
	u32 pid = (u32)getpid();

	begin_with_data(true);
	put_comm(pid, EXEC, "prog", 1);
	map(pid, 0x20000, 0, TEXT, 2);
	resolve("filter 0/0x100@/f,filter 0x20000/0x100@/f");
	ck_assert(report.recorded);
	expect_pids(1, (int)pid);
	ck_assert_int_eq(found(0)[1].verdict, ITF_VERDICT_NONE);
	release();
}
END_TEST

/* Whatever a byte is changed to, there is an answer or a word on why there is none. */
START_TEST(any_byte_may_be_anything)
{
	static const u8 values[] = { 0, 10, 0xff };
	size_t whole;

	begin_with_data(true);
	thread(10, 11, 0);
	map(10, 0x20000, 0x1000, TEXT, 0);
	child(11, 10, 2);
	map_as(11, 12, 0x20000, 0x1000, TEXT, 3);
	lost(4);
	put_comm(10, EXEC, "prog", 5);
	ends(11, 11, 6);
	end_file();
	whole = made_len;
	for (size_t at = data_at; at < whole; at++) {
		u8 was = made[at];

		for (size_t i = 0; i < sizeof(values); i++) {
			made[at] = values[i];
			ck_assert(resolve_part("filter 0x1000/0x100@/f", whole, 64) ||
				  trouble.text[0]);
			release();
		}
		made[at] = was;
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("recorded");
	TCase *tests = tcase_create("recorded");

	tcase_add_test(tests, what_is_launched_is_judged_by_launch);
	tcase_add_test(tests, what_was_there_is_judged_by_attach_and_followed);
	tcase_add_test(tests, an_attach_cannot_be_judged_without_mappings_of_data);
	tcase_add_test(tests, without_times_exec_tells_a_launch);
	tcase_add_test(tests, a_child_has_its_parents_mappings_and_the_roots_ranges);
	tcase_add_test(tests, a_child_of_what_was_there_is_judged_by_attach_until_exec);
	tcase_add_test(tests, a_fork_that_perf_made_up_copies_nothing);
	tcase_add_test(tests, only_the_thread_that_maps_has_the_range);
	tcase_add_test(tests, threads_that_were_there_all_see_what_was_mapped);
	tcase_add_test(tests, exec_in_another_thread_ends_the_others);
	tcase_add_test(tests,
		       those_who_mapped_the_file_are_reported_in_order_of_birth_or_all_if_none_did);
	tcase_add_test(tests, the_kernel_is_no_process);
	tcase_add_test(tests, files_match_by_name_with_an_inode_or_without);
	tcase_add_test(tests, addresses_of_32_bits_are_kept_to);
	tcase_add_test(tests, lost_records_make_everything_stale_until_exec);
	tcase_add_test(tests, after_lost_records_a_new_process_may_have_an_old_number);
	tcase_add_test(tests, maps_that_perf_could_not_read_to_the_end_are_noted);
	tcase_add_test(tests, of_a_damaged_file_what_was_read_is_reported);
	tcase_add_test(tests, a_file_without_a_single_record_is_refused);
	tcase_add_test(tests, processes_that_run_are_not_looked_at);
	tcase_add_test(tests, any_byte_may_be_anything);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
