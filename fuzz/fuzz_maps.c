// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Property: from any bytes the reader of /proc/PID/maps makes the records that a second reader
 * makes, which looks at one line at a time and has no idea of speed; it counts lines and bad ones
 * as that one does; from a file it reads what it reads from memory; it stops when told to.
 */
#include <unistd.h>

#include <itf/range.h>

#include "fuzz.h"
#include "host/maps.h"

const enum gen_format fuzz_format = GEN_MAPS;

/* ---------- the second reader */

/**
 * struct reader - text, line by line
 * @next: first byte of the next line
 * @end: end of the text
 * @at: in the line that is being read
 * @line_end: its end
 * @count: as maps_parse() counts
 * @name: of the last good line, with nothing undone or taken off but the escapes
 * @stop_after: good lines after which the other reader is told to stop; 0 for never
 * @good: good lines so far
 */
struct reader {
	const char *next, *end;
	const char *at, *line_end;
	struct maps_count count;
	char *name;
	unsigned int stop_after, good;
};

static bool take(struct reader *r, char c)
{
	if (r->at == r->line_end || *r->at != c)
		return false;
	r->at++;
	return true;
}

/* A number of one digit or more; false if there is none or it is more than @max. */
static bool number(struct reader *r, unsigned int base, u64 max, u64 *value)
{
	static const char digits[] = "0123456789abcdef";
	const char *first = r->at;
	bool fits = true;

	for (*value = 0; r->at < r->line_end; r->at++) {
		char c = *r->at >= 'A' && *r->at <= 'F' ? (char)(*r->at + 'a' - 'A') : *r->at;
		const char *digit = c ? strchr(digits, c) : NULL;

		if (!digit || digit - digits >= (int)base)
			break;
		if (*value > (~(u64)0 - (u64)(digit - digits)) / base)
			fits = false;
		*value = *value * base + (u64)(digit - digits);
	}
	return r->at > first && fits && *value <= max;
}

static bool protection(struct reader *r, struct map_line *line)
{
	line->prot = 0;
	if (take(r, 'r'))
		line->prot |= ITF_PROT_READ;
	else if (!take(r, '-'))
		return false;
	if (take(r, 'w'))
		line->prot |= ITF_PROT_WRITE;
	else if (!take(r, '-'))
		return false;
	if (take(r, 'x'))
		line->prot |= ITF_PROT_EXEC;
	else if (!take(r, '-'))
		return false;
	line->shared = take(r, 's');
	return line->shared || take(r, 'p');
}

static bool header(struct reader *r, struct map_line *line)
{
	u64 major, minor;

	if (!number(r, 16, ~(u64)0, &line->start) || !take(r, '-') ||
	    !number(r, 16, ~(u64)0, &line->end) || !take(r, ' ') || !protection(r, line) ||
	    !take(r, ' ') || !number(r, 16, ~(u64)0, &line->offset) || !take(r, ' ') ||
	    !number(r, 16, 0xffffffff, &major) || !take(r, ':') ||
	    !number(r, 16, 0xffffffff, &minor) || !take(r, ' ') ||
	    !number(r, 10, ~(u64)0, &line->inode))
		return false;
	line->major = (u32)major;
	line->minor = (u32)minor;
	return (r->at == r->line_end || *r->at == ' ') && line->start < line->end;
}

static void name(struct reader *r, struct map_line *line)
{
	static const char deleted[] = " (deleted)";
	size_t suffix = sizeof(deleted) - 1;

	while (take(r, ' '))
		;
	line->name = r->name;
	line->name_len = 0;
	while (r->at < r->line_end) {
		char c = *r->at++;

		if (c == '\\' && r->line_end - r->at >= 3 && !memcmp(r->at, "012", 3)) {
			c = '\n';
			r->at += 3;
		}
		r->name[line->name_len++] = c;
	}
	line->deleted = line->name_len > suffix &&
			!memcmp(r->name + line->name_len - suffix, deleted, suffix);
	if (line->deleted)
		line->name_len -= suffix;
}

/* The next good line. */
static bool next(struct reader *r, struct map_line *line)
{
	while (r->next < r->end) {
		const char *newline = memchr(r->next, '\n', (size_t)(r->end - r->next));

		r->at = r->next;
		r->line_end = newline ? newline : r->end;
		r->next = newline ? newline + 1 : r->end;
		r->count.lines++;
		if (header(r, line)) {
			name(r, line);
			return true;
		}
		if (!r->count.malformed++)
			r->count.first_malformed = r->count.lines;
		r->count.truncated = !newline;
	}
	return false;
}

/* ---------- both */

static bool compare(const struct map_line *line, void *ctx)
{
	struct reader *r = ctx;
	struct map_line want;

	FUZZ_ASSERT(next(r, &want));
	FUZZ_ASSERT(line->start == want.start && line->end == want.end);
	FUZZ_ASSERT(line->prot == want.prot && line->shared == want.shared);
	FUZZ_ASSERT(line->offset == want.offset && line->inode == want.inode);
	FUZZ_ASSERT(line->major == want.major && line->minor == want.minor);
	FUZZ_ASSERT(line->deleted == want.deleted && line->name_len == want.name_len);
	FUZZ_ASSERT(!memcmp(line->name, want.name, want.name_len));
	return ++r->good != r->stop_after;
}

static void check(const char *text, size_t len, unsigned int stop_after, bool file)
{
	struct reader r = { .next = text, .end = text + len, .stop_after = stop_after };
	struct map_line line;
	struct maps_count count;
	char *copy = NULL;
	FILE *f;
	bool all;

	r.name = malloc(len + 1);
	FUZZ_ASSERT(r.name);
	if (file) {
		f = tmpfile();
		FUZZ_ASSERT(f && fwrite(text, 1, len, f) == len && !fflush(f));
		FUZZ_ASSERT(lseek(fileno(f), 0, SEEK_SET) == 0);
		all = maps_read(fileno(f), compare, &r, &count, NULL);
		fclose(f);
	} else {
		copy = fuzz_copy(text, len);
		all = maps_parse(copy, len, compare, &r, &count);
	}
	FUZZ_ASSERT(all == (!stop_after || r.good < stop_after));
	if (all)
		FUZZ_ASSERT(!next(&r, &line));
	FUZZ_ASSERT(count.lines == r.count.lines && count.malformed == r.count.malformed);
	FUZZ_ASSERT(count.first_malformed == r.count.first_malformed);
	FUZZ_ASSERT(count.truncated == r.count.truncated);
	free(copy);
	free(r.name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);

	check(text, size, 0, false);
	check(text, size, 2, false);
	/* A file takes long; every so many lengths are enough. */
	if (size % 32 == 7)
		check(text, size, 0, true);
	free(text);
	return 0;
}
