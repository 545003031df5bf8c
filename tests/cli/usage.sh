#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Wrong usage and a hostile environment: exit status 2, nothing on standard output, and a word on what is wrong.

. "$(dirname "$0")/lib.sh"
printf '00401000-00402000 r-xp 00001000 fe:00 4711 /f\n' >maps
py <<'END'
from helper import *


def usage(*args, **more):
    status, out, err = run(*args, **more)
    same((status, out), (2, b""), args)
    lines = err.split(b"\n")
    expect(lines[0].startswith(b"itf: error: "), args, err)
    expect(lines[1].startswith(b"usage: itf "), args, err)
    same(lines[2:], [b""], args)
    expect(len(lines[1]) <= 80, lines[1])


def environment(*args, **more):
    status, out, err = run(*args, **more)
    same((status, out), (2, b""), args)
    expect(err.startswith(b"itf: error: ") and b"usage" not in err, args, err)
    return err


usage()
usage("frobnicate")
usage("--json", "check", "filter 1/1")
usage("-")
usage("")
for command in ("check", "convert", "resolve", "watch"):
    usage(command)
    usage(command, "--frobnicate", "filter 1/1")
    usage(command, "-x", "filter 1/1")
    usage(command, "--json=1", "filter 1/1")
    usage(command, "--dialect=perf", "filter 1/1")
    usage(command, "--dialect=", "filter 1/1")
    usage(command, "--dialect", "mainstream", "filter 1/1")
    usage(command, "--dialect")
usage("check", "filter 1/1", "filter 2/2")
usage("check", "filter", "1/1")
usage("check", "--")
usage("check", "--addr-bits=16", "filter 1/1")
usage("check", "--addr-bits=", "filter 1/1")
usage("check", "--to=seed", "filter 1/1")
usage("check", "--pid=1", "filter 1/1")
usage("convert", "filter 1/1")
usage("convert", "--to=any", "filter 1/1")
usage("convert", "--to=perf", "filter 1/1")
usage("convert", "--to=seed", "--pmu=any", "filter 1/1")
usage("resolve", "filter 1/1")
usage("resolve", "--pid=1", "--maps=maps", "filter 1/1")
usage("resolve", "--perf-data=perf.data", "--maps=maps", "filter 1/1")
usage("resolve", "--perf-data=perf.data", "--pid=1", "filter 1/1")
usage("resolve", "--perf-data=-", "-", stdin=b"filter 1/1")
usage("check", "--perf-data=perf.data", "filter 1/1")
usage("check", "--recorded-filters")
usage("resolve", "--recorded-filters")
usage("resolve", "--maps=maps", "--recorded-filters")
usage("resolve", "--perf-data=perf.data", "--recorded-filters", "filter 1/1")
usage("watch", "--perf-data=perf.data", "filter 1/1", "--", "true")
usage("resolve", "--maps=-", "-", stdin=b"filter 1/1")
for pid in ("0", "-1", "1x", "", "0x1", "99999999999", " 1"):
    usage("resolve", "--pid=" + pid, "filter 1/1")
    usage("watch", "--pid=" + pid, "filter 1/1")
usage("watch", "filter 1/1")
usage("watch", "filter 1/1", "--")
usage("watch", "filter 1/1", "true")
usage("watch", "--pid=1", "filter 1/1", "--", "true")
usage("watch", "--addr-bits=64", "filter 1/1", "--", "true")

# Nothing of a refused call is done.
usage("watch", "--dialect=x", "filter 1/1", "--", "touch", "done")
expect(not os.path.exists("done"), "the command ran")
same(run("watch", "filter", "--", "touch", "done")[0], 1)
same(run("watch", "--pmu=intel_pt", "start 1", "--", "touch", "done")[0], 1)
expect(not os.path.exists("done"), "the command ran")

environment("resolve", "--maps=missing", "filter 1/1")
environment("resolve", "--maps=missing", "--json", "filter 1/1")
environment("resolve", "--maps=.", "filter 1/1")
environment("resolve", "--perf-data=missing", "filter 1/1")
environment("resolve", "--perf-data=.", "filter 1/1")
environment("resolve", "--perf-data=maps", "filter 1/1")
environment("resolve", "--perf-data=-", "--json", "filter 1/1")
environment("resolve", "--perf-data=missing", "--recorded-filters")
environment("resolve", "--perf-data=maps", "--recorded-filters")
environment("resolve", "--perf-data=-", "--recorded-filters")
environment("resolve", "--pid=2147483647", "filter 1/1")
environment("resolve", "--pid=2147483647", "--json", "filter 1/1")
environment("watch", "--pid=2147483647", "filter 1/1")
# The filter is judged before files are opened.
same(run("resolve", "--maps=missing", "bogus")[0], 1)

# "--" ends options, "-" is standard input, an empty argument is a filter set.
same(run("check", "--json", "--", "filter 1/1")[0], 0)
same(run("check", "--", "--json")[0], 1)
same(run("check", "-", stdin=b"filter 1/1\n")[0], 0)
same(run("check", "")[0], 0)
same(run("resolve", "--maps=maps", "")[0], 0)
same(run("resolve", "--maps=-", "filter 0x1000/1@/f", stdin=open("maps", "rb").read())[0], 0)
same(run("resolve", "--maps=maps", "-", stdin=b"filter 0x1000/1@/f")[0], 0)
same(run("check", "filter 1/1", "--json")[0], 0)

# Help and version are data.
for args in (["--help"], ["-h"], ["check", "--help"], ["convert", "--help"], ["resolve", "--help"],
             ["watch", "--help"], ["watch", "--help", "--bogus"], ["--version"], ["-V"]):
    status, out, err = run(*args)
    same((status, err), (0, b""), args)
    expect(all(len(line) <= 80 for line in out.split(b"\n")), args, out)
expect(run("--version")[1].startswith(b"itf "), run("--version"))
for option in (b"--dialect", b"--addr-bits", b"--pmu", b"--cpu-wide", b"--exclude-kernel", b"--json"):
    expect(option in run("check", "--help")[1], option)

# Standard input that cannot be read.
directory = os.open(".", os.O_RDONLY)
done = subprocess.run([ITF, "check", "-"], stdin=directory, capture_output=True)
same((done.returncode, done.stdout), (2, b""))
expect(done.stderr.startswith(b"itf: error: cannot read FILTERS"), done.stderr)
finish()
END
