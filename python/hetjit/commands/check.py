"""Runs a program whose kernels watch themselves, and says what they found: indices out of bounds, races, memory that nobody wrote,
divisions by zero."""

import argparse
import json
import os
import pathlib
import runpy
import sys
import traceback

from hetjit.commands import programs
from hetjit.device import CheckError, decorators

_CHECKS = ("bounds", "race", "init", "arith", "warp", "all")


def _parser():
    parser = argparse.ArgumentParser(prog="python -m hetjit check", description=__doc__, epilog="status: 0 when nothing is found, 1 when "
                                     "something is, 2 when no kernel was launched, else the program's own, and 1 for its exceptions")
    parser.add_argument("--checks", default="all", metavar="NAMES", help=f"several with commas: {', '.join(_CHECKS)} (default)")
    parser.add_argument("--json", action="store_true", help="what was found as a JSON object on the last line")
    parser.add_argument("file", metavar="FILE", help="the program; it runs as __main__")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="of the program")
    return parser


def _kernels_from_now_on():
    """A list to which every kernel comes that the program makes."""
    kernels, made = [], decorators._Launchable.__new__

    def noted(cls, *arguments, **options):
        kernels.append(made(cls, *arguments, **options))
        return kernels[-1]
    decorators._Launchable.__new__ = noted
    return kernels


def _run(asked):
    """What the program raised, or None."""
    os.environ["HETJIT_CHECK"] = asked.checks
    sys.argv[:] = [asked.file, *asked.arguments]
    sys.path.insert(0, str(pathlib.Path(asked.file).parent.resolve()))
    try:
        runpy.run_path(asked.file, run_name="__main__")
    except SystemExit as left:
        return left
    except Exception as raised:
        return raised


def _edit(edit):
    """A change of the source: `text` in place of what stands there. Lines count from 1, columns from 0 and in bytes."""
    return {**{name: getattr(edit.span, name) for name in ("path", "line", "column", "end_line", "end_column")}, "text": edit.text}


def _fault(error):
    told = {name: getattr(error, name, None) for name in ("kernel", "function", "path", "line", "block", "thread", "code")}
    if span := getattr(error, "span", None):
        told.update(path=span.path, line=span.line)
    return {"kind": type(error).__name__, "message": str(error), **told, "notes": list(getattr(error, "__notes__", ())),
            "edits": [_edit(edit) for edit in getattr(error, "edits", ())]}


def _is_fault(error):
    """A check's finding, or what a kernel raised: that has a note of where."""
    return isinstance(error, CheckError) or any("kernel" in note for note in getattr(error, "__notes__", ()))


def _tell(asked, error):
    sys.stdout.flush()
    if asked.json:
        print(json.dumps({"file": asked.file, "checks": asked.checks, "found": _fault(error) if error else None}))
    elif error is None:
        print(f"check: {asked.file} ran, and nothing was found ({asked.checks})", file=sys.stderr)
    elif _is_fault(error):
        print("\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())]), file=sys.stderr)
    else:
        traceback.print_exception(error)


def main(arguments):
    asked = _parser().parse_args(arguments)
    unknown = set(asked.checks.split(",")) - set(_CHECKS)
    if unknown or not os.path.isfile(asked.file):
        print(f"check: there is no {'check ' + unknown.pop() if unknown else 'file ' + asked.file}", file=sys.stderr)
        return 2
    try:
        programs.parse(asked.file)
    except programs.Misuse as error:
        print(f"check: {error}", file=sys.stderr)
        return 2
    kernels = _kernels_from_now_on()
    error = _run(asked)
    if isinstance(error, SystemExit):
        status = error.code if isinstance(error.code, int) else 1 if error.code else 0
        if status or error.code:
            if isinstance(error.code, str):
                print(error.code, file=sys.stderr)
            return status
        error = None
    if error is None and not any(kernel.signatures for kernel in kernels):
        if asked.json:
            _tell(asked, None)
        print(f"check: {asked.file} ran and launched no kernel, so nothing was checked", file=sys.stderr)
        return 2
    _tell(asked, error)
    return 1 if error else 0
