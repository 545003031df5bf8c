#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The corpus holds every seed that tools/make-seeds.py writes, as it writes it.

. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip "no python3"
python3 "$top/tools/make-seeds.py" "$work/seeds" || fail "make-seeds.py"
[ -n "$(find "$work/seeds" -type f)" ] || fail "no seeds"
find "$work/seeds" -type f -printf '%P\n' | while read -r seed; do
	cmp "$work/seeds/$seed" "$top/corpus/$seed" || exit 1
done || fail "run tools/make-seeds.py and commit what it wrote"
