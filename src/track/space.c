// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The mappings of one process: a sorted array of the caller's. Every call first works out how many
 * mappings the result needs and only then changes anything. Knows no filters.
 */
#include "internal.h"

void itf_space_init(struct itf_space *space, struct itf_mapping *maps, size_t capacity,
		    unsigned int addr_bits)
{
	space->maps = maps;
	space->count = 0;
	space->capacity = capacity;
	space->addr_bits = addr_bits;
}

static u64 last_of(const struct itf_mapping *mapping)
{
	return mapping->start + (mapping->size - 1);
}

size_t itf_space_find(const struct itf_space *space, u64 addr)
{
	size_t low = 0;
	size_t high = space->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (last_of(&space->maps[mid]) < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool valid(const struct itf_space *space, u64 start, u64 size)
{
	return size && itf_range_valid(start, size, space->addr_bits);
}

/*
 * What a range covers: the mappings [first, end), the outer ones perhaps in part. @before and
 * @behind are the bytes of theirs that stick out of the range.
 */
struct cover {
	size_t first;
	size_t end;
	u64 before;
	u64 behind;
};

static void find_cover(const struct itf_space *space, u64 start, u64 size, struct cover *c)
{
	u64 last = start + (size - 1);

	c->first = itf_space_find(space, start);
	c->end = itf_space_find(space, last);
	c->before = 0;
	c->behind = 0;
	if (c->end < space->count && space->maps[c->end].start <= last) {
		c->behind = last_of(&space->maps[c->end]) - last;
		c->end++;
	}
	if (c->first < c->end && space->maps[c->first].start < start)
		c->before = start - space->maps[c->first].start;
}

/* How many mappings there are when the covered ones made way for @added others. */
static size_t count_after(const struct itf_space *space, const struct cover *c, size_t added)
{
	return space->count - (c->end - c->first) + added + (c->before != 0) + (c->behind != 0);
}

/* Cut @skip bytes off the front. */
static void cut_front(struct itf_mapping *mapping, u64 skip)
{
	/* File bytes at or beyond 2^64 do not exist, so what is left shows none. */
	if (skip > ~(u64)0 - mapping->offset)
		mapping->object = 0;
	mapping->start += skip;
	mapping->size -= skip;
	mapping->offset += skip;
}

/* Put @by, or nothing if it is NULL, in the place of all that a valid range covers. */
static enum itf_error replace(struct itf_space *space, u64 start, u64 size,
			      const struct itf_mapping *by)
{
	struct itf_mapping *maps = space->maps;
	struct itf_mapping added, tail;
	struct cover c;
	size_t count, at;

	find_cover(space, start, size, &c);
	count = count_after(space, &c, by ? 1 : 0);
	if (count > space->capacity)
		return ITF_E_SPACE_FULL;
	if (!by && c.first == c.end)
		return ITF_OK;

	/* @by may be one of the mappings that move. */
	if (by)
		added = *by;
	if (c.behind) {
		tail = maps[c.end - 1];
		cut_front(&tail, tail.size - c.behind);
	}
	if (c.before)
		maps[c.first].size = c.before;
	at = c.first + (c.before != 0);
	itf_memmove(&maps[at + (by ? 1 : 0) + (c.behind != 0)], &maps[c.end],
		    (space->count - c.end) * sizeof(*maps));
	if (by)
		maps[at++] = added;
	if (c.behind)
		maps[at] = tail;
	space->count = count;
	return ITF_OK;
}

enum itf_error itf_space_map(struct itf_space *space, const struct itf_mapping *mapping)
{
	if (!valid(space, mapping->start, mapping->size))
		return ITF_E_BAD_MAPPING;
	return replace(space, mapping->start, mapping->size, mapping);
}

enum itf_error itf_space_unmap(struct itf_space *space, u64 start, u64 size)
{
	if (!valid(space, start, size))
		return ITF_E_BAD_MAPPING;
	return replace(space, start, size, NULL);
}

/* Make two of mapping @i, the second one @size bytes long; there is room. */
static void split(struct itf_space *space, size_t i, u64 size)
{
	struct itf_mapping *mapping = &space->maps[i];

	itf_memmove(mapping + 1, mapping, (space->count - i) * sizeof(*mapping));
	space->count++;
	mapping->size -= size;
	cut_front(mapping + 1, mapping->size);
}

enum itf_error itf__space_split(struct itf_space *space, u64 start, u64 size, u32 prot,
				size_t *first, size_t *end)
{
	const struct itf_mapping *maps = space->maps;
	bool front, back;
	struct cover c;

	if (!valid(space, start, size))
		return ITF_E_BAD_MAPPING;
	find_cover(space, start, size, &c);
	front = c.before && maps[c.first].prot != prot;
	back = c.behind && maps[c.end - 1].prot != prot;
	if ((size_t)front + back > space->capacity - space->count)
		return ITF_E_SPACE_FULL;
	if (back)
		split(space, c.end - 1, c.behind);
	if (front)
		split(space, c.first, maps[c.first].size - c.before);
	*first = c.first + front;
	*end = c.end + front;
	return ITF_OK;
}

enum itf_error itf_space_protect(struct itf_space *space, u64 start, u64 size, u32 prot)
{
	enum itf_error error;
	size_t i, end;

	error = itf__space_split(space, start, size, prot, &i, &end);
	if (error)
		return error;
	for (; i < end; i++)
		space->maps[i].prot = prot;
	return ITF_OK;
}

/* mremap to the same address: what is cut off goes, what is added replaces what was there. */
static enum itf_error resize(struct itf_space *space, const struct itf_mapping *mapping, u64 start,
			     u64 old_size, u64 new_size)
{
	struct itf_mapping grown = *mapping;

	if (new_size < old_size)
		return replace(space, start + new_size, old_size - new_size, NULL);
	if (new_size <= last_of(mapping) - start + 1)
		return ITF_OK;
	grown.size = start - mapping->start + new_size;
	return replace(space, grown.start, grown.size, &grown);
}

static enum itf_error move(struct itf_space *space, const struct itf_mapping *mapping,
			   const struct itf_range *from, const struct itf_range *to)
{
	u64 from_last = from->start + (from->size - 1);
	u64 to_last = to->start + (to->size - 1);
	struct itf_mapping moved = *mapping;
	bool front, back;
	struct cover c;
	size_t kept;

	cut_front(&moved, from->start - mapping->start);
	moved.start = to->start;
	moved.size = to->size;

	/* What is left of the old mapping right before and right behind the part that moves. */
	front = mapping->start < from->start && to_last != from->start - 1;
	back = last_of(mapping) > from_last && to->start != from_last + 1;
	kept = (size_t)front + back;
	find_cover(space, to->start, to->size, &c);
	if (count_after(space, &c, 1) + kept - 1 > space->capacity)
		return ITF_E_SPACE_FULL;

	/* There is room for the result, and in this order also for what is between. */
	if (!kept)
		replace(space, from->start, from->size, NULL);
	replace(space, to->start, to->size, &moved);
	if (kept)
		replace(space, from->start, from->size, NULL);
	return ITF_OK;
}

enum itf_error itf_space_remap(struct itf_space *space, u64 old_start, u64 old_size, u64 new_start,
			       u64 new_size)
{
	struct itf_range from = { old_start, old_size };
	struct itf_range to = { new_start, new_size };
	const struct itf_mapping *mapping;
	size_t i;

	if (!valid(space, old_start, old_size) || !valid(space, new_start, new_size))
		return ITF_E_BAD_MAPPING;
	i = itf_space_find(space, old_start);
	if (i == space->count)
		return ITF_E_BAD_MAPPING;
	mapping = &space->maps[i];
	if (mapping->start > old_start || old_size - 1 > last_of(mapping) - old_start)
		return ITF_E_BAD_MAPPING;
	if (new_start == old_start)
		return resize(space, mapping, old_start, old_size, new_size);
	if (itf_range_share(&from, &to))
		return ITF_E_BAD_MAPPING;
	return move(space, mapping, &from, &to);
}

void itf_space_clear(struct itf_space *space)
{
	space->count = 0;
}

enum itf_error itf_space_copy(struct itf_space *child, const struct itf_space *parent)
{
	if (parent->count > child->capacity)
		return ITF_E_SPACE_FULL;
	if (parent->count)
		itf_memcpy(child->maps, parent->maps, parent->count * sizeof(*parent->maps));
	child->count = parent->count;
	child->addr_bits = parent->addr_bits;
	return ITF_OK;
}
