"""Compiled before the launch: by types or arguments, in threads, for targets that are not here; and what fails leaves nothing behind."""

import gc
import itertools
import subprocess
import sys
import textwrap
import threading
import weakref

import pytest

from hetjit import _core, device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

pytestmark = pytest.mark.differs("counts compilations")
tags = itertools.count(50_000)


def new_kernel(body="a[i] = a[i] * n + TAG", parameters="a, n", **options):
    """A kernel that no other test compiles: a constant of its own."""
    scope = {"device": device, "TAG": next(tags)}
    exec(f"def kernel({parameters}):\n    i = device.tid(1)\n    {body}\n", scope)
    return device.kernel(**options)(scope["kernel"])


class Compilations:
    def __enter__(self):
        self.before = _core.compilations()
        return self

    def __exit__(self, *raised):
        self.count = _core.compilations() - self.before


def launches_without_compiling(kernel, *arguments):
    with Compilations() as compilations:
        kernel[1, 4](*arguments)
    return compilations.count == 0


@pytest.mark.parametrize("types, arguments", [
    ((device.float32[::1], int), (np.ones(4, np.float32), 3)),
    ((device.float32[::1], 3), (np.ones(4, np.float32), 3)),
    ((device.float64[:], float), (np.ones(8)[::2], 2.5)),
    ((device.int32[::1], device.int64), (np.ones(4, np.int32), np.int64(3))),
    ((device.int32[::1], np.int64(7)), (np.ones(4, np.int32), np.int64(3))),
])
def test_by_types(types, arguments):
    kernel = new_kernel()
    with Compilations() as compilations:
        kernel.precompile([types])
    assert compilations.count == 1
    assert launches_without_compiling(kernel, *arguments)


def test_by_arguments():
    kernel = new_kernel()
    a = np.ones(4, np.float32)
    kernel.precompile([(a, 3)])
    assert a.tolist() == [1] * 4, "nothing was launched"
    assert kernel.specializations == 0
    assert launches_without_compiling(kernel, a, 3)


def test_parameters_of_all_kinds():
    kernel = new_kernel("a[i] = x[i] * k + n + TAG", "a, x: device.readonly, n: device.int64, k: device.ConstExpr, *, m=2")
    kernel.precompile([(device.float32[::1], device.float32[::1], int, 5)])
    a, x = np.ones((2, 4), np.float32)
    assert launches_without_compiling(kernel, a, x, 3, 5)
    assert not launches_without_compiling(kernel, a, x, 3, 6)


def test_structs_and_vectors():
    @device.struct
    class Pair:
        x: device.float32
        y: device.float32

        def sum(self):
            return self.x + self.y

    kernel = new_kernel("a[i] = p.sum() + v.x + TAG", "a, p, v")
    kernel.precompile([(device.float32[::1], Pair, device.float32x3)])
    assert launches_without_compiling(kernel, np.ones(4, np.float32), Pair(1, 2), device.float32x3(1, 2, 3))


def test_many_at_once_for_several_targets():
    kernel = new_kernel()
    told = []
    formats = [device.int32, device.int64, device.uint32, device.uint64, device.float32, device.float64]
    with Compilations() as compilations:
        kernel.precompile([(format[::1], int) for format in formats], ["cpu:native", "cuda:sm_90", "hip:gfx942"],
                          progress=lambda done, count: told.append((done, count)))
    assert compilations.count == 18
    assert told == [(done, 18) for done in range(1, 19)]
    with Compilations() as compilations:
        kernel.precompile([(device.int32[::1], int)], "cuda:sm_90")
    assert compilations.count == 0
    assert launches_without_compiling(kernel, np.ones(4, np.uint32), 3)


def test_a_future():
    kernel = new_kernel()
    future = kernel.compile_async(device.float32[::1], n=int)
    assert future.result(60) is kernel
    assert launches_without_compiling(kernel, np.ones(4, np.float32), 3)


def test_a_launch_waits_for_a_compilation_under_way():
    kernel = new_kernel()
    a = np.zeros(4, np.float32)
    with Compilations() as compilations:
        futures = [kernel.compile_async(device.float32[::1], int) for _ in range(4)]
        kernel[1, 4](a, 3)
        for future in futures:
            future.result(60)
    assert compilations.count == 1 and a[0] != 0


def test_python_goes_on_meanwhile():
    """Compiling is done without the GIL."""
    kernels = [new_kernel("for k in range(40):\n        a[i] = a[i] * k + n + device.sin(a[i]) + TAG") for _ in range(4)]
    futures = [kernel.compile_async(device.float32[::1], int) for kernel in kernels]
    steps = 0
    while not all(future.done() for future in futures):
        steps += 1
    assert steps > 100
    for future in futures:
        future.result()


class TestFailures:
    def test_are_raised_and_the_rest_is_compiled(self):
        kernel = new_kernel("a[i] = a[i] @ n + TAG")
        with pytest.raises(device.CompileError, match="@") as caught:
            kernel.precompile([(device.float32[::1], int)])
        assert caught.value.code
        kernel = new_kernel("a[i] += n.x + TAG")
        with pytest.raises(device.CompileError):
            kernel.precompile([(device.float32[::1], device.float32x3), (device.float32[::1], int)])
        assert launches_without_compiling(kernel, np.ones(4, np.float32), device.float32x3(1, 2, 3))

    def test_of_several_are_a_group(self):
        kernel = new_kernel("a[i] = a[i] @ n + TAG")
        with pytest.raises(ExceptionGroup, match="2 of 2 compilations of kernel failed") as caught:
            kernel.precompile([(device.float32[::1], int), (device.float64[::1], int)])
        assert all(isinstance(error, device.CompileError) for error in caught.value.exceptions)

    def test_hold_no_tracebacks(self):
        """An array that was an argument goes with its last user, though somebody keeps the future."""
        class Array(np.ndarray):
            pass
        a = np.ones(4, np.float32).view(Array)
        seen = weakref.ref(a)
        future = new_kernel("a[i] = a[i] @ n + TAG").compile_async(a, 3)
        error = future.exception(60)
        assert isinstance(error, device.CompileError)
        assert (error.__traceback__, error.__context__, error.__cause__) == (None, None, None)
        del a
        for _ in range(3):
            gc.collect()
        assert seen() is None

    @pytest.mark.parametrize("signature, text", [
        (3, "a signature is a tuple of types or arguments, not int"),
        (device.float32, "a signature is a tuple"),
        ((device.float32[::1],), "missing 1 argument: 'n'"),
        ((device.float32[::1], int, int), "takes 2 arguments"),
        (("(float32[::1], int)", 3), "str"),
        ((device.float32[::1], object()), "object"),
    ])
    def test_of_what_is_no_signature(self, signature, text):
        with pytest.raises(TypeError, match=text.replace("(", r"\(").replace("[", r"\[")):
            new_kernel().precompile([signature])

    def test_of_targets_that_there_are_not(self):
        with pytest.raises(ValueError, match="cuda"):
            new_kernel().precompile([(device.float32[::1], int)], "cuda")
        with pytest.raises(device.CompileError, match="sm_999"):
            new_kernel().precompile([(device.float32[::1], int)], "cuda:sm_999")
        for wrong in ("nope", ["nope"], ["cpu", "nope"]):
            with pytest.raises(ValueError, match="nope"):
                new_kernel().precompile([], wrong)
        for right in (None, "cpu:native", ["cuda:sm_90", "hip:gfx942"], []):
            new_kernel().precompile([], right)

    def test_of_a_callback_ends_the_wait(self):
        def progress(done, count):
            raise KeyboardInterrupt
        with pytest.raises(KeyboardInterrupt):
            new_kernel().precompile([(device.float32[::1], int)], progress=progress)


def test_from_many_threads():
    kernel = new_kernel()
    with Compilations() as compilations:
        threads = [threading.Thread(target=kernel.precompile, args=([(device.float32[::1], int), (device.int32[::1], int)],))
                   for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert compilations.count == 2


def test_a_bar_where_it_takes_long(capsys, monkeypatch):
    from hetjit.device import compiling
    monkeypatch.setattr(compiling, "_PATIENCE", -1)
    new_kernel().precompile([(device.float32[::1], int), (device.int32[::1], int)], progress=True)
    said = capsys.readouterr().err
    assert said.startswith("\rcompiling █") and said.endswith("\n") and "1 of 2, " in said and "2 of 2, " in said
    new_kernel().precompile([(device.float32[::1], int), (device.int32[::1], int)])
    assert capsys.readouterr().err == "", "nobody looks at a file"


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="no fork here")
def test_after_a_fork():
    """The child has no threads of its parent's."""
    source = textwrap.dedent("""
        import os, sys
        import numpy as np
        from hetjit import device

        @device.kernel
        def kernel(a, n):
            a[device.tid(1)] = n

        kernel.precompile([(device.float32[::1], int)])
        child = os.fork()
        kernel.precompile([(device.int32[::1], int), (device.float64[::1], int)])
        a = np.zeros(4)
        kernel[1, 4](a, 3)
        assert a.tolist() == [3] * 4
        if child:
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", source], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("signature, name", [((device.float32[:], "text"), "n"), ((device.float32[:], object()), "n"), ((np.ones(3), device.float32[:]), "x"),
                                             ((object(), device.float32[:]), "x")])
def test_what_is_no_type_is_named(signature, name):
    @device.kernel
    def kernel(x, n):
        x[0] = n
    with pytest.raises(TypeError, match=rf"kernel\(\): argument '{name}' is .*, and others are types"):
        kernel.precompile([signature])
