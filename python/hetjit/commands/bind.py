"""A library in C or C++, bound as a package of Python's that needs no clang."""

import sys


def _parser():
    import argparse
    parser = argparse.ArgumentParser(prog="python -m hetjit bind", description=__doc__, epilog="status: 0, or 1 when a declaration is wrong, "
                                     "or 2 when something is not there")
    parser.add_argument("declarations", metavar="FILE", help="declarations with attributes: a text, or YAML where its name ends so")
    parser.add_argument("--library", help="the shared library: a file, or a name as linkers know it")
    parser.add_argument("--header", action="append", default=[], help="included before the declarations: <zlib.h>")
    parser.add_argument("--include", action="append", default=[], metavar="FOLDER", help="where headers are looked for")
    parser.add_argument("--destructor", action="append", default=[], metavar="NAME=CODE", help="code that releases `void* ptr`: drop=my_free(ptr);")
    parser.add_argument("--leave-out", action="append", default=[], metavar="FUNCTION", help="a function that is not bound; * stands for anything")
    parser.add_argument("--language", choices=("c", "c++"))
    parser.add_argument("--fortran", action="store_true", help="for callers in Fortran instead: NAME_c.cpp, which g++ compiles with the headers beside it, and NAME.f90")
    parser.add_argument("-o", dest="folder", required=True, metavar="FOLDER", help="the package's folder")
    return parser


def main(arguments):
    import pathlib

    from hetjit import toolchain
    from hetjit.errors import BindError, DeviceError

    asked = _parser().parse_args(arguments)
    try:
        from hetjit.interop import fortran, library, package
        given = {"headers": asked.header, "include": asked.include, "language": asked.language, "leave_out": asked.leave_out,
                 "destructors": dict(each.split("=", 1) if "=" in each else (each, f"{each}(ptr);") for each in asked.destructor)}
        if asked.fortran:
            fortran.write(library.written(pathlib.Path(asked.declarations), asked.library, **given), asked.folder)
        else:
            package.write(library.prepare(pathlib.Path(asked.declarations), asked.library, **given), asked.folder)
        print(asked.folder)
    except BindError as error:
        print(error, file=sys.stderr)
        return 1
    except (toolchain.Missing, DeviceError, OSError) as error:
        print(f"bind: {error}", file=sys.stderr)
        return 2
    return 0
