#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# usage: module/build.sh KBUILD OUT
#
# Builds OUT/itrace_filter.ko with the kernel build directory KBUILD (as /lib/modules/VERSION/build). Nothing is
# written to the source tree.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
kbuild=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)

# Written only if it changed, so that make has nothing to do a second time.
put()
{
	cat >"$out/.new"
	cmp -s "$out/.new" "$out/$1" || mv "$out/.new" "$out/$1"
	rm -f "$out/.new"
}

objects=
for file in $(printf 'include %s/src/core.mk\nall: ; @echo $(ITF_CORE) $(ITF_TRACK) $(ITF_PMU)\n' "$top" |
		env -u MAKEFLAGS -u MAKELEVEL make -s -f -); do
	name=itf_$(basename "$file")
	printf '// SPDX-License-Identifier: GPL-2.0-only OR MIT\n#include "%s/%s"\n' "$top" "$file" | put "$name"
	objects+=" ${name%.c}.o"
done
for file in "$here"/module.c "$here"/../kunit/*.[ch]; do
	put "$(basename "$file")" <"$file"
done
"$here/../kunit/vectors.py" "$top/tests/vectors" | put vectors.h
printf 'itf-top := %s\nitf-engine :=%s\n' "$top" "$objects" | cat - "$here/Kbuild" | put Kbuild
make -s -C "$kbuild" M="$out" W="${W-}" modules
