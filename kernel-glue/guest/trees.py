#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The table of families: what itf predicted for each member and what the kernel programmed.

usage: trees.py NAME SAID    exit status 1 if, on the kernel called "patched", they disagree where
                             they should not: a fixed kernel gives a grandchild its parent's range
"""

import json
import sys


def ranges(filters):
    out = []
    for item in filters:
        answer = item["linux_launch"] or {"start": "0x0", "size": "0x0"}
        out.append("%s+%s" % (answer["start"], answer["size"]))
    return " ".join(out)


def read(path):
    trees, name = {}, None
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            line = line.rstrip("\r\n")
            if line.startswith("TREE\t"):
                name = line.split("\t")[1]
                trees[name] = ({}, {})
            elif line.startswith("SEEN\t"):
                _, member, seen = line.split("\t")
                trees[name][0][member] = seen
            elif line.startswith('{"processes"'):
                for process in json.loads(line)["processes"]:
                    trees[name][1][process["comm"]] = ranges(process["filters"])
    return trees


def main():
    kernel, path = sys.argv[1:]
    agreed = members = wrong = 0
    print("family\tmember\tpredicted\tseen on %s" % kernel)
    for name, (seen, predicted) in read(path).items():
        for member in sorted(set(seen) | set(predicted)):
            a, b = predicted.get(member, "none"), seen.get(member, "none")
            members += 1
            agreed += a == b
            fixed = kernel == "patched" and member == "grandchild"
            if fixed:
                b_right = seen["child"] == b
                wrong += not b_right
            elif kernel == "patched" and a != b:
                wrong += 1
            print("%s\t%s\t%s\t%s%s" % (name, member, a, b, "" if a == b else "\t(R12 fixed)" if fixed else "\tR17"))
    print("families: %d of %d members agree on %s" % (agreed, members, kernel))
    return 1 if wrong or not members else 0


sys.exit(main())
