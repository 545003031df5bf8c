#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# watch on real commands: their events, what was left of each process at its end, and statuses kept apart.

. "$(dirname "$0")/lib.sh"
if ! "$ITF" watch '' -- true >/dev/null 2>refused; then
	grep -q '^hint: ' refused || fail "no hint: $(cat refused)"
	skip "$(cat refused)"
fi
py <<'END'
import signal
import time

from helper import *

SH = os.path.realpath("/bin/sh")
PAGE = 0x1000
HERE = os.getcwd()


def lines(out):
    """Events, and the report behind them."""
    got = [json.loads(line) for line in out.splitlines()]
    expect(got and all("event" in one for one in got[:-1]), out)
    same(list(got[-1]), ["processes", "command"])
    return got[:-1], got[-1]


def watch(text, *command, status=0):
    code, out, err = run("watch", "--json", text, "--", *command)
    same(code, status, text, command, err)
    return *lines(out), err


def maps(*steps):
    return [*PROCESS, *steps]


def notes(found):
    return [note["code"] for note in found["notes"]]


def make(name, pages=8):
    with open(name, "wb") as file:
        file.write(b"\x90" * (pages * PAGE))
    return os.path.join(HERE, name)


# exec, fork and exit as they are; one entry a process.
events, report, err = watch("filter file:0/0x100000@" + SH, "sh", "-c", "true; /bin/true; exit 7")
same(report["command"], {"exit": 7})
pid = events[0]["pid"]
child = next(one["child"] for one in events if one["event"] == "fork")
story = [(one["event"], one["pid"]) for one in events if one["event"] != "mmap"]
same(story, [("exec", pid), ("fork", pid), ("exec", child), ("exit", child), ("exit", pid)])
same([one["comm"] for one in events if one["event"] == "exec"], ["sh", "true"])
same([(one["pid"], one["comm"]) for one in report["processes"]], [(pid, "sh"), (child, "true")])
found = report["processes"][0]["filters"][0]
same(found["verdict"], "covered")
same(found["linux_launch"], found["exact"][0])
same(report["processes"][1]["filters"][0]["verdict"], "none")
# The mapping of the text, and what Linux holds after it.
text = [one for one in events if one["event"] == "mmap" and "x" in one["prot"]]
same(len(text), 1, text)
same(list(text[0]), ["event", "pid", "tid", "time", "start", "size", "offset", "prot", "path", "filters"])
same((text[0]["pid"], text[0]["prot"], text[0]["path"]), (pid, "r-x", SH))
same(text[0]["filters"][0]["linux_launch"], found["linux_launch"])
for one in events:
    same(list(one)[:4], ["event", "pid", "tid", "time"])
    expect(one["time"].startswith("0x"), one)
times = [int(one["time"], 16) for one in events]
same(times, sorted(times))

# The command's status is shown, not copied; itf's own says what was found.
same(watch("", "sh", "-c", "kill -9 $$")[1]["command"], {"signal": 9})
same(watch("filter 0/0x100000@" + SH, "sh", "-c", "exit 3")[1]["command"], {"exit": 3})
same(watch("filter 0/0x10@/no/such/file", "true", status=3)[1]["command"], {"exit": 0})
same(run("watch", "", "--", "sh", "-c", "exit 3")[0], 0)

# The command's output: apart under --json, its own otherwise.
events, report, err = watch("", "sh", "-c", "echo out; echo err >&2")
same(err, b"out\nerr\n")
status, out, err = run("watch", "filter 0/0x100000@" + SH, "--", "sh", "-c", "echo out; echo err >&2")
same(err, b"err\n")
expect(b"out" in out.split(b"\n"), out)
head, table = out.split(b"\n\n", 1)
same([line for line in head.split(b"\n") if not line.startswith(b"itf: ")], [b"out"])
expect(b"itf: the command exited with status 0" in head, head)
expect(b"    verdict    covered (launch): " in table, table)
expect(all(len(line) <= 80 for line in out.split(b"\n")), out)
same(run("watch", "filter 1/1", "--", "cat", stdin=b"input\n")[1].split(b"\n").count(b"input"), 1)

# What cannot be run or watched.
for command in (["./missing"], ["no-such-command"], ["."]):
    code, out, err = run("watch", "--json", "filter 1/1", "--", *command)
    same((code, out), (2, b""), command)
    expect(err.startswith(b"itf: error: cannot run "), err)

# A file mapped while the command runs; last mapping wins (R5); touching (R2) runs away.
file = make("lib.bin")
events, report, err = watch("filter 0x1000/0x100@" + file, *maps("map %s r-x 0 8000" % file))
found, = report["processes"][0]["filters"]
same((found["verdict"], len(found["exact"])), ("covered", 1))
expect(any(one["event"] == "mmap" and one["path"] == file for one in events), events)
events, report, err = watch("filter 0x1000/0x100@" + file, *maps(
    "map %s r-x 0 2000 20000000" % file, "map %s r-x 0 2000 20100000" % file))
found, = report["processes"][0]["filters"]
same((found["verdict"], found["linux_launch"]["start"]), ("partial", "0x20101000"))
expect("several-mappings" in notes(found), notes(found))
events, report, err = watch("filter 0x1000/0x1000@" + file, *maps(
    "map %s r-x 1000 1000 20001000" % file, "map %s r-x 2000 1000 20002000" % file), status=3)
found, = report["processes"][0]["filters"]
same((found["verdict"], found["linux_launch"]["size"]), ("runaway", "0x0"))
expect("touching-mapping" in notes(found), notes(found))
# Text that mprotect split and joined again.
events, report, err = watch("filter 0/0x8000@" + file, *maps(
    "map %s r-x 0 8000 20000000" % file, "protect 20004000 1000 rwx", "protect 20004000 1000 r-x"))
found, = report["processes"][0]["filters"]
same([(one["start"], one["size"]) for one in found["exact"]], [("0x20000000", "0x8000")])
# A library that was deleted.
gone = make("gone.bin")
events, report, err = watch("filter 0x1000/0x100@" + gone, *maps("map %s r-x 0 8000" % gone, "unlink " + gone,
                                                               "map %s r-x 0 1000" % file))
found, = report["processes"][0]["filters"]
same(found["verdict"], "covered")

# Children: a fork starts with the parent's ranges, a grandchild with those of the root.
events, report, err = watch("filter 0x1000/0x100@" + file, *maps(
    "map %s r-x 0 8000 20000000" % file, "fork map %s r-x 0 8000 30000000" % file))
parent, child = report["processes"]
same(parent["filters"][0]["linux_launch"]["start"], "0x20001000")
same(child["filters"][0]["linux_launch"]["start"], "0x30001000")
same(len(child["filters"][0]["exact"]), 2)

# Only the thread that maps has the range (R10).
events, report, err = watch("filter 0x1000/0x100@" + file, *maps("thread", "map %s r-x 0 8000" % file))
found, = report["processes"][0]["filters"]
expect("threads-differ" in notes(found), notes(found))

# A process that ended before its mappings could be looked at: they may have been others at last.
for _ in range(100):
    found, = watch("filter 0/0x100000@" + SH, "sh", "-c", "exit")[1]["processes"][0]["filters"]
    if "may-be-stale" in notes(found):
        break
expect("may-be-stale" in notes(found), notes(found))

# The hardware view, kernel filters, and refusal before anything runs.
code, out, err = run("watch", "--json", "--pmu=intel_pt", "filter 0x1000/0x100@%s,filter 0xffffffff81000000/16" % file,
                     "--", *maps("map %s r-x 0 8000 20000000" % file))
first, second = lines(out)[1]["processes"][0]["filters"]
same(first["linux_launch"]["hw"], {"first": "0x20001000", "last": "0x200010ff", "config": 1})
same(second["linux_launch"]["hw"]["last"], "0xffffffff8100000f")
same(second["verdict"], "covered")

# watch --pid follows a process to its end.
process = Process()
process.do("map %s r-x 0 8000 20000000" % file)
watcher = subprocess.Popen([ITF, "watch", "--json", "--pid=%d" % process.pid, "filter 0x1000/0x100@" + file],
                           stdout=subprocess.PIPE)
time.sleep(0.5)
process.do("map %s r-x 0 8000 21000000" % file)
process.end()
out = watcher.communicate(timeout=60)[0]
same(watcher.returncode, 0)
events, report = lines(out)
same(report["command"], None)
found, = report["processes"][0]["filters"]
same((found["linux_launch"]["start"], len(found["exact"])), ("0x21001000", 2))

# SIGINT ends the watch, not the process.
process = Process()
watcher = subprocess.Popen([ITF, "watch", "--json", "--pid=%d" % process.pid, "start 1"],
                           stdout=subprocess.PIPE)
time.sleep(0.5)
watcher.send_signal(signal.SIGINT)
out = watcher.communicate(timeout=60)[0]
same((watcher.returncode, process.child.poll()), (0, None))
same(len(lines(out)[1]["processes"]), 1)
process.end()

# Nobody reads what was found.
if os.path.exists("/dev/full"):
    with open("/dev/full", "w") as full:
        done = subprocess.run([ITF, "watch", "--json", "start 1", "--", "true"], stdout=full, stderr=subprocess.PIPE)
    same(done.returncode, 2)
    expect(b"cannot write to standard output" in done.stderr, done.stderr)
# That ends the watch of a process, but cuts no command off.
process = Process()
watcher = subprocess.Popen([ITF, "watch", "--json", "--pid=%d" % process.pid, "filter 0x1000/0x100@" + file],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
watcher.stdout.close()
time.sleep(0.5)
process.do("map %s r-x 0 8000" % file)
try:
    same(watcher.wait(timeout=20), 2)
except subprocess.TimeoutExpired:
    expect(False, "a watch that nobody reads goes on")
    watcher.kill()
expect(b"cannot write to standard output" in watcher.stderr.read())
same(process.child.poll(), None)
process.end()
reading, writing = os.pipe()
os.close(reading)
done = subprocess.run([ITF, "watch", "--json", "start 1", "--", "sh", "-c", "/bin/true; sleep 0.3; echo end >done"],
                      stdout=writing, stderr=subprocess.PIPE)
os.close(writing)
same((done.returncode, open("done").read()), (2, "end\n"))
# A command under watch dies of a closed pipe as it would without.
same(watch("", "sh", "-c", "trap '' TERM; kill -13 $$; exit 0")[1]["command"], {"signal": 13})
finish()
END
