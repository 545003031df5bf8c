// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Filter sets and their lints, the pairs against a search through all of them. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../src/host/set.h"
#include "runner.h"

static const struct itf_syntax quotes = { .quotes = true };
static const struct itf_event_kind task = { false, false };

static void parse(struct filter_set *set, const char *text)
{
	ck_assert(set_parse(set, text, strlen(text), &quotes));
}

START_TEST(a_set_owns_its_text)
{
	char text[] = "filter file:1/1@\"/a b\",start 2";
	struct filter_set set;
	char *path;

	parse(&set, text);
	memset(text, 'x', sizeof(text));
	ck_assert_uint_eq(set.count, 2);
	ck_assert_uint_eq(set.len, sizeof(text) - 1);
	ck_assert_int_eq(set.error, ITF_OK);
	ck_assert_ptr_eq(set.filters[0].path, set.text + 17);
	path = set_path(&set.filters[0]);
	ck_assert_str_eq(path, "/a b");
	free(path);
	ck_assert_uint_eq(set.filters[1].start, 2);
	set_free(&set);
}
END_TEST

START_TEST(a_wrong_text_gives_no_filters_but_the_place)
{
	struct filter_set set;

	parse(&set, "filter 1/1,filter 08/1");
	ck_assert_uint_eq(set.count, 0);
	ck_assert_int_eq(set.error, ITF_E_BAD_NUMBER);
	ck_assert_uint_eq(set.span.off, 18);
	ck_assert_uint_eq(set.span.len, 2);
	ck_assert_int_eq(set.hint, ITF_HINT_OCTAL);
	set_free(&set);
}
END_TEST

START_TEST(no_text_is_a_set)
{
	struct filter_set set;

	ck_assert(set_parse(&set, NULL, 0, &quotes));
	ck_assert_uint_eq(set.count, 0);
	ck_assert(set_lint(&set, &task));
	ck_assert_uint_eq(set.lint_count, 0);
	set_free(&set);
}
END_TEST

START_TEST(no_syntax_means_the_defaults)
{
	struct filter_set set;

	ck_assert(set_parse(&set, "start 1@\"a", 10, NULL));
	ck_assert_int_eq(set.error, ITF_OK);
	ck_assert_uint_eq(set.count, 1);
	ck_assert_uint_eq(set.filters[0].path_len, 2);
	set_free(&set);
}
END_TEST

START_TEST(lints_of_others_are_sorted_in)
{
	struct set_lint lint = { .code = ITF_LINT_LOOKS_LIKE_ADDRESS,
				 .filter = 1,
				 .other = SIZE_MAX };
	const struct itf_event_kind user = { false, true };
	struct filter_set set;

	parse(&set, "start 010,start 010@f,start 011@f");
	ck_assert(set_add_lint(&set, &lint));
	lint.filter = 0;
	ck_assert(set_add_lint(&set, &lint));
	ck_assert(set_lint(&set, &user));
	ck_assert_uint_eq(set.lint_count, 6);
	ck_assert_int_eq(set.lints[0].code, ITF_LINT_OCTAL_NUMBER);
	ck_assert_int_eq(set.lints[1].code, ITF_LINT_LOOKS_LIKE_ADDRESS);
	ck_assert_int_eq(set.lints[2].code, ITF_LINT_KERNEL_FILTER_EXCLUDED);
	ck_assert_int_eq(set.lints[3].code, ITF_LINT_OCTAL_NUMBER);
	ck_assert_int_eq(set.lints[4].code, ITF_LINT_LOOKS_LIKE_ADDRESS);
	ck_assert_int_eq(set.lints[5].code, ITF_LINT_OCTAL_NUMBER);
	ck_assert_uint_eq(set.lints[5].filter, 2);
	set_free(&set);
}
END_TEST

/* ---------------------------------------------------------------------- pairs */

static bool is_pair(const struct set_lint *lint)
{
	return lint->code == ITF_LINT_DUPLICATE_FILTER ||
	       lint->code == ITF_LINT_OVERLAPPING_FILTERS ||
	       lint->code == ITF_LINT_CONTRADICTING_FILTERS;
}

/* The earliest filter that gives a later one a code; the later one itself if there is none. */
static size_t earliest(const struct filter_set *set, size_t later, enum itf_lint code)
{
	size_t i = 0;

	while (i < later && itf_lint_pair(&set->filters[i], &set->filters[later]) != code)
		i++;
	return i;
}

/* What set.h says, by looking at every pair. */
static size_t wanted(const struct filter_set *set, size_t later, enum itf_lint code)
{
	if (code != ITF_LINT_DUPLICATE_FILTER &&
	    earliest(set, later, ITF_LINT_DUPLICATE_FILTER) != later)
		return later;
	return earliest(set, later, code);
}

static void compare_with_all_pairs(const struct filter_set *set, const char *text)
{
	static const enum itf_lint codes[] = { ITF_LINT_DUPLICATE_FILTER,
					       ITF_LINT_OVERLAPPING_FILTERS,
					       ITF_LINT_CONTRADICTING_FILTERS };
	size_t at = 0;

	for (size_t i = 0; i < set->count; i++) {
		for (size_t c = 0; c < 3; c++) {
			size_t other = wanted(set, i, codes[c]);

			if (other == i)
				continue;
			while (at < set->lint_count && !is_pair(&set->lints[at]))
				at++;
			ck_assert_msg(at < set->lint_count, "%s: filter %zu", text, i);
			ck_assert_msg(set->lints[at].code == codes[c], "%s: filter %zu", text, i);
			ck_assert_msg(set->lints[at].filter == i, "%s: filter %zu", text, i);
			ck_assert_msg(set->lints[at].other == other, "%s: filter %zu", text, i);
			ck_assert_uint_eq(set->lints[at].span.off, set->filters[i].span.off);
			at++;
		}
	}
	while (at < set->lint_count)
		ck_assert_msg(!is_pair(&set->lints[at++]), "%s: one too many", text);
}

static unsigned int next_random(unsigned int *state)
{
	*state = *state * 1103515245u + 12345u;
	return *state >> 16;
}

static void random_text(char *text, size_t size, unsigned int filters, unsigned int *state)
{
	static const char *const actions[] = { "filter", "start", "stop" };
	static const char *const objects[] = { "@f", "@\"f\"", "@g", "" };
	size_t used = 0;

	for (unsigned int i = 0; i < filters; i++) {
		unsigned int action = next_random(state) % 3;
		unsigned int length = next_random(state) % 8 + (action == 0);

		used += (size_t)snprintf(text + used, size - used, "%s %u/%u%s,", actions[action],
					 next_random(state) % 24, length,
					 objects[next_random(state) % 4]);
	}
}

START_TEST(pairs_are_those_of_a_search_through_all)
{
	unsigned int state = (unsigned int)_i;
	char text[4096];

	for (unsigned int filters = 1; filters < 40; filters++) {
		struct filter_set set;

		random_text(text, sizeof(text), filters, &state);
		parse(&set, text);
		ck_assert_uint_eq(set.count, filters);
		ck_assert(set_lint(&set, &task));
		compare_with_all_pairs(&set, text);
		set_free(&set);
	}
}
END_TEST

static const struct {
	const char *text;
	size_t lints;
} ends[] = {
	{ "filter 0/0xffffffffffffffff,filter 0xffffffffffffffff/1", 0 },
	{ "filter 1/0xffffffffffffffff,filter 0xffffffffffffffff/1", 1 },
	{ "filter 0/0xffffffffffffffff,filter 1/0xffffffffffffffff", 1 },
	{ "filter 0/0xffffffffffffffff,stop 0xffffffffffffffff/1", 0 },
	{ "stop 0xffffffffffffffff/1,filter 1/0xffffffffffffffff", 1 },
	{ "start 0xffffffffffffffff,stop 0xffffffffffffffff", 1 },
	{ "start 0,stop 0xffffffffffffffff,stop 0", 1 },
};

START_TEST(ranges_at_the_end_of_the_addresses_are_pairs_too)
{
	struct filter_set set;

	parse(&set, ends[_i].text);
	ck_assert(set_lint(&set, &task));
	compare_with_all_pairs(&set, ends[_i].text);
	ck_assert_uint_eq(set.lint_count, ends[_i].lints);
	set_free(&set);
}
END_TEST

/* ---------------------------------------------------------------------- many */

#define MANY ((size_t)100000)

static const struct {
	const char *format;
	enum itf_lint code;
} many[] = {
	{ "start 1,", ITF_LINT_DUPLICATE_FILTER },
	{ "filter 1/%zu@f,", ITF_LINT_OVERLAPPING_FILTERS },
	{ "filter %zu/999999@f,", ITF_LINT_OVERLAPPING_FILTERS },
	{ "filter %zu/1@f,", ITF_LINT_NONE },
	{ "start %zu@f%zu,", ITF_LINT_NONE },
};

START_TEST(very_many_filters_take_little_time)
{
	char *text = malloc(MANY * 32);
	struct filter_set set;
	clock_t began = clock();
	size_t used = 0;

	for (size_t i = 1; i <= MANY; i++)
		used += (size_t)snprintf(text + used, 32, many[_i].format, i, i);
	ck_assert(set_parse(&set, text, used, &quotes));
	free(text);
	ck_assert(set_lint(&set, &task));
	ck_assert_uint_eq(set.count, MANY);
	ck_assert_uint_eq(set.lint_count, many[_i].code ? MANY - 1 : 0);
	for (size_t i = 0; i < set.lint_count; i++) {
		ck_assert_int_eq(set.lints[i].code, many[_i].code);
		ck_assert_uint_eq(set.lints[i].filter, i + 1);
		ck_assert_uint_eq(set.lints[i].other, 0);
	}
	/* All pairs would take minutes; also where everything is slow, this is seconds. */
	ck_assert_int_lt((clock() - began) / CLOCKS_PER_SEC, 30);
	set_free(&set);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("set");
	TCase *t = tcase_create("set");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, a_set_owns_its_text);
	tcase_add_test(t, a_wrong_text_gives_no_filters_but_the_place);
	tcase_add_test(t, no_text_is_a_set);
	tcase_add_test(t, no_syntax_means_the_defaults);
	tcase_add_test(t, lints_of_others_are_sorted_in);
	tcase_add_loop_test(t, pairs_are_those_of_a_search_through_all, 0, 40);
	tcase_add_loop_test(t, ranges_at_the_end_of_the_addresses_are_pairs_too, 0,
			    sizeof(ends) / sizeof(ends[0]));
	tcase_add_loop_test(t, very_many_filters_take_little_time, 0,
			    sizeof(many) / sizeof(many[0]));
	suite_add_tcase(s, t);
	return run_suite(s);
}
