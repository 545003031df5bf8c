#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Takes whole definitions, each with the comment above it, out of a C file in kernel style, or
puts new ones before one that is there.

usage: splice.py cut FILE NAME...
       splice.py before FILE NAME PART    PART is a file; "-" as NAME is the end of FILE

NAME is a function, an array, or a member of an enum without a name. For what Coccinelle would
need to be told every line of, or would format in its own way. Fails if NAME is not there.
"""

import re
import sys


def find(lines, name):
    """Index of the line that a definition begins on, comment and return type not counted."""
    word = re.compile(r"\b%s\b" % re.escape(name))
    for i, line in enumerate(lines):
        if line == "enum {\n":
            body = lines[i : lines.index("};\n", i)]
            if any(re.match(r"\t%s\b" % re.escape(name), member) for member in body):
                return i
        if not re.match(r"[a-z_]", line) or not word.search(line):
            continue
        head = "".join(lines[i : i + 8])
        if re.match(r"[^;{]*\)\s*\{|[^;{(]*=\s*\{", head):
            return i
    sys.exit("cut: no definition of " + name)


def top(lines, start):
    """Index of the first line of the definition, with its comment and return type."""
    while lines[start - 1].strip():
        start -= 1
    return start


def cut(lines, name):
    end = find(lines, name)
    start = top(lines, end)
    while not lines[end].startswith("}"):
        end += 1
    end += 1
    if end < len(lines) and not lines[end].strip():
        end += 1
    del lines[start:end]


def before(lines, name, part):
    with open(part, encoding="utf-8") as file:
        new = file.readlines()
    if name == "-":
        lines += ["\n"] + new
    else:
        at = top(lines, find(lines, name))
        lines[at:at] = new + ["\n"]


def main():
    command, path, *names = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    if command == "cut":
        for name in names:
            cut(lines, name)
    else:
        before(lines, *names)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)


main()
