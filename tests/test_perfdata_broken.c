// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What the reader of perf.data makes of damaged files, and of compressed ones. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "itf/range.h"
#include "recording.h"
#include "runner.h"

/* ---------------------------------------------------------------------- damage */

START_TEST(a_file_cut_at_any_byte_gives_what_was_before_and_says_where)
{
	size_t starts[9], whole;

	begin_simple();
	for (size_t i = 0; i < 8; i++) {
		starts[i] = made_len;
		put_comm((u32)i, 0, "some command", i + 1);
	}
	starts[8] = made_len;
	end_file();
	whole = made_len;
	for (size_t cut = 0; cut < data_at; cut++) {
		struct perfdata_end end;

		read_part(cut, &end);
		ck_assert(end.broken && !got_count && !end.records);
		ck_assert_uint_le(end.at, cut);
	}
	for (size_t cut = data_at, i = 0; cut < whole; cut++) {
		if (cut == starts[i + 1])
			i++;
		read_broken(cut, i, starts[i]);
	}
	read_good(8);
}
END_TEST

START_TEST(a_pipe_cut_between_records_is_whole_and_elsewhere_is_not)
{
	static const struct made_event event = { SIMPLE, 7, 128 };
	struct perfdata_end end;
	size_t first, second, cut;

	begin_pipe(&event);
	first = made_len;
	put_comm(1, 0, "a", 1);
	second = made_len;
	put_comm(2, 0, "b", 2);
	for (cut = first + 1; cut < made_len; cut++) {
		if (cut == second)
			continue;
		read_broken(cut, cut > second, cut < second ? first : second);
	}
	read_part(second, &end);
	ck_assert(!end.broken && got_count == 1);
	read_part(first, &end);
	ck_assert(!end.broken && got_count == 0);
}
END_TEST

START_TEST(a_size_below_a_head_ends_the_reading)
{
	for (size_t size = 0; size < 8; size++) {
		size_t at;

		begin_simple();
		put_comm(1, 0, "a", 1);
		at = made_len;
		put_comm(2, 0, "b", 2);
		put_at(at + 6, size, 2);
		put_comm(3, 0, "c", 3);
		end_file();
		read_broken(made_len, 1, at);
	}
}
END_TEST

START_TEST(a_record_too_short_for_its_kind_ends_the_reading)
{
	static const struct {
		u32 type;
		size_t size;
	} least[] = {
		{ PERF_RECORD_MMAP, 40 }, { PERF_RECORD_LOST, 24 }, { PERF_RECORD_COMM, 16 },
		{ PERF_RECORD_EXIT, 32 }, { PERF_RECORD_FORK, 32 }, { PERF_RECORD_MMAP2, 72 },
	};

	for (size_t i = 0; i < sizeof(least) / sizeof(*least); i++) {
		for (size_t size = 8; size <= least[i].size + 24; size += 8) {
			size_t at;

			begin_simple();
			put_comm(1, 0, "a", 1);
			at = made_len;
			put_head(least[i].type, 0);
			while (made_len - at < size)
				put(1, 8);
			end_record();
			end_file();
			if (size < least[i].size + 24)
				read_broken(made_len, 1, at);
			else
				read_good(2);
		}
	}
}
END_TEST

START_TEST(records_past_the_end_that_the_header_names_are_broken)
{
	size_t at;

	begin_simple();
	put_comm(1, 0, "a", 1);
	at = made_len;
	put_comm(2, 0, "b", 2);
	end_file();
	put_at(DATA_SIZE_AT, at - data_at + 8, 8);
	read_broken(made_len, 1, at);
	put_at(DATA_SIZE_AT, at - data_at, 8);
	read_good(1);
	put_at(DATA_SIZE_AT, UINT64_MAX, 8);
	read_broken(made_len, 2, made_len);
}
END_TEST

START_TEST(a_file_that_perf_did_not_finish_is_read_to_its_end)
{
	begin_simple();
	put_comm(1, 0, "a", 1);
	put_comm(2, 0, "b", 2);
	read_broken(made_len, 2, made_len);
	read_broken(made_len - 3, 1, record_at);
}
END_TEST

START_TEST(headers_that_lie_are_found_out)
{
	static const struct {
		size_t at;
		u64 value;
	} lies[] = {
		{ 0, 0 },
		{ 0, 0x454c494646524550 }, /* the first version, out of use since 2009 */
		{ 8, 0 },
		{ 8, 17 },
		{ 8, UINT64_MAX },
		{ 16, 0 },
		{ 16, 79 },
		{ 24, 1 << 20 },
		{ 24, UINT64_MAX },
		{ 32, 1 << 20 },
		{ 32, UINT64_MAX },
		{ 40, 0 },
		{ 40, 103 },
		{ 40, UINT64_MAX },
		{ 40, 1 << 20 },
		{ FILE_HEADER + 136, UINT64_MAX },
		{ FILE_HEADER + 136 + 8, UINT64_MAX },
	};

	for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		struct perfdata_end end;

		begin_simple();
		put_comm(1, 0, "a", 1);
		end_file();
		put_at(lies[i].at, lies[i].value, 8);
		read_part(made_len, &end);
		ck_assert_msg(end.broken && !got_count, "lie %zu", i);
	}
}
END_TEST

/* Whatever a byte is changed to, nothing is read outside of the file, and reading ends. */
START_TEST(events_do_not_share_their_ids)
{
	static const struct made_event events[] = { { SIMPLE, 1, 64 }, { SIMPLE, 2, 64 } };
	struct perfdata_end end;

	for (u64 more = 0; more < 2; more++) {
		begin(events, 2);
		put_comm(1, 0, "a", 1);
		end_file();
		/* All of the head for the first, as much as is left or more for the second. */
		put_at(FILE_HEADER + 64, 0, 8);
		put_at(FILE_HEADER + 64 + 8, data_at - 8, 8);
		put_at(FILE_HEADER + 80 + 64, FILE_HEADER, 8);
		put_at(FILE_HEADER + 80 + 64 + 8, 8 + more, 8);
		read_part(made_len, &end);
		ck_assert(end.broken == (more != 0));
		ck_assert_uint_eq(end.at, more ? FILE_HEADER + 80 : 0);
	}
}
END_TEST

START_TEST(any_byte_may_be_anything)
{
	static const u8 values[] = { 0, 9, 0x51, 0xff };
	struct perfdata_end end;
	size_t whole;

	begin_simple();
	put_one_of_each();
	put_round();
	end_file();
	whole = made_len;
	for (size_t at = 0; at < whole; at++) {
		u8 was = made[at];

		for (size_t i = 0; i < sizeof(values); i++) {
			made[at] = values[i];
			read_part(whole, &end);
			ck_assert_uint_le(got_count, 9);
		}
		made[at] = was;
	}
	read_good(8);
}
END_TEST

/* What perf tells of a tracer of some type: numbers, and behind them text. */
static void put_tracer(u32 type, size_t numbers, u64 text_len, const char *text)
{
	put_head(70, 0);
	put(type, 4);
	put(0, 4);
	for (size_t i = 0; i < numbers; i++)
		put(i == 16 ? text_len : 1000 + i, 8);
	put_bytes(text, strlen(text) + 1);
	while (made_len % 8)
		put(0, 1);
	end_record();
}

static void expect_filters(const char *want, bool broken)
{
	struct perfdata_end end;
	char *filters;
	int fd = memfd_create("perf.data", 0);

	end_file();
	ck_assert_int_eq(write(fd, made, made_len), (ssize_t)made_len);
	lseek(fd, 0, SEEK_SET);
	ck_assert(perfdata_filters(fd, &filters, &end, NULL));
	ck_assert_pstr_eq(filters, want);
	ck_assert_int_eq(end.broken, broken);
	free(filters);
	close(fd);
}

START_TEST(filters_of_intel_pt_are_found)
{
	static const char text[] = "filter 0x1000/0x10@/bin/ls,stop 0x20@/f";

	for (size_t i = 0; i < 2; i++) {
		made_big = i;
		begin_simple();
		put_comm(1, 0, "a", 1);
		expect_filters(NULL, false);
		put_tracer(1, 17, sizeof(text) - 1, text);
		put_tracer(1, 17, 3, "abc");
		expect_filters(text, false);
	}
	made_big = false;
	begin_simple();
	put_tracer(1, 17, 0, "");
	expect_filters(NULL, false);
	begin_simple();
	put_tracer(3, 17, 3, "abc"); /* CoreSight */
	expect_filters(NULL, false);
	begin_simple();
	put_tracer(1, 15, 0, ""); /* by a perf that did not know of filters */
	expect_filters(NULL, false);
	begin_simple();
	put_tracer(1, 17, 8, "1234567");
	expect_filters("1234567", false);
	begin_simple();
	put_tracer(1, 17, 9, "1234567");
	expect_filters(NULL, true);
	begin_simple();
	put_tracer(1, 17, UINT64_MAX, "1234567");
	expect_filters(NULL, true);
}
END_TEST

START_TEST(what_cannot_be_read_is_an_error)
{
	struct perfdata_end end;
	int fd = open("/", O_RDONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert(!perfdata_read(fd, note_record, got, &end, NULL));
	ck_assert_int_eq(errno, EISDIR);
	ck_assert(!end.broken);
	close(fd);
}
END_TEST

/* ---------------------------------------------------------------------- compression */

/* A compressed record of either kind around bytes of a stream. */
static void put_compressed(bool second, const u8 *bytes, size_t size)
{
	put_head(second ? 83 : 81, 0);
	if (second)
		put(size, 8);
	put_bytes(bytes, size);
	while (second && (made_len - record_at) % 8)
		put(0xff, 1);
	end_record();
}

#ifdef HAVE_ZSTD
static u8 plain[1 << 20];
static size_t plain_len;

/* Take what was made so far out of the file, to be compressed. */
static void take_out(void)
{
	plain_len = made_len - data_at;
	memcpy(plain, made + data_at, plain_len);
	made_len = data_at;
}

static void compress_part(ZSTD_CStream *stream, bool second, size_t from, size_t to)
{
	static u8 out[1 << 16];
	ZSTD_inBuffer in = { plain + from, to - from, 0 };
	size_t left;

	do {
		ZSTD_outBuffer buffer = { out, 0xf000, 0 };

		left = ZSTD_compressStream2(stream, &buffer, &in, ZSTD_e_flush);
		ck_assert(!ZSTD_isError(left));
		put_compressed(second, out, buffer.pos);
	} while (left || in.pos < in.size);
}

START_TEST(compressed_records_may_cut_records_anywhere)
{
	size_t whole;

	begin_simple();
	put_one_of_each();
	take_out();
	whole = plain_len;
	for (size_t cut = 0; cut <= whole; cut++) {
		ZSTD_CStream *stream = ZSTD_createCStream();

		begin_simple();
		compress_part(stream, cut % 2, 0, cut);
		/* What was not compressed may stand between. */
		put_round();
		compress_part(stream, !(cut % 2), cut, whole);
		end_file();
		read_good(8);
		expect_one_of_each();
		ZSTD_freeCStream(stream);
	}
}
END_TEST

START_TEST(one_compressed_record_may_hold_very_many)
{
	ZSTD_CStream *stream = ZSTD_createCStream();

	begin_simple();
	for (u32 i = 0; i < 15000; i++)
		put_comm(i, 0, "c", i + 1);
	take_out();
	for (size_t from = 0; from < plain_len; from += 100001)
		compress_part(stream, true, from,
			      from + 100001 < plain_len ? from + 100001 : plain_len);
	end_file();
	ZSTD_freeCStream(stream);
	ck_assert_uint_lt(made_len, plain_len);
	read_good(15000);
	for (u32 i = 0; i < 15000; i++)
		ck_assert(got[i].pid == i && got[i].time == i + 1);
}
END_TEST

START_TEST(damage_inside_compressed_records_is_found)
{
	ZSTD_CStream *stream = ZSTD_createCStream();
	struct perfdata_end end;
	size_t last, inner;

	begin_simple();
	put_comm(1, 0, "a", 1);
	inner = made_len - data_at;
	put_comm(2, 0, "b", 2);
	take_out();
	compress_part(stream, false, 0, inner);
	last = made_len;
	compress_part(stream, false, inner, plain_len - 5);
	end_file();
	/* The end of the last record is missing. */
	read_broken(made_len, 1, made_len);
	/* What is no zstd at all. */
	memset(made + last + 8, 0xff, made_len - last - 8);
	read_broken(made_len, 1, last);
	ZSTD_freeCStream(stream);

	/* A record without size, and a compressed one, inside a compressed one. */
	for (size_t i = 0; i < 2; i++) {
		stream = ZSTD_createCStream();
		begin_simple();
		put_comm(1, 0, "a", 1);
		if (i)
			put_compressed(false, (const u8 *)"", 0);
		else
			put(1, 8);
		take_out();
		compress_part(stream, true, 0, plain_len);
		end_file();
		read_broken(made_len, 1, data_at);
		ZSTD_freeCStream(stream);
	}

	/* More bytes announced than are there. */
	begin_simple();
	put_compressed(true, (const u8 *)"12345678", 8);
	put_at(record_at + 8, 9, 8);
	end_file();
	read_part(made_len, &end);
	ck_assert(end.broken && end.at == record_at);
	put_at(record_at + 8, UINT64_MAX, 8);
	read_part(made_len, &end);
	ck_assert(end.broken && end.at == record_at);
}
END_TEST
#else
START_TEST(without_zstd_a_compressed_record_ends_the_reading)
{
	begin_simple();
	put_comm(1, 0, "a", 1);
	put_compressed(false, (const u8 *)"12345678", 8);
	put_comm(2, 0, "b", 2);
	end_file();
	{
		struct perfdata_end end;

		read_part(made_len, &end);
		ck_assert(end.broken && got_count == 1);
		ck_assert_ptr_nonnull(strstr(end.why, "libzstd"));
	}
}
END_TEST
#endif

int main(void)
{
	Suite *suite = suite_create("perfdata_broken");
	TCase *tests = tcase_create("perfdata_broken");

	tcase_add_test(tests, a_file_cut_at_any_byte_gives_what_was_before_and_says_where);
	tcase_add_test(tests, a_pipe_cut_between_records_is_whole_and_elsewhere_is_not);
	tcase_add_test(tests, a_size_below_a_head_ends_the_reading);
	tcase_add_test(tests, a_record_too_short_for_its_kind_ends_the_reading);
	tcase_add_test(tests, records_past_the_end_that_the_header_names_are_broken);
	tcase_add_test(tests, a_file_that_perf_did_not_finish_is_read_to_its_end);
	tcase_add_test(tests, headers_that_lie_are_found_out);
	tcase_add_test(tests, events_do_not_share_their_ids);
	tcase_add_test(tests, any_byte_may_be_anything);
	tcase_add_test(tests, filters_of_intel_pt_are_found);
	tcase_add_test(tests, what_cannot_be_read_is_an_error);
#ifdef HAVE_ZSTD
	tcase_add_test(tests, compressed_records_may_cut_records_anywhere);
	tcase_add_test(tests, one_compressed_record_may_hold_very_many);
	tcase_add_test(tests, damage_inside_compressed_records_is_found);
#else
	tcase_add_test(tests, without_zstd_a_compressed_record_ends_the_reading);
#endif
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
