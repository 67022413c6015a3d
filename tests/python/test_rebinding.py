"""Globals and closures are constants of a compilation; rebinding one compiles again: never a stale answer."""

import sys
import types

import pytest

from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

FACTOR = 2


def helper(x):
    return x + FACTOR


@device.kernel
def use_global(out):
    out[0] = FACTOR


@device.kernel
def use_helper(out):
    out[0] = helper(1)


@device.kernel
def mark(out):
    out[device.tid(1)] = 1


def run(kernel, *args):
    out = np.zeros(1, np.int32)
    kernel[1, 1](out, *args)
    return int(out[0])


def test_globals(monkeypatch):
    assert run(use_global) == 2
    monkeypatch.setattr(sys.modules[__name__], "FACTOR", 7)
    assert run(use_global) == 7
    assert run(use_helper) == 8


def test_alternating_values_compile_twice(monkeypatch):
    kernel = device.kernel(use_global.underlying)
    for value in (2, 7) * 5:
        monkeypatch.setattr(sys.modules[__name__], "FACTOR", value)
        assert run(kernel) == value
    assert kernel.specializations == 2


def test_functions(monkeypatch):
    assert run(use_helper) == 1 + FACTOR
    monkeypatch.setattr(sys.modules[__name__], "helper", lambda x: x * 100)
    assert run(use_helper) == 100


def test_closures():
    def make():
        k = 1

        @device.kernel
        def kernel(out):
            out[0] = k

        def rebind(value):
            nonlocal k
            k = value
        return kernel, rebind

    kernel, rebind = make()
    assert run(kernel) == 1
    rebind(5)
    assert run(kernel) == 5
    other, _ = make()
    assert run(other) == 1 and run(kernel) == 5


def test_names_that_appear_and_go():
    scope = {"device": device}
    exec("def f(out):\n    out[0] = later\n", scope)
    kernel = device.kernel(scope["f"])
    with pytest.raises(device.CompileError, match="'later' is not defined"):
        run(kernel)
    scope["later"] = 3
    assert run(kernel) == 3
    del scope["later"]
    with pytest.raises(device.CompileError, match="'later' is not defined"):
        run(kernel)


def test_builtins_can_be_hidden():
    scope = {"device": device}
    exec("def f(out):\n    out[0] = abs(-4)\n", scope)
    kernel = device.kernel(scope["f"])
    assert run(kernel) == 4
    scope["abs"] = lambda x: 9
    assert run(kernel) == 9


def test_attributes_of_a_users_module():
    config = types.ModuleType("config")
    config.width = 11
    scope = {"device": device, "config": config}
    exec("def f(out):\n    out[0] = config.width\n", scope)
    kernel = device.kernel(scope["f"])
    assert run(kernel) == 11
    config.width = 12
    assert run(kernel) == 12


def test_attributes_that_appear_in_a_users_module():
    config = types.ModuleType("config")
    scope = {"device": device, "config": config}
    exec("def f(out):\n    out[0] = config.width\n", scope)
    kernel = device.kernel(scope["f"])
    for _ in range(2):
        with pytest.raises(device.CompileError, match="width"):
            run(kernel)
    config.width = 12
    assert run(kernel) == 12
    assert kernel.specializations == 1


def test_code_and_defaults_replaced_in_place():
    """What a notebook's autoreload does to the functions of an edited module."""
    scope = {"device": device}
    exec("def helper(x, y=10, *, z=100):\n    return x + y + z\n"
         "def f(out):\n    out[0] = helper(1)\n"
         "def edited(x, y=20, *, z=100):\n    return x - y\n", scope)
    kernel = device.kernel(scope["f"])
    helper, edited = scope["helper"], scope["edited"]
    assert run(kernel) == 111
    helper.__defaults__ = (20,)
    assert run(kernel) == 121
    helper.__kwdefaults__ = {"z": 0}
    assert run(kernel) == 21
    helper.__code__ = edited.__code__
    assert run(kernel) == -19
    exec("def again(out):\n    out[0] = 5\n", scope)
    kernel.underlying.__code__ = scope["again"].__code__
    assert run(kernel) == 5


def test_a_list_in_the_brackets_may_change():
    grid = [1]
    key = (grid, 2)
    out = np.zeros(8, np.int32)
    mark[key](out)
    assert out.tolist() == [1, 1, 0, 0, 0, 0, 0, 0]
    grid[0] = 3
    mark[key](out)
    assert out.tolist() == [1, 1, 1, 1, 1, 1, 0, 0]


def test_many_generations_are_bounded():
    scope = {"device": device}
    exec("def f(out):\n    out[0] = n\n", scope)
    kernel = device.kernel(scope["f"])
    for n in range(1000, 1040):
        scope["n"] = n
        assert run(kernel) == n
    assert kernel.specializations <= 16


def test_one_compilation_per_kind_of_argument():
    @device.kernel
    def f(out, n):
        out[0] = int(n)
    for n in range(10):
        run(f, n)
    assert f.specializations == 1
    run(f, 1.5), run(f, 2.5)
    assert f.specializations == 2
    run(f, np.int32(1)), run(f, np.intc(3))
    assert f.specializations == 3  # a fixed-format int32 is not a builtin int
    run(f, np.longlong(3)), run(f, np.int64(4))
    assert f.specializations == 4  # one format with two type numbers
    run(f, True)
    assert f.specializations == 5
