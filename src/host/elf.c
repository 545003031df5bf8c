// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Does a file offset look like an address of that file? Reads the program headers of an ELF file;
 * must not care which process maps it where.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf.h"

/*
 * What the segments say of a start: it is in the file bytes of an executable segment; it is a
 * virtual address of one; it is the first virtual address of a segment that is elsewhere in the
 * file; and which file offset has the byte at that virtual address.
 */
struct finding {
	bool in_exec_bytes;
	bool exec_address;
	bool segment_address;
	bool has_offset;
	u64 offset;
};

static bool inside(u64 value, u64 start, u64 size)
{
	return value >= start && value - start < size;
}

static void judge_segment(const GElf_Phdr *segment, u64 start, struct finding *finding)
{
	bool exec = segment->p_flags & PF_X;
	bool here = inside(start, segment->p_vaddr, segment->p_memsz);
	bool first = start == segment->p_vaddr && segment->p_offset != segment->p_vaddr;

	if (segment->p_type != PT_LOAD)
		return;
	if (exec && inside(start, segment->p_offset, segment->p_filesz))
		finding->in_exec_bytes = true;
	if (exec && here)
		finding->exec_address = true;
	if (first)
		finding->segment_address = true;
	/* Beyond the file bytes of the segment there is no offset. */
	if (here && start - segment->p_vaddr < segment->p_filesz &&
	    !__builtin_add_overflow(start - segment->p_vaddr, segment->p_offset, &finding->offset))
		finding->has_offset = true;
}

/* Return: false if it is no ELF file. */
static bool judge_file(int fd, u64 start, struct finding *finding)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	size_t count = 0;
	bool is_elf;

	if (!elf)
		return false;
	is_elf = elf_kind(elf) == ELF_K_ELF;
	if (is_elf && elf_getphdrnum(elf, &count) == 0) {
		for (size_t i = 0; i < count && i < INT32_MAX; i++) {
			GElf_Phdr segment;

			if (!gelf_getphdr(elf, (int)i, &segment))
				break;
			judge_segment(&segment, start, finding);
		}
	}
	elf_end(elf);
	return is_elf;
}

static char *describe(const struct finding *finding, u64 start, u64 file_size)
{
	char why[96], meant[96] = "";
	char *detail;

	if (start >= file_size)
		snprintf(why, sizeof(why), "the file ends at 0x%llx",
			 (unsigned long long)file_size);
	else if (finding->segment_address)
		snprintf(why, sizeof(why), "0x%llx is the virtual address of a segment",
			 (unsigned long long)start);
	else
		snprintf(why, sizeof(why), "0x%llx is a virtual address of an executable segment",
			 (unsigned long long)start);
	if (finding->has_offset)
		snprintf(meant, sizeof(meant), "; virtual address 0x%llx is at file offset 0x%llx",
			 (unsigned long long)start, (unsigned long long)finding->offset);
	return asprintf(&detail, "%s%s", why, meant) < 0 ? NULL : detail;
}

bool elf_looks_like_address(const char *path, u64 start, char **detail)
{
	struct finding finding = { 0 };
	bool looks = false;
	struct stat st;
	int fd;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return false;
	/* O_NONBLOCK: a path that is a FIFO must not hold us up. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && judge_file(fd, start, &finding)) {
		looks = start >= (u64)st.st_size || finding.segment_address ||
			(finding.exec_address && !finding.in_exec_bytes);
		if (looks)
			*detail = describe(&finding, start, (u64)st.st_size);
	}
	close(fd);
	return looks;
}
