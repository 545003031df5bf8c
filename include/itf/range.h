/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Ranges, mappings and pieces: the arithmetic of SPEC 3, right for every u64 input.
 */
#ifndef ITF_RANGE_H
#define ITF_RANGE_H

#include <itf/env.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct itf_range - bytes [start, start + size), or the point at start
 * @start: first byte
 * @size: bytes; 0 means the point at @start, which counts as one byte where bytes are compared
 *
 * Valid if start + size is at most 2^64: see itf_range_valid().
 */
struct itf_range {
	u64 start;
	u64 size;
};

/* Protection of a mapping; the values are those of PROT_READ, PROT_WRITE and PROT_EXEC. */
#define ITF_PROT_READ 1u
#define ITF_PROT_WRITE 2u
#define ITF_PROT_EXEC 4u

/**
 * struct itf_mapping - one mapping (one VMA of Linux)
 * @start: address of its first byte
 * @size: bytes; at least 1 in a valid mapping
 * @offset: byte offset in the object file of the byte at @start; any u64, also beyond 4 GiB on a
 *	32-bit system (R7)
 * @object: identity of the object file, as in struct itf_filter; 0 for a mapping without a file
 * @prot: ITF_PROT_* or-ed together
 */
struct itf_mapping {
	u64 start;
	u64 size;
	u64 offset;
	u64 object;
	u32 prot;
};

/**
 * struct itf_piece - the part of one mapping that a filter covers
 * @start: address of its first byte
 * @size: bytes; 0 for a point
 * @offset: byte offset in the object file of the byte at @start
 */
struct itf_piece {
	u64 start;
	u64 size;
	u64 offset;
};

/**
 * itf_range_valid() - does a range end at or before the end of the address space
 * @start: first byte
 * @size: bytes
 * @addr_bits: 32 or 64; 0 means 64
 *
 * Return: whether start is an address and start + size is at most 2^addr_bits.
 */
bool itf_range_valid(u64 start, u64 size, unsigned int addr_bits);

/**
 * itf_range_share() - do two ranges share a byte
 * @a: a range or a point
 * @b: a range or a point
 *
 * A point counts as the byte at it. Touching is not sharing (SPEC 3). The order of the arguments
 * does not matter.
 *
 * Return: whether at least one byte is in both.
 */
bool itf_range_share(const struct itf_range *a, const struct itf_range *b);

/**
 * itf_range_common() - the bytes that two ranges share
 * @a: a range or a point
 * @b: a range or a point
 * @common: set to the shared bytes, a point being one byte, if there are any
 *
 * Return: whether there are any; if not, @common is as it was.
 */
bool itf_range_common(const struct itf_range *a, const struct itf_range *b,
		      struct itf_range *common);

/**
 * itf_piece_of() - the part of a mapping that file bytes fall in
 * @want: bytes or a point of the file, [S, S + size)
 * @mapping: a mapping of that file; its @object and @prot are not looked at
 * @piece: set if the mapping holds any of the bytes
 *
 * The rule of SPEC 3: a mapping at addresses [V, E) that shows file bytes from O on holds the
 * range if they share a byte; the piece then starts at V + (max(S, O) - O) and its size is the
 * bytes shared, or 0 for a point. Nothing wraps: file bytes that would lie at or beyond 2^64 do
 * not exist.
 *
 * Return: whether the mapping holds any of the bytes; if not, @piece is as it was.
 */
bool itf_piece_of(const struct itf_range *want, const struct itf_mapping *mapping,
		  struct itf_piece *piece);

/**
 * itf_piece_join() - extend a piece by the one that follows it
 * @piece: extended if @next follows it directly both in memory and in the file
 * @next: another piece of the same filter
 *
 * A point never joins: the byte at a point is mapped at each place once.
 *
 * Return: whether @piece was extended.
 */
bool itf_piece_join(struct itf_piece *piece, const struct itf_piece *next);

#ifdef __cplusplus
}
#endif

#endif
