"""What kernels keep alive: nothing that a program has let go, beyond a bounded number of compilations."""

import gc
import sys
import weakref

import pytest

from hetjit import _core, device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")


@device.kernel
def apply(out, f):
    out[0] = f(1)


@device.kernel
def constant(out, n: device.ConstExpr):
    out[0] = n


@device.kernel
def first_of(out, a):
    out[0] = a[0]


def run(kernel, *args):
    out = np.zeros(1)
    kernel[1, 1](out, *args)
    return float(out[0])


def alive(references):
    gc.collect()
    return sum(reference() is not None for reference in references)


def lambdas(count):
    return (eval(f"lambda x: x + {n}") for n in range(count))


def test_functions_as_arguments():
    looked_at = []
    for n, f in enumerate(lambdas(8)):
        assert run(apply, f) == n + 1
        looked_at.append(weakref.ref(f))
    del f
    assert alive(looked_at) == 0
    assert run(apply, lambda x: 7) == 7  # a new function at the address of an old one
    assert [run(apply, f) for f in lambdas(8)] == list(range(1, 9))


def test_closures_as_arguments():
    def adder(n):
        def add(x):
            return x + n
        return add
    looked_at = []
    for n in range(8):
        f = adder(n)
        assert run(apply, f) == n + 1
        looked_at.append(weakref.ref(f))
    del f
    assert alive(looked_at) == 0


def test_functions_that_know_the_kernel():
    looked_at = []
    for n in range(8):
        def make():
            @device.kernel
            def kernel(out, f):
                out[0] = f(n)
            f = lambda x: x + 1
            f.kernel, f.itself = kernel, f
            kernel.function = f
            return kernel, f
        kernel, f = make()
        assert run(kernel, f) == n + 1
        looked_at += [weakref.ref(kernel), weakref.ref(f)]
    del kernel, f, make
    assert alive(looked_at) == 0


def test_kernels_made_in_loops():
    looked_at = []
    for n in range(8):
        def helper(x):
            return x + n

        @device.kernel
        def kernel(out):
            out[0] = helper(1)
        assert run(kernel) == n + 1
        kernel.helper, helper.kernel, kernel.bound = helper, kernel, kernel[1, 1]
        looked_at += [weakref.ref(kernel), weakref.ref(helper)]
    del kernel, helper
    assert alive(looked_at) == 0


def test_classes_of_arguments():
    looked_at = []
    for n in range(10):
        Array, Number = type("Array", (np.ndarray,), {}), type("Number", (int,), {})
        assert run(first_of, np.full(1, n).view(Array)) == n
        assert run(constant, Number(n)) == n
        looked_at += [weakref.ref(Array), weakref.ref(Number)]
    del Array, Number
    assert alive(looked_at) <= 64  # numbers that are constants are kept with what was compiled for them
    assert alive(looked_at[::2]) == 0


def test_struct_classes_as_arguments():
    @device.kernel
    def kernel(out, s, a):
        out[0] = s.f() + a[0].f() + s.x
    looked_at = []
    for n in range(8):
        @device.struct
        class S:
            x: float

            def f(self):
                return self.x + n
        assert run(kernel, S(1.0), np.zeros(1, device.numpy_dtype(S))) == 2 + 2 * n
        assert run(constant_of, S) == n + 1
        looked_at.append(weakref.ref(S))
    del S
    for n in range(300):  # of dtypes some hundred are remembered
        _core.element_of_dtype(np.dtype([(f"x{n}", "f4")]))
    assert alive(looked_at) == 0


@device.kernel
def constant_of(out, T: device.ConstExpr):
    out[0] = T(1.0).f()


@device.kernel
def length(out, text: device.ConstExpr):
    out[0] = len(text)


def test_constants_do_not_pile_up():
    texts = [f"a text {n}" for n in range(70)]
    counts = [sys.getrefcount(text) for text in texts]
    for text in texts:
        assert run(length, text) == len(text)
    more = [sys.getrefcount(text) for text in texts]
    assert more[:-64] == counts[:-64] and more[-64:-1] == [count + 1 for count in counts[-64:-1]]
    assert length.specializations == 64


def test_a_kernel_that_lives_on_lets_go_of_old_globals():
    scope = {}
    exec("def f(out):\n    out[0] = g(1)\n", scope)
    kernel = device.kernel(scope["f"])
    looked_at = []
    for n, scope["g"] in enumerate(lambdas(70)):
        assert run(kernel) == n + 1
        looked_at.append(weakref.ref(scope["g"]))
    assert alive(looked_at) <= 64


def test_an_address_used_again():
    """A class that ends and another at its address are read each in its own way."""
    for n in range(100):
        base = (np.ndarray, int, float, tuple)[n % 4]
        cls = type("Argument", (base,), {})
        value = np.full(1, n).view(cls) if base is np.ndarray else cls((n,) if base is tuple else n)
        assert run(first_of, value) == n if n % 4 in (0, 3) else run(same, value) == n
        del cls, value


@device.kernel
def same(out, x):
    out[0] = x


def test_struct_classes_that_are_made_again():
    """Equal classes are one type, and each lives only as long as something of it does."""
    def look_at(count):
        for _ in range(count):
            @device.struct
            class Single:
                x: device.float32

            @device.kernel
            def read(out, s):
                out[0] = s[0].x
            yield Single
            assert run(read, np.full(2, 2, device.numpy_dtype(Single))) == 2
            assert run(read, np.zeros(1, np.dtype([("x", device.numpy_dtype(Single))])).view(device.numpy_dtype(Single))) == 0
    looked_at = [weakref.ref(cls) for cls in look_at(20)]
    assert alive(looked_at) == 0


def test_a_dtype_keeps_its_own_class():
    def make():
        @device.struct
        class Inner:
            x: device.float32

            def twice(self):
                return 2 * self.x

        @device.struct
        class Outer:
            inner: "Inner"
            y: device.float32
        return Inner, Outer
    Outer = inner = None
    looked_at, hints = [], []
    for n in range(6):
        inner, Outer = make()
        looked_at += [weakref.ref(inner), weakref.ref(Outer)]
        if n in (2, 3, 4):
            hints.append([device.numpy_dtype(Outer), Outer[:], device.align(inner, 16)][n - 2])
    del inner, Outer
    assert alive(looked_at) == 5
    assert [look() is not None for look in looked_at] == [False] * 4 + [True] * 5 + [False] * 3

    @device.kernel
    def use(out, a):
        out[0] = a[0].inner.twice()
    a = np.zeros(1, hints[0])
    a["inner"]["x"] = 4
    assert run(use, a) == 8
    hints.clear()
    del a, use
    assert alive(looked_at) == 0


def test_references_that_others_keep():
    """Weak references of ours outlive what looked at the object, where a program found them."""
    def looked_at():
        return eval("lambda x: x + 5")
    f, out = looked_at(), np.zeros(1)
    kernel = device.kernel(apply.underlying)
    kernel[1, 1](out, f)
    kept = weakref.getweakrefs(f)
    assert kept and out[0] == 6
    del kernel
    gc.collect()
    freed = [bytearray(1) for _ in range(10_000)]  # where what the kernel held may have been
    del f
    gc.collect()
    assert all(reference() is None for reference in kept) and not any(b[0] for b in freed)
