#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Where output goes and when it fails: a full disk, a closed pipe, a closed descriptor, a terminal.

. "$(dirname "$0")/lib.sh"
printf '00401000-00402000 r-xp 00001000 fe:00 4711 /f\n' >maps
py <<'END'
import pty
import select
import signal
import time

from helper import *

CALLS = (["check", "filter 1/1"], ["check", "--json", "filter 1/1"], ["check", "--json", "bogus"],
         ["convert", "--to=seed", "filter 1/1"], ["convert", "--to=seed", "--json", "filter 1/1"],
         ["resolve", "--maps=maps", "filter 0x1000/1@/f"], ["resolve", "--maps=maps", "--json", "start 1"],
         ["--help"], ["check", "--help"], ["--version"],
         ["check", "-"])
MANY = b"start 1 " * 50000


def failing(stdout, *args, **more):
    done = subprocess.run([ITF, *args], input=MANY, stdout=stdout, stderr=subprocess.PIPE, timeout=60,
                          **more)
    same(done.returncode, 2, args)
    expect(done.stderr.startswith(b"itf: error: cannot write to standard output"), args, done.stderr)
    same(done.stderr.count(b"\n"), 1, args, done.stderr)


for args in CALLS:
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w") as full:
            failing(full, *args)
    reading, writing = os.pipe()
    os.close(reading)
    for default in (signal.SIG_DFL, signal.SIG_IGN):
        failing(writing, *args, preexec_fn=lambda: signal.signal(signal.SIGPIPE, default))
    os.close(writing)
    # Closed: nothing that is opened later may take the place of standard output.
    failing(None, *args, preexec_fn=lambda: os.close(1))
    # Closed for input or messages, all is well as long as they are not needed.
    if "-" not in args and "bogus" not in args:
        same(subprocess.run([ITF, *args], stdout=subprocess.DEVNULL,
                            preexec_fn=lambda: os.closerange(0, 1) or os.close(2)).returncode, 0, args)


def on_terminal(*args, stdin=None, **environment):
    """What appears on a terminal."""
    master, slave = pty.openpty()
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    env.update(environment)
    child = subprocess.Popen([ITF, *args], stdin=stdin or slave, stdout=slave, stderr=slave, env=env)
    os.close(slave)
    seen = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    child.wait()
    os.close(master)
    return seen


for args in (["check", "bogus"], ["check", "filter 010/8"], ["resolve", "--maps=maps", "start 0x1000@/f"]):
    expect(b"\x1b[" in on_terminal(*args, TERM="xterm"), args)
    for environment in ({"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb"}, {}):
        expect(b"\x1b" not in on_terminal(*args, **environment), args, environment)
    expect(b"\x1b[" in on_terminal(*args, TERM="xterm", NO_COLOR=""), args)
    status, out, err = run(*args, env={"TERM": "xterm"})
    expect(b"\x1b" not in out + err, args)

# A long read shows progress on a terminal, and takes it away again; only there.
line = b"00401000-00402000 r-xp 00001000 fe:00 4711 /f\n"


def slowly(write):
    with os.fdopen(write, "wb") as out:
        for _ in range(12):
            out.write(line * 12000)
            out.flush()
            time.sleep(0.1)


for args in (["resolve", "--maps=-", "start 0x1000@/f"],):
    reading, writing = os.pipe()
    writer = os.fork()
    if not writer:
        os.close(reading)
        slowly(writing)
        os._exit(0)
    os.close(writing)
    seen = on_terminal(*args, stdin=reading, TERM="xterm")
    os.close(reading)
    os.waitpid(writer, 0)
    expect(b"KiB read" in seen and b"\r\x1b[K" in seen, seen)
    expect(seen.rindex(b"KiB read") < seen.index(b"\r\x1b[K") < seen.index(b"ACTION"), seen)

# Text fits 80 columns, whatever the filters are.
WIDE = ("filter kernel:0xffffffffffffff00/0x100,filter 0/0xffffffffffffffff,stop 0x1000/0xfffffffffff@/" +
        "very/long/path" * 30 + ",start 0xfffffffffffffff0@/f,filter file:0x1000@/f," + "start 1@/f," * 120)
status, out, err = run("check", WIDE)
for args in (["check", WIDE], ["resolve", "--maps=maps", WIDE], ["check", "--pmu=any", WIDE],
             ["resolve", "--pmu=any", "--maps=maps", WIDE]):
    status, out, err = run(*args)
    for row in out.decode().split("\n"):
        expect(len(row) <= 80, args[0], len(row), row)
    expect(len(out.split(b"\n")) > 120, args[0])
finish()
END
