// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Property: for any numbers, the arithmetic of ranges and mappings gives what the same arithmetic
 * in numbers of 128 bits gives, where nothing wraps; and Linux's rule is Linux's: it gives what
 * the kernel's own match and adjust functions give (kernel.h), where their source was there to
 * build with, and what KERNEL-FACTS 2.2 says in any case.
 */
#include <itf/track.h>

#include "fuzz.h"
#include "kernel.h"

const enum gen_format fuzz_format = GEN_RANGE;

/* ---------- numbers of 128 bits, for machines that have none */

struct wide {
	u64 high, low;
};

static struct wide wide(u64 low)
{
	return (struct wide){ 0, low };
}

static struct wide plus(u64 a, u64 b)
{
	return (struct wide){ a + b < a, a + b };
}

static bool less(struct wide a, struct wide b)
{
	return a.high != b.high ? a.high < b.high : a.low < b.low;
}

static struct wide lower(struct wide a, struct wide b)
{
	return less(a, b) ? a : b;
}

static struct wide higher(struct wide a, struct wide b)
{
	return less(a, b) ? b : a;
}

/* The distance from @a up to @b, which must fit. */
static u64 distance(struct wide a, struct wide b)
{
	FUZZ_ASSERT(!less(b, a) && b.high - a.high - (b.low < a.low) == 0);
	return b.low - a.low;
}

static bool same(struct wide a, struct wide b)
{
	return !less(a, b) && !less(b, a);
}

/* 2^bits. */
static struct wide top(unsigned int bits)
{
	return bits == 32 ? wide((u64)1 << 32) : (struct wide){ 1, 0 };
}

/* The end of a range; a point is one byte. */
static struct wide end_of(const struct itf_range *r)
{
	return plus(r->start, r->size ? r->size : 1);
}

/* ---------- ranges */

static void check_valid(u64 start, u64 size)
{
	static const unsigned int bits[] = { 0, 32, 64 };
	unsigned int i;

	for (i = 0; i < 3; i++) {
		struct wide limit = top(bits[i]);
		bool valid = less(wide(start), limit) && !less(limit, plus(start, size));

		FUZZ_ASSERT(itf_range_valid(start, size, bits[i]) == valid);
	}
}

static void check_common(const struct itf_range *a, const struct itf_range *b)
{
	struct wide from = wide(a->start > b->start ? a->start : b->start);
	struct wide to = lower(lower(end_of(a), end_of(b)), top(64));
	struct itf_range common = { 0x5a, 0xa5 }, reverse = { 0x5a, 0xa5 };
	bool share = less(from, to);

	FUZZ_ASSERT(itf_range_share(a, b) == share && itf_range_share(b, a) == share);
	FUZZ_ASSERT(itf_range_common(a, b, &common) == share);
	FUZZ_ASSERT(itf_range_common(b, a, &reverse) == share);
	FUZZ_ASSERT(common.start == reverse.start && common.size == reverse.size);
	FUZZ_ASSERT(common.start == (share ? from.low : 0x5a));
	FUZZ_ASSERT(common.size == (share ? distance(from, to) : 0xa5));
}

/* ---------- pieces */

static void check_piece(const struct itf_range *want, const struct itf_mapping *m)
{
	/* File bytes at or beyond 2^64 do not exist. */
	struct wide from = higher(wide(want->start), wide(m->offset));
	struct wide to = lower(lower(end_of(want), plus(m->offset, m->size)), top(64));
	struct itf_piece piece = { 1, 2, 3 };
	struct itf_range object = { m->offset, m->size };
	bool holds = m->size && less(from, to);

	FUZZ_ASSERT(itf_piece_of(want, m, &piece) == holds);
	if (!holds) {
		FUZZ_ASSERT(piece.start == 1 && piece.size == 2 && piece.offset == 3);
		return;
	}
	FUZZ_ASSERT(itf_range_share(want, &object));
	FUZZ_ASSERT(piece.offset == from.low);
	FUZZ_ASSERT(piece.size == (want->size ? distance(from, to) : 0));
	FUZZ_ASSERT(piece.start == m->start + (piece.offset - m->offset));
	/* A mapping that is one has room for what it holds. */
	if (!less(top(64), plus(m->start, m->size)))
		FUZZ_ASSERT(piece.start >= m->start &&
			    itf_range_valid(piece.start, piece.size, 64));
}

static void check_join(const struct itf_piece *piece, const struct itf_piece *next)
{
	struct wide end = plus(piece->start, piece->size);
	struct itf_piece joined = *piece;
	bool joins = piece->size && next->size && same(end, wide(next->start)) &&
		     same(plus(piece->offset, piece->size), wide(next->offset)) &&
		     !plus(piece->size, next->size).high;

	FUZZ_ASSERT(itf_piece_join(&joined, next) == joins);
	FUZZ_ASSERT(joined.start == piece->start && joined.offset == piece->offset);
	FUZZ_ASSERT(joined.size == piece->size + (joins ? next->size : 0));
}

/* ---------- Linux */

/* KERNEL-FACTS 2.2 in wide numbers, each result cut to the kernel's unsigned long. */
static void check_linux(const struct itf_range *want, const struct itf_mapping *m,
			unsigned int addr_bits)
{
	u64 mask = addr_bits == 32 ? 0xffffffff : ~(u64)0;
	u64 f = want->start & mask, s = want->size & mask;
	u64 v = m->start & mask, l = m->size & mask, o = m->offset & mask;
	struct itf_range got = { 0x5a, 0xa5 };
	bool match = f <= (plus(o, l).low & mask) && (plus(f, s).low & mask) >= o;
	u64 start, size, rest;

	FUZZ_ASSERT(itf_linux_match(want, m, addr_bits, &got) == match);
	if (!match) {
		FUZZ_ASSERT(got.start == 0x5a && got.size == 0xa5);
		return;
	}
	if (f < o) {
		start = v;
		size = distance(wide(o), plus(f, s));
		rest = l;
	} else {
		start = (v + f - o) & mask;
		size = s;
		rest = (v + l - start) & mask;
	}
	FUZZ_ASSERT(got.start == start);
	FUZZ_ASSERT(got.size == (size < rest ? size : rest));
}

static void check_kernel(const struct kernel *kernel, const struct itf_range *want,
			 const struct itf_mapping *m)
{
	const struct kernel_filter filter = {
		.start = (unsigned long)want->start,
		.size = (unsigned long)want->size,
	};
	/* A page of the machine where the offset has one; else pages of one byte. */
	unsigned int shift = m->offset & 0xfff ? 0 : 12;
	unsigned long start = 0x5a, size = 0xa5;
	struct itf_range got = { 0x5a, 0xa5 };
	bool match;

	match = kernel->adjust(&filter, (unsigned long)m->start,
			       (unsigned long)(m->start + m->size),
			       (unsigned long)(m->offset >> shift), shift, &start, &size);
	FUZZ_ASSERT(itf_linux_match(want, m, 8 * sizeof(long), &got) == match);
	FUZZ_ASSERT(got.start == start && got.size == size);
}

/* ---------- all of it */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes in = { data, size };
	struct itf_range want = { .start = fuzz_u64(&in), .size = fuzz_u64(&in) };
	struct itf_mapping m = {
		.start = fuzz_u64(&in),
		.size = fuzz_u64(&in),
		.offset = fuzz_u64(&in),
	};
	struct itf_range other = { .start = fuzz_u64(&in), .size = fuzz_u64(&in) };
	struct itf_piece piece = { want.start, want.size, m.offset };
	struct itf_piece next = { want.start + want.size, m.size, m.offset + want.size };
	u8 choice = fuzz_u8(&in);
	size_t i;

	/* Bits of the last byte bring together what chance hardly would. */
	next.start += choice & 1;
	next.offset -= choice >> 1 & 1;
	next.size = choice & 4 ? other.size : next.size;
	check_valid(want.start, want.size);
	check_valid(m.start, m.size);
	check_common(&want, &other);
	check_common(&other, &other);
	check_piece(&want, &m);
	check_piece(&other, &m);
	check_join(&piece, &next);
	check_join(&next, &piece);
	check_linux(&want, &m, 64);
	check_linux(&want, &m, 32);
	check_linux(&other, &m, 0);
	for (i = 0; kernels[i]; i++) {
		if (kernels[i]->adjust)
			check_kernel(kernels[i], &want, &m);
	}
	return 0;
}
