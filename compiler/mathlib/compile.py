"""Compiles the math library to the .inc files next to it, with hetjit itself.

    ./dev run python compiler/mathlib/compile.py            writes them; build again, for they are part of the compiler
    ./dev run python compiler/mathlib/compile.py --check    says whether they are up to date; status 1 when not

A function is named like its row of compiler/ir/math.def, in small letters, with _f32 or _f64. Each becomes one function
without calls; products and sums are fused only where the source says fma.
"""

import pathlib
import re
import sys

from hetjit import _core

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

import error_function  # noqa: E402
import exponential  # noqa: E402
import hyperbolic  # noqa: E402
import inverse  # noqa: E402
import logarithm  # noqa: E402
import power  # noqa: E402
import trigonometric  # noqa: E402

FAMILIES = [exponential, logarithm, power, trigonometric, inverse, hyperbolic, error_function]
FORMATS = {"f32": "float32", "f64": "float64"}


def rows():
    """(name, arity) of each function of the table that is not native."""
    table = (FOLDER.parent / "ir" / "math.def").read_text()
    return [(name.lower(), int(arity)) for name, arity in re.findall(r'^MATH\((\w+),\s*(\d),\s*"",', table, re.M)]


def functions(family):
    """(function, signature) of each function of the table that the family has."""
    for name, arity in rows():
        for ending, format_name in FORMATS.items():
            function = getattr(family, f"{name}_{ending}", None)
            if function is not None and function.__module__ == family.__name__:
                yield function, "(" + ", ".join([format_name] * arity) + ")"


def text_of(family):
    texts = []
    for function, signature in functions(family):
        typed = _core.show(_core.capture(function), "typed", signature, kernel=False, contract=False)
        text = _core.flatten(typed).strip("\n") + "\n"
        assert text.split("\n")[0].endswith("-> " + function.__name__[-3:]), f"{function.__name__} has a result of another format"
        texts.append(text)
    return 'R"ir(\n' + "\n".join(texts) + ')ir"\n'  # a C++ string: library.cpp includes it


def main():
    stale = []
    for family in FAMILIES:
        path, text = FOLDER / (family.__name__ + ".inc"), text_of(family)
        if not path.exists() or path.read_text() != text:
            stale.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(text)
    print(("stale: " if "--check" in sys.argv else "written: ") + (" ".join(stale) or "none"))
    return "--check" in sys.argv and bool(stale)


if __name__ == "__main__":
    sys.exit(main())
