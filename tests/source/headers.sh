#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Each public header compiles alone, in C and in C++, and a C++ program links with the library.

. "$(dirname "$0")/lib.sh"

warnings="-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wpedantic -Werror"

for header in $(cd "$top/include" && ls itf/*.h); do
	printf '#include <%s>\n#include <%s>\n' "$header" "$header" >one.c
	for std in c11 gnu11; do
		$CC -std=$std $warnings -Wmissing-prototypes -I"$top/include" -fsyntax-only one.c ||
			fail "$header: C, $std"
	done
	command -v g++ >/dev/null || continue
	for std in c++11 c++20; do
		g++ -std=$std $warnings -I"$top/include" -fsyntax-only -x c++ one.c ||
			fail "$header: C++, $std"
	done
done

command -v g++ >/dev/null || skip "no g++"
compile $CC
cat >main.cc <<'EOF'
#include <itf/itf.h>

int main()
{
	return itf_error_name(ITF_OK)[0] == 'o' ? 0 : 1;
}
EOF
g++ -I"$top/include" -o main main.cc ./*.o || fail "a C++ program does not link"
./main
