/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Files in the form of perf.data, made in memory for tests, in either byte order; and what
 * perfdata_read() makes of them, checked. One file at a time.
 */
#ifndef ITF_TESTS_RECORDING_H
#define ITF_TESTS_RECORDING_H

#include <linux/perf_event.h>

#include "host/perfdata.h"

#define SIMPLE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME | PERF_SAMPLE_TID)
#define FILE_HEADER 104
#define DATA_SIZE_AT 48

/* An event: its sample type, its only id, and how many bytes of attributes there are. */
struct made_event {
	u64 sample_type;
	u64 id;
	size_t attr_size;
};

/* A mapping that is told of. */
struct made_map {
	u32 pid;
	u32 tid;
	u64 start;
	u64 size;
	u64 offset;
	u32 prot;
	const char *name;
};

/* The file; set @made_big before it begins. */
extern u8 made[4 << 20];
extern size_t made_len;
extern bool made_big;
/* Where its records begin, and where the last one does. */
extern size_t data_at;
extern size_t record_at;
/* What records that follow give as their event. */
extern u64 event_id;

/* The beginning of a file with some events, or with one; of what comes through a pipe. */
void begin(const struct made_event *events, size_t count);
void begin_simple(void);
void begin_pipe(const struct made_event *event);
/* Records that follow belong to this event. */
void use_event(const struct made_event *event);
/* Write the size of the records into the header. */
void end_file(void);

/* Numbers and bytes, at the end or somewhere. */
void put_at(size_t at, u64 value, size_t bytes);
void put(u64 value, size_t bytes);
void put_bytes(const void *bytes, size_t count);

/* A record by hand: its head, and behind its fields the sample id or nothing. */
void put_head(u32 type, u32 misc);
void put_tail(u32 pid, u32 tid, u64 time);
void end_record(void);

/*
 * Whole records. @time 0: none. @what: 24 bytes that are device, inode and generation, or else.
 * @ids: process, parent process, thread, parent thread.
 */
void put_comm(u32 pid, u32 misc, const char *name, u64 time);
void put_ids(u32 type, const u32 ids[4], u64 own_time, u64 time);
void put_task(u32 type, u32 pid, u32 ppid, u64 own_time, u64 time);
void put_mmap(u32 misc, u64 offset, const char *name, u64 time);
void put_mmap2(u32 misc, u32 prot, const u32 what[6], const char *name, u64 time);
void put_map(const struct made_map *map, u32 misc, u64 time);
void put_round(void);
/* Eight records with the times 1001 to 1008. */
void put_one_of_each(void);
extern const u32 device[6];

/* What was read, in order. */
extern struct perfdata_record got[20000];
extern char got_names[20000][16];
extern size_t got_count;
/* Stop the reader after so many records; 0 for never. */
extern size_t stop_after;
/* For perfdata_read(), with @got as its context. */
bool note_record(const struct perfdata_record *record, void *ctx);

/* Read the first @size bytes of the file, all of it, or up to where it must be broken. */
void read_part(size_t size, struct perfdata_end *end);
void read_good(size_t records);
void read_broken(size_t size, size_t records, u64 at);
void expect_times(const u64 *times, size_t want);
void expect_tasks(const struct perfdata_record *fork, const struct perfdata_record *exit);
void expect_one_of_each(void);

#endif
