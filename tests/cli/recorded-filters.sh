#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# resolve --recorded-filters takes the filters out of a recording of Intel PT, which is made up here byte by byte since
# few machines have one; where perf is at hand, it must find the same filters in it. A long read shows progress.

. "$(dirname "$0")/lib.sh"
py <<'END'
import pty
import shutil
import struct
import time

from helper import *

ID = 1 << 16 | 1 << 2 | 1 << 1  # identifier, time, tid


def record(kind, misc, body):
    return struct.pack("=IHH", kind, misc, 8 + len(body)) + body


def name(text):
    return text + bytes(8 - len(text) % 8)


def tail(pid, when):
    return struct.pack("=IIQQ", pid, pid, when, 7)


def tracer(kind, text):
    return record(70, 0, struct.pack("=II17Q", kind, 0, *[0] * 16, len(text)) + (name(text) if text else b""))


HEAD = b"PERFILE2" if sys.byteorder == "little" else b"2ELIFREP"
FLAGS = 1 << 17 | 1 << 18 if sys.byteorder == "little" else 1 << 46 | 1 << 45
ATTR = struct.pack("=IIQQQQQ", 1, 128, 9, 0, ID, 0, FLAGS) + bytes(80)
START = HEAD + struct.pack("=Q", 16) + record(64, 0, ATTR + struct.pack("=Q", 7))
PROGRAM = record(3, 1 << 13, struct.pack("=II", 10, 10) + name(b"prog") + tail(10, 1)) + record(
    10, 2, struct.pack("=IIQQQIIQQII", 10, 10, 0x20001000, 0x2000, 0x1000, 8, 1, 4711, 0, 5, 2) + name(b"/f") + tail(10, 2))


def make(*records):
    with open("pt.data", "wb") as file:
        file.write(START + b"".join(records))


def failing(text):
    status, out, err = run("resolve", "--json", "--perf-data=pt.data", "--recorded-filters")
    same((status, out), (2, b""))
    expect(err.startswith(b"itf: error: cannot read filters from pt.data: ") and text in err, err)


FILTERS = b"filter 0x1000/0x100@/f,stop 0x2800/0x10@/f"
make(tracer(1, FILTERS), PROGRAM)
given = ask("resolve", "--perf-data=pt.data", FILTERS.decode())
same(given["processes"][0]["filters"][0]["linux_launch"], {"start": "0x20001000", "size": "0x100"})
same(ask("resolve", "--perf-data=pt.data", "--recorded-filters"), given)
with open("pt.data") as file:
    done = subprocess.run([ITF, "resolve", "--json", "--perf-data=-", "--recorded-filters"], stdin=file, capture_output=True)
same((done.returncode, one_object(done.stdout)), (0, given))
status, out, err = run("resolve", "--json", "--perf-data=pt.data", "--recorded-filters", "--pmu=intel_pt:ranges=1")
same(json.loads(out)["error"]["code"], "too-many-filters")
if shutil.which("perf"):
    dump = subprocess.run(["perf", "report", "-D", "-i", "-"], stdin=open("pt.data"), capture_output=True).stdout
    if b"PERF_RECORD_AUXTRACE_INFO" in dump and b"Filter string" in dump:
        expect(FILTERS in dump, dump)
        print("perf finds the same filters")

make(PROGRAM)
failing(b"no filters of Intel PT were recorded")
make(tracer(1, b""), PROGRAM)
failing(b"no filters of Intel PT were recorded")
make(tracer(3, FILTERS), PROGRAM)
failing(b"no filters of Intel PT were recorded")
make(PROGRAM[:-3])
failing(b"the file ends inside a record")
# What was recorded is the kernel's, not to be read in any other way.
make(tracer(1, b"-"), PROGRAM)
same(run("resolve", "--perf-data=pt.data", "--recorded-filters", stdin=FILTERS)[0], 1)
make(tracer(1, b'filter 0x1000/0x100@"/f"'), PROGRAM)
same(ask("resolve", "--perf-data=pt.data", "--recorded-filters", status=3)["processes"][0]["filters"][0]["path"], '"/f"')

# A long read, on a terminal.
master, slave = pty.openpty()
reading, writing = os.pipe()
child = subprocess.Popen([ITF, "resolve", "--perf-data=-", "start 0x1000@/f"], stdin=reading, stdout=slave, stderr=slave)
os.close(reading)
os.close(slave)
os.write(writing, START + PROGRAM)
for _ in range(10):
    os.write(writing, record(9, 0, bytes(8184)) * 200)
    time.sleep(0.1)
os.close(writing)
seen = b""
try:
    while more := os.read(master, 65536):
        seen += more
except OSError:
    pass
same(child.wait(), 0)
expect(b"KiB read" in seen and b"\r\x1b[K" in seen, seen)
expect(seen.rindex(b"KiB read") < seen.index(b"ACTION"), seen)
finish()
END
