// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The grammar a second time. See oracle.h; must include nothing of the engine. */
#include "oracle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A part of the text; @cut: a NUL byte ended it before its token ended. */
struct part {
	const char *p;
	size_t len;
	bool cut;
};

static bool is_sep(char c)
{
	return c == ' ' || c == ',' || c == '\n';
}

static bool is(struct part part, const char *word)
{
	return part.len == strlen(word) && !memcmp(part.p, word, part.len);
}

static bool begins(struct part part, const char *word)
{
	return part.len >= strlen(word) && !memcmp(part.p, word, strlen(word));
}

static const char *action_of(struct part part)
{
	static const char *const actions[] = { "filter", "start", "stop" };
	size_t i;

	for (i = 0; i < 3; i++) {
		if (is(part, actions[i]))
			return actions[i];
	}
	return NULL;
}

static bool all(struct part part, size_t from, const char *set)
{
	size_t i;

	for (i = from; i < part.len; i++) {
		if (!part.p[i] || !strchr(set, part.p[i]))
			return false;
	}
	return true;
}

/* 0 if it is no number. */
static unsigned int base_of(struct part part)
{
	if (!part.len)
		return 0;
	if (part.p[0] != '0')
		return all(part, 0, "0123456789") ? 10 : 0;
	if (part.len == 1)
		return 10;
	if (part.p[1] == 'x' || part.p[1] == 'X')
		return part.len > 2 && all(part, 2, "0123456789abcdefABCDEF") ? 16 : 0;
	return all(part, 1, "01234567") ? 8 : 0;
}

/* The C library's idea of its value. */
static bool value_of(const struct oracle *o, struct part part, uint64_t *value)
{
	unsigned int base = base_of(part);
	char digits[32] = "";
	size_t zeros = base == 16 ? 2 : 0;

	while (zeros < part.len && part.p[zeros] == '0')
		zeros++;
	/* 2^64 has 22 digits in octal, fewer in other bases. */
	if (part.len - zeros >= sizeof(digits))
		return false;
	memcpy(digits, part.p + zeros, part.len - zeros);
	errno = 0;
	*value = strtoull(digits, NULL, (int)base);
	return errno != ERANGE && (o->addr_bits != 32 || *value <= 0xffffffff);
}

/* Bytes up to "/", "@", ":" or the end. */
static struct part field(struct part *rest)
{
	struct part part = { rest->p, 0, false };

	while (part.len < rest->len && !strchr("/@:", rest->p[part.len]))
		part.len++;
	rest->p += part.len;
	rest->len -= part.len;
	return part;
}

static bool take(struct part *rest, const char *word)
{
	if (!begins(*rest, word))
		return false;
	rest->p += strlen(word);
	rest->len -= strlen(word);
	return true;
}

static int hex(char c)
{
	const char *digits = "0123456789abcdef0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)((at - digits) % 16) : -1;
}

/*
 * The bytes of a quoted path, @rest right behind the opening quote; moves behind the closing one.
 * Return: NULL, or the error.
 */
static const char *unquote(struct part *rest, char *to, size_t *len)
{
	size_t i = 0;

	*len = 0;
	while (i < rest->len && rest->p[i] != '"') {
		char c = rest->p[i++];

		if (c == '\\') {
			size_t left = rest->len - i;

			if (left >= 1 && strchr("\\\"nt", rest->p[i])) {
				c = rest->p[i++];
				c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
			} else if (left >= 3 && rest->p[i] == 'x' && hex(rest->p[i + 1]) >= 0 &&
				   hex(rest->p[i + 2]) >= 0) {
				c = (char)(hex(rest->p[i + 1]) * 16 + hex(rest->p[i + 2]));
				i += 3;
			} else {
				return "bad-quote";
			}
			if (!c)
				return "bad-quote";
		}
		to[(*len)++] = c;
	}
	if (i == rest->len)
		return rest->cut ? "nul-byte" : "bad-quote";
	rest->p += i + 1;
	rest->len -= i + 1;
	return *len ? NULL : "empty-path";
}

/* What a range is made of, before anything is judged but its shape. */
struct shape {
	struct part start, size;
	bool file, kernel, has_size, has_path, quoted;
};

static const char *number(struct part *rest, struct part *digits)
{
	*digits = field(rest);
	if (base_of(*digits))
		return NULL;
	return !digits->len && !rest->len && rest->cut ? "nul-byte" : "bad-number";
}

/* The numbers of a range; @rest is what follows them. */
static const char *numbers(struct part *rest, struct shape *s)
{
	const char *error;

	s->file = take(rest, "file:");
	s->kernel = !s->file && take(rest, "kernel:");
	error = number(rest, &s->start);
	s->has_size = !error && take(rest, "/");
	return s->has_size ? number(rest, &s->size) : error;
}

static const char *shape_of(const struct oracle *o, struct part token, struct shape *s, char *path,
			    size_t *path_len)
{
	struct part rest = token;
	const char *error;

	*s = (struct shape){ .has_size = false };
	*path_len = 0;
	if (action_of(token))
		return "expected-range";
	error = numbers(&rest, s);
	if (error)
		return error;
	s->has_path = take(&rest, "@");
	if (s->has_path && !rest.len)
		return rest.cut ? "nul-byte" : "empty-path";
	s->quoted = s->has_path && o->quotes && take(&rest, "\"");
	if (s->quoted) {
		error = unquote(&rest, path, path_len);
		if (error)
			return error;
	} else if (s->has_path) {
		memcpy(path, rest.p, rest.len);
		*path_len = rest.len;
		rest.len = 0;
	}
	if (rest.len)
		return "trailing-garbage";
	return rest.cut ? "nul-byte" : NULL;
}

/* Steps (2) to (6) of SPEC 2. */
static const char *judge(const struct oracle *o, const struct shape *s, struct oracle_filter *f)
{
	bool source = s->file || s->kernel;
	bool filters = !strcmp(f->action, "filter");
	uint64_t end;

	if (o->dialect == 's' && !source)
		return "source-required";
	if (o->dialect == 'm' && source)
		return "source-not-allowed";
	if (s->file && !s->has_path)
		return "path-required";
	if (s->kernel && s->has_path)
		return "path-not-allowed";
	f->size = 0;
	if (!value_of(o, s->start, &f->start) || (s->has_size && !value_of(o, s->size, &f->size)))
		return "number-too-large";
	if (filters && !s->has_size && !source)
		return "size-required";
	if (filters && s->has_size && !f->size)
		return "empty-range";
	end = f->start + f->size;
	if (o->addr_bits == 32 ? end > (uint64_t)1 << 32 : end < f->start && end)
		return "range-wraps";
	return NULL;
}

/*
 * The token at @pos, up to a separator. In quotes separators are ordinary, and quotes count right
 * behind the first "@" of an otherwise good range only.
 */
static struct part token_at(const struct oracle *o, size_t pos, bool range, size_t *end)
{
	struct part token = { o->text + pos, 0, false };
	struct shape s;

	*end = pos;
	while (*end < o->len && !is_sep(o->text[*end]) && o->text[*end] != '@')
		(*end)++;
	if (*end < o->len && o->text[*end] == '@') {
		struct part before = { token.p, *end - pos, false };

		(*end)++;
		if (range && o->quotes && *end < o->len && o->text[*end] == '"' &&
		    !numbers(&before, &s) && !before.len) {
			/* Over all that is quoted; where that has no end, nor has the token. */
			for ((*end)++; *end < o->len && o->text[*end] != '"'; (*end)++)
				*end += o->text[*end] == '\\';
			*end = *end < o->len ? *end + 1 : o->len;
		}
		while (*end < o->len && !is_sep(o->text[*end]))
			(*end)++;
	}
	while (token.len < *end - pos && token.p[token.len])
		token.len++;
	token.cut = token.len < *end - pos;
	return token;
}

bool oracle_next(struct oracle *o, struct oracle_filter *f)
{
	struct part token;
	struct shape s;
	size_t end;

	if (o->error)
		return false;
	if (o->max_len && o->len > o->max_len) {
		o->error = "string-too-long";
		return false;
	}
	while (o->pos < o->len && is_sep(o->text[o->pos]))
		o->pos++;
	if (o->pos == o->len)
		return false;
	f->off = o->pos;
	token = token_at(o, o->pos, false, &end);
	f->action = action_of(token);
	if (!f->action || token.cut) {
		o->error = token.cut && (f->action || !token.len) ? "nul-byte" : "expected-action";
		return false;
	}
	while (end < o->len && is_sep(o->text[end]))
		end++;
	if (end == o->len) {
		o->error = "incomplete-filter";
		return false;
	}
	token = token_at(o, end, true, &f->end);
	o->error = shape_of(o, token, &s, o->scratch, &f->path_len);
	if (!o->error)
		o->error = judge(o, &s, f);
	if (o->error)
		return false;
	f->file = s.has_path;
	f->has_source = s.file || s.kernel;
	f->has_size = s.has_size;
	f->quoted = s.quoted;
	f->start_base = base_of(s.start);
	f->size_base = s.has_size ? base_of(s.size) : 0;
	o->pos = f->end;
	return true;
}
