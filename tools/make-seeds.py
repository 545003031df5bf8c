#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Writes the seeds of the fuzzers that say what they show.

usage: tools/make-seeds.py [DIRECTORY]

Below DIRECTORY (corpus) come: every vector of the grammar and of its errors, every file of mappings, every
line of resolve.tsv, and the cases below, which are written here by hand. Seeds that a fuzzer found lie in the
same directories, named by the hash of their bytes; regressions are named by what broke. This tool leaves both alone.
"""

import re
import struct
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
VECTORS = TOP / "tests" / "vectors"
TEXT_FOR_KERNEL = "fuzz_kernel"
M64 = (1 << 64) - 1

seeds = {}


def add(harness, name, data):
    """One seed; a name that is taken gets a number."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower()[:80] or "empty"
    path, n = f"{harness}/{name}", 1
    while path in seeds:
        if seeds[path] == data:
            return
        n += 1
        path = f"{harness}/{name}-{n}"
    seeds[path] = data


def rows(name):
    for line in (VECTORS / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def unescape(text):
    plain = {"n": b"\n", "t": b"\t", "r": b"\r", "0": b"\0", "\\": b"\\"}
    out = b""
    i = 0
    while i < len(text):
        if text[i] != "\\":
            out += text[i].encode()
            i += 1
        elif text[i + 1] == "x":
            out += bytes([int(text[i + 2 : i + 4], 16)])
            i += 4
        else:
            out += plain.get(text[i + 1], text[i + 1].encode())
            i += 2
    return out


def syntax(spec, quotes=None):
    """The first byte of an input of fuzz_parse (fuzz/gen.h)."""
    dialect = {"any": 0, "seed": 1, "mainline": 2}[spec.split("+")[0]]
    bits = dialect | (4 if (quotes if quotes is not None else "+q" in spec) else 0)
    bits |= (8 if "+32" in spec else 0) | (0x40 if "+max" in spec else 0)
    return bytes([0x30 | bits])


def grammar():
    for dialect, text, result, *_ in rows("grammar.tsv"):
        data = unescape(text)
        add("fuzz_parse", f"{dialect} {result} {text}", syntax(dialect, dialect != "mainline") + data)
        if dialect != "seed":
            add(TEXT_FOR_KERNEL, f"{result} {text}", data)
    for spec, text, error, *_ in rows("errors.tsv"):
        data = unescape(text)
        add("fuzz_parse", f"{spec} {error} {text}", syntax(spec) + data)
        if not spec.startswith("seed") and "+q" not in spec:
            add(TEXT_FOR_KERNEL, f"{error} {text}", data)


def numbers(start, size, v, length, offset, other=(0, 0), last=0):
    """An input of fuzz_range."""
    return struct.pack("<7Q", *(x & M64 for x in (start, size, v, length, offset, *other))) + bytes([last])


# KERNEL-FACTS 2.5, and what each of R1, R2, R6, R7 is about.
RANGES = [
    ("inside", 0x1100, 0x80, 0x401000, 0x1000, 0x1000),
    ("straddles low", 0xF00, 0x200, 0x401000, 0x1000, 0x1000),
    ("straddles high", 0x1F00, 0x200, 0x401000, 0x1000, 0x1000),
    ("covers", 0, 0x10000, 0x401000, 0x1000, 0x1000),
    ("touches low edge", 0, 0x1000, 0x401000, 0x1000, 0x1000),
    ("touches high edge", 0x1000, 0x200, 0x400000, 0x1000, 0),
    ("sum wraps", 0x1000, M64, 0x400000, 0x3000, 0),
    ("sum wraps and misses", 0x1000, M64, 0x401000, 0x2000, 0x1000),
    ("almost wraps", 0x1000, 0xFFFFFFFFFFFFEFFF, 0x402000, 0x1000, 0x2000),
    ("beyond", 0x900000, 0x10, 0x401000, 0x1000, 0x1000),
    ("point at the start", 0x1000, 0, 0x401000, 0x1000, 0x1000),
    ("point at the last byte", 0x1FFF, 0, 0x401000, 0x1000, 0x1000),
    ("point behind the end", 0x2000, 0, 0x401000, 0x1000, 0x1000),
    ("ends at the top", M64 - 0xFFF, 0x1000, M64 - 0xFFF, 0x1000, M64 - 0xFFF),
    ("mapping past the last file byte", M64, 1, 0x400000, 0x2000, M64 - 0xFFF),
    ("offset beyond 4 GiB", 0x100000010, 0x10, 0x10000, 0x1000, 0x100000000),
    ("offset that 32 bits cut", 0x10, 0x10, 0x10000, 0x1000, 0x100000000),
    ("empty mapping", 0x1000, 0x10, 0x401000, 0, 0x1000),
    ("all bytes", 0, M64, 0, M64, 0),
    ("both past the last byte", M64, 5, 0x400000, 5, M64),
]

ACTIONS = {"filter": 0, "start": 1, "stop": 2}
PT, ETM, COUNT, ANY = 0, 1, 2, 3


def hardware(model, slots, *filters, bits=48):
    """An input of fuzz_pmu; a filter is (action, start, size[, kernel])."""
    data = bytes([model | (4 if bits == 57 else 0), slots])
    for action, start, size, *kernel in filters:
        data += bytes([ACTIONS[action] | (4 if kernel else 0)]) + struct.pack("<QQ", start, size)
    return data


HARDWARE = [
    ("pt two ranges", hardware(PT, 4, ("filter", 0x401000, 0x200), ("stop", 0x402000, 0x10))),
    ("pt has no start", hardware(PT, 4, ("start", 0x401000, 0x200))),
    ("pt has no points", hardware(PT, 4, ("stop", 0x401000, 0))),
    ("pt has two ranges and no third", hardware(PT, 2, *[("filter", 0x1000 * i, 1) for i in range(1, 4)])),
    ("pt takes size 0 for everything above", hardware(PT, 4, ("filter", 0x401000, 0))),
    ("pt cuts the end", hardware(PT, 4, ("filter", 0x7FFFFFFFF000, 0x10000))),
    ("pt cuts the start", hardware(PT, 4, ("filter", 0x900000000000, 0xFFFF700000001000))),
    ("pt has nothing left", hardware(PT, 4, ("filter", 0x800000000000, 0x1000, "kernel"))),
    ("pt with 57 bits", hardware(PT, 4, ("filter", 0x800000000000, 0x1000), bits=57)),
    ("pt all of it", hardware(PT, 4, ("filter", 0, M64, "kernel"))),
    ("pt takes address 0 for not mapped", hardware(PT, 4, ("filter", 0, 0x1000))),
    ("pt without ranges", hardware(PT, 0, ("filter", 1, 1))),
    ("etm ranges", hardware(ETM, 4, *[("filter", 0x1000 * i, 0x10) for i in range(4)])),
    ("etm one comparator too few", hardware(ETM, 4, *[("filter", 0x1000 * i, 0x10) for i in range(5)])),
    ("etm eight points", hardware(ETM, 4, *[(a, 0x100, 0) for a in ["start", "stop"] * 4])),
    ("etm nine points", hardware(ETM, 8, *[("start", 0x100 * i, 0) for i in range(9)])),
    ("etm mixes nothing", hardware(ETM, 4, ("filter", 0x1000, 0x10), ("start", 0x1000, 0))),
    ("etm has no sized stop", hardware(ETM, 4, ("stop", 0x1000, 0x10))),
    ("etm at the top", hardware(ETM, 4, ("filter", M64 - 0xF, 0x10))),
    ("count", hardware(COUNT, 0, ("filter", 0x1000, 0x10), ("stop", 1, 0))),
    ("any", hardware(ANY, 0, *[("start", i, i) for i in range(20)])),
    ("no filters", hardware(PT, 4)),
]

R, RX = 1, 5


def track(place, filters, *events):
    """An input of fuzz_track; filters are (what, start, size), events (kind, numbers...)."""
    data = bytes([place])
    for what, start, size in (filters + [(0, 0, 0)] * 4)[:4]:
        data += bytes([what, start, size])
    for event in events:
        data += bytes((list(event) + [0] * 6)[:6])
    return data


def f(action, obj=1, kernel=False, size=True):
    return ACTIONS[action] | obj << 2 | (0x20 if kernel else 0) | (0x40 if size else 0x80)


def mmap(at, size, offset, obj=1, prot=RX, process=0):
    return (12 | process << 4, at, size, obj | prot << 2, offset)


FORK, SET, EXEC, EXIT, MUNMAP, MPROTECT, MREMAP = 0, 1, 2, 3, 4, 6, 9
FILTER = [(f("filter"), 8, 8)]
TEXT = mmap(16, 16, 8)

TRACK = [
    ("nothing happens", track(0, FILTER)),
    ("text is mapped", track(0, FILTER, TEXT)),
    ("r1 touching below", track(0, FILTER, mmap(0, 8, 0, prot=R), TEXT, (SET, 4))),
    ("r2 touching above", track(0, [(f("filter"), 0, 8)], TEXT)),
    ("r4 read only first", track(0, [(f("filter"), 0, 40)], mmap(0, 8, 0, prot=R), TEXT, (SET, 4))),
    ("r5 mapped twice", track(0, FILTER, TEXT, mmap(48, 16, 8))),
    ("r5 split by mprotect", track(0, [(f("filter"), 8, 16)], TEXT, (MPROTECT, 24, 8, R), (MPROTECT, 24, 8, RX))),
    ("r6 sum wraps", track(4, [(f("filter"), 8, 63)], mmap(16, 16, 8))),
    ("r7 cut to 32 bits", track(6, [(f("filter"), 20, 8)], mmap(16, 16, 20))),
    ("r8 munmap clears nothing", track(0, FILTER, TEXT, (MUNMAP, 16, 16), mmap(16, 8, 0, obj=0))),
    ("r9 mremap clears nothing", track(0, FILTER, TEXT, (MREMAP, 16, 16, 48, 16))),
    ("r12 the child of a child", track(0, FILTER, TEXT, (FORK,), (EXEC | 16,), mmap(48, 16, 8, process=1),
                                       (FORK | 16,), mmap(0, 16, 8, process=0))),
    ("r20 point on a boundary", track(0, [(f("start", size=False), 8, 0)], mmap(0, 8, 0, prot=R), TEXT, (SET, 1))),
    ("r21 protection comes late", track(0, FILTER, mmap(16, 16, 8, prot=R), (MPROTECT, 16, 16, RX),
                                        (MPROTECT, 16, 16, R))),
    ("exec keeps kernel filters", track(0, [(f("filter", kernel=True), 8, 8)] + FILTER, TEXT, (EXEC,), TEXT)),
    ("munmap makes a hole", track(0, FILTER, TEXT, (MUNMAP, 20, 4))),
    ("mmap over mmap", track(0, FILTER, TEXT, mmap(20, 4, 40, obj=2))),
    ("no room", track(0x80 | 1 << 3, FILTER, TEXT, (MUNMAP, 20, 4), mmap(48, 4, 0), (MREMAP, 20, 4, 60, 4))),
    ("past the end", track(3, FILTER, mmap(90, 20, 8), (MUNMAP, 90, 20), (MPROTECT, 90, 20, R))),
    ("last file byte", track(4, [(f("filter"), 30, 20)], mmap(16, 40, 30), (MUNMAP, 16, 20), (MREMAP, 36, 4, 0, 20))),
    ("anonymous text", track(0, [(f("filter"), 4, 16)], mmap(0, 8, 0), mmap(8, 8, 0, obj=0), mmap(16, 8, 16))),
    ("grows in place", track(0, FILTER, TEXT, (MREMAP, 20, 4, 0, 30, 1), (MREMAP, 20, 4, 0, 2, 1))),
    ("clears and sets", track(0, FILTER, TEXT, (SET, 0), TEXT, (SET, 4))),
    ("exit", track(0, FILTER, TEXT, (FORK,), (EXIT | 16,), (EXIT,), TEXT)),
    ("munmap of nothing", track(0, FILTER, (MUNMAP, 16, 16), TEXT, (MUNMAP, 40, 8))),
    ("munmap over several", track(0, FILTER, TEXT, mmap(40, 8, 0), mmap(56, 8, 0), (MUNMAP, 20, 40))),
    ("mprotect of nothing", track(0, FILTER, (MPROTECT, 16, 16, RX))),
    ("mprotect in the middle", track(0, FILTER, TEXT, (MPROTECT, 20, 4, R))),
    ("mprotect over several", track(0, FILTER, TEXT, mmap(40, 8, 0, prot=R), (MPROTECT, 20, 24, RX))),
    ("mremap of nothing", track(0, FILTER, (MREMAP, 16, 8, 40, 8), TEXT, (MREMAP, 40, 8, 60, 8))),
    ("mremap past the mapping", track(0, FILTER, TEXT, (MREMAP, 20, 20, 60, 20))),
    ("mremap onto itself", track(0, FILTER, TEXT, (MREMAP, 16, 8, 20, 8))),
    ("mremap right behind itself", track(0, FILTER, TEXT, (MREMAP, 20, 4, 24, 4))),
    ("mremap over others", track(0, FILTER, TEXT, mmap(48, 16, 0, obj=2), (MREMAP, 16, 16, 52, 4))),
    ("no room for mmap", track(0x80 | 1 << 3, FILTER, TEXT, mmap(20, 4, 40), mmap(40, 4, 0))),
    ("no room for mprotect", track(0x80 | 2 << 3, FILTER, TEXT, (MPROTECT, 20, 4, R), (MPROTECT, 20, 20, R))),
    ("room for nothing", track(0x80, FILTER, TEXT, (MUNMAP, 16, 16), (FORK,))),
    ("filter without size", track(0, [(f("filter", size=False), 8, 0)], TEXT)),
]

MAPS = [
    ("deleted", b"400000-401000 r-xp 00000000 fd:00 12   /a (deleted)\n"),
    ("deleted twice", b"400000-401000 r-xp 00000000 fd:00 12 /a (deleted) (deleted)\n"),
    ("newline in a name", b"400000-401000 r-xp 00000000 fd:00 12 /a\\012b\\012 (deleted)\n"),
    ("not utf 8", b"400000-401000 r-xp 00000000 fd:00 12 /\xff\xfe\n"),
    ("wide device", b"400000-401000 r-xp 00000000 103:ffffffff 18446744073709551615 /a\n"),
    ("no name", b"400000-401000 rw-p 00000000 00:00 0 \n7f0000-7f1000 ---s 00000000 00:00 0"),
    ("cut short", b"400000-401000 r-xp 00000000 fd:00 12 /a\n401000-40"),
    ("not a digit", b"0000000g-00000010 r-xp 00000000 fd:00 12 /a\n"),
    ("upper case", b"ABCDEF00-ABCDEF01 r-xp 0 FD:0 1 /A\n"),
    ("too many digits", b"10000000000000000-2 r-xp 0 0:0 1\n000000000000000000001-2 r-xp 0 0:0 1\n"),
    ("backward", b"401000-400000 r-xp 0 0:0 1 /a\n400000-400000 r-xp 0 0:0 1 /a\n"),
    ("nul", b"400000-401000 r-xp 0 0:0 1 /a\0b\n\0\n"),
    ("protections that are none", b"1-2 rxpp 0 0:0 1\n1-2 r-xC 0 0:0 1\n1-2 r-- 0 0:0 1\n1-2 r-x"),
    ("lines that stop early", b"1\n1-\n1-2\n1-2 \n1-2 r--p\n1-2 r--p 0\n1-2 r--p 0 0\n1-2 r--p 0 0:\n1-2 r--p 0 0:0"),
    ("inodes that are none", b"1-2 r--p 0 0:0 x\n1-2 r--p 0 0:0 12x\n1-2 r--p 0 0:0 18446744073709551616\n"),
    ("blanks for a name", b"1-2 r--p 0 0:0 0\n1-2 r--p 0 0:0 0 \n1-2 r--p 0 0:0 0                  \n"),
    ("only newlines", b"\n\n\n"),
]


class PerfData:
    """A perf.data file, record by record; events have times unless said otherwise."""

    def __init__(self, pipe=True, big=False, events=1, sample_type=0x10004, flags=1 << 18):
        self.order, self.pipe, self.events, self.data = ">" if big else "<", pipe, events, b""
        if big:
            flags = int(f"{flags:064b}"[::-1], 2)
        self.attr = self.pack("IIQQQQQQQ", 1, 64, 9, 0, sample_type, 0, flags, 0, 0)
        self.id = b"".join(self.pack("Q", 1) for bit in range(17) if sample_type >> bit & 1 and bit != 2)
        self.timed = bool(sample_type & 4)
        if pipe:
            self.record(64, self.attr + self.pack("Q", 1))

    def pack(self, what, *values):
        return struct.pack(self.order + what, *values)

    def record(self, kind, body=b"", misc=0, size=None):
        self.data += self.pack("IHH", kind, misc, 8 + len(body) if size is None else size) + body
        return self

    def kernel(self, kind, body, time, misc=0):
        return self.record(kind, body + (self.pack("Q", time) if self.timed else b"") + self.id, misc)

    def mmap2(self, time, name=b"/bin/ls\0", misc=2, inode=7):
        body = self.pack("IIQQQIIQQII", 1, 1, 0x400000, 0x1000, 0x2000, 8, 1, inode, 0, 5, 2)
        return self.kernel(10, body + name, time, misc)

    def comm(self, time, misc=0x2000):
        return self.kernel(3, self.pack("II", 1, 1) + b"ls\0\0\0\0\0\0", time, misc)

    def task(self, kind, time):
        return self.kernel(kind, self.pack("IIIIQ", 2, 1, 2, 1, 55), time)

    def compressed(self, plain, cut, kind=81):
        """A zstd frame of blocks that hold their bytes as they are, in two records."""
        begin = b"\x28\xb5\x2f\xfd\x00\x58"
        for part in (plain[:cut], plain[cut:]):
            frame = begin + struct.pack("<I", len(part) << 3)[:3] + part
            begin = b""
            self.record(kind, frame if kind == 81 else self.pack("Q", len(frame)) + frame)
        return self

    def bytes(self, cut=None):
        if self.pipe:
            out = (b"2ELIFREP" if self.order == ">" else b"PERFILE2") + self.pack("Q", 16)
        else:
            head = 104 + 8 * self.events + 80 * self.events
            out = (b"2ELIFREP" if self.order == ">" else b"PERFILE2") + self.pack(
                "QQQQQQQQ", 104, 80, 104 + 8 * self.events, 80 * self.events, head, len(self.data), 0, 0)
            out += bytes(32) + b"".join(self.pack("Q", 1 + i) for i in range(self.events))
            out += b"".join(self.attr + self.pack("QQ", 104 + 8 * i, 8) for i in range(self.events))
        return (out + self.data)[:cut]


def recordings():
    plain = PerfData()
    plain.data = b""
    plain.mmap2(10).comm(20)
    filters = b"filter 0x1000/0x10@/bin/ls\0"
    info = struct.pack("<IIQ", 1, 0, 0) + bytes(15 * 8) + struct.pack("<Q", len(filters)) + filters
    for big in (False, True):
        for pipe in (False, True):
            name = f"{'pipe' if pipe else 'file'} {'big' if big else 'little'} endian"
            yield name, PerfData(pipe, big).mmap2(10).comm(20).task(7, 30).task(4, 40).bytes()
    yield "out of order", PerfData().mmap2(30).comm(10).record(68).task(7, 20).record(68).task(4, 25).bytes()
    yield "same time", PerfData().mmap2(10).comm(10).task(7, 10).bytes()
    yield "no time", PerfData().mmap2(0).comm((1 << 64) - 1).task(7, 0).bytes()
    yield "no sample ids", PerfData(flags=0, sample_type=0).mmap2(0).task(7, 0).bytes()
    yield "data mappings", PerfData(flags=3 << 17).mmap2(5, misc=0x2002).bytes()
    yield "build id instead of inode", PerfData().mmap2(5, misc=0x4002).bytes()
    yield "maps timeout", PerfData().mmap2(5, misc=0x1002, inode=0).bytes()
    yield "first form of mmap", PerfData().kernel(
        1, struct.pack("<IIQQQ", 1, 1, 1, 2, 3) + b"/a\0\0\0\0\0\0", 9, 2).bytes()
    yield "lost", PerfData().kernel(2, struct.pack("<QQ", 1, 77), 9).bytes()
    yield "name without nul", PerfData().mmap2(5, name=b"/bin/ls!").bytes()
    yield "two events", PerfData(pipe=False, events=2).mmap2(10).bytes()
    yield "auxtrace with bytes behind it", PerfData().record(71, struct.pack("<Q", 8)).bytes() + b"behind--"
    yield "auxtrace cut short", PerfData().record(71, struct.pack("<Q", 1 << 63)).bytes() + b"behind--"
    yield "filters of intel pt", PerfData().record(70, info).mmap2(5).bytes()
    yield "filters longer than their record", PerfData().record(70, info[:-8]).bytes()
    for kind in (81, 83):
        yield f"compressed {kind}", PerfData().compressed(plain.data, len(plain.data) // 2, kind).bytes()
        yield f"compressed {kind} and cut", PerfData().compressed(plain.data[:-4], 9, kind).bytes()
    yield "compressed is damaged", PerfData().record(81, b"\x28\xb5\x2f\xfe\x00\x58").bytes()
    yield "too short a record", PerfData().record(10, bytes(40)).bytes()
    yield "no size", PerfData().mmap2(5).record(10, bytes(8), size=0).bytes()
    yield "inside a record", PerfData().mmap2(5).bytes(cut=-8)
    yield "header only", PerfData(pipe=False, events=0).bytes()
    yield "header cut short", PerfData(pipe=False).bytes(cut=90)
    yield "no perf data", b"PERFILE1" + bytes(100)


def by_hand():
    for name, data in recordings():
        add("fuzz_perfdata", name, data)
    for name, *values in RANGES:
        add("fuzz_range", name, numbers(*values))
    add("fuzz_range", "joins", numbers(0x1000, 0x10, 0, 0x10, 0x2000))
    add("fuzz_range", "does not join", numbers(0x1000, 0x10, 0, 0x10, 0x2000, last=3))
    add("fuzz_range", "too long to join", numbers(0, M64, 0, 0, 0, other=(0, 2), last=4))
    for name, data in HARDWARE:
        add("fuzz_pmu", name, data)
    for name, data in TRACK:
        add("fuzz_track", name, data)
    for name, data in MAPS:
        add("fuzz_maps", name, data)


def resolve():
    """Each line of resolve.tsv: its mappings, its filter as text, and the two together as numbers."""
    mapping = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S+) ([0-9a-f]+) \S+ \d+ *(.*)")
    for path in sorted((VECTORS / "maps").glob("*.maps")):
        add("fuzz_maps", path.stem, path.read_bytes())
    for maps, text, *_ in rows("resolve.tsv"):
        add("fuzz_parse", f"{maps} {text}", syntax("any", True) + unescape(text))
        filt = re.match(r"(\w+) (\w+)(?:/(\w+))?@\"?([^\"]*)", text)
        start, size = int(filt[2], 0), int(filt[3] or "0", 0)
        for line in (VECTORS / "maps" / f"{maps}.maps").read_text(encoding="utf-8").splitlines():
            m = mapping.match(line)
            if not m or "x" not in m[3] or filt[4] not in m[5]:
                continue
            v, e, o = int(m[1], 16), int(m[2], 16), int(m[4], 16)
            add("fuzz_range", f"{maps} {text} {m[1]}", numbers(start, size, v, e - v, o))


def main():
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else TOP / "corpus"
    grammar()
    by_hand()
    resolve()
    for path, data in seeds.items():
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


main()
