// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The events of a process, byte by byte. See model.h; model_compare.c compares. */
#include "model.h"

#include <string.h>

size_t model_end(const struct model *m, size_t at)
{
	unsigned int id = m->bytes[at].id;

	while (at < MODEL_BYTES && m->bytes[at].id == id)
		at++;
	return at;
}

size_t model_count(const struct model *m)
{
	size_t at, n = 0;

	for (at = 0; at < MODEL_BYTES; at = model_end(m, at))
		n += m->bytes[at].id != 0;
	return n;
}

static bool fits(size_t start, size_t size)
{
	return size && size <= MODEL_BYTES - start;
}

/* A new mapping; @first is its first byte. */
static void put(struct model *m, size_t start, size_t size, struct model_byte byte)
{
	size_t i;

	byte.id = ++m->ids;
	for (i = 0; i < size; i++) {
		m->bytes[start + i] = byte;
		byte.gone = byte.gone || byte.offset == ~(u64)0;
		byte.offset++;
	}
}

static void take(struct model *m, size_t start, size_t size)
{
	memset(&m->bytes[start], 0, size * sizeof(m->bytes[0]));
}

/* ---------- Linux */

/* Does Linux ever hear of this filter? */
static bool reaches(const struct itf_filter *f)
{
	return f->action != ITF_ACTION_FILTER || f->size;
}

static bool shows(const struct itf_filter *f, const struct model_byte *b)
{
	return b->id && b->object && b->object == f->object && !b->gone;
}

static bool wants(const struct itf_filter *f, const struct model_byte *b)
{
	return shows(f, b) && b->offset >= f->start &&
	       b->offset - f->start < (f->size ? f->size : 1);
}

/* KERNEL-FACTS 2.2, in unsigned long. */
static void match(const struct itf_filter *f, const struct model *m, const struct model_set *set,
		  size_t at, struct model_slot *slot)
{
	u64 mask = set->place->addr_bits == 32 ? 0xffffffff : ~(u64)0;
	const struct model_byte *b = &m->bytes[at];
	size_t i, length = model_end(m, at) - at;
	u64 off = b->offset & mask, v = (set->place->memory + at) & mask;
	u64 from = f->start & mask, size = f->size & mask;

	if (f->source != ITF_SOURCE_FILE || !shows(f, b) || !reaches(f))
		return;
	if (from > ((off + length) & mask) || ((from + size) & mask) < off)
		return;
	slot->matched = true;
	slot->exec = b->prot & ITF_PROT_EXEC;
	slot->start = from < off ? v : (v + from - off) & mask;
	slot->size = from < off ? size - (off - from) : size;
	if (slot->size > ((v + length - slot->start) & mask))
		slot->size = (v + length - slot->start) & mask;
	slot->touching = true;
	for (i = 0; i < length; i++) {
		if (wants(f, &b[i]))
			slot->touching = false;
	}
}

static void linux_mmap(struct model *m, const struct model_set *set, size_t at)
{
	size_t i;

	for (i = 0; i < set->count && m->bytes[at].prot & ITF_PROT_EXEC; i++) {
		match(&set->filters[i], m, set, at, &m->launch[i]);
		match(&set->filters[i], m, set, at, &m->attach[i]);
	}
}

static void reset(struct model_slot *slots, const struct model_set *set)
{
	size_t i;

	memset(slots, 0, MODEL_FILTERS * sizeof(*slots));
	for (i = 0; i < set->count; i++) {
		const struct itf_filter *f = &set->filters[i];

		if (f->source != ITF_SOURCE_KERNEL || !reaches(f))
			continue;
		slots[i] = (struct model_slot){
			.matched = true,
			.exec = true,
			.start = f->start,
			.size = f->size,
		};
	}
}

void model_apply(struct model *m, const struct model_set *set)
{
	size_t i, at;

	reset(m->launch, set);
	reset(m->attach, set);
	for (i = 0; i < set->count; i++) {
		for (at = 0; at < MODEL_BYTES && !m->attach[i].matched; at = model_end(m, at))
			match(&set->filters[i], m, set, at, &m->attach[i]);
	}
}

/* ---------- events */

bool model_mmap(struct model *m, const struct model_set *set, size_t start, size_t size,
		const struct model_byte *first)
{
	if (!fits(start, size))
		return false;
	put(m, start, size, *first);
	linux_mmap(m, set, start);
	return true;
}

bool model_munmap(struct model *m, size_t start, size_t size)
{
	if (!fits(start, size))
		return false;
	take(m, start, size);
	return true;
}

bool model_mprotect(struct model *m, const struct model_set *set, size_t start, size_t size,
		    u32 prot)
{
	size_t at, end;

	if (!fits(start, size))
		return false;
	for (at = start; at < start + size; at = end) {
		struct model_byte byte = m->bytes[at];

		end = model_end(m, at);
		if (end > start + size)
			end = start + size;
		if (!byte.id || byte.prot == prot)
			continue;
		byte.prot = prot;
		put(m, at, end - at, byte);
		linux_mmap(m, set, at);
	}
	return true;
}

bool model_mremap(struct model *m, size_t from, size_t size, size_t to, size_t new_size)
{
	size_t first = from;
	struct model_byte byte;

	if (!fits(from, size) || !fits(to, new_size) || !m->bytes[from].id ||
	    from + size > model_end(m, from))
		return false;
	byte = m->bytes[from];
	if (from != to) {
		if (from < to + new_size && to < from + size)
			return false;
		take(m, from, size);
		put(m, to, new_size, byte);
		return true;
	}
	if (new_size < size)
		take(m, from + new_size, size - new_size);
	if (from + new_size <= model_end(m, from))
		return true;
	/* It grows as a whole, with what lies before the part that was named. */
	while (first && m->bytes[first - 1].id == byte.id)
		first--;
	put(m, first, from + new_size - first, m->bytes[first]);
	return true;
}

void model_exec(struct model *m, const struct model_set *set)
{
	take(m, 0, MODEL_BYTES);
	reset(m->launch, set);
	reset(m->attach, set);
}

void model_fork(struct model *child, const struct model *parent, const struct model *root)
{
	*child = *parent;
	memcpy(child->launch, root->launch, sizeof(child->launch));
	memcpy(child->attach, root->attach, sizeof(child->attach));
}

void model_exit(struct model *m)
{
	take(m, 0, MODEL_BYTES);
}
