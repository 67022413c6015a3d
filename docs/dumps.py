"""Rewrites the dumps in the documents, so that none can go stale: everything between `<!-- dump: REQUEST -->` and
`<!-- /dump -->`. Functions are those of the golden files and of tests/snapshots/samples.py, as recorded under each
CPython, so the dumps are the same on every machine.

    python docs/dumps.py [--check]        in the built environment: ./dev run python docs/dumps.py

Requests (a function is a golden file without its suffix, lower/saxpy, or samples:NAME):

    cpython FUNCTION VERSION...           CPython's own instructions, side by side; needs no build
    snap FUNCTION VERSION [LINES]         the recording; needs no build
    show PHASE FUNCTION VERSION [target=T] [for=SIGNATURE] [kernel] [LINES]
                                          what ./dev show prints of it

LINES: from=REGEX and to=REGEX, the first line that matches each; only=REGEX, lines that match; loose: machine code, whose
old dump stands as long as its instructions are the same in the same order, whatever their registers.

Where a dump cannot be made the old one stays, and the exit status is 1.
"""

import difflib
import itertools
import pathlib
import re
import shlex
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SNAPSHOTS = ROOT / "tests" / "snapshots"
BLOCK = re.compile(r"(<!-- dump: (.*?) -->\n```\w*\n)(.*?)(```\n<!-- /dump -->)", re.S)


# ---- recordings

def recorded(function, version):
    """(text of the .snap file, name of the function in it)."""
    if function.startswith("samples:"):
        return (SNAPSHOTS / version / "samples.snap").read_text(), function.partition(":")[2]
    text = (SNAPSHOTS / version / "golden" / (function.replace("/", "__") + ".snap")).read_text()
    return text, re.search(r"^function 0 (\S+)", text, re.M)[1]


class Recorded:
    """What the disassembly below needs of one function of a recording."""

    def __init__(self, function, version):
        text, name = recorded(function, version)
        body = re.search(rf"^function \d+ {re.escape(name)} .*?(?=^function |\Z)", text, re.M | re.S)[0]
        self.lines = body.split("\n")
        self.code = [int(word) for line in self.all("code") for word in line.split()]
        self.constants = self.all("constant")
        self.names = self.words("attributes")
        self.locals = self.words("locals") + self.words("free")
        self.opcodes = opcodes(version)
        self.version = tuple(map(int, version.split(".")))

    def all(self, key):
        return [line[len(key) + 1:] for line in self.lines if line.startswith(key + " ")]

    def words(self, key):
        return [word for line in self.all(key) for word in line.split()]


def opcodes(version):
    """Number -> (name, cache words), from the generated table."""
    text = (ROOT / "frontend" / "bytecode" / f"opcodes_{version.replace('.', '_')}.inc").read_text()
    return {int(number): (name, int(caches))
            for number, caches, name in re.findall(r"^OPCODE\((\d+), (\d+), (\w+)\)", text, re.M)}


# ---- CPython's instructions

OPERATORS = "+ & // << @ * % | ** >> - / ^".split()
COMPARISONS = "< <= == != > >=".split()


def argument(code, name, arg, behind):
    """An instruction's argument, resolved where that is simple."""
    if "JUMP" in name or name == "FOR_ITER":
        return f"to {behind - arg if 'BACKWARD' in name else behind + arg}"
    if name in ("LOAD_CONST", "RETURN_CONST", "KW_NAMES"):
        return code.constants[arg]
    if "_FAST_" in name and name.count("FAST") == 2:
        return f"{code.locals[arg >> 4]}, {code.locals[arg & 15]}"
    if "FAST" in name:
        return code.locals[arg]
    if name == "LOAD_GLOBAL":
        return code.names[arg >> 1] + (" + NULL" if arg & 1 else "")
    if name == "LOAD_ATTR" and code.version >= (3, 12):
        return code.names[arg >> 1] + (" + self" if arg & 1 else "")
    if name in ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR"):
        return code.names[arg]
    if name == "BINARY_OP" and arg < 26:
        return OPERATORS[arg % 13] + ("=" if arg >= 13 else "")
    if name == "COMPARE_OP":
        shift = {11: 0, 12: 4}.get(code.version[1], 5)
        return COMPARISONS[arg >> shift] + (" (bool)" if shift == 5 and arg & 16 else "")
    return str(arg) if arg or name.startswith(("CALL", "PRECALL", "LOAD_SMALL_INT", "BUILD_")) else ""


def disassembly(function, version):
    """One line per instruction: the code unit it begins at, its name, its argument."""
    code, lines, unit = Recorded(function, version), [], 0
    while unit * 2 < len(code.code):
        begin, arg = unit, 0
        while True:
            name, caches = code.opcodes[code.code[unit * 2]]
            arg = arg << 8 | code.code[unit * 2 + 1]
            unit += 1 + caches
            if name != "EXTENDED_ARG":
                break
        lines.append(f"{begin:3} {name} {argument(code, name, arg, unit)}".rstrip())
    return lines


def cpython(function, *versions):
    columns = [[f"    {version}", *disassembly(function, version)] for version in versions]
    widths = [max(map(len, column)) for column in columns]
    rows = itertools.zip_longest(*columns, fillvalue="")
    return "\n".join("   ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


# ---- the recording itself, and the compiler's own dumps

def options_of(words):
    return dict(word.partition("=")[::2] for word in words)


def snap(function, version, *words):
    return chosen(recorded(function, version)[0], options_of(words))


def show(phase, function, version, *words):
    from hetjit import _core
    options = options_of(words)
    return chosen(_core.show(recorded(function, version)[0], phase, options.get("for", "()"),
                             options.get("target", "cpu:x86-64-v3"), kernel="kernel" in options), options)


def chosen(text, options):
    """The lines that the request asks for."""
    lines = [line.rstrip() for line in text.rstrip("\n").split("\n")]
    if "from" in options:
        lines = list(itertools.dropwhile(lambda line: not re.search(options["from"], line), lines))
    if "to" in options:
        end = next((n for n, line in enumerate(lines) if re.search(options["to"], line)), len(lines) - 1)
        lines = lines[:end + 1]
    if "only" in options:
        lines = [line for line in lines if re.search(options["only"], line)]
    return "\n".join(lines)


# ---- documents

COMMANDS = {"cpython": cpython, "snap": snap, "show": show}


def instructions(dump):
    return [line.split()[0] for line in dump.split("\n") if line.startswith("\t")]


def rewritten(text, failures):
    def fill(found):
        command, *words = shlex.split(found[2])
        try:
            dump = COMMANDS[command](*words) + "\n"
        except Exception as error:  # said, and the old dump stays
            failures.append(f"{found[2]}: {error}")
            return found[0]
        if "loose" in words and instructions(dump) == instructions(found[3]):
            return found[0]
        return found[1] + dump + found[4]
    return BLOCK.sub(fill, text)


def documents():
    return [path for path in sorted((ROOT / "docs").rglob("*.md")) if "<!-- dump: " in path.read_text()]


def main():
    stale, failures = [], []
    for path in documents():
        old = path.read_text()
        new = rewritten(old, failures)
        if new != old:
            stale.append(path.name)
            if "--check" in sys.argv:
                print("\n".join(difflib.unified_diff(old.split("\n"), new.split("\n"), path.name, "now", lineterm="", n=1)))
            else:
                path.write_text(new)
    for failure in failures:
        print(f"cannot make a dump: {failure}")
    print(("stale: " if "--check" in sys.argv else "wrote ") + ", ".join(stale) if stale else "dumps are current")
    return 1 if failures or (stale and "--check" in sys.argv) else 0


if __name__ == "__main__":
    sys.exit(main())
