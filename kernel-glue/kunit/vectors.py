#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Makes the tables of the KUnit suites from the vectors that all tests share.

usage: vectors.py DIRECTORY >vectors.h
"""

import re
import sys

HINTS = {
    "-": "NONE",
    "tracestop": "TRACESTOP",
    "symbol": "SYMBOL",
    "star": "WHOLE_FILE",
    "blanks": "BLANKS",
    "octal": "OCTAL",
    "separator": "SEPARATOR_IN_PATH",
    "drop-source": "DROP_SOURCE",
    "add-source": "ADD_SOURCE",
    "add-path": "ADD_PATH",
    "add-size": "ADD_SIZE",
}
ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "\\": 92}


def rows(directory, name):
    with open("%s/%s" % (directory, name), encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                yield line.split("\t")


def unescape(text):
    out = bytearray()
    raw = text.encode()
    i = 0
    while i < len(raw):
        if raw[i] != 92:
            out.append(raw[i])
            i += 1
        elif raw[i + 1 : i + 2] == b"x":
            out.append(int(raw[i + 2 : i + 4], 16))
            i += 4
        else:
            out.append(ESCAPES[chr(raw[i + 1])])
            i += 2
    return bytes(out)


def literal(data):
    """A C string; octal escapes, as they end by themselves."""
    out = ""
    for byte in data:
        char = chr(byte)
        if char in '"\\':
            out += "\\" + char
        elif char == "\t":
            out += "\\t"
        elif 32 <= byte < 127:
            out += char
        else:
            out += "\\%03o" % byte
    return '"%s"' % out


def syntax(dialect):
    name, *options = dialect.split("+")
    out = [".dialect = ITF_DIALECT_%s" % name.upper()]
    for option in options:
        if option == "q":
            out.append(".quotes = true")
        elif option == "32":
            out.append(".addr_bits = 32")
        elif option.startswith("max="):
            out.append(".max_len = " + option[4:])
        else:
            sys.exit("vectors: unknown option " + option)
    return "{ %s }" % ", ".join(out)


def text(field):
    data = unescape(field)
    return "\t\t.text = %s,\n\t\t.len = %d,\n" % (literal(data), len(data))


def grammar(directory):
    print("\nstatic const struct itf_grammar_vector itf_grammar_vectors[] = {")
    for row in rows(directory, "grammar.tsv"):
        dialect, source, result = row[:3]
        sets = row[3] if result == "ok" and len(row) > 3 else ""
        print("\t{\n\t\t.syntax = %s," % syntax(dialect))
        print(text(source) + "\t\t.result = %s," % literal(result.encode()))
        filters = literal(sets.encode())
        print("\t\t.filters =%s%s,\n\t}," % (" " if len(filters) < 70 else "\n\t\t", filters))
    print("};")


def errors(directory):
    print("\nstatic const struct itf_error_vector itf_error_vectors[] = {")
    for row in rows(directory, "errors.tsv"):
        dialect, source, error, errno, off, length, hint = row[:7]
        code = error.replace("-", "_").upper()
        print("\t{\n\t\t.syntax = %s," % syntax(dialect))
        print(text(source) + "\t\t.error = ITF_E_%s," % code)
        print("\t\t.name = %s,\n\t\t.errnum = ITF_%s," % (literal(error.encode()), errno))
        print("\t\t.span = { %s, %s },\n\t\t.hint = ITF_HINT_%s,\n\t}," % (off, length, HINTS[hint]))
    print("};")


def mappings(directory, names):
    for name in names:
        print("\nstatic const struct itf_map_vector itf_maps_%s[] = {" % name.replace("-", "_"))
        with open("%s/maps/%s.maps" % (directory, name), encoding="utf-8") as file:
            for line in file:
                words = line.rstrip("\n").split(None, 5)
                if len(words) < 5:
                    continue
                start, end = (int(x, 16) for x in words[0].split("-"))
                path = words[5] if len(words) > 5 else ""
                path = re.sub(r"\\012", "\n", path).removesuffix(" (deleted)")
                prot = sum(bit for bit, c in ((1, "r"), (2, "w"), (4, "x")) if c in words[1])
                print("\t{ %#x, %#x, %#x, %d, %s }," % (
                    start, end - start, int(words[2], 16), prot, literal(path.encode())))
        print("};")


def answer(field):
    return literal(field.encode())


def resolve(directory):
    table = list(rows(directory, "resolve.tsv"))
    mappings(directory, sorted({row[0] for row in table}))
    print("\nstatic const struct itf_resolve_vector itf_resolve_vectors[] = {")
    for name, source, exact, launch, attach in (row[:5] for row in table):
        array = "itf_maps_" + name.replace("-", "_")
        print("\t{\n\t\t.maps = %s,\n\t\t.count = ARRAY_SIZE(%s)," % (array, array))
        print(text(source) + "\t\t.exact = %s," % answer(exact))
        print("\t\t.launch = %s,\n\t\t.attach = %s,\n\t}," % (answer(launch), answer(attach)))
    print("};")


def main():
    print("/* SPDX-License-Identifier: GPL-2.0-only OR MIT */")
    print("/* Made from the vectors that all tests of the engine share; do not edit. */")
    print("#ifndef ITF_TESTS_VECTORS_H\n#define ITF_TESTS_VECTORS_H")
    grammar(sys.argv[1])
    errors(sys.argv[1])
    resolve(sys.argv[1])
    print("\n#endif")


main()
