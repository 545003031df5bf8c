/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The life of a filter set (SPEC 4), in two parts.
 *
 * The rule says what one mapping does to the slots of a filter set: this is all that perf core
 * needs; it allocates nothing, reads only its arguments, and may run under a raw spinlock.
 *
 * The space holds the mappings of one process in an array of the caller's, and a track follows a
 * filter set over them. Three answers come out: exact (what the user meant: itf_exact_next()),
 * and what Linux programs when the filter is set before exec (launch) or on a running process
 * (attach).
 */
#ifndef ITF_TRACK_H
#define ITF_TRACK_H

#include <itf/env.h>
#include <itf/error.h>
#include <itf/filter.h>
#include <itf/range.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------- the rule */

/**
 * struct itf_slot - what Linux holds for one filter: one range (R5), perhaps none
 * @range: addresses; {0, 0} while nothing matched. A sized filter with a matched size of 0
 *	touched a mapping (R1, R2)
 * @matched: some mapping matched, or the filter is a kernel filter
 * @touching: the mapping that matched does not hold the filter
 * @exec: the mapping that matched was executable; true for a kernel filter
 */
struct itf_slot {
	struct itf_range range;
	bool matched;
	bool touching;
	bool exec;
};

/**
 * itf_linux_match() - Linux's own match and clip of one filter and one mapping (KERNEL-FACTS 2.2)
 * @want: file bytes of the filter
 * @mapping: a mapping of the same file
 * @addr_bits: width of the kernel's unsigned long, 32 or 64; 0 means 64. With 32, the file offset
 *	of the mapping is cut to 32 bits as the kernel does (R7)
 * @range: set on a match
 *
 * Reproduces R1, R2 (touching matches, with size 0), R6 (a sum that wraps) and R7. The two object
 * files are not compared: the caller has done that.
 *
 * Return: whether Linux sees a match; if not, @range is as it was.
 */
bool itf_linux_match(const struct itf_range *want, const struct itf_mapping *mapping,
		     unsigned int addr_bits, struct itf_range *range);

/**
 * itf_linux_reset() - the slots of a filter set that was just set, before any mapping is looked at
 * @filters: array of @count filters
 * @count: filters in the set
 * @slots: array of @count slots, all written: a kernel filter gets its own range, all others
 *	nothing. A "filter" without a size never reaches today's kernel and gets nothing, whatever
 *	its source
 */
void itf_linux_reset(const struct itf_filter *filters, size_t count, struct itf_slot *slots);

/**
 * itf_linux_mmap() - Linux's rule for a new mapping: executable only, the last mapping wins
 * @filters: array of @count filters
 * @count: filters in the set
 * @mapping: the new mapping, or one whose protection changed (R21)
 * @addr_bits: as in itf_linux_match()
 * @slots: array of @count slots; each that the mapping matches is overwritten (R2, R4, R5)
 *
 * Return: how many slots were written.
 */
size_t itf_linux_mmap(const struct itf_filter *filters, size_t count,
		      const struct itf_mapping *mapping, unsigned int addr_bits,
		      struct itf_slot *slots);

/**
 * itf_linux_attach() - one step of Linux's scan on a running process: any protection, first match
 * wins
 * @filters: array of @count filters
 * @count: filters in the set
 * @mapping: the next mapping in address order
 * @addr_bits: as in itf_linux_match()
 * @slots: array of @count slots, from itf_linux_reset() and then step by step; each that has no
 *	match yet and that the mapping matches is written (R1, R4, R5)
 *
 * Return: how many slots were written.
 */
size_t itf_linux_attach(const struct itf_filter *filters, size_t count,
			const struct itf_mapping *mapping, unsigned int addr_bits,
			struct itf_slot *slots);

/* ---------- the space */

/**
 * struct itf_space - the mappings of one process
 * @maps: array of the caller's, @count used of @capacity; sorted by address, disjoint. Read it
 *	freely, change it only through the calls below. To grow it, the caller moves it and sets
 *	@maps and @capacity
 * @count: mappings in use
 * @capacity: mappings that fit
 * @addr_bits: 32 or 64; 0 means 64
 */
struct itf_space {
	struct itf_mapping *maps;
	size_t count;
	size_t capacity;
	unsigned int addr_bits;
};

/**
 * itf_space_init() - an empty space
 * @space: to be initialised
 * @maps: array of @capacity mappings, kept by the space; may be NULL if @capacity is 0
 * @capacity: mappings that fit
 * @addr_bits: 32 or 64; 0 means 64
 */
void itf_space_init(struct itf_space *space, struct itf_mapping *maps, size_t capacity,
		    unsigned int addr_bits);

/* No call below needs room for more mappings than are there already plus this many. */
#define ITF_SPACE_ROOM 3

/**
 * itf_space_find() - the mapping at an address, or the next above it
 * @space: a space
 * @addr: an address
 *
 * Return: index of the first mapping whose last byte is at or above @addr; @space->count if none.
 */
size_t itf_space_find(const struct itf_space *space, u64 addr);

/**
 * itf_space_map() - mmap: a new mapping replaces whatever it covers
 * @space: a space
 * @mapping: the new mapping, copied. Mappings are never merged, as /proc/PID/maps shows them
 *
 * Return: ITF_OK; ITF_E_BAD_MAPPING if it is empty or does not fit the address width;
 * ITF_E_SPACE_FULL if the result does not fit @space->capacity. On failure nothing has changed.
 */
enum itf_error itf_space_map(struct itf_space *space, const struct itf_mapping *mapping);

/**
 * itf_space_unmap() - munmap: what the range covers is gone, mappings at its ends are cut
 * @space: a space
 * @start: first address
 * @size: bytes
 *
 * Return: ITF_OK, also if nothing was mapped there; ITF_E_BAD_MAPPING if the range is empty or
 * does not fit the address width; ITF_E_SPACE_FULL if a mapping would have to be split and there
 * is no room.
 */
enum itf_error itf_space_unmap(struct itf_space *space, u64 start, u64 size);

/**
 * itf_space_protect() - mprotect: what the range covers gets a new protection, mappings are split
 * @space: a space
 * @start: first address
 * @size: bytes; holes in the range are passed over
 * @prot: ITF_PROT_* or-ed together
 *
 * Return: as itf_space_unmap().
 */
enum itf_error itf_space_protect(struct itf_space *space, u64 start, u64 size, u32 prot);

/**
 * itf_space_remap() - mremap: move one mapping, or a part of one, and perhaps resize it
 * @space: a space
 * @old_start: first address of what moves; must lie in a mapping
 * @old_size: bytes that move; must not go past the end of that mapping
 * @new_start: where it goes; may equal @old_start
 * @new_size: bytes afterwards; what is cut off is unmapped, what is added shows the file bytes
 *	that follow. What the new place covers is replaced. If old and new place overlap,
 *	@new_start must equal @old_start
 *
 * Return: ITF_OK; ITF_E_BAD_MAPPING if a range is empty, does not fit the address width or breaks
 * a rule above; ITF_E_SPACE_FULL. On failure nothing has changed.
 */
enum itf_error itf_space_remap(struct itf_space *space, u64 old_start, u64 old_size, u64 new_start,
			       u64 new_size);

/**
 * itf_space_clear() - exec or exit: nothing is mapped any more
 * @space: a space
 */
void itf_space_clear(struct itf_space *space);

/**
 * itf_space_copy() - fork: the child has the mappings of its parent
 * @child: a space with room for @parent->count mappings; what it held is replaced
 * @parent: another space
 *
 * Return: ITF_OK, or ITF_E_SPACE_FULL and @child is as it was.
 */
enum itf_error itf_space_copy(struct itf_space *child, const struct itf_space *parent);

/* ---------- the exact answer */

/**
 * struct itf_exact - an iterator over the exact answer for one filter; all fields are private
 * @space: where
 * @filter: what
 * @next: index of the mapping to look at next
 */
struct itf_exact {
	const struct itf_space *space;
	const struct itf_filter *filter;
	size_t next;
};

/**
 * itf_exact_init() - start over the exact answer for one filter
 * @it: to be initialised
 * @space: must not change while the iterator is in use
 * @filter: likewise
 */
void itf_exact_init(struct itf_exact *it, const struct itf_space *space,
		    const struct itf_filter *filter);

/**
 * itf_exact_next() - the next piece of the exact answer
 * @it: from itf_exact_init()
 * @piece: set to the next piece, by address; pieces that are adjacent in both file and memory
 *	come as one. A kernel filter has one piece, its own range, with offset 0
 *
 * Return: false when there are no more, and @piece is as it was.
 */
bool itf_exact_next(struct itf_exact *it, struct itf_piece *piece);

/* ---------- following a process */

/**
 * struct itf_track - one filter set followed over one process
 * @space: its mappings
 * @filters: array of @count filters, kept by the track
 * @count: filters in the set
 * @launch: array of @count slots: Linux's answer if the set was there before exec
 * @attach: array of @count slots: Linux's answer if the set was set at the last itf_track_set()
 */
struct itf_track {
	struct itf_space space;
	const struct itf_filter *filters;
	size_t count;
	struct itf_slot *launch;
	struct itf_slot *attach;
};

/**
 * itf_track_set() - apply: set, replace or (with @count 0) clear the filter set of a running
 * process
 * @track: with an initialised @track->space, which is left as it is
 * @filters: array of @count filters, kept until the next call; may be NULL if @count is 0
 * @count: filters in the set
 * @launch: array of @count slots, kept; every file filter starts without a match
 * @attach: array of @count slots, kept; filled by Linux's scan over the mappings (R1, R4, R5)
 */
void itf_track_set(struct itf_track *track, const struct itf_filter *filters, size_t count,
		   struct itf_slot *launch, struct itf_slot *attach);

/**
 * itf_track_mmap() - mmap
 * @track: a track
 * @mapping: the new mapping, copied
 *
 * The space takes it as itf_space_map() does, both linux answers as itf_linux_mmap() does.
 *
 * Return: as itf_space_map(); on failure nothing has changed.
 */
enum itf_error itf_track_mmap(struct itf_track *track, const struct itf_mapping *mapping);

/**
 * itf_track_munmap() - munmap: the linux answers stay as they are (R8)
 * @track: a track
 * @start: first address
 * @size: bytes
 *
 * Return: as itf_space_unmap().
 */
enum itf_error itf_track_munmap(struct itf_track *track, u64 start, u64 size);

/**
 * itf_track_mremap() - mremap: the linux answers stay as they are (R9)
 * @track: a track
 * @old_start: as in itf_space_remap()
 * @old_size: likewise
 * @new_start: likewise
 * @new_size: likewise
 *
 * Return: as itf_space_remap().
 */
enum itf_error itf_track_mremap(struct itf_track *track, u64 old_start, u64 old_size, u64 new_start,
				u64 new_size);

/**
 * itf_track_mprotect() - mprotect
 * @track: a track
 * @start: first address
 * @size: bytes
 * @prot: ITF_PROT_* or-ed together
 *
 * Each mapping in the range whose protection changes and that is executable afterwards counts as
 * a new mapping for Linux; losing ITF_PROT_EXEC clears nothing (R21).
 *
 * Return: as itf_space_protect(); on failure nothing has changed.
 */
enum itf_error itf_track_mprotect(struct itf_track *track, u64 start, u64 size, u32 prot);

/**
 * itf_track_exec() - exec: mappings and file ranges are forgotten, kernel filters keep theirs
 * @track: a track
 */
void itf_track_exec(struct itf_track *track);

/**
 * itf_track_fork() - fork: the child's mappings are its parent's, its ranges those of the root
 * event
 * @child: a track whose @space has room for the parent's mappings, with @launch and @attach
 *	arrays for @root->count slots; its @filters and @count are set to the root's
 * @parent: the process that forked
 * @root: the process that the filter set was set on (R12); may be @parent
 *
 * Return: ITF_OK, or ITF_E_SPACE_FULL and @child is as it was.
 */
enum itf_error itf_track_fork(struct itf_track *child, const struct itf_track *parent,
			      const struct itf_track *root);

/**
 * itf_track_exit() - exit: nothing is mapped any more; the linux answers stay readable
 * @track: a track
 */
void itf_track_exit(struct itf_track *track);

/* ---------- the verdict */

/**
 * enum itf_verdict - one linux answer judged against the exact one, from good to bad (SPEC 4)
 * @ITF_VERDICT_COVERED: every byte of exact is programmed
 * @ITF_VERDICT_PARTIAL: some are
 * @ITF_VERDICT_NONE: none is, or there is none to program
 * @ITF_VERDICT_RUNAWAY: a sized filter is programmed with size 0: Intel PT takes that as
 *	"everything above" (R3)
 * @ITF_VERDICT_UNKNOWN: not known, because the input was incomplete; never from itf_judge()
 * @ITF_VERDICT_COUNT: how many there are; not a verdict
 */
enum itf_verdict {
	ITF_VERDICT_COVERED = 0,
	ITF_VERDICT_PARTIAL,
	ITF_VERDICT_NONE,
	ITF_VERDICT_RUNAWAY,
	ITF_VERDICT_UNKNOWN,
	ITF_VERDICT_COUNT
};

/**
 * itf_judge() - judge one linux answer
 * @space: the mappings
 * @filter: one filter
 * @slot: Linux's answer for it
 *
 * Return: a verdict other than ITF_VERDICT_UNKNOWN.
 */
enum itf_verdict itf_judge(const struct itf_space *space, const struct itf_filter *filter,
			   const struct itf_slot *slot);

/**
 * itf_verdict_name() - "covered" and so on
 * @verdict: any value
 *
 * Return: a static string, never NULL; "unknown" also for a value outside the enum.
 */
const char *itf_verdict_name(enum itf_verdict verdict);

/**
 * enum itf_note - why a filter may not trace what was meant: the closed list of SPEC 4
 * @ITF_NOTE_NOT_MAPPED: no mapping holds a byte of the filter
 * @ITF_NOTE_TOUCHING_MAPPING: Linux matched a mapping that the filter only touches (R1, R2, R20)
 * @ITF_NOTE_NON_EXEC_FIRST: on attach a mapping without execute permission won over executable
 *	ones (R4)
 * @ITF_NOTE_SEVERAL_MAPPINGS: several executable mappings hold bytes of it; Linux programs one (R5)
 * @ITF_NOTE_CUT_BY_MAPPING: some bytes of it are in no executable mapping, others are
 * @ITF_NOTE_NO_EXEC_BYTES: its bytes are mapped, but none of them executable
 * @ITF_NOTE_LOOKS_LIKE_ADDRESS: the start looks like an address, not a file offset
 * @ITF_NOTE_DELETED_FILE: the process maps a file of that name that was deleted
 * @ITF_NOTE_REPLACED_FILE: the process maps an older file than the one that now has the name (G9)
 * @ITF_NOTE_OVERLAY_DEVICE: the file is on overlayfs or btrfs: device numbers in maps mislead,
 *	and kernels without the fix of R19 never match on overlayfs
 * @ITF_NOTE_ANONYMOUS_TEXT: a hole in the file's mappings is filled by anonymous executable memory
 * @ITF_NOTE_NON_CANONICAL: the hardware cuts the range to canonical addresses
 * @ITF_NOTE_MAY_BE_STALE: mappings may have gone that no event tells of (R8, R9)
 * @ITF_NOTE_THREADS_DIFFER: a thread of the process has other ranges than its leader (R10)
 * @ITF_NOTE_NOT_IN_MAINLINE: the filter cannot be written for today's kernel
 * @ITF_NOTE_TRUNCATED_MAPS: the list of mappings was incomplete
 * @ITF_NOTE_COUNT: how many there are; not a note
 */
enum itf_note {
	ITF_NOTE_NOT_MAPPED = 0,
	ITF_NOTE_TOUCHING_MAPPING,
	ITF_NOTE_NON_EXEC_FIRST,
	ITF_NOTE_SEVERAL_MAPPINGS,
	ITF_NOTE_CUT_BY_MAPPING,
	ITF_NOTE_NO_EXEC_BYTES,
	ITF_NOTE_LOOKS_LIKE_ADDRESS,
	ITF_NOTE_DELETED_FILE,
	ITF_NOTE_REPLACED_FILE,
	ITF_NOTE_OVERLAY_DEVICE,
	ITF_NOTE_ANONYMOUS_TEXT,
	ITF_NOTE_NON_CANONICAL,
	ITF_NOTE_MAY_BE_STALE,
	ITF_NOTE_THREADS_DIFFER,
	ITF_NOTE_NOT_IN_MAINLINE,
	ITF_NOTE_TRUNCATED_MAPS,
	ITF_NOTE_COUNT
};

/* The bit of a note in a set of notes. */
#define ITF_NOTE_BIT(note) (1u << (note))

/**
 * itf_explain() - the notes that follow from the mappings alone
 * @space: the mappings
 * @filter: one filter
 * @launch: Linux's answer on launch; NULL if it is not of interest
 * @attach: Linux's answer on attach; NULL if it is not of interest
 *
 * Gives ITF_NOTE_NOT_MAPPED, _TOUCHING_MAPPING, _NON_EXEC_FIRST (from @attach only),
 * _SEVERAL_MAPPINGS, _CUT_BY_MAPPING, _NO_EXEC_BYTES, _ANONYMOUS_TEXT and _NOT_IN_MAINLINE; all
 * others need more than mappings.
 *
 * Return: ITF_NOTE_BIT() of each note, or-ed together.
 */
u32 itf_explain(const struct itf_space *space, const struct itf_filter *filter,
		const struct itf_slot *launch, const struct itf_slot *attach);

/**
 * itf_note_name() - the stable kebab-case code of a note
 * @note: any value
 *
 * Return: a static string, never NULL; "unknown" for a value outside the enum.
 */
const char *itf_note_name(enum itf_note note);

/**
 * itf_note_message() - one sentence for people
 * @note: any value
 *
 * Return: a static string without a full stop or newline, never NULL.
 */
const char *itf_note_message(enum itf_note note);

#ifdef __cplusplus
}
#endif

#endif
