"""The C++ forms of the timed kernels (native/plain.cpp, native/vector.cpp), built for this machine and called through ctypes."""

import ctypes
import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "native"
FLAGS = ["-O3", "-march=native", "-std=c++20", "-shared", "-fPIC", "-pthread"]


def compiler():
    return shutil.which("clang++-22") or shutil.which("clang++") or shutil.which("g++")


def compiled(name, flags=()):
    """The file of native/NAME.cpp as a library, or None and why. Vector types of this kind are clang's alone."""
    found = compiler()
    if found is None:
        return None, "no clang++ or g++"
    out = pathlib.Path(tempfile.mkdtemp()) / f"{name}.so"
    done = subprocess.run([found, *FLAGS, *flags, str(HERE / f"{name}.cpp"), "-o", str(out)], capture_output=True, text=True)
    if done.returncode:
        return None, f"{pathlib.Path(found).name} does not compile native/{name}.cpp"
    return out, None


def build(name):
    """The library of native/NAME.cpp, or None and why."""
    out, why = compiled(name)
    return (None, why) if out is None else (Library(ctypes.CDLL(str(out))), None)


class Library:
    """Calls with arrays as pointers, Python floats as float, ints as int64; the number of threads comes last, as int."""

    def __init__(self, library):
        self._library = library

    def __getattr__(self, name):
        function = getattr(self._library, name)

        def bind(*arguments, threads, ints=()):
            """A call without arguments; `ints` names the positions of plain ints."""
            import numpy as np
            values = [ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else ctypes.c_float(a) if isinstance(a, float)
                      else ctypes.c_int(a) if k in ints else ctypes.c_int64(a) for k, a in enumerate(arguments)]
            return lambda: function(*values, threads)
        return bind
