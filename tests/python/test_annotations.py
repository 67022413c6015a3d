"""What may be written where a type checker reads it, too: device.Array, device.Aligned, device.Struct. What checkers say: tests/types."""

import pickle
import warnings

import pytest

from hetjit import _core, device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")


@device.struct
class Plain:
    x: device.float32
    n: int = 3


@device.struct
class Based(device.Struct):
    x: device.float32
    n: int = 3

    def twice(self):
        return self.x * 2


@pytest.mark.parametrize("element", [device.float32, np.float64, int, device.float32x3, Plain, Based, device.Atomic(int)])
def test_arrays_of_a_type(element):
    of = _core.Type(element)
    assert device.Array[element, :] == _core.array_type(of, 1, False)
    assert device.Array[element, ::1] == _core.array_type(of, 1, True)
    assert device.Array[element, :, :, ::1] == _core.array_type(of, 3, True)
    assert device.Array[element] == _core.array_type(of, 0, False)


def test_arrays_are_the_same_as_slices_of_a_type():
    assert device.Array[device.float32, :, ::1] == device.float32[:, ::1]
    assert device.Array[Plain, :] == Plain[:] != Based[:]


@pytest.mark.parametrize("key", [(device.float32, 3), (device.float32, slice(None, None, 2)), (device.float32, slice(None, None, 1), slice(None))])
def test_axes_are_colons(key):
    with pytest.raises(TypeError, match="written with colons"):
        device.Array[key]


def test_alignments():
    assert device.Aligned[device.float32x3, 16] == device.align(device.float32x3, 16)
    assert device.abi(device.Aligned[Plain, 64]).align == 64
    assert device.Aligned[int, 8](5) == 5
    with pytest.raises((TypeError, ValueError)):
        device.Aligned[int, 3]


def test_annotated_kernels():
    @device.kernel
    def total(bodies: device.Array[Based, :], rows: device.Array[device.float32, :, ::1], anything: device.Array, out: device.float32[:]) -> None:
        out[0] = bodies[0].twice() + bodies[0].n + rows[1, 1] + anything[0]
    out = np.zeros(1, np.float32)
    bodies = np.array([(2.0, 1)], device.numpy_dtype(Based))
    total[1, 1](bodies, np.ones((2, 2), np.float32), np.ones(1, np.int8), out)
    assert out[0] == 7
    with pytest.raises(TypeError, match="rows"):
        total[1, 1](bodies, np.ones((2, 2), np.int16), np.ones(1), out)
    with pytest.raises(TypeError, match="bodies"):
        total[1, 1](np.zeros(1, [("y", np.float32)]), np.ones((2, 2), np.float32), np.ones(1), out)


@pytest.mark.parametrize("cls", [Plain, Based])
def test_values_are_structs(cls):
    value = cls(2.0)
    assert isinstance(value, device.Struct) and issubclass(cls, device.Struct)
    assert value.replace(n=4) == cls(2.0, 4) != value
    assert repr(value) == f"{cls.__name__}(x=np.float32(2.0), n=3)"
    assert pickle.loads(pickle.dumps(value)) == value
    assert device.abi(cls)[:2] == (8, 4)


def test_a_struct_within_another():
    @device.struct
    class Pair(device.Struct):
        first: Based
        second: device.Aligned[device.float32, 16]
    pair = Pair(Based(1.0), 2.0)
    assert pair.replace(second=3.0).second == 3 and pair.first.twice() == 2
    assert device.abi(Pair).fields[1][1] == 16


def test_a_base_alone_makes_no_struct():
    class Undecorated(device.Struct):
        x: int
    with pytest.raises(TypeError, match="Undecorated is no struct yet: decorate it with @device.struct"):
        Undecorated(1)


def test_other_bases_are_refused():
    class Other:
        pass
    for bases in ((Other,), (device.Struct, Other), (Based,), (type(Based(1.0)).__mro__[1],)):
        with pytest.raises((TypeError, AttributeError)):
            device.struct(type("Made", bases, {"__annotations__": {"x": int}}))


def test_a_struct_derived_from_a_struct_that_derives():
    with pytest.raises((TypeError, AttributeError)):
        @device.struct
        class Derived(Based):
            y: int


@pytest.mark.parametrize("annotation, meant", [
    ((device.float64,) * 2, "tuple[device.float64, device.float64]"), ([device.float64], "tuple[device.float64]"),
    ((float, np.float64, Plain), "tuple[float, device.float64, "), ((device.float32[:],), "tuple[device.float32[:]]"),
    ((device.float32x3, int), "tuple[device.float32x3, int]"),
])
def test_types_in_a_tuple_are_no_type(annotation, meant):
    def body(out, c):
        out[0] = c[0]
    body.__annotations__ = {"c": annotation}
    with pytest.raises(TypeError) as caught:
        device.kernel(body)[1, 1](np.zeros(1), (0.1, 0.2))
    assert "the annotation of 'c' is a " in str(caught.value) and meant in str(caught.value)


@pytest.mark.parametrize("annotation", [(float, float), (float, None), (None, None), (1, 2), (), ["a list of numbers"], {"unit": "m"}, np.ndarray])
def test_annotations_of_others_are_left_alone(annotation):
    def body(out, c):
        out[0] = c[0]
    body.__annotations__ = {"c": annotation}
    out = np.zeros(1, np.float32)
    device.kernel(body)[1, 1](out, (0.5, 0.25))
    assert out[0] == 0.5


@pytest.mark.parametrize("other", [None, device.float32x3(1, 2, 3), np.zeros(3), "complex"])
def test_a_tuple_that_nobody_can_annotate_gets_no_change(other):
    def body(out, c):
        out[0] += c[0]
    with pytest.warns(device.PrecisionWarning, match="a Python float in the tuple 'c' of the launch") as told:
        device.kernel(body)[1, 1](np.zeros(1), (0.1, 1j if isinstance(other, str) else other))
    warning, = (each.message for each in told)
    if isinstance(other, str):
        assert "'c: tuple[device.float64, device.complex128]'" in str(warning)
    else:
        assert "pass numpy.float64s" in str(warning) and "annotate" not in str(warning) and not warning.edits


@pytest.mark.parametrize("argument, annotation", [
    ((0.1, 0.2), "tuple[device.float64, device.float64]"), ((0.1, 2), "tuple[device.float64, int]"), (((0.1,), 0.5), "tuple[tuple[device.float64], device.float64]"),
])
def test_the_help_for_a_tuple_is_an_annotation_that_helps(argument, annotation):
    source = "def body(out, c{}):\n    out[0] += c[0]" + "[0]" * isinstance(argument[0], tuple)
    given = {"device": device}
    exec(source.format(""), given)
    out = np.zeros(1)
    with pytest.warns(Warning, match=rf"a Python float in the tuple 'c' of the launch .*\n(.*\n)*.*'c: {annotation.replace('[', '.').replace(']', '.')}', or pass numpy.float64s"):
        device.kernel(given["body"])[1, 1](out, argument)
    assert out[0] == np.float32(0.1)
    exec(source.format(": " + annotation), given)
    out = np.zeros(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        device.kernel(given["body"])[1, 1](out, argument)
    assert out[0] == 0.1


@pytest.mark.parametrize("annotation, told", [
    ("device.flot32[:]", r"'device.flot32\[:\]', is no type: .*did you mean 'device.float32'"), (device.float32(2), "is the number 2.0, no type"),
    (42, "is the number 42, no type"), (True, "is the number True, no type"), ("42", "is the number 42, no type"),
])
def test_what_looks_like_a_type_and_is_none(annotation, told):
    def body(x):
        x[0] = 1
    body.__annotations__ = {"x": annotation}
    with pytest.raises(TypeError, match="the annotation of 'x'.*" + told):
        device.kernel(body)


def test_a_text_that_is_no_expression_is_told_where_the_kernel_is():
    with pytest.warns(UserWarning, match="the annotation of 'x', 'an array', is no type and says nothing") as told:
        @device.kernel
        def plain(x: "an array"):
            x[0] = 1

        @device.kernel(contract=False)
        def with_options(x: "an array"):
            x[0] = 1
    assert [each.filename for each in told] == [__file__] * 2


@pytest.mark.parametrize("annotation", ["torch.Tensor", "Missing[int]", "np.ndarray", "float", "np.missing.T"])
def test_texts_of_others_are_left_alone(annotation):
    def body(x):
        x[0] = 1
    body.__annotations__ = {"x": annotation}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        device.kernel(body)[1, 1](np.zeros(1))
