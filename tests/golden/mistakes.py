"""Natural mistakes, and what is said of each: mistakes.txt, whose programs are written by hand and whose answers `./dev update` writes.

A program begins behind `=== what is wrong` and ends before `---`; the text from there to the next `===` is what a terminal shows: the
exception's type, its message and its notes, and warnings before it. Names that every program has: NAMES.
"""

import linecache
import math
import pathlib
import re
import warnings

import numpy as np

from hetjit import device

FILE = pathlib.Path(__file__).with_name("mistakes.txt")
PATH = "mistake.py"
NUMBER = re.compile(r"(?<=\w)#\d+\b")  # of a struct, where the process has had others of its name
ANY = re.compile(r"(?<=thread )\(\d+, \d+, \d+\)|(?<=')\[\d+\](?= is )")  # which of several threads finds a fault: as they happen to run


def names():
    """What a program finds there: modules, and an array of each kind."""
    return {"__name__": "__mistake__", "math": math, "np": np, "device": device, "x": np.arange(8, dtype=np.float32),
            "y": np.zeros(8, np.float32), "k": np.arange(8, dtype=np.int32), "mask": np.zeros(8, bool),
            "m": np.zeros((4, 4), np.float32), "z": np.zeros(8, np.complex64)}


def read():
    """(title, program, answer) of each mistake."""
    parts = re.split(r"^=== (.*)\n", FILE.read_text(), flags=re.M)[1:]
    for title, body in zip(parts[::2], parts[1::2]):
        program, _, answer = body.partition("---\n")
        yield title, program, answer.rstrip("\n")


def write(mistakes):
    head = FILE.read_text().partition("=== ")[0]
    FILE.write_text(head + "\n\n".join(f"=== {title}\n{program}---\n{answer}" for title, program, answer in mistakes) + "\n")


def run(program):
    """What was warned of and what was raised, the exception last."""
    linecache.cache[PATH] = (len(program), None, program.splitlines(True), PATH)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            exec(compile(program, PATH, "exec", dont_inherit=True), names())
            return [one.message for one in said], None
        except Exception as error:
            return [one.message for one in said], error


def answer(program):
    """What a terminal shows, but for the traceback."""
    warned, raised = run(program)
    said = [*warned, *([raised] if raised else [])]
    text = "\n".join("\n".join([f"{type(one).__name__}: {one}", *getattr(one, "__notes__", ())]) for one in said).rstrip()
    return NUMBER.sub("", ANY.sub("(…)", text))
