// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Every text that can be put together from a few pieces, in every dialect, with and without
 * quotes: the parser says what the plain model of the grammar (oracle.c) says. The text always
 * ends where readable memory ends.
 */
#include <stdio.h>
#include <string.h>

#include <itf/filter.h>

#include "oracle.h"
#include "runner.h"
#include "support.h"

/* How many pieces a text has, at most. */
#ifdef SMALL_DOMAIN
#define PIECES 3
#else
#define PIECES 4
#endif
#define LONGEST 512
#define HEADS 7

/*
 * Lists of pieces, each ended by "|". What tokens are made of; then filters and what may stand
 * between them, each good or wrong in its own way; then where in a filter the pieces begin.
 */
static const char fragments[] =
	"filter|start|stop| |,|\n|file:|kernel:|0|7|0x1F|010|08|0xffffffffffffffff|"
	"0x10000000000000000|/|@|:|/bin/ls|main|\"a b\"|\"|\\|*|\t|\0|";
static const char ranges[] =
	" |\n,|filter 1/1@f|start file:020@\"a\\x20\\\"\"|stop kernel:0xfffffffe/2|"
	"stop 0xffffffff/2|start 0xffffffffffffffff/1|filter 0xfffffffffffffffe/3|filter file:5@/f|"
	"filter 0/0@f|filter 1|stop file:1/2|filter kernel:1/1@f|filter 0x10000000000000000/0@f|"
	"start 1@|start|tracestop 1|@\"b c\"|/3|\0|";
static const char heads[] =
	"|filter |start file:0x10|stop 1/|filter 2/4@|start 3/5@\"a|filter kernel:0/1,|";

struct piece {
	const char *bytes;
	size_t len;
};

struct pieces {
	struct piece list[32];
	size_t count;
};

static struct pieces split(const char *list, size_t size)
{
	struct pieces pieces = { .count = 0 };
	size_t from = 0, i;

	for (i = 0; i < size; i++) {
		if (list[i] != '|')
			continue;
		pieces.list[pieces.count++] = (struct piece){ list + from, i - from };
		from = i + 1;
	}
	return pieces;
}

static bool same_filter(const struct itf_filter *f, const struct oracle_filter *want,
			const char *path)
{
	char decoded[LONGEST];

	if (strcmp(itf_action_name(f->action), want->action) ||
	    f->source != (want->file ? ITF_SOURCE_FILE : ITF_SOURCE_KERNEL) ||
	    f->start != want->start || f->size != want->size)
		return false;
	if (f->has_source != want->has_source || f->has_size != want->has_size ||
	    f->quoted != want->quoted || f->start_base != want->start_base ||
	    f->size_base != want->size_base || f->object)
		return false;
	if (f->span.off != want->off || f->span.off + f->span.len != want->end)
		return false;
	return (f->path != NULL) == want->file &&
	       itf_path_decode(f, decoded, sizeof(decoded)) == want->path_len &&
	       !memcmp(decoded, path, want->path_len);
}

static bool same_error(const struct itf_parser *p, const struct oracle *o)
{
	bool range = o->error && !strcmp(o->error, "number-too-large");

	if (strcmp(itf_error_name(p->error), o->error ? o->error : "ok"))
		return false;
	if (!o->error)
		return true;
	return itf_error_errno(p->error) == (range ? ITF_ERANGE : ITF_EINVAL) &&
	       p->span.off <= p->len && p->span.len <= p->len - p->span.off;
}

static bool agree(const char *text, size_t len, const struct itf_syntax *syntax)
{
	static const char dialects[] = {
		[ITF_DIALECT_ANY] = 'a', [ITF_DIALECT_SEED] = 's', [ITF_DIALECT_MAINLINE] = 'm'
	};
	char scratch[LONGEST];
	struct oracle o = {
		.text = text,
		.len = len,
		.dialect = dialects[syntax->dialect],
		.quotes = syntax->quotes,
		.addr_bits = syntax->addr_bits,
		.scratch = scratch,
	};
	struct oracle_filter want;
	struct itf_filter f;
	struct itf_parser p;
	bool more;

	itf_parser_init(&p, text, len, syntax);
	do {
		more = itf_parser_next(&p, &f);
		if (more != oracle_next(&o, &want))
			return false;
		if (more && !same_filter(&f, &want, scratch))
			return false;
	} while (more);
	return same_error(&p, &o);
}

static void disagreement(const char *text, size_t len, const struct itf_syntax *syntax)
{
	char shown[4 * LONGEST + 1] = "", *to = shown;
	size_t i;

	for (i = 0; i < len; i++)
		to += sprintf(to, text[i] > ' ' && text[i] <= '~' ? "%c" : "\\x%02x",
			      (unsigned char)text[i]);
	ck_abort_msg("%s (dialect %d, quotes %d, %u bits)", shown, (int)syntax->dialect,
		     (int)syntax->quotes, syntax->addr_bits);
}

static void in_every_syntax(const char *text, size_t len, unsigned int addr_bits)
{
	unsigned int i;

	for (i = 0; i < 6; i++) {
		const struct itf_syntax syntax = {
			.dialect = (enum itf_dialect)(i / 2),
			.quotes = i % 2,
			.addr_bits = addr_bits,
		};

		if (!agree(text, len, &syntax))
			disagreement(text, len, &syntax);
	}
}

/* Put pieces before the text that ends at @end, up to @more of them, in every way. */
static void put_before(char *end, size_t len, const struct piece *head, const struct pieces *pieces,
		       unsigned int more, unsigned int addr_bits)
{
	size_t i;

	memcpy(end - len - head->len, head->bytes, head->len);
	in_every_syntax(end - len - head->len, len + head->len, addr_bits);
	for (i = 0; more && i < pieces->count; i++) {
		const struct piece *piece = &pieces->list[i];

		memcpy(end - len - piece->len, piece->bytes, piece->len);
		put_before(end, len + piece->len, head, pieces, more - 1, addr_bits);
	}
}

static void every_text(const struct piece *head, const struct pieces *pieces,
		       unsigned int addr_bits)
{
	static const char nothing[LONGEST];
	struct guarded g = guard(nothing, sizeof(nothing));

	put_before(g.text + g.len, 0, head, pieces, PIECES, addr_bits);
	unguard(&g);
}

START_TEST(every_text_of_fragments_is_judged_as_the_grammar_says)
{
	struct pieces before = split(heads, sizeof(heads));
	struct pieces pieces = split(fragments, sizeof(fragments));

	ck_assert_uint_eq(before.count, HEADS);
	every_text(&before.list[_i], &pieces, 64);
}
END_TEST

START_TEST(every_text_of_ranges_is_judged_as_the_grammar_says)
{
	static const struct piece nothing = { "", 0 };
	struct pieces pieces = split(ranges, sizeof(ranges));

	every_text(&nothing, &pieces, _i ? 32 : 64);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("exhaustive_parse");
	TCase *t = tcase_create("exhaustive_parse");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, every_text_of_fragments_is_judged_as_the_grammar_says, 0, HEADS);
	tcase_add_loop_test(t, every_text_of_ranges_is_judged_as_the_grammar_says, 0, 2);
	suite_add_tcase(s, t);
	return run_suite(s);
}
