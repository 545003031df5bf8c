// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Inputs from a seed. See gen.h. */
#include "gen.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---------- numbers */

void gen_init(struct gen *g, uint64_t seed, void *bytes, size_t max)
{
	*g = (struct gen){ .state = seed, .bytes = bytes, .max = max };
}

/* splitmix64: short, and good from any seed on. */
static uint64_t next(struct gen *g)
{
	uint64_t z = g->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

unsigned int gen_below(struct gen *g, unsigned int n)
{
	return (unsigned int)((next(g) >> 32) * n >> 32);
}

static bool one_in(struct gen *g, unsigned int n)
{
	return gen_below(g, n) == 0;
}

uint64_t gen_number(struct gen *g)
{
	/* Ends of address spaces, of hardware's and of numbers, and places people know. */
	static const uint64_t edges[] = {
		0,
		0x1000,
		0x401000,
		0x7fffffff,
		0x80000000,
		0xffffffff,
		0x100000000,
		0x7fffffffffff,
		0x800000000000,
		0xffff800000000000,
		0xffffffff81000000,
		0xffffffffffffffff,
		0x7fffffffffffffff,
		0x8000000000000000,
		0xffffffffffffe,
		0x100000000000000,
		0xff00000000000000,
	};

	switch (gen_below(g, 5)) {
	case 0:
		return gen_below(g, 20);
	case 1:
		return edges[gen_below(g, COUNT(edges))] + gen_below(g, 5) - 2;
	case 2:
		return ((uint64_t)1 << gen_below(g, 64)) + gen_below(g, 3) - 1;
	case 3:
		return (uint64_t)gen_below(g, 0x1000) << 12;
	default:
		return next(g) >> gen_below(g, 64);
	}
}

/* ---------- bytes */

void gen_put(struct gen *g, const void *bytes, size_t size)
{
	if (size > g->max - g->used)
		size = g->max - g->used;
	memcpy(g->bytes + g->used, bytes, size);
	g->used += size;
}

static void put_u8(struct gen *g, unsigned int value)
{
	uint8_t byte = (uint8_t)value;

	gen_put(g, &byte, 1);
}

static void put_u64(struct gen *g, uint64_t value)
{
	unsigned int i;

	for (i = 0; i < 64; i += 8)
		put_u8(g, (unsigned int)(value >> i & 0xff));
}

__attribute__((format(printf, 2, 3))) static void print(struct gen *g, const char *format, ...)
{
	char text[160];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	gen_put(g, text, strlen(text));
}

static void pick(struct gen *g, const char *const *words, size_t count)
{
	print(g, "%s", words[gen_below(g, (unsigned int)count)]);
}

#define PICK(g, words) pick(g, words, COUNT(words))

/* ---------- filters as text */

static void put_separators(struct gen *g)
{
	static const char *const separators[] = { " ", " ", ",", "\n", ", ", "  ", " ,\n" };

	PICK(g, separators);
}

static void put_number(struct gen *g)
{
	static const char *const odd[] = {
		"0",
		"00",
		"08",
		"0x",
		"0X",
		"0xg",
		"00x1",
		"1e3",
		"+1",
		"-1",
		"main",
		"*",
		"",
		"0x10000000000000000",
		"18446744073709551616",
		"02000000000000000000000",
		"0xffffffffffffffff",
		"01777777777777777777777",
		"0x000000000000000000000001",
		"4294967296",
		"0b1",
		"\xff",
		"1:",
		"0x1/",
		"1 ",
	};
	unsigned long long value = gen_number(g);

	switch (gen_below(g, 12)) {
	case 0:
		PICK(g, odd);
		break;
	case 1:
		print(g, "%llu", value);
		break;
	case 2:
		print(g, "0%llo", value);
		break;
	case 3:
		print(g, "0X%llX", value);
		break;
	case 4:
		print(g, "0x%020llx", value);
		break;
	default:
		print(g, "%#llx", value);
		break;
	}
}

static void put_quoted(struct gen *g)
{
	static const char *const parts[] = {
		"a",	 "/",	  " ",	      ",",     "\n",   "\\\\", "\\\"", "\\n", "\\t",
		"\\x20", "\\xfF", "\xc3\xa9", "\\x00", "\\x1", "\\q",  "@",    "\\",
	};
	unsigned int n = gen_below(g, 5);

	gen_put(g, "\"", 1);
	while (n--)
		pick(g, parts, one_in(g, 12) ? COUNT(parts) : COUNT(parts) - 5);
	if (!one_in(g, 16))
		gen_put(g, "\"", 1);
}

static void put_path(struct gen *g)
{
	static const char *const paths[] = {
		"f",	   "/bin/ls", "/usr/lib/x86_64-linux-gnu/libc.so.6",
		"a@b/c%d", "@",	      "5/6",
		"\\",	   "a\"b",    "\xc3\xa9\xff",
		"\tfoo",   "f:1",     "",
	};

	if (one_in(g, 4))
		put_quoted(g);
	else
		PICK(g, paths);
}

static void put_range(struct gen *g)
{
	unsigned int source = gen_below(g, 5);
	bool path = source == 1 || (source != 2 && one_in(g, 2));

	if (source == 1)
		print(g, "file:");
	else if (source == 2)
		print(g, "kernel:");
	put_number(g);
	if (!one_in(g, 4)) {
		print(g, "/");
		put_number(g);
	}
	if (path != one_in(g, 16)) {
		print(g, "@");
		put_path(g);
	}
}

void gen_filters(struct gen *g)
{
	static const char *const actions[] = { "filter", "start", "stop" };
	static const char *const odd[] = { "tracestop", "Filter", "filter/1", "", "start\t", "x" };
	unsigned int n = gen_below(g, 5);

	if (one_in(g, 6))
		put_separators(g);
	while (n--) {
		if (one_in(g, 24))
			PICK(g, odd);
		else
			PICK(g, actions);
		put_separators(g);
		put_range(g);
		if (one_in(g, 40))
			put_u8(g, gen_below(g, 256));
		if (n || one_in(g, 6))
			put_separators(g);
	}
}

/* ---------- numbers for ranges, and filters for hardware */

static void gen_range(struct gen *g)
{
	uint64_t start = gen_number(g), offset = gen_number(g);
	unsigned int i;

	/* Unrelated numbers hardly ever meet. */
	if (one_in(g, 2))
		offset = start + gen_number(g) % 64 - 32;
	put_u64(g, start);
	put_u64(g, one_in(g, 3) ? 0 - start - gen_below(g, 3) : gen_number(g));
	put_u64(g, gen_number(g));
	put_u64(g, one_in(g, 3) ? start - offset + gen_below(g, 5) - 2 : gen_number(g));
	put_u64(g, offset);
	for (i = 0; i < 2; i++)
		put_u64(g, one_in(g, 2) ? start + gen_below(g, 16) - 8 : gen_number(g));
	put_u8(g, gen_below(g, 256));
}

static void gen_pmu_filter(struct gen *g)
{
	uint64_t start = gen_number(g);

	put_u8(g, gen_below(g, 256));
	put_u64(g, start);
	if (one_in(g, 3))
		put_u64(g, one_in(g, 2) ? 0 : 0 - start - gen_below(g, 2));
	else
		put_u64(g, gen_number(g));
}

static void gen_pmu(struct gen *g)
{
	unsigned int n = one_in(g, 8) ? gen_below(g, 24) : gen_below(g, 6);

	put_u8(g, gen_below(g, 256));
	put_u8(g, gen_below(g, 256));
	while (n--)
		gen_pmu_filter(g);
}

/* ---------- filters and events for a process */

static void gen_track_event(struct gen *g)
{
	unsigned int i;

	/* The kind, then small numbers: most of them places and sizes. */
	put_u8(g, gen_below(g, 256));
	for (i = 1; i < GEN_TRACK_EVENT; i++)
		put_u8(g, one_in(g, 4) ? gen_below(g, 256) : gen_below(g, 48));
}

static void gen_track(struct gen *g)
{
	unsigned int n = 1 + gen_below(g, 24);
	unsigned int i;

	put_u8(g, gen_below(g, 256));
	for (i = 1; i < GEN_TRACK_HEAD; i++)
		put_u8(g, i % GEN_TRACK_FILTER == 1 ? gen_below(g, 256) : gen_below(g, 64));
	while (n--)
		gen_track_event(g);
}

/* ---------- /proc/PID/maps */

static void put_maps_number(struct gen *g, const char *suffix)
{
	unsigned long long value = gen_number(g);

	switch (gen_below(g, 24)) {
	case 0:
		break;
	case 1:
		print(g, "%llX", value);
		break;
	case 2:
		print(g, "%024llx", value);
		break;
	case 3:
		print(g, "1%016llx", value);
		break;
	default:
		print(g, "%08llx", value);
		break;
	}
	print(g, "%s", suffix);
}

static void gen_map_line(struct gen *g)
{
	static const char *const prots[] = {
		"r-xp ", "r--p ", "rw-s ", "---p ", "rwxp ", "r-xp ", "rxxp ", "r-x ", "",
	};
	static const char *const devices[] = {
		"fd:00 ",	 "00:00 ", "103:02 ", "08:1 ", "ffffffff:ffffffff ",
		"100000000:00 ", ":",	   "fd00 ",
	};
	static const char *const inodes[] = {
		"0",   "1048602", "18446744073709551615", "18446744073709551616", "00000012",
		"12x", "",
	};
	static const char *const names[] = {
		"",
		"                    /bin/ls",
		" /bin/ls (deleted)",
		" [vdso]",
		" [anon:a b]",
		"   /opt/a  b ",
		" /memfd:x y (deleted)",
		" //anon",
		" (deleted)",
		"  (deleted)",
		" /a\\012b",
		" \\012",
		" /a\\01",
		"\t/x",
		" /caf\xe9",
		" /a\\012(deleted)",
		"x",
		" ",
		" /a (deleted) (deleted)",
		" \\012 (deleted)",
	};
	unsigned long long start = gen_number(g);

	if (one_in(g, 8)) {
		put_maps_number(g, "-");
		put_maps_number(g, " ");
	} else {
		print(g, "%llx-%llx ", start, start + (unsigned long long)gen_number(g));
	}
	PICK(g, prots);
	put_maps_number(g, one_in(g, 24) ? "" : " ");
	PICK(g, devices);
	PICK(g, inodes);
	PICK(g, names);
}

static void gen_maps(struct gen *g)
{
	unsigned int n = gen_below(g, 6);

	while (n--) {
		gen_map_line(g);
		if (n || !one_in(g, 4))
			gen_put(g, "\n", 1);
	}
}

/* ---------- all of them */

void gen_input(struct gen *g, enum gen_format format)
{
	switch (format) {
	case GEN_PARSE:
		put_u8(g, '0' | gen_below(g, 16) | (one_in(g, 8) ? GEN_SHORT : 0));
		gen_filters(g);
		break;
	case GEN_TEXT:
		gen_filters(g);
		break;
	case GEN_RANGE:
		gen_range(g);
		break;
	case GEN_TRACK:
		gen_track(g);
		break;
	case GEN_PMU:
		gen_pmu(g);
		break;
	case GEN_PERFDATA:
		gen_perfdata(g);
		break;
	default:
		gen_maps(g);
		break;
	}
}

enum gen_format gen_format_of(const char *harness)
{
	static const struct {
		const char *harness;
		enum gen_format format;
	} formats[] = { { "fuzz_parse", GEN_PARSE },	  { "fuzz_kernel", GEN_TEXT },
			{ "fuzz_range", GEN_RANGE },	  { "fuzz_track", GEN_TRACK },
			{ "fuzz_pmu", GEN_PMU },	  { "fuzz_maps", GEN_MAPS },
			{ "fuzz_perfdata", GEN_PERFDATA } };
	size_t i;

	for (i = 0; i < COUNT(formats); i++) {
		if (!strcmp(harness, formats[i].harness))
			return formats[i].format;
	}
	return GEN_FORMATS;
}

/* ---------- changing an input */

/* Inputs of these formats are a head and then records of one size; text has "records" of 1. */
static const struct {
	size_t head, record;
	bool text;
} shapes[GEN_FORMATS] = {
	[GEN_PARSE] = { 1, 1, true },
	[GEN_TEXT] = { 0, 1, true },
	[GEN_RANGE] = { 0, 8, false },
	[GEN_TRACK] = { GEN_TRACK_HEAD, GEN_TRACK_EVENT, false },
	[GEN_PMU] = { GEN_PMU_HEAD, GEN_PMU_FILTER, false },
	[GEN_MAPS] = { 0, 1, true },
	[GEN_PERFDATA] = { 16, 8, false },
};

/* The part [from, to) of an input that a change is about. */
struct part {
	size_t from, to;
};

/* Text is changed by the word and by the line, other inputs by the record. */
static struct part pick_part(struct gen *g, enum gen_format format, const uint8_t *bytes,
			     size_t size)
{
	static const char *const ends[] = { " ,\n", " ,\n/@:\"\\-", "\n" };
	const char *end = ends[gen_below(g, COUNT(ends))];
	size_t head = shapes[format].head, record = shapes[format].record;
	struct part part;

	if (size <= head)
		return (struct part){ size, size };
	part.from =
		head + gen_below(g, (unsigned int)((size - head + record - 1) / record)) * record;
	part.to = size - part.from < record ? size : part.from + record;
	if (!shapes[format].text)
		return part;
	while (part.from > head && !memchr(end, bytes[part.from - 1], strlen(end)))
		part.from--;
	while (part.to < size && !memchr(end, bytes[part.to], strlen(end)))
		part.to++;
	return part;
}

/* Something that might stand where a part stood. */
static void gen_part(struct gen *g, enum gen_format format)
{
	switch (format) {
	case GEN_PARSE:
	case GEN_TEXT:
		switch (gen_below(g, 5)) {
		case 0:
			put_path(g);
			break;
		case 1:
			put_range(g);
			break;
		case 2:
			gen_filters(g);
			break;
		case 3:
			put_separators(g);
			break;
		default:
			put_number(g);
			break;
		}
		break;
	case GEN_RANGE:
		put_u64(g, gen_number(g));
		break;
	case GEN_TRACK:
		gen_track_event(g);
		break;
	case GEN_PMU:
		gen_pmu_filter(g);
		break;
	case GEN_PERFDATA:
		gen_perfdata_part(g);
		break;
	default:
		if (one_in(g, 3))
			gen_map_line(g);
		else
			put_maps_number(g, "");
		break;
	}
}

size_t gen_mutate(enum gen_format format, uint8_t *bytes, size_t size, size_t max, uint64_t seed)
{
	uint8_t added[512];
	struct part old, other;
	struct gen g;
	size_t rest;

	gen_init(&g, seed, added, sizeof(added));
	if (size > max)
		size = max;
	if (one_in(&g, 16)) {
		gen_init(&g, seed, bytes, max);
		gen_input(&g, format);
		return g.used;
	}
	old = pick_part(&g, format, bytes, size);
	other = pick_part(&g, format, bytes, size);
	switch (gen_below(&g, 6)) {
	case 0: /* a new part before this one */
		old.to = old.from;
		gen_part(&g, format);
		break;
	case 1: /* without this part; a range has all of its numbers */
		if (format == GEN_RANGE)
			put_u64(&g, 0);
		break;
	case 2: /* another part before this one */
		old.to = format == GEN_RANGE ? old.to : old.from;
		gen_put(&g, bytes + other.from, other.to - other.from);
		break;
	case 3: /* another part in place of this one */
		gen_put(&g, bytes + other.from, other.to - other.from);
		break;
	default: /* a new part in place of this one */
		gen_part(&g, format);
		break;
	}
	rest = size - old.to;
	if (g.used > max - old.from)
		g.used = max - old.from;
	if (rest > max - old.from - g.used)
		rest = max - old.from - g.used;
	memmove(bytes + old.from + g.used, bytes + old.to, rest);
	memcpy(bytes + old.from, added, g.used);
	return old.from + g.used + rest;
}
