// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Finds the lints of a set in near linear time: which filters and which pairs are worth a look.
 * Whether a pair deserves a lint is the engine's to say (itf_lint_pair()).
 *
 * Of each pair the later filter gets the lint. A filter gets each code at most once, with its
 * earliest partner, and one that repeats an earlier filter gets duplicate-filter alone: what
 * there is to say of it was said of the first. So there are never more lints than a few per
 * filter.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "index.h"
#include "set.h"

/* ---------------------------------------------------------------------- one filter by itself */

static bool add(struct filter_set *set, enum itf_lint code, size_t filter, size_t other,
		struct itf_span span)
{
	struct set_lint lint = { .code = code, .filter = filter, .other = other, .span = span };

	return set_add_lint(set, &lint);
}

static bool lint_one(struct filter_set *set, size_t index, const struct itf_event_kind *event)
{
	const struct itf_filter *f = &set->filters[index];

	if (itf_lint_octal_start(f) &&
	    !add(set, ITF_LINT_OCTAL_NUMBER, index, SIZE_MAX, f->start_span))
		return false;
	if (itf_lint_octal_size(f) &&
	    !add(set, ITF_LINT_OCTAL_NUMBER, index, SIZE_MAX, f->size_span))
		return false;
	if (itf_lint_mixed_bases(f) &&
	    !add(set, ITF_LINT_MIXED_BASES, index, SIZE_MAX, f->size_span))
		return false;
	if (itf_check_event(f, event) == ITF_E_KERNEL_FILTER_EXCLUDED &&
	    !add(set, ITF_LINT_KERNEL_FILTER_EXCLUDED, index, SIZE_MAX, f->span))
		return false;
	return true;
}

/* ---------------------------------------------------------------------- entries and duplicates */

/* What a filter can be in a pair. */
#define IS_FILTER 1u
#define IS_START 2u
#define IS_STOP 4u
#define IS_SIZED_STOP 8u
#define IS_START_POINT 16u
#define IS_STOP_POINT 32u

/* A filter on its way through the search: object number, kinds, and bytes with an inclusive end. */
struct entry {
	const struct itf_filter *filter;
	size_t index;
	u64 object;
	u64 last;
	unsigned int kinds;
};

static unsigned int kinds_of(const struct itf_filter *f)
{
	switch (f->action) {
	case ITF_ACTION_START:
		return IS_START | (f->size ? 0 : IS_START_POINT);
	case ITF_ACTION_STOP:
		return IS_STOP | (f->size ? IS_SIZED_STOP : IS_STOP_POINT);
	default:
		return IS_FILTER;
	}
}

/* A number for each path, 0 for kernel addresses. Return: false if memory ran out. */
static bool number_object(struct name_table *table, const struct itf_filter *f, u64 fresh,
			  u64 *object)
{
	size_t len = itf_path_decode(f, NULL, 0);
	char *path;
	bool ok;

	*object = 0;
	if (f->source != ITF_SOURCE_FILE)
		return true;
	path = set_path(f);
	if (!path)
		return false;
	*object = name_find(table, path, len);
	if (*object) {
		free(path);
		return true;
	}
	*object = fresh;
	ok = name_add(table, path, len, fresh);
	free(path);
	return ok;
}

static struct entry *make_entries(const struct filter_set *set)
{
	struct entry *entries = calloc(set->count, sizeof(*entries));
	struct name_table table = { 0 };
	bool ok = entries;

	for (size_t i = 0; ok && i < set->count; i++) {
		const struct itf_filter *f = &set->filters[i];

		entries[i].filter = f;
		entries[i].index = i;
		entries[i].last = f->start + (f->size ? f->size - 1 : 0);
		entries[i].kinds = kinds_of(f);
		ok = number_object(&table, f, i + 1, &entries[i].object);
	}
	name_free(&table);
	if (!ok) {
		free(entries);
		return NULL;
	}
	return entries;
}

static int compare(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

/* Same object, action, start and size side by side, the earliest first. */
static int by_content(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = compare(a->object, b->object);

	if (!order)
		order = compare(a->filter->action, b->filter->action);
	if (!order)
		order = compare(a->filter->start, b->filter->start);
	if (!order)
		order = compare(a->filter->size, b->filter->size);
	return order ? order : compare(a->index, b->index);
}

static int by_object(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = compare(a->object, b->object);

	return order ? order : compare(a->index, b->index);
}

/* Say what repeats an earlier filter and take it out. Return: false if memory ran out. */
static bool take_duplicates(struct filter_set *set, struct entry *entries, size_t *count)
{
	size_t kept = 0;

	qsort(entries, *count, sizeof(*entries), by_content);
	for (size_t i = 0; i < *count; i++) {
		const struct entry *e = &entries[i];

		if (kept && entries[kept - 1].object == e->object &&
		    itf_lint_pair(entries[kept - 1].filter, e->filter) ==
			    ITF_LINT_DUPLICATE_FILTER) {
			if (!add(set, ITF_LINT_DUPLICATE_FILTER, e->index, entries[kept - 1].index,
				 e->filter->span))
				return false;
			continue;
		}
		entries[kept++] = *e;
	}
	*count = kept;
	return true;
}

/* ---------------------------------------------------------------------- pairs that share a byte */

struct node {
	u64 last;
	bool any;
};

/*
 * The filters that still look for an earlier partner, sorted by start: a heap-shaped tree over
 * them, each node with the highest last byte below it, so that one that shares a byte with a
 * given range is found in logarithmic time. nodes[1] is the root, leaf I is nodes[capacity + I].
 */
struct seekers {
	struct node *nodes;
	size_t capacity;
	const struct entry **list;
	size_t count;
	size_t *leaf_of; /* by place in the entries */
};

static int by_start(const void *left, const void *right)
{
	const struct entry *a = *(const struct entry *const *)left;
	const struct entry *b = *(const struct entry *const *)right;
	int order = compare(a->filter->start, b->filter->start);

	return order ? order : compare(a->index, b->index);
}

static void renew(struct seekers *s, size_t node)
{
	const struct node *a = &s->nodes[2 * node], *b = &s->nodes[2 * node + 1];

	s->nodes[node] = b->any && (!a->any || b->last > a->last) ? *b : *a;
}

static void drop(struct seekers *s, size_t leaf)
{
	size_t node = s->capacity + leaf;

	s->nodes[node].any = false;
	for (node /= 2; node; node /= 2)
		renew(s, node);
}

static bool reaches(const struct seekers *s, size_t node, u64 start)
{
	return s->nodes[node].any && s->nodes[node].last >= start;
}

/* The first leaf, by start, that ends at or behind @start; SIZE_MAX if none. */
static size_t first_reaching(const struct seekers *s, u64 start)
{
	size_t node = 1;

	if (!reaches(s, node, start))
		return SIZE_MAX;
	while (node < s->capacity)
		node = reaches(s, 2 * node, start) ? 2 * node : 2 * node + 1;
	return node - s->capacity;
}

static void seekers_fill(struct seekers *s, const struct entry *entries, size_t count,
			 unsigned int kind)
{
	s->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (entries[i].kinds & kind)
			s->list[s->count++] = &entries[i];
	}
	qsort(s->list, s->count, sizeof(*s->list), by_start);
	for (s->capacity = 1; s->capacity < s->count;)
		s->capacity *= 2;
	for (size_t i = 0; i < s->capacity; i++) {
		struct node *leaf = &s->nodes[s->capacity + i];

		leaf->any = i < s->count;
		leaf->last = leaf->any ? s->list[i]->last : 0;
		if (leaf->any)
			s->leaf_of[s->list[i] - entries] = i;
	}
	for (size_t node = s->capacity - 1; node; node--)
		renew(s, node);
}

/* Give every seeker that shares a byte with @e its earliest partner. */
static bool meet(struct filter_set *set, struct seekers *s, const struct entry *e)
{
	for (;;) {
		size_t leaf = first_reaching(s, e->filter->start);
		const struct entry *other;
		enum itf_lint code;

		if (leaf == SIZE_MAX || s->list[leaf]->filter->start > e->last)
			return true;
		other = s->list[leaf];
		drop(s, leaf);
		code = itf_lint_pair(e->filter, other->filter);
		if (code && !add(set, code, other->index, e->index, other->filter->span))
			return false;
	}
}

/*
 * One object, filters in the order of the text: each stops seeking when its turn comes, and is
 * then the partner of all later ones that it shares a byte with and that have none yet.
 */
static bool pair_kinds(struct filter_set *set, struct seekers *s, const struct entry *entries,
		       size_t count, unsigned int seeker, unsigned int partner)
{
	seekers_fill(s, entries, count, seeker);
	for (size_t i = 0; s->count && i < count; i++) {
		if (entries[i].kinds & seeker)
			drop(s, s->leaf_of[i]);
		if (entries[i].kinds & partner && !meet(set, s, &entries[i]))
			return false;
	}
	return true;
}

static bool pair_object(struct filter_set *set, struct seekers *s, const struct entry *entries,
			size_t count)
{
	static const unsigned int lanes[][2] = {
		{ IS_FILTER, IS_FILTER },
		{ IS_START, IS_START },
		{ IS_STOP, IS_STOP },
		{ IS_FILTER, IS_SIZED_STOP },
		{ IS_SIZED_STOP, IS_FILTER },
		{ IS_START_POINT, IS_STOP_POINT },
		{ IS_STOP_POINT, IS_START_POINT },
	};

	if (count < 2)
		return true;
	for (size_t i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++) {
		if (!pair_kinds(set, s, entries, count, lanes[i][0], lanes[i][1]))
			return false;
	}
	return true;
}

static bool pair_all(struct filter_set *set, struct entry *entries, size_t count)
{
	struct seekers s = { 0 };
	size_t from = 0, to;
	bool ok;

	/*
	 * A power of two of leaves and as many nodes above them is less than four times the
	 * count.
	 */
	s.nodes = calloc(count, 4 * sizeof(*s.nodes));
	s.list = calloc(count, sizeof(*s.list));
	s.leaf_of = calloc(count, sizeof(*s.leaf_of));
	ok = s.nodes && s.list && s.leaf_of;
	qsort(entries, count, sizeof(*entries), by_object);
	for (; ok && from < count; from = to) {
		for (to = from + 1; to < count && entries[to].object == entries[from].object;)
			to++;
		ok = pair_object(set, &s, entries + from, to - from);
	}
	free(s.nodes);
	free(s.list);
	free(s.leaf_of);
	return ok;
}

/* ---------------------------------------------------------------------- all together */

static int by_filter(const void *left, const void *right)
{
	const struct set_lint *a = left, *b = right;
	int order = compare(a->filter, b->filter);

	if (!order)
		order = compare(a->code, b->code);
	return order ? order : compare(a->span.off, b->span.off);
}

bool set_lint(struct filter_set *set, const struct itf_event_kind *event)
{
	struct entry *entries;
	size_t count = set->count;
	bool ok = true;

	if (!count)
		return true;
	for (size_t i = 0; ok && i < count; i++)
		ok = lint_one(set, i, event);
	entries = ok ? make_entries(set) : NULL;
	ok = entries && take_duplicates(set, entries, &count) && pair_all(set, entries, count);
	free(entries);
	if (!ok) {
		errno = ENOMEM;
		return false;
	}
	if (set->lint_count)
		qsort(set->lints, set->lint_count, sizeof(*set->lints), by_filter);
	return true;
}
