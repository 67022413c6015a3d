"""Arguments, configurations and snapshots made to break things: each is an exception, and the next launch works."""

import random

import pytest

from hetjit import _core, device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import producers


@device.kernel
def put(x, n):
    x[0] = n


def attempt(*arguments, config=(1, 1), kernel=put):
    with pytest.raises(Exception) as caught:
        kernel[config](*arguments)
    assert not isinstance(caught.value, (SystemError, MemoryError)), caught.value
    x = np.zeros(2, np.float32)
    put[1, 1](x, 7)
    assert x.tolist() == [7, 0]


def has(**attributes):
    return type("Hostile", (), {"__repr__": lambda self: f"Hostile({', '.join(attributes)})", **attributes})()


def raises(*_, **__):
    raise LookupError("no")


@pytest.mark.parametrize("thing", [
    has(__dlpack__=None), has(__dlpack__=lambda *a, **k: 5, __dlpack_device__=lambda *a: (1, 0)),
    has(__dlpack__=lambda *a, **k: None, __dlpack_device__=lambda *a: (1, 0)), has(__dlpack__=raises, __dlpack_device__=raises),
    has(__dlpack__=raises, __dlpack_device__=lambda *a: "ab"), has(__dlpack__=raises, __dlpack_device__=lambda *a: (1,)),
    has(__dlpack__=raises, __dlpack_device__=lambda *a: (2**40, 0)), has(__dlpack_c_exchange_api__=5),
    has(__dlpack__=lambda *a, **k: producers.new_capsule(1, b"other", None), __dlpack_device__=lambda *a: (1, 0)),
    has(__cuda_array_interface__=5), has(__cuda_array_interface__={}), has(__cuda_array_interface__=property(raises)),
    has(__cuda_array_interface__={"shape": (2,), "typestr": "<f4", "data": (1, 2, 3)}),
    has(__cuda_array_interface__={"shape": 2, "typestr": "<f4", "data": (16, False)}),
    has(__cuda_array_interface__={"shape": ("a",), "typestr": "<f4", "data": (16, False)}),
    has(__cuda_array_interface__={"shape": (1,) * 9, "typestr": "<f4", "data": (16, False)}),
    has(__cuda_array_interface__={"shape": (2,), "typestr": 7, "data": (16, False)}),
    has(__cuda_array_interface__={"shape": (2,), "typestr": "", "data": (16, False)}),
    has(__cuda_array_interface__={"shape": (2,), "typestr": "<f4", "data": (16, False), "strides": (4, 4)}),
    has(__cuda_array_interface__={"shape": (2,), "typestr": "<f4", "data": (16, False), "strides": "x"}),
    has(__index__=raises), has(__class__=int), type, object(), ..., NotImplemented, put,
    put[1, 1], device, device.float32, np, np.float32, np.dtype("f4"), np.zeros(2, object), np.zeros(2, "V3"), np.zeros(2, "U4"),
    np.zeros(2, [("a", "f4")]), np.rec.array([(1, 2.0)]), memoryview(b"abc"), iter([]), (i for i in range(3)), 2**5000, -2**63,
], ids=lambda x: type(x).__name__)
def test_arguments(thing):
    attempt(thing, 1)
    attempt(np.zeros(2), thing)
    with pytest.raises(Exception):
        put.on("null")[1, 1](thing, 1)


@pytest.mark.parametrize("changes", [
    {"shape": (-1,)}, {"shape": (2**62, 2**62)}, {"strides": (2**62,)}, {"shape": (2**63,)},
])
def test_impossible_arrays(changes):
    attempt(producers.CudaArray(np.zeros(4, np.float32), **changes), 1, kernel=put.on("null"))


@pytest.mark.parametrize("config", [
    None, (), "ab", (None, None), (1, None), ((), ()), ((1, "a"), 1), ({1: 2}, 1), (1, 1, "s"), (1, 1, 2**70), (1, 1, -2**70),
    (1, 1, None, "x"), (1, 1, None, -1), (1, 1, None, 2**31), (has(__index__=raises), 1), (np.zeros(3), 1), (1, [1, [2]]),
    (1, 1, has(__cuda_stream__=raises)), (1, 1, has(__cuda_stream__=lambda self: 5)), (2**31, 2**31),
], ids=repr)
def test_configurations(config):
    attempt(np.zeros(2), 1, config=config)


def test_damaged_snapshots():
    text = _core.capture(put.underlying)
    rng = random.Random(1)
    outcomes = set()
    for _ in range(400):
        at = rng.randrange(len(text))
        damaged = text[:at] + rng.choice(["", "\n", "9", "-", "x", "0 ", '"', "\ud800", "function 1"]) + text[at + rng.randrange(9):]
        try:
            _core.compile(damaged, "(float32[:], int)", "cuda:sm_90")
            outcomes.add("compiled")
        except (ValueError, device.CompileError) as error:
            outcomes.add(type(error).__name__)
    assert outcomes >= {"ValueError", "compiled"}


def test_arguments_that_launch_themselves():
    """A producer that launches the same kernel while it is asked."""
    class Nested(producers.Producer):
        def __dlpack__(self, **options):
            put[1, 1](np.zeros(1, np.int16), 1)
            return super().__dlpack__(**options)
    producer = Nested(np.zeros(3, np.float64))
    put[1, 1](producer, 3)
    assert producer.array[0] == 3 and producer.deleted == 1


def test_objects_that_change_their_names_meaning():
    scope = {}
    exec("def f(x):\n    x[0] = value\n", scope)
    kernel = device.kernel(scope["f"])

    class Turns:
        def __dlpack_device__(self):
            scope["value"] = 9
            return (1, 0)

        def __init__(self, inner):
            self.inner = inner

        def __dlpack__(self, **options):
            return self.inner.__dlpack__(**options)
    scope["value"] = 1
    x = np.zeros(1)
    kernel[1, 1](x)
    kernel[1, 1](Turns(x))
    assert x[0] == 9


def test_text_of_types_that_never_ends():
    from hetjit import _core
    with pytest.raises((TypeError, ValueError), match="nest too deeply"):
        _core.Type("float32" + "[:]" * 100_000)


def test_texts_that_double_are_refused_before_memory_is_full():
    from hetjit import _core, device

    def kernel(out):
        s = "0123456789abcdef"
        s = s + s; s = s + s; s = s + s; s = s + s; s = s + s; s = s + s; s = s + s; s = s + s; s = s + s
        out[0] = len(s)

    with pytest.raises(device.CompileError, match="a string of more than 4096 bytes"):
        _core.show(_core.capture(kernel), "typed", "(int32[:])", kernel=True)
