// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Random events against a model that has no ranges at all: a few bytes of memory, and for each
 * byte which byte of which file it shows. Whatever the space, the three answers, the verdicts
 * and the notes say must follow from the bytes.
 */
#include <itf/track.h>

#include <string.h>

#include "runner.h"

/* Memory of the model. */
#define BYTES 80
#define FILE_BYTES 48
#define FILTERS 3
#define ROOM 32
#ifdef SMALL_DOMAIN
#define SEEDS 60
#else
#define SEEDS 1500
#endif
#define EVENTS 50

static const struct {
	u64 memory, file;
	unsigned int addr_bits;
	bool top; /* memory ends where addresses do */
} places[] = {
	{ 0x1000, 0, 64, false },
	{ 0x100000000 - BYTES / 2, 0x100000000 - 20, 64, false },
	{ 0 - (u64)BYTES, 0x100, 64, true },
	{ 0x100000000 - BYTES, 0, 32, true },
};

/* One byte of memory. Bytes in a row with the same id are one mapping. */
struct byte {
	u64 id; /* 0: nothing is mapped */
	unsigned int object; /* 0: anonymous */
	unsigned int at; /* which byte of the file */
	u32 prot;
};

struct answer {
	bool matched, exec, touching;
	unsigned int start, size;
};

struct model {
	struct byte bytes[BYTES];
	struct answer launch[FILTERS], attach[FILTERS];
	u64 ids;
};

struct process {
	struct itf_track track;
	struct itf_mapping room[ROOM];
	struct itf_slot launch[FILTERS], attach[FILTERS];
};

static struct {
	u64 state;
	unsigned int place;
	struct itf_filter filters[FILTERS];
	unsigned int starts[FILTERS]; /* of file filters, in bytes of the model's file */
	struct model model;
	struct process process, child;
} run;

static unsigned int random_below(unsigned int n)
{
	run.state ^= run.state << 13;
	run.state ^= run.state >> 7;
	run.state ^= run.state << 17;
	return (unsigned int)(run.state >> 33) % n;
}

static u64 memory(unsigned int at)
{
	u64 mask = places[run.place].addr_bits == 32 ? 0xffffffff : ~(u64)0;

	return (places[run.place].memory + at) & mask;
}

/* ------------------------------------------------------------------- the model */

/* The mapping that begins at byte @at ends before this one. */
static unsigned int end_of(const struct model *m, unsigned int at)
{
	u64 id = m->bytes[at].id;

	while (at < BYTES && m->bytes[at].id == id)
		at++;
	return at;
}

static size_t count_mappings(const struct model *m)
{
	unsigned int at;
	size_t n = 0;

	for (at = 0; at < BYTES; at = end_of(m, at))
		n += m->bytes[at].id != 0;
	return n;
}

static void put(struct model *m, unsigned int start, unsigned int size, struct byte first)
{
	unsigned int i;

	first.id = ++m->ids;
	for (i = 0; i < size; i++) {
		m->bytes[start + i] = first;
		first.at++;
	}
}

static void take(struct model *m, unsigned int start, unsigned int size)
{
	memset(&m->bytes[start], 0, size * sizeof(m->bytes[0]));
}

static bool wanted(unsigned int filter, const struct byte *b)
{
	unsigned int start = run.starts[filter];
	unsigned int size = run.filters[filter].size ? (unsigned int)run.filters[filter].size : 1;

	return run.filters[filter].source == ITF_SOURCE_FILE && b->object &&
	       b->object == run.filters[filter].object && b->at >= start && b->at < start + size;
}

/* Linux's rule in plain numbers: nothing in the model's file wraps. */
static bool answer(unsigned int filter, const struct model *m, unsigned int at, struct answer *a)
{
	const struct itf_filter *f = &run.filters[filter];
	const struct byte *b = &m->bytes[at];
	unsigned int length = end_of(m, at) - at;
	unsigned int from = run.starts[filter], to = from + (unsigned int)f->size;
	unsigned int low, high, i;

	if (f->source != ITF_SOURCE_FILE || !b->object || b->object != f->object)
		return false;
	if (f->action == ITF_ACTION_FILTER && !f->size)
		return false;
	if (from > b->at + length || to < b->at)
		return false;
	low = from > b->at ? from : b->at;
	high = to < b->at + length ? to : b->at + length;
	a->matched = true;
	a->exec = b->prot & ITF_PROT_EXEC;
	a->start = at + (low - b->at);
	a->size = high > low ? high - low : 0;
	a->touching = true;
	for (i = 0; i < length; i++)
		a->touching = a->touching && !wanted(filter, &b[i]);
	return true;
}

static void model_mmap(struct model *m, unsigned int at)
{
	unsigned int i;

	for (i = 0; i < FILTERS && m->bytes[at].prot & ITF_PROT_EXEC; i++) {
		answer(i, m, at, &m->launch[i]);
		answer(i, m, at, &m->attach[i]);
	}
}

static void model_set(struct model *m)
{
	unsigned int i, at;

	memset(m->launch, 0, sizeof(m->launch));
	memset(m->attach, 0, sizeof(m->attach));
	for (i = 0; i < FILTERS; i++) {
		for (at = 0; at < BYTES && !m->attach[i].matched; at = end_of(m, at))
			answer(i, m, at, &m->attach[i]);
	}
}

/* ------------------------------------------------------------------- comparing */

static const char *differ_maps(const struct model *m, const struct itf_space *space)
{
	unsigned int at, end;
	size_t n = 0;

	for (at = 0; at < BYTES; at = end) {
		const struct itf_mapping *map = &space->maps[n];

		end = end_of(m, at);
		if (!m->bytes[at].id)
			continue;
		if (n++ == space->count)
			return "too few mappings";
		if (map->start != memory(at) || map->size != end - at ||
		    map->object != m->bytes[at].object || map->prot != m->bytes[at].prot)
			return "mapping";
		if (map->object && map->offset != places[run.place].file + m->bytes[at].at)
			return "offset";
	}
	return n == space->count ? NULL : "too many mappings";
}

static const char *differ_slot(const struct answer *a, const struct itf_slot *slot)
{
	if (slot->matched != a->matched)
		return "matched";
	if (slot->touching != a->touching || slot->exec != a->exec)
		return "touching or exec";
	if (slot->range.start != (a->matched ? memory(a->start) : 0) || slot->range.size != a->size)
		return "linux range";
	return NULL;
}

static const char *differ_exact(const struct model *m, unsigned int filter,
				const struct itf_space *space)
{
	const struct itf_filter *f = &run.filters[filter];
	struct itf_piece piece;
	unsigned int at, end;
	struct itf_exact it;

	itf_exact_init(&it, space, f);
	for (at = 0; at < BYTES; at = end) {
		const struct byte *b = m->bytes;

		end = at + 1;
		if (!wanted(filter, &b[at]) || !(b[at].prot & ITF_PROT_EXEC))
			continue;
		while (f->size && end < BYTES && wanted(filter, &b[end]) &&
		       b[end].prot & ITF_PROT_EXEC && b[end].at == b[end - 1].at + 1)
			end++;
		if (!itf_exact_next(&it, &piece))
			return "too few pieces";
		if (piece.start != memory(at) || piece.size != (f->size ? end - at : 0) ||
		    piece.offset != places[run.place].file + b[at].at)
			return "piece";
	}
	return itf_exact_next(&it, &piece) ? "too many pieces" : NULL;
}

static enum itf_verdict verdict(const struct model *m, unsigned int filter, const struct answer *a)
{
	unsigned int all = 0, inside = 0, at;

	if (run.filters[filter].size && a->matched && !a->size)
		return ITF_VERDICT_RUNAWAY;
	for (at = 0; at < BYTES; at++) {
		if (!wanted(filter, &m->bytes[at]) || !(m->bytes[at].prot & ITF_PROT_EXEC))
			continue;
		all++;
		inside += a->matched && at >= a->start && at < a->start + (a->size ? a->size : 1);
	}
	if (!inside)
		return ITF_VERDICT_NONE;
	return inside == all ? ITF_VERDICT_COVERED : ITF_VERDICT_PARTIAL;
}

#define BIT(note) ITF_NOTE_BIT(ITF_NOTE_##note)

static u32 notes(const struct model *m, unsigned int filter)
{
	unsigned int size = run.filters[filter].size ? (unsigned int)run.filters[filter].size : 1;
	const struct answer *launch = &m->launch[filter], *attach = &m->attach[filter];
	unsigned int bytes = 0, mappings = 0, at, i;
	bool seen[2 * FILE_BYTES] = { false };
	u64 counted = 0;
	u32 set = 0;

	for (at = 0; at < BYTES; at++) {
		const struct byte *b = &m->bytes[at];

		if (!wanted(filter, b))
			continue;
		bytes++;
		if (!(b->prot & ITF_PROT_EXEC))
			continue;
		/* Ids are new with each mapping, but an unmapped middle leaves two of one id. */
		if (b->id != counted || !at || b[-1].id != b->id)
			mappings++;
		counted = b->id;
		seen[b->at] = true;
	}
	for (i = 0; i < size; i++)
		set |= seen[run.starts[filter] + i] ? 0 : BIT(CUT_BY_MAPPING);
	if (!mappings)
		set = bytes ? BIT(NO_EXEC_BYTES) : BIT(NOT_MAPPED);
	if (mappings > 1)
		set |= BIT(SEVERAL_MAPPINGS);
	if (mappings && attach->matched && !attach->exec)
		set |= BIT(NON_EXEC_FIRST);
	if (launch->touching || attach->touching)
		set |= BIT(TOUCHING_MAPPING);
	return set;
}

/* How the process differs from the model, or NULL. */
static const char *differ(const struct model *m, const struct process *p)
{
	const u32 looked_at = BIT(NOT_MAPPED) | BIT(TOUCHING_MAPPING) | BIT(NON_EXEC_FIRST) |
			      BIT(SEVERAL_MAPPINGS) | BIT(CUT_BY_MAPPING) | BIT(NO_EXEC_BYTES);
	const struct itf_space *space = &p->track.space;
	const char *what = differ_maps(m, space);
	unsigned int i;

	for (i = 0; i < FILTERS && !what; i++) {
		const struct itf_filter *f = &run.filters[i];

		what = differ_slot(&m->launch[i], &p->launch[i]);
		if (!what)
			what = differ_slot(&m->attach[i], &p->attach[i]);
		if (!what)
			what = differ_exact(m, i, space);
		if (!what && (itf_judge(space, f, &p->launch[i]) != verdict(m, i, &m->launch[i]) ||
			      itf_judge(space, f, &p->attach[i]) != verdict(m, i, &m->attach[i])))
			what = "verdict";
		if (!what && (itf_explain(space, f, &p->launch[i], &p->attach[i]) & looked_at) !=
				     notes(m, i))
			what = "notes";
	}
	return what;
}

/* ------------------------------------------------------------------- events */

static void random_filters(void)
{
	unsigned int i;

	for (i = 0; i < FILTERS; i++) {
		run.starts[i] = random_below(FILE_BYTES);
		run.filters[i] = (struct itf_filter){
			.action = (enum itf_action)random_below(3),
			.source = ITF_SOURCE_FILE,
			.start = places[run.place].file + run.starts[i],
			.size = random_below(4) ? random_below(FILE_BYTES) : 0,
			.object = 1 + random_below(2),
		};
	}
}

/* Some of the ranges are empty or, where memory ends, go past the end. */
static unsigned int random_size(unsigned int start)
{
	if (!random_below(16))
		return 0;
	if (places[run.place].top && !random_below(16))
		return BYTES - start + 1 + random_below(9);
	return 1 + random_below(BYTES - start < 24 ? BYTES - start : 24);
}

static bool fits(unsigned int start, unsigned int size)
{
	return size && size <= BYTES - start;
}

static enum itf_error event_mmap(struct model *m)
{
	unsigned int start = random_below(BYTES), size = random_size(start);
	struct byte b = {
		.object = random_below(4),
		.at = random_below(FILE_BYTES),
		.prot = random_below(8),
	};
	struct itf_mapping map = {
		memory(start), size, places[run.place].file + b.at, b.object, b.prot,
	};
	enum itf_error error = itf_track_mmap(&run.process.track, &map);

	if (!fits(start, size))
		return error == ITF_E_BAD_MAPPING ? error : ITF_E_INVALID;
	put(m, start, size, b);
	model_mmap(m, start);
	return error;
}

static enum itf_error event_munmap(struct model *m)
{
	unsigned int start = random_below(BYTES), size = random_size(start);
	enum itf_error error = itf_track_munmap(&run.process.track, memory(start), size);

	if (!fits(start, size))
		return error == ITF_E_BAD_MAPPING ? error : ITF_E_INVALID;
	take(m, start, size);
	return error;
}

static enum itf_error event_mprotect(struct model *m)
{
	unsigned int start = random_below(BYTES), size = random_size(start), at, end;
	u32 prot = random_below(8);
	enum itf_error error = itf_track_mprotect(&run.process.track, memory(start), size, prot);

	if (!fits(start, size))
		return error == ITF_E_BAD_MAPPING ? error : ITF_E_INVALID;
	for (at = start; at < start + size; at = end) {
		struct byte b = m->bytes[at];

		end = end_of(m, at);
		end = end < start + size ? end : start + size;
		if (!b.id || b.prot == prot)
			continue;
		b.prot = prot;
		put(m, at, end - at, b);
		model_mmap(m, at);
	}
	return error;
}

static enum itf_error model_mremap(struct model *m, unsigned int from, unsigned int size,
				   unsigned int to, unsigned int new_size)
{
	unsigned int first = from;
	struct byte b;

	if (!fits(from, size) || !fits(to, new_size) || !m->bytes[from].id ||
	    from + size > end_of(m, from))
		return ITF_E_BAD_MAPPING;
	if (from != to) {
		if (from < to + new_size && to < from + size)
			return ITF_E_BAD_MAPPING;
		b = m->bytes[from];
		take(m, from, size);
		put(m, to, new_size, b);
		return ITF_OK;
	}
	if (new_size < size)
		take(m, from + new_size, size - new_size);
	if (from + new_size > end_of(m, from)) {
		while (first && m->bytes[first - 1].id == m->bytes[from].id)
			first--;
		put(m, first, from + new_size - first, m->bytes[first]);
	}
	return ITF_OK;
}

static enum itf_error event_mremap(struct model *m)
{
	unsigned int from = random_below(BYTES), size, to, new_size;
	enum itf_error error;

	/* Most of the ranges should be good ones. */
	size = m->bytes[from].id && random_below(8) ? end_of(m, from) - from : random_size(from);
	if (size > 1 && random_below(2))
		size = 1 + random_below(size);
	to = random_below(3) ? random_below(BYTES) : from;
	new_size = random_below(3) && size <= BYTES - to ? size : random_size(to);
	error = itf_track_mremap(&run.process.track, memory(from), size, memory(to), new_size);
	if (model_mremap(m, from, size, to, new_size) == ITF_OK)
		return error;
	return error == ITF_E_BAD_MAPPING ? error : ITF_E_INVALID;
}

static enum itf_error event_exec(struct model *m)
{
	itf_track_exec(&run.process.track);
	take(m, 0, BYTES);
	memset(m->launch, 0, sizeof(m->launch));
	memset(m->attach, 0, sizeof(m->attach));
	return ITF_OK;
}

static enum itf_error event_set(struct model *m)
{
	struct process *p = &run.process;

	random_filters();
	itf_track_set(&p->track, run.filters, FILTERS, p->launch, p->attach);
	model_set(m);
	return ITF_OK;
}

/* The child has all that its parent has, when the parent is the root. */
static enum itf_error event_fork(struct model *m)
{
	struct process *child = &run.child;
	enum itf_error error;

	itf_space_init(&child->track.space, child->room, ROOM, 64);
	child->track.launch = child->launch;
	child->track.attach = child->attach;
	error = itf_track_fork(&child->track, &run.process.track, &run.process.track);
	return error || differ(m, child) ? ITF_E_INVALID : ITF_OK;
}

static enum itf_error (*const events[])(struct model *m) = {
	event_mmap,   event_mmap,   event_mmap,	  event_mmap,	  event_mmap,	  event_mmap,
	event_mmap,   event_munmap, event_munmap, event_mprotect, event_mprotect, event_mprotect,
	event_mremap, event_mremap, event_mremap, event_fork,	  event_set,	  event_exec,
};

/* One event on both; NULL if the model agrees. A failed event must leave all as it was. */
static const char *step(void)
{
	unsigned int kind = random_below(sizeof(events) / sizeof(events[0]));
	struct model next = run.model;
	enum itf_error error, want = ITF_OK;

	/* Both of the rare ones are rarer still. */
	if (events[kind] == event_exec && random_below(4))
		kind = 0;
	error = events[kind](&next);
	if (error == ITF_E_INVALID)
		return "error";
	if (count_mappings(&next) > run.process.track.space.capacity)
		want = ITF_E_SPACE_FULL;
	if (error == ITF_OK)
		run.model = next;
	if (error != want && error != ITF_E_BAD_MAPPING)
		return "full";
	return differ(&run.model, &run.process);
}

START_TEST(everything_follows_from_the_bytes)
{
	struct process *p = &run.process;
	unsigned int seed, i;

	run.place = (unsigned int)_i;
	for (seed = 1; seed <= SEEDS; seed++) {
		run.state = seed * 0x9e3779b97f4a7c15;
		memset(&run.model, 0, sizeof(run.model));
		itf_space_init(&p->track.space, p->room, 3 + random_below(ROOM - 2),
			       places[run.place].addr_bits);
		event_set(&run.model);
		for (i = 0; i < EVENTS; i++) {
			const char *what = step();

			if (what)
				ck_abort_msg("seed %u, event %u: %s", seed, i, what);
		}
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("track_model");
	TCase *t = tcase_create("track_model");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, everything_follows_from_the_bytes, 0,
			    sizeof(places) / sizeof(places[0]));
	suite_add_tcase(s, t);
	return run_suite(s);
}
