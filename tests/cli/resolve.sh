#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# resolve over maps files: the handed cases, every note that mappings alone give, and files that are not quite right.

. "$(dirname "$0")/lib.sh"
py <<'END'
from helper import *

MAPS = os.path.join(TOP, "tests", "vectors", "maps")
BAD = ["covered", "partial", "none", "runaway"]


def ranges(text):
    """"0x1+0x2 0x3+0x4" or "-" as a list of (start, size)."""
    return [tuple(int(number, 16) for number in one.split("+")) for one in text.split()] if text != "-" else []


def answer(got):
    return (int(got["start"], 16), int(got["size"], 16)) if got else None


def judge(one, exact, size):
    """The verdict of SPEC 4, written down once more."""
    if not one or not exact:
        return "runaway" if one and size and not one[1] else "none"
    if size and not one[1]:
        return "runaway"
    shared = sum(max(0, min(s + max(n, 1), one[0] + max(one[1], 1)) - max(s, one[0])) for s, n in exact)
    return "covered" if shared == sum(max(n, 1) for _, n in exact) else "partial" if shared else "none"


for name, text, exact, launch, attach in vectors("resolve.tsv"):
    path = os.path.join(MAPS, name + ".maps")
    status, out, err = run("resolve", "--maps=" + path, "--json", text)
    got = one_object(out)
    same(list(got), ["processes"])
    process = got["processes"][0]
    same((len(got["processes"]), process["pid"], process["comm"]), (1, None, None))
    same(list(process), ["pid", "comm", "filters"])
    found = process["filters"][0]
    same(list(found), ["index", "action", "source", "start", "size", "path", "form", "span", "exact",
                       "linux_launch", "linux_attach", "verdict", "notes"])
    exact = ranges(exact)
    same([answer(one) for one in found["exact"]], exact, name, text)
    same(answer(found["linux_launch"]), (ranges(launch) or [None])[0], name, text)
    same(answer(found["linux_attach"]), (ranges(attach) or [None])[0], name, text)
    size = int(found["size"], 16)
    want = max((judge(answer(found[key]), exact, size) for key in ("linux_launch", "linux_attach")),
               key=BAD.index)
    same(found["verdict"], want, name, text)
    same(status, 3 if want in ("none", "runaway") else 0, name, text)
    for note in found["notes"]:
        same(list(note), ["code", "message"])
        expect(note["message"], note)
    # The same for people: same status, and the verdict by its name.
    code, out, err = run("resolve", "--maps=" + path, text)
    same((code, err), (status, b""), name, text)
    expect(b"\n    verdict    " + want.encode() + b" " in out, out)
    for note in found["notes"]:
        expect(b"note       " + note["code"].encode() + b":" in out.replace(b"\n               ", b" "), out)
    expect(all(len(line) <= 80 for line in out.split(b"\n")), out)


def notes(maps, text, *options, status=None, verdict=None):
    code, out, err = run("resolve", "--maps=-", "--json", *options, text, stdin=maps.encode())
    found = one_object(out)["processes"][0]["filters"][0]
    if status is not None:
        same(code, status, maps, text)
    if verdict:
        same(found["verdict"], verdict, maps, text)
    return [note["code"] for note in found["notes"]]


R = "00400000-00401000 r--p 00000000 fe:00 4711 /f\n"
X = "00401000-00403000 r-xp 00001000 fe:00 4711 /f\n"
FAR = "00801000-00803000 r-xp 00001000 fe:00 4711 /f\n"
HOLE = ("00401000-00402000 r-xp 00001000 fe:00 4711 /f\n" "00402000-00403000 rwxp 00000000 00:00 0\n"
        "00403000-00404000 r-xp 00003000 fe:00 4711 /f\n")
same(notes(X, "filter 0x9000/0x10@/f", status=3, verdict="none"), ["not-mapped"])
same(notes(X, "filter 0x1000/0x10@/g", status=3, verdict="none"), ["not-mapped"])
same(notes(R + X, "filter 0x1000/0x10@/f", status=3, verdict="runaway"),
     ["touching-mapping", "non-exec-first"])
same(notes(X, "filter 0x3000/0x10@/f", status=3, verdict="runaway"), ["not-mapped", "touching-mapping"])
same(notes(R + X, "filter 0xf00/0x200@/f", status=3, verdict="none"), ["non-exec-first", "cut-by-mapping"])
same(notes(X + FAR, "filter 0x1000/0x10@/f", status=0, verdict="partial"), ["several-mappings"])
same(notes(X, "filter 0x1000/0x10@/f", status=0, verdict="covered"), [])
same(notes(R, "filter 0x800/0x10@/f", status=3, verdict="none"), ["no-exec-bytes"])
expect("anonymous-text" in notes(HOLE, "filter 0x1000/0x3000@/f"), notes(HOLE, "filter 0x1000/0x3000@/f"))
same(notes(X.replace("/f", "/f (deleted)"), "filter 0x1000/0x10@/f", status=0), ["deleted-file"])
expect("not-in-mainline" in notes(X, "filter file:0x1000@/f", status=3, verdict="none"))
same(notes("", "filter 0x800000000000/1", "--pmu=intel_pt", status=0, verdict="covered"), ["non-canonical"])
same(notes(X + "00801000-008", "filter 0x1000/0x10@/g", status=3, verdict="unknown"),
     ["not-mapped", "truncated-maps"])
same(notes(X + "00801000-008", "filter 0x1000/0x10@/f", status=0, verdict="covered"), ["truncated-maps"])

# A kernel filter needs no mapping.
same(notes("", "filter 0xffffffff81000000/0x10", status=0, verdict="covered"), [])
# Runaway anywhere is trouble; none or unknown is, of any filter.
same(run("resolve", "--maps=-", "filter 0x1000/0x10@/f,start 1@/g", stdin=X.encode())[0], 3)

# Names: quoted paths reach what a plain path cannot.
names = os.path.join(MAPS, "names.maps")
for text in ('filter 0/0x10@"/opt/with space/a  b"', "filter 0/0x10@/opt/x", 'filter 0/0x10@"/opt/lf\\nname"',
             'filter 0/0x10@"/memfd:jit code"'):
    same(run("resolve", "--maps=" + names, text)[0], 0, text)
with open("maps", "wb") as file:
    file.write(b"00401000-00402000 r-xp 00001000 fe:00 4711 /caf\xe9\n")
got = ask("resolve", "--maps=maps", "-", stdin=b"filter 0x1000/0x10@/caf\xe9")["processes"][0]["filters"][0]
same((got["path"], got["path_hex"], got["verdict"]), ("/caf\ufffd", b"/caf\xe9".hex(), "covered"))

# Lines that are no map lines are passed over, and that is said.
status, out, err = run("resolve", "--maps=-", "filter 0x1000/0x10@/f", stdin=(X + "junk\n" + R + "\n").encode())
same((status, err.count(b"\n")), (3, 1), err)
expect(b"2 of 4 lines" in err and b"first line 2" in err, err)
status, out, err = run("resolve", "--maps=-", "filter 0x1000/0x10@/f", stdin=X.encode())
same((status, err), (0, b""))
# 32 bits: the same file, but addresses above 4 GiB are no addresses.
status, out, err = run("resolve", "--maps=-", "--addr-bits=32", "filter 0x1000/0x10@/f",
                       stdin=(X + "100401000-100403000 r-xp 00001000 fe:00 4711 /f\n").encode())
expect(status == 0 and b"1 of 2 lines" in err, status, err)

# A file of other lines is no list of mappings: that of another kind, or of the other width.
for text, more in (("\n", []), ("PERFILE2\njunk\n\xff", []), ("1" + X, ["--addr-bits=32"])):
    for options in ([], ["--json"]):
        status, out, err = run("resolve", "--maps=-", *more, *options, "filter 0x1000/0x10@/f",
                               stdin=text.encode("latin-1"))
        same((status, out), (2, b""), text)
        expect(err.startswith(b"itf: error: standard input: no line is a map line"), err)
        same(b"hint: " in err, bool(more), err)
same(run("resolve", "--maps=-", "filter 0x1000/0x10@/f", stdin=b"")[0::2], (3, b""))

# However long a name is, what is wrong is said.
for name, why in (("no/" * 1300, "No such file or directory"), ("no/" * 3000, "File name too long")):
    status, out, err = run("resolve", "--maps=" + name, "filter 0x1000/0x10@/f")
    same((status, out), (2, b""))
    expect(err.endswith(b": %s\n" % why.encode()), err[-60:])

# A million lines, and one that is longer than any buffer.
many = b"".join(b"%012x-%012x r-xp 00000000 fe:00 4711 /%d\n" % (i << 12, (i + 1) << 12, i)
                for i in range(1, 10**6)) + b"f000000000000-f000000001000 r-xp 00001000 fe:00 1 /" + b"f" * 2**20 + b"\n"
status, out, err = run("resolve", "--maps=-", "--json", "filter 0/0x1000@/77", stdin=many, timeout=300)
same(one_object(out)["processes"][0]["filters"][0]["exact"], [{"start": "0x4d000", "size": "0x1000"}])
finish()
END
