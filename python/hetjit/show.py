"""`python -m hetjit show FILE:FUNCTION --phase typed --for "(float32[:], int)"`: a function at any stage of its compilation."""

import sys

from hetjit import _core

_TARGETS = {"ptx": "cuda:sm_90", "amdgcn": "hip:gfx942", "host": "cpu:native"}
_ALL = ("bytecode", "ssa", "typed", "optimized", "plan", "llvm", "host", "ptx", "amdgcn")


def load(place):
    """The function at FILE:FUNCTION. The file is run as a module of its own, not as __main__."""
    import importlib.util
    import pathlib
    import types
    path, _, name = place.rpartition(":")
    if not path:
        raise SystemExit(f"show: {place!r} is not of the form FILE:FUNCTION")
    file = pathlib.Path(path)
    if not file.is_file():
        raise SystemExit(f"show: there is no file {path}")
    sys.path.insert(0, str(file.parent.resolve()))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = sys.modules[file.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = module
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is None:
        raise SystemExit(f"show: {path} has no function '{name}'")
    if not isinstance(found, types.FunctionType) and not isinstance(found, _core.Kernel):
        raise SystemExit(f"show: '{name}' in {path} is a {type(found).__name__}, not a function")
    return found


def phases(function, phase, signature, target=None, contract=None):
    """(phase, text) of the phases asked for; of "all" those that this machine can show."""
    kernel = not getattr(function, "device_function", not hasattr(function, "underlying"))
    options = getattr(function, "options", {})
    contract = options.get("contract", True) if contract is None else contract
    snapshot = _core.capture(getattr(function, "underlying", function))
    for name in _ALL if phase == "all" else (phase,):
        where = target if target and phase != "all" else _TARGETS.get(name, target or "cpu:native")
        yield name, _core.show(snapshot, name, signature, where, contract=contract, kernel=kernel)


def _parser():
    import argparse
    parser = argparse.ArgumentParser(prog="python -m hetjit show", description=__doc__)
    parser.add_argument("function", metavar="FILE:FUNCTION")
    parser.add_argument("--phase", default="typed", choices=(*_ALL, "explain", "all"))
    parser.add_argument("--for", dest="signature", default="()", metavar="SIGNATURE",
                        help="types of the arguments: (float32[:, ::1], int, float64); builtin names are weak")
    parser.add_argument("--target", help="cpu:native, cpu:x86-64-v3, cuda:sm_90, hip:gfx942, …")
    parser.add_argument("--no-contract", dest="contract", action="store_false", default=None,
                        help="forbid fused multiply-add")
    return parser


def main(arguments):
    from hetjit.errors import CompileError
    asked = _parser().parse_args(arguments)
    try:
        for name, text in phases(load(asked.function), asked.phase, asked.signature, asked.target, asked.contract):
            if asked.phase == "all":
                print(f"==== {name}")
            print(text.rstrip("\n"))
    except (CompileError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0
