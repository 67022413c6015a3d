"""All stages of a function's compilation side by side, as one page that needs nothing else: what a line became lights up with it."""

import html
import json
import pathlib
import re

from hetjit.commands import remarks

TITLES = {"bytecode": "Bytecode", "ssa": "Untyped graph", "typed": "Typed graph", "optimized": "Optimised graph", "plan": "Plan for the host",
          "llvm": "LLVM", "host": "Host assembly", "ptx": "PTX", "sass": "SASS", "amdgcn": "AMD ISA"}
MACHINES = ("host", "ptx", "amdgcn")
SHOWN = ("bytecode", "typed", "optimized", "host")  # at first; the others by a click

_PLACE = re.compile(r"(?:@(\d*) +)?(\d+):(\d+)-(?:(\d+):)?(\d+)\s*$")  # at a line's end: 8:17-53, 7:4-8:21, of the second function @1 3:4-9
_KIND = re.compile(r"\w+: (uniform|contiguous|strided|gather|scatter|divergent|barrier)|(barrier):")
_ACCESS = {"load": re.compile(r"\bload\b|\bgetitem\b"), "store": re.compile(r"\bstore\b|\bsetitem\b"), "branch": re.compile(r"\bbranch\b|\biffalse\b|\biftrue\b"),
           "loop": re.compile(r"\bbranch\b|\bforiter\b")}


def kind_of(what):
    """uniform, contiguous, strided, gather, scatter, divergent, barrier; "note" of what is none of these."""
    found = _KIND.match(what)
    return (found[1] or found[2]) if found else "note"


def _in_bytes(request, said):
    """Remarks with columns as Python's positions count them, in bytes."""
    rows = {(function.path, number): row for function in request.functions for number, row in enumerate(function.lines, function.line)}
    for one in said:
        row = rows.get((one.path, one.line), "")
        yield one._replace(column=len(row[:one.column].encode()), end_column=len(row[:one.end_column].encode()))


def sources(request, said):
    """The lines of the functions in a request, each with its place and what is said of parts of it."""
    for number, function in enumerate(request.functions):
        here = [one for one in said if one.path == function.path]
        yield [f"{pathlib.Path(function.path).name}: {function.name}", None, []]
        for line, text in enumerate(function.lines, function.line):
            marks = [[one.column, one.end_column, kind_of(one.what), one.what] for one in here if one.line == line]
            yield [text, [_file(request, number), line, 0, line, len(text.encode())], marks]


def _file(request, number):
    """Functions of one file have one number: positions in dumps are of lines, wherever the function begins."""
    path = request.functions[number].path
    return next(i for i, function in enumerate(request.functions) if function.path == path)


def lines(request, text, said):
    """The lines of a dump, each with the place it came from, if it says so, and with the kind of access that it is."""
    for line in text.rstrip("\n").split("\n"):
        found = _PLACE.search(line)
        if not found:
            yield [line, None, ""]
            continue
        function, first, column, last, end = (int(part) if part else 0 for part in found.groups())
        place = [_file(request, function), first, column, last or first, end]
        yield [line[:found.start()].rstrip(), place, _kind_at(request, place, line, said)]


_FILE = re.compile(r'\s*\.file\s+(\d+) (?:"([^"]*)" )?"([^"]*)"')
_LOCATION = re.compile(r"\s*\.loc\s+(\d+) (\d+) (\d+)")
_TABLE = re.compile(r"\.L(?:tmp|func_begin|func_end)\d+:|\$L__(?:tmp|func_begin|func_end)\d+:|\s*\.file\s")  # of it, among the code
_END = re.compile(r"\s*\.section\s+\.debug")


def code_lines(request, text):
    """The lines of assembly that has line tables, without those, each with the place it came from."""
    files = {number: str(pathlib.Path(folder, name)) for number, folder, name in _FILE.findall(text)}
    functions = {function.path: _file(request, number) for number, function in enumerate(request.functions)}
    place = None
    for line in text.rstrip("\n").split("\n"):
        if _END.match(line):
            return
        found = _LOCATION.match(line)
        if found:
            file, row, column = functions.get(files.get(found[1])), int(found[2]), max(int(found[3]) - 1, 0)
            place = [file, row, column, row, column] if file is not None and row else None
        elif not _TABLE.match(line):
            instruction = line.startswith("\t") and not line.lstrip().startswith((".", "//", ";", "#"))
            yield [line, place if instruction else None, ""]


def _kind_at(request, place, line, said):
    path = request.functions[place[0]].path
    for one in said:
        access = _ACCESS.get(one.what.partition(":")[0])
        if access and (one.path, one.line, one.column, one.line, one.end_column) == (path, *place[1:]) and access.search(line):
            return kind_of(one.what)
    return ""


def write(path, request, texts):
    """Writes the page. `texts`: phase to dump."""
    explanation = request.show("explain") if request.kernel else ""
    said = list(_in_bytes(request, remarks.of(explanation)))
    data = {"source": list(sources(request, said)),
            "panes": [{"name": name, "title": TITLES[name], "shown": name in SHOWN,
                       "lines": list(code_lines(request, text) if name in MACHINES else lines(request, text, said))}
                      for name, text in texts.items()]}
    template = pathlib.Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    heading, _, target = explanation.partition("\n")[0].rpartition(" on ")
    words = {"TITLE": html.escape(heading or request.name + request.signature), "TARGET": html.escape(target or request.target), "DATA": json.dumps(data).replace("<", "\\u003c")}
    pathlib.Path(path).write_text(re.sub(r"@@(\w+)@@", lambda found: words[found[1]], template), encoding="utf-8")
