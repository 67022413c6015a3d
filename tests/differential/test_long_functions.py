"""Kernels so long that code generation cuts their blocks and leaves out passes (compiler/target/long_functions.h): what they compute,
and that nothing of the cuts remains in the code."""

import re

import numpy as np
import pytest

from hetjit import _core, device

import tools
from both import both

SIGNATURE = "(array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32], int)"


def arithmetic(count):
    lines = ["v0 = x[i]", "v1 = y[i]", "v2 = v0 - v1"]
    return lines + [f"v{k} = v{k - 1} * 0.5 + v{k - 3} - v{k - 2}" for k in range(3, count)] + [f"y[i] = v{count - 1}"]


def accesses(count):
    return [f"y[i + {k}] = x[i + {k}] * {k % 7} + y[i + {k * 5 % 11}]" for k in range(count)]


def loops(count):
    lines = ["a = x[i]"]
    for k in range(count):
        lines += [f"for k{k} in range(n + {k % 3}):", f"    a = a * 0.5 + y[k{k}] + {k}", "if a > 100.0:", "    a = a - 100.0"]
    return lines + ["y[i] = a"]


def short_whiles(count, left=False):
    """To LLVM each one's count is a matter of those before it: where nothing was asked before a loop, 40 took minutes. `left`: also
    by a return, at the end of a turn."""
    lines = ["t = int(x[i] * 50.0)"]
    for k in range(count):
        lines += [f"while t > {k % 5}:", "    t -= 3"]
        lines += [f"    if t == {k + 30}:", "        y[i] = float(t)", "        return"] if left else []
        lines += [f"t += int(y[(i + {k}) % 64] * 20.0)"]
    return lines + ["y[i] = float(t)"]


def guarded(lines):
    return ["if i < n:"] + ["    " + line for line in lines]


LONG = {"arithmetic": arithmetic(900), "accesses": accesses(500), "loops": loops(130),
        "short while loops": short_whiles(40), "many short while loops": short_whiles(300),
        "short while loops that return": short_whiles(30, left=True),
        "guarded arithmetic": guarded(arithmetic(900)), "guarded accesses": guarded(accesses(500)), "guarded loops": guarded(loops(130))}


def long_kernel(name):
    scope = {"device": device}
    source = "\n    ".join(["def kernel(x, y, n):", "i = device.tid(1)", *LONG[name]])
    exec(compile(source, f"{name}.py", "exec"), scope)
    return scope["kernel"]


@pytest.mark.parametrize("name", LONG)
def test_long_kernel_on_the_host(name):
    threads = 1 if "accesses" in name else 40  # whose elements are those of the next threads
    x, y = (np.random.default_rng(seed).uniform(-1, 1, 600).astype(np.float32) for seed in (1, 2))
    if "loops" in name:
        x, y = x[:64], y[:64]
        threads = 1  # which read what others write
    both(long_kernel(name), x, y, 33, grid=1, block=threads)


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("target, form", [("cuda:sm_90", "ptx"), ("hip:gfx942", "amdgcn")])
def test_long_kernel_on_gpus(name, target, form):
    code = _core.show(_core.capture(long_kernel(name)), form, SIGNATURE, target)
    if form == "ptx" and tools.find_ptxas():
        tools.assemble(code.encode(), "sm_90")
    if name in ("arithmetic", "accesses"):
        assert not re.search(r"^\s*(@\S+\s+)?(bra|s_c?branch)\b", code, re.M), "a jump where the kernel has none"


def chain(count):
    """A function that calls one that calls one, …: too many to be made one."""
    lines = ["def f0(a, b):", "    return a * b + 1.0", ""]
    for k in range(1, count):
        lines += [f"def f{k}(a, b):", f"    if a < {k}:", f"        return f{k - 1}(b, a) * 0.5", f"    return a - b * {k}", ""]
    calls = [f"    t = f{k}(t, x[i])" for k in range(count)]
    scope = {"device": device}
    exec("\n".join([*lines, "def kernel(x, y):", "    i = device.tid(1)", "    t = x[i]", *calls, "    y[i] = t"]), scope)
    return scope["kernel"]


def test_functions_of_a_chain_of_calls_save_no_more_than_one_call_needs():
    code = _core.show(_core.capture(chain(80)), "amdgcn", "(float32[::1], float32[::1])", "hip:gfx942")
    sizes = {name: len(re.findall(r"^\t[a-z]", body, re.M)) for name, body in re.findall(r"^f(\d+)\.body:\n(.*?)^\.Lfunc_end", code, re.M | re.S)}
    assert len(sizes) > 60 and sizes["70"] == sizes["20"] < 50


def shuffling(count):
    """A function whose threads have memory of their own, for which the host has a form without limit."""
    lines = ["def kernel(x, y):", "    i = device.tid(1)", "    a = x[i]", "    own = device.local_array(8, device.int32)",
             "    for k in range(8):", "        own[k] = a + k"]
    lines += [f"    own[(a + {k}) & 7] = own[{k % 8}] * {k % 7 + 1} + (a ^ {k})" for k in range(count)]
    scope = {"device": device}
    exec("\n".join([*lines, "    for k in range(8):", "        y[i, k] = own[k]"]), scope)
    return scope["kernel"]


@pytest.mark.parametrize("count", [50, 500])
def test_memory_of_a_long_kernels_own(count):
    x, y = np.arange(-20, 44, dtype=np.int32), np.zeros((64, 8), np.int32)
    device.kernel(shuffling(count)).on("cpu")[2, 32](x, y)
    a, threads = x.astype(np.uint32), np.arange(64)
    own = a[:, None] + np.arange(8, dtype=np.uint32)
    for k in range(count):
        own[threads, (x + k) & 7] = own[:, k % 8] * np.uint32(k % 7 + 1) + (a ^ np.uint32(k))
    np.testing.assert_array_equal(y, own.view(np.int32))


def reduce(x, out):
    total = 0
    for i in range(x.shape[0]):
        total += x[i] * 3
    out[0] = total


def test_the_hosts_code_does_not_depend_on_what_was_linked_before():
    """lld sets LLVM's options back to what they are when nobody says anything."""
    capture, signature = _core.capture(reduce), "(int32[::1], int32[::1])"
    before = _core.show(capture, "host", signature, "cpu:x86-64-v4")
    _core.compile(capture, signature, "hip:gfx942")
    assert _core.show(capture, "host", signature, "cpu:x86-64-v4") == before
