"""Launches over libraries in C that do next to nothing (native/lender.cpp, native/idle_driver.cpp), so that what is left is ours. Run in
a process of its own, as a driver is found when hetjit begins; a JSON object per line."""

import ctypes
import json
import os
import subprocess
import sys

import measure
import native_forms

ROOT = native_forms.HERE.parents[1]


def put(what, cost, over):
    print(json.dumps({"what": what, "ns": cost, "over": over}), flush=True)


def of_lender():
    """Of one array, beside a call of an empty function with it, and what the lender's own functions take."""
    from hetjit import _core

    import launch
    found, why = native_forms.compiled("lender", [f"-I{ROOT}"])
    if found is None:
        sys.exit(why)
    library_of_c = ctypes.CDLL(str(found))
    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    table = new_capsule(ctypes.addressof(ctypes.c_char.in_dll(library_of_c, "exchange_api")), b"dlpack_exchange_api", None)
    array = type("Lent", (), {"__dlpack_c_exchange_api__": table})()
    scope = {"k": launch.kernel_of(1), "empty": _core.empty, "x": array, "ask": library_of_c.ask}
    scope["k"](array)
    cost, floor = measure.per_call_ns("k(x)", scope), measure.per_call_ns("empty(x)", scope)
    own = (measure.per_call_ns("ask(10100)", scope) - measure.per_call_ns("ask(100)", scope)) / 10000
    put(f"1 array by DLPack's C functions, which take {own:.0f} themselves", cost, cost - floor)


def of_driver():
    from hetjit import _core, device

    import kernels_launch
    scope = {"empty": _core.empty, "n": 1024, "alpha": 2.0, **{name: device.zeros(1024, device.float32, "cuda:0") for name in "abc"}}
    for what, kernel, arguments in (("nothing", kernels_launch.nothing.on("cuda:0")[4, 256], ""), ("3 arrays of ours and 2 scalars", kernels_launch.three_arrays[4, 256], "a, b, c, n, alpha")):
        scope["k"] = kernel
        kernel(*(scope[name] for name in arguments.split(", ") if name))
        cost = measure.per_call_ns(f"k({arguments})", scope)
        put(f"{what}, on a GPU whose driver does nothing", cost, cost - measure.per_call_ns(f"empty({arguments})", scope))


def rows():
    """[what, ns, over] of each; what cannot be measured is printed."""
    found, (driver, why) = [], native_forms.compiled("idle_driver")
    if driver is None:
        print(f"skipped: launches over libraries in C: {why}")
        return found
    for name in ("of_lender", "of_driver"):
        done = subprocess.run([sys.executable, "-c", f"import launch_native; launch_native.{name}()"], capture_output=True, text=True,
                              env={**os.environ, "HETJIT_CUDA_LIBRARY": str(driver)}, cwd=ROOT / "benchmarks")
        found += [[row["what"], f"{row['ns']:.0f}", f"{row['over']:.0f}"] for row in map(json.loads, done.stdout.splitlines())]
        if done.returncode:
            print(f"skipped: {name}: {done.stderr.strip().splitlines()[-1:]}")
    return found
