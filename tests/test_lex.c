// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The lexer: which bytes form a token in each place, and that tokens leave no gaps. */
#include <string.h>

#include "core/lex.h"
#include "runner.h"
#include "support.h"

#define A ITF_PLACE_ACTION
#define S ITF_PLACE_SOURCE
#define R ITF_PLACE_RANGE
#define P ITF_PLACE_PATH
#define Q ITF_PLACE_QUOTABLE_PATH

static const struct {
	enum itf_place place;
	const char *text;
	size_t len;	/* of the first token */
	enum itf_token token;
} cases[] = {
	{ A, "", 0, ITF_TOKEN_END },
	{ A, " ,\n ,x", 5, ITF_TOKEN_SEP },
	{ A, "filter", 6, ITF_TOKEN_FILTER },
	{ A, "filter 1", 6, ITF_TOKEN_FILTER },
	{ A, "filters", 7, ITF_TOKEN_WORD },
	{ A, "filte", 5, ITF_TOKEN_WORD },
	{ A, "start,", 5, ITF_TOKEN_START },
	{ A, "stop\n", 4, ITF_TOKEN_STOP },
	{ A, "sto", 3, ITF_TOKEN_WORD },
	{ A, "tracestop", 9, ITF_TOKEN_TRACESTOP },
	{ A, "tracestopp", 10, ITF_TOKEN_WORD },
	{ A, "FILTER", 6, ITF_TOKEN_WORD },
	{ A, "start\t5", 7, ITF_TOKEN_WORD },
	{ A, "\xff\xfe x", 2, ITF_TOKEN_WORD },
	{ A, "/x y", 2, ITF_TOKEN_REST },
	{ A, "@", 1, ITF_TOKEN_REST },
	{ S, "file:1", 5, ITF_TOKEN_FILE },
	{ S, "kernel:1", 7, ITF_TOKEN_KERNEL },
	{ S, "file", 0, ITF_TOKEN_NONE },
	{ S, "fil:", 0, ITF_TOKEN_NONE },
	{ S, "kernels:", 0, ITF_TOKEN_NONE },
	{ S, "1", 0, ITF_TOKEN_NONE },
	{ S, "", 0, ITF_TOKEN_NONE },
	{ R, "0", 1, ITF_TOKEN_NUMBER },
	{ R, "0/1", 1, ITF_TOKEN_NUMBER },
	{ R, "0x1F@", 4, ITF_TOKEN_NUMBER },
	{ R, "0XaBcDeF0123456789 ", 18, ITF_TOKEN_NUMBER },
	{ R, "1234567890", 10, ITF_TOKEN_NUMBER },
	{ R, "01234567", 8, ITF_TOKEN_NUMBER },
	{ R, "0x", 2, ITF_TOKEN_JUNK },
	{ R, "0x1g", 4, ITF_TOKEN_JUNK },
	{ R, "1a", 2, ITF_TOKEN_JUNK },
	{ R, "089", 3, ITF_TOKEN_BAD_OCTAL },
	{ R, "08x", 3, ITF_TOKEN_JUNK },
	{ R, "+1", 2, ITF_TOKEN_JUNK },
	{ R, "-", 1, ITF_TOKEN_JUNK },
	{ R, "\x80", 1, ITF_TOKEN_JUNK },
	{ R, "main#1/2", 6, ITF_TOKEN_SYMBOL },
	{ R, "_Z1fv@x", 5, ITF_TOKEN_SYMBOL },
	{ R, ".text ", 5, ITF_TOKEN_SYMBOL },
	{ R, "$x", 2, ITF_TOKEN_SYMBOL },
	{ R, "/1", 1, ITF_TOKEN_SLASH },
	{ R, "@x", 1, ITF_TOKEN_AT },
	{ R, "*@", 1, ITF_TOKEN_STAR },
	{ R, "*x", 2, ITF_TOKEN_JUNK },
	{ R, ":x", 1, ITF_TOKEN_COLON },
	{ R, " 1", 1, ITF_TOKEN_SEP },
	{ R, "", 0, ITF_TOKEN_END },
	{ P, "/bin/ls,x", 7, ITF_TOKEN_PATH },
	{ P, "\"a b\"", 2, ITF_TOKEN_PATH },
	{ P, "@/:\t", 4, ITF_TOKEN_PATH },
	{ P, " x", 1, ITF_TOKEN_SEP },
	{ P, "", 0, ITF_TOKEN_END },
	{ Q, "/bin/\"ls\"", 9, ITF_TOKEN_PATH },
	{ Q, "\"a b\"", 5, ITF_TOKEN_QUOTED },
	{ Q, "\"\"", 2, ITF_TOKEN_QUOTED },
	{ Q, "\"\\\"\\\\\\n\\t\\x41\\xfF\"", 18, ITF_TOKEN_QUOTED },
	{ Q, "\"\\x00\"", 1, ITF_TOKEN_BAD_QUOTE },
	{ Q, "\"\\x0a\\x10\"", 10, ITF_TOKEN_QUOTED },
	{ Q, "\"a\\q\"", 2, ITF_TOKEN_BAD_QUOTE },
	{ Q, "\"a\\", 2, ITF_TOKEN_BAD_QUOTE },
	{ Q, "\"a\\x4", 2, ITF_TOKEN_BAD_QUOTE },
	{ Q, "\"a", 2, ITF_TOKEN_BAD_QUOTE },
	{ Q, "\"a\n\"x", 4, ITF_TOKEN_QUOTED },
	{ Q, ",", 1, ITF_TOKEN_SEP },
	{ Q, "", 0, ITF_TOKEN_END },
};

START_TEST(each_place_has_its_tokens)
{
	struct guarded g = guard(cases[_i].text, strlen(cases[_i].text));
	size_t pos = 0;
	enum itf_token token = itf__lex(g.text, g.len, &pos, cases[_i].place);

	ck_assert_msg(token == cases[_i].token, "%s: token %d", cases[_i].text, (int)token);
	ck_assert_msg(pos == cases[_i].len, "%s: length %zu", cases[_i].text, pos);
	unguard(&g);
}
END_TEST

START_TEST(nul_is_a_token_of_its_own)
{
	static const enum itf_place places[] = { A, R, P, Q };
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct guarded g = guard("\0\0", 2);
		size_t pos = 0;

		ck_assert_int_eq(itf__lex(g.text, g.len, &pos, places[i]), ITF_TOKEN_NUL);
		ck_assert_uint_eq(pos, 1);
		ck_assert_int_eq(itf__lex(g.text, g.len, &pos, places[i]), ITF_TOKEN_NUL);
		ck_assert_int_eq(itf__lex(g.text, g.len, &pos, places[i]), ITF_TOKEN_END);
		ck_assert_uint_eq(pos, 2);
		unguard(&g);
	}
}
END_TEST

/* Every text of two bytes, in every place: tokens cover it, and only END and NONE are empty. */
START_TEST(tokens_cover_the_text)
{
	static const enum itf_place places[] = { A, S, R, P, Q };
	size_t i;
	int n;

	for (n = 0; n < 0x10000; n++) {
		char text[2] = { (char)(u8)(n & 0xff), (char)(u8)(n >> 8) };

		for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
			size_t pos = 0, before;
			enum itf_token token;

			do {
				before = pos;
				token = itf__lex(text, sizeof(text), &pos, places[i]);
				ck_assert(pos >= before && pos <= sizeof(text));
				ck_assert((pos == before) ==
					  (token == ITF_TOKEN_END || token == ITF_TOKEN_NONE));
			} while (token != ITF_TOKEN_END && token != ITF_TOKEN_NONE);
			ck_assert(token == ITF_TOKEN_NONE || pos == sizeof(text));
		}
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("lex");
	TCase *t = tcase_create("lex");

	tcase_add_loop_test(t, each_place_has_its_tokens, 0, sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(t, nul_is_a_token_of_its_own);
	tcase_add_test(t, tokens_cover_the_text);
	suite_add_tcase(s, t);
	return run_suite(s);
}
