#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# --pmu: each reason for a refusal, which filter it names, and the hardware view of what was resolved.

. "$(dirname "$0")/lib.sh"
py <<'END'
from helper import *

TAKEN = "filter 1/1@f,stop 2/1"


def many(count, what="filter %d/1@f", step=2):
    return ",".join(what % (step * i) for i in range(count))


def model_of(option):
    return option.split(":")[0].split("=")[0]


for option, text in (
    ("intel_pt", TAKEN), ("intel_pt", many(4)), ("intel_pt:ranges=2", many(2)),
    ("intel_pt:vaddr-bits=57:ranges=1", many(1)), ("intel_pt:ranges=0", ""),
    ("cs_etm", many(4)), ("cs_etm", many(8, "start %d@f")), ("cs_etm:pairs=8", many(8)),
    ("nr_addr_filters=9", many(9, "start %d")), ("any", many(99, "start %d")),
):
    got = ask("check", "--pmu=" + option, text)
    same(list(got), ["ok", "filters", "lints", "pmu"], option)
    same(got["pmu"], {"model": model_of(option), "ok": True}, option)
    status, out, err = run("check", "--pmu=" + option, text)
    same((status, err), (0, b""), option)
    expect(model_of(option).encode() + b" takes these filters" in out, out)

for option, text, code, bad in (
    ("intel_pt", "filter 1/1@f,start 2@f", "start-unsupported", 1),
    ("intel_pt", "filter 1/1@f,stop 2@f", "point-unsupported", 1),
    ("intel_pt", "filter file:1@f", "point-unsupported", 0),
    ("intel_pt", many(5), "too-many-filters", 4),
    ("intel_pt:ranges=1", many(2), "too-many-filters", 1),
    ("intel_pt:ranges=0", many(1), "too-many-filters", 0),
    ("cs_etm", many(9), "too-many-filters", 8),
    ("cs_etm", "filter 1/1,stop 2/1", "sized-start-stop", 1),
    ("cs_etm", "start 2/1", "sized-start-stop", 0),
    ("cs_etm", "filter 1/1,stop 2", "mixed-ranges-and-points", 1),
    ("cs_etm", many(5), "too-many-comparators", 4),
    ("cs_etm:pairs=1", many(3, "start %d"), "too-many-comparators", 2),
    ("nr_addr_filters=1", many(2), "too-many-filters", 1),
):
    got = ask("check", "--pmu=" + option, text, status=1)
    same(got["ok"], True, option, text)
    same(list(got["pmu"]), ["model", "ok", "code", "errno", "filter", "message"])
    same([got["pmu"][key] for key in ("model", "ok", "code", "errno", "filter")],
         [model_of(option), False, code, "EOPNOTSUPP", bad], option, text)
    # The table stays: the grammar is fine.
    status, out, err = run("check", "--pmu=" + option, text)
    same(status, 1, option, text)
    expect(out.startswith(b" #  ACTION"), out)
    expect(b"[" + code.encode() + b", EOPNOTSUPP]" in err, err)
    # resolve has nothing to resolve then.
    error = ask("resolve", "--maps=/dev/null", "--pmu=" + option, text, status=1)["error"]
    same([error["code"], error["errno"]], [code, "EOPNOTSUPP"], option, text)

for wrong in ("", "pt", "intel_pt:", "intel_pt:ranges=5", "intel_pt:ranges=", "intel_pt:ranges=-1",
              "intel_pt:ranges=0x1", "intel_pt:vaddr-bits=49", "intel_pt:pairs=1", "intel_pt,",
              "cs_etm:pairs=9", "cs_etm:ranges=1", "any:", "any:ranges=1", "nr_addr_filters",
              "nr_addr_filters=", "nr_addr_filters=0", "nr_addr_filters=99999999999", "INTEL_PT",
              "intel_pt:ranges=18446744073709551617"):
    status, out, err = run("check", "--pmu=" + wrong, "filter 1/1")
    same((status, out), (2, b""), wrong)
    expect(err.startswith(b"itf: error: --pmu=" + wrong.encode() + b": expected "), err)

with open("maps", "w") as file:
    file.write("00401000-00402000 r-xp 00001000 fe:00 4711       /f\n")


def resolved(option, text, status=0):
    got = ask("resolve", "--maps=maps", "--pmu=" + option, text, status=status)
    return got["processes"][0]["filters"]


# Inclusive ends; what is not mapped is null; what no register can hold is a null "hw".
got = resolved("intel_pt", "filter 0x1100/0x10@/f,stop 0x1200/0x10@/f,filter 1/1@/g", 3)
same(got[0]["linux_launch"], {"start": "0x401100", "size": "0x10",
                              "hw": {"first": "0x401100", "last": "0x40110f", "config": 1}})
same(got[1]["linux_attach"]["hw"], {"first": "0x401200", "last": "0x40120f", "config": 2})
same(got[2]["linux_launch"], None)
got = resolved("intel_pt", "filter 0x800000000000/0x1000,filter 0x7ffffffff000/0x10000")
same(got[0]["linux_launch"]["hw"], None)
same(got[1]["linux_launch"]["hw"], {"first": "0x7ffffffff000", "last": "0x7fffffffffff", "config": 1})
same([note["code"] for note in got[0]["notes"]], ["non-canonical"])
same([note["code"] for note in got[1]["notes"]], ["non-canonical"])
got = resolved("intel_pt:vaddr-bits=57", "filter 0x800000000000/0x1000")
same(got[0]["linux_launch"]["hw"], {"first": "0x800000000000", "last": "0x800000000fff", "config": 1})
# Touching: size 0, which Intel PT takes for everything above.
got = resolved("intel_pt", "filter 0/0x1000@/f", 3)
same(got[0]["linux_launch"], {"start": "0x401000", "size": "0x0",
                              "hw": {"first": "0x401000", "last": "0xffffffffffffffff", "config": 1}})
same(got[0]["verdict"], "runaway")
got = resolved("cs_etm", "start 0x1000@/f,stop 0x1008@/f")
same([f["linux_launch"]["hw"] for f in got],
     [{"first": "0x401000", "last": "0x401000", "config": 3},
      {"first": "0x401008", "last": "0x401008", "config": 2}])
finish()
END
