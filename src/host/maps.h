/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Reader for the text of /proc/PID/maps: any bytes, lines of any length, in time linear in the
 * input. Knows nothing of filters.
 */
#ifndef ITF_HOST_MAPS_H
#define ITF_HOST_MAPS_H

#include <itf/env.h>

/**
 * struct map_line - one line
 * @start: address of the first byte
 * @end: address behind the last byte, above @start
 * @prot: ITF_PROT_*
 * @shared: "s" rather than "p"
 * @offset: byte offset in the file
 * @major: device, as written
 * @minor: device, as written
 * @inode: 0 for none
 * @name: the name with \012 undone and " (deleted)" taken off; not NUL-terminated; valid until the
 *	next line is read. Trailing blanks belong to it
 * @name_len: bytes in @name; 0 for a mapping without a name
 * @deleted: the name ended in " (deleted)"
 */
struct map_line {
	u64 start;
	u64 end;
	u32 prot;
	bool shared;
	u64 offset;
	u32 major;
	u32 minor;
	u64 inode;
	const char *name;
	size_t name_len;
	bool deleted;
};

/**
 * struct maps_count - what a reader met
 * @lines: lines in all
 * @malformed: lines that are not map lines; they were passed over
 * @first_malformed: number of the first of them, from 1; 0 if none
 * @truncated: the last line had no newline and was malformed: the text was cut short
 */
struct maps_count {
	size_t lines;
	size_t malformed;
	size_t first_malformed;
	bool truncated;
};

/**
 * typedef maps_fn - takes one line
 * @line: the line
 * @ctx: as given to the reader
 *
 * Return: false to stop reading.
 */
typedef bool maps_fn(const struct map_line *line, void *ctx);

/**
 * maps_parse() - read lines from memory
 * @text: any bytes; \012 is undone in place, so the text is used up
 * @len: bytes in @text
 * @fn: called for each good line, in order
 * @ctx: passed to @fn
 * @count: set; counts the line that @fn is called for already
 *
 * Never reads or writes outside @text.
 *
 * Return: true; false if @fn stopped it.
 */
bool maps_parse(char *text, size_t len, maps_fn *fn, void *ctx, struct maps_count *count);

/**
 * maps_read() - read lines from a file descriptor to its end
 * @fd: open for reading; stays open
 * @fn: called for each good line, in order
 * @ctx: passed to @fn
 * @count: set; counts the line that @fn is called for already
 * @progress: called now and then with the bytes read so far; may be NULL
 *
 * Return: true; false if @fn stopped it (errno is 0), or on a read error or lack of memory (errno
 * is set).
 */
bool maps_read(int fd, maps_fn *fn, void *ctx, struct maps_count *count,
	       void (*progress)(u64 bytes));

#endif
