#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# resolve --pid over living processes that map files in the ways that go wrong.

. "$(dirname "$0")/lib.sh"
[ -r /proc/self/maps ] || skip "no /proc"
py <<'END'
from helper import *

PAGE = 0x1000
HERE = os.getcwd()


def make(name, pages=8):
    with open(name, "wb") as file:
        file.write(b"\x90" * (pages * PAGE))
    return os.path.join(HERE, name)


def look(process, text, *options, status=None):
    code, out, err = run("resolve", "--pid=%d" % process.pid, "--json", *options, "-", stdin=text.encode())
    if status is not None:
        same(code, status, text, err)
    got = one_object(out)["processes"]
    same([one["pid"] for one in got], [process.pid])
    return got[0]["filters"]


def notes(found):
    return [note["code"] for note in found["notes"]]


def answer(got):
    return got and (int(got["start"], 16), int(got["size"], 16))


process = Process()
file = make("lib.bin")
text = int(process.do("map %s r-x 2000 2000" % file), 16)
found, = look(process, "filter 0x2100/0x10@" + file, status=0)
same([answer(one) for one in found["exact"]], [(text + 0x100, 0x10)])
same(answer(found["linux_attach"]), (text + 0x100, 0x10))
same((found["verdict"], notes(found)), ("covered", []))
# The name that was given does not matter, the file does.
os.symlink(file, "link")
os.link(file, "second")
for name in ("lib.bin", "link", "second", "./second"):
    same(look(process, "filter 0x2100/0x10@" + name)[0]["verdict"], "covered", name)
same(look(process, "filter 0x2100/0x10@missing", status=3)[0]["verdict"], "none")
comm = open("/proc/%d/comm" % process.pid).read().strip()
got = one_object(run("resolve", "--pid=%d" % process.pid, "--json", "start 1")[1])
same(got["processes"][0]["comm"], comm)
expect(b"Process %d (%s)\n" % (process.pid, comm.encode()) in
       run("resolve", "--pid=%d" % process.pid, "start 1")[1])

# An earlier mapping that cannot be executed wins on attach (R4).
data = make("data.bin")
process.do("map %s r-- 0 8000 20000000" % data)
process.do("map %s r-x 0 8000 20100000" % data)
found, = look(process, "filter 0x1000/0x100@" + data, status=3)
same((found["verdict"], answer(found["linux_attach"]), answer(found["linux_launch"])),
     ("none", (0x20001000, 0x100), (0x20101000, 0x100)))
expect("non-exec-first" in notes(found), notes(found))

# A mapping that is only touched (R1): size 0.
touched = make("touched.bin")
process.do("map %s r-- 0 1000 21000000" % touched)
process.do("map %s r-x 1000 2000 21001000" % touched)
found, = look(process, "filter 0x1000/0x100@" + touched, status=3)
same((found["verdict"], answer(found["linux_attach"])), ("runaway", (0x21001000, 0)))
expect("touching-mapping" in notes(found), notes(found))

# Text that mprotect split: exact is one range, Linux programs a part.
split = make("split.bin")
process.do("map %s r-x 0 8000 22000000" % split)
process.do("protect 22004000 4000 rwx")
process.do("protect 22004000 4000 r-x")
process.do("protect 22004000 1000 rwx")
found, = look(process, "filter 0x1000/0x6000@" + split, status=0)
same([answer(one) for one in found["exact"]], [(0x22001000, 0x6000)])
same((found["verdict"], answer(found["linux_attach"])), ("partial", (0x22001000, 0x3000)))
expect("several-mappings" in notes(found), notes(found))

# Twice in memory, not executable, cut, a hole filled with anonymous code.
twice = make("twice.bin")
process.do("map %s r-x 0 2000 23000000" % twice)
process.do("map %s r-x 0 2000 23100000" % twice)
found, = look(process, "filter 0x100/0x10@" + twice, status=0)
same([answer(one) for one in found["exact"]], [(0x23000100, 0x10), (0x23100100, 0x10)])
same((found["verdict"], notes(found)), ("partial", ["several-mappings"]))
quiet = make("quiet.bin")
process.do("map %s r-- 0 2000 24000000" % quiet)
found, = look(process, "filter 0x100/0x10@" + quiet, status=3)
same((found["verdict"], notes(found)), ("none", ["no-exec-bytes"]))
found, = look(process, "filter 0x1000/0x9000@" + twice)
expect("cut-by-mapping" in notes(found), notes(found))
hole = make("hole.bin")
process.do("map %s r-x 0 8000 25000000" % hole)
process.do("anon rwx 2000 25002000")
found, = look(process, "filter 0/0x8000@" + hole)
expect("anonymous-text" in notes(found), notes(found))

# Deleted; deleted and then another file of that name.
gone = make("gone.bin")
process.do("map %s r-x 0 2000 26000000" % gone)
process.do("unlink " + gone)
found, = look(process, "filter 0x100/0x10@" + gone)
expect("deleted-file" in notes(found), notes(found))
make("gone.bin")
found, = look(process, "filter 0x100/0x10@" + gone)
expect("replaced-file" in notes(found), notes(found))

# An address where an offset belongs: a file start beyond the end of an ELF file.
program = "/proc/%d/exe" % process.pid
found, = look(process, "start 0x7fffffff@" + os.path.realpath(program), status=3)
expect("looks-like-address" in notes(found), notes(found))
found, = look(process, "filter file:0x100@" + twice, status=3)
same((found["linux_attach"], found["verdict"]), (None, "none"))
expect("not-in-mainline" in notes(found), notes(found))

process.end()
same(run("resolve", "--pid=%d" % process.pid, "filter 1/1")[:2], (2, b""))
finish()
END
