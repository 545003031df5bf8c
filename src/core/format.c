// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * From filters back to text, and the bytes of a path. Writes what parse.c reads (SPEC 2); judges
 * nothing but whether a filter can be written at all.
 */
#include <itf/filter.h>

/* Text on its way out: counts every byte, keeps those that fit. */
struct out {
	char *buf;
	size_t size;
	size_t used;
};

static void put(struct out *out, char c)
{
	if (out->used < out->size)
		out->buf[out->used] = c;
	out->used++;
}

static void put_string(struct out *out, const char *s)
{
	while (*s)
		put(out, *s++);
}

static char hex_digit(u64 value)
{
	return "0123456789abcdef"[value & 15];
}

static void put_number(struct out *out, u64 value)
{
	unsigned int shift = 60;

	put_string(out, "0x");
	while (shift && !(value >> shift))
		shift -= 4;
	for (;; shift -= 4) {
		put(out, hex_digit(value >> shift));
		if (!shift)
			return;
	}
}

static u8 unhex(char c)
{
	return (u8)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

/* The path byte at *pos of the raw slice; *pos moves on. Only whole escapes got past the lexer. */
static char path_byte(const struct itf_filter *filter, size_t *pos)
{
	const char *at = filter->path + *pos;

	if (!filter->quoted || at[0] != '\\') {
		*pos += 1;
		return at[0];
	}
	if (at[1] == 'x') {
		*pos += 4;
		return (char)(u8)(unhex(at[2]) << 4 | unhex(at[3]));
	}
	*pos += 2;
	if (at[1] == 'n')
		return '\n';
	return at[1] == 't' ? '\t' : at[1];
}

static bool is_separator(char c)
{
	return c == ' ' || c == ',' || c == '\n';
}

static bool needs_quotes(const struct itf_filter *filter)
{
	size_t pos = 0;
	char c;

	while (pos < filter->path_len) {
		bool first = pos == 0;

		c = path_byte(filter, &pos);
		if (is_separator(c) || (first && c == '"'))
			return true;
	}
	return false;
}

static void put_quoted(struct out *out, const struct itf_filter *filter)
{
	size_t pos = 0;
	char c;

	put(out, '"');
	while (pos < filter->path_len) {
		c = path_byte(filter, &pos);
		if (c == '\n') {
			put_string(out, "\\n");
			continue;
		}
		if (c == '"' || c == '\\')
			put(out, '\\');
		put(out, c);
	}
	put(out, '"');
}

static void put_path(struct out *out, const struct itf_filter *filter, bool quotes)
{
	size_t pos = 0;

	put(out, '@');
	if (quotes) {
		put_quoted(out, filter);
		return;
	}
	while (pos < filter->path_len)
		put(out, path_byte(filter, &pos));
}

static void put_filter(struct out *out, const struct itf_filter *filter, bool seed)
{
	put_string(out, itf_action_name(filter->action));
	put(out, ' ');
	if (seed) {
		put_string(out, itf_source_name(filter->source));
		put(out, ':');
	}
	put_number(out, filter->start);
	if (filter->size) {
		put(out, '/');
		put_number(out, filter->size);
	}
	if (filter->source == ITF_SOURCE_FILE)
		put_path(out, filter, needs_quotes(filter));
}

static void put_set(struct out *out, const struct itf_filter *filters, size_t count,
		    enum itf_dialect to)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (i)
			put(out, ',');
		put_filter(out, &filters[i],
			   to == ITF_DIALECT_ANY ? filters[i].has_source : to == ITF_DIALECT_SEED);
	}
}

static bool writable(const struct itf_filter *filter, enum itf_dialect to)
{
	/* With quotes on, only a missing size keeps a mainline form from being read. */
	if (to == ITF_DIALECT_ANY)
		return filter->has_source || filter->action != ITF_ACTION_FILTER || filter->size;
	return to == ITF_DIALECT_SEED || itf_in_mainline(filter);
}

enum itf_error itf_format(const struct itf_filter *filters, size_t count, enum itf_dialect to,
			  char *buf, size_t size, size_t *need, size_t *bad)
{
	struct out out = { NULL, 0, 0 };
	size_t i;

	for (i = 0; i < count; i++) {
		if (writable(&filters[i], to))
			continue;
		if (bad)
			*bad = i;
		return ITF_E_NOT_IN_MAINLINE;
	}
	put_set(&out, filters, count, to);
	if (need)
		*need = out.used;
	if (out.used > size)
		return ITF_E_BUFFER_TOO_SMALL;
	out = (struct out){ buf, size, 0 };
	put_set(&out, filters, count, to);
	return ITF_OK;
}

bool itf_in_mainline(const struct itf_filter *filter)
{
	if (filter->action == ITF_ACTION_FILTER && filter->size == 0)
		return false;
	return filter->source != ITF_SOURCE_FILE || !needs_quotes(filter);
}

size_t itf_path_decode(const struct itf_filter *filter, char *buf, size_t size)
{
	size_t pos, len = 0;

	for (pos = 0; pos < filter->path_len; len++)
		path_byte(filter, &pos);
	if (len > size)
		return len;
	len = 0;
	for (pos = 0; pos < filter->path_len;)
		buf[len++] = path_byte(filter, &pos);
	return len;
}

bool itf_path_equal(const struct itf_filter *a, const struct itf_filter *b)
{
	size_t i = 0, j = 0;

	if (a->source != b->source)
		return false;
	if (a->source == ITF_SOURCE_KERNEL)
		return true;
	if (!a->quoted && !b->quoted)
		return a->path_len == b->path_len && !itf_memcmp(a->path, b->path, a->path_len);
	while (i < a->path_len && j < b->path_len) {
		if (path_byte(a, &i) != path_byte(b, &j))
			return false;
	}
	return i == a->path_len && j == b->path_len;
}

static const char *const actions[] = {
	[ITF_ACTION_FILTER] = "filter",
	[ITF_ACTION_START] = "start",
	[ITF_ACTION_STOP] = "stop",
};

const char *itf_action_name(enum itf_action action)
{
	return (unsigned int)action <= ITF_ACTION_STOP ? actions[action] : "unknown";
}

static const char *const sources[] = {
	[ITF_SOURCE_FILE] = "file",
	[ITF_SOURCE_KERNEL] = "kernel",
};

const char *itf_source_name(enum itf_source source)
{
	return (unsigned int)source <= ITF_SOURCE_KERNEL ? sources[source] : "unknown";
}
