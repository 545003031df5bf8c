/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * itrace-filter: parse instruction-trace filters, resolve them over the mappings of a process,
 * check them against what the hardware can take.
 *
 * Data flows one way:
 *
 *	text --filter.h--> filters --range.h--> pieces --track.h--> ranges --pmu.h--> hardware view
 *
 * Conventions, which hold wherever a comment does not say otherwise:
 *
 * - Units are bytes. A "start" of a file filter is a byte offset in the file, that of a kernel
 *   filter an address. Ranges are half-open, [start, start + size); size 0 is the point at start.
 *   A range may end at 2^64 although that end cannot be written as a u64, so ends are never
 *   stored. The one place with inclusive ends is struct itf_hw, because registers have them.
 * - Pointers must not be NULL unless the comment allows it. Text is (pointer, length) and need not
 *   end with NUL.
 * - The caller owns all memory. The engine never allocates, keeps no state of its own, and keeps a
 *   pointer only where the comment says so. There is nothing to release.
 * - A failed call leaves everything that it could have written as it was, except for what describes
 *   the failure.
 * - Every function may be called from any context, with locks held, on any thread; two calls may
 *   run at once if they share no writable argument.
 * - Errors are values of enum itf_error; 0 is success. ITF_E_INVALID means a mistake of the calling
 *   program, all others can come from what a user typed or a process did.
 */
#ifndef ITF_ITF_H
#define ITF_ITF_H

#include <itf/env.h>
#include <itf/error.h>
#include <itf/filter.h>
#include <itf/range.h>
#include <itf/track.h>
#include <itf/pmu.h>

#endif
