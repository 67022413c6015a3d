"""What CPython computes for the sample functions: prints build_expectations.inc, which build_behaviour_test.cpp
compares with the graphs of all five versions.

    python3 tests/unit/frontend/build_expectations.py > tests/unit/frontend/build_expectations.inc

A row is a function, its arguments, its result, and the arguments afterwards, as constants of the `.snap` form. Lists
are written as tuples that begin with "list".
"""

import copy
import pathlib

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "snapshots" / "samples.py"


class Grid(list):
    """A list of lists that knows `a[i, j]`."""

    def __getitem__(self, key):
        return list.__getitem__(self, key[0])[key[1]] if isinstance(key, tuple) else list.__getitem__(self, key)


CASES = {
    "chained": [(1, 2, 3), (3, 2, 3), (1, 2, 1)],
    "boolops": [(a, b, c) for a in (0, 1) for b in (0, 2) for c in (0, 3)],
    "if_none": [(None,), (3,)],
    "ternary": [(1, 2), (3, 2)],
    "ifelif": [(-1,), (0.5,), (2,)],
    "while_loop": [(0,), (2,), (3,), (10,)],
    "while_true": [(0,), (5,)],
    "for_range": [([1.0, 2.0, 3.0], 3), ([], 0), ([5.0], -2)],
    "for_range3": [([-1, 2, 3, 40, 5, 6], 6), ([1, 2, 10], 3), ([7, 7, -7, 7], 4), ([4], 0)],
    "for_return": [([0, 0, 5], 3), ([0, 0, 0], 3), ([], 0)],
    "nested": [(Grid([[float(i * j) for j in range(6)] for i in range(6)]), n, m) for n, m in ((4, 3), (6, 6), (0, 2))],
    "for_tuple": [([1, 2, 3],), ([],)],
    "tuples": [(1, 2, 3)],
    "unpack_star": [((1, 2, 3, 4),), ((1, 2),)],
    "unpack4": [((1, 2, 3, 4),)],
    "walrus": [(1, 5), (-9, 4), (-20, 0)],
    "multi_if": [(1, 2, 0), (0, 2, 3), (1, 2, 3), (0, 0, 0)],
    "intmath": [(17,), (-17,)],
    "annotated": [(1, 2.0)],
    "del_": [(4,)],
    "maybe_unbound": [(1,)],
    "recursion": [(1,), (6,)],
    "docstring": [(3,)],
    "globs": [(0.5,)],
    "long_body": [tuple(range(1, 21))],
    "shortcircuit_assign": [(a, b) for a in (0, 1) for b in (0, 2)],
    "match_lit": [(n,) for n in (0, 1, 2, -1, None, "s", 7, 3)],
    "lam": [(4,), (4, 5)],
    "asserts": [(5,)],
}


def text(value):
    if isinstance(value, list):
        return text(("list",) + tuple(value))
    if isinstance(value, tuple):
        return "(" + ", ".join(map(text, value)) + (",)" if len(value) == 1 else ")")
    return '"%s"' % value if isinstance(value, str) else repr(value)


def main():
    module = {"__name__": "samples"}
    exec(compile(SAMPLES.read_text(), "samples.py", "exec"), module)
    print("// Printed by build_expectations.py: function, arguments, result, arguments afterwards.")
    for name, cases in CASES.items():
        for arguments in cases:
            given = copy.deepcopy(arguments)
            result = module[name](*given)
            if name == "unpack_star":  # a compiled starred target is a tuple
                result = tuple(tuple(item) if isinstance(item, list) else item for item in result)
            print(f"EXPECT({name}, R\"({text(arguments)})\", R\"({text(result)})\",\n       R\"({text(given)})\")")


if __name__ == "__main__":
    main()
