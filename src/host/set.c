// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A filter set in memory of its own. Asks the parser for everything and judges nothing itself; what
 * filters of one set say against each other is for lints.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "set.h"

/* Room for one more in an array that has room for the next power of two. NULL if memory ran out. */
static void *room_for_one(void *array, size_t count, size_t size)
{
	size_t bytes;

	if (count & (count - 1))
		return array;
	if (__builtin_mul_overflow(count ? count * 2 : 1, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(array, bytes);
}

/* Return: false with errno set if memory ran out. */
static bool read_filters(struct filter_set *set)
{
	struct itf_parser parser;
	struct itf_filter filter;

	itf_parser_init(&parser, set->text, set->len, &set->syntax);
	while (itf_parser_next(&parser, &filter)) {
		struct itf_filter *filters = room_for_one(set->filters, set->count, sizeof(filter));

		if (!filters)
			return false;
		set->filters = filters;
		filters[set->count++] = filter;
	}
	set->error = parser.error;
	if (set->error) {
		set->span = parser.span;
		set->hint = parser.hint;
		set->count = 0;
	}
	return true;
}

bool set_parse(struct filter_set *set, const char *text, size_t len,
	       const struct itf_syntax *syntax)
{
	*set = (struct filter_set){ 0 };
	if (syntax)
		set->syntax = *syntax;
	set->text = malloc(len ? len : 1);
	if (!set->text)
		return false;
	if (len)
		memcpy(set->text, text, len);
	set->len = len;
	return read_filters(set);
}

bool set_add_lint(struct filter_set *set, const struct set_lint *lint)
{
	struct set_lint *lints = room_for_one(set->lints, set->lint_count, sizeof(*lint));

	if (!lints) {
		free(lint->detail);
		errno = ENOMEM;
		return false;
	}
	set->lints = lints;
	lints[set->lint_count++] = *lint;
	return true;
}

void set_free(struct filter_set *set)
{
	for (size_t i = 0; i < set->lint_count; i++)
		free(set->lints[i].detail);
	free(set->lints);
	free(set->filters);
	free(set->text);
	*set = (struct filter_set){ 0 };
}

char *set_path(const struct itf_filter *filter)
{
	size_t len = itf_path_decode(filter, NULL, 0);
	char *path = malloc(len + 1);

	if (!path)
		return NULL;
	itf_path_decode(filter, path, len);
	path[len] = '\0';
	return path;
}
