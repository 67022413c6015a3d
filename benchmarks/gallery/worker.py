"""One process of the gallery: one form of one kernel. Checks it, then times a run for each line that it reads; answers in JSON.

    python -m gallery.worker CASE hetjit|numba|plain|best [LIBRARY]

The environment says how many threads: HETJIT_NUM_THREADS, NUMBA_NUM_THREADS.
"""

import ctypes
import json
import os
import sys
import time

import numpy as np

import native_forms
from gallery import blocks, case


def native(name, made, form, library):
    """The function of C++; its arguments are the kernel's and the sizes, arrays as pointers."""
    function = getattr(native_forms.Library(ctypes.CDLL(library)), f"{name}_{form}")
    threads = 1 if made.small else int(os.environ["HETJIT_NUM_THREADS"])
    return function(*made.arguments, *made.sizes, threads=threads)


def callable_form(name, made, form, library):
    if form == "hetjit":
        bound = made.kernel[made.grid, made.block]
        return lambda: bound(*made.arguments)
    if form == "numba":
        from gallery import numba_forms
        found = numba_forms.FORMS[name]
        return lambda: found(*made.arguments)
    return native(name, made, form, library)


def restore(made, before):
    for position, array in before.items():
        made.arguments[position][...] = array


def wrong(name, made):
    """What a run has left, against NumPy's; None: it is right."""
    canonical = blocks.CANONICAL.get(name, lambda array: array)
    for position, expected in made.outputs.items():
        off = case.off_by(canonical(made.arguments[position]), expected, made.undecided)
        if off > made.tolerance:
            return f"WRONG: argument {position} is off by {off:.3g}"
    return None


def timed(run, clocks=(time.perf_counter, time.process_time), least=2e-3):
    """Milliseconds of a run, by the wall's clock and of all threads; of several runs in a row where one is short."""
    count, passed = 1, 0.0
    while True:
        began = [clock() for clock in clocks]
        for _ in range(count):
            run()
        passed = [clock() - start for clock, start in zip(clocks, began)]
        if passed[0] >= least:
            return [1e3 * p / count for p in passed]
        count = max(2 * count, int(count * least / max(passed[0], 1e-7)))


def main():
    name, form, *library = sys.argv[1:]
    made = case.load()[name][-1]()
    before = {position: made.arguments[position].copy() for position in made.outputs}
    try:
        run = callable_form(name, made, form, *library or [None])
        run()
        reason = wrong(name, made)
    except (AttributeError, KeyError):
        reason = "has no such form"
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".split("\n")[0]
    print(json.dumps(dict(reason=reason)), flush=True)
    for _ in sys.stdin:
        if made.restore:
            restore(made, before)
        print(json.dumps(timed(run, least=0 if made.restore else 2e-3)), flush=True)


if __name__ == "__main__":
    main()
