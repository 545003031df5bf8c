#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The handed cases of the grammar through the program, and what check says of a filter set in JSON.

. "$(dirname "$0")/lib.sh"
py <<'END'
from helper import *

for row in vectors("grammar.tsv"):
    dialect, text, result = (row + [""])[:3]
    text = unescape(text)
    option = "--dialect=" + dialect
    if result != "ok":
        same(ask("check", option, "-", stdin=text, status=1)["error"]["errno"], result, text)
        continue
    got = ask("check", option, "-", stdin=text)
    want = [one.split(",", 4) for one in row[3].split(" | ")] if row[3] else []
    same([[f["action"], f["source"], f["start"], f["size"], f["path"] or "-"]
          for f in got["filters"]], want, text)
    same(list(got), ["ok", "filters", "lints"], text)
    for index, f in enumerate(got["filters"]):
        keys = list(f)
        keys.remove("path_hex") if "path_hex" in keys else None
        same(keys, ["index", "action", "source", "start", "size", "path", "form", "span"], text)
        same(f["index"], index, text)
        off, length = f["span"]
        part = text[off:off + length]
        expect(part.startswith(f["action"].encode()), "span", f["span"], "of", text)
        same(f["form"], "seed" if b" file:" in part or b" kernel:" in part else "mainline", text)
        # What the span holds is the same filter again.
        again = ask("check", option, "-", stdin=part)["filters"]
        same([dict(f, index=0, span=[0, length])], again, text)
    # Text for people names every filter and has no line over 80 columns.
    status, out, err = run("check", option, "-", stdin=text)
    same((status, err), (0, b""), text)
    expect(all(len(line) <= 80 for line in out.split(b"\n")), out)

same(run("check", "--json", "filter file:0x1000/0x200@/no/such/file")[1],
     b'{"ok":true,"filters":[{"index":0,"action":"filter","source":"file","start":"0x1000",'
     b'"size":"0x200","path":"/no/such/file","form":"seed","span":[0,38]}],"lints":[]}\n')
same(run("check", "--json", "start kernel:0xffffffffffffffff")[1],
     b'{"ok":true,"filters":[{"index":0,"action":"start","source":"kernel",'
     b'"start":"0xffffffffffffffff","size":"0x0","path":null,"form":"seed","span":[0,31]}],'
     b'"lints":[]}\n')
same(run("check", "--json", "")[1], b'{"ok":true,"filters":[],"lints":[]}\n')

# Quoted paths: on in seed and any, an ordinary byte in mainline.
for dialect in ("any", "seed"):
    got = ask("check", "--dialect=" + dialect, 'filter file:1/1@"/a b\\x2c\\n\\"",stop kernel:5')
    same([f["path"] for f in got["filters"]], ['/a b,\n"', None], dialect)
same(ask("check", "--dialect=mainline", 'filter 1/1@"a"')["filters"][0]["path"], '"a"')
same(ask("check", "--dialect=mainline", 'filter 1/1@"a b"', status=1)["error"]["code"],
     "expected-action")

# 32-bit addresses: a range may end at 2^32, and nothing goes past.
same(ask("check", "--addr-bits=32", "filter 0xffffff00/0x100")["filters"][0]["size"], "0x100")
same(ask("check", "--addr-bits=32", "filter 0xffffff00/0x101", status=1)["error"]["code"],
     "range-wraps")
finish()
END
