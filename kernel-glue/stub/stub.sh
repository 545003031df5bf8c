#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The glue for perf core compiles with the kernel's warnings at every patch that changes it, and does its job without a
# kernel: the sources that go into one, the KUnit suites included, on stub headers.

set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
CC=${CC:-gcc}
command -v python3 >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

kernel="-std=gnu11 -D__KERNEL__ -nostdinc -isystem $here -I$top/include -I. -ffreestanding -fno-strict-aliasing
	-fno-common -fno-delete-null-pointer-checks -O2 -Wall -Wextra -Wno-unused-parameter -Wundef
	-Werror=strict-prototypes -Wno-pointer-sign -Wno-sign-compare -Wmissing-prototypes
	-Wmissing-declarations -Wvla -Wframe-larger-than=1024 -Werror"

source_of()
{
	awk -v stage="$1" -v inode="$2" -f "$here/../series/stage.awk" "$here/../perf/$3" >"$3"
}

for inode in file_inode file_user_inode; do
	for stage in 6 7 8; do
		source_of $stage $inode addr_filter.c
		source_of $stage $inode addr_filter.h
		# shellcheck disable=SC2086
		$CC $kernel -c addr_filter.c
	done
done

"$here/../kunit/vectors.py" "$top/tests/vectors" >vectors.h
# The suites find what goes with them here.
cp "$here"/../kunit/*.c "$here/addr_filter_test.c" .
for file in itf_vectors_test itf_range_test addr_filter_test; do
	# shellcheck disable=SC2086
	$CC $kernel -Wno-missing-prototypes -Wno-missing-declarations -Wno-missing-field-initializers \
		-Wno-frame-larger-than -c $file.c
done
for file in $(printf 'include %s/src/core.mk\nall: ; @echo $(ITF_CORE) $(ITF_TRACK) $(ITF_PMU)\n' "$top" |
		env -u MAKEFLAGS -u MAKELEVEL make -s -f -); do
	$CC -std=gnu11 -O1 -I"$top/include" -c -o "engine-$(basename "$file").o" "$top/$file"
done
$CC -std=gnu11 -O1 -Wall -Wextra -Werror -c "$here/stub.c"
$CC -o suites ./*.o
./suites
