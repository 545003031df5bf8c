/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What an ELF file says of a file offset: the lint and the note "looks-like-address" (SPEC 2). */
#ifndef ITF_HOST_ELF_H
#define ITF_HOST_ELF_H

#include "set.h"

/**
 * elf_looks_like_address() - does the start of a file filter look like an address
 * @path: the object file
 * @start: start of the filter
 * @detail: set to an allocated sentence that says why and what offset was probably meant, on true;
 *	NULL if memory ran out
 *
 * True if the start is beyond the end of the file; or outside the file bytes of every executable
 * segment but inside the virtual addresses of one; or equal to a segment's virtual address while
 * its file offset differs.
 *
 * Return: false also if the file cannot be read or is no ELF file.
 */
bool elf_looks_like_address(const char *path, u64 start, char **detail);

#endif
