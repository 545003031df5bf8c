// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The mappings of a process: each call on small hand-made spaces. A space is written as text, one
 * letter an object ('.' for nothing mapped), so that before and after can be seen.
 */
#include <itf/track.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner.h"
#include "support.h"

#define TOP (~(u64)0)
#define RX (ITF_PROT_READ | ITF_PROT_EXEC)
#define MAX 16

/* Each letter is 0x10 bytes; the object is the letter and the offset grows from 0 with it. */
#define UNIT 0x10u

struct fixture {
	struct itf_space space;
	struct itf_mapping maps[MAX];
};

static void add(struct fixture *f, u64 start, u64 size, u64 offset, u64 object)
{
	struct itf_mapping m = { start, size, offset, object, RX };

	ck_assert_int_eq(itf_space_map(&f->space, &m), ITF_OK);
}

/* "aab." from @base on: equal letters next to each other are one mapping, '|' is a boundary. */
static void draw(struct fixture *f, const char *picture, u64 base)
{
	u64 at = base, start = base;
	const char *p;

	itf_space_init(&f->space, f->maps, MAX, 64);
	for (p = picture; *p; p++) {
		if (*p == '|') {
			start = at;
			continue;
		}
		if (p == picture || p[-1] != *p)
			start = at;
		at += UNIT;
		if (p[1] != *p && *p != '.')
			add(f, start, at - start, start - base, (u64)*p);
	}
}

/* The space looks like this; offsets are not compared. */
static void check_picture(const struct fixture *f, const char *picture, u64 base)
{
	char got[128];
	size_t n = 0, i;
	u64 at = base;

	for (i = 0; i < f->space.count; i++) {
		const struct itf_mapping *m = &f->maps[i];

		for (; at != m->start; at += UNIT)
			got[n++] = '.';
		if (n && got[n - 1] == (char)m->object)
			got[n++] = '|';
		for (; at != m->start + m->size; at += UNIT)
			got[n++] = (char)m->object;
	}
	got[n] = '\0';
	ck_assert_str_eq(got, picture);
}

static const struct {
	const char *before;
	u64 start, size; /* in units */
	const char *mapped;
	const char *unmapped;
} pictures[] = {
	{ "", 2, 2, "..nn", "" },
	{ "aaa", 3, 1, "aaan", "aaa" },
	{ ".aaa", 0, 1, "naaa", ".aaa" },
	{ "aaa", 0, 3, "nnn", "" },
	{ "aaa", 0, 1, "naa", ".aa" },
	{ "aaa", 2, 1, "aan", "aa" },
	{ "aaa", 1, 1, "ana", "a.a" },
	{ "aabb", 1, 2, "annb", "a..b" },
	{ "aabb", 0, 4, "nnnn", "" },
	{ "aabbcc", 1, 4, "annnnc", "a....c" },
	{ "aabbcc", 2, 2, "aanncc", "aa..cc" },
	{ "a.b.c", 1, 3, "annnc", "a...c" },
	{ "a.b.c", 0, 5, "nnnnn", "" },
	{ "a.b.c", 1, 1, "anb.c", "a.b.c" },
	{ "aa|aa", 1, 2, "anna", "a..a" },
	{ "a.b.c", 3, 9, "a.bnnnnnnnnn", "a.b" },
};

static const u64 bases[] = { 0, 0x100000000 - 2 * UNIT, 0 - (u64)12 * UNIT };

START_TEST(a_mapping_replaces_what_it_covers)
{
	size_t i;

	for (i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
		struct fixture f;

		draw(&f, pictures[_i].before, bases[i]);
		add(&f, bases[i] + pictures[_i].start * UNIT, pictures[_i].size * UNIT, 0, 'n');
		check_picture(&f, pictures[_i].mapped, bases[i]);
	}
}
END_TEST

START_TEST(unmapping_cuts_what_it_covers)
{
	size_t i;

	for (i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
		struct fixture f;

		draw(&f, pictures[_i].before, bases[i]);
		ck_assert_int_eq(itf_space_unmap(&f.space, bases[i] + pictures[_i].start * UNIT,
						 pictures[_i].size * UNIT),
				 ITF_OK);
		check_picture(&f, pictures[_i].unmapped, bases[i]);
	}
}
END_TEST

static void check_mapping(const struct itf_mapping *m, u64 start, u64 size, u64 offset, u64 object,
			  u32 prot)
{
	bool same = m->start == start && m->size == size && m->offset == offset &&
		    m->object == object && m->prot == prot;

	ck_assert_msg(same, "0x%llx/0x%llx at 0x%llx of %llu: %u", (unsigned long long)m->start,
		      (unsigned long long)m->size, (unsigned long long)m->offset,
		      (unsigned long long)m->object, (unsigned int)m->prot);
}

START_TEST(parts_keep_their_place_in_the_file)
{
	struct fixture f;

	itf_space_init(&f.space, f.maps, MAX, 64);
	add(&f, 0x400000, 0x5000, 0xfffff000, 7);
	ck_assert_int_eq(itf_space_unmap(&f.space, 0x402000, 0x1000), ITF_OK);
	ck_assert_uint_eq(f.space.count, 2);
	check_mapping(&f.maps[0], 0x400000, 0x2000, 0xfffff000, 7, RX);
	check_mapping(&f.maps[1], 0x403000, 0x2000, 0x100002000, 7, RX);
}
END_TEST

START_TEST(a_part_beyond_the_last_file_byte_shows_no_file)
{
	struct fixture f;

	itf_space_init(&f.space, f.maps, MAX, 64);
	add(&f, 0x400000, 0x3000, TOP - 0x1fff, 7);
	ck_assert_int_eq(itf_space_unmap(&f.space, 0x400000, 0x1000), ITF_OK);
	check_mapping(&f.maps[0], 0x401000, 0x2000, TOP - 0xfff, 7, RX);
	ck_assert_int_eq(itf_space_unmap(&f.space, 0x401000, 0x1000), ITF_OK);
	ck_assert_uint_eq(f.space.count, 1);
	ck_assert(f.maps[0].start == 0x402000 && f.maps[0].size == 0x1000);
	ck_assert(f.maps[0].object == 0);

	/* The last file byte does exist. */
	itf_space_clear(&f.space);
	add(&f, 0x400000, 0x3000, TOP - 0x1000, 7);
	ck_assert_int_eq(itf_space_unmap(&f.space, 0x400000, 0x1000), ITF_OK);
	check_mapping(&f.maps[0], 0x401000, 0x2000, TOP, 7, RX);
}
END_TEST

START_TEST(find_gives_the_mapping_at_or_above)
{
	struct fixture f;

	draw(&f, "a.bb", 0x1000);
	add(&f, TOP, 1, 0, 'z');
	ck_assert_uint_eq(itf_space_find(&f.space, 0), 0);
	ck_assert_uint_eq(itf_space_find(&f.space, 0x100f), 0);
	ck_assert_uint_eq(itf_space_find(&f.space, 0x1010), 1);
	ck_assert_uint_eq(itf_space_find(&f.space, 0x103f), 1);
	ck_assert_uint_eq(itf_space_find(&f.space, 0x1040), 2);
	ck_assert_uint_eq(itf_space_find(&f.space, TOP), 2);
	ck_assert_int_eq(itf_space_unmap(&f.space, TOP, 1), ITF_OK);
	ck_assert_uint_eq(itf_space_find(&f.space, 0x1040), 2);
	itf_space_clear(&f.space);
	ck_assert_uint_eq(itf_space_find(&f.space, 0), 0);
}
END_TEST

static const struct {
	u64 start, size;
	unsigned int addr_bits;
	enum itf_error error;
} ranges[] = {
	{ 0, 0, 64, ITF_E_BAD_MAPPING },
	{ TOP, 0, 64, ITF_E_BAD_MAPPING },
	{ TOP, 1, 64, ITF_OK },
	{ TOP, 2, 64, ITF_E_BAD_MAPPING },
	{ 1, TOP, 0, ITF_OK },
	{ 2, TOP, 0, ITF_E_BAD_MAPPING },
	{ 0x1000, TOP - 0xfff, 64, ITF_OK },
	{ 0x1000, TOP - 0xffe, 64, ITF_E_BAD_MAPPING },
	{ 0xfffff000, 0x1000, 32, ITF_OK },
	{ 0xfffff000, 0x1001, 32, ITF_E_BAD_MAPPING },
	{ 0x100000000, 1, 32, ITF_E_BAD_MAPPING },
	{ 0x100000000, 1, 64, ITF_OK },
	{ 0x1000, 0xffffffff, 32, ITF_E_BAD_MAPPING },
	{ 0, 0x100000000, 32, ITF_OK },
};

START_TEST(ranges_must_fit_the_address_width)
{
	u64 start = ranges[_i].start, size = ranges[_i].size;
	struct itf_mapping m = { start, size, 0, 'n', RX };
	enum itf_error error = ranges[_i].error;
	struct fixture f;

	draw(&f, "..aa", 0);
	f.space.addr_bits = ranges[_i].addr_bits;
	ck_assert_int_eq(itf_space_protect(&f.space, start, size, RX), error);
	if (error) {
		ck_assert_int_eq(itf_space_unmap(&f.space, start, size), error);
		ck_assert_int_eq(itf_space_map(&f.space, &m), error);
		ck_assert_int_eq(itf_space_remap(&f.space, 2 * UNIT, UNIT, start, size), error);
		ck_assert_int_eq(itf_space_remap(&f.space, start, size, 0, 1), error);
		check_picture(&f, "..aa", 0);
		return;
	}
	ck_assert_int_eq(itf_space_map(&f.space, &m), ITF_OK);
	check_mapping(&f.maps[itf_space_find(&f.space, start)], start, size, 0, 'n', RX);
	ck_assert_int_eq(itf_space_unmap(&f.space, start, size), ITF_OK);
	if (itf_space_find(&f.space, start) < f.space.count)
		ck_assert(f.maps[itf_space_find(&f.space, start)].start - start >= size);
}
END_TEST

static const struct {
	u64 start, size;
	u32 prot;
	size_t count;
	u32 prots[4];
} protects[] = {
	/* a rx [0, 0x40), a hole, b rw [0x80, 0xc0) */
	{ 0x10, 0x10, ITF_PROT_READ, 4, { RX, ITF_PROT_READ, RX, 3 } },
	{ 0, 0x40, ITF_PROT_READ, 2, { ITF_PROT_READ, 3 } },
	{ 0, 0x10, ITF_PROT_READ, 3, { ITF_PROT_READ, RX, 3 } },
	{ 0x30, 0x10, 0, 3, { RX, 0, 3 } },
	{ 0x10, 0x10, RX, 2, { RX, 3 } },
	{ 0x10, 0x80, RX, 3, { RX, RX, 3 } },
	{ 0x10, 0x80, 3, 3, { RX, 3, 3 } },
	{ 0x40, 0x40, 0, 2, { RX, 3 } },
	{ 0x30, 0x60, 0, 4, { RX, 0, 0, 3 } },
	{ 0, TOP, 0, 2, { 0, 0 } },
};

START_TEST(protecting_splits_where_the_protection_changes)
{
	struct itf_mapping a = { 0, 0x40, 0x1000, 'a', RX };
	struct itf_mapping b = { 0x80, 0x40, 0x5000, 'b', 3 };
	u64 at[2] = { 0, 0x80 };
	struct fixture f;
	size_t i;

	itf_space_init(&f.space, f.maps, MAX, 64);
	ck_assert_int_eq(itf_space_map(&f.space, &b), ITF_OK);
	ck_assert_int_eq(itf_space_map(&f.space, &a), ITF_OK);
	ck_assert_int_eq(itf_space_protect(&f.space, protects[_i].start, protects[_i].size,
					   protects[_i].prot),
			 ITF_OK);
	ck_assert_uint_eq(f.space.count, protects[_i].count);
	for (i = 0; i < f.space.count; i++) {
		const struct itf_mapping *m = &f.maps[i];
		const struct itf_mapping *from = m->object == 'a' ? &a : &b;

		check_mapping(m, at[from == &b], m->size, from->offset + (m->start - from->start),
			      from->object, protects[_i].prots[i]);
		at[from == &b] += m->size;
	}
	ck_assert(at[0] == 0x40 && at[1] == 0xc0);
}
END_TEST

static const struct {
	const char *before;
	u64 from, size, to, new_size;
	enum itf_error error;
	const char *after;
} remaps[] = {
	{ "aaaa", 0, 4, 4, 4, ITF_OK, "....aaaa" },
	{ "aaaa", 0, 4, 4, 6, ITF_OK, "....aaaaaa" },
	{ "aaaa", 0, 4, 4, 1, ITF_OK, "....a" },
	{ "aaaa", 1, 2, 4, 2, ITF_OK, "a..a|aa" },
	{ "aaaa.bbbb", 1, 2, 6, 2, ITF_OK, "a..a.baab" },
	{ "aaaaaaaaaa", 1, 1, 5, 1, ITF_OK, "a.aaa|a|aaaa" },
	{ "aaaabb", 0, 2, 2, 4, ITF_OK, "..aaaa" },
	{ "bbaa", 2, 2, 0, 2, ITF_OK, "aa" },
	{ "bbbaa", 3, 2, 1, 2, ITF_OK, "baa" },
	{ "aaaaa", 2, 3, 0, 2, ITF_OK, "aa" },
	{ "aaaaa", 3, 2, 1, 2, ITF_OK, "a|aa" },
	{ "aaaaa", 0, 2, 2, 2, ITF_OK, "..aa|a" },
	/* in place */
	{ "aaaa", 0, 4, 0, 4, ITF_OK, "aaaa" },
	{ "aaaa", 0, 4, 0, 2, ITF_OK, "aa" },
	{ "aaaa", 1, 2, 1, 1, ITF_OK, "aa.a" },
	{ "aaaa", 1, 2, 1, 2, ITF_OK, "aaaa" },
	{ "aaaa", 1, 1, 1, 3, ITF_OK, "aaaa" },
	{ "aa.b", 0, 2, 0, 3, ITF_OK, "aaab" },
	{ "aabbc", 0, 2, 0, 3, ITF_OK, "aaabc" },
	{ "aabbc", 0, 2, 0, 4, ITF_OK, "aaaac" },
	{ "aabbc", 1, 1, 1, 4, ITF_OK, "aaaaa" },
	/* against the rules */
	{ "aaaa", 0, 4, 2, 4, ITF_E_BAD_MAPPING, "aaaa" },
	{ "..aaaa", 2, 4, 0, 3, ITF_E_BAD_MAPPING, "..aaaa" },
	{ "aaaa", 0, 5, 8, 5, ITF_E_BAD_MAPPING, "aaaa" },
	{ "aa|aa", 0, 3, 8, 3, ITF_E_BAD_MAPPING, "aa|aa" },
	{ "..aa", 0, 3, 8, 3, ITF_E_BAD_MAPPING, "..aa" },
	{ "aa", 2, 1, 8, 1, ITF_E_BAD_MAPPING, "aa" },
	{ "aa", 0, 0, 8, 1, ITF_E_BAD_MAPPING, "aa" },
	{ "aa", 0, 1, 8, 0, ITF_E_BAD_MAPPING, "aa" },
};

START_TEST(remap_moves_and_resizes)
{
	size_t i;

	for (i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
		struct fixture f;
		u64 from = bases[i] + remaps[_i].from * UNIT, to = bases[i] + remaps[_i].to * UNIT;

		draw(&f, remaps[_i].before, bases[i]);
		ck_assert_int_eq(itf_space_remap(&f.space, from, remaps[_i].size * UNIT, to,
						 remaps[_i].new_size * UNIT),
				 remaps[_i].error);
		check_picture(&f, remaps[_i].after, bases[i]);
		if (remaps[_i].error)
			continue;
		check_mapping(&f.maps[itf_space_find(&f.space, to)],
			      f.maps[itf_space_find(&f.space, to)].start,
			      f.maps[itf_space_find(&f.space, to)].size,
			      from - bases[i] - (to - f.maps[itf_space_find(&f.space, to)].start),
			      'a', RX);
	}
}
END_TEST

/* What each call needs at most, with exactly that much room and with one less. */
static const struct {
	const char *before;
	char call;
	u64 start, size, to;
	size_t more;
} rooms[] = {
	{ .before = "aaa", .call = 'm', .start = 1, .size = 1, .more = 2 },
	{ .before = "aaa", .call = 'm', .start = 0, .size = 1, .more = 1 },
	{ .before = "aaa", .call = 'u', .start = 1, .size = 1, .more = 1 },
	{ .before = "aaa", .call = 'p', .start = 1, .size = 1, .more = 2 },
	{ .before = "aaa", .call = 'p', .start = 0, .size = 1, .more = 1 },
	{ .before = "aaabbb", .call = 'p', .start = 2, .size = 2, .more = 2 },
	{ .before = "aaa.bbb", .call = 'r', .start = 1, .size = 1, .to = 5, .more = 3 },
	{ .before = "aaaaaaa", .call = 'r', .start = 1, .size = 1, .to = 5, .more = 3 },
	{ .before = "aaa", .call = 'r', .start = 1, .size = 1, .to = 4, .more = 2 },
	{ .before = "aaa.b", .call = 'r', .start = 1, .size = 1, .to = 4, .more = 1 },
	{ .before = "aaaaa", .call = 'r', .start = 3, .size = 2, .to = 1, .more = 1 },
	{ .before = "aaaaa", .call = 'r', .start = 0, .size = 2, .to = 2, .more = 1 },
	{ .before = "aaa", .call = 's', .start = 0, .size = 2, .more = 1 },
};

static enum itf_error call(struct itf_space *space, size_t i)
{
	u64 start = rooms[i].start * UNIT, size = rooms[i].size * UNIT;
	struct itf_mapping m = { start, size, 0, 'n', RX };

	switch (rooms[i].call) {
	case 'm':
		return itf_space_map(space, &m);
	case 'u':
		return itf_space_unmap(space, start, size);
	case 'p':
		return itf_space_protect(space, start, size, 0);
	case 's':
		return itf_space_remap(space, start, size, start, size / 2);
	default:
		return itf_space_remap(space, start, size, rooms[i].to * UNIT, size);
	}
}

START_TEST(full_changes_nothing)
{
	struct fixture f, before;

	draw(&f, rooms[_i].before, 0);
	f.space.capacity = f.space.count + rooms[_i].more - 1;
	before = f;
	ck_assert_int_eq(call(&f.space, (size_t)_i), ITF_E_SPACE_FULL);
	ck_assert_uint_eq(f.space.count, before.space.count);
	ck_assert_int_eq(memcmp(f.maps, before.maps, f.space.count * sizeof(f.maps[0])), 0);
	f.space.capacity++;
	ck_assert(rooms[_i].more <= ITF_SPACE_ROOM);
	ck_assert_int_eq(call(&f.space, (size_t)_i), ITF_OK);
	ck_assert_uint_eq(f.space.count, f.space.capacity);
}
END_TEST

START_TEST(a_full_space_still_takes_what_fits)
{
	struct fixture f;

	draw(&f, "aabbccdd", 0);
	f.space.capacity = f.space.count;
	/* The old place is given up for the new one, and what is covered makes room. */
	ck_assert_int_eq(itf_space_remap(&f.space, 0, 2 * UNIT, 8 * UNIT, 2 * UNIT), ITF_OK);
	check_picture(&f, "..bbccddaa", 0);
	ck_assert_int_eq(itf_space_remap(&f.space, 9 * UNIT, UNIT, 2 * UNIT, 4 * UNIT), ITF_OK);
	check_picture(&f, "..aaaadda", 0);
	ck_assert_int_eq(itf_space_map(&f.space, &f.maps[1]), ITF_OK);
	check_picture(&f, "..aaaadda", 0);

	/* Two parts stay behind, but two mappings go. */
	draw(&f, "aaabbcc", 0);
	f.space.capacity = f.space.count;
	ck_assert_int_eq(itf_space_remap(&f.space, UNIT, UNIT, 3 * UNIT, 4 * UNIT), ITF_OK);
	check_picture(&f, "a.a|aaaa", 0);
}
END_TEST

START_TEST(no_memory_is_a_space_too)
{
	struct itf_mapping m = { 0, 1, 0, 1, RX };
	struct itf_space space, other;

	itf_space_init(&space, NULL, 0, 64);
	ck_assert_uint_eq(itf_space_find(&space, 0), 0);
	ck_assert_int_eq(itf_space_map(&space, &m), ITF_E_SPACE_FULL);
	ck_assert_int_eq(itf_space_unmap(&space, 0, TOP), ITF_OK);
	ck_assert_int_eq(itf_space_protect(&space, 0, TOP, 0), ITF_OK);
	ck_assert_int_eq(itf_space_remap(&space, 0, 1, 1, 1), ITF_E_BAD_MAPPING);
	itf_space_init(&other, NULL, 0, 64);
	ck_assert_int_eq(itf_space_copy(&other, &space), ITF_OK);
	itf_space_clear(&space);
}
END_TEST

START_TEST(nothing_outside_the_memory_is_looked_at)
{
	/* As many mappings as a page has bytes fill whole pages, with unreadable ones around. */
	size_t i, capacity = (size_t)sysconf(_SC_PAGESIZE);
	struct itf_mapping *zeroes = calloc(capacity, sizeof(*zeroes));
	struct guarded g = guard(zeroes, capacity * sizeof(*zeroes));
	struct itf_mapping m = { 0x400000, 2, 0, 1, RX };
	struct itf_space space;

	free(zeroes);
	itf_space_init(&space, (void *)g.text, capacity, 64);
	ck_assert_int_eq(itf_space_map(&space, &m), ITF_OK);
	ck_assert_int_eq(itf_space_protect(&space, 0x400001, 1, 0), ITF_OK);
	for (i = 2; i < capacity; i++) {
		m.start += 2;
		ck_assert_int_eq(itf_space_map(&space, &m), ITF_OK);
	}
	ck_assert_int_eq(itf_space_unmap(&space, 0x400001, 1), ITF_OK);
	ck_assert_int_eq(itf_space_protect(&space, m.start, 1, 0), ITF_OK);
	ck_assert_uint_eq(space.count, capacity);
	ck_assert_uint_eq(itf_space_find(&space, TOP), capacity);
	ck_assert_int_eq(itf_space_map(&space, &m), ITF_OK);
	ck_assert_int_eq(itf_space_unmap(&space, 0, TOP), ITF_OK);
	unguard(&g);
}
END_TEST

START_TEST(a_copy_is_whole_or_nothing)
{
	struct fixture f, child;

	draw(&f, "aa.bbc", 0);
	draw(&child, "x", 0);
	child.space.capacity = 2;
	ck_assert_int_eq(itf_space_copy(&child.space, &f.space), ITF_E_SPACE_FULL);
	check_picture(&child, "x", 0);
	child.space.capacity = 3;
	f.space.addr_bits = 32;
	ck_assert_int_eq(itf_space_copy(&child.space, &f.space), ITF_OK);
	check_picture(&child, "aa.bbc", 0);
	ck_assert_uint_eq(child.space.capacity, 3);
	ck_assert_uint_eq(child.space.addr_bits, 32);
}
END_TEST

#define LOOP(table, test) tcase_add_loop_test(t, test, 0, sizeof(table) / sizeof((table)[0]))

int main(void)
{
	Suite *s = suite_create("space");
	TCase *t = tcase_create("space");

	LOOP(pictures, a_mapping_replaces_what_it_covers);
	LOOP(pictures, unmapping_cuts_what_it_covers);
	LOOP(ranges, ranges_must_fit_the_address_width);
	LOOP(protects, protecting_splits_where_the_protection_changes);
	LOOP(remaps, remap_moves_and_resizes);
	LOOP(rooms, full_changes_nothing);
	tcase_add_test(t, parts_keep_their_place_in_the_file);
	tcase_add_test(t, a_part_beyond_the_last_file_byte_shows_no_file);
	tcase_add_test(t, find_gives_the_mapping_at_or_above);
	tcase_add_test(t, a_full_space_still_takes_what_fits);
	tcase_add_test(t, no_memory_is_a_space_too);
	tcase_add_test(t, nothing_outside_the_memory_is_looked_at);
	tcase_add_test(t, a_copy_is_whole_or_nothing);
	suite_add_tcase(s, t);
	return run_suite(s);
}
