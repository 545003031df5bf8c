/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Resolve a filter set over the processes of a perf.data file. */
#ifndef ITF_HOST_RECORDED_H
#define ITF_HOST_RECORDED_H

#include "perfdata.h"
#include "resolve.h"

/**
 * resolve_perfdata() - resolve over a recording
 * @report: an initialised, empty report; each of its processes says which answer it judges: attach
 *	if its mappings were there before the recording began, else launch
 * @set: the same set as the report's; its objects are set
 * @fd: open for reading: a file, or what "perf record -o -" writes
 * @name: of the file, for messages
 * @addr_bits: 32 or 64; 0 means 64
 * @end: set to how reading ended. Of a damaged file, all that was read is reported; what then
 *	cannot be known is unknown
 * @progress: called now and then with the bytes read so far; may be NULL
 * @trouble: set on failure
 *
 * One entry a process that mapped an object file of the set at some time, in the order in which
 * they began; all processes if none did. Files match by name. A process is as it was just before
 * it ended, or at the end of the recording.
 *
 * Return: true; false on a read error, if not a single record could be read, or if memory ran out.
 */
bool resolve_perfdata(struct report *report, struct filter_set *set, int fd, const char *name,
		      unsigned int addr_bits, struct perfdata_end *end, void (*progress)(u64 bytes),
		      struct trouble *trouble);

#endif
