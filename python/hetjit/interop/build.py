"""Shims compiled by clang to a shared library of their own, which is kept on disk by what it was made of."""

import hashlib
import os
import pathlib
import re
import subprocess
import tempfile

from hetjit import _core
from hetjit.interop.errors import first_of, wrong

_OPTIONS = ("-x", "c++", "-std=c++20", "-O2", "-fPIC", "-shared", "-w", "-fvisibility=hidden", "-fno-caret-diagnostics",
            "-fno-color-diagnostics", "-ferror-limit=0", "-ffp-contract=off")
_LINKER = ("-Wl,-z,defs",)


class Built:
    """Shims that are loaded."""

    def __init__(self, code):
        self.code = code
        self._handle = _load(code)

    def address(self, symbol):
        """Where a function of theirs lies."""
        return _core.library_find(self._handle, symbol)


def build(text, library, options, files, source, calls):
    """The shims of a text as code: compiled, or found on disk. Raises BindError."""
    name = _name(text, library, options, files)
    kept = _core.library_kept(name)
    if kept is None:
        kept = _compile(text, library, options, source, calls)
        _core.library_keep(name, kept)
    return kept


def _name(text, library, options, files):
    """What they are found by: all that goes into them."""
    digest = hashlib.sha256()
    for part in (text, _core.library_header(), _core.library_numbers_header(), _core.library_fields_header(), os.path.realpath(_core.clang()), str(library), *options):
        digest.update(part.encode() + b"\0")
    for path in sorted(files):
        digest.update(path.encode() + b"\0" + pathlib.Path(path).read_bytes())
    if library:
        digest.update(pathlib.Path(library).read_bytes())
    return digest.hexdigest()[:32]


def write_headers(folder, exist_ok=False):
    """What shims include, where `-I folder` finds it."""
    inside = pathlib.Path(folder) / "hetjit"
    inside.mkdir(exist_ok=exist_ok)
    (inside / "library.hpp").write_text(_core.library_header())
    (inside / "library_numbers.hpp").write_text(_core.library_numbers_header())
    (inside / "library_fields.hpp").write_text(_core.library_fields_header())
    (inside / "library_fortran.hpp").write_text(_core.library_fortran_header())


def _compile(text, library, options, source, calls):
    with tempfile.TemporaryDirectory(prefix="hetjit-") as folder:
        write_headers(folder)
        (pathlib.Path(folder) / "shims.cpp").write_text(text)
        made = os.path.join(folder, "shims.so")
        linked = ["-x", "none", library] if library else []
        command = [_core.clang(), *_OPTIONS, f"-I{folder}", *options, os.path.join(folder, "shims.cpp"), *linked, *_LINKER, "-o", made]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
        if done.returncode:
            raise _failure(done.stderr, source, calls, pathlib.Path(library).read_bytes() if library else b"")
        return pathlib.Path(made).read_bytes()


def _failure(said, source, calls, library=b""):
    """What clang or the linker complains of, where the user wrote it. `library`: its bytes."""
    first = re.search(r"error: (?:static assertion failed[^\n]*?': )?(.*)", said)
    # In the expression itself, or in what it is an argument of.
    for pattern in (r"^attribute-(\d+):\d+:\d+: (?:fatal )?error: (.*)", r"^attribute-(\d+):\d+:\d+: note: in instantiation()"):
        if met := re.search(pattern, said, re.M):
            begin = int(met[1])
            return wrong(source, begin, _end_of(begin, calls), "B139", met[2] or first[1])
    missing = re.findall(r"undefined (?:reference to `|symbol: )([^'\n]*)", said)
    if missing:
        return first_of([_missing(name, source, calls, library) for name in missing])
    refused = re.findall(r"^hetjit_call_(\d+):\d+:\d+: error: (.*)", said, re.M)
    if refused:
        return first_of([_refused(calls[int(number)].function, why, source) for number, why in refused])
    return wrong(source, 0, 1, "B141", "what was written for these declarations does not compile", said.strip().splitlines()[:8])


def _refused(function, why, source):
    at = function.result.place
    return function.result.name, wrong(source, at.begin, at.end, "B141", f"'{function.name}' cannot be called: {why}")


def _end_of(begin, calls):
    for call in calls:
        for parameter in (*call.function.parameters, call.function.result):
            for each in parameter.attributes.values():
                if each.begin == begin:
                    return each.end
    return begin + 1


def _missing(name, source, calls, library):
    """A function's name, and what is said of it."""
    last = re.sub(r"[(<].*", "", name).split("::")[-1]
    of_c = (f'it has a \'{last}\' of C: bind(language="c"), or extern "C"',) * ("(" in name and b"\0" + last.encode() + b"\0" in library)
    for call in calls:
        expression = call.function.expression
        if re.split(r"::|->| ", expression)[-1] == last:
            at = call.function.result.place
            return last, wrong(source, at.begin, at.end, "B140", f"the library has no '{name}'", of_c)
    return last, wrong(source, 0, 1, "B140", f"the library has no '{name}'")


def _load(code):
    """From a file that nobody has loaded before: the loader takes one of a known name for the one that it has."""
    with tempfile.NamedTemporaryFile(prefix="hetjit-", suffix=".so") as file:
        file.write(code)
        file.flush()
        return _core.library_open(file.name)
