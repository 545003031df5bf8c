// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Why a filter may not trace what was meant: the notes that follow from the mappings alone, and
 * the one table of notes and verdicts. Changes nothing and allocates nothing.
 */
#include "internal.h"

static bool executable(const struct itf_mapping *mapping)
{
	return mapping->prot & ITF_PROT_EXEC;
}

/*
 * Is some byte of the filter in no executable mapping? Follows the file's bytes from the start
 * of the filter on: one pass over mappings in file order, as loaders make them, and further
 * passes only while the last one got anywhere.
 */
static bool cut(const struct itf_space *space, const struct itf_filter *filter)
{
	struct itf_range left = { filter->start, filter->size };
	struct itf_piece piece;
	u64 before;
	size_t i;

	do {
		before = left.size;
		for (i = 0; i < space->count && left.size; i++) {
			const struct itf_mapping *m = &space->maps[i];

			if (!executable(m) || !itf__same_object(filter, m) ||
			    !itf_piece_of(&left, m, &piece) || piece.offset != left.start)
				continue;
			left.start += piece.size;
			left.size -= piece.size;
		}
	} while (left.size && left.size != before);
	return left.size;
}

/*
 * Do bytes of the filter belong where the file has a hole that anonymous executable memory
 * fills, as when a program copies its text to huge pages? The hole lies between two mappings
 * that follow each other in the file; the bias of the first one tells what belongs in it.
 * A mapping of another file ends the search for the second one: nothing behind it continues @chain.
 */
static bool anonymous_text(const struct itf_space *space, const struct itf_filter *filter)
{
	const struct itf_mapping *prev = NULL;
	bool filled = false;
	/* Bytes from the start of prev on without a gap. */
	u64 chain = 0;
	size_t i;

	for (i = 0; i < space->count; i++) {
		const struct itf_mapping *m = &space->maps[i];

		if (itf__same_object(filter, m)) {
			if (filled && m->offset > prev->offset)
				return true;
			prev = m;
			chain = m->size;
			filled = false;
		} else if (m->object) {
			filled = false;
		} else if (prev && m->start - prev->start == chain) {
			struct itf_range want = { filter->start, filter->size };
			struct itf_mapping lost = *m;
			struct itf_piece piece;

			lost.offset = prev->offset + chain;
			if (executable(m) && lost.offset >= chain &&
			    itf_piece_of(&want, &lost, &piece))
				filled = true;
			chain += m->size;
		}
	}
	return false;
}

static u32 mapping_notes(const struct itf_space *space, const struct itf_filter *filter,
			 const struct itf_slot *attach)
{
	size_t held = 0, held_exec = 0;
	struct itf_piece piece;
	u32 notes = 0;
	size_t i;

	for (i = 0; i < space->count; i++) {
		if (!itf__holds(filter, &space->maps[i], &piece))
			continue;
		held++;
		held_exec += executable(&space->maps[i]);
	}
	if (!held)
		notes |= ITF_NOTE_BIT(ITF_NOTE_NOT_MAPPED);
	if (held && !held_exec)
		notes |= ITF_NOTE_BIT(ITF_NOTE_NO_EXEC_BYTES);
	if (held_exec > 1)
		notes |= ITF_NOTE_BIT(ITF_NOTE_SEVERAL_MAPPINGS);
	if (held_exec && cut(space, filter))
		notes |= ITF_NOTE_BIT(ITF_NOTE_CUT_BY_MAPPING);
	if (held_exec && attach && attach->matched && !attach->exec)
		notes |= ITF_NOTE_BIT(ITF_NOTE_NON_EXEC_FIRST);
	if (anonymous_text(space, filter))
		notes |= ITF_NOTE_BIT(ITF_NOTE_ANONYMOUS_TEXT);
	return notes;
}

u32 itf_explain(const struct itf_space *space, const struct itf_filter *filter,
		const struct itf_slot *launch, const struct itf_slot *attach)
{
	u32 notes = 0;

	if (!itf_in_mainline(filter))
		notes |= ITF_NOTE_BIT(ITF_NOTE_NOT_IN_MAINLINE);
	if (filter->source == ITF_SOURCE_KERNEL)
		return notes;
	if ((launch && launch->matched && launch->touching) ||
	    (attach && attach->matched && attach->touching))
		notes |= ITF_NOTE_BIT(ITF_NOTE_TOUCHING_MAPPING);
	return notes | mapping_notes(space, filter, attach);
}

static const struct {
	const char *name;
	const char *message;
} notes_table[ITF_NOTE_COUNT] = {
	[ITF_NOTE_NOT_MAPPED] = {
		.name = "not-mapped",
		.message = "no mapping of the process holds a byte of the filter",
	},
	[ITF_NOTE_TOUCHING_MAPPING] = {
		.name = "touching-mapping",
		.message = "Linux takes a mapping that the filter touches but is not in",
	},
	[ITF_NOTE_NON_EXEC_FIRST] = {
		.name = "non-exec-first",
		.message = "on attach Linux takes the first mapping, which is not executable",
	},
	[ITF_NOTE_SEVERAL_MAPPINGS] = {
		.name = "several-mappings",
		.message = "several executable mappings hold bytes of it; Linux programs one",
	},
	[ITF_NOTE_CUT_BY_MAPPING] = {
		.name = "cut-by-mapping",
		.message = "some bytes of the filter are in no executable mapping",
	},
	[ITF_NOTE_NO_EXEC_BYTES] = {
		.name = "no-exec-bytes",
		.message = "the bytes of the filter are mapped, but none of them executable",
	},
	[ITF_NOTE_LOOKS_LIKE_ADDRESS] = {
		.name = "looks-like-address",
		.message = "the start looks like an address, but a file offset is meant here",
	},
	[ITF_NOTE_DELETED_FILE] = {
		.name = "deleted-file",
		.message = "the process maps a file of that name that was deleted",
	},
	[ITF_NOTE_REPLACED_FILE] = {
		.name = "replaced-file",
		.message = "the process maps another file than the one that has the name now",
	},
	[ITF_NOTE_OVERLAY_DEVICE] = {
		.name = "overlay-device",
		.message = "device numbers mislead; older kernels match nothing on overlayfs",
	},
	[ITF_NOTE_ANONYMOUS_TEXT] = {
		.name = "anonymous-text",
		.message = "anonymous executable memory is where bytes of the filter belong",
	},
	[ITF_NOTE_NON_CANONICAL] = {
		.name = "non-canonical",
		.message = "the hardware cuts the range to canonical addresses",
	},
	[ITF_NOTE_MAY_BE_STALE] = {
		.name = "may-be-stale",
		.message = "mappings may have gone since: no event tells of munmap or mremap",
	},
	[ITF_NOTE_THREADS_DIFFER] = {
		.name = "threads-differ",
		.message = "a thread of the process has other ranges than its leader",
	},
	[ITF_NOTE_NOT_IN_MAINLINE] = {
		.name = "not-in-mainline",
		.message = "the filter cannot be written for today's kernel",
	},
	[ITF_NOTE_TRUNCATED_MAPS] = {
		.name = "truncated-maps",
		.message = "the list of mappings was incomplete",
	},
};

const char *itf_note_name(enum itf_note note)
{
	return (unsigned int)note < ITF_NOTE_COUNT ? notes_table[note].name : "unknown";
}

const char *itf_note_message(enum itf_note note)
{
	return (unsigned int)note < ITF_NOTE_COUNT ? notes_table[note].message : "unknown note";
}

static const char *const verdict_names[ITF_VERDICT_COUNT] = {
	[ITF_VERDICT_COVERED] = "covered", [ITF_VERDICT_PARTIAL] = "partial",
	[ITF_VERDICT_NONE] = "none",	   [ITF_VERDICT_RUNAWAY] = "runaway",
	[ITF_VERDICT_UNKNOWN] = "unknown",
};

const char *itf_verdict_name(enum itf_verdict verdict)
{
	return (unsigned int)verdict < ITF_VERDICT_COUNT ? verdict_names[verdict] : "unknown";
}
