#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The kernel can compile the engine as it is: its flags, its types, no header of any library in reach.

. "$(dirname "$0")/lib.sh"
needs_gcc_for_x86_64

kernel="-D__KERNEL__ -nostdinc -I$top/tests/kernel-stub -ffreestanding -fno-strict-aliasing
	-fno-common -fshort-wchar -fno-PIE -mno-sse -mno-mmx -mno-sse2 -mno-80387 -mno-red-zone
	-mcmodel=kernel -fno-asynchronous-unwind-tables -fno-delete-null-pointer-checks
	-Wall -Wextra -Wundef -Werror=strict-prototypes -Werror=implicit-function-declaration
	-Wdeclaration-after-statement -Wvla -Wframe-larger-than=512 -Wno-pointer-sign
	-Wmissing-prototypes -Wmissing-declarations -Werror"

for optimize in -O2 -Os; do
	compile $CC $kernel -fconserve-stack -Wimplicit-fallthrough=5 $optimize
	! command -v clang >/dev/null || compile clang $kernel -Wimplicit-fallthrough $optimize
done
