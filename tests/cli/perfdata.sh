#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# resolve --perf-data on what the real perf records: the answers are those of watch and of resolve --pid.

. "$(dirname "$0")/lib.sh"
command -v perf >/dev/null || skip "no perf"
perf record -q -o try -e dummy:u -- true >try.log 2>&1 || skip "perf record: $(head -n 3 try.log)"
"$ITF" watch '' -- true >/dev/null 2>refused || skip "$(cat refused)"
py <<'END'
import time

from helper import *

SH = os.path.realpath("/bin/sh")
LS = os.path.realpath("/bin/ls")
FIXED = ["setarch", "-R"] if subprocess.run(["setarch", "-R", "true"], capture_output=True).returncode == 0 else None


def record(*args, output="perf.data", command=("true",)):
    done = subprocess.run(["perf", "record", "-q", "-o", output, "-e", "dummy:u", *args, "--", *command],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120)
    same(done.returncode, 0, args, done.stderr)


def notes(found):
    return [note["code"] for note in found["notes"]]


def processes(filters, *args, status=0, **more):
    return ask("resolve", "--perf-data=perf.data", *args, filters, status=status, **more)["processes"]


# Commands and their children, as watch sees them at the same addresses.
FILTERS = ["filter file:0/0x100000@" + SH, "filter file:0x4000/0x100@" + LS, "start file:0x4004@" + LS,
           "filter 0xffffffff81000000/0x10"]
SCRIPT = "true; (exec ls / >/dev/null); ls / >/dev/null"
if FIXED:
    record("-d", command=[*FIXED, "sh", "-c", SCRIPT])
    recorded = processes(",".join(FILTERS))
    out = run("watch", "--json", ",".join(FILTERS), "--", *FIXED, "sh", "-c", SCRIPT)[1]
    watched = json.loads(out.splitlines()[-1])["processes"]
    same([one["comm"] for one in recorded], [one["comm"] for one in watched])
    for mine, theirs in zip(recorded, watched):
        for a, b in zip(mine["filters"], theirs["filters"]):
            for key in ("exact", "linux_launch", "verdict"):
                same(a[key], b[key], mine["comm"], key)
            # A process without its mappings at last is judged from records by watch too.
            expect("truncated-maps" not in notes(a), a)

# One entry a process that mapped one of the files; all of them if none did.
record(command=["sh", "-c", SCRIPT])
same([one["comm"] for one in processes("filter 0/0x100000@" + LS)], ["ls", "ls"])
found = processes("filter 0/0x100@/no/such/file", status=3)
same([one["comm"] for one in found], ["sh", "ls", "ls"])
same({one["filters"][0]["verdict"] for one in found}, {"none"})
one = processes("filter file:0x4000/0x100@" + LS, "--pmu=intel_pt")[0]["filters"][0]
same(one["linux_launch"]["hw"]["config"], 1)
# Only executable mappings were recorded, which is enough for a launch.
same((one["verdict"], notes(one)), ("covered", ["truncated-maps"]))

# A process that runs already: what attach means. The program has headers, and its text behind them.
process = Process()
with open("lib.bin", "wb") as file:
    file.write(b"\x90" * 0x8000)
lib = os.path.join(os.getcwd(), "lib.bin")
process.do("map %s r-- 0 2000 20000000" % lib)
process.do("map %s r-x 2000 2000 20002000" % lib)
process.do("map %s r-x 4000 2000 20104000" % lib)
texts = ["filter 0x2000/0x100@" + lib, "filter 0x2010/0x100@" + lib, "filter 0x4000/0x100@" + lib,
         "filter 0x1000/0x2000@" + lib]
record("-d", "-p", str(process.pid), command=("sleep", "0.2"))
mine, = processes(",".join(texts), status=3)
theirs, = ask("resolve", "--pid=%d" % process.pid, ",".join(texts), status=3)["processes"]
same(mine, theirs)
same([one["verdict"] for one in mine["filters"]], ["runaway", "covered", "runaway", "none"])
# Without data nobody knows.
record("-p", str(process.pid), command=("sleep", "0.2"))
mine, = processes(",".join(texts), status=3)
same({one["verdict"] for one in mine["filters"]}, {"unknown"})
status, out, err = run("resolve", "--perf-data=perf.data", texts[1])
same((status, err), (3, b""))
expect(b"verdict    unknown (attach): the input is incomplete" in out, out)
expect(b"perf record -d" in out, out)
# What comes after the attach is followed.
recorder = subprocess.Popen(["perf", "record", "-q", "-d", "-o", "perf.data", "-e", "dummy:u", "-p", str(process.pid)],
                            stderr=subprocess.DEVNULL)
time.sleep(1)
process.do("map %s r-x 0 8000 21000000" % lib)
process.end()
recorder.wait(timeout=60)
found = processes(texts[1])[0]["filters"][0]
same((found["linux_attach"]["start"], len(found["exact"])), ("0x21002010", 2))

# Standard input, pipes, compression.
record("-z", command=["sh", "-c", SCRIPT])
if b"built without libzstd" in run("resolve", "--perf-data=perf.data", FILTERS[1])[2]:
    record(command=["sh", "-c", SCRIPT])
expected = processes(FILTERS[1])
expect(len(expected) == 2, expected)
with open("perf.data", "rb") as file:
    data = file.read()
same(ask("resolve", "--perf-data=-", FILTERS[1], stdin=data)["processes"], expected)
piped = subprocess.run(["perf", "record", "-q", "-o", "-", "-e", "dummy:u", "--", "sh", "-c", "ls / >/dev/null; true"],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
found, = ask("resolve", "--perf-data=-", FILTERS[1], stdin=piped)["processes"]
same(found["filters"][0]["verdict"], "covered")
same(found["comm"], "ls")

# Cut anywhere: an error with its place, and what was read before.
sizes = range(0, len(data), max(1, len(data) // 60))
for size in sizes:
    status, out, err = run("resolve", "--json", "--perf-data=-", FILTERS[1], stdin=data[:size])
    expect(status in (0, 2, 3), status)
    if status == 2:
        same(out, b"")
    if status:
        expect(err.startswith(b"itf: error: ") and b"standard input: byte " in err, err)
    if status != 2:
        one_object(out)
    if status == 3:
        expect(err.endswith(b"; what was read up to there follows\n"), err)
same(status, 0, "all records are there, only the sections behind them are not")
at, size = (int.from_bytes(data[place:place + 8], sys.byteorder) for place in (40, 48))
seen = [run("resolve", "--perf-data=-", FILTERS[1], stdin=data[:size])[0] for size in (50, at + size - 5, at + size)]
same(seen, [2, 3, 0])
status, out, err = run("resolve", "--perf-data=-", FILTERS[1], stdin=b"\x7fELF" + bytes(200))
same((status, out), (2, b""))
same(err, b"itf: error: cannot read standard input: byte 0: this is no perf.data file\n")
finish()
END
