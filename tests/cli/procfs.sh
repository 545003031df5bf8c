#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# A /proc that is not there, or is that of another PID namespace: no process is taken for another.

. "$(dirname "$0")/lib.sh"
[ "$(id -u)" = 0 ] || skip "it takes root"
unshare --mount --pid --fork true 2>/dev/null || skip "no namespaces here"
py <<'END'
from helper import *

LAST = "/proc/sys/kernel/ns_last_pid"
with open("lib.bin", "wb") as file:
    file.write(b"\x90" * 0x8000)
file = os.path.realpath("lib.bin")
FILTER = "filter 0x1000/0x100@" + file
can_watch = run("watch", "", "--", "true")[0] == 0
# AddressSanitizer itself needs a /proc.
with open(ITF, "rb") as program:
    needs_proc = b"__asan_init" in program.read()


def inside(how, script, *args):
    """Run a script in namespaces of its own; $ITF and "$@" are at hand."""
    done = subprocess.run(["unshare", *how, "sh", "-c", script, "sh", *args], capture_output=True, timeout=60,
                          env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"))
    return done.returncode, done.stdout, done.stderr


def watched(out):
    return {one["pid"]: one["filters"][0] for one in json.loads(out.splitlines()[-1])["processes"]}


process = Process()
process.do("map %s r-x 0 8000 20000000" % file)
pid = str(process.pid)

# Without a /proc.
NONE = 'umount -l /proc && exec "$ITF" "$@"'
for args in (["resolve", "--pid=" + pid, FILTER], ["watch", "--pid=" + pid, FILTER]):
    if needs_proc:
        break
    code, out, err = inside(["--mount"], NONE, *args)
    same((code, out), (2, b""), args, err)
    same(err, b"itf: error: process %s is not visible in /proc\nhint: there is no /proc: mount one\n" % pid.encode())
# What the events tell is told, and that it could not be compared.
if can_watch and not needs_proc:
    code, out, err = inside(["--mount"], NONE, "watch", "--json", FILTER, "--", *PROCESS, "map %s r-x 0 8000" % file)
    same(code, 0, err)
    found, = watched(out).values()
    same((found["verdict"], [note["code"] for note in found["notes"]]), ("covered", ["may-be-stale"]))

# With one that shows another process under the number of the command.
if can_watch and os.path.exists(LAST):
    # The first process of a namespace does not act on what it has no handler for.
    code, out, err = inside(["--pid", "--fork"], 'last=$1; shift; echo "$last" >%s; exec "$ITF" "$@"' % LAST,
                            str(process.pid - 1), "watch", "--json", FILTER, "--", "sleep", "0.3")
    same(code, 3, err)
    found = watched(out)
    same(list(found), [process.pid], err)
    same(found[process.pid]["exact"], [])
    code, out, err = inside(["--pid", "--fork"], 'exec "$ITF" "$@"', "watch", "--pid=1", FILTER)
    same((code, out), (2, b""), err)
    expect(b"another PID namespace" in err, err)
process.end()
finish()
END
