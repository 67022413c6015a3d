"""The `.snap` text form (frontend/snapshot/snapshot_text.cpp), written in Python. Standard library only."""

import re
import struct

KINDS = ("unbound", "constant", "module", "function", "builtin", "type", "opaque")


class Fixed:
    """A number in a fixed format: its scalar's short name and its bits."""

    def __init__(self, scalar, bits):
        self.scalar, self.bits = scalar, bits


class Code:
    """A nested code object: its function's number in the program."""

    def __init__(self, function):
        self.function = function


class Other:
    """A constant that no kernel can use: the name of its type."""

    def __init__(self, python_type):
        self.python_type = python_type


def quoted(text):
    """Everything but printable ASCII is escaped, byte by byte of the UTF-8 form."""
    out = []
    for byte in text.encode("utf-8", "surrogatepass"):
        if byte in b'"\\':
            out.append("\\" + chr(byte))
        elif byte == 10:
            out.append("\\n")
        else:
            out.append(chr(byte) if 0x20 <= byte < 0x7F else "\\x%02x" % byte)
    return '"' + "".join(out) + '"'


def word(text):
    plain = re.fullmatch(r"[A-Za-z0-9_.<>+/-]+", text)
    return text if plain else quoted(text)


def float_text(value):
    bits, = struct.unpack("<Q", struct.pack("<d", value))
    if value != value and bits != 0x7FF8000000000000:
        return "nan.%x" % bits
    return repr(value)


def int_text(value):
    try:
        return str(value)
    except ValueError:  # thousands of digits
        return constant(Other("int"))


def constant(value):
    """The text of a constant; the same classes as frontend/snapshot/snapshot.h's Constant."""
    if value is None or value is True or value is False:
        return str(value)
    if value is Ellipsis:
        return "..."
    if type(value) is int:
        return int_text(value)
    if type(value) is float:
        return float_text(value)
    if type(value) is complex:
        return "complex(%s, %s)" % (float_text(value.real), float_text(value.imag))
    if type(value) is str:
        return quoted(value)
    if type(value) is tuple:
        return "(" + ", ".join(map(constant, value)) + (",)" if len(value) == 1 else ")")
    if type(value) is slice:
        return "slice(%s)" % ", ".join(map(constant, (value.start, value.stop, value.step)))
    if isinstance(value, Fixed):
        return "fixed(%s, %x, %x)" % (value.scalar, value.bits & (2**64 - 1), value.bits >> 64)
    if isinstance(value, Code):
        return "code(%d)" % value.function
    return "other(%s)" % quoted(value.python_type if isinstance(value, Other) else type(value).__name__)


def meaning(kind, value=None):
    """`kind` is one of KINDS; `value` a constant's value, a number of a function, or a text."""
    assert kind in KINDS, kind
    if kind == "unbound":
        return kind
    if kind == "constant":
        return constant(value)
    if kind == "function":
        return "function(%d)" % value
    return "%s(%s)" % (kind, quoted(value) if kind == "opaque" else word(value))


def handlers(table):
    """Exception table entries: (start, end, target, depth, lasti), in code units."""
    numbers, value = [], 0
    for byte in table:
        value = value << 6 | byte & 63
        if not byte & 64:
            numbers.append(value)
            value = 0
    for start, length, target, depth in zip(*[iter(numbers)] * 4):
        yield start, start + length, target, depth >> 1, depth & 1


def position(line, end_line, column, end_column):
    if line and None in (end_line, column, end_column):  # python -X no_debug_ranges
        return line, line, 0, 0
    return tuple(part or 0 for part in (line, end_line, column, end_column))


def numbered(kind, items):
    lines = ["%ss %d" % (kind, len(items))] if items else []
    return lines + ["%s %d %s" % (kind, i, item) for i, item in enumerate(items) if item is not None]


def listed(keyword, names):
    return [keyword + "".join(" " + word(name) for name in names)] if names else []


def source_lines(lines):
    for line in lines:
        line = line.rstrip("\r\n")
        printable = all(c >= " " or c == "\t" for c in line)
        yield ("| " + line).rstrip(" ") if printable and not line.endswith(" ") else "source " + quoted(line)


def code_lines(code):
    for start in range(0, len(code), 32):
        units = ["%d %d" % (code[i], code[i + 1]) for i in range(start, min(start + 32, len(code)), 2)]
        yield "code " + "  ".join(units)


def position_lines(positions):
    last = (0, 0, 0, 0)
    for unit, at in enumerate(positions):
        if at != last:
            yield "at %d %d:%d-%d:%d" % (unit, at[0], at[2], at[1], at[3])
            last = at


def function(index, version, code, source=(), defaults=None, annotations=None, constants=(), names=()):
    """Lines of one function. `code` is a code object or has its attributes; `constants`, `defaults` and the
    second parts of `names` are texts; `annotations` are texts of types."""
    parameters = code.co_argcount + code.co_kwonlyargcount
    positions = [position(*at) for at in code.co_positions()]
    locals_ = list(code.co_varnames) + [name for name in code.co_cellvars if name not in code.co_varnames]
    flags = [name for bit, name in ((4, "varargs"), (8, "varkeywords"), (0x2A0, "generator")) if code.co_flags & bit]
    lines = ["", "function %d %s %s" % (index, word(code.co_name), version)]
    lines += ["path " + word(code.co_filename)] if code.co_filename else []
    lines.append("line %d" % code.co_firstlineno)
    lines += source_lines(source)
    lines.append(" ".join(["parameters %d positional-only %d keyword-only %d" % (
        code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)] + flags))
    lines += listed("locals", locals_) + listed("free", code.co_freevars)
    lines += numbered("default", defaults if defaults is not None else [None] * parameters)
    lines += numbered("annotation", annotations if annotations is not None else [None] * parameters)
    lines += ["constant " + text for text in constants]
    lines += listed("attributes", code.co_names)
    lines += ["name %s %s" % (word(path), text) for path, text in names]
    lines += code_lines(code.co_code)
    if len(positions) != len(code.co_code) // 2:
        lines.append("positions %d" % len(positions))
    lines += position_lines(positions)
    lines += ["handler %d %d %d %d%s" % (*entry[:4], " lasti" if entry[4] else "")
              for entry in handlers(code.co_exceptiontable)]
    return lines


def struct_lines(type_text, defaults, members):
    """Lines of one struct type. `defaults`: texts or None, by field; `members`: name, kind and text of the meaning."""
    lines = ["", "struct " + word(type_text)]
    lines += ["field %d %s" % (i, text) for i, text in enumerate(defaults) if text is not None]
    return lines + ["member %s %s %s" % (word(name), kind, text) for name, kind, text in members]


def program(functions, structs=()):
    """The whole text, from the lines of each struct type and function in order."""
    parts = [*structs, *functions]
    return "\n".join(["snapshot 1"] + [line for lines in parts for line in lines]) + "\n"
