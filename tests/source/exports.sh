#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The shared library exports every function that the headers promise, and nothing else.

build=$PWD
. "$(dirname "$0")/lib.sh"

so=$build/.libs/libitf.so
[ -f "$so" ] || skip "no shared library in this build"
$NM -D --defined-only "$so" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >exported
sed -nE 's/^[a-z].*[ *](itf_[a-z0-9_]+)\(.*/\1/p; s/^extern const .* (itf_[a-z0-9_]+);.*/\1/p' \
	"$top"/include/itf/*.h | grep -v '^static' | sort -u >promised
for name in $(sed -nE 's/^static inline .*[ *](itf_[a-z0-9_]+)\(.*/\1/p' "$top"/include/itf/*.h); do
	sed -i "/^$name\$/d" promised
done
[ "$(wc -l <promised)" -gt 20 ] || fail "found only $(wc -l <promised) functions in the headers"
diff promised exported || fail "< promised by the headers, > exported by the library"
