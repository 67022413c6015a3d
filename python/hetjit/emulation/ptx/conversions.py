"""cvt: every pair of types, with rounding modes, saturation and flushing; its translation is at the end."""

import numpy as np

from ..faults import UnknownCode
from .formats import DTYPES, F2, F4, F8, I8, U2, U4, U8
from .packed import bf16_from, f16_from_f8, f32_from_bf16, f8_from, halves, join
from .rounding import canonical, clamp01, directed, flush

INTEGRAL = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}


def int_to_int(a, dtype):
    """sat: clamped to what the type holds."""
    limits, own = np.iinfo(dtype), np.iinfo(a.dtype)
    return np.clip(a, max(limits.min, own.min), min(limits.max, own.max)).astype(dtype)


def float_to_int(a, mode, dtype):
    """Clamped; NaN becomes 0."""
    limits = np.iinfo(dtype)
    x = INTEGRAL[mode](a.astype(F8))
    low, high = float(limits.min), float(limits.max) if dtype.itemsize < 8 else float(limits.max + 1)
    over = x >= high
    inside = np.where(np.isnan(x) | over, 0.0, np.maximum(x, low))
    return np.where(over, dtype.type(limits.max), inside.astype(dtype))


def int_to_float(a, dtype, mode):
    r = a.astype(F8).astype(dtype) if dtype == F2 else a.astype(dtype)
    if mode == "rn":
        return r
    exact = np.array([int(x) - int(y) if np.isfinite(y) else -1 for x, y in zip(a, r)], F8)
    return directed(r, exact, mode, a)


def narrowed(a, dtype, mode):
    """A float to a narrower one."""
    r = canonical(a.astype(dtype)) if dtype != F8 else a.astype(dtype)
    if mode == "rn":
        return r
    return directed(r, a.astype(F8) - r.astype(F8), mode, a)


def to_bf16(a, mode):
    return bf16_from(a, mode)


def relu(a):
    return np.where((a > 0) | np.isnan(a), a, a.dtype.type(0))


def finite(a):
    """satfinite: infinities and what is beyond become the largest number."""
    largest = np.finfo(a.dtype).max
    return np.clip(a, -largest, largest)


def to_tf32(a, mode):
    """19 bits of a float32; rna rounds ties away from zero."""
    bits = a.view(U4)
    if mode == "rna":
        bits = bits + U4.type(0x1000)
    elif mode == "rn":
        bits = bits + U4.type(0xFFF) + ((bits >> U4.type(13)) & U4.type(1))
    return np.where(np.isfinite(a), bits & ~U4.type(0x1FFF), a.view(U4))


def pair_to_f8(high, low, name):
    return join(f8_from(high, name), f8_from(low, name))


def f16x2_to_f8(a, name):
    low, high = halves(a, F2)
    return pair_to_f8(high, low, name)


def f8_to_f16x2(a, name):
    low, high = halves(a, np.dtype(np.uint8))
    return join(f16_from_f8(high, name), f16_from_f8(low, name))


# ---- translation

PLAIN = {t for t in DTYPES if t[0] in "us" and t[1:].isdigit()}
FLOATS = {"f16", "f32", "f64"}
FLOAT8_PAIRS = {"e4m3x2", "e5m2x2"}
MODES = {"rn", "rz", "rm", "rp"}


def options_of(to, of):
    """What a conversion may be asked for beside its types: everything that `expression` minds, and nothing else."""
    if to in PLAIN:
        return {"sat"} if of in PLAIN else {"sat", "ftz", *INTEGRAL}
    if to in FLOATS:
        return {*MODES, "ftz", "sat", "relu", "satfinite", *(() if of in PLAIN else INTEGRAL)}
    if to == "f16x2":
        return {"rn"} if of in FLOAT8_PAIRS else {*MODES, "ftz", "relu"}
    if to in FLOAT8_PAIRS:
        return {"rn", "satfinite"} if of == "f16x2" else {"rn", "satfinite", "relu"}
    return {"rn", "rz", "ftz", "relu", *(["rna"] if to == "tf32" else [])}


def translate(writer, instruction):
    """Writes the Python of a cvt."""
    parts = instruction.parts[1:]
    to, of = parts[-2:]
    options = set(parts[:-2])
    if to not in DTYPES or of not in DTYPES or options - options_of(to, of):
        raise UnknownCode(f"line {instruction.line}: conversion '{instruction.opcode}'")
    sources = [writer.read(x, of) for x in instruction.operands[1:]]
    if "ftz" in options and of == "f32":
        sources = [f"flush({x})" for x in sources]
    mode = next((m for m in ("rz", "rm", "rp", "rna") if m in options), "rn")
    integral = next((m for m in INTEGRAL if m in options), None)
    text = expression(to, of, sources, mode, integral, options)
    if text is None:
        raise UnknownCode(f"line {instruction.line}: conversion '{instruction.opcode}'")
    writer.write(instruction.operands[0], text, to)


def expression(to, of, sources, mode, integral, options):
    a, dtype = sources[0], f"DTYPES['{to}']"
    if to in PLAIN and of in PLAIN:
        return f"int_to_int({a}, {dtype})" if "sat" in options else f"{a}.astype({dtype})"
    if of == "bf16":  # widens exactly
        a, of = f"f32_from_bf16({a})", "f32"
    if to in PLAIN and of in FLOATS and integral:
        return f"float_to_int({a}, '{integral}', {dtype})"
    if to in FLOATS | {"bf16"} and of in PLAIN:
        if to == "bf16":
            return f"to_bf16(int_to_float({a}, F8, 'rn'), '{mode}')"
        return finish(f"int_to_float({a}, {dtype}, '{mode}')", options, to)
    if of in FLOATS and to in FLOATS:
        return finish(between_floats(to, of, a, mode, integral), options, to)
    if to == "bf16" and of in FLOATS:
        return f"to_bf16({before(a, options)}, '{mode}')"
    if to == "tf32" and of == "f32":
        return f"to_tf32({before(a, options)}, '{mode}')"
    return packed_expression(to, of, sources, mode, options)


def packed_expression(to, of, sources, mode, options):
    if len(sources) == 2 and of == "f32":
        high, low = (before(x, options) for x in sources)
        if to == "f16x2":
            return f"join(narrowed({high}, F2, '{mode}'), narrowed({low}, F2, '{mode}'))"
        if to == "bf16x2":
            return f"join(to_bf16({high}, '{mode}'), to_bf16({low}, '{mode}'))"
        if to in FLOAT8_PAIRS:
            return f"pair_to_f8({high}, {low}, '{to[:4]}')"
    if of == "f16x2" and to in FLOAT8_PAIRS:
        return f"f16x2_to_f8({sources[0]}, '{to[:4]}')"
    if to == "f16x2" and of in FLOAT8_PAIRS:
        return f"f8_to_f16x2({sources[0]}, '{of[:4]}')"
    return None


def between_floats(to, of, a, mode, integral):
    if integral:
        a = f"INTEGRAL['{integral}']({a})"
    if to == of:
        return a
    if DTYPES[to].itemsize > DTYPES[of].itemsize:
        return f"{a}.astype(DTYPES['{to}'])"
    return f"narrowed({a}, DTYPES['{to}'], '{mode}')"


def before(a, options):
    a = f"relu({a})" if "relu" in options else a
    return f"finite({a})" if "satfinite" in options else a


def finish(text, options, to):
    if "ftz" in options and to == "f32":
        text = f"flush({text})"
    if "relu" in options:
        text = f"relu({text})"
    if "satfinite" in options:
        text = f"finite({text})"
    return f"clamp01({text})" if "sat" in options else text


NAMES = {"DTYPES": DTYPES, "INTEGRAL": INTEGRAL, "F2": F2, "F4": F4, "F8": F8, "U2": U2, "U8": U8, "I8": I8,
         "clamp01": clamp01, "flush": flush, "halves": halves, "join": join, "f32_from_bf16": f32_from_bf16,
         "int_to_int": int_to_int, "float_to_int": float_to_int, "int_to_float": int_to_float, "narrowed": narrowed,
         "to_bf16": to_bf16, "relu": relu, "finite": finite, "to_tf32": to_tf32, "pair_to_f8": pair_to_f8,
         "f16x2_to_f8": f16x2_to_f8, "f8_to_f16x2": f8_to_f16x2}
