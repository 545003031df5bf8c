#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The carets stand under the span, whatever stands before it: blanks of all kinds, control bytes, wide characters,
# bytes that are no character, and more than fits on a line.

. "$(dirname "$0")/lib.sh"
py <<'END'
import random
import unicodedata

from helper import *


def cells(raw, utf8):
    """What each character, or byte that is none, is shown as; and the columns it takes."""
    at = 0
    while at < len(raw):
        byte = raw[at]
        size, text, columns = 1, "\\x%02x" % byte, 4
        if 0x20 <= byte <= 0x7e:
            text, columns = chr(byte), 1
        elif byte in b"\t\n\r":
            text, columns = {9: "\\t", 10: "\\n", 13: "\\r"}[byte], 2
        elif utf8 and byte >= 0x80:
            for length in (2, 3, 4):
                try:
                    char = raw[at:at + length].decode("utf-8")
                except UnicodeDecodeError:
                    continue
                size, text = length, char
                columns = 2 if unicodedata.east_asian_width(char) in "WF" else 1
                break
        yield at, size, text, columns
        at += size


def shown(raw, utf8):
    """One entry a column: the text, and the offset of what is there."""
    for at, size, text, columns in cells(raw, utf8):
        letters = list(text) if len(text) == columns else [text] + [""] * (columns - 1)
        for letter in letters:
            yield at, letter


def check(raw, locale):
    utf8 = locale == "C.UTF-8"
    error = ask("check", "-", stdin=raw, status=1)["error"]
    off, length = error["span"]
    status, out, err = run("check", "-", stdin=raw, env={"LC_ALL": locale})
    line, carets = err.decode("utf-8").split("\n")[1:3]
    columns = []
    for char in line:
        wide = 2 if unicodedata.east_asian_width(char) in "WF" else 1
        columns += [char] + [""] * (wide - 1)
    expect(len(columns) <= 80 and len(carets) <= 80, raw, line)
    first, last = carets.index("^"), carets.rindex("^")
    same(carets, " " * first + "^" * (last - first + 1), raw)
    want = [letter for at, letter in shown(raw, utf8) if off <= at < off + length]
    got = columns[first:last + 1]
    if not length:
        same(last, first, raw)
        before = "".join(letter for at, letter in shown(raw, utf8) if at < off)
        left = "".join(columns[2:first])
        expect(before.endswith(left.removeprefix("...")), raw, repr(line), carets)
    elif len(got) < len(want):
        expect(columns[-3:] == list("...") and len(got) > 20, raw, line, carets)
        same(got, want[:len(got)], raw)
    else:
        same(got, want, raw, line, carets)
    if sum(c for _, _, _, c in cells(raw, utf8)) < 78:
        same("".join(columns), "  " + "".join(letter for _, letter in shown(raw, utf8)), raw)


same(run("check", "filter 0x10/foo@/bin/ls")[2],
     b"itf: error: expected a number [bad-number, EINVAL]\n"
     b"  filter 0x10/foo@/bin/ls\n"
     b"              ^^^\n"
     b"hint: symbols are the perf tool's; write the function's file offset as a number: "
     b"0x1129/0x4@PATH\n")
same(run("check", "start 1@a\tb\x1b[2Jc,x\ny")[2].split(b"\n")[1:3],
     [b"  start 1@a\\tb\\x1b[2Jc,x\\ny", b"                       ^"])
same(run("check", "start 1@äöü,x", env={"LC_ALL": "C.UTF-8"})[2].split(b"\n")[1:3],
     ["  start 1@äöü,x".encode(), b"              ^"])
same(run("check", "filter ")[2].split(b"\n")[1:3], [b"  filter ", b"  ^^^^^^"])
same(run("check", "start 1@")[2].split(b"\n")[1:3], [b"  start 1@", b"          ^"])

pieces = [b"a", b"/usr/lib", b"\t", b"\r", b"\x1b[31m", b"\x7f", b"\x01", "é".encode(), "漢字".encode(),
          "\U0001f600".encode(), b"\xff", b"\xe2\x82", b"\xc0\x80", b"\\", b"@", b"b" * 30, b"'"]
random.seed(1)
for _ in range(150):
    path = b"".join(random.choices(pieces, k=random.choice((1, 2, 5, 12)))) or b"f"
    before = random.choice((b"", b"start 1@x" + path + random.choice((b" ", b",", b"\n"))))
    middle = random.choice((b"x" + path, b"filter 1/x" + path, b"filter 08/1@" + path, b"filter 1/1@",
                            b"stop kernel:1@x" + path, b"start"))
    after = random.choice((b"", b",start 1@x" + path, b",start 2" * 20)) if middle != b"start" else b""
    for locale in ("C", "C.UTF-8"):
        check(before + middle + after, locale)
finish()
END
