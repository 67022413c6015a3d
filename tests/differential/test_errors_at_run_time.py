"""PYTEST_DONT_REWRITE: kernels here have asserts of their own.

`assert` and `raise` in kernels and device functions: the host process gets that exception, from the interpreter, from
the host target and from CPython alike ("`assert` and `raise` of built-in exceptions with constant messages, in kernels
and functions, on every target")."""

import builtins
import gc
import os
import re
import subprocess
import sys
import threading

import numpy as np
import pytest

from hetjit import _core, device

import simulate
import tools

CLASSES = ["Exception", "ArithmeticError", "AssertionError", "AttributeError", "BufferError", "EOFError",
           "FloatingPointError", "ImportError", "IndexError", "KeyError", "LookupError", "MemoryError", "NameError",
           "NotImplementedError", "OSError", "OverflowError", "RecursionError", "ReferenceError", "RuntimeError",
           "StopIteration", "SystemError", "TimeoutError", "TypeError", "UnboundLocalError", "ValueError",
           "ZeroDivisionError"]


def caught(run):
    with pytest.raises(BaseException) as found:
        run()
    assert not isinstance(found.value, (device.CompileError, device.DeviceError)), found.value
    return found.value


def on_all(function, *arguments, grid=1, block=1):
    """The exception of each of the three ways; what the two compiled ones leave in the arrays must agree."""
    kernel = device.kernel(function)
    python, interpreted, native = (tuple(map(tools.fresh, arguments)) for _ in range(3))
    found = [caught(lambda: simulate.run(kernel, grid, block, python)),
             caught(lambda: _core.interpret(_core.capture(function), interpreted, grid, block)),
             caught(lambda: kernel[grid, block](*native))]
    for a, b in zip(interpreted, native):
        np.testing.assert_array_equal(a, b)
    assert len({(type(e), str(e), repr(e.args)) for e in found}) == 1, found
    return found


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_and_message(name):
    scope = {}
    exec(f"def bare(x):\n    raise {name}\n"
         f"def empty(x):\n    raise {name}()\n"
         f"def told(x):\n    if x[0] > 0:\n        raise {name}('it is positive: \u00e9')\n", scope)
    x = np.ones(1, np.float32)
    for function in (scope["bare"], scope["empty"], scope["told"]):
        assert type(on_all(function, x)[2]) is getattr(builtins, name)


def test_asserts_with_and_without_messages():
    def silent(x):
        assert x[0] > 1

    def told(x):
        assert x[0] > 1, "too small"

    def with_number(x):
        i = 7
        assert x[0] > 1, f"x[0] is {x[0]:.3f}, i is {i}"

    def never(x):
        assert False

    x = np.ones(1)
    for function in (silent, told, with_number, never):
        assert type(on_all(function, x)[2]) is AssertionError


def test_asserts_that_hold_say_nothing():
    def kernel(x, out):
        i = device.tid(1)
        assert i < x.shape[0], "beyond the end"
        assert True
        assert x.dtype == np.float32
        out[i] = x[i] * 2

    x, out = np.arange(6, dtype=np.float32), np.zeros(6, np.float32)
    device.kernel(kernel)[2, 3](x, out)
    np.testing.assert_array_equal(out, x * 2)


def test_a_constant_true_assert_is_no_code():
    def kernel(x):
        assert True
        assert x.ndim == 1, "a vector is wanted"
        x[0] = 1

    assert "raise" not in _core.show(_core.capture(kernel), "typed", "(float32[:])", kernel=True)


@device.func
def root(v):
    if v < 0:
        raise ValueError("no root")
    return v ** 0.5


@device.func
def twice(v):
    assert v < 100, "large"
    return root(v) + root(v), v


def test_functions_that_fail_end_their_callers():
    def kernel(x, out):
        i = device.tid(1)
        out[i] = 1
        a, b = twice(x[i])
        out[i] = a + b

    def nested(x, out):
        def inner(v):
            def innermost(w):
                if w > 3:
                    raise IndexError("deep")
                return w
            return innermost(v) + 1
        for i in range(len(x)):
            out[i] = inner(x[i])

    for function, wrong in ((kernel, -1.0), (kernel, 200.0), (nested, 4.0)):
        x = np.array([1, 2, wrong], np.float32)
        grid = 3 if function is kernel else 1
        on_all(function, x, np.zeros(3, np.float32), grid=grid)
    out = np.zeros(3, np.float32)
    with pytest.raises(ValueError):
        device.kernel(kernel)[1, 3](np.array([1, -1, 4], np.float32), out)
    assert out.tolist() == [3, 1, 8]  # the other threads have done their work


def test_in_loops():
    def kernel(x, out):
        for i in range(10):
            out[i] = i
            while x[i] > 0:
                if i == 7:
                    raise OverflowError("seven")
                break
        else:
            raise RuntimeError("no seven")

    on_all(kernel, np.ones(10), np.zeros(10))
    on_all(kernel, np.zeros(10), np.zeros(10))


def test_the_note_says_where():
    def kernel(x):
        if device.tid(1) == 37:
            raise ValueError("it")

    with pytest.raises(ValueError, match="^it") as found:
        device.kernel(kernel)[10, 8](np.zeros(1))
    line = kernel.__code__.co_firstlineno + 2
    note, = found.value.__notes__
    assert note == f"raised by kernel 'kernel' at {__file__}:{line}, thread (5, 0, 0) of block (4, 0, 0)"


def test_the_note_of_a_function_names_it_and_all_axes():
    def kernel(x):
        if device.thread_idx.y == 2 and device.thread_idx.z == 1 and device.block_idx.y == 3:
            root(x[0])

    with pytest.raises(ValueError) as found:
        device.kernel(kernel)[(2, 4, 2), (1, 3, 2)](-np.ones(1))
    note, = found.value.__notes__
    assert re.search(r"'kernel' at .*test_errors_at_run_time.py:\d+ in 'root', thread \(0, 2, 1\) of block "
                     r"\([01], 3, [01]\)$", note), note


def test_big_grids_end_and_tell_one_thread():
    def kernel(x):
        if device.tid(1) % 3 == 1:
            raise ValueError("a third")
        x[device.tid(1)] = 1

    x = np.zeros(300_000, np.int32)
    with pytest.raises(ValueError, match="a third") as found:
        device.kernel(kernel)[1000, 300](x)
    assert len(found.value.__notes__) == 1
    assert x.sum() == 200_000


def test_a_launch_after_an_error_is_a_new_one():
    @device.kernel
    def kernel(x):
        if x[0] > 0:
            raise ValueError(f"{x[0]}")

    for value in (1, 0, 2, 0):
        x = np.array([value], np.int32)
        if value:
            with pytest.raises(ValueError, match=f"^{value}\n"):
                kernel[1, 1](x)
        else:
            kernel[1, 1](x)


def test_threads_of_python_get_their_own_errors():
    @device.kernel
    def kernel(x):
        raise ValueError(f"{x[0]}")

    kernel_errors = {}

    def work(number):
        for _ in range(50):
            try:
                kernel[4, 4](np.array([number], np.int32))
            except ValueError as error:
                kernel_errors.setdefault(number, set()).add(str(error))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert kernel_errors == {n: {str(n)} for n in range(4)}


def test_nothing_leaks():
    @device.kernel
    def kernel(x):
        raise ValueError("again")

    x = np.zeros(1)

    def fail():
        try:
            kernel[1, 1](x)
        except ValueError:
            pass

    fail()
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(200):
        fail()
    gc.collect()
    assert len(gc.get_objects()) - before < 50


def test_a_device_function_called_on_the_host_is_python():
    with pytest.raises(ValueError, match="no root"):
        root(-1.0)


def test_numbers_in_messages_are_those_of_the_device():
    def kernel(a, b, c, d, e):
        raise ValueError(f"{a[0]} {b[0]} {c[0]:5d}|{d[0]:>10.3e}|{e[0]}", )

    arguments = (np.array([-3], np.int8), np.array([2**64 - 1], np.uint64), np.array([-42], np.int64),
                 np.array([1 / 3], np.float64), np.array([True]))
    assert str(on_all(kernel, *arguments)[2]) == "-3 18446744073709551615   -42| 3.333e-01|True"


# CPython's own text of a float32 in an f-string is that of the double it equals.
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floats_have_the_shortest_text_that_reads_back(dtype):
    def kernel(x):
        raise ValueError(f"{x[0]}")

    info = np.finfo(dtype)
    for value in [0.1, 1 / 3, -0.0, 1e-5, 65504, 123456, info.max, info.tiny, info.smallest_subnormal, np.nan, np.inf,
                  -np.inf]:
        with np.errstate(all="ignore"):
            x = np.array([value], dtype)
        for run in (lambda: _core.interpret(_core.capture(kernel), (x,), 1, 1), lambda: device.kernel(kernel)[1, 1](x)):
            assert str(caught(run)) == repr(float(str(x[0]))), value


def test_signatures_that_only_raise_compile_for_every_target():
    def kernel(x):
        i = device.tid(1)
        assert i < x.shape[0], "beyond"
        if x[i] < 0:
            raise ValueError(f"{x[i]} at {i}")
        x[i] = root(x[i])

    snapshot = _core.capture(kernel)
    ptx = _core.show(snapshot, "ptx", "(float32[:])", "cuda:sm_90", kernel=True)
    assert ".visible .global .align 8 .b8 hetjit_error[552]" in ptx and "trap" not in ptx
    assert ptx.count(".func") == 0
    amd = _core.show(snapshot, "amdgcn", "(float32[:])", "hip:gfx942", kernel=True)
    assert "hetjit_error" in amd and "s_trap" not in amd


def test_a_kernel_that_does_not_raise_has_nothing_of_it():
    def kernel(x):
        x[device.tid(1)] = 1

    for phase, target in (("llvm", "cpu:x86-64-v3"), ("ptx", "cuda:sm_90"), ("amdgcn", "hip:gfx942")):
        text = _core.show(_core.capture(kernel), phase, "(float32[:])", target, kernel=True)
        assert "hetjit_" not in text.replace("@hetjit_attention", "")  # which goes where no loop looks at it


def test_ctrl_c_still_stops_a_kernel_that_may_raise():
    program = """
import numpy as np, signal, threading, os, time
from hetjit import device
@device.kernel
def kernel(x, n):
    s = 0
    for i in range(n):
        assert x[0] == 0, "never"
        s += i ^ int(x[0])
    x[device.tid(1) % 2] = s * 0
x = np.zeros(2, np.int32)
kernel[1, 1](x, 1)
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    kernel[100000000, 1](x, 1000)
except KeyboardInterrupt:
    print("stopped")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": ":".join(sys.path)})
    assert done.stdout == "stopped\n", done.stderr


@pytest.mark.parametrize("stream", [None, 0x7000])
def test_an_asynchronous_launch_is_asked_at_the_synchronisation(stream):
    """On the null device, whose memory stays as it is: nobody has raised, whatever the kernel would have done."""
    @device.kernel
    def kernel(x):
        print("never run")
        raise ValueError("never run")

    x = np.zeros(1)
    launch = kernel.on("null")[1, 1] if stream is None else kernel.on("null")[1, 1, stream]
    for _ in range(3):
        launch(x)
    del kernel, launch
    gc.collect()
    device.synchronize("null", stream)
    device.synchronize("null", stream)


@pytest.mark.parametrize("body, says", [
    ("raise", "cannot raise an exception again"),
    ("raise ValueError('a') from TypeError('b')", "cannot raise an exception 'from' another"),
    ("raise x[0]", "cannot raise float32"),
    ("raise int", "cannot raise the type int"),
    ("raise Mine", "cannot raise 'Mine'"),
    ("raise Mine('x')", "'Mine' cannot be used"),
    ("raise ValueError(1, 2)", "'ValueError' takes 0 to 1 argument"),
    ("raise ValueError(x)", "has no text"),
    ("assert x, 'an array'", "neither true nor false"),
    ("assert x[0] > 0, f'{x[0]:q}'", "'q' is no format of float32"),
    ("y = ValueError('x')\n    x[0] = y", "ValueError"),
])
def test_what_cannot_be_raised_is_said(body, says):
    scope = {"Mine": type("Mine", (Exception,), {})}
    exec(compile(f"def kernel(x):\n    {body}\n", "<made>", "exec"), scope)
    with pytest.raises(device.CompileError) as found:
        _core.show(_core.capture(scope["kernel"]), "typed", "(float32[:])")
    assert says in str(found.value)


def quiet(x, n, out):
    i = device.tid(1)
    big = x[i] > 3
    if (big ^ big) and x[i] < n and x[i] > 2 and big:
        raise ValueError
    if (big ^ big) and x[i] < n:
        print("never", x[i])
    out[i] = x[i]


def test_what_turns_out_to_be_out_of_reach():
    """A condition that only folding finds to be false: nothing is raised, and the image has nothing to say."""
    x, out, again = np.array([1, 5, 9], np.int8), np.zeros(3, np.int8), np.zeros(3, np.int8)
    device.kernel(quiet)[1, 3](x, 100, out)
    _core.interpret(_core.capture(quiet), (x, 100, again), 1, 3)
    assert out.tolist() == again.tolist() == [1, 5, 9]
    text = _core.show(_core.capture(quiet), "optimized", "(int8[::1], int, int8[::1])")
    assert "raise" not in text and "print" not in text and "branch" not in text
