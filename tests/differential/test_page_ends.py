"""Arrays that begin and end where pages do behind which nobody may read: lanes that are not active touch nothing there."""

import subprocess
import sys

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

PROGRAM = '''
import ctypes, mmap, sys
import numpy as np
from hetjit import device

PAGE = mmap.PAGESIZE
memory = mmap.mmap(-1, 4 * PAGE)
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
libc = ctypes.CDLL(None, use_errno=True)
libc.mprotect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
for page in (0, 3):
    assert libc.mprotect(address + page * PAGE, PAGE, 0) == 0


@device.kernel
def some(x, wanted, out):
    i = device.tid(1)
    if i < out.shape[0]:
        if wanted[i]:
            out[i] = x[i]
        if i + 5 < x.shape[0] and not wanted[i]:
            out[i] = x[i + 5]
        if i >= 3 and wanted[i]:
            out[i] += x[i - 3]


@device.kernel
def until(x, wanted, out):
    i = device.tid(1)
    if i < out.shape[0]:
        k = i
        while k < x.shape[0] and not wanted[k]:
            k += 1
        if k < x.shape[0]:
            out[i] = x[k]


def expected(kernel, x, wanted):
    n, out = len(x), np.zeros_like(x)
    for i in range(n):
        if kernel is until:
            k = next((k for k in range(i, n) if wanted[k]), None)
            out[i] = 0 if k is None else x[k]
            continue
        if wanted[i]:
            out[i] = x[i]
        elif i + 5 < n:
            out[i] = x[i + 5]
        if i >= 3 and wanted[i]:
            out[i] += x[i - 3]
    return out


dtype = np.dtype(sys.argv[1])
for n in (1, 2, 3, 15, 16, 17, 31, 63, 64, 65, 100, 257):
    for at in (PAGE, 3 * PAGE - n * dtype.itemsize):  # where it begins
        x = np.frombuffer(memory, dtype, n, at)
        x[:] = np.random.default_rng(n).integers(0, 100, n)
        wanted = np.random.default_rng(n + 1).integers(0, 3, n) == 0
        for kernel in (some, until):
            out = np.zeros(n, dtype)
            kernel.forall(n)(x, wanted, out)
            assert out.tobytes() == expected(kernel, x, wanted).tobytes(), (n, at, kernel)
print("done")
'''


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "float16", "int32", "float64"])
def test_nothing_beyond_a_page_is_read(dtype):
    done = subprocess.run([sys.executable, "-c", PROGRAM.replace("out[i] += x[i - 3]", "out[i] = x[i - 3]") if dtype == "bool" else PROGRAM, dtype],
                          capture_output=True, text=True)
    assert done.stdout == "done\n", (done.returncode, done.stderr[-2000:])
