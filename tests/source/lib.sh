# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What the tests of the source share. Read, not run. Each works in a directory of its own that goes away.

set -eu
export LC_ALL=C
top=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
CC=${CC:-gcc}
NM=${NM:-nm}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail()
{
	echo "FAIL: $*"
	exit 1
}

skip()
{
	echo "SKIP: $*"
	exit 77
}

# Some tests know one machine and its compiler only.
needs_gcc_for_x86_64()
{
	case $($CC -dumpmachine) in
	x86_64-*linux*) ;;
	*) skip "not a compiler for x86-64" ;;
	esac
	$CC --version | grep -q 'Free Software Foundation' || skip "not gcc"
}

# words VARIABLE...: the value of lists of core.mk
words()
{
	printf 'include %s\nall: ; @echo %s\n' "$top/src/core.mk" "$(printf '$(%s) ' "$@")" |
		env -u MAKEFLAGS -u MAKELEVEL make -s -f -
}

# The sources of the engine that are there.
engine()
{
	local file

	for file in $(words ITF_CORE ITF_TRACK ITF_PMU); do
		[ ! -f "$top/$file" ] || echo "$file"
	done
}

# compile COMPILER FLAG...: every source of the engine to NAME.o here
compile()
{
	local file name

	for file in $(engine); do
		name=${file#src/}
		"$@" -std=gnu11 -I"$top/include" -c -o "$(echo "${name%.c}" | tr / -).o" \
			"$top/$file" || fail "$file does not compile: $*"
	done
}

# Every C file and header of the tree; what is only for the kernel has its own rules.
c_files()
{
	(cd "$top" && find include src tests fuzz bench tools -name '*.[ch]' \
		2>/dev/null | sort)
}

# Print the directory with checkpatch.pl and kernel-doc of Debian's kernel source, kept in the user's cache since
# unpacking takes a while; nothing if that package is not installed.
kernel_scripts()
{
	local cache=${XDG_CACHE_HOME:-$HOME/.cache}/itrace-filter tar=/usr/src/linux-source-6.1.tar.xz new

	if [ ! -d "$cache/scripts-6.1" ] && [ -f $tar ]; then
		mkdir -p "$cache"
		new=$(mktemp -d "$cache/new.XXXXXX")
		tar -C "$new" -xf $tar --occurrence=1 --strip-components=2 \
			linux-source-6.1/scripts/{checkpatch.pl,const_structs.checkpatch,spelling.txt,kernel-doc}
		mv -T "$new" "$cache/scripts-6.1" 2>/dev/null || rm -rf "$new"
	fi
	[ ! -d "$cache/scripts-6.1" ] || echo "$cache/scripts-6.1"
}
