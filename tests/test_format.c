// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The formatter: what it writes, that it reads back as the same set, and what it refuses. */
#include <stdio.h>
#include <string.h>

#include <itf/filter.h>

#include "runner.h"
#include "support.h"

#define MAX_FILTERS 64

static struct vectors grammar;

static size_t parse(const char *text, size_t len, enum itf_dialect dialect, bool quotes,
		    struct itf_filter *filters)
{
	const struct itf_syntax syntax = { .dialect = dialect, .quotes = quotes };
	struct itf_parser p;
	size_t n = 0;

	itf_parser_init(&p, text, len, &syntax);
	while (n < MAX_FILTERS && itf_parser_next(&p, &filters[n]))
		n++;
	ck_assert_msg(!p.error, "%.*s: %s", (int)len, text, itf_error_name(p.error));
	return n;
}

static const struct {
	const char *text;
	enum itf_dialect to;
	const char *want; /* NULL: not in mainline */
} cases[] = {
	{ "", ITF_DIALECT_SEED, "" },
	{ ",\n ", ITF_DIALECT_MAINLINE, "" },
	{ "filter file:0x1000/0x200@/bin/ls", ITF_DIALECT_MAINLINE, "filter 0x1000/0x200@/bin/ls" },
	{ "filter 4096/512@f,start 010", ITF_DIALECT_SEED,
	  "filter file:0x1000/0x200@f,start kernel:0x8" },
	{ "stop kernel:0/0x10", ITF_DIALECT_MAINLINE, "stop 0x0/0x10" },
	{ "start 0/0@f", ITF_DIALECT_MAINLINE, "start 0x0@f" },
	{ "filter 0XFFFFFFFFFFFFFFFF/1", ITF_DIALECT_MAINLINE, "filter 0xffffffffffffffff/0x1" },
	{ "filter kernel:0x1000", ITF_DIALECT_MAINLINE, NULL },
	{ "filter file:1@f", ITF_DIALECT_MAINLINE, NULL },
	{ "filter file:1@f", ITF_DIALECT_SEED, "filter file:0x1@f" },
	{ "start 1@\"a b\"", ITF_DIALECT_SEED, "start file:0x1@\"a b\"" },
	{ "start 1@\"a b\"", ITF_DIALECT_MAINLINE, NULL },
	{ "start 1@\"a,b\"", ITF_DIALECT_MAINLINE, NULL },
	{ "start 1@\"a\\nb\"", ITF_DIALECT_MAINLINE, NULL },
	{ "start 1@\"\\\"b\"", ITF_DIALECT_MAINLINE, NULL },
	{ "start 1@\"\\\"b\"", ITF_DIALECT_SEED, "start file:0x1@\"\\\"b\"" },
	{ "start 1@\"a\"", ITF_DIALECT_SEED, "start file:0x1@a" },
	{ "start 1@\"a\\\"b\\\\c\\t\\x01\"", ITF_DIALECT_MAINLINE, "start 0x1@a\"b\\c\t\x01" },
	{ "start 1@\"\\x20\\x0a\\xfe\"", ITF_DIALECT_SEED, "start file:0x1@\" \\n\xfe\"" },
	{ "start 1@a\\b", ITF_DIALECT_SEED, "start file:0x1@a\\b" },
	{ "start 1,filter file:2@f", ITF_DIALECT_ANY, "start 0x1,filter file:0x2@f" },
	{ "start 1@\"a b\"", ITF_DIALECT_ANY, "start 0x1@\"a b\"" },
};

START_TEST(text_is_written_as_the_dialect_wants)
{
	struct itf_filter filters[MAX_FILTERS];
	size_t n = parse(cases[_i].text, strlen(cases[_i].text), ITF_DIALECT_ANY, true, filters);
	size_t need = 4711, bad = 4711;
	char buf[256];
	enum itf_error e = itf_format(filters, n, cases[_i].to, buf, sizeof(buf), &need, &bad);

	if (!cases[_i].want) {
		ck_assert_int_eq(e, ITF_E_NOT_IN_MAINLINE);
		ck_assert_uint_eq(bad, 0);
		ck_assert_uint_eq(need, 4711);
		ck_assert(!itf_in_mainline(&filters[0]));
		return;
	}
	ck_assert_int_eq(e, ITF_OK);
	ck_assert_uint_eq(bad, 4711);
	ck_assert_uint_eq(need, strlen(cases[_i].want));
	ck_assert_mem_eq(buf, cases[_i].want, need);
}
END_TEST

static void same(const struct itf_filter *a, const struct itf_filter *b)
{
	ck_assert_int_eq(a->action, b->action);
	ck_assert_int_eq(a->source, b->source);
	ck_assert(a->start == b->start && a->size == b->size);
	ck_assert(itf_path_equal(a, b));
}

START_TEST(what_was_written_reads_back)
{
	static const enum itf_dialect targets[] = { ITF_DIALECT_ANY, ITF_DIALECT_SEED,
						    ITF_DIALECT_MAINLINE };
	struct vector *row = &grammar.rows[_i];
	struct itf_filter before[MAX_FILTERS], after[MAX_FILTERS];
	size_t len = unescape(row->fields[1]), n, t, i, need;
	bool seed = !strcmp(row->fields[0], "seed"), any = !strcmp(row->fields[0], "any");
	char buf[1024];

	if (strcmp(row->fields[2], "ok"))
		return;
	n = parse(row->fields[1], len,
		  any  ? ITF_DIALECT_ANY :
		  seed ? ITF_DIALECT_SEED :
			 ITF_DIALECT_MAINLINE,
		  seed || any, before);
	for (t = 0; t < 3; t++) {
		enum itf_error e = itf_format(before, n, targets[t], buf, sizeof(buf), &need, NULL);

		if (targets[t] == ITF_DIALECT_MAINLINE && e == ITF_E_NOT_IN_MAINLINE)
			continue;
		ck_assert_int_eq(e, ITF_OK);
		ck_assert_uint_eq(
			parse(buf, need, targets[t], targets[t] != ITF_DIALECT_MAINLINE, after), n);
		for (i = 0; i < n; i++)
			same(&before[i], &after[i]);
	}
}
END_TEST

/* Every path of up to 3 bytes out of the difficult ones. */
START_TEST(every_difficult_path_reads_back)
{
	static const char bytes[] = {
		'a', ' ', ',', '\n', '"', '\\', 't', '@', '/', '\x01', '\xff'
	};
	const size_t base = sizeof(bytes);
	size_t n, digits, i;

	for (n = 0; n < base + base * base + base * base * base; n++) {
		char path[3], buf[64], decoded[3];
		struct itf_filter f = { .source = ITF_SOURCE_FILE, .size = 1, .path = path };
		struct itf_filter g[MAX_FILTERS];
		size_t rest = n, need;

		digits = n < base ? 1 : n < base + base * base ? 2 : 3;
		rest -= digits == 1 ? 0 : digits == 2 ? base : base + base * base;
		for (i = 0; i < digits; i++, rest /= base)
			path[i] = bytes[rest % base];
		f.path_len = digits;
		ck_assert_int_eq(itf_format(&f, 1, ITF_DIALECT_SEED, buf, sizeof(buf), &need, NULL),
				 ITF_OK);
		ck_assert_uint_eq(parse(buf, need, ITF_DIALECT_SEED, true, g), 1);
		ck_assert_uint_eq(itf_path_decode(&g[0], decoded, sizeof(decoded)), digits);
		ck_assert_mem_eq(decoded, path, digits);
		ck_assert(itf_path_equal(&f, &g[0]) && itf_path_equal(&g[0], &f));
		if (itf_format(&f, 1, ITF_DIALECT_MAINLINE, buf, sizeof(buf), &need, NULL))
			continue;
		ck_assert_uint_eq(parse(buf, need, ITF_DIALECT_MAINLINE, false, g), 1);
		ck_assert_uint_eq(g[0].path_len, digits);
		ck_assert_mem_eq(g[0].path, path, digits);
	}
}
END_TEST

START_TEST(a_buffer_that_is_too_small_is_left_alone)
{
	const char *text = "start kernel:0x10,stop file:0x1@\"a b\"";
	struct itf_filter filters[MAX_FILTERS];
	size_t len = strlen(text), n = parse(text, len, ITF_DIALECT_ANY, true, filters);
	size_t size, need, i;

	for (size = 0; size <= len; size++) {
		char buf[64];
		struct guarded g;
		enum itf_error e;

		memset(buf, '#', sizeof(buf));
		g = guard(buf, size);
		e = itf_format(filters, n, ITF_DIALECT_SEED, g.text, size, &need, NULL);
		ck_assert_uint_eq(need, len);
		ck_assert_int_eq(e, size < len ? ITF_E_BUFFER_TOO_SMALL : ITF_OK);
		for (i = 0; i < size; i++)
			ck_assert(g.text[i] == (size < len ? '#' : text[i]));
		unguard(&g);
	}
	ck_assert_int_eq(itf_format(filters, n, ITF_DIALECT_SEED, NULL, 0, NULL, NULL),
			 ITF_E_BUFFER_TOO_SMALL);
	ck_assert_int_eq(itf_format(NULL, 0, ITF_DIALECT_SEED, NULL, 0, &need, NULL), ITF_OK);
	ck_assert_uint_eq(need, 0);
}
END_TEST

START_TEST(the_filter_that_cannot_be_written_is_named)
{
	struct itf_filter filters[MAX_FILTERS];
	const char *text = "start 1,start 2,filter file:3@f,filter file:4@f";
	size_t n = parse(text, strlen(text), ITF_DIALECT_ANY, true, filters), bad = 0;
	char buf[256] = "#";

	ck_assert_int_eq(itf_format(filters, n, ITF_DIALECT_MAINLINE, buf, sizeof(buf), NULL, &bad),
			 ITF_E_NOT_IN_MAINLINE);
	ck_assert_uint_eq(bad, 2);
	ck_assert_str_eq(buf, "#");
	/* Mainline form without its size is not readable in any dialect either. */
	filters[2].has_source = false;
	ck_assert_int_eq(itf_format(filters, n, ITF_DIALECT_ANY, buf, sizeof(buf), NULL, &bad),
			 ITF_E_NOT_IN_MAINLINE);
}
END_TEST

START_TEST(decoding_writes_all_or_nothing)
{
	struct itf_filter f[MAX_FILTERS];
	const char *text = "start 1@\"a\\x62\\tc\"";
	char buf[8] = "####";

	ck_assert_uint_eq(parse(text, strlen(text), ITF_DIALECT_ANY, true, f), 1);
	ck_assert_uint_eq(itf_path_decode(f, buf, 3), 4);
	ck_assert_str_eq(buf, "####");
	ck_assert_uint_eq(itf_path_decode(f, NULL, 0), 4);
	ck_assert_uint_eq(itf_path_decode(f, buf, 4), 4);
	ck_assert_str_eq(buf, "ab\tc");
}
END_TEST

START_TEST(paths_compare_by_their_bytes)
{
	static const struct {
		const char *text;
		bool equal;
	} pairs[] = {
		{ "start 1@ab,stop 2@ab", true },
		{ "start 1@ab,stop 2@ac", false },
		{ "start 1@ab,stop 2@abc", false },
		{ "start 1@ab,stop 2@\"ab\"", true },
		{ "start 1@ab,stop 2@\"\\x61b\"", true },
		{ "start 1@k9z,stop 2@\"\\x6b\\x39\\x7A\"", true },
		{ "start 1@\"ab\",stop 2@\"a\"", false },
		{ "start 1@\"a\",stop 2@\"ab\"", false },
		{ "start 1@\"a\\\\\",stop 2@a\\", true },
		{ "start 1@ab,stop 2@\"ac\"", false },
		{ "start 1@ab,stop 2", false },
		{ "start 1,stop 2", true },
	};
	struct itf_filter f[MAX_FILTERS];

	ck_assert_uint_eq(parse(pairs[_i].text, strlen(pairs[_i].text), ITF_DIALECT_ANY, true, f),
			  2);
	ck_assert(itf_path_equal(&f[0], &f[1]) == pairs[_i].equal);
	ck_assert(itf_path_equal(&f[1], &f[0]) == pairs[_i].equal);
}
END_TEST

START_TEST(comparing_reads_nothing_behind_a_path)
{
	const char *text = "start 1@\"ab\",stop 2@a";
	struct guarded g = guard(text, strlen(text));
	struct itf_filter f[MAX_FILTERS];

	ck_assert_uint_eq(parse(g.text, g.len, ITF_DIALECT_ANY, true, f), 2);
	ck_assert(!itf_path_equal(&f[0], &f[1]));
	ck_assert(!itf_path_equal(&f[1], &f[0]));
	unguard(&g);
}
END_TEST

START_TEST(names_of_actions_and_sources_are_total)
{
	ck_assert_str_eq(itf_action_name(ITF_ACTION_START), "start");
	ck_assert_str_eq(itf_action_name((enum itf_action)3), "unknown");
	ck_assert_str_eq(itf_source_name(ITF_SOURCE_KERNEL), "kernel");
	ck_assert_str_eq(itf_source_name((enum itf_source)2), "unknown");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("format");
	TCase *t = tcase_create("format");

	grammar = vectors_read("grammar.tsv");
	tcase_add_loop_test(t, text_is_written_as_the_dialect_wants, 0,
			    sizeof(cases) / sizeof(cases[0]));
	tcase_add_loop_test(t, what_was_written_reads_back, 0, (int)grammar.count);
	tcase_add_test(t, every_difficult_path_reads_back);
	tcase_add_test(t, a_buffer_that_is_too_small_is_left_alone);
	tcase_add_test(t, the_filter_that_cannot_be_written_is_named);
	tcase_add_test(t, decoding_writes_all_or_nothing);
	tcase_add_loop_test(t, paths_compare_by_their_bytes, 0, 12);
	tcase_add_test(t, comparing_reads_nothing_behind_a_path);
	tcase_add_test(t, names_of_actions_and_sources_are_total);
	suite_add_tcase(s, t);
	return run_suite(s);
}
