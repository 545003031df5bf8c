/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the files of this layer share. Not part of the library's interface. */
#ifndef ITF_TRACK_INTERNAL_H
#define ITF_TRACK_INTERNAL_H

#include <itf/track.h>

/**
 * itf__same_object() - can a mapping hold bytes of a filter at all
 * @filter: a filter
 * @mapping: a mapping
 *
 * Return: whether @filter is a file filter and @mapping shows its object file.
 */
static inline bool itf__same_object(const struct itf_filter *filter,
				    const struct itf_mapping *mapping)
{
	return filter->source == ITF_SOURCE_FILE && filter->object &&
	       filter->object == mapping->object;
}

/**
 * itf__holds() - does a mapping hold a filter (SPEC 3)
 * @filter: a filter
 * @mapping: a mapping
 * @piece: set if so
 */
static inline bool itf__holds(const struct itf_filter *filter, const struct itf_mapping *mapping,
			      struct itf_piece *piece)
{
	struct itf_range want = { filter->start, filter->size };

	return itf__same_object(filter, mapping) && itf_piece_of(&want, mapping, piece);
}

/**
 * itf__space_split() - make room for a new protection without setting it yet
 * @space: a space
 * @start: first address
 * @size: bytes
 * @prot: the protection to come
 * @first: set to the index of the first mapping that the range covers
 * @end: set to the index behind the last one
 *
 * Afterwards every mapping among them that has another protection than @prot lies in the range as a
 * whole.
 *
 * Return: as itf_space_protect(); on failure nothing has changed.
 */
enum itf_error itf__space_split(struct itf_space *space, u64 start, u64 size, u32 prot,
				size_t *first, size_t *end);

#endif
