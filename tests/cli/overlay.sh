#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# On overlayfs a file is found although /proc/PID/maps may show another device, and old kernels are warned of.

. "$(dirname "$0")/lib.sh"
[ -r /proc/self/maps ] || skip "no /proc"
python=$(command -v python3) || skip "no python3"
export PYTHONPATH="$top/tests/cli" PYTHONDONTWRITEBYTECODE=1

# In mounts of its own, which go away with it.
mounted='mount -t tmpfs none "$PWD" && cd "$PWD" && mkdir lower upper work merged &&
	head -c 32768 /dev/zero >lower/lib.bin &&
	mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work none merged'

as=
for try in -m -rm; do
	[ -n "$as" ] || ! unshare $try sh -c "$mounted" 2>/dev/null || as=$try
done
[ -n "$as" ] || skip "cannot mount overlayfs"
unshare $as sh -c "$mounted && exec $python -" <<'END'
from helper import *

process = Process()
file = os.path.join(os.getcwd(), "merged", "lib.bin")
expect("lib.bin" in os.listdir("merged"), "no overlayfs")
process.do("map %s r-x 0 8000 20000000" % file)
status, out, err = run("resolve", "--pid=%d" % process.pid, "--json", "filter 0x1000/0x100@" + file)
same(status, 0, err)
found, = one_object(out)["processes"][0]["filters"]
same((found["verdict"], found["linux_attach"]["start"]), ("covered", "0x20001000"))
expect("overlay-device" in [note["code"] for note in found["notes"]], found["notes"])
process.end()
finish()
END
