"""The meaning of an instruction: its pseudo-code as one Python function over NumPy arrays, compiled once for all programs."""

import re
from typing import NamedTuple

from ..faults import UnknownCode
from . import arithmetic
from .corrections import LACKING, corrected
from .decode import plain
from .pseudocode import Unreadable, parsed
from .statements import REGISTERS, Statements
from .values import DTYPES, container, unsigned

MEANINGS = {}


class Meaning(NamedTuple):
    function: object
    inputs: tuple  # names, in the order of the function's parameters
    outputs: tuple  # (name, bits), in the order of its results
    source: str


def meaning(tables, name, widths, static, wide):
    """What an instruction does, compiled once for all programs."""
    key = tables.family, name, tuple(sorted(widths.items())), tuple(sorted(static.items())), wide
    found = MEANINGS.get(key)
    if found is None:
        try:
            body = body_of(tables, name)
            if body is None:
                raise UnknownCode(f"{name}: the tables have no pseudo-code for it")
            found = compiled(name.lower(), body, widths, static, lambda other: body_of(tables, other.upper()), wide)
        except Unreadable as error:
            raise UnknownCode(f"{name}: pseudo-code that the machine does not know: {error}") from error
        MEANINGS[key] = found
    return found


def body_of(tables, name):
    operation = tables.by_name.get(name)
    if name in LACKING:
        return parsed(LACKING[name])
    return None if operation is None else parsed(corrected(plain(operation.name), tables.pseudocode[operation]))


HOISTED = re.compile(r"\b([UIF][1248])\.type\((-?\d+)\)")


def compiled(name, body, widths, static, others, wide=False):
    """`body`: statements."""
    statements = Statements(widths, static, others, wide)
    statements.keeps = "class" in name or "frexp" in name
    statements.arrays["S"] = (("b", 32), 3)
    statements.run(body)
    outputs, results = [], []
    for key, value in statements.environment.items():
        if key not in REGISTERS:
            continue
        outputs.append((key, value.bits))
        results.append(raw(statements.flushed(value, 2)))
    numbers = dict(statements.constants.names)

    def hoist(match):
        text = f"h{match[1]}_{match[2].replace('-', 'm')}"
        numbers[text] = DTYPES[match[1]].type(int(match[2]))
        return text

    inputs = tuple(statements.inputs)
    lines = [f"def {name}({', '.join(i.replace('.', '_') for i in inputs)}):", *(f"    {line}" for line in statements.lines),
             f"    return {', '.join(results)}{',' if len(results) == 1 else ''}"]
    source = HOISTED.sub(hoist, "\n".join(lines))
    space = {**arithmetic.NAMES, **DTYPES, **numbers}
    exec(compile(source, f"<{name}>", "exec"), space)
    return Meaning(space[name], inputs, tuple(outputs), source)


def raw(value):
    """The bits of a result in a register's width; one bit stays a bool."""
    if value.bits == 1:
        return value.text
    text, name = unsigned(value), container(*value.type)
    width = 8 if value.bits > 32 else 4
    if value.kind == "bf" or name[1] == str(width):
        return text
    return f"{text}.astype(U{width})"


