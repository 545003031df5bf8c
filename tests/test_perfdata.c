// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What the reader of perf.data makes of records of every kind and form, and their order. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "itf/range.h"
#include "recording.h"
#include "runner.h"

/* ---------------------------------------------------------------------- what records say */

START_TEST(every_kind_is_read_in_both_byte_orders_and_all_sizes_of_attributes)
{
	static const size_t sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 400 };

	for (size_t i = 0; i < 2 * sizeof(sizes) / sizeof(*sizes); i++) {
		struct made_event event = { SIMPLE, 7, sizes[i / 2] };

		made_big = i % 2;
		begin(&event, 1);
		put_one_of_each();
		end_file();
		read_good(8);
		expect_one_of_each();
	}
	made_big = false;
}
END_TEST

START_TEST(every_sample_type_has_its_place_for_the_time)
{
	static const u64 bits[] = { PERF_SAMPLE_TID, PERF_SAMPLE_ID,	     PERF_SAMPLE_STREAM_ID,
				    PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP };

	for (size_t mask = 0; mask < 64; mask++) {
		struct made_event event = { PERF_SAMPLE_TIME, 7, 136 };

		for (size_t i = 0; i < 6; i++)
			event.sample_type |= mask & (size_t)1 << i ? bits[i] : 0;
		begin(&event, 1);
		put_one_of_each();
		end_file();
		read_good(8);
		expect_one_of_each();
	}
}
END_TEST

START_TEST(records_of_several_events_are_told_apart_by_id)
{
	static const struct made_event events[] = {
		{ SIMPLE, 7, 136 },
		{ SIMPLE | PERF_SAMPLE_CPU | PERF_SAMPLE_STREAM_ID, 0x1000000009, 136 },
		{ PERF_SAMPLE_IDENTIFIER, 11, 136 },
	};
	static const u64 times[] = { 0, 4, 5, 6 };

	begin(events, 3);
	put_comm(1, 0, "first", 5);
	use_event(&events[1]);
	put_comm(2, 0, "second", 4);
	use_event(&events[2]);
	put_comm(3, 0, "third", 0);
	use_event(&events[0]);
	/* perf gives what it makes up itself the id 0 and the layout of the first event. */
	event_id = 0;
	put_comm(4, 0, "made up", 6);
	end_file();
	read_good(4);
	expect_times(times, 4);
	ck_assert_str_eq(got_names[0], "third");
	ck_assert_str_eq(got_names[1], "second");
	ck_assert_str_eq(got_names[2], "first");
}
END_TEST

START_TEST(without_sample_ids_all_is_in_the_order_of_the_file)
{
	struct made_event event = { 0, 7, 136 };

	begin(&event, 1);
	put_at(FILE_HEADER + 40, 0, 8);
	put_task(PERF_RECORD_FORK, 41, 40, 900, 0);
	put_task(PERF_RECORD_EXIT, 51, 50, 800, 0);
	put_comm(1, 0, "c", 0);
	end_file();
	read_good(3);
	expect_tasks(&got[0], &got[1]);
	ck_assert(!got[0].has_time && got[0].time == 900);
	ck_assert(!got[2].has_time && got[2].time == 0);
}
END_TEST

static const u32 nothing[6];

START_TEST(a_build_id_is_no_inode_and_zeros_are_none)
{
	static const u32 build_id[6] = { 20, 0x11111111, 0x22222222, 3, 4, 5 };

	begin_simple();
	put_mmap2(0x4000 | PERF_RECORD_MISC_USER, 7, build_id, "/lib/a", 1);
	put_mmap2(PERF_RECORD_MISC_USER, 0x10, nothing, "/lib/b", 2);
	put_mmap2(0x1000 | PERF_RECORD_MISC_USER, 1, device, "/lib/c", 3);
	end_file();
	read_good(3);
	ck_assert(!got[0].has_inode && !got[0].inode && !got[0].major);
	ck_assert_uint_eq(got[0].prot, ITF_PROT_READ | ITF_PROT_WRITE | ITF_PROT_EXEC);
	ck_assert(!got[1].has_inode && !got[1].prot && !got[1].truncated);
	ck_assert(got[2].has_inode && got[2].truncated);
}
END_TEST

START_TEST(a_name_ends_at_its_nul_or_before_the_sample_id)
{
	begin_simple();
	put_comm(1, 0, "seven77", 0x4141414141414141);
	put_comm(1, 0, "seven77", 0x4141414141414141);
	memset(made + record_at + 16, 'x', 8);
	put_comm(1, 0, "", 0x4141414141414142);
	end_file();
	read_good(3);
	ck_assert_str_eq(got_names[0], "seven77");
	ck_assert_str_eq(got_names[1], "xxxxxxxx");
	ck_assert_str_eq(got_names[2], "");
}
END_TEST

START_TEST(what_is_unknown_is_passed_over_by_its_size)
{
	static const u32 types[] = { 0,	 1000, 6,  9,  11, 12, 63,	  64,
				     65, 67,   69, 80, 82, 84, 0xffffffff };
	static const u64 times[] = { 1, 2 };

	begin_simple();
	put_comm(1, 0, "a", 1);
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		for (size_t size = 8; size <= 0xfff8; size = size * 3 / 8 * 8) {
			put_head(types[i], 0xffff);
			while (made_len - record_at < size)
				put(0x0303030303030303, 8);
			end_record();
		}
	}
	put_comm(1, 0, "b", 2);
	end_file();
	read_good(2);
	expect_times(times, 2);
}
END_TEST

/* ---------------------------------------------------------------------- order */

START_TEST(records_come_in_the_order_of_time_those_without_at_once)
{
	static const u64 times[] = { 0, 0, 1, 2, 3, 4, 5, 6, 9, UINT64_MAX - 1 };

	begin_simple();
	put_comm(1, 0, "c", 5);
	put_comm(1, 0, "c", UINT64_MAX - 1);
	put_comm(1, 0, "c", 0);
	put_comm(1, 0, "c", 2);
	put_round();
	put_comm(1, 0, "c", 1);
	put_comm(1, 0, "c", 6);
	put_comm(1, 0, "c", 3);
	put_comm(1, 0, "c", UINT64_MAX);
	put_comm(1, 0, "c", 9);
	put_comm(1, 0, "c", 4);
	end_file();
	read_good(10);
	expect_times(times, 10);
	ck_assert(!got[0].has_time && !got[1].has_time);
}
END_TEST

/* A record may come one round late, as each buffer is read at its own moment. */
START_TEST(a_round_lets_go_what_was_there_before_the_last_one)
{
	static const u64 times[] = { 10, 11, 20, 21, 30, 31, 40 };
	static const char *const order[] = { "a", "c", "b", "d", "e", "f", "g" };

	begin_simple();
	put_comm(1, 0, "b", 20);
	put_comm(1, 0, "a", 10);
	put_round();
	put_comm(1, 0, "c", 11);
	put_comm(1, 0, "e", 30);
	put_round();
	put_comm(1, 0, "d", 21);
	put_round();
	put_comm(1, 0, "g", 40);
	put_comm(1, 0, "f", 31);
	put_round();
	end_file();
	read_good(7);
	expect_times(times, 7);
	for (size_t i = 0; i < 7; i++)
		ck_assert_str_eq(got_names[i], order[i]);
	/* Memory does not grow with the file: what is safe is let go before the end. */
	stop_after = 4;
	{
		struct perfdata_end end;
		int fd = memfd_create("perf.data", 0);

		ck_assert_int_eq(write(fd, made, made_len), (ssize_t)made_len);
		lseek(fd, 0, SEEK_SET);
		got_count = 0;
		errno = EIO;
		ck_assert(!perfdata_read(fd, note_record, got, &end, NULL));
		ck_assert_int_eq(errno, 0);
		ck_assert_uint_eq(got_count, 4);
		ck_assert_uint_lt(end.records, 11);
		close(fd);
	}
	stop_after = 0;
}
END_TEST

START_TEST(equal_times_keep_the_order_of_the_file)
{
	unsigned int seed = 1;

	begin_simple();
	for (u32 i = 0; i < 5000; i++) {
		put_comm(i, 0, "c", 1 + (u64)rand_r(&seed) % 50);
		if (i % 700 == 699)
			put_round();
	}
	end_file();
	read_good(5000);
	for (size_t i = 1; i < got_count; i++) {
		/* What comes later than two rounds is out of order, and stays where it is. */
		if (got[i].time == got[i - 1].time)
			ck_assert_uint_gt(got[i].pid, got[i - 1].pid);
	}
}
END_TEST

/* ---------------------------------------------------------------------- pipes */

START_TEST(a_pipe_brings_its_attributes_as_records)
{
	static const struct made_event event = { SIMPLE | PERF_SAMPLE_CPU, 7, 128 };

	for (size_t i = 0; i < 2; i++) {
		made_big = i;
		begin_pipe(&event);
		data_at = made_len;
		put_one_of_each();
		read_good(8);
		expect_one_of_each();
	}
	made_big = false;
}
END_TEST

START_TEST(payloads_behind_records_are_passed_over)
{
	static const struct made_event event = { SIMPLE, 7, 128 };
	static const u64 times[] = { 1, 2, 3 };

	begin_pipe(&event);
	put_head(66, 0); /* PERF_RECORD_HEADER_TRACING_DATA: its payload is padded to 8 bytes */
	put(13, 4);
	put(0, 4);
	end_record();
	put(0, 8);
	put(0, 8);
	put_comm(1, 0, "a", 1);
	put_head(71, 0); /* PERF_RECORD_AUXTRACE */
	put(3000000, 8);
	for (size_t i = 0; i < 4; i++)
		put(0, 8);
	end_record();
	memset(made + made_len, 0, 3000000);
	made_len += 3000000;
	put_comm(1, 0, "b", 2);
	put_head(71, 0);
	put(0, 8);
	end_record();
	put_comm(1, 0, "c", 3);
	read_good(3);
	expect_times(times, 3);
	read_broken(made_len - 3000000, 1, made_len - 3000000);
}
END_TEST

START_TEST(a_real_pipe_may_come_in_any_pieces)
{
	static const struct made_event event = { SIMPLE, 7, 128 };
	struct perfdata_end end;
	int fds[2];

	begin_pipe(&event);
	data_at = made_len;
	put_one_of_each();
	ck_assert_int_eq(pipe(fds), 0);
	if (!fork()) {
		for (size_t i = 0; i < made_len; i++)
			(void)!write(fds[1], made + i, 1);
		_exit(0);
	}
	close(fds[1]);
	got_count = 0;
	ck_assert(perfdata_read(fds[0], note_record, got, &end, NULL));
	ck_assert(!end.broken);
	expect_one_of_each();
	close(fds[0]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("perfdata");
	TCase *tests = tcase_create("perfdata");

	tcase_add_test(tests, every_kind_is_read_in_both_byte_orders_and_all_sizes_of_attributes);
	tcase_add_test(tests, every_sample_type_has_its_place_for_the_time);
	tcase_add_test(tests, records_of_several_events_are_told_apart_by_id);
	tcase_add_test(tests, without_sample_ids_all_is_in_the_order_of_the_file);
	tcase_add_test(tests, a_build_id_is_no_inode_and_zeros_are_none);
	tcase_add_test(tests, a_name_ends_at_its_nul_or_before_the_sample_id);
	tcase_add_test(tests, what_is_unknown_is_passed_over_by_its_size);
	tcase_add_test(tests, records_come_in_the_order_of_time_those_without_at_once);
	tcase_add_test(tests, a_round_lets_go_what_was_there_before_the_last_one);
	tcase_add_test(tests, equal_times_keep_the_order_of_the_file);
	tcase_add_test(tests, a_pipe_brings_its_attributes_as_records);
	tcase_add_test(tests, payloads_behind_records_are_passed_over);
	tcase_add_test(tests, a_real_pipe_may_come_in_any_pieces);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
