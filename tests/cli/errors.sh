#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Every error of the grammar has its name, errno and place, as JSON and with carets; exit status 1.

. "$(dirname "$0")/lib.sh"
py <<'END'
from helper import *

seen = set()


def wrong(text, options, name, errno, off, length, hint):
    got = ask("check", *options, "-", stdin=text, status=1)
    same(list(got), ["ok", "error"], text)
    expect(got["ok"] is False, text)
    error = got["error"]
    same(list(error), ["code", "errno", "span", "message", "hint"], text)
    same([error["code"], error["errno"], error["span"]], [name, errno, [off, length]], text, options)
    expect(error["message"], text)
    if hint is not None:
        expect((error["hint"] is not None) == hint, "hint of", text, error["hint"])
    seen.add(name)

    status, out, err = run("check", *options, "-", stdin=text)
    same((status, out), (1, b""), text)
    lines = err.split(b"\n")
    expect(lines[0].startswith(b"itf: error: ") and
           lines[0].endswith(b"[%s, %s]" % (name.encode(), errno.encode())), err)
    expect(set(lines[2]) <= set(b" ^"), err)
    expect(max(len(lines[1]), len(lines[2])) <= 80, err)
    expect(lines[3].startswith(b"hint: ") if error["hint"] else lines[3] == b"", err)


for dialect, text, name, errno, off, length, hint in vectors("errors.tsv"):
    dialect, *flags = dialect.split("+")
    if any(flag.startswith("max=") for flag in flags):
        continue
    options = ["--dialect=" + dialect] + (["--addr-bits=32"] if "32" in flags else [])
    wrong(unescape(text), options, name, errno, int(off), int(length), hint != "-")

# The kernel's buffer ends at 4095 bytes, and that is judged before anything else.
for text in (b"\0" * 4096, b" " * 5000, b"filter 1/1@" + b"f" * 4085):
    wrong(text, ["--dialect=mainline"], "string-too-long", "EINVAL", 4095, len(text) - 4095, None)
ask("check", "--dialect=mainline", "-", stdin=b"filter 1/1@" + b"f" * 4084)
ask("check", "--dialect=seed", "-", stdin=b"filter file:1/1@" + b"f" * 5000)

# Not of the grammar: of the event.
wrong(b"filter 1/1,start 3@f,bogus", ["--cpu-wide"], "file-filter-needs-task", "EOPNOTSUPP", 11, 9, False)
wrong(b"bogus,start 3@f", ["--cpu-wide"], "expected-action", "EINVAL", 0, 5, None)
ask("check", "--cpu-wide", "filter 1/1,start 3")

for name in """string-too-long expected-action expected-range bad-number empty-path trailing-garbage
        bad-quote nul-byte incomplete-filter source-required source-not-allowed path-required
        path-not-allowed number-too-large size-required empty-range range-wraps""".split():
    expect(name in seen, name, "was never provoked")
finish()
END
