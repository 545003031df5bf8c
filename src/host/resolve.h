/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Resolve a filter set over a running process or over the text of a maps file. */
#ifndef ITF_HOST_RESOLVE_H
#define ITF_HOST_RESOLVE_H

#include "report.h"

/**
 * struct trouble - why something could not be done, for people
 * @text: one line without newline, such as "cannot read /proc/5/maps: Permission denied"
 * @hint: one line more, or ""
 */
struct trouble {
	char text[4096 + 512]; /* a path fits */
	char hint[512];
};

/**
 * resolve_pid() - resolve over a running process
 * @report: an initialised, empty report that judges attach
 * @set: the same set as the report's; its objects are set
 * @pid: thread-group id or thread id
 * @addr_bits: 32 or 64; 0 means 64
 * @trouble: set on failure
 *
 * Launch assumes that the mappings were made in address order.
 *
 * Return: true; false if there is no such process (any more), it may not be looked at, or memory
 * ran out.
 */
bool resolve_pid(struct report *report, struct filter_set *set, pid_t pid, unsigned int addr_bits,
		 struct trouble *trouble);

/**
 * resolve_maps() - resolve over a maps file
 * @report: an initialised, empty report that judges the worse of both
 * @set: the same set as the report's; its objects are set
 * @fd: open for reading
 * @name: of the file, for messages
 * @addr_bits: 32 or 64; 0 means 64
 * @count: set to what the reader met
 * @progress: called now and then with the bytes read so far; may be NULL
 * @trouble: set on failure
 *
 * Mappings are taken to be made in the file's order.
 *
 * Return: true; false on a read error or if memory ran out.
 */
bool resolve_maps(struct report *report, struct filter_set *set, int fd, const char *name,
		  unsigned int addr_bits, struct maps_count *count, void (*progress)(u64 bytes),
		  struct trouble *trouble);

#endif
