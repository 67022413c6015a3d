"""What kernels print and raise, from the records that they leave. Called by the extension; see docs/runtime.md.

A text is a list of pieces: a str, or a number as (name of its scalar type, words of bits, format specification, whether the
specification is of str(number)); a complex number has two words, one for each part.
"""

import builtins
import struct
import sys

from hetjit import errors

_PARTS = {"complex64": "float32", "complex128": "float64"}
_FLOATS = {"float64": "d", "float32": "f", "float16": "e"}
_SMALL = {"bfloat16": (8, 7), "float8e4m3": (4, 3), "float8e5m2": (5, 2)}  # bits of exponent and mantissa


def text(pieces):
    return "".join(piece if isinstance(piece, str) else _number(*piece) for piece in pieces)


def write(kernel, texts, lost):
    """Prints, in order. `lost`: how many texts more there were for which the buffer had no room."""
    out = sys.stdout
    if out is None:  # as print() does
        return
    for pieces in texts:
        out.write(text(pieces))
    if lost:
        out.write(f"[hetjit: {lost} more texts printed by kernel '{kernel}' did not fit the buffer of 1 MiB]\n")


def exception(name, pieces, has_message, kernel, function, file, line, block, thread):
    """The exception that a thread raised, with a note that says where."""
    made = (getattr(errors, name, None) or getattr(builtins, name))(*([text(pieces)] if has_message else []))
    if isinstance(made, errors.CheckError):
        made.kernel, made.function, made.path, made.line = kernel, function, file, line
        made.block, made.thread = block, thread
    where = f"{file}:{line}" if line else file
    inside = f" in '{function}'" if function != kernel else ""
    made.add_note(f"raised by kernel '{kernel}' at {where}{inside}, thread {thread} of block {block}")
    return made


def add_other(first, other):
    """Of several exceptions met at one synchronisation one is raised; it says so of the others."""
    first.add_note(f"and {type(other).__name__}: {other}, {other.__notes__[0]}")
    return first


def _number(scalar, words, specification, as_text):
    value, shortest = _complex(scalar, words) if scalar in _PARTS else _value(scalar, *words)
    if as_text or not specification:
        return format(shortest, specification)
    return format(value, specification)


def _value(scalar, bits):
    """The number as Python's, and its text."""
    if scalar == "bool":
        return bool(bits), str(bool(bits))
    if scalar in _SMALL:
        value, width = _small(scalar, bits), _SMALL[scalar][1]
        return value, _shortest(value, lambda other: _round_small(scalar, other), 2 + width // 3)
    if scalar not in _FLOATS:
        size = int(scalar.removeprefix("u").removeprefix("int"))
        value = bits - (1 << size) if scalar[0] != "u" and bits >> (size - 1) else bits
        return value, str(value)
    code = _FLOATS[scalar]
    value, = struct.unpack("<" + code, bits.to_bytes(8, "little")[:struct.calcsize(code)])
    return value, repr(value) if code == "d" else _shortest(value, lambda other: _through(code, other), 9)


def _complex(scalar, words):
    (real, real_text), (imag, imag_text) = (_value(_PARTS[scalar], bits) for bits in words)
    real_text, imag_text = real_text.removesuffix(".0"), imag_text.removesuffix(".0")
    if str(real) == "0.0":
        return complex(real, imag), imag_text + "j"
    return complex(real, imag), f"({real_text}{'' if imag_text[0] == '-' else '+'}{imag_text}j)"


def _through(code, value):
    try:
        return struct.unpack(code, struct.pack(code, value))[0]
    except OverflowError:
        return None


def _shortest(value, rounded, most):
    """repr() of the fewest digits that give the number back in its own format."""
    if value != value or value in (float("inf"), float("-inf")):
        return repr(value)
    for digits in range(most):
        near = float(f"{value:.{digits}e}")
        if rounded(near) == value:
            return repr(near)
    return repr(value)


def _small(scalar, bits):
    exponent_bits, mantissa_bits = _SMALL[scalar]
    sign = -1.0 if bits >> (exponent_bits + mantissa_bits) & 1 else 1.0
    exponent, mantissa = bits >> mantissa_bits & ((1 << exponent_bits) - 1), bits & ((1 << mantissa_bits) - 1)
    top = (1 << exponent_bits) - 1
    if scalar == "float8e4m3":  # no infinities, and one NaN
        if exponent == top and mantissa == 7:
            return float("nan")
    elif exponent == top:
        return float("nan") if mantissa else sign * float("inf")
    bias = top // 2
    scale = 2.0 ** (max(exponent, 1) - bias - mantissa_bits)
    return sign * scale * (mantissa + ((1 << mantissa_bits) if exponent else 0))


def _round_small(scalar, value):
    """The nearest number of the format, ties to the even one. Numbers of one sign are ordered as their bits are."""
    exponent_bits, mantissa_bits = _SMALL[scalar]
    low, high = 0, (1 << (exponent_bits + mantissa_bits)) - 1
    while not abs(_small(scalar, high)) < float("inf"):
        high -= 1
    size = abs(value)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _small(scalar, middle) <= size else (low, middle)
    below, above = _small(scalar, low), _small(scalar, high)
    near = low if size - below < above - size or (size - below == above - size and low % 2 == 0) else high
    return _small(scalar, near) * (-1.0 if str(value)[0] == "-" else 1.0)
