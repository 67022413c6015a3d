"""Recursion of device functions ("recursion (bounded, with a clear error otherwise)"): CPython, the interpreter and the
host target agree, and too deep is a RecursionError."""

import numpy as np
import pytest

from hetjit import _core, device

import simulate
import tools


def agree(function, *arguments, grid=1, block=1):
    kernel = device.kernel(function)
    python, interpreted, native = (tuple(map(tools.fresh, arguments)) for _ in range(3))
    simulate.run(kernel, grid, block, python)
    _core.interpret(_core.capture(function), interpreted, grid, block)
    kernel[grid, block](*native)
    for p, i, n in zip(python, interpreted, native):
        np.testing.assert_array_equal(i, p)
        np.testing.assert_array_equal(n, p)
    return native


def fails(function, *arguments):
    for run in (lambda: _core.interpret(_core.capture(function), arguments, 1, 1),
                lambda: device.kernel(function)[1, 1](*arguments)):
        with pytest.raises(RecursionError) as found:
            run()
        assert str(found.value) == "maximum recursion depth exceeded"
    return found.value


@device.func
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@device.func
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@device.func
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


@device.func
def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@device.func
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


@device.func
def divide(n, depth):
    """Two results, of which one becomes a float only by way of the recursion."""
    if n <= 1:
        return 0, depth
    steps, deepest = divide(n // 2, depth + 1)
    return steps + 0.5, deepest


def test_one_and_two_functions():
    def kernel(n, out):
        i = device.tid(1)
        out[i, 0] = factorial(n[i])
        out[i, 1] = fibonacci(n[i])
        out[i, 2] = is_even(n[i])
        out[i, 3] = is_odd(n[i])

    agree(kernel, np.arange(12, dtype=np.int64), np.zeros((12, 4), np.int64), grid=3, block=4)


def test_calls_within_calls():
    def kernel(out):
        for m in range(3):
            for n in range(4):
                out[m, n] = ackermann(m, n)

    out, = agree(kernel, np.zeros((3, 4), np.int64))
    assert out[2, 3] == 9


def test_results_that_join_a_wider_type():
    def kernel(n, out):
        steps, deepest = divide(n[0], 0)
        out[0] = steps
        out[1] = deepest

    agree(kernel, np.array([1000]), np.zeros(2))


def test_sorting_by_recursion():
    def kernel(x):
        def sort(low, high):
            if low >= high:
                return
            pivot = x[(low + high) // 2]
            i = low
            j = high
            while i <= j:
                while x[i] < pivot:
                    i += 1
                while x[j] > pivot:
                    j -= 1
                if i <= j:
                    t = x[i]
                    x[i] = x[j]
                    x[j] = t
                    i += 1
                    j -= 1
            sort(low, j)
            sort(i, high)

        sort(0, x.shape[0] - 1)

    x = np.random.default_rng(1).normal(size=2000).astype(np.float32)
    sorted_, = agree(kernel, x)
    assert (np.diff(sorted_) >= 0).all()


def test_depth_is_bounded_and_told():
    def down(n):
        if n <= 0:
            return 0
        return down(n - 1) + 1

    def kernel(n, out):
        out[0] = down(n[0])

    agree(kernel, np.array([127]), np.zeros(1))
    error = fails(kernel, np.array([128]), np.zeros(1))
    line = down.__code__.co_firstlineno
    assert "in 'down', thread (0, 0, 0) of block (0, 0, 0)" in error.__notes__[0]
    assert f"{__file__}:{line + 1}" in error.__notes__[0]


def test_endless_recursion_ends():
    def forever(n):
        if n < 0:
            return 0
        return forever(n + 1)

    def ping(n):
        return pong(n)

    def pong(n):
        ping(n)

    def one(n):
        forever(n[0])

    def two(n):
        ping(n[0])

    fails(one, np.array([0]))
    fails(two, np.array([0]))


def test_an_exception_from_the_depth():
    def dig(n):
        if n == 5:
            raise ValueError(f"rock at {n}")
        dig(n + 1)

    def kernel(n):
        dig(n[0])

    with pytest.raises(ValueError) as found:
        device.kernel(kernel)[1, 1](np.array([0]))
    assert str(found.value) == "rock at 5"
    with pytest.raises(RecursionError):
        device.kernel(kernel)[1, 1](np.array([6]))


def test_an_entry_that_calls_itself():
    snapshot = _core.capture(factorial.underlying)
    assert _core.call(snapshot, (5,)) == 120


@pytest.mark.parametrize("body", ["return f((n,))", "return (f(n - 1),) if n > 0 else (0,)",
                                  "return f(lambda: n)"])
def test_ever_new_types_are_refused(body):
    scope = {}
    exec(compile(f"def f(n):\n    {body}\n", "<made>", "exec"), scope)
    with pytest.raises(device.CompileError) as found:
        _core.show(_core.capture(scope["f"]), "typed", "(int)")
    assert found.value.code in ("E0312", "E0101", "E0210", "E0219"), found.value


def test_errors_inside_are_told_once():
    def f(n, x):
        if n == 0:
            return 0
        return f(n - 1, x) + x

    with pytest.raises(device.CompileError) as found:
        _core.show(_core.capture(f), "typed", "(int, float32[:])")
    assert found.value.code == "E0208" and str(found.value).count("error[") == 1


def test_it_compiles_for_every_gpu():
    def kernel(n, out):
        out[0] = fibonacci(n[0]) + is_even(n[0])

    snapshot = _core.capture(kernel)
    ptx = _core.show(snapshot, "ptx", "(int64[:], int64[:])", "cuda:sm_90", kernel=True)
    assert ".func" in ptx and "hetjit_error" in ptx
    assert "s_swappc_b64" in _core.show(snapshot, "amdgcn", "(int64[:], int64[:])", "hip:gfx942", kernel=True)
    if tools.find_ptxas():
        tools.assemble(ptx.encode(), "sm_90")
