// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Numbers: the kernel's base-0 rule, up to and just past the largest value (KERNEL-FACTS 1.4). */
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "runner.h"
#include "support.h"

#define MAX64 (~(u64)0)

static const struct {
	const char *digits;
	u64 max;
	bool fits;
	u64 value;
	u8 base;
} cases[] = {
	{ "0", MAX64, true, 0, 10 },
	{ "00", MAX64, true, 0, 8 },
	{ "010", MAX64, true, 8, 8 },
	{ "0x0", MAX64, true, 0, 16 },
	{ "0X1F", MAX64, true, 0x1f, 16 },
	{ "0xaBcDeF", MAX64, true, 0xabcdef, 16 },
	{ "9", MAX64, true, 9, 10 },
	{ "4096", MAX64, true, 4096, 10 },
	{ "0x0000000000000000000000000000001", MAX64, true, 1, 16 },
	{ "18446744073709551615", MAX64, true, MAX64, 10 },
	{ "18446744073709551616", MAX64, false, 0, 10 },
	{ "18446744073709551620", MAX64, false, 0, 10 },
	{ "184467440737095516150", MAX64, false, 0, 10 },
	{ "0xffffffffffffffff", MAX64, true, MAX64, 16 },
	{ "0x10000000000000000", MAX64, false, 0, 16 },
	{ "01777777777777777777777", MAX64, true, MAX64, 8 },
	{ "02000000000000000000000", MAX64, false, 0, 8 },
	{ "0xffffffff", 0xffffffff, true, 0xffffffff, 16 },
	{ "0x100000000", 0xffffffff, false, 0, 16 },
	{ "4294967295", 0xffffffff, true, 0xffffffff, 10 },
	{ "4294967296", 0xffffffff, false, 0, 10 },
	{ "037777777777", 0xffffffff, true, 0xffffffff, 8 },
	{ "040000000000", 0xffffffff, false, 0, 8 },
};

START_TEST(numbers_have_the_kernels_value)
{
	struct guarded g = guard(cases[_i].digits, strlen(cases[_i].digits));
	u64 value = 0x5a5a;
	u8 base = 0;

	ck_assert_msg(itf__number(g.text, g.len, cases[_i].max, &value, &base) == cases[_i].fits,
		      "%s", cases[_i].digits);
	if (cases[_i].fits)
		ck_assert_uint_eq(value, cases[_i].value);
	else
		ck_assert_uint_eq(value, 0x5a5a);
	ck_assert_uint_eq(base, cases[_i].base);
	unguard(&g);
}
END_TEST

START_TEST(every_short_number_reads_back)
{
	char text[32];
	u64 value;
	u8 base;
	int i;

	for (i = 0; i < 70000; i++) {
		ck_assert(itf__number(text, (size_t)sprintf(text, "%d", i), MAX64, &value, &base));
		ck_assert(value == (u64)i && base == 10);
		ck_assert(itf__number(text, (size_t)sprintf(text, "%#x", i + 1), MAX64, &value,
				      &base));
		ck_assert(value == (u64)i + 1 && base == 16);
		ck_assert(itf__number(text, (size_t)sprintf(text, "%#o", i + 1), MAX64, &value,
				      &base));
		ck_assert(value == (u64)i + 1 && base == 8);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("number");
	TCase *t = tcase_create("number");

	tcase_add_loop_test(t, numbers_have_the_kernels_value, 0, sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(t, every_short_number_reads_back);
	suite_add_tcase(s, t);
	return run_suite(s);
}
