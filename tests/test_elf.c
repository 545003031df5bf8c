// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* File offsets that look like addresses, in files made here byte by byte and in real programs. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/elf.h"
#include "runner.h"
#include "support.h"

static char directory[64], path[128];

static void make_directory(void)
{
	strcpy(directory, "/tmp/itf-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/object", directory);
}

static void remove_directory(void)
{
	unlink(path);
	rmdir(directory);
}

static bool little_endian(void)
{
	const u32 one = 1;

	return *(const u8 *)&one == 1;
}

struct segment {
	u32 type, flags;
	u64 offset, vaddr, filesz, memsz;
};

/* A file of @size bytes with a header, program headers and nothing else. */
static void make_elf(const struct segment *segments, size_t count, off_t size)
{
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, 0, EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(header),
		.e_ehsize = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = (Elf64_Half)count,
	};
	FILE *file = fopen(path, "w");

	header.e_ident[EI_DATA] = little_endian() ? ELFDATA2LSB : ELFDATA2MSB;
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(&header, sizeof(header), 1, file), 1);
	for (size_t i = 0; i < count; i++) {
		Elf64_Phdr segment = {
			.p_type = segments[i].type,
			.p_flags = segments[i].flags,
			.p_offset = segments[i].offset,
			.p_vaddr = segments[i].vaddr,
			.p_filesz = segments[i].filesz,
			.p_memsz = segments[i].memsz,
		};

		ck_assert_uint_eq(fwrite(&segment, sizeof(segment), 1, file), 1);
	}
	fclose(file);
	ck_assert_int_eq(truncate(path, size), 0);
}

/* What a linker makes with -no-pie, with text and data that are not where their addresses say. */
static const struct segment fixed[] = {
	{ PT_LOAD, PF_R, 0, 0x400000, 0x500, 0x500 },
	{ PT_LOAD, PF_R | PF_X, 0x1000, 0x401000, 0x2000, 0x2000 },
	{ PT_LOAD, PF_R | PF_W, 0x3800, 0x404800, 0x200, 0x900 },
	{ PT_NOTE, PF_R | PF_X, 0x300, 0x777000, 0x20, 0x20 },
};

/* lld's layout: addresses a page ahead of offsets, so that they overlap. */
static const struct segment shifted[] = {
	{ PT_LOAD, PF_R, 0, 0, 0x5f0, 0x5f0 },
	{ PT_LOAD, PF_R | PF_X, 0x5f0, 0x15f0, 0x1800, 0x1800 },
	{ PT_LOAD, PF_R | PF_W, 0x1df0, 0x3df0, 0x100, 0x200 },
};

/* Hostile: ends that wrap, sizes of everything, an offset that cannot be added to. */
static const struct segment hostile[] = {
	{ PT_LOAD, PF_R | PF_X, ~(u64)0, 0x10, ~(u64)0, ~(u64)0 },
	{ PT_LOAD, PF_R | PF_X, 0xfffffffffffff000, 0xfffffffffffff000, 0x2000, 0x2000 },
};

static const struct {
	const struct segment *segments;
	size_t count;
} made[] = { { fixed, 4 }, { shifted, 3 }, { hostile, 2 } };

enum {
	FIXED,
	SHIFTED,
	HOSTILE
};

#define END "the file ends at 0x4000"
#define SEGMENT(start) start " is the virtual address of a segment"
#define TEXT(start) start " is a virtual address of an executable segment"
#define NOWHERE (~(u64)1)

static const struct {
	int file;
	u64 start;
	const char *why; /* NULL: does not look like an address */
	u64 offset; /* where that address is in the file, or NOWHERE */
} cases[] = {
	{ FIXED, 0, NULL, 0 },
	{ FIXED, 0x1000, NULL, 0 },
	{ FIXED, 0x1580, NULL, 0 },
	{ FIXED, 0x2fff, NULL, 0 },
	{ FIXED, 0x3800, NULL, 0 },
	{ FIXED, 0x3fff, NULL, 0 },
	{ FIXED, 0x4000, END, NOWHERE },
	{ FIXED, 0x401000, END, 0x1000 },
	{ FIXED, 0x401580, END, 0x1580 },
	{ FIXED, 0x402fff, END, 0x2fff },
	{ FIXED, 0x403000, END, NOWHERE },
	{ FIXED, 0x404800, END, 0x3800 },
	{ FIXED, 0x404a00, END, NOWHERE },
	{ FIXED, 0x777000, END, NOWHERE },
	{ FIXED, ~(u64)0, END, NOWHERE },
	/* In the bytes of the text an offset is an offset, though it is an address, too. */
	{ SHIFTED, 0x5f0, NULL, 0 },
	{ SHIFTED, 0x15ef, NULL, 0 },
	{ SHIFTED, 0x15f1, NULL, 0 },
	{ SHIFTED, 0x1def, NULL, 0 },
	/* But not at the very address of a segment. */
	{ SHIFTED, 0x15f0, SEGMENT("0x15f0"), 0x5f0 },
	{ SHIFTED, 0x1df0, TEXT("0x1df0"), 0xdf0 },
	{ SHIFTED, 0x2def, TEXT("0x2def"), 0x1def },
	{ SHIFTED, 0x2df0, NULL, 0 },
	{ SHIFTED, 0x3df0, SEGMENT("0x3df0"), 0x1df0 },
	{ SHIFTED, 0x3df1, NULL, 0 },
	{ SHIFTED, 0x3ef0, NULL, 0 },
	{ HOSTILE, 0xf, NULL, 0 },
	{ HOSTILE, 0x10, SEGMENT("0x10"), ~(u64)0 },
	{ HOSTILE, 0x11, TEXT("0x11"), NOWHERE },
};

START_TEST(an_offset_is_told_from_an_address)
{
	u64 start = cases[_i].start, offset = cases[_i].offset;
	char expected[256], where[96] = "";
	char *detail = NULL;
	bool looks;

	make_elf(made[cases[_i].file].segments, made[cases[_i].file].count, 0x4000);
	looks = elf_looks_like_address(path, start, &detail);
	if (!cases[_i].why) {
		ck_assert(!looks);
		ck_assert_ptr_null(detail);
		return;
	}
	ck_assert(looks);
	if (offset != NOWHERE)
		snprintf(where, sizeof(where), "; virtual address 0x%llx is at file offset 0x%llx",
			 (unsigned long long)start, (unsigned long long)offset);
	snprintf(expected, sizeof(expected), "%s%s", cases[_i].why, where);
	ck_assert_str_eq(detail, expected);
	free(detail);
}
END_TEST

START_TEST(what_is_no_readable_elf_file_says_nothing)
{
	static const char bad[] = "\177ELF\002\001\001";
	char *detail = NULL;
	int fd;

	ck_assert(!elf_looks_like_address("/no/such/file", ~(u64)0, &detail));
	ck_assert(!elf_looks_like_address("/", ~(u64)0, &detail));
	ck_assert(!elf_looks_like_address("/dev/zero", ~(u64)0, &detail));
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert(!elf_looks_like_address(path, ~(u64)0, &detail));
	unlink(path);
	/* Every beginning of a header, and a text. */
	for (size_t len = 0; len <= sizeof(bad) - 1; len++) {
		fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
		ck_assert_int_eq(write(fd, bad, len), (ssize_t)len);
		close(fd);
		ck_assert(!elf_looks_like_address(path, ~(u64)0, &detail));
	}
	fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	ck_assert_int_eq(write(fd, "#!/bin/sh\n", 10), 10);
	close(fd);
	ck_assert(!elf_looks_like_address(path, ~(u64)0, &detail));
	ck_assert_ptr_null(detail);
}
END_TEST

START_TEST(headers_beyond_the_file_are_survived)
{
	char *detail = NULL;

	/* The program headers are cut off: only the size of the file is known. */
	make_elf(fixed, 4, sizeof(Elf64_Ehdr) + 10);
	ck_assert(!elf_looks_like_address(path, 0x20, &detail));
	free(detail);
	detail = NULL;
	make_elf(fixed, 4, sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + 10);
	elf_looks_like_address(path, 0x401000, &detail);
	free(detail);
}
END_TEST

/* ---------------------------------------------------------------------- real programs */

/* Compile a program. Return: false if there is no compiler or it knows no such option. */
static bool compile(const char *options)
{
	const char *cc = getenv("CC");
	char command[512];

	snprintf(command, sizeof(command),
		 "echo 'int main(void) { return 0; }' | %s -x c - %s -o %s 2>/dev/null",
		 cc && *cc ? cc : "cc", options, path);
	return system(command) == 0;
}

/* Where the entry point is, by the first executable segment that has it. */
static bool entry_of(const char *file, u64 *vaddr, u64 *offset)
{
	FILE *in = fopen(file, "r");
	Elf64_Ehdr header;
	bool found = false;

	if (!in)
		return false;
	if (fread(&header, sizeof(header), 1, in) == 1 && header.e_ident[EI_CLASS] == ELFCLASS64) {
		for (u32 i = 0; i < header.e_phnum && !found; i++) {
			Elf64_Phdr segment;

			fseek(in, (long)(header.e_phoff + i * sizeof(segment)), SEEK_SET);
			if (fread(&segment, sizeof(segment), 1, in) != 1)
				break;
			found = segment.p_type == PT_LOAD && segment.p_flags & PF_X &&
				header.e_entry - segment.p_vaddr < segment.p_filesz;
			*vaddr = header.e_entry;
			*offset = header.e_entry - segment.p_vaddr + segment.p_offset;
		}
	}
	fclose(in);
	return found;
}

static const char *const layouts[] = {
	"-no-pie",
	"-no-pie -Wl,-z,noseparate-code",
	"-pie -fPIE",
	"-pie -fPIE -Wl,-z,noseparate-code",
	"-pie -fPIE -fuse-ld=lld -Wl,-z,noseparate-code",
};

START_TEST(the_entry_point_of_a_program_is_an_address_only_where_it_differs)
{
	u64 vaddr, offset;
	char *detail = NULL;
	char expected[64];

	if (!compile(layouts[_i]) || !entry_of(path, &vaddr, &offset))
		return;
	ck_assert(!elf_looks_like_address(path, offset, &detail));
	if (vaddr == offset)
		return;
	ck_assert(elf_looks_like_address(path, vaddr, &detail));
	snprintf(expected, sizeof(expected), "is at file offset 0x%llx",
		 (unsigned long long)offset);
	ck_assert_ptr_nonnull(strstr(detail, expected));
	free(detail);
}
END_TEST

START_TEST(a_system_program_has_its_text_where_it_is)
{
	u64 vaddr, offset;
	char *detail = NULL;
	struct stat st;

	if (stat("/bin/true", &st) || !entry_of("/bin/true", &vaddr, &offset))
		return;
	ck_assert(!elf_looks_like_address("/bin/true", offset, &detail));
	ck_assert(!elf_looks_like_address("/bin/true", 0, &detail));
	ck_assert(elf_looks_like_address("/bin/true", (u64)st.st_size, &detail));
	free(detail);
	ck_assert(elf_looks_like_address("/bin/true", 0x555555554000, &detail));
	free(detail);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("elf");
	TCase *bytes = tcase_create("bytes");
	TCase *real = tcase_create("real");

	tcase_add_checked_fixture(bytes, make_directory, remove_directory);
	tcase_add_loop_test(bytes, an_offset_is_told_from_an_address, 0,
			    sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(bytes, what_is_no_readable_elf_file_says_nothing);
	tcase_add_test(bytes, headers_beyond_the_file_are_survived);
	suite_add_tcase(suite, bytes);
	tcase_add_checked_fixture(real, make_directory, remove_directory);
	tcase_set_timeout(real, 60);
	tcase_add_loop_test(real, the_entry_point_of_a_program_is_an_address_only_where_it_differs,
			    0, sizeof(layouts) / sizeof(layouts[0]));
	tcase_add_test(real, a_system_program_has_its_text_where_it_is);
	suite_add_tcase(suite, real);
	return run_suite(suite);
}
