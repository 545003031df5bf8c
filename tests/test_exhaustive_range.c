// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Every filter against every mapping of a small domain, compared with sets of bytes: bit n of a
 * set is byte n of the domain. The domain lies at 0, across 2^32, and right below 2^64 (or
 * 2^32, for a 32-bit kernel), where sums leave it.
 */
#include <itf/track.h>

#include "runner.h"

#ifdef SMALL_DOMAIN
#define SIZE 8u
#else
#define SIZE 32u
#endif

/*
 * Where the file bytes and the addresses of the domain begin; @top: what lies behind does not
 * exist.
 */
static const struct {
	u64 file, memory;
	unsigned int addr_bits;
	bool top;
} places[] = {
	{ 0, 0, 64, false },
	{ 0, 0, 32, false },
	{ 0x100000000 - SIZE / 2, 0x100000000 - SIZE / 2, 64, false },
	{ 0, 0 - (u64)SIZE, 64, false },
	{ 0, 0x100000000 - SIZE, 32, false },
	{ 0 - (u64)SIZE, 0, 64, true },
	{ 0 - (u64)SIZE, 0 - (u64)SIZE, 64, true },
	{ 0x100000000 - SIZE, 0x100000000 - SIZE, 32, true },
};

/* Bits [from, from + n). */
static u64 bits(unsigned int from, unsigned int n)
{
	return (n == 64 ? ~(u64)0 : ((u64)1 << n) - 1) << from;
}

/* What is right, for one file range and the file range that a mapping shows; no addresses yet. */
struct expect {
	bool holds, matches;
	unsigned int skip, offset, size, linux_skip, linux_size;
};

static void expect(unsigned int s, unsigned int n, unsigned int o, unsigned int l, bool top,
		   bool narrow, struct expect *e)
{
	/* A 32-bit kernel sees the end of file offsets at 2^32, the exact rule always at 2^64. */
	u64 exist = top && !narrow ? bits(0, SIZE) : ~(u64)0;
	u64 common = bits(s, n ? n : 1) & bits(o, l) & exist;
	/* Closed intervals share a point if the ranges share a byte or touch. */
	u64 touch = bits(s, n + 1) & bits(o, l + 1);

	*e = (struct expect){ .holds = common };
	if (common) {
		e->offset = (unsigned int)__builtin_ctzll(common);
		e->skip = e->offset - o;
		e->size = n ? (unsigned int)__builtin_popcountll(common) : 0;
	}
	/*
	 * A sum that reaches the top wraps to 0 or little more, below any byte of the domain
	 * (R6).
	 */
	e->matches = touch && !(top && (s + n >= SIZE || o + l >= SIZE));
	e->linux_skip = s > o ? s - o : 0;
	e->linux_size = (unsigned int)__builtin_popcountll(bits(s, n) & bits(o, l));
}

static void compare(const struct itf_range *want, const struct itf_mapping *m, u64 file,
		    unsigned int addr_bits, const struct expect *e)
{
	u64 mask = addr_bits == 32 ? 0xffffffff : ~(u64)0;
	struct itf_piece piece = { 1, 2, 3 };
	struct itf_range range = { 1, 2 };
	bool ok;

	ok = itf_piece_of(want, m, &piece) == e->holds;
	if (e->holds)
		ok = ok && piece.start == m->start + e->skip && piece.size == e->size &&
		     piece.offset == file + e->offset;
	else
		ok = ok && piece.start == 1 && piece.size == 2 && piece.offset == 3;
	ok = ok && itf_linux_match(want, m, addr_bits, &range) == e->matches;
	if (e->matches)
		ok = ok && range.start == ((m->start + e->linux_skip) & mask) &&
		     range.size == e->linux_size;
	else
		ok = ok && range.start == 1 && range.size == 2;
	if (!ok)
		ck_abort_msg("0x%llx/0x%llx in 0x%llx/0x%llx of offset 0x%llx",
			     (unsigned long long)want->start, (unsigned long long)want->size,
			     (unsigned long long)m->start, (unsigned long long)m->size,
			     (unsigned long long)m->offset);
}

START_TEST(every_filter_against_every_mapping)
{
	u64 file = places[_i].file, memory = places[_i].memory;
	bool top = places[_i].top;
	unsigned int s, n, o, l, v;
	struct expect e;

	for (s = 0; s < SIZE; s++) {
		for (n = 0; n <= SIZE - s; n++) {
			struct itf_range want = { file + s, n };

			for (o = 0; o < SIZE; o++) {
				for (l = 1; l <= SIZE; l++) {
					struct itf_mapping m = { .size = l, .offset = file + o };

					expect(s, n, o, l, top, places[_i].addr_bits == 32, &e);
					for (v = 0; v <= SIZE - l; v++) {
						m.start = memory + v;
						compare(&want, &m, file, places[_i].addr_bits, &e);
					}
				}
			}
		}
	}
}
END_TEST

/* The rule for ranges alone; valid ranges only, as the parser gives them. */
static bool same_common(const struct itf_range *x, const struct itf_range *y, u64 base, u64 common)
{
	struct itf_range got = { 1, 2 };
	bool shares = common;

	if (itf_range_share(x, y) != shares || itf_range_common(x, y, &got) != shares)
		return false;
	if (!common)
		return got.start == 1 && got.size == 2;
	return got.start - base == (u64)__builtin_ctzll(common) &&
	       got.size == (u64)__builtin_popcountll(common);
}

START_TEST(every_range_against_every_range)
{
	u64 base = places[_i].file;
	unsigned int a, n, b, k;

	for (a = 0; a < SIZE; a++) {
		for (n = 0; n <= SIZE - a; n++) {
			struct itf_range x = { base + a, n };

			for (b = 0; b < SIZE; b++) {
				for (k = 0; k <= SIZE - b; k++) {
					struct itf_range y = { base + b, k };

					/*
					 * An assertion of Check's each would take longer
					 * than all else.
					 */
					if (!same_common(&x, &y, base,
							 bits(a, n ? n : 1) & bits(b, k ? k : 1)))
						ck_abort_msg("%u/%u and %u/%u", a, n, b, k);
				}
			}
		}
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("exhaustive_range");
	TCase *t = tcase_create("exhaustive_range");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, every_filter_against_every_mapping, 0,
			    sizeof(places) / sizeof(places[0]));
	tcase_add_loop_test(t, every_range_against_every_range, 0,
			    sizeof(places) / sizeof(places[0]));
	suite_add_tcase(s, t);
	return run_suite(s);
}
