"""cvt: every pair of types, with rounding modes, saturation and flushing (what they do: numbers/conversions.py)."""

from ..faults import UnknownCode
from ..numbers.conversions import (INTEGRAL, f16x2_to_f8, f8_to_f16x2, finite, float_to_int, int_to_float, int_to_int, narrowed, pair_to_f8, relu,
                                   to_bf16, to_tf32)
from ..numbers.packed import f32_from_bf16, halves, join
from ..numbers.rounding import clamp01, flush
from .formats import DTYPES, F2, F4, F8, I8, U2, U8

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
