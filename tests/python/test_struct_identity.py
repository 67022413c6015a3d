"""Which struct classes are one type: each class of a factory is its own, one that is made again as it was goes on as the old."""

import gc
import importlib
import os
import pickle
import subprocess
import sys
import textwrap
import weakref

import pytest

from hetjit import _core, device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

pytestmark = pytest.mark.row("HET-STR-12")


def Quantizer(scale):
    @device.struct
    class Q:
        v: float

        def decode(self):
            return self.v * scale
    return Q


def run(kernel, *args, count=4):
    out = np.zeros(count, np.float64)
    kernel[1, 1](out, *args)
    return out.tolist()


@device.kernel
def decode_first(o, a):
    o[0] = a[0].decode()


def array_of(cls, *values):
    made = np.zeros(1, device.numpy_dtype(cls))
    made[0] = cls(*values)
    return made


def test_a_factory_makes_types():
    A, B = Quantizer(2.0), Quantizer(3.0)

    @device.kernel
    def k(o, x, y):
        o[0] = A(1.0).decode()
        o[1] = B(1.0).decode()
        o[2] = x.decode()
        o[3] = y[0].decode()
    assert A.__hetjit_type__ != B.__hetjit_type__
    assert run(k, A(1.0), array_of(B, 1.0)) == run(k, A(1.0), array_of(B, 1.0)) == [2, 3, 2, 3]
    assert run(k, B(1.0), array_of(A, 1.0)) == [2, 3, 3, 2]


def test_equal_classes_of_a_factory_are_one_type():
    A, B, C = Quantizer(2.0), Quantizer(2.0), Quantizer(np.float32(2.0))
    assert A.__hetjit_type__ == B.__hetjit_type__ != C.__hetjit_type__
    assert A(1.0) == B(1.0) and A(1.0) != Quantizer(3.0)(1.0)

    @device.kernel
    def k(o, n):
        x = A(1.0)
        if n > 0:
            x = B(2.0)
        o[0] = x.decode()
    assert run(k, 1)[0] == 4


def test_messages_tell_them_apart():
    A, B = Quantizer(5.0), Quantizer(6.0)

    @device.kernel
    def k(o, n):
        x = A(1.0)
        if n > 0:
            x = B(2.0)
        o[0] = x.decode()
    with pytest.raises(device.CompileError, match=r"Q(#\d+)? on one path and Q#\d+ on another"):
        run(k, 1)


VARIANTS = {
    "a method": ["def f(self):\n    return self.x + 1", "def f(self):\n    return self.x + 2"],
    "a default of a method": ["def f(self, n=1):\n    return self.x + n", "def f(self, n=2):\n    return self.x + n"],
    "a keyword default": ["def f(self, *, n=1):\n    return self.x + n", "def f(self, *, n=2):\n    return self.x + n"],
    "a constant": ["N = 1\ndef f(self):\n    return self.x + self.N", "N = 2\ndef f(self):\n    return self.x + self.N"],
    "a default of a field": ["y: int = 1\ndef f(self):\n    return self.x + self.y", "y: int = 2\ndef f(self):\n    return self.x + self.y"],
    "a property": ["@property\ndef p(self):\n    return 1\ndef f(self):\n    return self.x + self.p",
                   "@property\ndef p(self):\n    return 2\ndef f(self):\n    return self.x + self.p"],
    "a static method": ["@staticmethod\ndef s():\n    return 1\ndef f(self):\n    return self.x + self.s()",
                        "@staticmethod\ndef s():\n    return 2\ndef f(self):\n    return self.x + self.s()"],
    "a class method": ["@classmethod\ndef c(cls):\n    return 1\ndef f(self):\n    return self.x + self.c()",
                       "@classmethod\ndef c(cls):\n    return 2\ndef f(self):\n    return self.x + self.c()"],
    "a device function": ["@device.func\ndef f(self):\n    return self.x + 1", "@device.func\ndef f(self):\n    return self.x + 2"],
    "a nested function": ["def f(self):\n    g = lambda v: v + 1\n    return g(self.x)",
                          "def f(self):\n    g = lambda v: v + 2\n    return g(self.x)"],
    "zero and minus zero": ["Z = 0.0\ndef f(self):\n    return self.x + (1 if str_of(self.Z) else 2)",
                            "Z = -0.0\ndef f(self):\n    return self.x + (1 if str_of(self.Z) else 2)"],
    "an operator": ["def __add__(self, o):\n    return self.x + 1\ndef f(self):\n    return self + self",
                    "def __add__(self, o):\n    return self.x + 2\ndef f(self):\n    return self + self"],
    "an annotation": ["def g(self, n: device.int8):\n    return n // 64 - 3\ndef f(self):\n    return self.g(-128 + 192 * 1 - 64) + 4",
                      "def g(self, n: device.int16):\n    return n // 64 - 3\ndef f(self):\n    return self.g(-128 + 192 * 1) + 4"],
}


def define(body, space, head=""):
    text = head + "@device.struct\nclass S:\n    x: int\n" + textwrap.indent(body, "    ") + "\n"
    exec(compile(text, "<cell>", "exec"), space)
    return space["S"]


@pytest.mark.parametrize("what", VARIANTS)
def test_what_makes_two_types(what):
    """Both classes of one name in one kernel, as values and as arrays; made again, each is the type that it was."""
    space = {"device": device, "__name__": "cells", "str_of": lambda z: device.float64(1) / z > 0}
    one, two = (define(body, space) for body in VARIANTS[what])
    assert one.__hetjit_type__ != two.__hetjit_type__
    space.update(one=one, two=two)
    exec("def k(o, a, b):\n    o[0] = one(0).f()\n    o[1] = two(0).f()\n    o[2] = a.f()\n    o[3] = b[0].f()\n", space)
    kernel = device.kernel(space["k"])
    assert run(kernel, one(0), array_of(two, 0)) == [1, 2, 1, 2]
    assert run(kernel, two(0), array_of(one, 0)) == [1, 2, 2, 1]
    again = [define(body, space, "# another line\n\n") for body in VARIANTS[what]]
    assert [cls.__hetjit_type__ for cls in again] == [one.__hetjit_type__, two.__hetjit_type__]


def test_what_closures_capture():
    """Functions, types, structs, dtypes, arrays, by what they are: and by another factory's closure in between."""
    def factory(what):
        def helper(v):
            return v * 1 if what is None else v + 1

        @device.struct
        class S:
            x: float

            def f(self):
                return helper(self.x)
        return S
    values = [None, 1, True, 1.0, -0.0, 0.0, "a", (1, 2), (1, (2,)), np.float32(1), np.float64(1), np.float32, device.float32,
              device.float64, np.dtype("f4"), np.dtype("f8"), device, np, Quantizer(1.0), Quantizer(2.0), Quantizer(1.0)(1.0),
              Quantizer(2.0)(1.0), device.float32x2, device.float32x2(1, 2), device.float32x2(1, 3), abs, len, int, slice(1), [1], [1],
              lambda: 1, lambda: 2, range(3), 10**40, 10**40 + 1]
    classes = [factory(value) for value in values + values]
    made = [cls.__hetjit_type__ for cls in classes]
    assert made[:len(values)] == made[len(values):] and len(set(made)) == len(values)


@pytest.mark.parametrize("hint", ["tuple[device.float32, device.float32]", "float | None", "list[int]", "'S'", "device.float32[:]"])
def test_hints_that_are_made_anew_are_the_same(hint):
    space = {"device": device, "__name__": "hints"}
    one, two = (define(f"def f(self, o: {hint} = None):\n    return self.x", space) for _ in range(2))
    assert one is not two and one.__hetjit_type__ == two.__hetjit_type__


def test_a_cell_that_runs_again():
    """Old arrays, values and kernels go on; a kernel of the new cell takes what the old one made."""
    space = {"device": device, "__name__": "__main__"}
    cell = "SCALE * self.x"
    one = define(f"def f(self, o: 'S'):\n    return {cell}\ndef g(self):\n    return S(1).x + self.f(self)", space)
    old = array_of(one, 3)
    space["SCALE"] = 2
    exec("def k(o, a):\n    o[0] = a[0].g()\n    o[1] = S(5).f(S(6))\n    a[0] = S(7)\n", space)
    kernel = device.kernel(space["k"])
    assert run(kernel, old.copy())[:2] == [7, 10]
    two = define(f"def f(self, o: 'S'):\n    return {cell}\ndef g(self):\n    return S(1).x + self.f(self)", space)
    assert two is not one and two.__hetjit_type__ == one.__hetjit_type__ and two(1) == one(1)
    again = device.kernel(space["k"])
    for each in (kernel, again):
        a = old.copy()
        assert run(each, a)[:2] == [7, 10] and a["x"] == 7 and run(each, array_of(two, 3))[:2] == [7, 10]
    space["SCALE"] = 3
    assert run(kernel, old.copy())[:2] == run(again, array_of(two, 3))[:2] == [10, 15]
    edited = define(f"def f(self, o: 'S'):\n    return {cell}\ndef g(self):\n    return self.f(self)", space)
    assert edited.__hetjit_type__ != one.__hetjit_type__ and run(device.kernel(decode_of("g")), array_of(edited, 3))[0] == 9
    with pytest.raises(device.CompileError, match="the parameter 'o' of 'f' takes S#2, not S"):
        run(device.kernel(decode_of("g")), old)  # an annotation is what its name means now


def decode_of(method):
    space = {}
    exec(f"def k(o, a):\n    o[0] = a[0].{method}()\n", space)
    return space["k"]


@pytest.mark.differs("what names mean changes during the test")
def test_the_same_text_in_two_modules():
    """Globals belong to the module: equal text with another global is another type."""
    spaces = [{"device": device, "__name__": "a_script", "N": n} for n in (1, 2)]
    classes = [define("def f(self):\n    return self.x + N", space) for space in spaces]
    arrays = [array_of(cls, 0) for cls in classes]
    kernel = device.kernel(decode_of("f"))
    assert [run(kernel, a)[0] for a in arrays] == [1, 2]
    spaces[0]["N"] = 5
    assert [run(kernel, a)[0] for a in arrays] == [5, 2]


@pytest.mark.differs("what names mean changes during the test")
def test_reload(tmp_path, monkeypatch):
    text = "from hetjit import device\nN = {}\n@device.struct\nclass S:\n    x: int\n    def f(self):\n        return self.x + N\n"
    path = tmp_path / "reloaded_struct.py"
    path.write_text(text.format(1))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    module = importlib.import_module("reloaded_struct")
    old, a = module.S, array_of(module.S, 0)
    kernel = device.kernel(decode_of("f"))
    assert run(kernel, a)[0] == 1
    path.write_text("# more\n" + text.format(20))
    importlib.invalidate_caches()
    importlib.reload(module)
    assert module.S is not old and module.S.__hetjit_type__ == old.__hetjit_type__
    assert run(kernel, a)[0] == run(kernel, array_of(module.S, 0))[0] == 20
    path.write_text(text.format(20).replace("self.x + N", "self.x - N") + "# longer\n")
    importlib.reload(module)
    assert run(kernel, a)[0] == 20 and run(kernel, array_of(module.S, 0))[0] == -20
    del sys.modules["reloaded_struct"]
    path.write_text(text.format(300).replace("self.x + N", "self.x - N") + "# a module of the same name\n")
    fresh = importlib.import_module("reloaded_struct")
    assert run(kernel, array_of(module.S, 0))[0] == -20 and run(kernel, array_of(fresh.S, 0))[0] == -300
    del sys.modules["reloaded_struct"]


def test_a_struct_in_a_struct():
    def factory(inner):
        @device.struct
        class Outer:
            q: inner

            def decode(self):
                return self.q.decode() + inner(1.0).decode()
        return Outer
    A, B = Quantizer(2.0), Quantizer(3.0)
    outer, other, again = factory(A), factory(B), factory(Quantizer(2.0))
    assert outer.__hetjit_type__ == again.__hetjit_type__ != other.__hetjit_type__
    assert outer(Quantizer(2.0)(1.0)) == again(A(1.0))
    with pytest.raises(TypeError, match="field 'q'"):
        outer(B(1.0))
    assert run(decode_first, array_of(outer, A(1.0)))[0] == 4 and run(decode_first, array_of(other, B(1.0)))[0] == 6


def test_variables_that_methods_capture_later():
    """A variable that is assigned behind the class, or again: the classes go apart, and none is taken for the other."""
    def late(value):
        @device.struct
        class S:
            x: int

            def decode(self):
                return self.x + add
        add = value
        return S
    one, two = late(1), late(2)
    assert run(decode_first, array_of(one, 0))[0] == 1 and run(decode_first, array_of(two, 0))[0] == 2

    def rebound(value):
        @device.struct
        class S:
            x: int

            def decode(self):
                return self.x + value

        def rebind(to):
            nonlocal value
            value = to
        return S, rebind
    (one, _), (two, rebind) = rebound(1), rebound(1)
    assert one.__hetjit_type__ == two.__hetjit_type__ and run(decode_first, array_of(two, 0))[0] == 1
    rebind(2)
    with pytest.raises(TypeError, match="several classes"):
        run(decode_first, array_of(two, 0))
    rebind(1)
    assert run(decode_first, array_of(one, 0))[0] == 1


@pytest.mark.differs("what names mean changes during the test")
def test_methods_changed_in_place():
    A = Quantizer(7.0)
    a = array_of(A, 1.0)
    assert run(decode_first, a)[0] == 7
    A.underlying.decode.__code__ = (lambda scale: lambda self: self.v - scale)(0).__code__
    assert run(decode_first, a)[0] == -6


def test_plain_structs_are_known_by_name_and_fields():
    """Whatever else this Python or another keeps in a class; and text of a type is no longer than it must be."""
    class Plain:
        """With a text."""
        x: int
    Plain.__annotate_func__ = Plain.__annotate__ = lambda form: {"x": int}
    Plain.__static_attributes__, Plain.__firstlineno__ = ("x",), 7
    text = device.struct(Plain).__hetjit_type__.text
    assert text == f"struct {__name__}.test_plain_structs_are_known_by_name_and_fields.Plain {{x: weak i32}}"


def test_many_classes_at_one_kernel():
    arrays = [array_of(Quantizer(float(n)), 1.0) for n in range(20)]
    kernel = device.kernel(decode_first.underlying)
    for _ in range(3):
        assert [run(kernel, a)[0] for a in arrays] == list(range(20))
    assert kernel.specializations == 20


def test_classes_end():
    """A class lives as long as something of its type does, and no longer."""
    looked_at = [weakref.ref(Quantizer(float(n))) for n in range(1000)]
    kept = Quantizer(-1.0)
    a = array_of(kept, 3.0)
    ended = weakref.ref(kept)
    hint = kept[:]
    del kept
    gc.collect()
    assert not any(look() for look in looked_at) and ended() is not None
    assert run(decode_first, a)[0] == -3
    assert _core.Type(hint).element.text.startswith("struct ")


def test_copies_in_other_processes(tmp_path):
    """Arrays, values and types of a module's class mean the same where the module is imported anew."""
    (tmp_path / "shared_structs.py").write_text(textwrap.dedent("""
        from hetjit import device
        def factory(n):
            @device.struct
            class S:
                x: int
                def f(self):
                    return self.x + n
            return S
        @device.struct
        class T:
            x: int
            def f(self, by=10):
                return self.x + by
        if __name__ == "__main__":
            import pickle, sys, numpy as np, shared_structs
            S = shared_structs.factory(int(sys.argv[1]))
            types = [S.__hetjit_type__, shared_structs.T.__hetjit_type__]
            sys.stdout.buffer.write(pickle.dumps([[t.text for t in types], types, shared_structs.T(4)]))
        """))
    found = []
    for seed, n in (("1", "5"), ("2", "5"), ("1", "6")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
        done = subprocess.run([sys.executable, str(tmp_path / "shared_structs.py"), n], env=environment, capture_output=True, check=True)
        sys.path.insert(0, str(tmp_path))
        try:
            found.append(pickle.loads(done.stdout))
            import shared_structs
        finally:
            sys.path.remove(str(tmp_path))
    assert found[0][0] == found[1][0] and found[0][0][0] != found[2][0][0] and found[0][0][1] == found[2][0][1]
    assert found[0][1][0] == shared_structs.factory(5).__hetjit_type__ and found[2][1][0] == shared_structs.factory(6).__hetjit_type__
    assert found[0][1][1] == shared_structs.T.__hetjit_type__ and found[0][2] == shared_structs.T(4)


def test_struct_types_in_snapshots():
    A, B = Quantizer(2.0), Quantizer(3.0)
    text = _core.capture(lambda: A(1.0).decode() + B(1.0).decode())
    assert text.count("\nstruct ") == 2 and text.count("member decode") == 2
    assert _core.Type(A.__hetjit_type__.text) == A.__hetjit_type__


def test_structs_of_the_program_in_a_worker_that_was_spawned(tmp_path):
    """Workers know the program's module by another name."""
    script = tmp_path / "program.py"
    script.write_text(textwrap.dedent("""
        import multiprocessing
        import numpy as np
        from hetjit import device

        @device.struct
        class S:
            x: device.float32
            def twice(self):
                return self.x * 2

        @device.kernel
        def k(out, a):
            out[device.tid(1)] = a[device.tid(1)].twice()

        def launched(a):
            out = np.zeros(len(a))
            k[1, len(a)](out, a)
            return out.tolist(), a

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                out, back = pool.apply(launched, (np.ones(2, device.numpy_dtype(S)),))
            print(out, launched(back)[0])
    """))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout == "[2.0, 2.0] [2.0, 2.0]\n", done.stderr
