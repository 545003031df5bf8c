#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Do the unit tests notice small faults? Run them against every mutant of the engine.

Each mutant of mutate.py is compiled, put in the place of the file it was made of, and run against
the tests until one fails. It counts if it compiles and if its machine code differs from that of
the file and of every mutant before it. Exit status 0 only if enough of them are killed and every
survivor stands in the list of equivalent mutants with its reason, and nothing else does.

Works in the current directory.
"""
import argparse
import collections
import concurrent.futures
import os
import queue
import re
import resource
import shlex
import shutil
import subprocess
import sys
import threading
import time

import mutate

# A read behind a table traps: without that, what happens to lie there decides.
FLAGS = ["-std=gnu11", "-O1", "-fPIC", "-w", "-Iinclude", "-Isrc", "-DSMALL_DOMAIN",
         "-fsanitize=bounds", "-fsanitize-undefined-trap-on-error"]
# Bytes of memory that a test may use before it counts as failed.
MEMORY = 4 << 30

Result = collections.namedtuple("Result", "mutant fate by")


def run(command, **kwargs):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
                          **kwargs)


def must(command, **kwargs):
    """Run a command that does not fail unless something is wrong with the set-up."""
    done = run(command, **kwargs)
    if done.returncode:
        sys.exit("mutants: %s\n%s" % (" ".join(command), done.stdout))
    return done.stdout


class Build:
    """The engine and its tests, compiled as they are."""

    def __init__(self, srcdir, sources, tests, support):
        self.srcdir = os.path.abspath(srcdir)
        self.sources, self.tests, self.support = sources, tests, support
        self.cc = shlex.split(os.environ.get("CC", "cc"))
        self.check = {what: shlex.split(os.environ.get("CHECK_" + what.upper()) or
                                        must(["pkg-config", "--" + what, "check"]))
                      for what in ("cflags", "libs")}
        self.dir = os.path.abspath("base")
        self.limit, self.seconds, self.deps = {}, {}, {}

    def tree(self, where):
        """A tree of links to the sources, in which a file can be replaced by a mutant."""
        shutil.rmtree(where, ignore_errors=True)
        for top in ("include", "src", "tests"):
            for path, _, names in os.walk(os.path.join(self.srcdir, top)):
                to = os.path.join(where, os.path.relpath(path, self.srcdir))
                os.makedirs(to)
                for name in names:
                    if name.endswith((".c", ".h")):
                        os.symlink(os.path.join(path, name), os.path.join(to, name))

    def compiler(self, source, to):
        return self.cc + FLAGS + self.check["cflags"] + ["-c", "-o", to, source]

    def link_engine(self, objects, to):
        return self.cc + ["-shared", "-o", to] + objects

    def link_test(self, test, to, where):
        objects = [test + ".o"] + [os.path.join(self.dir, unit[:-2] + ".o")
                                   for unit in self.support]
        return (self.cc + ["-o", to] + objects + ["-L" + where, "-lengine"] +
                self.check["libs"])

    def make(self):
        self.tree(self.dir)
        units = self.sources + [test + ".c" for test in self.tests]
        for unit in units + self.support:
            must(self.compiler(unit, unit[:-2] + ".o"), cwd=self.dir)
            deps = must(self.cc + FLAGS + self.check["cflags"] + ["-MM", unit], cwd=self.dir)
            self.deps[unit] = set(os.path.normpath(word) for word in deps.split()[1:])
        must(self.link_engine([unit[:-2] + ".o" for unit in self.sources], "libengine.so"),
             cwd=self.dir)
        for test in self.tests:
            must(self.link_test(test, test, "."), cwd=self.dir)
            started = time.monotonic()
            done = self.run_test(os.path.join(self.dir, test), self.dir, 60)
            self.seconds[test] = time.monotonic() - started
            if done:
                sys.exit("mutants: %s fails without any mutant" % test)

    def run_test(self, test, engine, seconds):
        """The exit status of a test program with the engine that lies in a directory."""
        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        env = dict(os.environ, srcdir=self.srcdir, LD_LIBRARY_PATH=engine, CK_FORK="no",
                   CK_VERBOSITY="silent")
        env.pop("CK_TAP_LOG_FILE_NAME", None)
        try:
            return subprocess.run([test], env=env, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  preexec_fn=limits, check=False, timeout=120).returncode
        except subprocess.TimeoutExpired:
            return -1


class Order:
    """Which test to try first: the one that killed most mutants of the same function."""

    def __init__(self, build):
        self.build = build
        self.kills = collections.Counter()
        self.lock = threading.Lock()

    def of(self, path, function):
        name = os.path.splitext(os.path.basename(path))[0]
        with self.lock:
            return sorted(self.build.tests, key=lambda test: (
                -self.kills[path, function, test], not test.endswith("_" + name),
                self.build.seconds[test]))

    def killed(self, path, function, test):
        with self.lock:
            self.kills[path, function, test] += 1


class Worker:
    """A tree to try one mutant after the other in."""

    def __init__(self, build, number, seconds):
        self.build, self.seconds = build, seconds
        self.dir = os.path.abspath("worker%d" % number)
        build.tree(self.dir)

    def compile(self, path, text):
        """Objects of all engine sources that need the mutant; None if one does not compile."""
        objects = {}
        self.replace(path, text)
        for unit in self.build.sources:
            if path in self.build.deps[unit]:
                to = unit[:-2] + ".o"
                if run(self.build.compiler(unit, to) + ["-Werror=return-type"],
                       cwd=self.dir).returncode:
                    return None
                with open(os.path.join(self.dir, to), "rb") as compiled:
                    objects[to] = compiled.read()
        return objects

    def replace(self, path, text):
        """Put a text in the place of a file, or the file itself back if it is None."""
        target = os.path.join(self.dir, path)
        os.unlink(target)
        if text is None:
            os.symlink(os.path.join(self.build.srcdir, path), target)
        else:
            with open(target, "w", encoding="ascii") as source:
                source.write(text)

    def link(self, objects):
        parts = []
        for unit in self.build.sources:
            to = unit[:-2] + ".o"
            parts.append(to if to in objects else os.path.join(self.build.dir, to))
        must(self.build.link_engine(parts, "libengine.so"), cwd=self.dir)

    def test_program(self, path, test):
        """The program of a test, made anew if the mutant is in a header of its; or None."""
        if path not in self.build.deps[test + ".c"]:
            return os.path.join(self.build.dir, test)
        if run(self.build.compiler(test + ".c", test + ".o"), cwd=self.dir).returncode:
            return None
        must(self.build.link_test(test, test, "."), cwd=self.dir)
        return os.path.join(self.dir, test)

    def killer(self, path, function, order):
        """The first test that fails, or None."""
        for test in order.of(path, function):
            program = self.test_program(path, test)
            if program and self.build.run_test(program, self.dir, self.seconds):
                order.killed(path, function, test)
                return test
        return None


class Campaign:
    """All mutants of some files and what became of them."""

    def __init__(self, build, jobs, seconds):
        self.build, self.jobs, self.seconds = build, jobs, seconds
        self.order = Order(build)
        self.lock = threading.Lock()
        self.seen = {}
        self.done = self.total = 0

    def judge(self, worker, path, text, mutant):
        objects = worker.compile(path, mutate.mutated(text, mutant))
        if objects is None:
            return Result(mutant, "uncompilable", None)
        # Where the test includes the mutant itself, equal objects do not say that it is equal.
        if not any(path in self.build.deps[test + ".c"] for test in self.build.tests):
            code = (path, tuple(sorted(objects.items())))
            with self.lock:
                known = code in self.seen
                self.seen[code] = True
            if known:
                return Result(mutant, "same", None)
        worker.link(objects)
        killer = worker.killer(path, mutant.function, self.order)
        return Result(mutant, "killed" if killer else "alive", killer)

    def tried(self):
        with self.lock:
            self.done += 1
            if sys.stderr.isatty():
                print("\r%d/%d" % (self.done, self.total), end="", file=sys.stderr)

    def run(self, texts):
        """{path: [Result]} for {path: text}."""
        free = queue.Queue()
        for number in range(self.jobs):
            free.put(Worker(self.build, number, self.seconds))
        first = free.get()
        for path, text in texts.items():
            objects = first.compile(path, text)
            self.seen[path, tuple(sorted(objects.items()))] = True
            first.replace(path, None)
        free.put(first)

        def one(path, text, mutant):
            worker = free.get()
            try:
                return self.judge(worker, path, text, mutant)
            finally:
                worker.replace(path, None)
                free.put(worker)
                self.tried()

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            futures = {path: [pool.submit(one, path, text, mutant)
                              for mutant in mutate.mutants_of(text)]
                       for path, text in texts.items()}
            self.total = sum(len(some) for some in futures.values())
            return {path: [future.result() for future in some] for path, some in futures.items()}


def keys_of(path, text, mutants):
    """What each mutant is called in the list: it does not depend on the lines around it."""
    counts = collections.Counter()
    for mutant in mutants:
        key = (path, mutant.function) + mutate.change(text, mutant)
        counts[key] += 1
        yield key if counts[key] == 1 else key[:2] + (key[2] + " #%d" % counts[key], key[3])


def read_list(path):
    """{key: reason} of a list of equivalent mutants."""
    reasons = {}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                fields = line.rstrip("\n").split("\t")
                if len(fields) != 5 or not fields[4].strip():
                    sys.exit("mutants: %s: no five fields: %s" % (path, line))
                reasons[tuple(fields[:4])] = fields[4]
    return reasons


def report(texts, results, reasons, floor):
    """Print the survivors and the figures; whether all is well."""
    alive, known, wrong = collections.Counter(), 0, 0
    fates, kinds = collections.Counter(), collections.Counter()
    layers = collections.Counter()
    for path, some in results.items():
        layer = re.sub(r"^(?:src|include)/(\w+)/.*", r"\1", path).replace("itf", "headers")
        names = keys_of(path, texts[path], [result.mutant for result in some])
        for key, result in zip(names, some):
            fates[result.fate] += 1
            kinds[result.mutant.kind, result.fate] += 1
            layers[layer, result.fate] += 1
            reason = reasons.pop(key, None)
            if result.fate == "alive":
                known += reason is not None
                if reason is None:
                    print("%s:%d: survives, and is not listed:" %
                          (path, mutate.line_of(texts[path], result.mutant)))
                    print("\t".join(key))
            elif reason is not None:
                wrong += 1
                print("listed as equivalent, but %s%s:" %
                      (result.fate, " by " + result.by if result.by else ""))
                print("\t".join(key))
    for key in reasons:
        if key[0] in texts:
            wrong += 1
            print("listed as equivalent, but there is no such mutant:\n" + "\t".join(key))
    for kind in sorted({kind for kind, _ in kinds}):
        print("%-10s %4d killed, %3d alive" % (kind, kinds[kind, "killed"], kinds[kind, "alive"]))
    print("%d do not compile, %d are the same code as another" %
          (fates["uncompilable"], fates["same"]))
    parts, enough = [], True
    for layer in dict.fromkeys(name for name, _ in layers):
        killed, alive = layers[layer, "killed"], layers[layer, "alive"]
        share = 100 * killed / (killed + alive) if killed + alive else 100
        enough = enough and share >= floor
        parts.append("%s %d/%d = %.1f %%" % (layer, killed, killed + alive, share))
    print("mutants: killed %s; %d survive, %d of them listed as equivalent" %
          (", ".join(parts), fates["alive"], known))
    return enough and fates["alive"] == known and not wrong and fates["killed"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--srcdir", default=".", help="top of the source tree")
    parser.add_argument("--sources", nargs="+", required=True, help="what the engine is made of")
    parser.add_argument("--tests", nargs="+", required=True, help="test programs, without suffix")
    parser.add_argument("--support", nargs="*", default=[], help="what every test is linked with")
    parser.add_argument("--mutate", nargs="+", metavar="FILE",
                        help="files to make mutants of; default: the sources")
    parser.add_argument("--equivalent", help="list of survivors, with reasons")
    parser.add_argument("--floor", type=float,
                        help="per cent to be killed; default: 97, or none for a part of the sources")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--cpu-seconds", type=int, default=2,
                        help="processor time after which a test counts as failed")
    args = parser.parse_args()

    started = time.monotonic()
    build = Build(args.srcdir, args.sources, args.tests, args.support)
    build.make()
    texts = {}
    for path in args.mutate or args.sources:
        with open(os.path.join(args.srcdir, path), encoding="ascii") as source:
            texts[path] = source.read()
    results = Campaign(build, args.jobs, args.cpu_seconds).run(texts)
    print("%d seconds" % (time.monotonic() - started))
    reasons = read_list(args.equivalent) if args.equivalent else {}
    floor = args.floor
    if floor is None:
        floor = 97 if set(args.sources) <= set(texts) else 0
    sys.exit(0 if report(texts, results, reasons, floor) else 1)


if __name__ == "__main__":
    main()
