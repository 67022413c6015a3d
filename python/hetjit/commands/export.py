"""A function for C++ to call: its code and its header."""

import pathlib
import sys

from hetjit.commands import programs


def _parser():
    import argparse
    parser = argparse.ArgumentParser(prog="python -m hetjit export", description=__doc__, epilog="status: 0, or 1 when the function does "
                                     "not compile, or 2 when there is nothing to compile")
    parser.add_argument("function", metavar="FILE:FUNCTION", nargs="?")
    parser.add_argument("--cmake", action="store_true", help="print the folder of hetjit-config.cmake, for find_package(hetjit)")
    parser.add_argument("--for", dest="signature", metavar="SIGNATURE",
                        help='types of the parameters: "(float32x3, float)"; an array is float32[:, :]. Default: what the hints say')
    parser.add_argument("--target", default="cpu:native", help="cpu:native, cpu:x86-64-v3, cuda:sm_90, hip:gfx942, …; default: cpu:native")
    parser.add_argument("--kind", help="object, bitcode, llvm, asm; ptx, cubin and ltoir for NVIDIA. Default: what the vendor's linker takes")
    parser.add_argument("-o", dest="folder", default=".", metavar="FOLDER", help="where the files go; default: here")
    return parser


def _hinted(function, place):
    types = programs.types_of_hints(function)
    if types is None:
        raise programs.Misuse(f"{place} has no hints that say what its parameters are: say it with --for")
    return types


def main(arguments):
    from hetjit import device, toolchain
    from hetjit.errors import CompileError

    parser = _parser()
    asked = parser.parse_args(arguments)
    if asked.cmake:
        print(pathlib.Path(__file__).parents[1] / "cmake")
        return 0
    if not asked.function:
        parser.error("which function: FILE:FUNCTION")
    try:
        function = programs.load(asked.function)
        if not getattr(function, "options", {}).get("interop"):
            again = device.kernel if isinstance(function, device.Kernel) else device.func
            function = again(**{**getattr(function, "options", {}), "interop": True})(getattr(function, "underlying", function))
        print(function.compile(asked.signature or _hinted(function, asked.function), target=asked.target, kind=asked.kind).write(asked.folder))
    except (CompileError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except (programs.Misuse, toolchain.Missing, OSError) as error:
        print(f"export: {error}", file=sys.stderr)
        return 2
    return 0
