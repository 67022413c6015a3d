"""A function at any stage of its compilation."""

import json
import sys

from hetjit import toolchain
from hetjit.commands import programs

TARGETS = {"ptx": "cuda:sm_90", "sass": "cuda:sm_90", "amdgcn": "hip:gfx942", "host": "cpu:native"}
PHASES = ("bytecode", "ssa", "typed", "optimized", "plan", "llvm", "host", "ptx", "sass", "amdgcn")
UNTYPED = ("bytecode", "ssa")


def text_of(request, phase, target=None, **options):
    """A phase's dump. `target`: also the one of a phase that is about one kind of machine, whose kind it must be. `options`: others than
    the function's."""
    wanted, given = (TARGETS.get(phase, "").partition(":")[0], (target or "").partition(":")[0])
    if wanted and given and wanted != given:
        raise programs.Misuse(f"--phase {phase} is code for {wanted}, as --target {TARGETS[phase]} is, not for {target}")
    if phase == "sass":
        return toolchain.disassemble(request.show("ptx", target or TARGETS[phase]), (target or TARGETS[phase]).partition(":")[2])
    return request.show(phase, target or TARGETS.get(phase, request.target), **options)


def texts(request, target=None, **options):
    """(phase, dump) of all phases, or (phase, why there is none)."""
    for phase in PHASES:
        kind = TARGETS.get(phase, "").partition(":")[0]
        try:
            yield phase, text_of(request, phase, target if (target or "").startswith(kind) else None, **options)
        except toolchain.Missing as missing:
            yield phase, f"; {missing}\n"


def _parser():
    import argparse
    parser = argparse.ArgumentParser(prog="python -m hetjit show", description=__doc__, epilog="status: 0, or 1 when the function does "
                                     "not compile, or 2 when there is nothing to compile")
    parser.add_argument("function", metavar="FILE:FUNCTION")
    parser.add_argument("--phase", default="typed", choices=(*PHASES, "explain", "all"), help="default: typed")
    parser.add_argument("--for", dest="signature", metavar="SIGNATURE",
                        help='types of the arguments, "(float32[:, ::1], int, float64)"; builtin names are weak. Default: what the '
                             "function's hints say, else what it is launched with when the file runs")
    parser.add_argument("--target", help="cpu:native, cpu:x86-64-v3, cuda:sm_90, hip:gfx942, …")
    parser.add_argument("--no-contract", dest="contract", action="store_false", default=None,
                        help="forbid fused multiply-add")
    parser.add_argument("--html", metavar="OUT", help="write all phases side by side as a page")
    parser.add_argument("--json", action="store_true", help="the dumps as a JSON object")
    return parser


def _chosen(asked):
    """What to show: without a signature where none is asked for."""
    if asked.signature is None and asked.phase in UNTYPED and not asked.html:
        return programs.request_of(programs.load(asked.function), "()", "cpu:native", asked.contract)
    return programs.request_at(asked.function, asked.signature, asked.target, asked.contract)


def _show(asked):
    request = _chosen(asked)
    if asked.html:
        from hetjit.commands import page
        try:
            page.write(asked.html, request, dict(texts(request, asked.target, debug=True)))
        except OSError as error:
            raise programs.Misuse(f"{asked.html} cannot be written: {error.strerror}") from None
        print(f"{asked.html}: {request.name}{request.signature}", file=sys.stderr)
        return
    found = dict(texts(request, asked.target)) if asked.phase == "all" else {asked.phase: text_of(request, asked.phase, asked.target)}
    if asked.json:
        print(json.dumps({"function": request.name, "signature": request.signature, "phases": found}))
        return
    for phase, text in found.items():
        if asked.phase == "all":
            print(f"==== {phase}")
        print(text.rstrip("\n"))


def main(arguments):
    from hetjit.errors import CompileError
    asked = _parser().parse_args(arguments)
    try:
        _show(asked)
    except (CompileError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except (programs.Misuse, toolchain.Missing) as error:
        print(f"show: {error}", file=sys.stderr)
        return 2
    return 0
