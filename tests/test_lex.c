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
	size_t len; /* of the first token */
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

static bool is_empty(enum itf_token token)
{
	return token == ITF_TOKEN_END || token == ITF_TOKEN_NONE;
}

static bool covered(const char *text, size_t len, enum itf_place place)
{
	size_t pos = 0, before;
	enum itf_token token;

	do {
		before = pos;
		token = itf__lex(text, len, &pos, place);
		if (pos < before || pos > len || (pos == before) != is_empty(token))
			return false;
	} while (!is_empty(token));
	return token == ITF_TOKEN_NONE || pos == len;
}

static const enum itf_place all_places[] = { A, S, R, P, Q };

#define PLACES (sizeof(all_places) / sizeof(all_places[0]))

/* Every text of two bytes, in every place: tokens cover it, and only END and NONE are empty. */
START_TEST(tokens_cover_the_text)
{
	size_t i;
	int n;

	for (n = 0; n < 0x10000; n++) {
		char text[2] = { (char)(u8)(n & 0xff), (char)(u8)(n >> 8) };

		for (i = 0; i < PLACES; i++) {
			if (!covered(text, sizeof(text), all_places[i]))
				ck_abort_msg("bytes %04x in place %zu", (unsigned int)n, i);
		}
	}
}
END_TEST

/*
 * The tokens once more, as slow and plain as can be: a model to compare the generated machine with.
 * Texts are strings here; NUL within them has its own test.
 */
static const char seps[] = " ,\n", breaks[] = " ,\n/@:", digits[] = "0123456789",
		  xdigits[] = "0123456789abcdefABCDEF";

static bool is(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(text, word, len);
}

static enum itf_token model_action(const char *text, size_t *len)
{
	*len = strcspn(text, seps);
	if (is(text, *len, "filter"))
		return ITF_TOKEN_FILTER;
	if (is(text, *len, "start"))
		return ITF_TOKEN_START;
	if (is(text, *len, "stop"))
		return ITF_TOKEN_STOP;
	if (is(text, *len, "tracestop"))
		return ITF_TOKEN_TRACESTOP;
	return *text == '/' || *text == '@' ? ITF_TOKEN_REST : ITF_TOKEN_WORD;
}

static enum itf_token model_source(const char *text, size_t *len)
{
	*len = 5;
	if (!strncmp(text, "file:", 5))
		return ITF_TOKEN_FILE;
	*len = 7;
	if (!strncmp(text, "kernel:", 7))
		return ITF_TOKEN_KERNEL;
	*len = 0;
	return ITF_TOKEN_NONE;
}

static bool is_number(const char *text, size_t len)
{
	if (text[0] != '0')
		return strspn(text, digits) == len;
	if (text[1] == 'x' || text[1] == 'X')
		return len > 2 && strspn(text + 2, xdigits) == len - 2;
	return strspn(text, "01234567") == len;
}

static enum itf_token model_range(const char *text, size_t *len)
{
	*len = 1;
	switch (*text) {
	case '/':
		return ITF_TOKEN_SLASH;
	case '@':
		return ITF_TOKEN_AT;
	case ':':
		return ITF_TOKEN_COLON;
	}
	*len = strcspn(text, breaks);
	if (is(text, *len, "*"))
		return ITF_TOKEN_STAR;
	if (is_number(text, *len))
		return ITF_TOKEN_NUMBER;
	if (text[0] == '0' && strspn(text, digits) == *len)
		return ITF_TOKEN_BAD_OCTAL;
	if ((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
	    strchr("_.$", *text))
		return ITF_TOKEN_SYMBOL;
	return ITF_TOKEN_JUNK;
}

/* Bytes of the escape or other byte at @text, 0 if it is a wrong escape. */
static size_t model_escape(const char *text)
{
	if (text[0] != '\\')
		return 1;
	if (text[1] == 'x')
		return strspn(text + 2, xdigits) >= 2 && memcmp(text + 2, "00", 2) ? 4 : 0;
	return text[1] && strchr("\\\"nt", text[1]) ? 2 : 0;
}

static enum itf_token model_path(const char *text, size_t *len, bool quotable)
{
	size_t step;

	*len = strcspn(text, seps);
	if (!quotable || *text != '"')
		return ITF_TOKEN_PATH;
	for (*len = 1; text[*len]; *len += step) {
		if (text[*len] == '"') {
			*len += 1;
			return ITF_TOKEN_QUOTED;
		}
		step = model_escape(text + *len);
		if (!step)
			break;
	}
	return ITF_TOKEN_BAD_QUOTE;
}

static enum itf_token model(const char *text, size_t *len, enum itf_place place)
{
	if (place == S)
		return model_source(text, len);
	*len = strspn(text, seps);
	if (*len)
		return ITF_TOKEN_SEP;
	if (!*text)
		return ITF_TOKEN_END;
	if (place == A)
		return model_action(text, len);
	if (place == R)
		return model_range(text, len);
	return model_path(text, len, place == Q);
}

static void compare(const char *text)
{
	size_t i;

	for (i = 0; i < PLACES; i++) {
		size_t pos = 0, want_pos;
		enum itf_token want = model(text, &want_pos, all_places[i]);
		enum itf_token token = itf__lex(text, strlen(text), &pos, all_places[i]);

		if (token != want || pos != want_pos)
			ck_abort_msg("\"%s\" in place %zu: token %d, %zu bytes, not %d, %zu", text,
				     i, (int)token, pos, (int)want, want_pos);
	}
}

static const char *const stems[] = {
	"filter",
	"start",
	"stop",
	"tracestop",
	"file:",
	"kernel:",
	"0x09afAF",
	"0X1",
	"12345",
	"0127",
	"0189",
	"00",
	"*",
	"main.1",
	"/",
	"@",
	":",
	"-1",
	"\x80\xff",
	" ,\n",
	"\"a b,\n/@:\"",
	"\"\\\\\\\"\\n\\t\"",
	"\"\\x01\"",
	"\"\\x10\"",
	"\"\\xaf\"",
	"\"\\xFA\"",
	"a\"",
};

/* Every beginning of every stem, with every byte behind it and a little more behind that. */
START_TEST(every_byte_takes_the_machine_where_the_model_goes)
{
	static const char *const tails[] = { "", "1", "x", "\"", " ", "/", "\x80", "0\"" };
	const char *stem = stems[_i];
	size_t n, t;
	int byte;

	for (n = 0; n <= strlen(stem); n++) {
		for (byte = 0; byte < 256; byte++) {
			for (t = 0; t < sizeof(tails) / sizeof(tails[0]); t++) {
				char text[32] = "";

				memcpy(text, stem, n);
				text[n] = (char)(u8)byte;
				if (byte)
					strcat(text, tails[t]);
				compare(text);
			}
		}
	}
}
END_TEST

/* The beginning of one word, a byte or none, and the end of another: states do not run together. */
START_TEST(words_do_not_run_together)
{
	static const char *const words[] = { "filter",	  "start", "stop",
					     "tracestop", "file:", "kernel:" };
	const size_t count = sizeof(words) / sizeof(words[0]);
	const char *first = words[_i];
	size_t w, i, j;

	for (w = 0; w < count; w++) {
		for (i = 0; i <= strlen(first); i++) {
			for (j = 0; j <= strlen(words[w]); j++) {
				char text[32] = "";

				memcpy(text, first, i);
				strcpy(text + i, words[w] + j);
				compare(text);
				text[i] = '?';
				strcpy(text + i + 1, words[w] + j);
				compare(text);
			}
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
	tcase_add_loop_test(t, words_do_not_run_together, 0, 6);
	tcase_add_loop_test(t, every_byte_takes_the_machine_where_the_model_goes, 0,
			    sizeof(stems) / sizeof(stems[0]));
	suite_add_tcase(s, t);
	return run_suite(s);
}
