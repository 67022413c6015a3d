"""What a launch says when it is wrong: the kind of exception and the words."""

import array
import math

import pytest

from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")


@device.kernel
def step(x, n, alpha=1.0):
    i = device.tid(1)
    if i < n:
        x[i] = x[i] * alpha


@device.kernel
def wide(x, n: device.int64, r: device.float64 = 1.0, *, flag: device.uint8 = 1):
    x[0] = n
    x[1] = x[1] * 0 + flag
    x[2] = int(r)


def floats(n=8):
    return np.ones(n, np.float32)


def says(kind, text, call):
    with pytest.raises(kind) as caught:
        call()
    assert text in str(caught.value), str(caught.value)
    return caught.value


@pytest.mark.row("HETX-GEN-2")
@pytest.mark.parametrize("argument, text", [
    ([1.0, 2.0], "step(): argument 'x' is a list; kernels take arrays: x = numpy.array(x, dtype=...) before the launch, which has what the kernel stores"),
    (b"abcd", "is a bytes, a plain buffer; an array in the same memory is device.asarray(x)"),
    (array.array("f", [1.0]), "is an array.array, a plain buffer; an array in the same memory is device.asarray(x)"),
    (memoryview(b"abcd"), "is a memoryview, a plain buffer"),
    ("abc", "is a str; a kernel takes numbers and arrays"),
    ({}, "is a dict; a kernel takes numbers and arrays (any object with __dlpack__ or __cuda_array_interface__)"),
    (np.str_("a"), "is a numpy.str_; that number format has no counterpart"),
    (np.longdouble(1), "is a numpy.longdouble; that number format has no counterpart"),
    (np.ma.array([1.0]), "is a numpy.ma.MaskedArray; a kernel does not see its mask"),
])
def test_wrong_kinds_of_argument(argument, text):
    says(TypeError, text, lambda: step[1, 8](argument, 8))


def test_wrong_counts_and_names():
    says(TypeError, "step() is missing 2 arguments: 'x', 'n'", lambda: step[1, 8]())
    says(TypeError, "step() is missing 1 argument: 'n'", lambda: step[1, 8](floats()))
    says(TypeError, "step() takes 3 arguments by position, 4 were given", lambda: step[1, 8](1, 2, 3, 4))
    says(TypeError, "step() has no parameter 'beta'; its parameters are x, n, alpha",
         lambda: step[1, 8](floats(), 8, beta=2.0))
    says(TypeError, "step() got two values for argument 'n'", lambda: step[1, 8](floats(), 8, n=8))
    says(TypeError, "wide() takes 3 arguments by position, 4 were given", lambda: wide[1, 1](floats(), 1, 1.0, 1))


def test_positional_only_parameters_have_no_keyword():
    @device.kernel
    def f(x, /, n):
        x[0] = n
    says(TypeError, "has no parameter 'x'; its parameters are n", lambda: f[1, 1](x=floats(), n=1))


def stream_of(told):
    return type("Stream", (), {"__cuda_stream__": lambda self: told})()


@pytest.mark.parametrize("config, kind, text", [
    ((1,), TypeError, "step[...] takes grid, block and optionally stream, shared, cooperative, cluster, priority and programmatic, 1 was given; 8 blocks of 256 threads are step[8, 256](...)"),
    (3, TypeError, "1 was given"),
    ((1, 2, None, 0, False, 1, 0, False, 6), TypeError, "9 were given"),
    ((1, 2, None, 0, 5), TypeError, "cooperative is an int; it is True or False"),
    ((2.5, 1), TypeError, "grid is a float; a shape is an int or a tuple of one to three ints"),
    ((1, "x"), TypeError, "block is a str"),
    ((1, ()), ValueError, "block has 0 extents"),
    (((1, 2, 3, 4), 1), ValueError, "grid has 4 extents"),
    ((-1, 1), ValueError, "grid has an extent of -1; extents are positive and fit 32 bits"),
    ((1, (1, 2**32)), ValueError, "block has an extent of 4294967296"),
    ((8, 8, 8), ValueError, "8 is no stream: an int is 0, 1, 2 or the address that a driver has given one; a grid or block of several axes is a tuple: kernel[(8, 8, 8), block]"),
    ((8, (8, 8), 3), ValueError, "3 is no stream"),
    ((8, 8, -1), ValueError, "-1 is no stream"),
    ((8, 8, np.int64(4)), ValueError, "4 is no stream"),
    ((1, 1, object()), TypeError, "a stream is device.Stream(\"cuda:0\"), an int or an object with __cuda_stream__, not an object"),
    ((1, 1, stream_of((7, 1))), ValueError, "Stream has version 7 of __cuda_stream__; version 0 is read"),
    ((1, 1, stream_of(5)), TypeError, "Stream is an int, not a version and a handle"),
    ((1, 1, stream_of((0, 1, 2))), TypeError, "Stream is a tuple, not a version and a handle"),
    ((1, 1, stream_of((0, "1"))), TypeError, "Stream is a tuple, not a version and a handle"),
])
def test_wrong_configurations(config, kind, text):
    says(kind, text, lambda: step[config])


@pytest.mark.parametrize("config, text", [
    ((0, 8), "grid is 0 in x: every dimension must be at least 1"),
    ((1, (8, 0)), "block is 0 in y"),
    ((1, 2000), "block of 2000 threads"),
    ((1, (64, 64)), "block of 4096 threads"),
])
def test_geometry_that_the_device_refuses(config, text):
    error = says(ValueError, text, lambda: step[config](floats(), 8))
    assert str(error).startswith("step(): ")


@pytest.mark.parametrize("n", [2**31, -2**31 - 1, 2**40])
def test_ints_must_fit(n):
    says(OverflowError, f"step(): argument 'n' is {n}, which does not fit int32, the format of a Python int in a kernel; "
                        "annotate the parameter (n: device.int64) or pass numpy.int64(...)",
         lambda: step[1, 8](floats(), n))


def test_what_an_integer_fits():
    says(OverflowError, "annotate the parameter (n: device.int64) or pass numpy.int64(...)", lambda: step[1, 8](floats(), -2**63))
    says(OverflowError, "annotate the parameter (n: device.uint64) or pass numpy.uint64(...)", lambda: step[1, 8](floats(), 2**64 - 1))
    for n in (2**64, 10**400, 10**5000, -2**63 - 1):
        says(OverflowError, "no integer of a kernel has more than 64 bits", lambda: step[1, 8](floats(), n))
    says(device.CompileError, "write device.uint64(18446744073709551615)", lambda: device.kernel(pick)[1, 1](floats(), 1))


def pick(x, i):
    x[0] = (2**64 - 1, 1)[i]


def test_two_classes_of_one_name():
    def factory(kind):
        @device.struct
        class V:
            x: kind
        return V

    wide, narrow = factory(device.float64), factory(device.int32)

    @device.kernel
    def one(v: wide, x):
        x[0] = v.x

    @device.kernel
    def both(x, v, w):
        u = v if x[0] > 0 else w
        x[0] = u.x

    says(TypeError, "argument 'v' is of type V(x: int32); the parameter is annotated with V(x: float64)", lambda: one[1, 1](narrow(1), floats()))
    says(device.CompileError, "V(x: int32)", lambda: both[1, 1](floats(), narrow(1), wide(1)))


def test_floats_must_fit():
    says(OverflowError, "argument 'alpha' is 1e+39, which does not fit float32, the format of a Python float",
         lambda: step[1, 8](floats(), 8, 1e39))
    step[1, 8](floats(), 8, float("inf"))


def test_complex_numbers_must_fit():
    @device.kernel
    def pass_on(x, c, d: device.complex64 = 0j):
        x[0] = 1

    says(OverflowError, "argument 'c' is (1e+39+0j), which does not fit complex64, the format of a Python complex",
         lambda: pass_on[1, 1](floats(), complex(1e39)))
    says(OverflowError, "argument 'd' is 1e+39, which does not fit complex64, the type it is annotated with",
         lambda: pass_on[1, 1](floats(), 1j, 1e39))
    pass_on[1, 1](floats(), complex("inf"), float("inf"))


def test_names_of_devices():
    for ask in (device.use, device.info, device.synchronize):
        says(TypeError, "a device is named by a str like 'cpu' or 'cuda:0', not by an int", lambda: ask(3))


def test_numbers_of_threads():
    says(TypeError, "step.forall(): n is an int, not tuple", lambda: step.forall((8, 8)))
    says(TypeError, "step.forall(): block is an int, not float", lambda: step.forall(8, block=2.0))
    says(ValueError, "step.forall(block=0): a block has at least one thread", lambda: step.forall(8, block=0))


def test_annotated_parameters():
    x = np.zeros(3, np.int64)
    wide[1, 1](x, 2**40, 5.5, flag=200)
    assert x.tolist() == [2**40, 200, 5]
    wide[1, 1](x, np.int8(-3), r=np.float32(2), flag=True)
    assert x.tolist() == [-3, 1, 2]
    says(OverflowError, "which does not fit int64, the type it is annotated with", lambda: wide[1, 1](x, 2**63))
    says(OverflowError, "argument 'flag' is -1, which does not fit uint8", lambda: wide[1, 1](x, 1, flag=-1))
    says(TypeError, "argument 'n' is a float; the parameter is annotated with device.int64",
         lambda: wide[1, 1](x, 1.5))
    says(TypeError, "argument 'r' is a str; the parameter is annotated with device.float64",
         lambda: wide[1, 1](x, 1, "1"))
    says(TypeError, "argument 'n' is a numpy.ndarray", lambda: wide[1, 1](x, x))


@device.kernel
def of_vectors(p: device.float32x3[:]):
    p[0] = p[0] * 2


@device.kernel
def of_rows(p: device.float32[:, :]):
    p[0, 0] = 2


@pytest.mark.parametrize("kernel, shape, dtype, why", [
    (of_vectors, (8, 3), np.float32, "it has 2 axes of float32, not 1 axis of float32x3; "
                                     "as vectors it is p.view(device.numpy_dtype(device.float32x3))[..., 0]"),
    (of_vectors, (24,), np.float32, "an element is float32, not float32x3; as vectors it is p.view(device.numpy_dtype(device.float32x3))"),
    (of_vectors, (8, 4), np.float32, "it has 2 axes of float32, not 1 axis of float32x3"),
    (of_vectors, (8, 3), np.float64, "it has 2 axes of float64, not 1 axis of float32x3"),
    (of_vectors, (2, 8, 3), np.float32, "it has 3 axes of float32, not 1 axis of float32x3"),
    (of_vectors, (8,), np.float64, "an element is float64, not float32x3"),
    (of_rows, (8,), np.float32, "it has 1 axis of float32, not 2 axes of float32; pass p.reshape(…) with 2 axes, or annotate p: device.float32[:]"),
    (of_rows, (), np.float32, "it has 0 axes of float32, not 2 axes of float32"),
    (of_rows, (8, 3), np.float64, "an element is float64, not float32; pass p.astype(numpy.float32), or annotate p: device.float64[:, :]"),
    (of_rows, (8, 3), np.complex64, "an element is complex64, not float32; annotate p: device.complex64[:, :]"),
])
def test_annotated_arrays(kernel, shape, dtype, why):
    p = np.ones(shape, dtype)
    wanted = "float32x3[:]" if kernel is of_vectors else "float32[:, :]"
    error = says(TypeError, f"argument 'p' is a numpy.ndarray; the parameter is annotated with {wanted}: {why}",
                 lambda: kernel[1, 1](p))
    assert str(error).endswith(why)
    _, told, view = str(error).partition("as vectors it is ")
    if told:
        kernel[1, 1](eval(view))
        assert p.reshape(-1)[:4].tolist() == [2, 2, 2, 1]


@device.kernel
def in_order(p: device.float32[::1]):
    p[0] = 2


@device.kernel
def rows_in_order(p: device.float32[:, ::1]):
    p[0, 0] = 2


@device.struct
class Holder:
    p: device.float32[::1]


@device.kernel
def held(h: Holder):
    h.p[0] = 2


@pytest.mark.parametrize("kernel, given, wanted", [
    (in_order, floats(8)[::2], "float32[:]"),
    (in_order, floats(8)[::-1], "float32[:]"),
    (in_order, np.broadcast_to(floats(1), (4,)), "float32[:]"),
    (in_order, device.array(floats(8))[::2], "float32[:]"),
    (in_order, floats(8).reshape(4, 2)[:, 1], "float32[:]"),
    (rows_in_order, floats(6).reshape(2, 3).T, "float32[:, :]"),
    (rows_in_order, floats(6).reshape(2, 3)[:, :2], "float32[:, :]"),
    (rows_in_order, np.asfortranarray(floats(6).reshape(2, 3)), "float32[:, :]"),
])
def test_arrays_that_lie_in_another_order_than_annotated(kernel, given, wanted):
    says(TypeError, "its elements do not lie one behind another in C order; annotate p: " + wanted + ", or pass a copy that does", lambda: kernel[1, 1](given))
    kernel[1, 1](np.array(given, order="C"))


@pytest.mark.parametrize("kernel, given", [
    (in_order, floats(8)[2:7]), (in_order, floats(8)[::2][:1]), (in_order, floats(0)[::2]), (rows_in_order, floats(6).reshape(2, 3)[1:]),
    (rows_in_order, floats(6).reshape(2, 3)[:1, :2]), (rows_in_order, np.asfortranarray(floats(3).reshape(3, 1)))])
def test_arrays_that_lie_in_the_order_annotated(kernel, given):
    if given.size:
        kernel[1, 1](given)
        assert given.reshape(-1)[0] == 2


def test_an_array_of_a_field_that_lies_in_another_order():
    says(TypeError, "argument 'h'.p is a numpy.ndarray", lambda: held[1, 1]((floats(8)[::2],)))


@pytest.mark.parametrize("seed", (2**31, 2**40, 2**63 - 1))
def test_large_seeds_are_told_of_both_formats(seed):
    def drawn(seed, out):
        out[0] = device.random.uniform(seed, 1, 2)
    says(OverflowError, "annotate the parameter (seed: device.int64) or pass numpy.int64(...); what is never negative, a seed, may be a uint64",
                 lambda: device.kernel(drawn)[1, 1](seed, floats(1)))
    found = []
    for wide in (np.int64, np.uint64):
        out = floats(1)
        device.kernel(drawn)[1, 1](wide(seed), out)
        found.append(out[0])
    assert found[0] == found[1] == device.random.uniform(seed, 1, 2)


def test_arrays_that_cannot_be_read():
    says(BufferError, "has dtype >f4, whose bytes are in another machine's order",
         lambda: step[1, 8](floats().astype(">f4"), 8))
    says(BufferError, "has dtype datetime64[s], which no kernel can read",
         lambda: step[1, 8](np.zeros(8, "datetime64[s]"), 8))
    fields = np.zeros(8, [("a", "i1"), ("b", "<f4")])
    says(BufferError, "is not laid out as whole elements: strides (5,)", lambda: step[1, 8](fields["b"], 8))
    says(BufferError, "of float32; pass a copy: x.copy()", lambda: step[1, 8](fields["b"], 8))
    says(BufferError, "has 9 dimensions; a kernel takes at most 8",
         lambda: step[1, 8](np.zeros((1,) * 9, np.float32), 8))


def test_storing_to_a_read_only_array():
    x = floats()
    x.flags.writeable = False
    error = says(BufferError, "read-only", lambda: step[1, 8](x, 8))
    assert isinstance(error, device.CompileError) and error.span.path == __file__


def test_too_many_parameters():
    source = "def many(" + ", ".join(f"a{i}" for i in range(65)) + "): pass"
    scope = {}
    exec(source, scope)
    says(TypeError, "a kernel has at most 64 parameters, not 65", lambda: device.kernel(scope["many"]))
    source = "def large(" + ", ".join(f"a{i}" for i in range(64)) + "): pass"
    exec(source, scope)
    big = np.zeros((1,) * 8, np.float32)
    says(ValueError, "more than the 4096 bytes", lambda: device.kernel(scope["large"])[1, 1](*[big] * 64))


def test_compile_errors_say_where():
    @device.kernel
    def broken(x):
        x[0] = nothing_of_that_name + 1

    error = says(device.CompileError, "'nothing_of_that_name' is not defined",
                 lambda: broken[1, 1](floats()))
    assert error.code == "E0301"
    line = broken.underlying.__code__.co_firstlineno + 2
    assert error.span == (__file__, line, 15, line, 35)
    assert error.span.line == line and error.span.column == 15
    assert "        x[0] = nothing_of_that_name + 1\n" in str(error)
    assert "^^^^" in str(error)
    assert isinstance(error.notes, tuple)


def test_compile_errors_without_source():
    scope = {"device": device}
    exec("def f(x):\n    x[0] = y\n", scope)
    error = says(device.CompileError, "'y' is not defined", lambda: device.kernel(scope["f"])[1, 1](floats()))
    assert error.span.line == 2


def test_an_error_leaves_the_kernel_usable():
    x = floats()
    for _ in range(3):
        says(TypeError, "is a list", lambda: step[1, 8]([1.0], 8))
        says(device.CompileError, "E0", lambda: step[1, 8](x, x))
        step[1, 8](x, 8, 2.0)
    assert (x == 8).all()


def test_errors_of_the_protocols_pass_through():
    class Strange:
        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **options):
            raise ZeroDivisionError("as the producer says")
    says(ZeroDivisionError, "as the producer says", lambda: step[1, 8](Strange(), 8))


def of_small(p: device.bfloat16[:]):
    p[0] = 1


@pytest.mark.parametrize("kernel, made, why", [
    (of_small, lambda: np.ones(3, np.float32), "an element is float32, not bfloat16; annotate p: device.float32[:]"),
    (of_rows.underlying, lambda: device.zeros((8, 3), device.float64), "an element is float64, not float32; annotate p: device.float64[:, :]"),
])
def test_no_method_is_named_that_an_array_has_not(kernel, made, why):
    with pytest.raises(TypeError) as raised:
        device.kernel(kernel)[1, 1](made())
    assert str(raised.value).endswith(why)


@pytest.mark.parametrize("call", ["device.random.uniform(x[0], 0, 1)", "device.random.randint(1, x[0], 0, 0, 5)", "math.comb(x[0], 2)"])
def test_no_change_of_hetjit_itself_is_offered(call):
    given = {"device": device, "math": math}
    exec(f"def kernel(x):\n    x[0] = {call}\n", given)
    with pytest.raises(device.CompileError) as told:
        device.kernel(given["kernel"])[1, 1](np.zeros(1))
    assert not told.value.edits
    assert "\n+" not in str(told.value) and not any(line.lstrip("0123456789 ").startswith("+") for line in str(told.value).splitlines())
