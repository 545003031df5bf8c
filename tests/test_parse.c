// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The parser: which texts are filter sets, what is in them, and exactly what is wrong with all
 * others. Every text ends where readable memory ends.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <itf/filter.h>

#include "runner.h"
#include "support.h"

static struct vectors grammar, errors;

static const char *const hint_names[ITF_HINT_COUNT] = {
	[ITF_HINT_NONE] = "-",
	[ITF_HINT_TRACESTOP] = "tracestop",
	[ITF_HINT_SYMBOL] = "symbol",
	[ITF_HINT_WHOLE_FILE] = "star",
	[ITF_HINT_BLANKS] = "blanks",
	[ITF_HINT_OCTAL] = "octal",
	[ITF_HINT_SEPARATOR_IN_PATH] = "separator",
	[ITF_HINT_DROP_SOURCE] = "drop-source",
	[ITF_HINT_ADD_SOURCE] = "add-source",
	[ITF_HINT_ADD_PATH] = "add-path",
	[ITF_HINT_ADD_SIZE] = "add-size",
};

static struct itf_syntax syntax_of(const char *spec)
{
	const char *max = strstr(spec, "+max=");
	struct itf_syntax syntax = {
		.quotes = !!strstr(spec, "+q"),
		.addr_bits = strstr(spec, "+32") ? 32 : 64,
		.max_len = max ? strtoul(max + 5, NULL, 10) : 0,
	};

	if (!strncmp(spec, "seed", 4))
		syntax.dialect = ITF_DIALECT_SEED;
	else if (!strncmp(spec, "mainline", 8))
		syntax.dialect = ITF_DIALECT_MAINLINE;
	else
		ck_assert(!strncmp(spec, "any", 3));
	return syntax;
}

static void describe(char *to, size_t size, const struct itf_filter *f)
{
	size_t used = strlen(to);

	snprintf(to + used, size - used, "%s%s,%s,%#llx,%#llx,%.*s", used ? " | " : "",
		 itf_action_name(f->action), itf_source_name(f->source),
		 (unsigned long long)f->start, (unsigned long long)f->size,
		 f->path ? (int)f->path_len : 1, f->path ? f->path : "-");
}

/* "%#llx" writes zero as "0"; the vectors write it as "0x0". */
static void zeros(char *text)
{
	char *at;

	while ((at = strstr(text, ",0,"))) {
		memmove(at + 4, at + 2, strlen(at + 2) + 1);
		memcpy(at + 1, "0x0", 3);
	}
}

START_TEST(handed_cases_agree)
{
	struct vector *row = &grammar.rows[_i];
	struct itf_syntax syntax = syntax_of(row->fields[0]);
	size_t len = unescape(row->fields[1]);
	struct guarded g = guard(row->fields[1], len);
	const char *want = row->count > 3 ? row->fields[3] : "";
	char found[4096] = "";
	struct itf_parser p;
	struct itf_filter f;

	syntax.quotes = syntax.dialect != ITF_DIALECT_MAINLINE;
	itf_parser_init(&p, g.text, g.len, &syntax);
	while (itf_parser_next(&p, &f))
		describe(found, sizeof(found), &f);
	zeros(found);
	if (!strcmp(row->fields[2], "ok")) {
		ck_assert_msg(!p.error, "line %u: %s", row->line, itf_error_name(p.error));
		ck_assert_str_eq(found, want);
	} else {
		ck_assert_msg(p.error, "line %u: accepted", row->line);
		ck_assert_str_eq(itf_errno_name(itf_error_errno(p.error)), row->fields[2]);
	}
	unguard(&g);
}
END_TEST

START_TEST(each_error_has_its_place)
{
	struct vector *row = &errors.rows[_i];
	struct itf_syntax syntax = syntax_of(row->fields[0]);
	size_t len = unescape(row->fields[1]);
	struct guarded g = guard(row->fields[1], len);
	struct itf_parser p;
	struct itf_filter f;

	ck_assert_uint_eq(row->count, 7);
	itf_parser_init(&p, g.text, g.len, &syntax);
	while (itf_parser_next(&p, &f))
		continue;
	ck_assert_msg(!strcmp(itf_error_name(p.error), row->fields[2]), "line %u: %s, not %s",
		      row->line, itf_error_name(p.error), row->fields[2]);
	ck_assert_str_eq(itf_errno_name(itf_error_errno(p.error)), row->fields[3]);
	ck_assert_msg(p.span.off == strtoul(row->fields[4], NULL, 10) &&
			      p.span.len == strtoul(row->fields[5], NULL, 10),
		      "line %u: span [%zu,%zu]", row->line, p.span.off, p.span.len);
	ck_assert_msg(!strcmp(hint_names[p.hint], row->fields[6]), "line %u: hint %s", row->line,
		      hint_names[p.hint]);
	unguard(&g);
}
END_TEST

START_TEST(error_vectors_name_every_error_of_the_grammar)
{
	size_t i;
	int e;

	for (e = ITF_E_STRING_TOO_LONG; e <= ITF_E_RANGE_WRAPS; e++) {
		bool found = false;

		for (i = 0; i < errors.count; i++)
			found |= !strcmp(errors.rows[i].fields[2],
					 itf_error_name((enum itf_error)e));
		ck_assert_msg(found, "no vector for %s", itf_error_name((enum itf_error)e));
	}
	for (e = 0; e < ITF_HINT_COUNT; e++) {
		bool found = false;

		for (i = 0; i < errors.count; i++)
			found |= !strcmp(errors.rows[i].fields[6], hint_names[e]);
		ck_assert_msg(found, "no vector for hint %s", hint_names[e]);
	}
}
END_TEST

START_TEST(every_prefix_stays_inside_its_bytes)
{
	struct vector *row = &grammar.rows[_i];
	struct itf_syntax syntax = syntax_of(row->fields[0]);
	size_t len = unescape(row->fields[1]), n;
	int quotes;

	for (quotes = 0; quotes < 2; quotes++) {
		syntax.quotes = quotes;
		for (n = 0; n <= len; n++) {
			struct guarded g = guard(row->fields[1], n);
			struct itf_parser p;
			struct itf_filter f;

			itf_parser_init(&p, g.text, g.len, &syntax);
			while (itf_parser_next(&p, &f)) {
				ck_assert_uint_le(f.span.off + f.span.len, n);
				ck_assert_uint_le(f.path_span.off + f.path_span.len, n);
			}
			ck_assert(!p.error || p.span.off + p.span.len <= n);
			unguard(&g);
		}
	}
}
END_TEST

static bool parse_one(const char *text, const struct itf_syntax *syntax, struct itf_filter *f)
{
	struct itf_parser p;

	itf_parser_init(&p, text, strlen(text), syntax);
	return itf_parser_next(&p, f);
}

START_TEST(spans_of_a_filter_point_at_its_parts)
{
	const char *text = ", stop file:0x10/020@/bin/ls,";
	struct itf_filter f;

	ck_assert(parse_one(text, NULL, &f));
	ck_assert_uint_eq(f.span.off, 2);
	ck_assert_uint_eq(f.span.len, 26);
	ck_assert_uint_eq(f.start_span.off, 12);
	ck_assert_uint_eq(f.start_span.len, 4);
	ck_assert_uint_eq(f.size_span.off, 17);
	ck_assert_uint_eq(f.size_span.len, 3);
	ck_assert_uint_eq(f.path_span.off, 21);
	ck_assert_uint_eq(f.path_span.len, 7);
	ck_assert_uint_eq(f.start_base, 16);
	ck_assert_uint_eq(f.size_base, 8);
	ck_assert_ptr_eq(f.path, text + 21);
	ck_assert(f.has_source && f.has_size && !f.quoted);
	ck_assert_uint_eq(f.object, 0);
}
END_TEST

START_TEST(a_quoted_path_is_the_slice_between_the_quotes)
{
	const struct itf_syntax quotes = { .quotes = true };
	const char *text = "start 0@\"a b\\n\" stop 1";
	struct itf_filter f;

	ck_assert(parse_one(text, &quotes, &f));
	ck_assert(f.quoted);
	ck_assert_uint_eq(f.path_len, 5);
	ck_assert_ptr_eq(f.path, text + 9);
	ck_assert_uint_eq(f.path_span.off, 8);
	ck_assert_uint_eq(f.path_span.len, 7);
	ck_assert_uint_eq(f.span.len, 15);
	/* Off, the quote is an ordinary byte and the blank ends the path. */
	ck_assert(parse_one(text, NULL, &f));
	ck_assert(!f.quoted);
	ck_assert_uint_eq(f.path_len, 2);
}
END_TEST

START_TEST(a_failed_call_leaves_the_filter_as_it_was)
{
	struct itf_filter f, before;
	struct itf_parser p;

	memset(&f, 0x5a, sizeof(f));
	before = f;
	itf_parser_init(&p, "filter 1/0@f", 12, NULL);
	ck_assert(!itf_parser_next(&p, &f));
	ck_assert_mem_eq(&f, &before, sizeof(f));
}
END_TEST

START_TEST(errors_are_sticky)
{
	struct itf_parser p, before;
	struct itf_filter f;

	itf_parser_init(&p, "bogus filter 1/1", 16, NULL);
	ck_assert(!itf_parser_next(&p, &f));
	before = p;
	ck_assert(!itf_parser_next(&p, &f));
	ck_assert_int_eq(p.error, ITF_E_EXPECTED_ACTION);
	ck_assert_int_eq(p.hint, before.hint);
	ck_assert_uint_eq(p.pos, before.pos);
	ck_assert_uint_eq(p.span.off, before.span.off);
	ck_assert_uint_eq(p.span.len, before.span.len);
}
END_TEST

START_TEST(the_end_stays_the_end)
{
	struct itf_parser p;
	struct itf_filter f;

	itf_parser_init(&p, "start 1,", 8, NULL);
	ck_assert(itf_parser_next(&p, &f));
	ck_assert(!itf_parser_next(&p, &f));
	ck_assert(!itf_parser_next(&p, &f));
	ck_assert_int_eq(p.error, ITF_OK);
	itf_parser_init(&p, NULL, 0, NULL);
	ck_assert(!itf_parser_next(&p, &f));
	ck_assert_int_eq(p.error, ITF_OK);
}
END_TEST

START_TEST(ranges_may_end_at_the_last_address)
{
	const struct itf_syntax narrow = { .addr_bits = 32 };
	struct itf_filter f;

	ck_assert(parse_one("filter 0xffffffffffffffff/1", NULL, &f));
	ck_assert(parse_one("filter 1/0xffffffffffffffff", NULL, &f));
	ck_assert(!parse_one("filter 2/0xffffffffffffffff", NULL, &f));
	ck_assert(parse_one("filter 0xffffffff/1", &narrow, &f));
	ck_assert(parse_one("filter 1/0xffffffff", &narrow, &f));
	ck_assert(!parse_one("filter 2/0xffffffff", &narrow, &f));
	ck_assert(parse_one("start 0xffffffff", &narrow, &f));
	ck_assert(parse_one("start 01777777777777777777777", NULL, &f));
	ck_assert(f.start == ~(u64)0);
}
END_TEST

START_TEST(a_length_at_the_maximum_is_not_too_long)
{
	const struct itf_syntax syntax = { .max_len = 7 };
	struct itf_filter f;

	ck_assert(parse_one("start 1", &syntax, &f));
	ck_assert(!parse_one("start 1,", &syntax, &f));
}
END_TEST

START_TEST(a_wrong_address_width_is_the_callers_mistake)
{
	const struct itf_syntax syntax = { .addr_bits = 16 };
	struct itf_parser p;
	struct itf_filter f;

	itf_parser_init(&p, "start 1", 7, &syntax);
	ck_assert(!itf_parser_next(&p, &f));
	ck_assert_int_eq(p.error, ITF_E_INVALID);
}
END_TEST

START_TEST(names_are_total)
{
	int i;

	for (i = 0; i < ITF_ERROR_COUNT; i++) {
		ck_assert_str_ne(itf_error_name((enum itf_error)i), "unknown");
		ck_assert_uint_gt(strlen(itf_error_message((enum itf_error)i)), 4);
		ck_assert((itf_error_errno((enum itf_error)i) == ITF_ERRNO_NONE) == (i == ITF_OK));
	}
	ck_assert_str_eq(itf_error_name(ITF_ERROR_COUNT), "unknown");
	ck_assert_str_eq(itf_error_message((enum itf_error)0xffffffff), "unknown error");
	ck_assert_str_eq(itf_error_message(ITF_ERROR_COUNT), "unknown error");
	ck_assert_int_eq(itf_error_errno(ITF_ERROR_COUNT), ITF_EINVAL);
	ck_assert_str_eq(itf_errno_name(ITF_ERRNO_NONE), "");
	ck_assert_str_eq(itf_errno_name(ITF_ENOSPC), "ENOSPC");
	ck_assert_str_eq(itf_errno_name((enum itf_errno)99), "");
	ck_assert_ptr_null(itf_hint_text(ITF_HINT_NONE));
	ck_assert_ptr_null(itf_hint_text(ITF_HINT_COUNT));
	for (i = 1; i < ITF_HINT_COUNT; i++)
		ck_assert_uint_gt(strlen(itf_hint_text((enum itf_hint)i)), 10);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("parse");
	TCase *vectors = tcase_create("vectors"), *core = tcase_create("core");

	grammar = vectors_read("grammar.tsv");
	errors = vectors_read("errors.tsv");
	tcase_add_loop_test(vectors, handed_cases_agree, 0, (int)grammar.count);
	tcase_add_loop_test(vectors, each_error_has_its_place, 0, (int)errors.count);
	tcase_add_loop_test(vectors, every_prefix_stays_inside_its_bytes, 0, (int)grammar.count);
	tcase_add_test(vectors, error_vectors_name_every_error_of_the_grammar);
	suite_add_tcase(s, vectors);
	tcase_add_test(core, spans_of_a_filter_point_at_its_parts);
	tcase_add_test(core, a_quoted_path_is_the_slice_between_the_quotes);
	tcase_add_test(core, a_failed_call_leaves_the_filter_as_it_was);
	tcase_add_test(core, errors_are_sticky);
	tcase_add_test(core, the_end_stays_the_end);
	tcase_add_test(core, ranges_may_end_at_the_last_address);
	tcase_add_test(core, a_length_at_the_maximum_is_not_too_long);
	tcase_add_test(core, a_wrong_address_width_is_the_callers_mistake);
	tcase_add_test(core, names_are_total);
	suite_add_tcase(s, core);
	return run_suite(s);
}
