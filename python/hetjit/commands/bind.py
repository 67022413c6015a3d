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
    parser.add_argument("--language", choices=("c", "c++"))
    parser.add_argument("-o", dest="folder", required=True, metavar="FOLDER", help="the package's folder")
    return parser


def main(arguments):
    import pathlib

    from hetjit import toolchain
    from hetjit.errors import BindError, DeviceError

    asked = _parser().parse_args(arguments)
    try:
        from hetjit.interop import library, package
        made = library.prepare(pathlib.Path(asked.declarations), asked.library, headers=asked.header, include=asked.include,
                               language=asked.language)
        package.write(made, asked.folder)
        print(asked.folder)
    except BindError as error:
        print(error, file=sys.stderr)
        return 1
    except (toolchain.Missing, DeviceError, OSError) as error:
        print(f"bind: {error}", file=sys.stderr)
        return 2
    return 0
