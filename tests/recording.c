// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Files in the form of perf.data, made in memory, and what perfdata_read() makes of them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <check.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "itf/range.h"
#include "recording.h"

/* ---------------------------------------------------------------------- a file being made */

u8 made[4 << 20];
size_t made_len;
size_t data_at;
bool made_big;
/* Of the event whose records are made. */
static u64 sample_type;
u64 event_id;
/* Where the record begins that is being made. */
size_t record_at;

void put_at(size_t at, u64 value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		made[at + i] = (u8)(value >> 8 * (made_big ? bytes - 1 - i : i));
}

void put(u64 value, size_t bytes)
{
	ck_assert_uint_le(made_len + bytes, sizeof(made));
	put_at(made_len, value, bytes);
	made_len += bytes;
}

void put_bytes(const void *bytes, size_t count)
{
	ck_assert_uint_le(made_len + count, sizeof(made));
	memcpy(made + made_len, bytes, count);
	made_len += count;
}

static void put_attr(const struct made_event *event)
{
	size_t at = made_len;

	for (size_t i = 0; i < event->attr_size; i++)
		put(0, 1);
	put_at(at, PERF_TYPE_SOFTWARE, 4);
	put_at(at + 4, event->attr_size, 4);
	put_at(at + 24, event->sample_type, 8);
	/* The flag sample_id_all, which is number 18 of a bit-field of 64 bits. */
	put_at(at + 40, made_big ? (u64)1 << (63 - 18) : (u64)1 << 18, 8);
}

void use_event(const struct made_event *event)
{
	sample_type = event->sample_type;
	event_id = event->id;
}

/* Everything before the first record. */
void begin(const struct made_event *events, size_t nr)
{
	size_t entry = events->attr_size + 16;

	data_at = FILE_HEADER + nr * (entry + 8);
	made_len = 0;
	put_bytes(made_big ? "2ELIFREP" : "PERFILE2", 8);
	put(FILE_HEADER, 8);
	put(entry, 8);
	put(FILE_HEADER, 8);
	put(nr * entry, 8);
	put(data_at, 8);
	while (made_len < FILE_HEADER)
		put(0, 8);
	for (size_t i = 0; i < nr; i++) {
		put_attr(&events[i]);
		put(FILE_HEADER + nr * entry + 8 * i, 8);
		put(8, 8);
	}
	for (size_t i = 0; i < nr; i++)
		put(events[i].id, 8);
	ck_assert_uint_eq(made_len, data_at);
	use_event(&events[0]);
}

void begin_simple(void)
{
	static const struct made_event event = { SIMPLE, 7, 136 };

	begin(&event, 1);
}

void begin_pipe(const struct made_event *event)
{
	size_t at = 16;

	made_len = 0;
	put_bytes(made_big ? "2ELIFREP" : "PERFILE2", 8);
	put(16, 8);
	put(64, 4); /* PERF_RECORD_HEADER_ATTR */
	put(0, 2);
	put(8 + event->attr_size + 8, 2);
	put_attr(event);
	put(event->id, 8);
	ck_assert_uint_eq(made_len, at + 8 + event->attr_size + 8);
	use_event(event);
}

void end_file(void)
{
	put_at(DATA_SIZE_AT, made_len - data_at, 8);
}

void put_head(u32 type, u32 misc)
{
	record_at = made_len;
	put(type, 4);
	put(misc, 2);
	put(0, 2);
}

void end_record(void)
{
	put_at(record_at + 6, made_len - record_at, 2);
}

/* The sample id behind a record of the kernel. */
void put_tail(u32 pid, u32 tid, u64 time)
{
	if (sample_type & PERF_SAMPLE_TID) {
		put(pid, 4);
		put(tid, 4);
	}
	if (sample_type & PERF_SAMPLE_TIME)
		put(time, 8);
	if (sample_type & PERF_SAMPLE_ID)
		put(event_id, 8);
	if (sample_type & PERF_SAMPLE_STREAM_ID)
		put(0x5151, 8);
	if (sample_type & PERF_SAMPLE_CPU)
		put(0xc0c0, 8);
	if (sample_type & PERF_SAMPLE_IDENTIFIER)
		put(event_id, 8);
	end_record();
}

static void put_name(const char *name)
{
	size_t size = strlen(name) + 1;

	put_bytes(name, size);
	while (size++ % 8)
		put(0, 1);
}

void put_comm(u32 pid, u32 misc, const char *name, u64 time)
{
	put_head(PERF_RECORD_COMM, misc);
	put(pid, 4);
	put(pid, 4);
	put_name(name);
	put_tail(pid, pid, time);
}

void put_ids(u32 type, const u32 ids[4], u64 own_time, u64 time)
{
	put_head(type, 0);
	for (size_t i = 0; i < 4; i++)
		put(ids[i], 4);
	put(own_time, 8);
	put_tail(ids[0], ids[2], time);
}

void put_task(u32 type, u32 pid, u32 ppid, u64 own_time, u64 time)
{
	const u32 ids[] = { pid, ppid, pid + 1, ppid + 1 };

	put_ids(type, ids, own_time, time);
}

void put_mmap(u32 misc, u64 offset, const char *name, u64 time)
{
	put_head(PERF_RECORD_MMAP, misc);
	put(21, 4);
	put(22, 4);
	put(0x7f0000001000, 8);
	put(0x2000, 8);
	put(offset, 8);
	put_name(name);
	put_tail(21, 22, time);
}

/* @what: 24 bytes that are device, inode and generation, or a build-id. */
void put_mmap2(u32 misc, u32 prot, const u32 what[6], const char *name, u64 time)
{
	put_head(PERF_RECORD_MMAP2, misc);
	put(31, 4);
	put(32, 4);
	put(0xffff800000001000, 8);
	put(0x3000, 8);
	put(0x123456789000, 8);
	for (size_t i = 0; i < 2; i++)
		put(what[i], 4);
	for (size_t i = 2; i < 6; i += 2)
		put((u64)what[i + 1] << 32 | what[i], 8);
	put(prot, 4);
	put(2, 4);
	put_name(name);
	put_tail(31, 32, time);
}

void put_map(const struct made_map *map, u32 misc, u64 time)
{
	put_head(PERF_RECORD_MMAP2, misc);
	put(map->pid, 4);
	put(map->tid, 4);
	put(map->start, 8);
	put(map->size, 8);
	put(map->offset, 8);
	for (size_t i = 0; i < 3; i++)
		put(0, 8);
	put(map->prot, 4);
	put(2, 4);
	put_name(map->name);
	put_tail(map->pid, map->tid, time);
}

void put_round(void)
{
	put_head(68, 0);
	end_record();
}

const u32 device[6] = { 0xfd, 0x12, 0xdeadbeef, 0x1, 0x99, 0 };

void put_one_of_each(void)
{
	put_comm(10, PERF_RECORD_MISC_COMM_EXEC, "sh", 1001);
	put_comm(10, 0, "fifteen letters", 1002);
	put_mmap(PERF_RECORD_MISC_USER, 0x4000, "/bin/sh", 1003);
	put_mmap(PERF_RECORD_MISC_MMAP_DATA, 0, "", 1004);
	put_mmap2(PERF_RECORD_MISC_USER, 5, device, "/lib/a", 1005);
	put_task(PERF_RECORD_FORK, 41, 40, 77, 1006);
	put_task(PERF_RECORD_EXIT, 51, 50, 78, 1007);
	put_head(PERF_RECORD_LOST, 0);
	put(7, 8);
	put(0x1234567890, 8);
	put_tail(0, 0, 1008);
}

/* ---------------------------------------------------------------------- reading it */

struct perfdata_record got[20000];
char got_names[20000][16];
size_t got_count;
size_t stop_after;

bool note_record(const struct perfdata_record *record, void *ctx)
{
	ck_assert_ptr_eq(ctx, got);
	ck_assert_uint_lt(got_count, sizeof(got) / sizeof(*got));
	got[got_count] = *record;
	snprintf(got_names[got_count], sizeof(got_names[got_count]), "%.*s", (int)record->name_len,
		 record->name ? record->name : "");
	got_count++;
	return got_count != stop_after;
}

/* Read the first @size bytes of the file, which then end. */
void read_part(size_t size, struct perfdata_end *end)
{
	int fd = memfd_create("perf.data", 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, made, size), (ssize_t)size);
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	got_count = 0;
	memset(end, 0xff, sizeof(*end));
	ck_assert(perfdata_read(fd, note_record, got, end, NULL));
	close(fd);
}

void read_good(size_t records)
{
	struct perfdata_end end;

	read_part(made_len, &end);
	ck_assert_msg(!end.broken, "byte %llu: %s", (unsigned long long)end.at, end.why);
	ck_assert_uint_eq(got_count, records);
}

void read_broken(size_t size, size_t records, u64 at)
{
	struct perfdata_end end;

	read_part(size, &end);
	ck_assert(end.broken);
	ck_assert_ptr_nonnull(end.why);
	ck_assert_uint_eq(end.at, at);
	ck_assert_uint_eq(got_count, records);
}

void expect_times(const u64 *times, size_t want)
{
	ck_assert_uint_eq(got_count, want);
	for (size_t i = 0; i < want; i++)
		ck_assert_uint_eq(got[i].time, times[i]);
}

void expect_tasks(const struct perfdata_record *fork, const struct perfdata_record *exit)
{
	ck_assert_int_eq(fork->kind, PERFDATA_FORK);
	ck_assert_int_eq(exit->kind, PERFDATA_EXIT);
	ck_assert(fork->pid == 41 && fork->tid == 42 && fork->ppid == 40 && fork->ptid == 41);
	ck_assert(exit->pid == 51 && exit->tid == 52 && exit->ppid == 50 && exit->ptid == 51);
}

static void expect_maps(const struct perfdata_record *old, const struct perfdata_record *new)
{
	ck_assert(old->kind == PERFDATA_MMAP && new->kind == PERFDATA_MMAP);
	ck_assert(old->pid == 21 && old->tid == 22 && new->pid == 31 && new->tid == 32);
	ck_assert_uint_eq(old->start, 0x7f0000001000);
	ck_assert_uint_eq(new->start, 0xffff800000001000);
	ck_assert(old->size == 0x2000 && new->size == 0x3000);
	ck_assert(old->offset == 0x4000 && new->offset == 0x123456789000);
	ck_assert_uint_eq(old->prot, ITF_PROT_READ | ITF_PROT_EXEC);
	ck_assert_uint_eq(new->prot, ITF_PROT_READ | ITF_PROT_EXEC);
	ck_assert(!old->has_inode && new->has_inode);
	ck_assert(new->major == 0xfd && new->minor == 0x12 && new->inode == 0x1deadbeef);
	ck_assert(!old->truncated && !new->truncated);
}

void expect_one_of_each(void)
{
	ck_assert_uint_eq(got_count, 8);
	ck_assert(got[0].kind == PERFDATA_COMM && got[0].exec && got[0].pid == 10);
	ck_assert_str_eq(got_names[0], "sh");
	ck_assert(got[1].kind == PERFDATA_COMM && !got[1].exec && got[1].tid == 10);
	ck_assert_str_eq(got_names[1], "fifteen letters");
	ck_assert_str_eq(got_names[2], "/bin/sh");
	ck_assert_str_eq(got_names[3], "");
	ck_assert_uint_eq(got[3].prot, ITF_PROT_READ | ITF_PROT_WRITE);
	ck_assert_str_eq(got_names[4], "/lib/a");
	expect_maps(&got[2], &got[4]);
	expect_tasks(&got[5], &got[6]);
	ck_assert_int_eq(got[7].kind, PERFDATA_LOST);
	ck_assert_uint_eq(got[7].lost, 0x1234567890);
	for (size_t i = 0; i < 8; i++) {
		ck_assert(got[i].has_time);
		ck_assert_uint_eq(got[i].time, 1001 + i);
		ck_assert_uint_eq(got[i].at >= data_at && got[i].at < made_len, true);
	}
}
