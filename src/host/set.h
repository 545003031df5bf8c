/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A filter set with its text in memory of its own, its lints, and what was wrong with it. Reads no
 * files.
 */
#ifndef ITF_HOST_SET_H
#define ITF_HOST_SET_H

#include <itf/itf.h>

/**
 * struct set_lint - one lint of a set
 * @code: which
 * @filter: index of the filter it is about; of a pair, the later one
 * @other: of a pair, index of the earlier one; else SIZE_MAX
 * @span: the part of the text it is about
 * @detail: allocated text to show behind the lint's own message, or NULL
 */
struct set_lint {
	enum itf_lint code;
	size_t filter;
	size_t other;
	struct itf_span span;
	char *detail;
};

/**
 * struct filter_set - a filter set
 * @text: the text, owned, not NUL-terminated
 * @len: bytes in @text
 * @syntax: how it was read
 * @filters: array of @count filters, owned; their paths point into @text. Their objects are 0 until
 *	objects_init() sets them
 * @count: filters in the set
 * @lints: array of @lint_count lints by filter, owned; empty until set_lint()
 * @lint_count: lints
 * @error: ITF_OK, or why the text is no filter set; then @count is 0
 * @span: where
 * @hint: what was probably meant
 */
struct filter_set {
	char *text;
	size_t len;
	struct itf_syntax syntax;
	struct itf_filter *filters;
	size_t count;
	struct set_lint *lints;
	size_t lint_count;
	enum itf_error error;
	struct itf_span span;
	enum itf_hint hint;
};

/**
 * set_parse() - read a filter set
 * @set: filled in any case; release it with set_free()
 * @text: any bytes, copied
 * @len: bytes in @text
 * @syntax: as for itf_parser_init()
 *
 * Return: true; false with errno set if memory ran out. A wrong text is no failure: see
 * @set->error.
 */
bool set_parse(struct filter_set *set, const char *text, size_t len,
	       const struct itf_syntax *syntax);

/**
 * set_add_lint() - add a lint that somebody else found, before set_lint()
 * @set: a set without error
 * @lint: copied; its @detail then belongs to the set, also on failure
 *
 * Return: true; false with errno set if memory ran out.
 */
bool set_add_lint(struct filter_set *set, const struct set_lint *lint);

/**
 * set_lint() - find the lints of a set, to be called once: near linear time in filters and lints
 * @set: a set without error; lints are added to its @lints, which are then sorted by filter and
 *	code
 * @event: what kind of event it is for
 *
 * A filter gets each code of a pair at most once, with its earliest partner; one that repeats an
 * earlier filter gets ITF_LINT_DUPLICATE_FILTER and no other code of a pair.
 *
 * Return: true; false with errno set if memory ran out.
 */
bool set_lint(struct filter_set *set, const struct itf_event_kind *event);

/**
 * set_free() - release what a set owns
 * @set: a set
 */
void set_free(struct filter_set *set);

/**
 * set_path() - the decoded path of a filter as a C string
 * @filter: a file filter
 *
 * Return: an allocated string, or NULL with errno set.
 */
char *set_path(const struct itf_filter *filter);

#endif
