#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# convert prints the string and nothing else; what cannot be written is refused with its place.

. "$(dirname "$0")/lib.sh"
py <<'END'
from helper import *


def converts(to, text, want, warned=0, *options):
    status, out, err = run("convert", "--to=" + to, *options, "-", stdin=text)
    same((status, out), (0, want + b"\n"), to, text)
    same(err.count(b"itf: warning: "), warned, to, text)
    same(len(err.splitlines()), warned, to, text)
    return err


def refuses(to, text, code, span, *options):
    error = ask("convert", "--to=" + to, *options, "-", stdin=text, status=1)["error"]
    same([error["code"], error["errno"], error["span"]], [code, "EINVAL", span], to, text[:80])
    status, out, err = run("convert", "--to=" + to, *options, "-", stdin=text)
    same((status, out), (1, b""), to, text[:80])
    expect(err.startswith(b"itf: error: ") and code.encode() in err, err)


converts("mainline", b"filter file:4096/512@/bin/ls, stop kernel:0X10\n", b"filter 0x1000/0x200@/bin/ls,stop 0x10")
converts("seed", b"filter 010/010@a,start 5/0", b"filter file:0x8/0x8@a,start kernel:0x5")
converts("seed", b'filter file:1@"/a b"', b'filter file:0x1@"/a b"')
converts("seed", b"filter 1/1@\"a", b'filter file:0x1/0x1@"\\"a"', 0, "--dialect=mainline")
converts("mainline", b'filter file:1/1@"/ab"', b"filter 0x1/0x1@/ab")
converts("mainline", b"", b"")
converts("seed", b" ,\n", b"")
converts("mainline", b"filter 1/1@\xe9", b"filter 0x1/0x1@\xe9")

# A filter without a size becomes the nearest that today's kernel takes, and that is said.
err = converts("mainline", b"start 1@f,filter file:16@/bin/ls", b"start 0x1@f,filter 0x10/0x1@/bin/ls", 1)
expect(b"filter 1 " in err and b"0x1" in err, err)
converts("mainline", b"filter kernel:0xffffffffffffffff", b"filter 0xffffffffffffffff/0x1", 1)
converts("seed", b"filter file:16@/bin/ls", b"filter file:0x10@/bin/ls")
# Very many of them are not said one by one.
text = b",".join([b"filter file:1@f"] * 200)
status, out, err = run("convert", "--to=mainline", text.decode())
expect(err.count(b"\n") < 10 and b"195 more" in err, err)

refuses("mainline", b'start 1,filter file:1/1@"/a b"', "not-in-mainline", [24, 6])
refuses("mainline", b'filter file:1/1@"\\"a"', "not-in-mainline", [16, 5])
refuses("seed", b"filter 1", "size-required", [7, 1])
refuses("mainline", b"filter file:1/1@f", "source-not-allowed", [7, 5], "--dialect=mainline")

# What the kernel's buffer does not take is refused, wherever the text came from.
fits = b"filter file:0x1/0x1@/" + b"f" * (4095 - len(b"filter 0x1/0x1@/"))
converts("mainline", fits, fits.replace(b"file:", b""))
refuses("mainline", fits + b"f", "string-too-long", [0, len(fits) + 1])
text = b",".join([b"stop file:1@" + b"f" * 1000] * 5)
refuses("mainline", text, "string-too-long", [4 * 1013, 1012])
converts("seed", text, text.replace(b":1@", b":0x1@"))
refuses("mainline", b" " * 4096, "string-too-long", [4095, 1], "--dialect=mainline")

# JSON; bytes that are not UTF-8 are exact in hexadecimal.
same(run("convert", "--to=mainline", "--json", "filter file:0x1000/0x200@/bin/ls")[1],
     b'{"ok":true,"filters":"filter 0x1000/0x200@/bin/ls"}\n')
got = ask("convert", "--to=mainline", "-", stdin=b"start 1@\xe9")
same(got, {"ok": True, "filters": "start 0x1@\ufffd", "filters_hex": b"start 0x1@\xe9".hex()})
same(ask("convert", "--to=mainline", "filter file:1@f")["filters"], "filter 0x1/0x1@f")

# There and back again.
for dialect, text, result, *filters in vectors("grammar.tsv"):
    if result != "ok":
        continue
    text = unescape(text)
    first = ask("check", "--dialect=" + dialect, "-", stdin=text)["filters"]
    seed = run("convert", "--dialect=" + dialect, "--to=seed", "-", stdin=text)[1][:-1]
    again = ask("check", "--dialect=seed", "-", stdin=seed)["filters"]
    for one in first + again:
        del one["span"], one["form"]
    same(again, first, text)
finish()
END
