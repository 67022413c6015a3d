"""Globals and closures are constants of a compilation; rebinding one compiles again: never a stale answer."""

import sys
import types
import warnings

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
    for n in range(1000, 1070):
        scope["n"] = n
        assert run(kernel) == n
    assert kernel.specializations == 64


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


def launched(function, *args, **named):
    kernel = function if isinstance(function, device.kernel(lambda x: None).__class__) else device.kernel(function)
    out = np.zeros(1, np.float64)
    kernel[1, 1](out, *args, **named)
    return float(out[0])


def defined(text, **names):
    scope = {"device": device, **names}
    exec(text, scope)
    return scope


def test_defaults_of_the_kernel_itself():
    scope = defined("def f(out, a=1, *, b=10, c=100):\n    out[0] = a + b + c\n")
    kernel, f = device.kernel(scope["f"]), scope["f"]
    bound = kernel[1, 1]
    out = np.zeros(1)
    assert launched(kernel) == 111
    f.__defaults__ = (5,)
    assert launched(kernel) == 115
    f.__kwdefaults__["b"] = 20
    assert launched(kernel) == 125
    f.__kwdefaults__ = {"b": 30, "c": 100}
    assert launched(kernel) == 135 and launched(kernel, 0, c=0) == 30
    bound(out)
    assert out[0] == 135
    f.__defaults__ = (2.5,)
    assert launched(kernel) == 132.5
    f.__defaults__ = None
    with pytest.raises(TypeError, match="missing 1 argument: 'a'"):
        launched(kernel)
    f.__defaults__, f.__kwdefaults__ = (1,), {"b": 10}
    with pytest.raises(TypeError, match="missing 1 argument: 'c'"):
        launched(kernel)
    f.__kwdefaults__["c"] = 4
    assert launched(kernel) == 15
    f.__kwdefaults__ = None
    with pytest.raises(TypeError, match="missing 2 arguments: 'b', 'c'"):
        launched(kernel)


CALLED = {"function": "def h(x, y=1, *, a=2, b=3):\n    return x + 10 * y + 100 * a + 1000 * b\ndef f(out):\n    out[0] = h(0)\n",
          "device function": "@device.func\ndef h(x, y=1, *, a=2, b=3):\n    return x + 10 * y + 100 * a + 1000 * b\n"
                             "def f(out):\n    out[0] = h(0)\n",
          "method": "@device.struct\nclass S:\n    v: int\n    def h(x, y=1, *, a=2, b=3):\n        return x.v + 10 * y + 100 * a + 1000 * b\n"
                    "def f(out):\n    out[0] = S(0).h()\n",
          "argument": "def h(x, y=1, *, a=2, b=3):\n    return x + 10 * y + 100 * a + 1000 * b\ndef f(out, g=h):\n    out[0] = g(0)\n"}


@pytest.mark.parametrize("where", CALLED)
def test_functions_changed_in_place(where):
    scope = defined(CALLED[where])
    h = scope["S"].underlying.h if where == "method" else getattr(scope["h"], "underlying", scope["h"])
    zero = "x.v" if where == "method" else "x"
    kernel = device.kernel(scope["f"])
    assert launched(kernel) == 3210
    h.__defaults__ = (4,)
    assert launched(kernel) == 3240
    h.__kwdefaults__["a"] = 5
    assert launched(kernel) == 3540
    h.__kwdefaults__ = {"a": 6, "b": 7}
    assert launched(kernel) == 7640
    del h.__kwdefaults__["b"]
    with pytest.raises(device.CompileError, match="'b'"):
        launched(kernel)
    h.__kwdefaults__["b"] = 8
    assert launched(kernel) == 8640
    h.__code__ = defined(f"def h(x, q, r=9, *, b):\n    return {zero} + q - r + b\n")["h"].__code__
    h.__defaults__ = (1, 2)
    assert launched(kernel) == 7
    assert launched(kernel) == 7 and kernel.specializations >= 5


def test_code_with_other_parameters():
    scope = defined("def f(out, a):\n    out[0] = a\ndef g(out, x, y=5, *, z=7):\n    out[0] = x + y * z\n"
                    "def h(out):\n    out[0] = 1\ndef all_(*args):\n    pass\n")
    kernel, f = device.kernel(scope["f"]), scope["f"]
    assert launched(kernel, 3) == launched(kernel, a=3) == 3
    f.__code__, f.__defaults__, f.__kwdefaults__ = scope["g"].__code__, (5,), {"z": 7}
    assert launched(kernel, 3) == 38 and launched(kernel, x=3, y=1, z=1) == 4
    with pytest.raises(TypeError, match="no parameter 'a'"):
        launched(kernel, a=3)
    f.__code__ = scope["h"].__code__
    assert launched(kernel) == 1
    f.__code__ = scope["all_"].__code__
    with pytest.raises(TypeError, match=r"\*args"):
        launched(kernel)
    f.__code__, f.__defaults__ = scope["g"].__code__, (5,)
    assert launched(kernel, 3) == 38
    assert "multiply" in kernel.explain(np.zeros(1), 3) or kernel.explain(np.zeros(1), x=3, z=1)


def test_builtins_rebound():
    import builtins
    space = {**vars(builtins)}
    scope = defined("def helper(x):\n    return abs(x)\ndef f(out):\n    out[0] = abs(-4) + helper(-4)\n", __builtins__=space)
    kernel = device.kernel(scope["f"])
    assert launched(kernel) == 8
    space["abs"] = lambda x: 9
    assert launched(kernel) == 18
    space["abs"] = max
    with pytest.raises(device.CompileError):
        launched(kernel)
    del space["abs"]
    with pytest.raises(device.CompileError, match="'abs' is not defined"):
        launched(kernel)
    space["abs"] = abs
    assert launched(kernel) == 8
    scope["abs"] = lambda x: 1
    assert launched(kernel) == 2


def test_names_that_appear_among_builtins(monkeypatch):
    import builtins
    kernel = device.kernel(defined("def f(out):\n    out[0] = hetjit_test_name\n")["f"])
    with pytest.raises(device.CompileError, match="not defined"):
        launched(kernel)
    monkeypatch.setattr(builtins, "hetjit_test_name", 6, raising=False)
    assert launched(kernel) == 6
    monkeypatch.setattr(builtins, "hetjit_test_name", 7)
    assert launched(kernel) == 7


def test_attributes_of_nested_modules():
    package, inner, leaf = (types.ModuleType(name) for name in ("package", "package.inner", "package.inner.leaf"))
    package.inner, inner.leaf, leaf.N, leaf.h = inner, leaf, 3, lambda x: x + 1
    kernel = device.kernel(defined("def f(out):\n    out[0] = package.inner.leaf.h(package.inner.leaf.N)\n", package=package)["f"])
    assert launched(kernel) == 4
    leaf.N = 5
    assert launched(kernel) == 6
    leaf.h = lambda x: x + 100
    assert launched(kernel) == 105
    other = types.ModuleType("package.other")
    other.N, other.h = 1, lambda x: x
    inner.leaf = other
    assert launched(kernel) == 1
    package.inner = types.SimpleNamespace(leaf=other)
    with pytest.raises(device.CompileError):
        launched(kernel)
    package.inner = inner
    assert launched(kernel) == 1


def test_cells_of_called_functions():
    def make():
        k = 1

        def helper():
            return k

        def outer():
            return helper() + 10 * k

        def rebind(value):
            nonlocal k
            k = value
        return outer, rebind
    outer, rebind = make()
    kernel = device.kernel(defined("def f(out, g):\n    out[0] = g()\n")["f"])
    assert launched(kernel, outer) == 11
    rebind(2)
    assert launched(kernel, outer) == 22


def test_explain_sees_new_defaults():
    f = defined("def f(out, a=1):\n    out[0] = a\n")["f"]
    kernel = device.kernel(f)
    kernel.explain(np.zeros(1))
    f.__defaults__ = None
    with pytest.raises(TypeError, match="missing"):
        kernel.explain(np.zeros(1))


def test_what_is_set_on_the_decorated_is_set_on_the_function():
    @device.func
    def scaled(x, by=2, *, shift=0):
        return x * by + shift

    @device.kernel
    def k(o, value=1):
        o[0] = scaled(value)

    out = np.zeros(1)
    k[1, 1](out)
    assert out[0] == 2
    scaled.__defaults__, scaled.__kwdefaults__, k.__defaults__ = (9,), {"shift": 100}, (3,)
    k[1, 1](out)
    assert out[0] == 127 == scaled(3)
    scaled.__code__ = (lambda x, by=2, *, shift=0: x - by).__code__
    k[1, 1](out)
    assert out[0] == -6 == scaled(3)


def rebound_by(scope, how):
    exec(how, {"scope": scope, "key": "".join(["wid", "th"])})


@pytest.mark.parametrize("how", [
    "scope['width'] = 12", "scope[key] = 12", "scope.update(width=12)", "scope |= {'width': 12}", "scope.__setitem__(key, 12)",
    "scope.pop('width'); scope.setdefault(key, 12)", "del scope['width']; scope['width'] = 12", "exec('width = 12', scope)",
    "old = dict(scope); scope.clear(); scope.update(old, width=12)", "exec('global width\\nwidth = 12', scope)",
    "old = dict(scope, width=12); [scope.popitem() for _ in list(scope)]; scope.update(old)", "scope.update([(key, 12)])",
    "class Text(str): pass\nscope.pop('width'); scope[Text('width')] = 12"])
@pytest.mark.parametrize("where", ["globals", "module", "builtins of a scope", "keyword defaults"])
def test_every_way_to_change_a_dict(how, where):
    """Dictionaries are watched, where the interpreter can: each of their methods tells of it."""
    values = {"width": 11}
    scope = {"device": device}
    if where == "globals":
        scope.update(values)
        values = scope
        exec("def f(out):\n    out[0] = width\n", scope)
    elif where == "module":
        module = types.ModuleType("config")
        module.width = 11
        values = vars(module)
        scope["config"] = module
        exec("def f(out):\n    out[0] = config.width\n", scope)
    elif where == "builtins of a scope":
        values.update(vars(__import__("builtins")))
        scope["__builtins__"] = values
        exec("def f(out):\n    out[0] = width\n", scope)
    else:
        exec("def helper(*, width):\n    return width\ndef f(out):\n    out[0] = helper()\n", scope)
        scope["helper"].__kwdefaults__ = values
    kernel = device.kernel(scope["f"])
    for _ in range(2):
        assert run(kernel) == 11
    rebound_by(values, how)
    for _ in range(2):
        assert run(kernel) == 12


def test_other_names_of_the_same_dict(monkeypatch):
    """A loop at module level rebinds its own names all the time, and may rebind the kernel's."""
    scope = {"device": device, "width": 0}
    exec("def f(out):\n    out[0] = width\n", scope)
    kernel = scope["kernel"] = device.kernel(scope["f"])
    scope["run"] = run
    exec("for i in range(100):\n    if i % 10 == 0:\n        width = i\n    assert run(kernel) == i // 10 * 10", scope)


def test_many_names():
    """More than the table of watched names has places."""
    scope = {"device": device}
    count = 3000
    names = [f"name_{i}" for i in range(count)]
    kernels = []
    for first in range(0, count, 1000):
        some = names[first:first + 1000]
        scope.update((name, i) for i, name in enumerate(some))
        exec("def f(out):\n    out[0] = 0\n" + "".join(f"    out[0] += {name}\n" for name in some), scope)
        kernels.append(device.kernel(scope["f"]))
    assert [run(kernel) for kernel in kernels] == [1000 * 999 // 2] * 3
    scope["name_1500"] += 7
    assert [run(kernel) - 1000 * 999 // 2 for kernel in kernels] == [0, 7, 0]


def test_dicts_that_end():
    """What is watched of them ends with the kernels that asked; a dict at the same address is another."""
    for i in range(300):
        scope = {"device": device, "width": i}
        exec("def f(out):\n    out[0] = width\n", scope)
        kernel = device.kernel(scope["f"])
        assert run(kernel) == i
        scope["width"] = i + 1
        assert run(kernel) == i + 1
        del kernel, scope


def test_a_name_that_compiles_again_and_again(recwarn):
    """The warning names it, once; a kernel whose values come round, or that was edited, is not warned of."""
    scope = {"device": device, "STEP": 0, "SCALE": 2}
    exec("def f(out):\n    out[0] = STEP * SCALE + 12345\n", scope)
    kernel = device.kernel(scope["f"])
    for step in range(30):
        scope["STEP"] = step
        assert run(kernel) == 2 * step + 12345
    told = [one for one in recwarn.list if issubclass(one.category, device.RebindingWarning)]
    assert len(told) == 1 and "'f' has been compiled 8 times more because 'STEP' was bound to other values" in str(told[0].message)
    assert "pass what changes as an argument" in str(told[0].message) and told[0].lineno == 1
    recwarn.clear()
    for step in range(30):
        scope["STEP"] = step
        assert run(kernel) == 2 * step + 12345
    for i in range(30):
        scope["STEP"], scope["SCALE"] = (i, 100 + i) if i % 2 else (100 + i, 2)
        run(kernel)
    for i in range(12):
        exec(f"def f(out):\n    out[0] = {i} + 54321\n", scope)
        kernel.underlying.__code__ = scope["f"].__code__
        assert run(kernel) == i + 54321
    assert not [one for one in recwarn.list if issubclass(one.category, device.RebindingWarning)]


def test_the_warning_can_be_an_error():
    scope = {"device": device, "STEP": 0}
    exec("def f(out):\n    out[0] = STEP + 77777\n", scope)
    kernel = device.kernel(scope["f"])
    with warnings.catch_warnings():
        warnings.simplefilter("error", device.RebindingWarning)
        with pytest.raises(device.RebindingWarning, match="'STEP'"):
            for scope["STEP"] in range(30):
                run(kernel)
        assert scope["STEP"] == 8
    assert run(kernel) == 77785
