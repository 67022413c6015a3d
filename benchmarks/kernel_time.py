"""Kernel time on the host against C++ by hand (clang++-22 or g++ -O3 -march=native, as many threads) and NumPy."""

import ctypes
import os
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np

import kernels
import measure

HERE = pathlib.Path(__file__).resolve().parent


def build_native():
    compiler = shutil.which("clang++-22") or shutil.which("clang++") or shutil.which("g++")
    out = pathlib.Path(tempfile.mkdtemp()) / "native.so"
    subprocess.run([compiler, "-O3", "-march=native", "-std=c++20", "-shared", "-fPIC", "-pthread",
                    str(HERE / "native.cpp"), "-o", str(out)], check=True)
    return ctypes.CDLL(str(out)), os.path.basename(compiler)


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


def saxpy(native, threads):
    n = 1 << 26
    x, y = np.ones(n, np.float32), np.zeros(n, np.float32)
    yield "saxpy, 64M", dict(
        hetjit=lambda: kernels.saxpy[(n + 255) // 256, 256](2.0, x, y),
        cpp=lambda: native.saxpy(ctypes.c_float(2), pointer(x), pointer(y), ctypes.c_int64(n), threads),
        numpy=lambda: np.add(np.multiply(np.float32(2), x), y, out=y))


def stencil(native, threads):
    n = 4096
    z = np.random.default_rng(1).random((n, n), np.float32)
    out = np.zeros_like(z)

    def numpy():
        out[1:-1, 1:-1] = np.float32(0.25) * (z[:-2, 1:-1] + z[2:, 1:-1] + z[1:-1, :-2] + z[1:-1, 2:])

    yield "5-point stencil, 4096 x 4096", dict(
        hetjit=lambda: kernels.stencil[(n // 64, n // 4), (64, 4)](z, out),
        cpp=lambda: native.stencil(pointer(z), pointer(out), ctypes.c_int64(n), ctypes.c_int64(n), threads),
        numpy=numpy)


def mandelbrot(native, threads):
    n, limit = 2048, 256
    counts = np.zeros((n, n), np.int32)
    f = ctypes.c_float
    yield "Mandelbrot, 2048 x 2048 x 256", dict(
        hetjit=lambda: kernels.mandelbrot[(n // 16, n // 16), (16, 16)](counts, -2.0, -1.25, 2.5 / n, limit),
        cpp=lambda: native.mandelbrot(pointer(counts), ctypes.c_int64(n), ctypes.c_int64(n), f(-2), f(-1.25),
                                      f(2.5 / n), limit, threads))


def nbody(native, threads):
    n = 8192
    p = np.random.default_rng(1).standard_normal((n, 3)).astype(np.float32)
    v, m = np.zeros_like(p), np.full(n, 1 / n, np.float32)

    def numpy():
        for first in range(0, n, 256):
            d = p[None] - p[first:first + 256, None]
            r2 = np.einsum("ijk,ijk->ij", d, d) + np.float32(1e-3)
            v[first:first + 256] += np.float32(0.01) * np.einsum("ij,ijk->ik", m / (r2 * np.sqrt(r2)), d)

    yield "n-body, 8192, one step", dict(
        hetjit=lambda: kernels.kick[n // 128, 128](p, v, m, 0.01, 1e-3),
        cpp=lambda: native.kick(pointer(p), pointer(v), pointer(m), ctypes.c_float(0.01), ctypes.c_float(1e-3),
                                ctypes.c_int64(n), threads),
        numpy=numpy)


def table(repeat=7):
    native, compiler = build_native()
    threads = len(os.sched_getaffinity(0))
    rows = []
    for make in (saxpy, stencil, mandelbrot, nbody):
        for name, functions in make(native, threads):
            ms = measure.alternate_ms(functions, repeat=repeat)
            numpy = f"{ms['numpy']:.1f}" if "numpy" in ms else "-"
            against_numpy = f"{ms['numpy'] / ms['hetjit']:.1f} x" if "numpy" in ms else "-"
            rows.append([name, f"{ms['hetjit']:.1f}", f"{ms['cpp']:.1f}", numpy,
                         f"{ms['hetjit'] / ms['cpp']:.2f}", against_numpy])
    return measure.markdown(["kernel", "hetjit, ms", f"C++ ({compiler} -O3 -march=native, {threads} threads), ms",
                             "NumPy, ms", "time / C++", "faster than NumPy"], rows)
