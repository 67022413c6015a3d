"""What the user's own code raises while a launch asks its arguments is what the launch raises."""

import gc

import pytest

from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import producers
from test_processes import python


class Stop(BaseException):
    pass


ERRORS = [KeyboardInterrupt, SystemExit, Stop, ZeroDivisionError, LookupError]


@device.struct
class Pair:
    a: int
    b: float


@device.kernel
def put(x, n):
    x[0] = n


@device.kernel
def put_float(x, n: device.float64):
    x[0] = n


@device.kernel
def put_int(x, n: device.int16):
    x[0] = n


@device.kernel
def put_complex(x, n: device.complex128):
    x[0] = n.real


@device.kernel
def put_pair(x, n: Pair):
    x[0] = n.a


def has(**attributes):
    return type("Raising", (), attributes)()


class Interface:
    """A CUDA Array Interface of which a part raises."""

    def __init__(self, **changes):
        self.__cuda_array_interface__ = {"shape": (2,), "typestr": "<f4", "data": (4096, False), "version": 3, **changes}


X = np.zeros(2)
ASKED = {
    "grid": lambda r: put[has(__index__=r), 1], "item of a grid": lambda r: put[(1, has(__index__=r)), 1],
    "block": lambda r: put[1, has(__index__=r)], "shared": lambda r: put[1, 1, None, has(__index__=r)],
    "length of a grid": lambda r: put[type("L", (list,), {"__len__": r})([1]), 1],
    "items of a grid": lambda r: put[type("L", (list,), {"__getitem__": r})([1]), 1],
    "stream": lambda r: put[1, 1, has(__cuda_stream__=r)], "stream property": lambda r: put[1, 1, has(__cuda_stream__=property(r))],
    "stream's pointer": lambda r: put[1, 1, has(ptr=property(r))],
    "index": lambda r: put_int[1, 1](X, has(__index__=r)), "float": lambda r: put_float[1, 1](X, has(__float__=r)),
    "index as float": lambda r: put_float[1, 1](X, has(__index__=r)),
    "float as complex": lambda r: put_complex[1, 1](X, has(__float__=r)),
    "complex": lambda r: put_complex[1, 1](X, has(__complex__=r, __float__=r)),
    "field": lambda r: put_pair[1, 1](X, (has(__index__=r), 1.0)), "other field": lambda r: put_pair[1, 1](X, (1, has(__float__=r))),
    "dlpack": lambda r: put[1, 1](has(__dlpack__=r, __dlpack_device__=lambda self: (1, 0)), 1),
    "dlpack device": lambda r: put[1, 1](has(__dlpack__=r, __dlpack_device__=r), 1),
    "number of a device": lambda r: put[1, 1](has(__dlpack__=r, __dlpack_device__=lambda self: (1, has(__index__=r))), 1),
    "cuda": lambda r: put[1, 1](has(__cuda_array_interface__=property(r)), 1),
    "cuda shape": lambda r: put[1, 1](Interface(shape=(has(__index__=r),)), 1),
    "cuda strides": lambda r: put[1, 1](Interface(strides=(has(__index__=r),)), 1),
    "cuda read-only": lambda r: put[1, 1](Interface(data=(4096, has(__bool__=r))), 1),
    "cuda version": lambda r: put[1, 1](Interface(version=has(__index__=r)), 1),
    "class": lambda r: put[1, 1](X, type("Meta", (type,), {"__getattr__": r})("C", (), {})()),
    "attribute": lambda r: put[1, 1](X, has(__getattr__=r)),
    "explain": lambda r: put_int.explain(X, has(__index__=r)), "forall": lambda r: put.forall(has(__index__=r)),
}


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
@pytest.mark.parametrize("asked", ASKED)
def test_it_stays_what_it_is(asked, error):
    def raises(*_, **__):
        raise error("of the user")
    with pytest.raises(error, match="of the user"):
        ASKED[asked](raises)
    put[1, 1](X, 3)
    assert X[0] == 3


INTERRUPTIONS = {
    "class": lambda r: put[1, 1](X, has(__class__=property(r))),
    "text in a message": lambda r: put_int[1, 1](X, type("Big", (int,), {"__repr__": r})(2**40)),
    "annotation": lambda r: annotated(r)[1, 1](X),
    "name": lambda r: named(r)[1, 1](X),
}


def annotated(raises):
    def f(x):
        x[0] = 1
    f.__annotations__ = {"x": has(__hetjit_type__=property(raises), _hetjit_read_only=property(raises))}
    return device.kernel(f)


def named(raises):
    scope = {"T": has(__name__=property(raises))}
    exec("def f(x):\n    x[0] = T\n", scope)
    return device.kernel(scope["f"])


@pytest.mark.parametrize("asked", INTERRUPTIONS)
def test_an_interruption_is_never_lost(asked):
    """Ctrl-C where any other exception only means that there is no such thing."""
    def raises(*_, **__):
        raise KeyboardInterrupt("of the user")
    with pytest.raises(KeyboardInterrupt, match="of the user"):
        INTERRUPTIONS[asked](raises)
    put[1, 1](X, 3)
    assert X[0] == 3


def test_what_no_launch_asks():
    """Constants are compared by identity, and nobody wants to know whether an array is true."""
    def raises(*_):
        raise KeyboardInterrupt
    Asked = type("Asked", (), {name: raises for name in ("__eq__", "__bool__", "__len__", "__float__", "__index__", "__iter__")})
    Asked.__hash__ = raises

    @device.kernel
    def f(x, c: device.ConstExpr):
        x[0] = 5
    with pytest.raises(device.CompileError):
        f[1, 1](X, Asked()) or pytest.fail("an object without meaning is no constant")


def test_the_cause_of_a_type_error_is_told():
    def raises(*_):
        raise TypeError("of the user")
    for ask in (ASKED["grid"], ASKED["index"], ASKED["float"]):
        with pytest.raises(TypeError) as caught:
            ask(raises)
        assert "of the user" in str(caught.value.__cause__)


@pytest.mark.parametrize("borrows", [True, False])
def test_an_exchange_function_that_fails(borrows):
    """It should have set an exception."""
    Exchange = producers.exchange_class(borrows=borrows)
    if borrows:
        Exchange.table.borrow = producers.BORROW(lambda producer, out: -1)
    else:
        Exchange.table.from_object = producers.FROM_OBJECT(lambda producer, out: -1)
    with pytest.raises(BufferError, match="its library would not lend it, and does not say why"):
        put[1, 1](Exchange(np.zeros(3)), 1)


def test_an_interruption_ends_the_call_that_it_came_in(monkeypatch):
    """A launch lets go the kernel that was compiled for a function which has ended: Ctrl-C meanwhile is this launch's."""
    from hetjit.emulation.ptx import machine

    @device.kernel
    def apply(out, f):
        out[0] = f(1)
    out = device.zeros(1, device.float32, "emu:sm_90")
    apply[1, 1](out, eval("lambda x: x + 1"))
    gc.collect()

    def raises(module):
        raise KeyboardInterrupt("of the user")
    with monkeypatch.context() as patch:
        patch.setattr(machine.LoadedProgram, "unload", raises)
        with pytest.raises(KeyboardInterrupt, match="of the user"):
            apply[1, 1](out, eval("lambda x: x + 2"))
    apply[1, 1](out, eval("lambda x: x + 3"))
    assert device.to_numpy(out)[0] == 4


def test_an_interruption_ends_the_type_that_it_came_in():
    """NumPy may be in the middle of its import where a type is made."""
    assert python("""
import sys, types
class Half(types.ModuleType):
    def __getattr__(self, name):
        raise KeyboardInterrupt("of the user")
sys.modules["numpy"] = Half("numpy")
from hetjit import _core
made = []
for make in (lambda: _core.Type("int32"), lambda: _core.vector_type(int, 3)):
    try:
        made.append(make())
    except KeyboardInterrupt as stop:
        made.append(str(stop))
print(made)
""") == "['of the user', 'of the user']\n"
