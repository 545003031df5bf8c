# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What the tests of the program share: run it, and say what is wrong with what it did."""

import json
import os
import subprocess
import sys

ITF = os.environ["ITF"]
TOP = os.environ["top"]
failures = 0


def run(*args, stdin=b"", env=None, timeout=60):
    """Run itf. Returns (status, standard output, standard error), both bytes."""
    environment = dict(os.environ, **(env or {}))
    done = subprocess.run([ITF, *args], input=stdin, capture_output=True, env=environment,
                          timeout=timeout)
    return done.returncode, done.stdout, done.stderr


def expect(condition, *what):
    """Count a failure, and tell of it, unless the condition holds."""
    global failures
    if not condition:
        failures += 1
        print("FAIL:", *what)


def same(got, want, *what):
    expect(got == want, *what, "\n  got ", got, "\n  want", want)


def one_object(out):
    """The one JSON object on one line that standard output has to be, with its keys in order."""
    expect(out.endswith(b"\n") and out.count(b"\n") == 1, "not one line:", out[:200])
    return json.loads(out.decode("utf-8"))


def ask(*args, stdin=b"", status=0):
    """Run with --json and return the object."""
    code, out, err = run(*args, "--json", stdin=stdin)
    same(code, status, "status of", args, stdin[:200], err)
    return one_object(out)


def vectors(name):
    """The rows of a vector file: lists of fields, comments and blank lines left out."""
    with open(os.path.join(TOP, "tests", "vectors", name), encoding="latin-1") as file:
        for line in file:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                yield line.split("\t")


def unescape(text):
    """The bytes of a field: \\n \\t \\r \\0 \\xHH \\\\ undone."""
    out, at = bytearray(), 0
    raw = text.encode("latin-1")
    while at < len(raw):
        if raw[at:at + 1] != b"\\":
            out.append(raw[at])
            at += 1
            continue
        what = raw[at + 1:at + 2]
        if what == b"x":
            out.append(int(raw[at + 2:at + 4], 16))
            at += 4
        else:
            out += {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"0": b"\0", b"\\": b"\\"}[what]
            at += 2
    return bytes(out)


PROCESS = [sys.executable, os.path.join(TOP, "tests", "cli", "process.py")]


class Process:
    """A living process that maps files as it is told: see process.py."""

    def __init__(self):
        self.child = subprocess.Popen(PROCESS, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      text=True)
        self.pid = self.child.pid

    def do(self, line):
        print(line, file=self.child.stdin, flush=True)
        return self.child.stdout.readline().strip()

    def end(self):
        self.child.stdin.close()
        self.child.wait()


def finish():
    sys.exit(1 if failures else 0)
