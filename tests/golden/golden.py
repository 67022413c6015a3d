"""Golden files: a Python function, what to show of it, and the text expected beside it.

    # SHOW: typed                     the phase: bytecode, ssa, typed, optimized, plan, llvm, ptx, amdgcn
    # FOR: (int64, int64)             one signature a line; several lines are several sections
    # FUNCTION: name                  default: the last function of the file
    # TARGET: cuda:sm_90              default: by phase
    # FASTMATH: yes                   compiled with fastmath=True
    # ROW: HET-VEC-3                rows of the requirements that the file proves
    # EDITED: compiles              what becomes of a message when the change that it offers is made; or the code of the next one
    # ENV: HETJIT_LIBDEVICE=path      set while a message is provoked
    def floor_div(a, b):
        return a // b
    # CHECK: ...                      rewritten by ./dev update
    # RUN: floor_div(7, -2) == -4     called through the interpreter and the host target

Text is compared for the recording of one CPython version (TEXT_VERSION), so that it is the same on every machine.
Messages (tests/golden/diag) are also annotated by hand on their line: `#! E0202 text` (of a warning `#! W0701 text`), which an update never touches.
"""

import os
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
RECORDINGS = HERE.parent / "snapshots"
TEXT_VERSION = "3.11"
VERSIONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
UPDATE = os.environ.get("HETJIT_UPDATE") == "1"


def files(*folders):
    """Golden files of the folders (all when none is named), but for this package's own modules."""
    found = []
    for folder in folders or sorted(p.name for p in HERE.iterdir() if p.is_dir() and p.name not in ("ir", "__pycache__")):
        found += sorted((HERE / folder).glob("*.py"))
    return found


def label(path):
    return str(path.relative_to(HERE).with_suffix(""))


def directives(path, name):
    return re.findall(rf"^# {name}: (.*)$", path.read_text(), re.M)


def directive(path, name, default=None):
    found = directives(path, name)
    return found[0].strip() if found else default


def entry_name(path):
    named = directive(path, "FUNCTION")
    if named:
        return named
    found = re.findall(r"^(?:def (\w+)|(\w+) = lambda)", path.read_text(), re.M)
    return (found[-1][0] or found[-1][1]) if found else None


def edited(source, edits):
    """A source as the edits of a message leave it: columns count bytes."""
    lines = source.splitlines(True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    text = source.encode()
    places = [(starts[span.line - 1] + span.column, starts[span.end_line - 1] + span.end_column, new.encode()) for span, new in edits]
    for begin, end, new in sorted(places[::-1], key=lambda place: place[0], reverse=True):  # of two at one place the first is in front
        text = text[:begin] + new + text[end:]
    return text.decode()


def load(path, source=None):
    """The function under test, from the file or from a changed text of it, as a plain Python function. In that `device` is known, as in
    each module that has kernels."""
    namespace = {"__name__": "golden_" + path.stem}
    if source is None:
        source = path.read_text()
    else:
        exec("from hetjit import device", namespace)
    relative = str(path.relative_to(HERE.parents[1]))
    import linecache
    linecache.cache[relative] = (len(source), None, source.splitlines(True), relative)
    exec(compile(source, relative, "exec", dont_inherit=True), namespace)
    function = namespace[entry_name(path)]
    return getattr(function, "underlying", function)


def recording(path, version):
    """The .snap text of the file's function as that CPython compiled it, or None. A .snap beside the file wins: it was
    written by hand, for what no CPython would compile."""
    by_hand = path.with_suffix(".snap")
    if by_hand.exists():
        return by_hand.read_text() if version == TEXT_VERSION else None
    snap = RECORDINGS / version / "golden" / (label(path).replace("/", "__") + ".snap")
    return snap.read_text() if snap.exists() else None


def expectation(path):
    return "\n".join(line[len("# CHECK:"):].removeprefix(" ") for line in path.read_text().split("\n")
                     if line.startswith("# CHECK:"))


def rewrite(path, text):
    """Replaces the CHECK block by `text`; a file without one gets it before its RUN lines, or at its end."""
    lines = path.read_text().rstrip("\n").split("\n")
    kept = [line for line in lines if not line.startswith("# CHECK:")]
    had = next((i for i, line in enumerate(lines) if line.startswith("# CHECK:")), None)
    run = next((i for i, line in enumerate(kept) if line.startswith("# RUN:")), len(kept))
    at = run if had is None else sum(not line.startswith("# CHECK:") for line in lines[:had])
    block = [("# CHECK: " + line).rstrip() for line in text.rstrip("\n").split("\n")]
    if at > 0 and kept[at - 1] != "":
        block.insert(0, "")
    path.write_text("\n".join(kept[:at] + block + kept[at:]) + "\n")
