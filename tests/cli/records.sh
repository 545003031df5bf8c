#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What the reader of perf.data makes of files that the real perf records here, compared record by record with what
# perf script makes of them. Linux and perf are needed, tracing hardware is not.

DUMP=${DUMP:-$PWD/tests/helpers/perfdata_dump}
. "$(dirname "$0")/lib.sh"
[ -x "$DUMP" ] || skip "no program $DUMP"
command -v perf >/dev/null || skip "no perf"
perf record -q -o try -e dummy:u -- true >try.log 2>&1 || skip "perf record: $(head -n 3 try.log)"
export DUMP
py <<'END'
import re

from helper import *

DUMP = os.environ["DUMP"]
EVENT = re.compile(rb"PERF_RECORD_(MMAP2?|COMM|FORK|EXIT|LOST)\b.*")
compared = 0


def lines(*command, stdin=None):
    done = subprocess.run(command, stdin=stdin, capture_output=True, timeout=120)
    expect(done.returncode == 0 or b"built without libzstd" in done.stdout, command, done.stdout[-300:], done.stderr)
    return done.stdout.split(b"\n")


def normal(line):
    """A record as both programs can tell it: perf prints more of some."""
    line = line.replace(b"PERF_RECORD_MMAP2", b"PERF_RECORD_MMAP")
    # Device, inode and generation; or a build-id. An inode of 0 is none.
    line = re.sub(rb"( @ \S+) 00:00 0 \d+\]", rb"\1]", line)
    line = re.sub(rb"( @ \S+ \S+:\S+ \d+) \d+\]", rb"\1]", line)
    line = re.sub(rb"( @ \S+) <[0-9a-f]*>\]", rb"\1]", line)
    # Protection, and whether it is shared; the old kind of record has none.
    return re.sub(rb"\]: ([r-][w-][x-])[ps] ", rb"]: \1 ", line)


def compare(what, name, stdin=False):
    """One recording, as a file or through standard input."""
    global compared
    with open(name, "rb") as file:
        theirs = [EVENT.search(line) for line in lines(
            "perf", "script", "--show-mmap-events", "--show-task-events", "--show-lost-events",
            "-i", "-" if stdin else name, stdin=file)]
    theirs = [normal(found.group(0)) for found in theirs if found]
    with open(name, "rb") as file:
        mine = [normal(line) for line in lines(DUMP, *([] if stdin else [name]), stdin=file) if line]
    if mine and b"built without libzstd" in mine[-1]:
        print("not compared:", what, mine[-1])
        return
    expect(len(theirs) > 2, what, "has no records")
    same(len(mine), len(theirs), what)
    for number, (a, b) in enumerate(zip(mine, theirs)):
        if a != b:
            same(a, b, what, "record", number)
            break
    compared += len(mine)


def record(what, *args, command=("true",), output="perf.data", stdout=subprocess.DEVNULL):
    """Record; perf that does not know an option, or is refused the event, is no failure."""
    done = subprocess.run(["perf", "record", "-q", "-o", output, *args, "--", *command],
                          stdout=stdout, stderr=subprocess.PIPE, timeout=120)
    if done.returncode:
        print("not compared:", what, done.stderr[:200])
        return False
    return True


def try_one(what, *args, **options):
    if os.path.exists("perf.data"):
        os.unlink("perf.data")
    if record(what, *args, **options):
        compare(what, "perf.data")


DUMMY = ("-e", "dummy:u")
FORKS = ("sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10; do (true; ls / >/dev/null & wait); done; exec ls / >/dev/null")
LIBRARIES = (sys.executable, "-c", "import ssl, sqlite3, ctypes, lzma, bz2, decimal, readline, curses, zlib, json")
THREADS = (sys.executable, "-c", """
import threading, mmap, os
def work():
    with open("/bin/sh", "rb") as file:
        mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ | mmap.PROT_EXEC, flags=mmap.MAP_PRIVATE)
    if os.fork() == 0:
        os._exit(0)
    os.wait()
for _ in range(8):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
""")

try_one("launch", *DUMMY)
try_one("launch with data", *DUMMY, "-d", command=LIBRARIES)
try_one("many libraries", *DUMMY, command=LIBRARIES)
try_one("forks", *DUMMY, command=FORKS)
try_one("threads", *DUMMY, command=THREADS)
try_one("build-ids", *DUMMY, "--buildid-mmap", command=LIBRARIES)
try_one("two events", "-e", "dummy:u,cpu-clock:u", command=FORKS)
try_one("two layouts", "-e", "dummy:u,cpu-clock/call-graph=fp/u", command=FORKS)
try_one("no times", "--no-timestamp", "-e", "dummy:u", command=FORKS)
try_one("samples with CPU and address", "-e", "cpu-clock:u", "-F", "5000", "-d", "--sample-cpu", "-g", command=FORKS)
try_one("compressed", "-e", "cpu-clock:u", "-F", "5000", "-z", command=FORKS)
try_one("compressed libraries", "-z", *DUMMY, "-d", command=LIBRARIES)
try_one("a buffer that is too small", "-m", "1", "-e", "cpu-clock:u", "-F", "20000", "-g", command=FORKS)
try_one("whole machine", "-a", *DUMMY, command=("sh", "-c", "ls / >/dev/null; sleep 0.1"))
try_one("synthesized late", "-a", *DUMMY, "--tail-synthesize", command=("sleep", "0.1"))

# A process that runs already, with threads, and maps and forks while it is looked at.
process = Process()
process.do("thread")
with open("lib.bin", "wb") as file:
    file.write(b"\x90" * 0x8000)
recorder = subprocess.Popen(["perf", "record", "-q", *DUMMY, "-o", "perf.data", "-p", str(process.pid)],
                            stderr=subprocess.DEVNULL)
subprocess.run(["sleep", "1"])
for _ in range(3):
    process.do("map lib.bin r-x 0 8000")
process.end()
recorder.wait(timeout=60)
compare("attach", "perf.data")

# Through a pipe.
for what, args in (("pipe", DUMMY), ("compressed pipe", ("-z", "-e", "cpu-clock:u", "-F", "5000")),
                   ("two events in a pipe", ("-e", "dummy:u,cpu-clock:u"))):
    with open("pipe.data", "wb") as file:
        if not record(what, *args, command=FORKS, output="-", stdout=file):
            continue
    compare(what, "pipe.data", stdin=True)
print(compared, "records compared")
expect(compared > 500, "only", compared, "records")
finish()
END
