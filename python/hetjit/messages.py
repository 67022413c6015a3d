"""What kernels print and raise, from the records that they leave. Called by the extension; see docs/runtime.md.

A text is a list of pieces: a str, or a number as (name of its scalar type, words of bits, format specification, whether the
specification is of str(number)); a complex number has two words, one for each part.
"""

import builtins
import sys

from hetjit import _core, errors

# What to do about what a check found: the exception, words of its text, the remedy. The first row that fits.
_OF_LANES = "let all lanes that the mask names come to the call: read before the 'if' and call outside of it, or pass a mask of those that come"
_REMEDIES = (
    ("BarrierError", "waits for lane", _OF_LANES),
    ("BoundsError", "takes no part", _OF_LANES),
    ("BoundsError", " mask ", "pass a mask of the lanes that come: device.activemask(), or device.ballot_sync(device.FULL_MASK, …) before the branch"),
    ("BoundsError", "index (", "test each index beforehand, as in 'if i < m.shape[0] and j < m.shape[1]'; rows come first: m[row, column]"),
    ("BoundsError", "", "test that very index beforehand, as in 'if i < len(x)' before x[i]"),
    ("CheckError", "is read before anything was written", "store there first; where another thread stores it, device.syncthreads() stands between the two"),
    ("ZeroDivisionError", "integer", "test the divisor beforehand, as in 'a // b if b != 0 else 0'"),
    ("RaceError", "",
     "device.syncthreads() between the two orders threads of one block; device.atomic.add(a, i, v) adds up what many threads bring; "
     "else write to another array than is read"),
    ("BarrierError", "", "all threads of a block must come to the same device.syncthreads(): take it out of the 'if' or the loop that some of them leave"),
)
_PARTS = {"complex64": "float32", "complex128": "float64"}


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
    remedy = next((remedy for exception, words, remedy in _REMEDIES if exception == name and words in str(made)), None)
    if remedy:
        made.add_note(f"help: {remedy}")
    return made


def add_other(first, other):
    """Of several exceptions met at one synchronisation one is raised; it says so of the others."""
    first.add_note(", ".join([f"and {type(other).__name__}: {other}", *getattr(other, "__notes__", [])[:1]]))
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
    if "float" in scalar:
        value = _core.float_from_bits(scalar, bits)
        return value, repr(value) if scalar == "float64" else _shortest(scalar, value)
    size = int(scalar.removeprefix("u").removeprefix("int"))
    value = bits - (1 << size) if scalar[0] != "u" and bits >> (size - 1) else bits
    return value, str(value)


def _complex(scalar, words):
    (real, real_text), (imag, imag_text) = (_value(_PARTS[scalar], bits) for bits in words)
    real_text, imag_text = real_text.removesuffix(".0"), imag_text.removesuffix(".0")
    if str(real) == "0.0":
        return complex(real, imag), imag_text + "j"
    return complex(real, imag), f"({real_text}{'' if imag_text[0] == '-' else '+'}{imag_text}j)"


def _shortest(scalar, value):
    """repr() of the fewest digits that give the number back in its own format."""
    if value != value or value in (float("inf"), float("-inf")):
        return repr(value)
    for digits in range(9):
        near = float(f"{value:.{digits}e}")
        if _core.float_from_bits(scalar, _core.float_to_bits(scalar, near)) == value:
            return repr(near)
    return repr(value)
