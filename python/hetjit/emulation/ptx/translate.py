"""Instructions that are not rows of arithmetic: moves, memory, comparisons, carries; and a block as a whole."""

from contextlib import contextmanager

import numpy as np

from ..faults import UnknownCode
from ..numbers import atomics
from . import conversions
from .formats import DTYPES, size
from .frames import WINDOWS
from .integers import PERMUTATIONS, add_carry, permuted_by_mode
from .syntax import SINK, Immediate, Pair, Symbol, Vector
from .writer import SHORT_NAMES, number

SPACES = {"global": "global", "const": "global", "shared": "shared", "shared::cta": "shared", "local": "local",
          "param": "param", "param::entry": "param", "param::func": "param", "shared::cluster": "shared"}
ORDERS = {"weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio", "cta", "gpu", "sys", "cluster",
          "nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "unified"}  # one order of all threads satisfies each of them
NOTHING = {"membar", "fence", "nanosleep", "prefetch", "prefetchu", "pmevent", "griddepcontrol", "applypriority",
           "discard", "createpolicy"}

COMPARISONS = {"eq": "{a} == {b}", "ne": "{a} != {b}", "lt": "{a} < {b}", "le": "{a} <= {b}", "gt": "{a} > {b}",
               "ge": "{a} >= {b}", "lo": "{a} < {b}", "ls": "{a} <= {b}", "hi": "{a} > {b}", "hs": "{a} >= {b}",
               "equ": "~(({a} < {b}) | ({a} > {b}))", "neu": "{a} != {b}", "ltu": "~({a} >= {b})",
               "leu": "~({a} > {b})", "gtu": "~({a} <= {b})", "geu": "~({a} < {b})",
               "num": "~(np.isnan({a}) | np.isnan({b}))", "nan": "(np.isnan({a}) | np.isnan({b}))"}
ORDERED_NE = "({a} < {b}) | ({a} > {b})"  # of floats: false where one is NaN; neu is the other
COMBINE = {"and": "&", "or": "|", "xor": "^"}


def unknown(instruction):
    return UnknownCode(f"line {instruction.line}: instruction '{instruction.opcode}'")


@contextmanager
def refused_by_name(instruction):
    """Where a name, a type or an operand has no row in a table, or none of the kind that it takes."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as missing:
        raise unknown(instruction) from missing


# ---- moves

def move(w, i):
    kind = i.parts[-1]
    target, source = i.operands
    if isinstance(target, Vector):
        unpack(w, target, source, kind)
    elif isinstance(source, Vector):
        part = {8: "b8", 16: "b16", 32: "b32", 64: "b64"}[size(kind) * 8 // len(source.items)]
        items = [w.read(x, part) for x in source.items]
        w.names["pack"] = pack
        w.write(target, f"pack({SHORT_NAMES[DTYPES[kind]]}, {', '.join(items)})", kind)
    else:
        w.write(target, w.read(source, kind), kind)


def pack(dtype, *items):
    """Low part first."""
    parts = np.broadcast_arrays(*items)
    return np.ascontiguousarray(np.stack(parts, axis=-1)).view(dtype).reshape(-1)


def unpack(w, target, source, kind):
    part = {8: "b8", 16: "b16", 32: "b32", 64: "b64"}[size(kind) * 8 // len(target.items)]
    value = w.read(source, kind)
    w.lines.append(f"parts = {value}.view({SHORT_NAMES[DTYPES[part]]}).reshape(-1, {len(target.items)}).T.copy()")
    for place, item in enumerate(target.items):
        if item != SINK:
            w.write(item, f"parts[{place}]", part)


def convert_address(w, i):
    """cvta: between a space's addresses and generic ones."""
    parts = i.parts[1:]
    kind, to = parts[-1], parts[0] == "to"
    space = SPACES.get(parts[1] if to else parts[0])
    if space is None:
        raise unknown(i)
    value = w.read(i.operands[1], kind)
    if space in ("shared", "local"):
        value = f"g.{'from' if to else 'to'}_generic({value}, '{space}')"
    w.write(i.operands[0], value, kind)


def is_space(w, i):
    space = i.parts[1].split("::")[0]
    if space not in WINDOWS:
        raise unknown(i)
    w.write(i.operands[0], f"g.is_in({w.read(i.operands[1], 'u64')}, '{space}')", "pred")


def permute(w, i):
    if i.parts[2] not in PERMUTATIONS:
        raise unknown(i)
    a, b, c = (w.read(x, "b32") for x in i.operands[1:])
    w.names["permuted_by_mode"] = permuted_by_mode
    w.write(i.operands[0], f"permuted_by_mode({a}, {b}, {c}, '{i.parts[2]}')", "b32")


# ---- comparisons

def compare(w, i, kind, form, a, b):
    if kind in ("f16x2", "bf16x2") or "ftz" in i.parts and kind not in ("f16", "bf16", "f32"):
        raise unknown(i)
    a, b = w.read(a, kind), w.read(b, kind)
    if kind == "bf16":
        a, b = f"f32_from_bf16({a})", f"f32_from_bf16({b})"
    if "ftz" in i.parts:
        a, b = f"flush({a})", f"flush({b})"
    if form not in COMPARISONS:
        raise unknown(i)
    meaning = ORDERED_NE if form == "ne" and kind in ("f16", "bf16", "f32", "f64") else COMPARISONS[form]
    return f"({meaning.format(a=a, b=b)})"


def set_predicate(w, i):
    """setp: p, or p and its opposite, each combined with a third predicate where the name says so."""
    parts = [p for p in i.parts if p != "ftz"]
    target, a, b, *more = i.operands
    w.lines.append(f"t = {compare(w, i, parts[-1], parts[1], a, b)}")
    first, second = (target.first, target.second) if isinstance(target, Pair) else (target, SINK)
    join = f" {COMBINE[parts[2]]} {w.read(more[0], 'pred')}" if len(parts) == 4 else ""
    if second != SINK:
        w.lines.append(f"t2 = ~t{join}")
    w.write(first, f"t{join}", "pred")
    if second != SINK:
        w.write(second, "t2", "pred")


def set_value(w, i):
    """set: all ones or 1.0 where the comparison holds."""
    parts = [p for p in i.parts if p != "ftz"]
    target, a, b, *more = i.operands
    text = compare(w, i, parts[-1], parts[1], a, b)
    if len(parts) == 5:
        text = f"({text} {COMBINE[parts[2]]} {w.read(more[0], 'pred')})"
    kind = parts[-2]
    value = f"{text}.astype(D_f4)" if kind == "f32" else f"(-{text}.astype(D_i4)).view({SHORT_NAMES[DTYPES[kind]]})"
    w.write(target, value, kind)


def select(w, i):
    """slct: by the sign of the third."""
    parts = [p for p in i.parts if p != "ftz"]
    kind, by = parts[1], parts[2]
    a, b, c = w.read(i.operands[1], kind), w.read(i.operands[2], kind), w.read(i.operands[3], by)
    c = f"flush({c})" if "ftz" in i.parts else c
    w.write(i.operands[0], f"np.where({c} >= 0, {a}, {b})", kind)


# ---- carries: the condition code is a register of its own

def carry(w, i):
    name, kind = i.parts[0], i.parts[-1]
    out = "cc" in i.parts
    operands = [w.read(x, "u" + kind[1:]) for x in i.operands[1:]]
    w.names["add_carry"] = add_carry
    into = name in ("addc", "subc", "madc")
    flag = w.read(w.scope.carry, "pred") if into else None
    if name in ("mad", "madc"):
        half = i.parts[1]
        product = f"{operands[0]} * {operands[1]}" if half == "lo" else f"high({operands[0]}, {operands[1]})"
        operands = [product, operands[2]]
    minus = name in ("sub", "subc")
    second = f"~{operands[1]}" if minus else operands[1]
    if minus:
        flag = f"~{flag}" if into else "np.array([True])"  # the flag of a subtraction says that it borrowed
    w.lines.append(f"total, over = add_carry({operands[0]}, {second}, {flag or 'np.array([False])'})")
    w.write(i.operands[0], "total", "u" + kind[1:])
    if out:
        w.write(w.scope.carry, "~over" if minus else "over", "pred")


# ---- memory

def memory_parts(i):
    """(space or None, elements, type); every other part is an order, a scope or a hint."""
    space, count, parts = None, 1, i.parts[1:]
    for part in parts[:-1]:
        if part in SPACES:
            space = SPACES[part]
        elif part in ("v2", "v4", "v8"):
            count = int(part[1:])
        elif part not in ORDERS and part[:4] not in ("L1::", "L2::"):
            raise unknown(i)
    return space, count, parts[-1]


def address(w, operand, space):
    """The address as uint64 of its space, and the space if the operand tells it."""
    base, offset = operand.base, operand.offset
    if base is None:
        return w.constant(number_of(offset)), space
    if isinstance(base, Symbol):
        place = w.scope.address(base.name)
        if place.space == "local":
            return f"g.local_address({place.address + base.offset + offset}, D_u8)", space or "local"
        return w.constant(number_of(place.address + base.offset + offset)), space or place.space
    if size(base.type) == 4:
        text = w.read(base, "u32")
        text = f"({text} + {w.constant(number_of(offset, 'u32'))})" if offset else text
        return f"{text}.astype(D_u8)", space
    text = w.read(base, "u64")
    return (f"{text} + {w.constant(number_of(offset))}" if offset else text), space


def number_of(value, kind="u64"):
    return number(Immediate("int", value), kind)


def load(w, i):
    space, count, kind = memory_parts(i)
    target, source = i.operands[:2]
    items = target.items if isinstance(target, Vector) else (target,)
    if space == "param" and w.scope.is_slot(source):
        for place, item in enumerate(items):
            offset = source.offset + place * size(kind)
            slot = w.scope.parameter(source.base.name, offset, size(kind))
            if item != SINK:
                w.write(item, w.read(slot, kind if DTYPES[kind] != "pred" else "b8"), kind)
        return
    where, space = address(w, source, space)
    space = "global" if space == "param" else space
    w.note(i)
    w.lines.append(f"at = g.aligned({where}, {size(kind) * count})")
    for place, item in enumerate(items):
        offset = f" + {w.constant(number_of(place * size(kind)))}" if place else ""
        w.write(item, f"g.load_{space or 'generic'}(at{offset}, {SHORT_NAMES[DTYPES[kind]]})", kind)


def store(w, i):
    space, count, kind = memory_parts(i)
    target, source = i.operands[:2]
    items = source.items if isinstance(source, Vector) else (source,)
    if space == "param":
        for place, item in enumerate(items):
            slot = w.scope.parameter(target.base.name, target.offset + place * size(kind), size(kind))
            w.write(slot, w.read(item, kind), kind)
        return
    where, space = address(w, target, space)
    w.note(i)
    w.lines.append(f"at = g.aligned({where}, {size(kind) * count})")
    for place, item in enumerate(items):
        offset = f" + {w.constant(number_of(place * size(kind)))}" if place else ""
        w.lines.append(f"g.store_{space or 'generic'}(at{offset}, {w.read(item, kind)})")


def atomic(w, i):
    """atom and red: `g.atomic` does them thread after thread, or as if."""
    parts = i.parts[1:]
    space = next((SPACES[p] for p in parts if p in SPACES), None)
    count = next((int(p[1:]) for p in parts if p in ("v2", "v4", "v8")), 1)
    operation = next((p for p in parts if p in atomics.OPERATIONS), None)
    kind = parts[-1]
    known = {operation, kind, "noftz", "v2", "v4", "v8"} | set(SPACES) | ORDERS
    if operation is None or any(p not in known and p[:4] != "L2::" for p in parts):
        raise unknown(i)
    returns = i.parts[0] == "atom"
    operands = i.operands if returns else [SINK, *i.operands]
    where, space = address(w, operands[1], space)
    if count > 1:
        sources = [operands[2].items]
        targets = operands[0].items if returns else [SINK] * count
    else:
        sources, targets = [[x] for x in operands[2:]], [operands[0]]
    w.note(i)
    w.lines.append(f"at = g.aligned({where}, {size(kind) * count})")
    for place in range(count):
        values = [w.read(s, kind) for s in ([sources[0][place]] if count > 1 else [x[0] for x in sources])]
        offset = f" + {w.constant(number_of(place * size(kind)))}" if place else ""
        text = f"g.atomic_{space or 'generic'}('{operation}', '{kind}', at{offset}, {', '.join(values)})"
        w.write(targets[place], text, kind)


TRANSLATORS = {"mov": move, "cvta": convert_address, "isspacep": is_space, "setp": set_predicate, "set": set_value,
               "slct": select, "ld": load, "ldu": load, "st": store, "atom": atomic, "red": atomic,
               "cvt": conversions.translate, "addc": carry, "subc": carry, "madc": carry}


def translate(w, i):
    """Writes the Python of an instruction. One whose name, types or operands have no row here is refused by name."""
    w.instruction = i
    with refused_by_name(i):
        translate_known(w, i)


def translate_known(w, i):
    name = i.parts[0]
    if name in NOTHING:
        return
    if "cc" in i.parts or name in ("addc", "subc", "madc"):
        carry(w, i)
    elif name == "prmt" and len(i.parts) == 3:
        permute(w, i)
    elif name in TRANSLATORS:
        TRANSLATORS[name](w, i)
    elif not w.arithmetic(i):
        raise unknown(i)
