"""How the kernels of a program run, line by line: which accesses of memory are contiguous, which branches divergent, and why."""

import argparse
import json
import sys

from hetjit.commands import programs, remarks
from hetjit.errors import CompileError


def _parser():
    parser = argparse.ArgumentParser(prog="python -m hetjit explain", description=__doc__, epilog="status: 0, or 1 when a kernel does not "
                                     "compile, or 2 when there is none")
    parser.add_argument("place", metavar="FILE[:FUNCTION]", help="without a function: every kernel that the program launches")
    parser.add_argument("--for", dest="signature", metavar="SIGNATURE",
                        help="types of FUNCTION's arguments; default: hints, else what it is launched with when the file runs")
    parser.add_argument("--target", help="cpu:native, cuda:sm_90, hip:gfx942, …; default: where the launch goes")
    parser.add_argument("--json", action="store_true", help="a JSON object for each kernel, with places and remarks")
    return parser


def _requests(asked):
    path, name = programs.split(asked.place)
    if name:
        return [programs.request_at(asked.place, asked.signature, asked.target)]
    if asked.signature:
        raise programs.Misuse(f"--for has the types of one function's arguments: say which, {path}:FUNCTION")
    found = [one for one in programs.requests_of_run(path) if one.kernel]
    if not found:
        raise programs.Misuse(f"{path} runs and launches no kernel")
    return found


def _explain(asked):
    found = []
    for one in _requests(asked):
        text = one.show("explain", asked.target)
        found.append({"kernel": one.name, "signature": one.signature, "target": asked.target or one.target, "text": text,
                      "remarks": [remark._asdict() for remark in remarks.of(text)]})
    print(json.dumps(found) if asked.json else "\n\n".join(one["text"].rstrip("\n") for one in found))


def main(arguments):
    asked = _parser().parse_args(arguments)
    try:
        _explain(asked)
    except (CompileError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except programs.Misuse as error:
        print(f"explain: {error}", file=sys.stderr)
        return 2
    return 0
