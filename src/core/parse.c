// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The pull parser: which tokens make a filter (SPEC 2). Sees tokens and their spans, never bytes;
 * numbers get their value from number.c. One filter is judged completely, in the order of SPEC 2,
 * before the next is looked at: perf core opens the file of each filter in between.
 */
#include <itf/filter.h>
#include <itf/range.h>

#include "lex.h"
#include "number.h"

/* One filter while it is being read: nothing of it reaches the caller before it is complete. */
struct reading {
	struct itf_parser *parser;
	struct itf_filter filter;
	enum itf_token token;
	struct itf_span at; /* where @token is */
	struct itf_span source; /* "file:" or "kernel:" */
};

static bool fail(struct reading *r, enum itf_error error, struct itf_span span, enum itf_hint hint)
{
	r->parser->error = error;
	r->parser->span = span;
	r->parser->hint = hint;
	return false;
}

static void take(struct reading *r, enum itf_place place)
{
	struct itf_parser *p = r->parser;

	r->at.off = p->pos;
	r->token = itf__lex(p->text, p->len, &p->pos, place);
	r->at.len = p->pos - r->at.off;
}

/* From the first byte of one span to the last of another. */
static struct itf_span join(struct itf_span from, struct itf_span to)
{
	struct itf_span span = { from.off, to.off + to.len - from.off };

	return span;
}

static struct itf_span behind(struct itf_span span)
{
	struct itf_span place = { span.off + span.len, 0 };

	return place;
}

static bool at_end(const struct reading *r)
{
	return r->token == ITF_TOKEN_SEP || r->token == ITF_TOKEN_END;
}

/*
 * Does the range go on behind separators, as the perf tool allows but no kernel? Only asked on
 * the way to an error, so looking ahead costs nothing.
 */
static bool goes_on(const struct reading *r)
{
	size_t pos = r->parser->pos;

	return r->token == ITF_TOKEN_SEP &&
	       itf__lex(r->parser->text, r->parser->len, &pos, ITF_PLACE_ACTION) == ITF_TOKEN_REST;
}

static bool ends_here(const struct reading *r)
{
	size_t pos = r->parser->pos;

	return itf__lex(r->parser->text, r->parser->len, &pos, ITF_PLACE_ACTION) == ITF_TOKEN_END;
}

static bool bad_action(struct reading *r)
{
	enum itf_hint hint = ITF_HINT_NONE;

	if (r->token == ITF_TOKEN_NUL)
		return fail(r, ITF_E_NUL_BYTE, r->at, ITF_HINT_NONE);
	if (r->token == ITF_TOKEN_TRACESTOP)
		hint = ITF_HINT_TRACESTOP;
	else if (r->parser->after_path)
		hint = ITF_HINT_SEPARATOR_IN_PATH;
	else if (r->token == ITF_TOKEN_REST)
		hint = ITF_HINT_BLANKS;
	return fail(r, ITF_E_EXPECTED_ACTION, r->at, hint);
}

/* The action and the separators behind it. */
static bool read_action(struct reading *r)
{
	struct itf_span action = r->at;

	switch (r->token) {
	case ITF_TOKEN_FILTER:
		r->filter.action = ITF_ACTION_FILTER;
		break;
	case ITF_TOKEN_START:
		r->filter.action = ITF_ACTION_START;
		break;
	case ITF_TOKEN_STOP:
		r->filter.action = ITF_ACTION_STOP;
		break;
	default:
		return bad_action(r);
	}
	/* The action is a whole token, so a separator, NUL or the end is what follows. */
	take(r, ITF_PLACE_ACTION);
	if (r->token == ITF_TOKEN_NUL)
		return bad_action(r);
	if (r->token == ITF_TOKEN_END || ends_here(r))
		return fail(r, ITF_E_INCOMPLETE_FILTER, action, ITF_HINT_NONE);
	r->filter.span = action;
	return true;
}

static bool bad_number(struct reading *r)
{
	struct itf_span span = r->at;
	enum itf_hint hint = ITF_HINT_NONE;

	switch (r->token) {
	case ITF_TOKEN_NUL:
		return fail(r, ITF_E_NUL_BYTE, span, ITF_HINT_NONE);
	case ITF_TOKEN_SEP:
		if (!ends_here(r))
			hint = ITF_HINT_BLANKS;
		span.len = 0;
		break;
	case ITF_TOKEN_SYMBOL:
		hint = ITF_HINT_SYMBOL;
		break;
	case ITF_TOKEN_STAR:
		hint = ITF_HINT_WHOLE_FILE;
		break;
	case ITF_TOKEN_BAD_OCTAL:
		hint = ITF_HINT_OCTAL;
		break;
	default:
		break;
	}
	return fail(r, ITF_E_BAD_NUMBER, span, hint);
}

static bool trailing_garbage(struct reading *r)
{
	struct itf_span first = r->at;

	if (r->token == ITF_TOKEN_NUL)
		return fail(r, ITF_E_NUL_BYTE, first, ITF_HINT_NONE);
	take(r, ITF_PLACE_PATH);
	if (r->token == ITF_TOKEN_PATH)
		first = join(first, r->at);
	return fail(r, ITF_E_TRAILING_GARBAGE, first, ITF_HINT_NONE);
}

/* An action where the range belongs; but "filter/0x10" is a symbol with a size. */
static bool is_action(const struct reading *r)
{
	size_t pos = r->at.off;

	switch (itf__lex(r->parser->text, r->parser->len, &pos, ITF_PLACE_ACTION)) {
	case ITF_TOKEN_FILTER:
	case ITF_TOKEN_START:
	case ITF_TOKEN_STOP:
		return true;
	default:
		return false;
	}
}

/* [ source ":" ] number [ "/" number ]: the shape only. */
static bool read_numbers(struct reading *r)
{
	struct itf_filter *f = &r->filter;

	take(r, ITF_PLACE_SOURCE);
	r->source = r->at;
	f->has_source = r->token != ITF_TOKEN_NONE;
	f->source = r->token == ITF_TOKEN_FILE ? ITF_SOURCE_FILE : ITF_SOURCE_KERNEL;
	take(r, ITF_PLACE_RANGE);
	if (!f->has_source && r->token == ITF_TOKEN_SYMBOL && is_action(r))
		return fail(r, ITF_E_EXPECTED_RANGE, r->at, ITF_HINT_NONE);
	if (r->token != ITF_TOKEN_NUMBER)
		return bad_number(r);
	f->start_span = r->at;
	f->size_span = behind(r->at);
	take(r, ITF_PLACE_RANGE);
	if (r->token != ITF_TOKEN_SLASH)
		return true;
	take(r, ITF_PLACE_RANGE);
	if (r->token != ITF_TOKEN_NUMBER)
		return bad_number(r);
	f->has_size = true;
	f->size_span = r->at;
	take(r, ITF_PLACE_RANGE);
	return true;
}

static bool bad_path(struct reading *r)
{
	struct itf_span span = r->at;
	enum itf_hint hint = ITF_HINT_NONE;

	if (r->token == ITF_TOKEN_NUL)
		return fail(r, ITF_E_NUL_BYTE, span, ITF_HINT_NONE);
	if (r->token == ITF_TOKEN_BAD_QUOTE) {
		take(r, ITF_PLACE_PATH);
		if (r->token == ITF_TOKEN_NUL)
			return fail(r, ITF_E_NUL_BYTE, r->at, ITF_HINT_NONE);
		return fail(r, ITF_E_BAD_QUOTE, span, ITF_HINT_NONE);
	}
	if (r->token == ITF_TOKEN_SEP && !ends_here(r))
		hint = ITF_HINT_BLANKS;
	span.len = 0;
	return fail(r, ITF_E_EMPTY_PATH, span, hint);
}

/* [ "@" path ]: the shape only. */
static bool read_path(struct reading *r)
{
	struct itf_parser *p = r->parser;
	struct itf_filter *f = &r->filter;

	f->path_span = behind(f->size_span);
	p->after_path = false;
	if (r->token == ITF_TOKEN_AT) {
		take(r, p->syntax.quotes ? ITF_PLACE_QUOTABLE_PATH : ITF_PLACE_PATH);
		if (r->token != ITF_TOKEN_PATH && r->token != ITF_TOKEN_QUOTED)
			return bad_path(r);
		f->quoted = r->token == ITF_TOKEN_QUOTED;
		f->path_span = r->at;
		f->path = p->text + r->at.off + f->quoted;
		f->path_len = r->at.len - 2 * (size_t)f->quoted;
		if (f->path_len == 0)
			return fail(r, ITF_E_EMPTY_PATH, r->at, ITF_HINT_NONE);
		if (!f->has_source)
			f->source = ITF_SOURCE_FILE;
		p->after_path = !f->quoted;
		take(r, ITF_PLACE_RANGE);
	}
	if (!at_end(r))
		return trailing_garbage(r);
	f->span = join(f->span, f->path_span);
	return true;
}

/* Steps (2) and (3) of SPEC 2: source and path. */
static bool judge_form(struct reading *r)
{
	struct itf_filter *f = &r->filter;
	enum itf_dialect dialect = r->parser->syntax.dialect;
	enum itf_hint hint;

	if (dialect == ITF_DIALECT_SEED && !f->has_source)
		return fail(r, ITF_E_SOURCE_REQUIRED, behind(r->source), ITF_HINT_ADD_SOURCE);
	if (dialect == ITF_DIALECT_MAINLINE && f->has_source)
		return fail(r, ITF_E_SOURCE_NOT_ALLOWED, r->source, ITF_HINT_DROP_SOURCE);
	if (f->source == ITF_SOURCE_FILE && !f->path) {
		hint = goes_on(r) ? ITF_HINT_BLANKS : ITF_HINT_ADD_PATH;
		return fail(r, ITF_E_PATH_REQUIRED, join(r->source, f->path_span), hint);
	}
	if (f->source == ITF_SOURCE_KERNEL && f->path)
		return fail(r, ITF_E_PATH_NOT_ALLOWED, f->path_span, ITF_HINT_NONE);
	return true;
}

/* Steps (4) to (6): the numbers. */
static bool judge_numbers(struct reading *r)
{
	struct itf_filter *f = &r->filter;
	const char *text = r->parser->text;
	unsigned int addr_bits = r->parser->syntax.addr_bits;
	u64 max = addr_bits == 32 ? 0xffffffffu : ~(u64)0;
	bool filters = f->action == ITF_ACTION_FILTER;

	if (!itf__number(text + f->start_span.off, f->start_span.len, max, &f->start,
			 &f->start_base))
		return fail(r, ITF_E_NUMBER_TOO_LARGE, f->start_span, ITF_HINT_NONE);
	if (f->has_size &&
	    !itf__number(text + f->size_span.off, f->size_span.len, max, &f->size, &f->size_base))
		return fail(r, ITF_E_NUMBER_TOO_LARGE, f->size_span, ITF_HINT_NONE);
	if (filters && !f->has_size && !f->has_source)
		return fail(r, ITF_E_SIZE_REQUIRED, f->start_span,
			    goes_on(r) ? ITF_HINT_BLANKS : ITF_HINT_ADD_SIZE);
	if (filters && f->has_size && f->size == 0)
		return fail(r, ITF_E_EMPTY_RANGE, f->size_span, ITF_HINT_NONE);
	if (!itf_range_valid(f->start, f->size, addr_bits))
		return fail(r, ITF_E_RANGE_WRAPS, join(f->start_span, f->size_span), ITF_HINT_NONE);
	return true;
}

void itf_parser_init(struct itf_parser *parser, const char *text, size_t len,
		     const struct itf_syntax *syntax)
{
	static const struct itf_syntax defaults;
	const struct itf_syntax *chosen = syntax ? syntax : &defaults;
	struct itf_parser fresh = {
		.text = text,
		.len = len,
		.syntax = *chosen,
	};

	if (chosen->addr_bits != 0 && chosen->addr_bits != 32 && chosen->addr_bits != 64) {
		fresh.error = ITF_E_INVALID;
	} else if (chosen->max_len && len > chosen->max_len) {
		fresh.error = ITF_E_STRING_TOO_LONG;
		fresh.span.off = chosen->max_len;
		fresh.span.len = len - chosen->max_len;
	}
	*parser = fresh;
}

bool itf_parser_next(struct itf_parser *parser, struct itf_filter *filter)
{
	struct reading r = { .parser = parser };

	if (parser->error)
		return false;
	take(&r, ITF_PLACE_ACTION);
	if (r.token == ITF_TOKEN_SEP)
		take(&r, ITF_PLACE_ACTION);
	if (r.token == ITF_TOKEN_END)
		return false;
	if (!read_action(&r) || !read_numbers(&r) || !read_path(&r) || !judge_form(&r) ||
	    !judge_numbers(&r))
		return false;
	*filter = r.filter;
	return true;
}
