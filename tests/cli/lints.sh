#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Every lint: when it is given, for which filter, and where it points.

. "$(dirname "$0")/lib.sh"
py <<'END'
import struct

from helper import *


def lints(text, *options):
    got = ask("check", *options, "-", stdin=text.encode())
    for lint in got["lints"]:
        same(list(lint), ["code", "filter", "span", "message"], text)
        expect(lint["message"], text)
    return [(lint["code"], lint["filter"], text[lint["span"][0]:sum(lint["span"])])
            for lint in got["lints"]]


for text, want in (
    ("filter 010/8", [("octal-number", 0, "010")]),
    ("filter 010/010", [("octal-number", 0, "010"), ("octal-number", 0, "010")]),
    ("filter 0/1,start 0", []),
    ("filter 0x580/580@/bin/bash", [("mixed-bases", 0, "580")]),
    ("filter 0x580/9@/bin/bash", []),
    ("filter 580/0x10@/bin/bash", []),
    ("filter 1/1@f,filter 1/1@f", [("duplicate-filter", 1, "filter 1/1@f")]),
    ("filter 1/1@f,filter file:0x1/0x1@\"f\"", [("duplicate-filter", 1, 'filter file:0x1/0x1@"f"')]),
    ("filter 1/1@f,filter 1/1@g,filter 1/1", []),
    ("filter 1/5@f,filter 4/5@f", [("overlapping-filters", 1, "filter 4/5@f")]),
    ("filter 1/5@f,filter 6/5@f", []),
    ("filter 1/5@f,stop 5/1@f", [("contradicting-filters", 1, "stop 5/1@f")]),
    ("stop 5/1@f,filter 1/5@f", [("contradicting-filters", 1, "filter 1/5@f")]),
    ("filter 1/5@f,stop 3@f", []),
    ("start 3@f,stop 3@f", [("contradicting-filters", 1, "stop 3@f")]),
    ("start 3@f,stop 4@f", []),
    # Of one filter each code of a pair at most once, and what repeats another is only that.
    ("filter 1/5@f,filter 1/5@f,filter 2/5@f,filter 1/5@f",
     [("duplicate-filter", 1, "filter 1/5@f"), ("overlapping-filters", 2, "filter 2/5@f"),
      ("duplicate-filter", 3, "filter 1/5@f")]),
):
    same(lints(text), want, text)

# The earliest partner is named.
message = ask("check", "filter 1/9@f,filter 1/8@f,filter 9/1@f")["lints"][1]["message"]
expect("filter 0" in message, message)

# kernel-filter-excluded is said, not refused: kernels from 5.18 on take it.
same(lints("filter 1/1@f,filter 2/1", "--exclude-kernel"),
     [("kernel-filter-excluded", 1, "filter 2/1")])
same(lints("filter 1/1@f,filter 2/1"), [])

# looks-like-address: an ELF file whose code is at offset 0x1000 and address 0x401000.
header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 2, 62, 1, 0x401000, 64, 0, 0, 64,
                     56, 2, 0, 0, 0)
segments = struct.pack("<IIQQQQQQ", 1, 4, 0, 0x400000, 0x400000, 0x1000, 0x1000, 0x1000)
segments += struct.pack("<IIQQQQQQ", 1, 5, 0x1000, 0x401000, 0x401000, 0x1000, 0x1000, 0x1000)
with open("prog", "wb") as file:
    file.write((header + segments).ljust(0x2000, b"\x90"))
with open("text", "w") as file:
    file.write("no ELF file\n")
for text, want in (
    ("start 0x401010@prog", ["looks-like-address"]),
    ("start 0x401000@prog", ["looks-like-address"]),
    ("start 0x400000@prog", ["looks-like-address"]),
    ("start 0x2000@prog", ["looks-like-address"]),
    ("start 0x1fff@prog", []),
    ("start 0x1000@prog", []),
    ("start 0x900000@text", []),
    ("start 0x900000@missing", []),
    ("start 0x401010", []),
):
    same([code for code, _, _ in lints(text)], want, text)
same(lints("filter 010/1@prog,filter 0x401010/010@prog"),
     [("octal-number", 0, "010"), ("octal-number", 1, "010"), ("looks-like-address", 1, "0x401010")])

# In text they stand on standard output, with carets; the exit status stays 0.
status, out, err = run("check", "filter 010/8")
same((status, err), (0, b""))
expect(b"\noctal-number: " in out and b"\n  filter 010/8\n         ^^^\n" in out, out)
finish()
END
