#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# gcc and clang have nothing to say of any source, for the machine's own width and, of the engine, for 32 bits.

. "$(dirname "$0")/lib.sh"

warnings="-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wmissing-prototypes -Wvla
	-Wimplicit-fallthrough -Werror"
hosted="-I$top/src -I$top/tests $(pkg-config --cflags jansson libelf check 2>/dev/null || true)"

for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	for file in $(cd "$top" && ls src/*/*.c); do
		$compiler -std=gnu11 -O1 $warnings -I"$top/include" $hosted \
			-DPACKAGE_VERSION='""' -c -o x.o "$top/$file" 2>x.log ||
			{ head -n 10 x.log; fail "$compiler: $file"; }
	done
	compile $compiler -O1 -m32 $warnings
done
