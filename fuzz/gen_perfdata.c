// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * perf.data files from a seed: header or pipe, either byte order, events with and without sample
 * ids, records of all kinds that matter, and zstd frames made by hand. Part of the generator
 * (gen.h).
 */
#include <stdbool.h>
#include <string.h>

#include "gen.h"

/* What kind of file is being written. */
struct file {
	struct gen *g;
	bool big;
	unsigned int sample_fields;
	uint64_t time;
};

static bool one_in(struct gen *g, unsigned int n)
{
	return gen_below(g, n) == 0;
}

static void number(struct file *f, uint64_t value, unsigned int n)
{
	uint8_t bytes[8];
	unsigned int i;

	for (i = 0; i < n; i++)
		bytes[f->big ? n - 1 - i : i] = (uint8_t)(value >> 8 * i);
	gen_put(f->g, bytes, n);
}

/* Write the size of what began at @start into its head. */
static void set_size(struct file *f, size_t start)
{
	size_t size = f->g->used - start;

	if (start + 8 > f->g->used)
		return;
	if (one_in(f->g, 64))
		size += gen_below(f->g, 9) - (size_t)4;
	f->g->bytes[start + (f->big ? 7 : 6)] = (uint8_t)size;
	f->g->bytes[start + (f->big ? 6 : 7)] = (uint8_t)(size >> 8);
}

static size_t head(struct file *f, unsigned int type, unsigned int misc)
{
	size_t start = f->g->used;

	number(f, type, 4);
	number(f, misc, 2);
	number(f, 0, 2);
	return start;
}

/* As long a sample id as the first event has; the time is never far from the last one. */
static void put_sample_id(struct file *f)
{
	unsigned int i;

	f->time += gen_below(f->g, 16) - (uint64_t)4;
	for (i = 0; i < f->sample_fields; i++)
		number(f, one_in(f->g, 3) ? gen_below(f->g, 4) : f->time, 8);
}

static void put_name(struct file *f)
{
	static const char *const names[] = { "/bin/ls", "[vdso]", "//anon", "a b\n\xff", "" };
	const char *name = names[gen_below(f->g, 5)];

	gen_put(f->g, name, strlen(name));
	/* Names are padded with zeros, perhaps with none. */
	gen_put(f->g, "\0\0\0\0\0\0\0\0", one_in(f->g, 16) ? 0 : 8 - strlen(name) % 8);
}

/* A record of the kernel. */
static void put_kernel(struct file *f)
{
	static const struct {
		unsigned int type, words;
		bool name;
	} kinds[] = {
		{ 1, 4, true },	 { 2, 2, false }, { 3, 1, true },  { 4, 3, false },
		{ 7, 3, false }, { 9, 5, false }, { 10, 8, true }, { 10, 8, true },
	};
	unsigned int kind = gen_below(f->g, 8), i;
	unsigned int misc = one_in(f->g, 2) ? 2 : gen_below(f->g, 8) << 12;
	size_t start = head(f, kinds[kind].type, misc);

	number(f, 1 + gen_below(f->g, 3), 4);
	number(f, 1 + gen_below(f->g, 3), 4);
	for (i = 1; i < kinds[kind].words; i++)
		number(f, one_in(f->g, 3) ? gen_below(f->g, 8) : gen_number(f->g), 8);
	if (kinds[kind].name)
		put_name(f);
	put_sample_id(f);
	set_size(f, start);
}

static void put_attr(struct file *f)
{
	static const unsigned int bits[] = { 0x2, 0x4, 0x40, 0x80, 0x200, 0x10000 };
	/* sample_id_all and mmap_data; bit-fields begin at the other end of a big-endian word. */
	uint64_t flags = (one_in(f->g, 8) ? 0 : 1u << 18) | (one_in(f->g, 4) ? 1u << 17 : 0);
	uint64_t type = 0, swapped = 0;
	unsigned int i;

	f->sample_fields = 0;
	for (i = 0; i < 6; i++) {
		if (one_in(f->g, 2))
			continue;
		type |= bits[i];
		f->sample_fields += flags >> 18 & 1;
	}
	for (i = 0; i < 64; i++)
		swapped |= (flags >> i & 1) << (63 - i);
	number(f, 1, 4);
	number(f, 64, 4);
	number(f, 9, 8);
	number(f, 0, 8);
	number(f, type, 8);
	number(f, 0, 8);
	number(f, f->big ? swapped : flags, 8);
	number(f, 0, 8);
	number(f, 0, 8);
}

/* A frame of one block that is not compressed, or a part of a frame that goes on. */
static void put_frame(struct file *f, const uint8_t *bytes, size_t size, bool begin)
{
	uint8_t block[3];

	if (begin)
		gen_put(f->g, "\x28\xb5\x2f\xfd\x00\x58", 6);
	block[0] = (uint8_t)(size << 3);
	block[1] = (uint8_t)(size >> 5);
	block[2] = (uint8_t)(size >> 13);
	gen_put(f->g, block, sizeof(block));
	gen_put(f->g, bytes, size);
}

/* Records in two compressed ones, cut anywhere. */
static void put_compressed(struct file *f)
{
	uint8_t plain[512];
	struct gen inner = { .state = f->g->state, .bytes = plain, .max = sizeof(plain) };
	struct file in = { &inner, f->big, f->sample_fields, f->time };
	unsigned int i, n = 1 + gen_below(f->g, 3), form = gen_below(f->g, 2);
	size_t cut, at = 0, start;

	while (n--)
		put_kernel(&in);
	f->g->state = inner.state;
	cut = gen_below(f->g, (unsigned int)inner.used + 1);
	for (i = 0; i < 2; i++) {
		size_t size = i ? inner.used - cut : cut;

		start = head(f, form ? 83 : 81, 0);
		if (form)
			number(f, size + 3 + (i ? 0 : 6), 8);
		put_frame(f, plain + at, size, !i);
		at += size;
		if (form)
			gen_put(f->g, "\0\0\0\0\0\0\0", (8 - (f->g->used - start) % 8) % 8);
		set_size(f, start);
	}
}

/* What Intel PT was told, with the filters. */
static void put_auxtrace_info(struct file *f)
{
	static const char text[] = "filter 0x1000/0x10@/bin/ls";
	size_t start = head(f, 70, 0);
	unsigned int i;

	number(f, one_in(f->g, 8) ? 2 : 1, 4);
	number(f, 0, 4);
	for (i = 0; i < 16; i++)
		number(f, i, 8);
	number(f, one_in(f->g, 8) ? gen_below(f->g, 64) : sizeof(text), 8);
	gen_put(f->g, text, sizeof(text));
	gen_put(f->g, "\0\0\0\0\0", 5);
	set_size(f, start);
}

static void put_record(struct file *f)
{
	unsigned int kind = gen_below(f->g, 16), behind = gen_below(f->g, 3) * 8;
	bool auxtrace;
	size_t start;

	switch (kind) {
	case 0:
	case 1:
		set_size(f, head(f, 68, 0));
		return;
	case 2:
		start = head(f, 64, 0);
		put_attr(f);
		number(f, gen_below(f->g, 4), 8);
		set_size(f, start);
		return;
	case 3:
		put_auxtrace_info(f);
		return;
	case 4:
		auxtrace = one_in(f->g, 2);
		start = head(f, auxtrace ? 71 : 66, 0);
		number(f, behind, auxtrace ? 8 : 4);
		set_size(f, start);
		gen_put(f->g, "behind the record, not in it", behind);
		return;
	case 5:
		put_compressed(f);
		return;
	case 6:
		start = head(f, 64 + gen_below(f->g, 24), 0);
		number(f, gen_below(f->g, 32), 8);
		set_size(f, start);
		return;
	default:
		put_kernel(f);
		return;
	}
}

static void put_records(struct file *f)
{
	unsigned int n = gen_below(f->g, 10);

	while (n--)
		put_record(f);
}

void gen_perfdata_part(struct gen *g)
{
	struct file f = { .g = g, .big = one_in(g, 4), .sample_fields = gen_below(g, 4) };

	if (one_in(g, 2))
		number(&f, gen_number(g), 8);
	else
		put_record(&f);
}

static void put_pipe(struct file *f)
{
	size_t start;

	number(f, 16, 8);
	if (!one_in(f->g, 16)) {
		start = head(f, 64, 0);
		put_attr(f);
		number(f, 1, 8);
		set_size(f, start);
	}
	put_records(f);
}

static void put_file(struct file *f)
{
	unsigned int events = gen_below(f->g, 3), i;
	size_t size_at, data = 104 + events * (64 + 16 + 8);

	number(f, 104, 8);
	number(f, 64 + 16, 8);
	number(f, 104 + events * 8, 8);
	number(f, events * (64 + 16), 8);
	number(f, data, 8);
	size_at = f->g->used;
	number(f, 0, 8);
	for (i = 0; i < 6; i++)
		number(f, 0, 8);
	for (i = 0; i < events; i++)
		number(f, i, 8);
	for (i = 0; i < events; i++) {
		put_attr(f);
		number(f, 104 + i * 8, 8);
		number(f, 8, 8);
	}
	put_records(f);
	if (!one_in(f->g, 8) && size_at + 8 <= f->g->used) {
		struct gen at = { .bytes = f->g->bytes + size_at, .max = 8 };
		struct file size = { .g = &at, .big = f->big };

		number(&size, f->g->used - data + (one_in(f->g, 16) ? gen_below(f->g, 9) : 0), 8);
	}
}

void gen_perfdata(struct gen *g)
{
	struct file f = { .g = g, .big = one_in(g, 3), .time = 1000 };

	gen_put(g, f.big ? "2ELIFREP" : "PERFILE2", 8);
	if (one_in(g, 2))
		put_pipe(&f);
	else
		put_file(&f);
}
