"""Read-modify-write by many threads at once, as if one after another in the order of their numbers."""

import numpy as np

from .packed import brain, packed
from .rounding import flush


def wrap_up(old, limit):
    return np.where(old >= limit, old.dtype.type(0), old + old.dtype.type(1))


def wrap_down(old, limit):
    return np.where((old == 0) | (old > limit), limit, old - old.dtype.type(1))


OPERATIONS = {"add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or,
              "xor": np.bitwise_xor, "exch": None, "cas": None, "inc": wrap_up, "dec": wrap_down}


def functions(operation, kind):
    """(what one thread makes of the old value, whether NumPy can run along a column of them)."""
    if operation == "exch":
        return (lambda old, value: value), None
    if operation == "cas":
        return (lambda old, compare, value: np.where(old == compare, value, old)), None
    plain = OPERATIONS[operation]
    if kind in ("bf16", "bf16x2", "f16x2"):
        if kind == "bf16":
            return (lambda old, value: brain(plain, old, value)), None
        return (lambda old, value: packed(kind, plain, old, value)), None
    if operation in ("inc", "dec"):
        return plain, None
    return plain, plain


def update_global(memory, places, operation, kind, *operands):
    """In global memory: float32's subnormals count as zero in a sum."""
    if (operation, kind) != ("add", "f32"):
        return update(memory, places, operation, kind, *operands)
    old = update(memory, places, operation, kind, *(flush(x) for x in operands))
    memory[places] = flush(memory[places])
    return old


def update(memory, places, operation, kind, *operands):
    """Does it on `memory` (an array of the type) at `places`; returns what each thread found there."""
    one, ufunc = functions(operation, kind)
    count = places.size
    operands = [np.broadcast_to(x, (count,)) for x in operands]
    order = np.argsort(places, kind="stable")
    sorted_places = places[order]
    first = np.ones(count, np.bool_)
    first[1:] = sorted_places[1:] != sorted_places[:-1]
    if first.all():  # nobody contends
        old = memory[places]
        memory[places] = one(old, *operands)
        return old
    starts = np.flatnonzero(first)
    lengths = np.diff(np.append(starts, count))
    old = np.empty(count, memory.dtype)
    if ufunc is not None and lengths.max() > 8 and starts.size <= 4 * lengths.max():
        for start, length in zip(starts.tolist(), lengths.tolist()):
            column = np.empty(length + 1, memory.dtype)
            members = order[start:start + length]
            column[0], column[1:] = memory[sorted_places[start]], operands[0][members]
            ufunc.accumulate(column, out=column)
            old[members] = column[:-1]
            memory[sorted_places[start]] = column[-1]
        return old
    for turn in range(int(lengths.max())):  # the turn-th thread of each address
        members = order[starts[lengths > turn] + turn]
        at = places[members]
        old[members] = memory[at]
        memory[at] = one(old[members], *[x[members] for x in operands])
    return old
