/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Reader for perf.data: the records that tell of tasks and their mappings, in the order of time.
 * Reads files and pipes, both byte orders, compressed or not, in memory that does not grow with
 * the file. Knows nothing of filters.
 */
#ifndef ITF_HOST_PERFDATA_H
#define ITF_HOST_PERFDATA_H

#include <itf/env.h>

/**
 * enum perfdata_kind - what a record tells
 * @PERFDATA_MMAP: a new mapping
 * @PERFDATA_COMM: a new command name, perhaps because of exec
 * @PERFDATA_FORK: a new thread or process
 * @PERFDATA_EXIT: a thread ended
 * @PERFDATA_LOST: the kernel dropped records
 */
enum perfdata_kind {
	PERFDATA_MMAP,
	PERFDATA_COMM,
	PERFDATA_FORK,
	PERFDATA_EXIT,
	PERFDATA_LOST
};

/**
 * struct perfdata_record - one record, in the byte order of this machine
 * @kind: what it tells
 * @at: byte offset of the record in the file, or of the compressed record that it came from
 * @has_time: @time orders it. perf makes up records of what was there before it began: those have
 *	none, nor has any record of a file without times
 * @time: nanoseconds on perf's clock; 0 if not known. A fork or exit that really happened has one
 *	in any file
 * @pid: process; for a fork the new one
 * @tid: thread; for a fork the new one
 * @ppid: fork and exit: parent process
 * @ptid: fork and exit: parent thread
 * @start: mmap: address of the first byte
 * @size: mmap: bytes
 * @offset: mmap: byte offset in the file
 * @prot: mmap: ITF_PROT_*; for the old record without protection, exec, or read and write for data
 * @has_inode: mmap: @major to @inode are known
 * @major: mmap: device
 * @minor: mmap: device
 * @inode: mmap: inode
 * @exec: comm: because of exec
 * @truncated: mmap: perf could not read all of /proc/PID/maps
 * @lost: lost: records dropped
 * @name: mmap: file name; comm: command name. Not NUL-terminated; valid during the call
 * @name_len: bytes in @name
 */
struct perfdata_record {
	enum perfdata_kind kind;
	u64 at;
	bool has_time;
	u64 time;
	u32 pid;
	u32 tid;
	u32 ppid;
	u32 ptid;
	u64 start;
	u64 size;
	u64 offset;
	u32 prot;
	bool has_inode;
	u32 major;
	u32 minor;
	u64 inode;
	bool exec;
	bool truncated;
	u64 lost;
	const char *name;
	size_t name_len;
};

/**
 * typedef perfdata_fn - takes one record
 * @record: the record
 * @ctx: as given to the reader
 *
 * Return: false to stop reading.
 */
typedef bool perfdata_fn(const struct perfdata_record *record, void *ctx);

/**
 * struct perfdata_end - how reading ended
 * @records: records of all kinds that were passed over or read
 * @data: mappings that are not executable were recorded too; set before the first record
 * @broken: the file is damaged or ends too early; what came before was handed out
 * @at: if @broken, byte offset in the file where
 * @why: if @broken, a sentence that says how
 */
struct perfdata_end {
	u64 records;
	bool data;
	bool broken;
	u64 at;
	const char *why;
};

/**
 * perfdata_read() - read a perf.data file to its end
 * @fd: open for reading: a file, or a pipe that carries what "perf record -o -" writes; stays open
 * @fn: called for each record: those without time at once, all others in the order of time, those
 *	with the same time in the order of the file
 * @ctx: passed to @fn
 * @end: set in any case
 * @progress: called now and then with the bytes read so far; may be NULL
 *
 * Return: true, also for a damaged file; false with errno set on a read error or if memory ran
 * out, or with errno 0 if @fn stopped it.
 */
bool perfdata_read(int fd, perfdata_fn *fn, void *ctx, struct perfdata_end *end,
		   void (*progress)(u64 bytes));

/**
 * perfdata_filters() - the address filters that Intel PT was given
 * @fd: as in perfdata_read(); it is read up to the record that has them, or to the end
 * @filters: set to the text as perf gave it to the kernel, NUL-terminated, which the caller frees;
 *	NULL if there is none. Only the filters of the first event of Intel PT are recorded
 * @end: set in any case
 * @progress: as in perfdata_read()
 *
 * Return: true, also for a damaged file; false with errno set on a read error or if memory ran
 * out.
 */
bool perfdata_filters(int fd, char **filters, struct perfdata_end *end,
		      void (*progress)(u64 bytes));

#endif
