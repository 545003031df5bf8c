#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Make mutants of a C file: copies that differ in one small fault each.

Works on tokens, not on a syntax tree, and knows just enough of C in the kernel's style to tell a
statement from a declaration and a binary operator from a unary one. What it gets wrong does not
compile, and such a mutant counts for nothing. Builds and runs nothing: that is mutants.py.

    mutate.py FILE...    lists the mutants
"""
import collections
import re
import sys

TOKEN = re.compile(r"""
    (?P<space>\s+|/\*.*?\*/|//[^\n]*)
  | (?P<cpp>(?<![^\n])[ \t]*\#(?:[^\n\\]|\\\n|\\.)*)
  | (?P<string>"(?:[^"\\]|\\.)*")
  | (?P<char>'(?:[^'\\]|\\.)+')
  | (?P<number>(?:0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
""", re.VERBOSE | re.DOTALL)

Token = collections.namedtuple("Token", "kind text start end")

# A mutant: text[start:end] of its file becomes new.
Mutant = collections.namedtuple("Mutant", "function kind start end new")

TYPES = {"bool", "char", "const", "enum", "extern", "int", "long", "short", "signed", "size_t",
         "static", "struct", "u8", "u16", "u32", "u64", "union", "unsigned", "void", "volatile"}
HEADS = {"if", "for", "while", "switch"}
# Words that begin a statement of which nothing can be deleted without more.
WHOLE = TYPES | HEADS | {"case", "default", "do", "else", "typedef"}

# The first replacement moves the boundary, the second turns the comparison round.
COMPARISONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
               "==": (None, "!="), "!=": (None, "==")}
BINARY = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|",
          "|": "&", "^": "&"}
ASSIGNMENTS = {"+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "|=": "&=", "&=": "|=",
               "^=": "|=", "<<=": ">>=", ">>=": "<<=", "++": "--", "--": "++"}
LOGIC = {"&&": "||", "||": "&&"}
CLOSER = {"(": ")", "[": "]", "{": "}"}


def tokens_of(text):
    """All tokens that mean something; directives are left out like comments."""
    found = []
    for match in TOKEN.finditer(text):
        if match.lastgroup not in ("space", "cpp"):
            found.append(Token(match.lastgroup, match.group(), match.start(), match.end()))
    return found


def matching(tokens):
    """Where the partner of each bracket is, in both directions."""
    partner, opened = {}, []
    for i, token in enumerate(tokens):
        if token.kind != "op":
            continue
        if token.text in CLOSER:
            opened.append(i)
        elif token.text in CLOSER.values():
            first = opened.pop()
            if CLOSER[tokens[first].text] != token.text:
                raise ValueError("brackets do not match")
            partner[first], partner[i] = i, first
    return partner


def regions(tokens, partner):
    """(name, first, last) of every function body and every initializer at file scope."""
    i = 0
    while i < len(tokens):
        if tokens[i].text == "{" and tokens[i].kind == "op":
            before = tokens[i - 1].text
            if before == '"C"':
                i += 1
                continue
            if before == ")":
                yield tokens[partner[i - 1] - 1].text, i, partner[i]
            elif before == "=":
                name = i - 2
                while tokens[name].text == "]":
                    name = partner[name] - 1
                yield tokens[name].text, i, partner[i]
            i = partner[i]
        i += 1


def is_cast(tokens, partner, close):
    """Does the parenthesis that closes here hold a type?"""
    first = partner[close] + 1
    return tokens[first].text in TYPES and tokens[first - 2].text != "sizeof"


def is_operand(tokens, partner, i):
    """Can token i end an operand, so that an operator behind it is a binary one?"""
    token = tokens[i]
    if token.text == ")":
        return not is_cast(tokens, partner, i)
    if token.kind == "word":
        if token.text in TYPES | {"return", "case", "else", "sizeof"}:
            return False
        return tokens[i - 1].text not in ("struct", "enum", "union")
    return token.kind in ("number", "char", "string") or token.text == "]"


def neighbours(number):
    """The numbers next to one, written as it is."""
    digits = number.rstrip("uUlL")
    suffix = number[len(digits):]
    base16 = digits[:2] in ("0x", "0X")
    value = int(digits, 16 if base16 else 8 if digits[0] == "0" else 10)
    for other in (value + 1, value - 1):
        if other >= 0:
            yield ("0x%x" if base16 else "%d") % other + suffix


def next_char(char):
    """The character behind one that is written as itself; nothing for an escape."""
    code = ord(char[1]) + 1
    if len(char) == 3 and code < 127:
        yield "'%s'" % chr(code) if chr(code) not in "'\\" else "'\\%s'" % chr(code)


def operators(tokens, partner, i):
    """(kind, replacement) for what stands at token i alone."""
    token = tokens[i]
    text = token.text
    if token.kind == "number":
        for other in neighbours(text):
            yield "off-by-one", other
    elif token.kind == "char":
        for other in next_char(text):
            yield "off-by-one", other
    elif text in ("true", "false"):
        yield "constant", "false" if text == "true" else "true"
    elif token.kind == "word":
        if text.startswith("ITF_E_") and tokens[i - 1].text == "return":
            yield "constant", "ITF_OK"
    elif text in COMPARISONS:
        boundary, turned = COMPARISONS[text]
        if boundary:
            yield "boundary", boundary
        yield "comparison", turned
    elif text in LOGIC:
        yield "comparison", LOGIC[text]
    elif text in ASSIGNMENTS:
        yield "arithmetic", ASSIGNMENTS[text]
    elif text in BINARY and is_operand(tokens, partner, i - 1):
        yield "arithmetic", BINARY[text]
    elif text in ("-", "~"):
        yield "arithmetic", ""
    elif text == "!":
        yield "comparison", ""


def end_of(tokens, partner, i, stops):
    """The first token from i on that is in stops, outside brackets."""
    while tokens[i].text not in stops:
        i = partner[i] if tokens[i].text in CLOSER else i
        i += 1
    return i


def conditions(tokens, partner, i):
    """(first, last, replacement) for conditions at token i: taken always, never, the other way."""
    text = tokens[i].text
    if text in ("if", "while"):
        for constant in ("1", "0"):
            yield i + 2, partner[i + 1] - 1, constant
    elif text == "?":
        colon = end_of(tokens, partner, i + 1, ":?")
        if tokens[colon].text == "?":
            return
        end = end_of(tokens, partner, colon + 1, ":;,)}]")
        yield i + 1, end - 1, (colon,)


def statements(tokens, partner, first, last):
    """(first, last) of every statement that can be deleted from a function body."""
    i = first + 1
    while i < last:
        token = tokens[i]
        if token.text in HEADS:
            i = partner[i + 1] + 1
        elif token.text == "case":
            i = end_of(tokens, partner, i, ":") + 1
        elif token.kind == "word" and tokens[i + 1].text == ":":
            i += 2
        elif token.text in ("else", "do", "{", "}", ";"):
            i += 1
        else:
            end = end_of(tokens, partner, i, ";")
            declares = token.text in WHOLE
            returns = token.text == "return" and end + 1 == last
            if not declares and not returns:
                yield i, end
            i = end + 1


def mutants_of(text):
    """All mutants of a file's text, in the order of the text."""
    tokens = tokens_of(text)
    partner = matching(tokens)
    found = []

    def add(kind, first, last, new):
        found.append(Mutant(name, kind, tokens[first].start, tokens[last].end, new))

    for name, first, last in regions(tokens, partner):
        body = tokens[first - 1].text == ")"
        for i in range(first + 1, last):
            for kind, new in operators(tokens, partner, i):
                add(kind, i, i, new)
            for start, end, new in conditions(tokens, partner, i) if body else ():
                if isinstance(new, tuple):
                    one = text[tokens[start].start:tokens[new[0] - 1].end]
                    other = text[tokens[new[0] + 1].start:tokens[end].end]
                    new = other + " : " + one
                add("comparison", start, end, new)
        for start, end in statements(tokens, partner, first, last) if body else ():
            add("deleted", start, end, ";")
    return sorted(found, key=lambda mutant: (mutant.start, mutant.end))


def mutated(text, mutant):
    """The text of the file that a mutant makes."""
    return text[:mutant.start] + mutant.new + text[mutant.end:]


def line_of(text, mutant):
    """The number of the line where a mutant's change begins."""
    return text.count("\n", 0, mutant.start) + 1


def change(text, mutant):
    """The lines that a mutant changes, before and after, blanks squeezed: its name for people."""
    first = text.rfind("\n", 0, mutant.start) + 1
    last = text.find("\n", mutant.end)
    before = text[first:last]
    after = text[first:mutant.start] + mutant.new + text[mutant.end:last]
    return " ".join(before.split()), " ".join(after.split())


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="ascii") as source:
            text = source.read()
        for mutant in mutants_of(text):
            print(path, line_of(text, mutant), mutant.function, mutant.kind,
                  *change(text, mutant), sep="\t")


if __name__ == "__main__":
    main()
