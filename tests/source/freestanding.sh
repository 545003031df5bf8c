#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The engine needs nothing but mem* and has no state: in no build is any other symbol undefined or any
# symbol writable; it links with nothing else; it uses no floating point, and no helper for 64-bit
# arithmetic on 32-bit machines.

. "$(dirname "$0")/lib.sh"
needs_gcc_for_x86_64

# symbols WHAT: judge the objects that compile() left here
symbols()
{
	local undefined

	ld -r -o all.o -m "$2" ./*-*.o
	undefined=$($NM -u all.o | awk '{ print $NF }' |
		grep -vxE 'memcpy|memmove|memset|memcmp' || true)
	[ -z "$undefined" ] || fail "$1: undefined:" $undefined
	$NM all.o | grep -E ' [bBdDsSgGcC] ' && fail "$1: writable data"
	size -A all.o | awk '$1 ~ /^\.(data|bss|tdata|tbss|init_array|ctors)/ && $2 > 0 { print; bad = 1 }
		END { exit bad }' || fail "$1: a writable section"
	rm -f ./*.o
}

for optimize in -O0 -O2 -Os; do
	compile $CC $optimize -ffreestanding -fno-pie -mgeneral-regs-only
	symbols "$optimize" elf_x86_64
	compile $CC $optimize -ffreestanding -fno-pie -m32 -mgeneral-regs-only
	symbols "$optimize -m32" elf_i386
done
! command -v clang >/dev/null || {
	compile clang -O2 -ffreestanding -fno-pie -mgeneral-regs-only
	symbols clang elf_x86_64
}

# And it runs without any library.
compile $CC -O2 -ffreestanding -fno-pie
cat >start.c <<'EOF'
#include <itf/itf.h>

void *memcpy(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	if (to < from)
		return memcpy(to, from, n);
	while (n--)
		((volatile char *)to)[n] = ((const char *)from)[n];
	return to;
}

void *memset(void *to, int c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)to)[i] = (char)c;
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	for (size_t i = 0; i < n; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

static int use(void)
{
	static const char text[] = "filter 0x10/0x20@/bin/sh";
	struct itf_parser parser;
	struct itf_filter filter;

	itf_parser_init(&parser, text, sizeof(text) - 1, NULL);
	if (!itf_parser_next(&parser, &filter))
		return 1;
	return !(filter.start == 0x10 && filter.size == 0x20 && filter.path_len == 7);
}

__attribute__((noreturn, force_align_arg_pointer)) void _start(void)
{
	long status = use();

	for (;;)
		__asm__ volatile("syscall" : : "a"(231), "D"(status) : "rcx", "r11", "memory");
}
EOF
$CC -O2 -std=gnu11 -ffreestanding -fno-builtin -fno-stack-protector -fno-pie -I"$top/include" \
	-c -o start.o start.c
$CC -nostdlib -static -no-pie -o bare ./*.o || fail "does not link without libraries"
./bare || fail "does not run without libraries"
