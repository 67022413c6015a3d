"""What a call of other libraries costs with the launch table's arguments, three float32 arrays and two numbers: to an empty function
or kernel of theirs. Run in the peers' environment; a JSON object per line."""

import json

import numpy as np

import measure


def empty(*arguments):
    pass


def put(what, scope, call, arguments="a, b, c, n, alpha"):
    scope = dict(scope, empty=empty, n=1024, alpha=2.0)
    exec(call, scope)
    cost = measure.per_call_ns(call, scope)
    over = cost - measure.per_call_ns(f"empty({arguments})", scope)
    print(json.dumps({"what": what, "ns": cost, "over": over}), flush=True)


def arrays():
    return dict(zip("abc", (np.zeros(1024, np.float32) for _ in range(3))))


def of_ctypes():
    import ctypes
    function = ctypes.CDLL(None).getpid  # takes nothing, and the arguments do no harm
    function.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_int, ctypes.c_float]
    addresses = {name: array.ctypes.data for name, array in arrays().items()}
    put("ctypes, three addresses and two scalars to a C function", dict(addresses, f=function), "f(a, b, c, n, alpha)")
    put("ctypes, the addresses asked of NumPy arrays", dict(arrays(), f=function),
        "f(a.ctypes.data, b.ctypes.data, c.ctypes.data, n, alpha)")


def of_tvm_ffi():
    import tvm_ffi
    function = tvm_ffi.convert(empty)
    tensors = {name: tvm_ffi.from_dlpack(array) for name, array in arrays().items()}
    put("tvm-ffi, its tensors to a Python function of its own", dict(tensors, f=function), "f(a, b, c, n, alpha)")


def of_numba():
    import numba
    put("Numba, NumPy arrays to an empty function", dict(arrays(), f=numba.njit(lambda a, b, c, n, alpha: None)), "f(a, b, c, n, alpha)")


def of_warp():
    import warp
    import warp_forms
    warp.config.quiet = True
    given = {name: warp.array(array, dtype=warp.float32, device="cpu") for name, array in arrays().items()}
    put("Warp, an empty kernel on the CPU, its own arrays", dict(given, launch=warp.launch, k=warp_forms.nothing),
        "launch(k, dim=1, inputs=[a, b, c, n, alpha], device='cpu')")


def of_quadrants():
    import quadrants_forms
    put("Quadrants, an empty kernel on the CPU, its own arrays", dict(quadrants_forms.arrays(), f=quadrants_forms.nothing),
        "f(a, b, c, n, alpha)")


def main():
    for library in (of_ctypes, of_tvm_ffi, of_numba, of_warp, of_quadrants):
        try:
            library()
        except Exception as failed:  # one that is missing, or whose interface has changed, is left out
            print(f"skipped: {library.__name__[3:]}: {type(failed).__name__}: {failed}", flush=True)
