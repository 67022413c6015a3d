"""Reads tables of instructions: a row for each instruction and the types it takes.

    mul.wide   W = t t       narrow     widen(a) * widen(b)

A row has the mnemonic without its type, what it makes of what (`t` is the type, `W` the next wider one, anything else a type by name),
the types it exists for, and its meaning: Python over NumPy arrays `a`, `b`, `c`, … of those types, one element for each thread.
"""

from typing import NamedTuple

from .formats import WIDER, types


class Row(NamedTuple):
    mnemonic: str
    type: str
    result: str
    operands: tuple
    meaning: str


def rows(text):
    found = {}
    for line in text.strip().split("\n"):
        mnemonic, form, names, meaning = (part.strip() for part in line.split("|", 3))
        result, operands = form.split(" = ")
        for t in types(names):
            def spelled(name, t=t):
                return {"t": t, "W": WIDER.get(t)}.get(name, name)
            found[mnemonic, t] = Row(mnemonic, t, spelled(result), tuple(map(spelled, operands.split())), meaning)
    return found
