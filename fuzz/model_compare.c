// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What the engine says of a process, against what its bytes say. See model.h. */
#include "fuzz.h"
#include "model.h"

static u64 address(const struct model_set *set, size_t at)
{
	u64 mask = set->place->addr_bits == 32 ? 0xffffffff : ~(u64)0;

	return (set->place->memory + at) & mask;
}

/* The bytes that a filter means, executable or not. */
static bool wanted(const struct itf_filter *f, const struct model_byte *b)
{
	return f->source == ITF_SOURCE_FILE && b->id && b->object && b->object == f->object &&
	       !b->gone && b->offset >= f->start && b->offset - f->start < (f->size ? f->size : 1);
}

static bool traced(const struct itf_filter *f, const struct model_byte *b)
{
	return wanted(f, b) && b->prot & ITF_PROT_EXEC;
}

/* The object that the mapping at a byte shows; none if its first byte is not there. */
static unsigned int object_at(const struct model *m, size_t at)
{
	unsigned int id = m->bytes[at].id;

	while (at && m->bytes[at - 1].id == id)
		at--;
	return m->bytes[at].gone ? 0 : m->bytes[at].object;
}

/* ---------- mappings */

static void compare_maps(const struct model *m, const struct model_set *set,
			 const struct itf_space *space)
{
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
		FUZZ_ASSERT(map->object == object_at(m, at));
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

static void compare_exact(const struct model *m, const struct model_set *set,
			  const struct itf_filter *f, const struct itf_space *space)
{
	struct itf_piece piece = { 1, 2, 3 };
	struct itf_exact it;
	size_t at, end;

	itf_exact_init(&it, space, f);
	if (f->source == ITF_SOURCE_KERNEL) {
		FUZZ_ASSERT(itf_exact_next(&it, &piece));
		FUZZ_ASSERT(piece.start == f->start && piece.size == f->size && !piece.offset);
	}
	for (at = 0; at < MODEL_BYTES; at = end) {
		const struct model_byte *b = m->bytes;

		end = at + 1;
		if (!traced(f, &b[at]))
			continue;
		while (f->size && end < MODEL_BYTES && traced(f, &b[end]) &&
		       b[end].offset == b[end - 1].offset + 1)
			end++;
		FUZZ_ASSERT(itf_exact_next(&it, &piece));
		FUZZ_ASSERT(piece.start == address(set, at) && piece.offset == b[at].offset);
		FUZZ_ASSERT(piece.size == (f->size ? end - at : 0));
	}
	FUZZ_ASSERT(!itf_exact_next(&it, &piece));
}

/* ---------- what is said of them */

static enum itf_verdict verdict(const struct model *m, const struct model_set *set,
				const struct itf_filter *f, const struct model_slot *slot)
{
	size_t all = 0, inside = 0, at;

	if (!slot->matched)
		return ITF_VERDICT_NONE;
	if (f->source == ITF_SOURCE_KERNEL)
		return ITF_VERDICT_COVERED;
	if (f->size && !slot->size)
		return ITF_VERDICT_RUNAWAY;
	for (at = 0; at < MODEL_BYTES; at++) {
		u64 a = address(set, at);

		if (!traced(f, &m->bytes[at]))
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
static bool anonymous_text(const struct model *m, const struct itf_filter *f)
{
	size_t at, next;

	for (at = 0; at < MODEL_BYTES; at++) {
		const struct model_byte *b = &m->bytes[at];
		int first = (int)at;
		u64 offset;

		if (!b->id || object_at(m, at) || !(b->prot & ITF_PROT_EXEC))
			continue;
		do
			first = before(m, (size_t)first);
		while (first >= 0 && !object_at(m, (size_t)first));
		if (first < 0 || object_at(m, (size_t)first) != f->object)
			continue;
		if (__builtin_add_overflow(m->bytes[first].offset, at - (size_t)first, &offset) ||
		    offset < f->start || offset - f->start >= (f->size ? f->size : 1))
			continue;
		for (next = at; next < MODEL_BYTES; next++) {
			if (m->bytes[next].id && object_at(m, next))
				break;
		}
		if (next < MODEL_BYTES && object_at(m, next) == f->object &&
		    m->bytes[next].offset > m->bytes[first].offset)
			return true;
	}
	return false;
}

/* Is some byte of the filter in no executable mapping? */
static bool cut(const struct model *m, const struct itf_filter *f)
{
	u64 i, n = f->size ? f->size : 1;
	size_t at;

	/* More bytes than memory has cannot all be there. */
	if (n > MODEL_BYTES)
		return true;
	for (i = 0; i < n; i++) {
		for (at = 0; at < MODEL_BYTES; at++) {
			if (traced(f, &m->bytes[at]) && m->bytes[at].offset - f->start == i)
				break;
		}
		if (at == MODEL_BYTES)
			return true;
	}
	return false;
}

#define BIT(note) ITF_NOTE_BIT(ITF_NOTE_##note)

static bool in_mainline(const struct itf_filter *f)
{
	return f->action != ITF_ACTION_FILTER || f->size;
}

static u32 notes(const struct model *m, const struct itf_filter *f, const struct model_slot *launch,
		 const struct model_slot *attach)
{
	u32 set = in_mainline(f) ? 0 : BIT(NOT_IN_MAINLINE);
	size_t bytes = 0, mappings = 0, at, end, i;

	if (f->source == ITF_SOURCE_KERNEL)
		return set;
	for (at = 0; at < MODEL_BYTES; at = end) {
		bool holds = false;

		end = model_end(m, at);
		for (i = at; i < end; i++) {
			bytes += wanted(f, &m->bytes[i]);
			holds = holds || traced(f, &m->bytes[i]);
		}
		mappings += holds;
	}
	if (!bytes)
		set |= BIT(NOT_MAPPED);
	else if (!mappings)
		set |= BIT(NO_EXEC_BYTES);
	if (mappings > 1)
		set |= BIT(SEVERAL_MAPPINGS);
	if (mappings && cut(m, f))
		set |= BIT(CUT_BY_MAPPING);
	if (mappings && attach->matched && !attach->exec)
		set |= BIT(NON_EXEC_FIRST);
	if (launch->touching || attach->touching)
		set |= BIT(TOUCHING_MAPPING);
	if (f->object && anonymous_text(m, f))
		set |= BIT(ANONYMOUS_TEXT);
	return set;
}

void model_compare(const struct model *m, const struct model_set *set,
		   const struct itf_track *track)
{
	const struct itf_space *space = &track->space;
	size_t i;

	FUZZ_ASSERT(track->count == set->count);
	compare_maps(m, set, space);
	for (i = 0; i < set->count; i++) {
		const struct itf_filter *f = &set->filters[i];
		const struct itf_slot *launch = &track->launch[i], *attach = &track->attach[i];

		compare_slot(&m->launch[i], launch);
		compare_slot(&m->attach[i], attach);
		compare_exact(m, set, f, space);
		FUZZ_ASSERT(itf_judge(space, f, launch) == verdict(m, set, f, &m->launch[i]));
		FUZZ_ASSERT(itf_judge(space, f, attach) == verdict(m, set, f, &m->attach[i]));
		FUZZ_ASSERT(itf_explain(space, f, launch, attach) ==
			    notes(m, f, &m->launch[i], &m->attach[i]));
		FUZZ_ASSERT(!(itf_explain(space, f, NULL, NULL) &
			      (BIT(TOUCHING_MAPPING) | BIT(NON_EXEC_FIRST))));
	}
}
