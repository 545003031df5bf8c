#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The code of the engine stays within 16 KiB (-Os, x86-64).

. "$(dirname "$0")/lib.sh"
needs_gcc_for_x86_64

compile $CC -Os -ffreestanding -fno-pie -fno-asynchronous-unwind-tables
total=$(size -A ./*.o | awk '$1 ~ /^\.text/ { n += $2 } END { print n }')
echo "$total bytes"
[ "$total" -le 16384 ] || fail "$total bytes of code, over 16384"
