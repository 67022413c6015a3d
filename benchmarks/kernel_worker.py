"""One process of the kernel benchmark: the forms of one kernel, checked, then run in turn on the same arrays. Prints JSON.

    python kernel_worker.py NAME [--small] [--repeat N] [--with numba|pocl] [--processor]
"""

import argparse
import json
import os
import sys
import time

import cases
import measure
import native_forms


def peer(name, kernel, case):
    """A form that another compiler makes, or why there is none."""
    try:
        if name == "numba":
            os.environ.setdefault("NUMBA_NUM_THREADS", str(len(os.sched_getaffinity(0))))
            import numba_forms
            return lambda: numba_forms.FORMS[kernel](*case.arguments)
        import pocl_forms
        return pocl_forms.form(kernel, case)
    except KeyError:
        raise RuntimeError("has no form of this kernel") from None


def checked(name, form, case, reasons):
    """Whether the form runs and is right."""
    for output in case.outputs:
        output.fill(0)
    try:
        form()
    except Exception as error:
        reasons[name] = f"{type(error).__name__}: {error}".split("\n")[0]
        return False
    if (off := case.error()) > 1:
        reasons[name] = f"WRONG, by {off:.3g} times the tolerance"
        return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kernel", choices=cases.CASES)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--with", dest="peer", choices=("numba", "pocl"))
    parser.add_argument("--processor", action="store_true", help="processor time of all threads instead of the wall clock's")
    asked = parser.parse_args()
    plain, why = native_forms.build("plain")
    vector, why_not = native_forms.build("vector")
    if plain is None or vector is None:
        sys.exit(f"the native forms cannot be built: {why or why_not}")
    case = cases.CASES[asked.kernel](plain, vector, len(os.sched_getaffinity(0)), asked.small)
    forms, reasons = dict(case.forms), {}
    if asked.peer == "pocl":  # LLVM twice in a process is asking for trouble: ratios go through the C++ forms
        forms = {name: forms[name] for name in ("plain", "vector")}
    if asked.peer:
        try:
            forms[asked.peer] = peer(asked.peer, asked.kernel, case)
        except Exception as error:
            reasons[asked.peer] = f"{type(error).__name__}: {error}".split("\n")[0]
    forms = {name: form for name, form in forms.items() if checked(name, form, case, reasons)}
    clock = time.process_time if asked.processor else time.perf_counter
    print(json.dumps(dict(title=case.title, ms=measure.alternate_ms(forms, repeat=asked.repeat, pause=0.1, clock=clock), reasons=reasons)))


if __name__ == "__main__":
    main()
