// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Property: whatever the bytes and the syntax, the parser says what the plain model of the grammar
 * (tests/oracle.c) says; what it says lies inside the text; filters and the separators between
 * them are all of the text, down to the last byte; a set that was read can be written and read
 * again, in each dialect that has words for it, and is the same set; other separators, or more of
 * them, change nothing.
 */
#include <itf/filter.h>
#include <itf/range.h>

#include "core/lex.h"
#include "fuzz.h"
#include "tests/oracle.h"

const enum gen_format fuzz_format = GEN_PARSE;

/* Filters that are kept for comparing; sets with more are parsed all the same. */
#define KEPT 64

/* A whole text read. */
struct reading {
	struct itf_filter filters[KEPT];
	size_t count;
	enum itf_error error;
	struct itf_span span;
	enum itf_hint hint;
};

static bool is_separator(char c)
{
	return c == ' ' || c == ',' || c == '\n';
}

static bool inside(struct itf_span span, size_t len)
{
	return span.off <= len && span.len <= len - span.off;
}

static size_t end_of(struct itf_span span)
{
	return span.off + span.len;
}

static bool at(const char *text, size_t len, size_t off, const char *word)
{
	return off <= len && strlen(word) <= len - off && !memcmp(text + off, word, strlen(word));
}

/* ---------- one reading */

/* A filter is its parts and nothing else; from @from to its begin there are only separators. */
static void check_parts(const char *text, size_t len, size_t from, const struct itf_filter *f)
{
	size_t pos = f->span.off;

	FUZZ_ASSERT(inside(f->span, len) && inside(f->start_span, len));
	FUZZ_ASSERT(inside(f->size_span, len) && inside(f->path_span, len));
	FUZZ_ASSERT(from <= pos);
	for (; from < pos; from++)
		FUZZ_ASSERT(is_separator(text[from]));
	FUZZ_ASSERT(at(text, len, pos, itf_action_name(f->action)));
	pos += strlen(itf_action_name(f->action));
	FUZZ_ASSERT(pos < len && is_separator(text[pos]));
	while (pos < len && is_separator(text[pos]))
		pos++;
	if (f->has_source) {
		FUZZ_ASSERT(at(text, len, pos, itf_source_name(f->source)));
		pos += strlen(itf_source_name(f->source));
		FUZZ_ASSERT(at(text, len, pos++, ":"));
	}
	FUZZ_ASSERT(f->start_span.off == pos && f->start_span.len);
	pos = end_of(f->start_span);
	if (f->has_size)
		FUZZ_ASSERT(at(text, len, pos++, "/") && f->size_span.len);
	else
		FUZZ_ASSERT(!f->size_span.len);
	FUZZ_ASSERT(f->size_span.off == pos);
	pos = end_of(f->size_span);
	if (f->path)
		FUZZ_ASSERT(at(text, len, pos++, "@") && f->path_len);
	FUZZ_ASSERT(f->path_span.off == pos);
	FUZZ_ASSERT(f->path ? f->path == text + pos + f->quoted : !f->path_len);
	FUZZ_ASSERT(f->path_span.len == f->path_len + 2 * f->quoted);
	pos = end_of(f->path_span);
	FUZZ_ASSERT(end_of(f->span) == pos);
	FUZZ_ASSERT(pos == len || is_separator(text[pos]));
}

static void compare(const struct itf_filter *f, const struct oracle_filter *want, const char *path)
{
	static char decoded[1 << 20];

	FUZZ_ASSERT(!strcmp(itf_action_name(f->action), want->action));
	FUZZ_ASSERT(f->source == (want->file ? ITF_SOURCE_FILE : ITF_SOURCE_KERNEL));
	FUZZ_ASSERT(f->start == want->start && f->size == want->size);
	FUZZ_ASSERT(f->has_source == want->has_source && f->has_size == want->has_size);
	FUZZ_ASSERT(f->start_base == want->start_base && f->size_base == want->size_base);
	FUZZ_ASSERT(f->quoted == want->quoted && f->object == 0);
	FUZZ_ASSERT(f->span.off == want->off && end_of(f->span) == want->end);
	FUZZ_ASSERT(itf_path_decode(f, decoded, want->path_len) == want->path_len);
	FUZZ_ASSERT(!memcmp(decoded, path, want->path_len));
}

/* What no parser writes. */
static const struct itf_filter poison = { .start = 0xa5a5a5a5a5a5a5a5, .path_len = 0x5a5a5a5a };

static bool untouched(const struct itf_filter *a, const struct itf_filter *b)
{
	return a->action == b->action && a->source == b->source && a->start == b->start &&
	       a->size == b->size && a->object == b->object && a->path == b->path &&
	       a->path_len == b->path_len && a->span.off == b->span.off &&
	       a->span.len == b->span.len;
}

/* What comes after the last filter, which ended at @from. */
static void check_end(const struct itf_parser *p, size_t from)
{
	struct itf_parser again = *p;
	struct itf_filter filter = poison;

	FUZZ_ASSERT(!itf_parser_next(&again, &filter));
	FUZZ_ASSERT(again.error == p->error && again.hint == p->hint);
	FUZZ_ASSERT(again.span.off == p->span.off && again.span.len == p->span.len);
	FUZZ_ASSERT(untouched(&filter, &poison));
	if (p->error) {
		FUZZ_ASSERT(inside(p->span, p->len));
		FUZZ_ASSERT(from <= p->span.off);
		FUZZ_ASSERT((unsigned int)p->hint < ITF_HINT_COUNT);
		return;
	}
	for (; from < p->len; from++)
		FUZZ_ASSERT(is_separator(p->text[from]));
}

/* Read all of a text. @o: compare each step with the model; NULL to leave that. */
static void read_all(struct reading *r, const char *text, size_t len,
		     const struct itf_syntax *syntax, struct oracle *o)
{
	struct oracle_filter want;
	struct itf_filter f;
	struct itf_parser p;
	size_t from = 0;

	f = poison;
	r->count = 0;
	itf_parser_init(&p, text, len, syntax);
	while (itf_parser_next(&p, &f)) {
		if (o) {
			FUZZ_ASSERT(oracle_next(o, &want));
			compare(&f, &want, o->scratch);
			check_parts(text, len, from, &f);
		}
		from = end_of(f.span);
		if (r->count < KEPT)
			r->filters[r->count] = f;
		r->count++;
	}
	r->error = p.error;
	r->span = p.span;
	r->hint = p.hint;
	if (!o)
		return;
	/* The call that failed, or came to the end, has left the filter of the one before it. */
	if (r->count <= KEPT)
		FUZZ_ASSERT(untouched(&f, r->count ? &r->filters[r->count - 1] : &poison));
	FUZZ_ASSERT(!oracle_next(o, &want));
	FUZZ_ASSERT(!strcmp(itf_error_name(p.error), o->error ? o->error : "ok"));
	check_end(&p, p.error == ITF_E_STRING_TOO_LONG ? 0 : from);
}

/* ---------- written and read again */

/* What a filter means, without where it stood. */
static bool same_meaning(const struct itf_filter *a, const struct itf_filter *b)
{
	return a->action == b->action && a->source == b->source && a->start == b->start &&
	       a->size == b->size && itf_path_equal(a, b) && itf_path_equal(b, a);
}

static bool same_set(const struct reading *a, const struct reading *b)
{
	size_t i;

	if (a->error || b->error || a->count != b->count)
		return false;
	for (i = 0; i < a->count; i++) {
		if (!same_meaning(&a->filters[i], &b->filters[i]))
			return false;
	}
	return true;
}

/* Today's kernel has no filter without a size, and no path with a separator. */
static bool fits_mainline(const struct itf_filter *f)
{
	static char path[1 << 20];
	size_t len = itf_path_decode(f, path, sizeof(path)), i;

	for (i = 0; i < len; i++) {
		if (is_separator(path[i]))
			return false;
	}
	/* The kernel would take it, but the writer keeps to what reads the same with quotes on. */
	if (len && path[0] == '"')
		return false;
	return f->size || f->action != ITF_ACTION_FILTER;
}

static void check_written(const struct reading *r, const struct itf_syntax *syntax,
			  enum itf_dialect to)
{
	struct itf_syntax again = *syntax;
	static struct reading second;
	size_t need = 0, bad = 0, i = 0;
	enum itf_error error;
	char *text = NULL;

	error = itf_format(r->filters, r->count, to, NULL, 0, &need, &bad);
	if (to == ITF_DIALECT_MAINLINE) {
		while (i < r->count && fits_mainline(&r->filters[i]))
			i++;
		FUZZ_ASSERT((error == ITF_E_NOT_IN_MAINLINE) == (i < r->count));
		if (i < r->count) {
			FUZZ_ASSERT(bad == i);
			return;
		}
	}
	FUZZ_ASSERT(error == (need ? ITF_E_BUFFER_TOO_SMALL : ITF_OK));
	if (need) {
		text = malloc(need);
		FUZZ_ASSERT(text);
		text[0] = '\1';
		FUZZ_ASSERT(itf_format(r->filters, r->count, to, text, need - 1, NULL, NULL) ==
			    ITF_E_BUFFER_TOO_SMALL);
		FUZZ_ASSERT(text[0] == '\1');
		FUZZ_ASSERT(itf_format(r->filters, r->count, to, text, need, NULL, NULL) == ITF_OK);
	}
	again.dialect = to;
	again.quotes = to != ITF_DIALECT_MAINLINE;
	again.max_len = 0;
	read_all(&second, text, need, &again, NULL);
	FUZZ_ASSERT(same_set(r, &second));
	free(text);
}

/* ---------- other separators */

/* The same filters with other separators around and in them; returns its length. */
static size_t spread(char *to, const char *text, const struct reading *r, const char *between)
{
	size_t used = 0, i, from;

	for (i = 0; i < r->count; i++) {
		const struct itf_filter *f = &r->filters[i];

		used += (size_t)sprintf(to + used, "%s%s%s", i ? between : between + 1,
					itf_action_name(f->action), between);
		/* The range, with its source, begins behind the last separator before its start. */
		for (from = f->start_span.off; !is_separator(text[from - 1]); from--)
			;
		memcpy(to + used, text + from, end_of(f->span) - from);
		used += end_of(f->span) - from;
	}
	used += (size_t)sprintf(to + used, "%s", between + 1);
	return used;
}

static void check_separators(const char *text, size_t len, const struct itf_syntax *syntax,
			     const struct reading *r)
{
	static const char *const betweens[] = { ",", " \n,", "\n  " };
	struct itf_syntax other = *syntax;
	static struct reading second;
	/* The model has just told how good this text is; its length is as good a choice as any. */
	const char *between = betweens[len % 3];
	size_t used;
	char *text2;

	other.max_len = 0;
	text2 = malloc(len + r->count * 2 * strlen(between) + strlen(between) + 8);
	FUZZ_ASSERT(text2);
	if (!r->error && r->count <= KEPT) {
		used = spread(text2, text, r, between);
		read_all(&second, text2, used, &other, NULL);
		FUZZ_ASSERT(same_set(r, &second));
	} else if (r->error && r->error != ITF_E_STRING_TOO_LONG) {
		/* Around a text with an error; the error moves along. */
		used = (size_t)sprintf(text2, "%s", between);
		memcpy(text2 + used, text, len);
		text2[used + len] = ' ';
		read_all(&second, text2, used + len + 1, &other, NULL);
		FUZZ_ASSERT(second.error == r->error && second.count == r->count);
		FUZZ_ASSERT(second.span.off == r->span.off + used);
	}
	free(text2);
}

/* ---------- tokens */

/*
 * In any kind of place tokens follow each other without gaps up to the end. One kind a text, for
 * speed; which one is as good as chance.
 */
static void check_tokens(const char *text, size_t len)
{
	static const enum itf_place places[] = {
		ITF_PLACE_ACTION, ITF_PLACE_SOURCE,	   ITF_PLACE_RANGE,
		ITF_PLACE_PATH,	  ITF_PLACE_QUOTABLE_PATH,
	};
	enum itf_place place = places[len % 5];
	size_t pos = 0, before;
	enum itf_token token;

	do {
		before = pos;
		token = itf__lex(text, len, &pos, place);
		if (token == ITF_TOKEN_NONE) {
			FUZZ_ASSERT(pos == before && place == ITF_PLACE_SOURCE);
			token = itf__lex(text, len, &pos, ITF_PLACE_RANGE);
		}
		FUZZ_ASSERT(pos <= len);
		FUZZ_ASSERT(token == ITF_TOKEN_END ? pos == before : pos > before);
	} while (token != ITF_TOKEN_END);
	FUZZ_ASSERT(pos == len);
}

/* ---------- all of it */

static struct itf_syntax syntax_of(u8 byte)
{
	static const enum itf_dialect dialects[] = { ITF_DIALECT_ANY, ITF_DIALECT_SEED,
						     ITF_DIALECT_MAINLINE, ITF_DIALECT_ANY };
	struct itf_syntax syntax = {
		.dialect = dialects[byte & GEN_DIALECT],
		.quotes = byte & GEN_QUOTES,
		.addr_bits = byte & GEN_32_BITS ? 32 : 64,
		.max_len = byte & GEN_SHORT ? GEN_MAX_LEN : 0,
	};

	return syntax;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char dialects[] = {
		[ITF_DIALECT_ANY] = 'a', [ITF_DIALECT_SEED] = 's', [ITF_DIALECT_MAINLINE] = 'm'
	};
	static char scratch[1 << 20];
	static struct reading first;
	struct itf_syntax syntax;
	struct oracle o;
	char *text;

	if (!size || size > sizeof(scratch) / 2)
		return 0;
	syntax = syntax_of(data[0]);
	size--;
	text = fuzz_copy(data + 1, size);
	o = (struct oracle){
		.text = text,
		.len = size,
		.dialect = dialects[syntax.dialect],
		.quotes = syntax.quotes,
		.addr_bits = syntax.addr_bits,
		.max_len = syntax.max_len,
		.scratch = scratch,
	};
	read_all(&first, text, size, &syntax, &o);
	check_tokens(text, size);
	check_separators(text, size, &syntax, &first);
	if (!first.error && first.count <= KEPT) {
		check_written(&first, &syntax, ITF_DIALECT_SEED);
		check_written(&first, &syntax, ITF_DIALECT_MAINLINE);
		check_written(&first, &syntax, ITF_DIALECT_ANY);
	}
	free(text);
	return 0;
}
