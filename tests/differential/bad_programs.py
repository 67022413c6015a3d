"""Short programs that are wrong, and what the compiler must say of each: bad_programs.txt.

    == (float, int)            the types of the parameters a, b, c …; `kernel` behind them when it is one
    return a.foo               the body
    -> E0309 a                 the code, and the source text that is underlined
"""

import collections
import linecache
import math
import pathlib
import re

import numpy as np

from hetjit import _core, device

TABLE = pathlib.Path(__file__).with_name("bad_programs.txt")
FILE = "bad_program.py"

Program = collections.namedtuple("Program", "signature kernel body code underlined")


def helper(a, b):
    return a + b


def only_position(a, /):
    return a


def endless(a):
    return endless(a - 1) if a > 0 else endless(a)


def keywords(a, **rest):
    return a


def broken(a):
    try:
        return a
    finally:
        helper(a, a)


SCOPE = {"device": device, "np": np, "math": math, "helper": helper, "only_position": only_position, "endless": endless,
         "keywords": keywords, "broken": broken, "table": [1, 2], "dictionary": {1: 2}, "opaque": object()}


def read(path=TABLE):
    for part in re.split(r"^== ", pathlib.Path(path).read_text(), flags=re.M)[1:]:
        head, *lines = part.rstrip().split("\n")
        verdict = lines.pop()[3:] if lines[-1].startswith("-> ") else ""
        code, _, underlined = verdict.partition(" ")
        yield Program(head.removesuffix(" kernel"), head.endswith(" kernel"), lines, code, underlined)


def source(program):
    depth, count = 0, 0
    for letter in program.signature[1:-1]:
        depth += letter in "([" or -(letter in ")]")
        count += letter == "," and depth == 0
    names = "abcdefgh"[:count + 1] if program.signature != "()" else ""
    return f"def f({', '.join(names)}):\n" + "".join(f"    {line}\n" for line in program.body)


def say(program):
    """(code, underlined text) of what the compiler says, or ("none", "") when it takes the program."""
    text = source(program)
    linecache.cache[FILE] = (len(text), None, text.splitlines(True), FILE)
    scope = dict(SCOPE)
    exec(compile(text, FILE, "exec"), scope)
    try:
        _core.show(_core.capture(scope["f"]), "optimized", program.signature, kernel=program.kernel)
    except device.CompileError as error:
        return error.code, underlined(text, str(error))
    return "none", ""


def underlined(text, message):
    """The source text over the first row of carets."""
    place = re.search(rf"--> {re.escape(FILE)}:(\d+):(\d+)", message)
    if not place:
        return ""
    carets = re.search(r"\^+", message[place.end():])
    line, column = int(place[1]), int(place[2])
    return text.split("\n")[line - 1].encode()[column - 1:column - 1 + len(carets[0])].decode() if carets else ""
