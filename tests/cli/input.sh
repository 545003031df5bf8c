#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Odd input: any bytes, very long, very many. Paths in JSON are UTF-8, byte by byte.

. "$(dirname "$0")/lib.sh"
py <<'END'
import itertools
import time

from helper import *


def path(raw, *options):
    return ask("check", *options, "-", stdin=b"start 1@" + raw)["filters"][0]


def repaired(raw):
    """U+FFFD for each byte that is part of no character, told by Python's own strict decoder."""
    out, at = "", 0
    while at < len(raw):
        for size in (1, 2, 3, 4):
            try:
                out += raw[at:at + size].decode("utf-8")
                at += size
                break
            except UnicodeDecodeError:
                continue
        else:
            out += "\ufffd"
            at += 1
    return out


def compare(raw):
    got = path(raw, "--dialect=mainline" if len(raw) < 4000 else "--dialect=any")
    want = repaired(raw)
    expect(got["path"] == want, "path", raw[:99])
    try:
        raw.decode("utf-8")
        expect("path_hex" not in got, "path_hex of", raw[:99])
    except UnicodeDecodeError:
        same(list(got)[5:7], ["path", "path_hex"])
        expect(got["path_hex"] == raw.hex(), "path_hex of", raw[:99])


# Bytes at the borders of what UTF-8 allows, in every order of four, in a few long paths.
borders = b"a\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xed\xee\xef\xf0\xf1\xf4\xf5\xff"
every = (bytes(four) + b"|" for four in itertools.product(borders, repeat=4))
while chunk := b"".join(itertools.islice(every, 60000)):
    compare(chunk)
for raw in (b"\xc0\x80", b"\xe0\x80\x80", b"\xf0\x8f\xbf\xbf", b"\xed\xa0\x80", b"\xed\xbf\xbf",
            b"\xf4\x90\x80\x80", b"\xf4\x8f\xbf\xbf", b"\xed\x9f\xbf", b"\xee\x80\x80", b"\xc3\xa9",
            b"\xe2\x82", b"\xf0\x9f\x98", b"\xf0\x9f\x98\x80", b"\xef\xbf\xbd", b"x\xe9y"):
    compare(raw)
# Every byte that may stand in a path, alone.
for byte in set(range(1, 256)) - set(b" ,\n"):
    compare(b"p" + bytes([byte]))

# Text for people has no control byte of the input's.
for locale in ("C", "C.UTF-8"):
    raw = bytes(set(range(1, 256)) - set(b" ,\n"))
    for text in (b"start 1@" + raw + b"\xc2\x9b31m\xe2\x80\xae", b"start \x1b[31m" + raw, raw):
        status, out, err = run("check", "-", stdin=text, env={"LC_ALL": locale})
        shown = (out + err).decode("utf-8", "surrogateescape")
        expect(all(c == "\n" or c.isprintable() for c in shown), locale, repr(shown))
        expect(all(len(line) <= 80 for line in shown.split("\n")), shown)

# A megabyte: one path, one number, separators, rubbish.
for text, status in ((b"filter 1/1@" + b"f" * 2**20, 0), (b"filter 0x" + b"0" * 2**20 + b"1/1", 0),
                     (b"filter " + b"9" * 2**20 + b"/1", 1), (b" ,\n" * 2**19, 0),
                     (b"x" * 2**20, 1), (b"\0" * 2**20, 1), (b"\xff" * 2**20, 1),
                     (b'filter 1/1@"' + b"\\x41" * 2**18, 1)):
    ask("check", "-", stdin=text, status=status)
    code, out, err = run("check", "-", stdin=text)
    same(code, status, text[:20])
    expect(len(out) + len(err) < 4000, "much output for", text[:20])

# Very many filters: near linear time, and no more lints than filters.
began = time.monotonic()
for text, code in ((b"filter 1/1,", "duplicate-filter"), (b"start 1/%d@f,", "overlapping-filters")):
    text = b"".join(text % (i + 1) if b"%" in text else text for i in range(10**5))
    got = ask("check", "-", stdin=text)
    same(len(got["filters"]), 10**5)
    same({lint["code"] for lint in got["lints"]}, {code})
    same(len(got["lints"]), 10**5 - 1)
    same(got["lints"][-1]["filter"], 10**5 - 1)
expect(time.monotonic() - began < 60, "too slow:", time.monotonic() - began)
finish()
END
