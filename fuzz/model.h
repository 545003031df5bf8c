/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A process without any ranges: a few bytes of memory, and for each of them which byte of which
 * file it shows. Whatever the engine says of a process must follow from these bytes. Includes
 * nothing of the engine but names of filters and notes; is slow and does not care.
 */
#ifndef ITF_FUZZ_MODEL_H
#define ITF_FUZZ_MODEL_H

#include <itf/track.h>

#define MODEL_BYTES 96
#define MODEL_FILTERS 4

/**
 * struct model_place - where memory and file of the models lie
 * @memory: address of the first byte
 * @file: offset that file bytes are counted from
 * @addr_bits: 32 or 64
 * @top: memory ends where addresses do; else there is more that is not looked at
 */
struct model_place {
	u64 memory, file;
	unsigned int addr_bits;
	bool top;
};

/**
 * struct model_byte - one byte of memory
 * @id: bytes in a row with the same id are one mapping; 0 for nothing
 * @object: 0 for anonymous memory
 * @offset: which byte of the file it shows
 * @gone: there is no such byte: the offset would be 2^64 or more
 * @prot: ITF_PROT_*
 */
struct model_byte {
	unsigned int id;
	unsigned int object;
	u64 offset;
	bool gone;
	u32 prot;
};

/* What Linux has programmed for one filter; start is an address, as in struct itf_slot. */
struct model_slot {
	bool matched, exec, touching;
	u64 start, size;
};

/* A process. Plain data: an assignment copies it. */
struct model {
	struct model_byte bytes[MODEL_BYTES];
	struct model_slot launch[MODEL_FILTERS], attach[MODEL_FILTERS];
	unsigned int ids;
};

/* What all processes of a run share. */
struct model_set {
	const struct model_place *place;
	struct itf_filter filters[MODEL_FILTERS];
	size_t count;
};

/*
 * Events. Places are indices of bytes; a size that goes past the end is right only if it was
 * refused, so all of these return false for what the engine must call a bad mapping.
 */
bool model_mmap(struct model *m, const struct model_set *set, size_t start, size_t size,
		const struct model_byte *first);
bool model_munmap(struct model *m, size_t start, size_t size);
bool model_mprotect(struct model *m, const struct model_set *set, size_t start, size_t size,
		    u32 prot);
bool model_mremap(struct model *m, size_t from, size_t size, size_t to, size_t new_size);
void model_exec(struct model *m, const struct model_set *set);
void model_fork(struct model *child, const struct model *parent, const struct model *root);
void model_exit(struct model *m);

/* The set was just set on this process. */
void model_apply(struct model *m, const struct model_set *set);

/* How many mappings there are. */
size_t model_count(const struct model *m);

/* The byte behind the mapping (or hole) that @at is in. */
size_t model_end(const struct model *m, size_t at);

/* Stops the process unless the engine's view of it is the model's. */
void model_compare(const struct model *m, const struct model_set *set,
		   const struct itf_track *track);

#endif
