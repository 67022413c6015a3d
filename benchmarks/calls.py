"""What a call of a library's `void f(double*, int)` with a NumPy array costs, and how much more than the call of an empty function of Python's: bound by
hetjit, by ctypes, and by cffi, pybind11 and nanobind where they are installed. All in one process, in turn. Before and after it is measured each is
asked whether every call reaches the library, with the array that is passed and what is then in it."""

import ctypes
import importlib
import importlib.util
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

import numpy as np

import measure

LIMIT = 150  # ns above the empty call
SOURCE = 'extern "C" void touch(double* x, int n) { x[n - 1] += 1; }\n'
PYBIND11 = """
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include "touch.cpp"
PYBIND11_MODULE(of_pybind11, m) {
  m.def("touch", [](pybind11::array_t<double, pybind11::array::c_style> x) { touch(x.mutable_data(), x.size()); });
}
"""
NANOBIND = """
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include "touch.cpp"
NB_MODULE(of_nanobind, m) {
  m.def("touch", [](nanobind::ndarray<double, nanobind::ndim<1>, nanobind::c_contig> x) { touch(x.data(), x.size()); });
}
"""


def compiled(folder, name, text, *options):
    """A shared library of a text, as modules of Python are called."""
    path = folder / f"{name}.cpp"
    path.write_text(text)
    made = folder / f"{name}.so"
    subprocess.run(["g++", "-std=c++17", "-O2", "-shared", "-fPIC", f"-I{sysconfig.get_paths()['include']}", *options, str(path), "-o", str(made)],
                   check=True, stdin=subprocess.DEVNULL)
    return made


def of_hetjit(folder, library):
    from hetjit import interop
    return interop.bind("void touch(double* x +rank(1), int n +implied(size(x)));", library, language="c").touch, "f(x)"


def of_ctypes(folder, library):
    touch = ctypes.CDLL(str(library)).touch
    touch.argtypes, touch.restype = [np.ctypeslib.ndpointer(np.float64, 1, flags="C"), ctypes.c_int], None
    return touch, "f(x, x.size)"


def of_cffi(folder, library):
    ffi = importlib.import_module("cffi").FFI()
    ffi.cdef("void touch(double* x, int n);")
    opened = ffi.dlopen(str(library))
    return lambda x: opened.touch(ffi.from_buffer("double[]", x), x.size), "f(x)"


def of_pybind11(folder, library):
    include = importlib.import_module("pybind11").get_include()
    compiled(folder, "of_pybind11", PYBIND11, f"-I{include}")
    return importlib.import_module("of_pybind11").touch, "f(x)"


def of_nanobind(folder, library):
    home = pathlib.Path(importlib.import_module("nanobind").__file__).parent
    compiled(folder, "of_nanobind", NANOBIND, f"-I{home / 'include'}", f"-I{home / 'ext/robin_map/include'}", str(home / "src/nb_combined.cpp"),
             "-DNDEBUG", "-fno-strict-aliasing")
    return importlib.import_module("of_nanobind").touch, "f(x)"


WAYS = {"hetjit": of_hetjit, "ctypes": of_ctypes, "cffi": of_cffi, "pybind11": of_pybind11, "nanobind": of_nanobind}


def check(name, scope):
    """That no call is saved: two arrays in turn, which change in between, and one of another length."""
    arrays = [np.zeros(1024), np.zeros(3), np.arange(8.0)[4:]]
    for turn in range(30):
        x = arrays[turn % 3]
        x[-1] = turn * 10
        exec(scope["call"], dict(scope, x=x))
        assert x[-1] == turn * 10 + 1, f"{name} called another function, or on another array"
    scope["x"][-1] = 0


def table():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        folder = pathlib.Path(folder)
        library = compiled(folder, "touch", SOURCE)
        scopes = {name: dict(zip(("f", "call"), way(folder, library)), x=np.zeros(1024)) for name, way in WAYS.items()
                  if name == "hetjit" or importlib.util.find_spec(name)}
        for name, scope in scopes.items():
            check(name, scope)
            empty = measure.per_call_ns("empty(x)", dict(scope, empty=lambda x: None))
            whole = measure.per_call_ns(scope["call"], scope)
            assert scope["x"][-1] > 10_000, f"{name}: not every call reached the library"
            check(name, scope)
            rows.append([name, whole, whole - empty])
        sys.path.remove(str(folder))
    missing = [[name, "not installed", "", ""] for name in WAYS if name not in scopes]
    return measure.markdown(["bound by", "ns of a call", "above the empty call", "limit"], [[name, f"{whole:.0f}", f"{above:.0f}", limit(name, rows)]
                                                                                           for name, whole, above in rows] + missing)


def limit(name, rows):
    """What is asked of hetjit, and whether it is so."""
    if name != "hetjit":
        return ""
    times = {name: (whole, above) for name, whole, above in rows}
    met = times["hetjit"][1] <= LIMIT and times["hetjit"][0] <= times.get("nanobind", (float("inf"),))[0]
    return f"≤ {LIMIT}, and ≤ nanobind: {'met' if met else '**missed**'}"
