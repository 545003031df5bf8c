// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Lints of one filter and of a pair, and filters that do not fit an event. */
#include <string.h>

#include <itf/filter.h>

#include "runner.h"

static void parse(const char *text, struct itf_filter *filters, size_t want)
{
	const struct itf_syntax syntax = { .quotes = true };
	struct itf_parser p;
	size_t n = 0;

	itf_parser_init(&p, text, strlen(text), &syntax);
	while (n < want && itf_parser_next(&p, &filters[n]))
		n++;
	ck_assert_msg(n == want, "%s", text);
}

static const struct {
	const char *text;
	bool octal_start, octal_size, mixed;
} singles[] = {
	{ "filter 0x10/0x10", false, false, false }, { "filter 010/8", true, false, false },
	{ "filter 8/010", false, true, false },	     { "filter 00/1", true, false, false },
	{ "start 0", false, false, false },	     { "stop 0/0", false, false, false },
	{ "filter 0x580/580", false, false, true },  { "filter 0x580/10", false, false, true },
	{ "filter 0x580/9", false, false, false },   { "filter 580/0x580", false, false, false },
	{ "filter 0x580/0100", false, true, false },
};

START_TEST(numbers_are_linted_as_they_are_written)
{
	struct itf_filter f;

	parse(singles[_i].text, &f, 1);
	ck_assert(itf_lint_octal_start(&f) == singles[_i].octal_start);
	ck_assert(itf_lint_octal_size(&f) == singles[_i].octal_size);
	ck_assert(itf_lint_mixed_bases(&f) == singles[_i].mixed);
}
END_TEST

static const struct {
	const char *text;
	enum itf_lint lint;
} pairs[] = {
	{ "filter 1/5@f,filter 1/5@f", ITF_LINT_DUPLICATE_FILTER },
	{ "filter 1/5@f,filter file:0x1/5@\"f\"", ITF_LINT_DUPLICATE_FILTER },
	{ "start 1,start 1/0", ITF_LINT_DUPLICATE_FILTER },
	{ "filter 1/5@f,filter 1/5@g", ITF_LINT_NONE },
	{ "filter 1/5@f,filter 1/5", ITF_LINT_NONE },
	{ "filter 1/5@f,filter 1/6@f", ITF_LINT_OVERLAPPING_FILTERS },
	{ "filter 1/5@f,filter 5/1@f", ITF_LINT_OVERLAPPING_FILTERS },
	{ "filter 1/5@f,filter 6/1@f", ITF_LINT_NONE },
	{ "start 1/5,start 3", ITF_LINT_OVERLAPPING_FILTERS },
	{ "start 3/1,start 3", ITF_LINT_OVERLAPPING_FILTERS },
	{ "start 3,start 4", ITF_LINT_NONE },
	{ "filter 1/5@f,stop 5/1@f", ITF_LINT_CONTRADICTING_FILTERS },
	{ "filter 1/5@f,stop 6/1@f", ITF_LINT_NONE },
	{ "filter 1/5@f,stop 3@f", ITF_LINT_NONE },
	{ "filter 1/5@f,start 3@f", ITF_LINT_NONE },
	{ "filter 1/5@f,start 3/1@f", ITF_LINT_NONE },
	{ "start 3@f,stop 3@f", ITF_LINT_CONTRADICTING_FILTERS },
	{ "start 3@f,stop 4@f", ITF_LINT_NONE },
	{ "start 3@f,stop 3/2@f", ITF_LINT_NONE },
	{ "start 3/2@f,stop 3@f", ITF_LINT_NONE },
	{ "filter 0xffffffffffffffff/1,filter 1/0xffffffffffffffff", ITF_LINT_OVERLAPPING_FILTERS },
};

START_TEST(pairs_are_linted_in_both_orders)
{
	struct itf_filter f[2];

	parse(pairs[_i].text, f, 2);
	ck_assert_msg(itf_lint_pair(&f[0], &f[1]) == pairs[_i].lint, "%s", pairs[_i].text);
	ck_assert_msg(itf_lint_pair(&f[1], &f[0]) == pairs[_i].lint, "%s", pairs[_i].text);
}
END_TEST

START_TEST(filters_fit_events)
{
	const struct itf_event_kind task = { false, false }, wide = { true, false };
	const struct itf_event_kind user = { false, true }, both = { true, true };
	struct itf_filter f[2];

	parse("filter 1/1@f,filter 1/1", f, 2);
	ck_assert_int_eq(itf_check_event(&f[0], &task), ITF_OK);
	ck_assert_int_eq(itf_check_event(&f[1], &task), ITF_OK);
	ck_assert_int_eq(itf_check_event(&f[0], &wide), ITF_E_FILE_FILTER_NEEDS_TASK);
	ck_assert_int_eq(itf_check_event(&f[1], &wide), ITF_OK);
	ck_assert_int_eq(itf_check_event(&f[0], &user), ITF_OK);
	ck_assert_int_eq(itf_check_event(&f[1], &user), ITF_E_KERNEL_FILTER_EXCLUDED);
	ck_assert_int_eq(itf_check_event(&f[0], &both), ITF_E_FILE_FILTER_NEEDS_TASK);
	ck_assert_int_eq(itf_check_event(&f[1], &both), ITF_E_KERNEL_FILTER_EXCLUDED);
	ck_assert_int_eq(itf_error_errno(ITF_E_FILE_FILTER_NEEDS_TASK), ITF_EOPNOTSUPP);
}
END_TEST

START_TEST(names_of_lints_are_total)
{
	int i;

	for (i = 0; i < ITF_LINT_COUNT; i++) {
		ck_assert_str_ne(itf_lint_name((enum itf_lint)i), "unknown");
		ck_assert_uint_gt(strlen(itf_lint_message((enum itf_lint)i)), 4);
	}
	ck_assert_str_eq(itf_lint_name(ITF_LINT_COUNT), "unknown");
	ck_assert_str_eq(itf_lint_message((enum itf_lint)0xffffffff), "unknown lint");
	ck_assert_str_eq(itf_lint_message(ITF_LINT_COUNT), "unknown lint");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("lint");
	TCase *t = tcase_create("lint");

	tcase_add_loop_test(t, numbers_are_linted_as_they_are_written, 0,
			    sizeof(singles) / sizeof(singles[0]));
	tcase_add_loop_test(t, pairs_are_linted_in_both_orders, 0,
			    sizeof(pairs) / sizeof(pairs[0]));
	tcase_add_test(t, filters_fit_events);
	tcase_add_test(t, names_of_lints_are_total);
	suite_add_tcase(s, t);
	return run_suite(s);
}
