// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Reader for the text of /proc/PID/maps: one pass, each byte looked at a small fixed number of
 * times. It takes a line apart and must not judge what the mapping is for.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <endian.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <itf/range.h>

#include "maps.h"

#define FIRST_BUFFER ((size_t)256 << 10)
#define PROGRESS_STEP ((u64)1 << 20)

#define DELETED " (deleted)"
#define DELETED_LEN (sizeof(DELETED) - 1)

/* One more than the value of a hexadecimal digit, so that 0 is "no digit". */
static const u8 digits[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* The same byte, or the same nibble, in all eight bytes of a word. */
#define EACH(byte) (0x0101010101010101u * (u64)(byte))

/*
 * Eight lower-case digits at once, as every number but the device begins in what the kernel writes:
 * this makes the reader half as fast again. Return: false if they are not all such digits.
 */
static inline bool eight_digits(const char *p, u64 *value)
{
	u64 text, digit;

	memcpy(&text, p, sizeof(text));
	text = be64toh(text);
	/* '0' to '9' are 0x30 to 0x39, 'a' to 'f' 0x61 to 0x66: bit 6 tells a letter. */
	digit = (text & EACH(0x0f)) + (text >> 6 & EACH(1)) * 9;
	/* No digit is above 15: 'g' to 'o' would be 16 to 24. */
	if (digit & EACH(0x10))
		return false;
	/* Written anew the digits must give the same text. 0x76 takes 10 and above over 0x7f. */
	if (EACH('0') + digit + ((digit + EACH(0x76)) >> 7 & EACH(1)) * ('a' - 10 - '0') != text)
		return false;
	digit = (digit | digit >> 4) & 0x00ff00ff00ff00ffu;
	digit = (digit | digit >> 8) & 0x0000ffff0000ffffu;
	*value = (digit | digit >> 16) & 0xffffffffu;
	return true;
}

/*
 * The readers of one field take the place where it begins and return the place behind it, or NULL
 * if it is not there or the field before it was not; they never look at @end or beyond.
 */

/* A hexadecimal number and the byte that must follow it. */
static inline char *read_hex(char *p, const char *end, char stop, u64 max, u64 *value)
{
	char *first = p;
	u64 v = 0;
	u8 digit;

	if (!p)
		return NULL;
	if (end - p >= 8 && eight_digits(p, &v))
		p += 8;
	for (; p < end && (digit = digits[(u8)*p]) != 0; p++)
		v = (v << 4) + digit - 1;
	if (p == first || p == end || *p != stop || v > max)
		return NULL;
	/* More digits than a u64 holds are fine as long as they are zeros. */
	for (; p - first > 16; first++) {
		if (*first != '0')
			return NULL;
	}
	*value = v;
	return p + 1;
}

/* The four letters of the protection and the blank behind them. */
static char *read_prot(char *p, const char *end, struct map_line *line)
{
	if (!p || end - p < 5 || p[4] != ' ')
		return NULL;
	if ((p[0] != 'r' && p[0] != '-') || (p[1] != 'w' && p[1] != '-') ||
	    (p[2] != 'x' && p[2] != '-') || (p[3] != 's' && p[3] != 'p'))
		return NULL;
	line->prot = (p[0] == 'r' ? ITF_PROT_READ : 0u) | (p[1] == 'w' ? ITF_PROT_WRITE : 0u) |
		     (p[2] == 'x' ? ITF_PROT_EXEC : 0u);
	line->shared = p[3] == 's';
	return p + 5;
}

/* The inode, which ends the line or has a blank behind it. Return: the place of that. */
static char *read_inode(char *p, const char *end, u64 *value)
{
	char *first = p;
	u64 v = 0;

	if (!p)
		return NULL;
	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		u64 digit = (u64)(*p - '0');

		if (v > (UINT64_MAX - digit) / 10)
			return NULL;
		v = v * 10 + digit;
	}
	if (p == first || (p < end && *p != ' ' && *p != '\n'))
		return NULL;
	*value = v;
	return p;
}

/* What stands before the name. Return: the place behind it, NULL if it is no map line. */
static char *read_header(char *p, const char *end, struct map_line *line)
{
	u64 major, minor;

	p = read_hex(p, end, '-', UINT64_MAX, &line->start);
	p = read_hex(p, end, ' ', UINT64_MAX, &line->end);
	p = read_prot(p, end, line);
	p = read_hex(p, end, ' ', UINT64_MAX, &line->offset);
	p = read_hex(p, end, ':', UINT32_MAX, &major);
	p = read_hex(p, end, ' ', UINT32_MAX, &minor);
	p = read_inode(p, end, &line->inode);
	if (!p || line->end <= line->start)
		return NULL;
	line->major = (u32)major;
	line->minor = (u32)minor;
	return p;
}

/* Undo the one escape that the kernel writes here: a newline in a name is \012. */
static char *undo_escapes(char *from, const char *end)
{
	char *to = from;

	while (from < end) {
		if (end - from >= 4 && memcmp(from, "\\012", 4) == 0) {
			*to++ = '\n';
			from += 4;
		} else {
			*to++ = *from++;
		}
	}
	return to;
}

/* The name stands behind the blanks that the kernel pads the line with; none begins with one. */
static void read_name(char *p, char *end, bool escapes, struct map_line *line)
{
	while (end - p >= 8 && memcmp(p, "        ", 8) == 0)
		p += 8;
	while (p < end && *p == ' ')
		p++;
	if (escapes)
		end = undo_escapes(p, end);
	line->name = p;
	line->name_len = (size_t)(end - p);
	line->deleted = line->name_len > DELETED_LEN && end[-1] == ')' &&
			memcmp(end - DELETED_LEN, DELETED, DELETED_LEN) == 0;
	if (line->deleted)
		line->name_len -= DELETED_LEN;
}

/* The next @byte, or the end. */
static char *find(char *p, char *end, char byte)
{
	char *found = memchr(p, byte, (size_t)(end - p));

	return found ? found : end;
}

/* The lines of @text, the last of which may lack its newline. Adds to @count. */
static bool read_lines(char *text, size_t len, maps_fn *fn, void *ctx, struct maps_count *count)
{
	char *end = text + len;
	char *escape = find(text, end, '\\');
	struct map_line line;

	while (text < end) {
		/* A header ends before a newline, so only what follows is searched for one. */
		char *name = read_header(text, end, &line);
		char *line_end = find(name ? name : text, end, '\n');

		count->lines++;
		if (name) {
			read_name(name, line_end, escape < line_end, &line);
			if (!fn(&line, ctx))
				return false;
		} else {
			if (!count->malformed++)
				count->first_malformed = count->lines;
			count->truncated = line_end == end;
		}
		if (escape < line_end)
			escape = find(line_end, end, '\\');
		text = line_end < end ? line_end + 1 : end;
	}
	return true;
}

bool maps_parse(char *text, size_t len, maps_fn *fn, void *ctx, struct maps_count *count)
{
	*count = (struct maps_count){ 0 };
	return len == 0 || read_lines(text, len, fn, ctx, count);
}

/* What was read and not yet taken apart: never a whole line. */
struct buffer {
	char *bytes;
	size_t used;
	size_t size;
};

static bool make_room(struct buffer *buffer)
{
	size_t size = buffer->size ? buffer->size * 2 : FIRST_BUFFER;
	char *bytes;

	if (buffer->used < buffer->size)
		return true;
	bytes = size > buffer->size ? realloc(buffer->bytes, size) : NULL;
	if (!bytes) {
		errno = ENOMEM;
		return false;
	}
	buffer->bytes = bytes;
	buffer->size = size;
	return true;
}

static ssize_t read_some(int fd, struct buffer *buffer)
{
	ssize_t n;

	do
		n = read(fd, buffer->bytes + buffer->used, buffer->size - buffer->used);
	while (n < 0 && errno == EINTR);
	return n;
}

/* Take the whole lines apart after @n more bytes came, keep the rest. */
static bool whole_lines(struct buffer *buffer, size_t n, maps_fn *fn, void *ctx,
			struct maps_count *count)
{
	/* Only the new bytes are searched: a very long line must not cost its length squared. */
	const char *last = memrchr(buffer->bytes + buffer->used, '\n', n);
	size_t whole;

	buffer->used += n;
	if (!last)
		return true;
	whole = (size_t)(last + 1 - buffer->bytes);
	if (!read_lines(buffer->bytes, whole, fn, ctx, count))
		return false;
	buffer->used -= whole;
	memmove(buffer->bytes, buffer->bytes + whole, buffer->used);
	return true;
}

/* As maps_read(). */
static bool read_all(int fd, struct buffer *buffer, maps_fn *fn, void *ctx,
		     struct maps_count *count, void (*progress)(u64 bytes))
{
	u64 total = 0, told = 0;

	for (;;) {
		ssize_t n;

		if (!make_room(buffer))
			return false;
		n = read_some(fd, buffer);
		if (n < 0)
			return false;
		if (n == 0 ? !read_lines(buffer->bytes, buffer->used, fn, ctx, count) :
			     !whole_lines(buffer, (size_t)n, fn, ctx, count)) {
			errno = 0;
			return false;
		}
		if (n == 0)
			return true;
		total += (u64)n;
		if (progress && total - told >= PROGRESS_STEP) {
			progress(total);
			told = total;
		}
	}
}

bool maps_read(int fd, maps_fn *fn, void *ctx, struct maps_count *count,
	       void (*progress)(u64 bytes))
{
	struct buffer buffer = { 0 };
	int error;
	bool ok;

	*count = (struct maps_count){ 0 };
	ok = read_all(fd, &buffer, fn, ctx, count, progress);
	error = errno;
	free(buffer.bytes);
	errno = error;
	return ok;
}
