// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What the engine says of a process, against what its bytes say. See model.h. */
#include "fuzz.h"
#include "model.h"

static u64 address(const struct model_set *set, size_t at)
{
	u64 mask = set->place->addr_bits == 32 ? 0xffffffff : ~(u64)0;

	return (set->place->memory + at) & mask;
}

/* What the bytes are to one filter. */
struct view {
	const struct model *m;
	const struct model_set *set;
	const struct itf_filter *filter;
	/* What the mapping at a byte shows; none if its first byte is not there. */
	unsigned int object[MODEL_BYTES];
	/* A byte that the filter means, executable or not; one that should be traced. */
	bool wanted[MODEL_BYTES], traced[MODEL_BYTES];
};

static void view_objects(struct view *v)
{
	size_t at, end, i;

	for (at = 0; at < MODEL_BYTES; at = end) {
		end = model_end(v->m, at);
		for (i = at; i < end; i++)
			v->object[i] = v->m->bytes[at].gone ? 0 : v->m->bytes[at].object;
	}
}

static void view_filter(struct view *v, const struct itf_filter *f)
{
	u64 bytes = f->size ? f->size : 1;
	size_t at;

	v->filter = f;
	for (at = 0; at < MODEL_BYTES; at++) {
		const struct model_byte *b = &v->m->bytes[at];

		v->wanted[at] = f->source == ITF_SOURCE_FILE && b->id && b->object && !b->gone &&
				b->object == f->object && b->offset >= f->start &&
				b->offset - f->start < bytes;
		v->traced[at] = v->wanted[at] && b->prot & ITF_PROT_EXEC;
	}
}

/* ---------- mappings */

static void compare_maps(const struct view *v, const struct itf_space *space)
{
	const struct model_set *set = v->set;
	const struct model *m = v->m;
	size_t at, end, n = 0;

	for (at = 0; at < MODEL_BYTES; at = end) {
		const struct itf_mapping *map = &space->maps[n];

		end = model_end(m, at);
		FUZZ_ASSERT(itf_space_find(space, address(set, at)) == n);
		FUZZ_ASSERT(itf_space_find(space, address(set, end - 1)) == n);
		if (!m->bytes[at].id)
			continue;
		FUZZ_ASSERT(n++ < space->count);
		FUZZ_ASSERT(map->start == address(set, at) && map->size == end - at);
		FUZZ_ASSERT(map->prot == m->bytes[at].prot);
		FUZZ_ASSERT(map->object == v->object[at]);
		if (map->object)
			FUZZ_ASSERT(map->offset == m->bytes[at].offset);
	}
	FUZZ_ASSERT(n == space->count);
}

/* ---------- the three answers */

static void compare_slot(const struct model_slot *want, const struct itf_slot *slot)
{
	FUZZ_ASSERT(slot->matched == want->matched && slot->exec == want->exec);
	FUZZ_ASSERT(slot->touching == want->touching);
	FUZZ_ASSERT(slot->range.start == want->start && slot->range.size == want->size);
}

static void compare_exact(const struct view *v, const struct itf_space *space)
{
	const struct model_byte *b = v->m->bytes;
	const struct itf_filter *f = v->filter;
	struct itf_piece piece = { 1, 2, 3 };
	struct itf_exact it;
	size_t at, end;

	itf_exact_init(&it, space, f);
	if (f->source == ITF_SOURCE_KERNEL) {
		FUZZ_ASSERT(itf_exact_next(&it, &piece));
		FUZZ_ASSERT(piece.start == f->start && piece.size == f->size && !piece.offset);
	}
	for (at = 0; at < MODEL_BYTES; at = end) {
		end = at + 1;
		if (!v->traced[at])
			continue;
		while (f->size && end < MODEL_BYTES && v->traced[end] &&
		       b[end].offset == b[end - 1].offset + 1)
			end++;
		FUZZ_ASSERT(itf_exact_next(&it, &piece));
		FUZZ_ASSERT(piece.start == address(v->set, at) && piece.offset == b[at].offset);
		FUZZ_ASSERT(piece.size == (f->size ? end - at : 0));
	}
	FUZZ_ASSERT(!itf_exact_next(&it, &piece));
}

/* ---------- what is said of them */

static enum itf_verdict verdict(const struct view *v, const struct model_slot *slot)
{
	const struct itf_filter *f = v->filter;
	size_t all = 0, inside = 0, at;

	if (!slot->matched)
		return ITF_VERDICT_NONE;
	if (f->source == ITF_SOURCE_KERNEL)
		return ITF_VERDICT_COVERED;
	if (f->size && !slot->size)
		return ITF_VERDICT_RUNAWAY;
	for (at = 0; at < MODEL_BYTES; at++) {
		u64 a = address(v->set, at);

		if (!v->traced[at])
			continue;
		all++;
		inside += a >= slot->start && a - slot->start < (slot->size ? slot->size : 1);
	}
	if (!inside)
		return ITF_VERDICT_NONE;
	return inside == all ? ITF_VERDICT_COVERED : ITF_VERDICT_PARTIAL;
}

/* The index of the first byte of the mapping before the hole or mapping at @at; -1 if none. */
static int before(const struct model *m, size_t at)
{
	unsigned int id = m->bytes[at].id;

	while (at && m->bytes[at - 1].id == id)
		at--;
	if (!at || !m->bytes[at - 1].id)
		return -1;
	id = m->bytes[--at].id;
	while (at && m->bytes[at - 1].id == id)
		at--;
	return (int)at;
}

/*
 * Is a byte of the filter missing where anonymous executable memory is? Between two mappings of the
 * file, without a gap behind the first one and without another file's mapping anywhere.
 */
static bool anonymous_text(const struct view *v)
{
	const struct itf_filter *f = v->filter;
	size_t at, next;

	for (at = 0; at < MODEL_BYTES; at++) {
		const struct model_byte *b = &v->m->bytes[at];
		int first = (int)at;
		u64 offset;

		if (!b->id || v->object[at] || !(b->prot & ITF_PROT_EXEC))
			continue;
		do
			first = before(v->m, (size_t)first);
		while (first >= 0 && !v->object[first]);
		if (first < 0 || v->object[first] != f->object)
			continue;
		if (__builtin_add_overflow(v->m->bytes[first].offset, at - (size_t)first,
					   &offset) ||
		    offset < f->start || offset - f->start >= (f->size ? f->size : 1))
			continue;
		for (next = at; next < MODEL_BYTES; next++) {
			if (v->m->bytes[next].id && v->object[next])
				break;
		}
		if (next < MODEL_BYTES && v->object[next] == f->object &&
		    v->m->bytes[next].offset > v->m->bytes[first].offset)
			return true;
	}
	return false;
}

/* Is some byte of the filter in no executable mapping? */
static bool cut(const struct view *v)
{
	u64 n = v->filter->size ? v->filter->size : 1;
	bool seen[MODEL_BYTES] = { false };
	size_t at;

	/* More bytes than memory has cannot all be there. */
	if (n > MODEL_BYTES)
		return true;
	for (at = 0; at < MODEL_BYTES; at++) {
		if (v->traced[at])
			seen[v->m->bytes[at].offset - v->filter->start] = true;
	}
	return memchr(seen, false, n * sizeof(seen[0])) != NULL;
}

#define BIT(note) ITF_NOTE_BIT(ITF_NOTE_##note)

static bool in_mainline(const struct itf_filter *f)
{
	return f->action != ITF_ACTION_FILTER || f->size;
}

static u32 notes(const struct view *v, const struct model_slot *launch,
		 const struct model_slot *attach)
{
	const struct itf_filter *f = v->filter;
	u32 set = in_mainline(f) ? 0 : BIT(NOT_IN_MAINLINE);
	size_t bytes = 0, mappings = 0, at, end, i;

	if (f->source == ITF_SOURCE_KERNEL)
		return set;
	for (at = 0; at < MODEL_BYTES; at = end) {
		bool holds = false;

		end = model_end(v->m, at);
		for (i = at; i < end; i++) {
			bytes += v->wanted[i];
			holds = holds || v->traced[i];
		}
		mappings += holds;
	}
	if (!bytes)
		set |= BIT(NOT_MAPPED);
	else if (!mappings)
		set |= BIT(NO_EXEC_BYTES);
	if (mappings > 1)
		set |= BIT(SEVERAL_MAPPINGS);
	if (mappings && cut(v))
		set |= BIT(CUT_BY_MAPPING);
	if (mappings && attach->matched && !attach->exec)
		set |= BIT(NON_EXEC_FIRST);
	if (launch->touching || attach->touching)
		set |= BIT(TOUCHING_MAPPING);
	if (f->object && anonymous_text(v))
		set |= BIT(ANONYMOUS_TEXT);
	return set;
}

static void compare_filter(const struct view *v, const struct itf_track *track, size_t i)
{
	const struct model_slot *want_launch = &v->m->launch[i], *want_attach = &v->m->attach[i];
	const struct itf_slot *launch = &track->launch[i], *attach = &track->attach[i];
	const struct itf_space *space = &track->space;
	const struct itf_filter *f = v->filter;
	u32 noted;

	compare_slot(want_launch, launch);
	compare_slot(want_attach, attach);
	compare_exact(v, space);
	FUZZ_ASSERT(itf_judge(space, f, launch) == verdict(v, want_launch));
	FUZZ_ASSERT(itf_judge(space, f, attach) == verdict(v, want_attach));
	noted = notes(v, want_launch, want_attach);
	FUZZ_ASSERT(itf_explain(space, f, launch, attach) == noted);
	/* Answers that nobody asks for are not judged. */
	noted &= ~(BIT(TOUCHING_MAPPING) | BIT(NON_EXEC_FIRST));
	FUZZ_ASSERT(itf_explain(space, f, NULL, NULL) == noted);
}

void model_compare(const struct model *m, const struct model_set *set,
		   const struct itf_track *track)
{
	struct view v = { .m = m, .set = set };
	size_t i;

	FUZZ_ASSERT(track->count == set->count);
	view_objects(&v);
	compare_maps(&v, &track->space);
	for (i = 0; i < set->count; i++) {
		view_filter(&v, &set->filters[i]);
		compare_filter(&v, track, i);
	}
}
