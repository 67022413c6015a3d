"""The names a user writes: decorators, launches, devices, number formats."""

import copy
import math
import pickle

import pytest

import hetjit
from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")


@device.kernel
def scale(a, x, y):
    """Doubles, or so."""
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = a * x[i]


@device.func
def half(x):
    return x / 2


@device.func
def fill(x, value=3):
    x[device.tid(1)] = value


def arrays(n=100):
    return np.arange(n, dtype=np.float32), np.zeros(n, np.float32)


@pytest.mark.row("HETX-GEN-1")
def test_everything_lives_in_device():
    assert device is hetjit.device
    for name in ("kernel", "func", "launch", "tid", "grid_size", "thread_idx", "block_idx", "block_dim", "grid_dim",
                 "float32", "current", "use", "CompileError", "DeviceError"):
        assert hasattr(device, name) and name in device.__all__


@pytest.mark.row("HETX-KF-1")
@pytest.mark.row("HETX-FN-2")
def test_decorated_functions_keep_what_they_were():
    assert scale.underlying.__name__ == scale.__name__ == "scale"
    assert scale.__doc__ == "Doubles, or so." and scale.__module__ == __name__
    assert scale.__wrapped__ is scale.underlying
    assert half.underlying(5) == 2.5
    assert "kernel" in repr(scale) and "func" in repr(half)
    assert repr(half).startswith(f"<device.func {__name__}.half(")


def test_both_forms_of_the_decorators():
    def f(x):
        x[0] = 1
    for made in (device.kernel(f), device.kernel()(f), device.kernel(contract=False, name="g", interop=False)(f)):
        assert isinstance(made, device.Kernel) and made.underlying is f
    assert device.kernel(contract=False)(f).options == {"contract": False}
    assert isinstance(device.func(fastmath=True)(f), device.Function)


@pytest.mark.row("HETX-FN-4")
@pytest.mark.parametrize("decorator", [device.kernel, device.func])
def test_unknown_options_are_errors(decorator):
    with pytest.raises(TypeError, match="has no option 'fastmaths'; its options are .*fastmath"):
        decorator(fastmaths=True)
    with pytest.raises(TypeError, match="a bool is needed, not int"):
        decorator(fastmath=1)
    with pytest.raises(TypeError, match="has no option 'inline'; .* leave the option out"):
        decorator(inline=True)
    with pytest.raises(TypeError, match="has no option 'link'; .* stands where it is declared: device.extern"):
        decorator(link=["scale.o"])


def test_only_functions_are_decorated():
    with pytest.raises(TypeError, match="only a Python function can be compiled, not the builtin len"):
        device.kernel(len)
    with pytest.raises(TypeError, match="decorated already"):
        device.func(scale)
    with pytest.raises(TypeError, match="cannot take"):
        device.kernel(lambda *args: None)
    device.func(lambda *args: None)  # nobody launches it yet


@pytest.mark.row("HETX-KF-3")
def test_launch_is_the_same_as_brackets():
    x, y = arrays()
    scale[4, 32](2.0, x, y)
    z = np.zeros_like(y)
    device.launch(scale, 2.0, x, z, grid=4, block=32)
    assert (y == 2 * x).all() and (z == y).all()
    device.launch(scale, grid=(4,), block=(32, 1, 1), stream=None, shared=0, y=z, x=y, a=1.0)
    assert (z == y).all()
    with pytest.raises(TypeError, match="takes a kernel, not a function"):
        device.launch(scale.underlying, 2.0, x, y, grid=1, block=1)
    with pytest.raises(TypeError, match="missing required keyword-only argument: 'grid'"):
        device.launch(scale, 2.0, x, y, 1, 32)
    with pytest.raises(TypeError, match="missing required keyword-only argument: 'block'"):
        device.launch(scale, 2.0, x, y, grid=1)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        device.launch(grid=1, block=1)


def test_launch_takes_arguments_by_name_beside_its_own():
    @device.kernel
    def place(f, n, *, names=5):
        f[0], f[1] = n, names
    out = np.zeros(2, np.int32)
    device.launch(place, out, n=3, grid=1, block=1)
    assert out.tolist() == [3, 5]
    device.launch(place, names=7, block=1, f=out, shared=0, n=4, cooperative=False, grid=1)  # the kernel's own f
    assert out.tolist() == [4, 7]
    spelled = {"".join(["gr", "id"]): 1, "".join(["bl", "ock"]): 1, "".join(["nam", "es"]): 9}  # not interned
    device.launch(place, out, 6, **spelled)
    assert out.tolist() == [6, 9]
    for wrong in (dict(nothing=1), dict(n=1, f=out), {}):
        with pytest.raises(TypeError, match="place"):
            device.launch(place, out, grid=1, block=1, **wrong)
    with pytest.raises(TypeError, match="grid"):
        device.launch(place, out, 1, grid=1.5, block=1)
    with pytest.raises(ValueError, match="0 in x"):
        device.launch(place, out, 1, grid=0, block=1)


def test_launch_of_a_kernel_with_brackets_of_its_own():
    class Noted(device.Kernel):
        def __getitem__(self, config):
            return lambda *given, **named: noted.append((config, given, named))
    noted, made = [], Noted(lambda x, y: None)
    device.launch(made, 1, grid=2, block=3, y=4)
    device.launch(made, 1, 2, grid=2, block=3)
    made.forall(5)(1, 2)
    device.launch(made, 1, 2, grid=2, block=3, priority=-1)
    assert noted == [((2, 3, None, 0, False), (1,), {"y": 4}), ((2, 3, None, 0, False), (1, 2), {}), ((1, 256, None, 0), (1, 2), {}),
                     ((2, 3, None, 0, False, None, -1, False), (1, 2), {})]


@pytest.mark.row("HETX-KF-4")
@pytest.mark.parametrize("shape", [4, (4,), (4, 1), (4, 1, 1), [4], np.int64(4)])
def test_shapes(shape):
    bound = scale[shape, 32]
    assert bound.grid == (4, 1, 1) and bound.block == (32, 1, 1) and bound.shared == 0
    assert bound.kernel is scale


def test_x_is_the_fastest_axis():
    @device.kernel
    def place(out):
        x, y, z = device.tid(3)
        out[z, y, x] = x + 10 * y + 100 * z
    out = np.zeros((4, 3, 2), np.int32)
    place[(2, 1, 2), (1, 3, 2)](out)
    z, y, x = np.indices(out.shape)
    assert (out == x + 10 * y + 100 * z).all()


def test_bound_kernels_are_reused():
    assert scale[3, 32] is scale[3, 32]
    assert scale[3, 32] is not scale[4, 32]
    grid = 1000
    assert scale[grid, 32] is scale[grid, 32]


def test_forall():
    x, y = arrays(1000)
    scale.forall(len(x))(3.0, x, y)
    assert (y == 3 * x).all()
    scale.forall(0)(3.0, x, y)
    assert scale.forall(1000).grid == (4, 1, 1)
    assert repr(scale.forall(1000)) == "<scale[grid=(4, 1, 1), block=(256, 1, 1)]>"
    with pytest.raises(ValueError, match="cannot be negative"):
        scale.forall(-1)
    for threads, block, grid in ((1, 256, 1), (256, 256, 1), (257, 256, 2), (7, 3, 3), (np.int64(9), np.uint8(4), 3), (True, 1, 1),
                                 (2**31 - 1, 1, 2**31 - 1)):
        bound = scale.forall(threads, block=block)
        assert bound.grid == (grid, 1, 1) and bound.block == (block, 1, 1)
    assert scale.forall(n=5, shared=16, stream=None, block=2).shared == 16
    for wrong in (2**63, 2**100, 2**40):
        with pytest.raises(ValueError, match="fit 32 bits"):
            scale.forall(wrong, block=1)
    for given, named in (((), {}), ((1, 2), {}), ((1,), dict(blocks=3)), (("3",), {}), ((5,), dict(n=6))):
        with pytest.raises(TypeError, match="forall"):
            scale.forall(*given, **named)


@pytest.mark.parametrize("before", [(4, 256), (4, 256, None), ((4, 1), (256, 1, 1)), ((4, 2), 256), (4, (256, 2)), (4, 256, None, 16), (0, 256), (4, 0),
                                    (4, 256, device.Stream("cpu")), (4, 256, None, 0, True), (4, 256, None, 0, False, (2, 1, 1)),
                                    (4, 256, None, 0, False, None, -1), (4, 256, None, 0, False, None, None, True)])
def test_launches_by_name_after_any_other(before):
    @device.kernel
    def spread(out):
        if device.tid(1) == 0:
            out[0] = device.grid_dim.x * device.grid_dim.y * device.block_dim.x * device.block_dim.y
    for n, sizes in ((1000, dict(grid=4, block=256)), (np.int64(1000), dict(grid=np.int32(4), block=256)), (1001, dict(grid=4, block=np.uint16(256)))):
        spread[before]
        bound = spread.forall(n)
        assert (bound.grid, bound.block, bound.shared, bound.stream, bound.cooperative) == ((4, 1, 1), (256, 1, 1), 0, None, False)
        assert (bound.cluster, bound.priority, bound.programmatic) == ((1, 1, 1), None, False)
        for launch in (lambda out: spread.forall(n)(out), lambda out: device.launch(spread, out, **sizes)):
            spread[before]
            out = np.zeros(1, np.int32)
            launch(out)
            assert out[0] == 1024


@pytest.mark.row("HETX-FN-1")
def test_device_functions_on_the_host_and_in_kernels():
    assert half(3) == 1.5
    assert half(x=7) == 3.5

    @device.kernel
    def halves(x, y):
        y[device.tid(1)] = half(x[device.tid(1)])
    x, y = arrays(32)
    halves[1, 32](x, y)
    assert (y == x / 2).all()


def test_device_functions_that_return_none_may_be_launched():
    x = np.zeros(8, np.int32)
    fill[1, 8](x)
    assert (x == 3).all()
    fill[1, 8](x, value=5)
    assert (x == 5).all()


def test_device_functions_are_methods():
    class Body:
        @device.func
        def twice(self, x):
            return 2 * x
    assert Body().twice(4) == 8


def test_kernels_cannot_be_called():
    with pytest.raises(TypeError, match=r"launch it with scale\[grid, block\]"):
        scale(1.0, None, None)


@pytest.mark.row("HETX-TP-1")
@pytest.mark.row("HETX-TP-2")
def test_places_are_unknown_on_the_host():
    for ask in (lambda: device.thread_idx.x, lambda: device.grid_dim[0], lambda: device.tid(1),
                lambda: device.grid_size(2)):
        with pytest.raises(RuntimeError, match="only known inside a kernel"):
            ask()
    with pytest.raises(AttributeError, match="its axes are x, y and z"):
        device.block_idx.w


def test_math_on_the_host():
    assert device.sqrt(2.0) == math.sqrt(2.0) and device.arctan2(1.0, 2.0) == math.atan2(1.0, 2.0)
    assert device.floor(-1.5) == -2.0 and isinstance(device.floor(1), float)
    assert device.rint(2.5) == 2.0 and device.rint(math.inf) == math.inf
    assert math.copysign(1, device.ceil(-0.5)) == -1
    assert device.fma(2.0**53, 2.0**53, 1.0) == 2.0**106 and device.fma(0.1, 10.0, -1.0) == 5.551115123125783e-17
    assert device.fmin(math.nan, 1.0) == 1.0 and device.fmax(2.0, math.nan) == 2.0
    assert device.min(3, 1, 2) == 1 and device.max(1, 2) == 2 and device.abs(-1) == 1
    assert device.rsqrt(4.0) == 0.5


def test_number_formats():
    assert device.float32(1.5).dtype == np.float32
    assert device.int8().dtype == np.int8
    assert device.uint16.itemsize == 2 and device.uint16.kind == "integer" and not device.uint16.signed
    assert repr(device.bool_) == "device.bool_" and device.numpy_dtype(device.bool_) == np.bool_
    assert device.float32 == pickle.loads(pickle.dumps(device.float32)) and device.float32 != device.float64
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")
    assert device.numpy_dtype(device.bfloat16) == ml_dtypes.bfloat16
    assert device.float8e4m3(448).dtype == ml_dtypes.float8_e4m3fn
    with pytest.raises(ValueError, match="no number format is called float31"):
        device.DType("float31")


def test_pickling_by_reference_and_value():
    assert pickle.loads(pickle.dumps(scale)) is scale
    assert pickle.loads(pickle.dumps(half)) is half
    assert pickle.loads(pickle.dumps(device.thread_idx)) is device.thread_idx

    @device.kernel(contract=False)
    def local(x):
        x[0] = 1
    rebuild, arguments = local.__reduce__()
    again = rebuild(*arguments)
    assert again.underlying is local.underlying and again.options == {"contract": False}
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(local)  # as any local function: cloudpickle takes it
    assert copy.copy(scale) is scale


def test_devices():
    assert device.devices()[-1] == "cpu"
    assert device.info("cpu")["target"].startswith("cpu:")
    assert device.info("cpu")["max_threads_per_block"] >= 1024
    before = device.current()
    try:
        assert device.use("cpu") == "cpu" == device.current()
        device.synchronize()
    finally:
        device.use(before)
    with pytest.raises(ValueError, match="toaster"):
        device.use("toaster")
    for vendor in ("cuda", "hip"):
        present = any(name.startswith(vendor) for name in device.devices())
        assert bool(device.why_not(vendor)) != present
        if not present:
            with pytest.raises(device.DeviceError):
                device.use(vendor)


def test_on_a_device():
    x, y = arrays()
    scale.on("cpu")[4, 32](2.0, x, y)
    assert (y == 2 * x).all()
    y[:] = 0
    scale.on("null")[4, 32](2.0, x, y)
    assert (y == 0).all()
    assert scale.on("null") is scale.on("null")
    for wrong in (None, 0, b"cpu", ["cpu"]):
        with pytest.raises(TypeError, match="a device's name is a str, not"):
            scale.on(wrong)


@pytest.mark.parametrize("name", ["other", "with blanks & signs", "ä"])
def test_the_name_of_the_entry(name):
    x, y = arrays()
    device.kernel(name=name)(scale.underlying)[4, 32](2.0, x, y)
    assert (y == 2 * x).all()


def test_errors_pickle():
    with pytest.raises(device.CompileError) as caught:
        scale[1, 1](1.0, 2.0, 3.0)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is device.CompileError and str(again) == str(caught.value)
    assert (again.code, again.span, again.notes) == (caught.value.code, caught.value.span, caught.value.notes)


def test_device_arrays():
    source = np.arange(12, dtype=np.float64).reshape(3, 4)
    made = device.array(source, "null")
    assert made.shape == (3, 4) and made.format == "float64" and made.nbytes == 96 and made.device == "null"
    assert made.ndim == 2 and made.size == 12 and len(made) == 3 and made.dtype == np.float64
    assert (made.copy_to_host() == source).all() and (device.to_numpy(made) == source).all()
    assert "float64" in repr(made)
    scalar = device.array(np.float32(5), "null")
    assert scalar.shape == () and scalar.copy_to_host() == 5
    with pytest.raises(ValueError, match="a buffer of 8 bytes for an array of 96"):
        made.copy_in(bytes(8))
    with pytest.raises(ValueError, match="no element type is called float128"):
        device.DeviceArray((1,), "float128", "null")


def test_what_a_kernel_says_of_itself():
    @device.kernel(contract=False, name="grown")
    def grow(x, by=1, *, times=2):
        x[device.tid(1)] += by * times
    begin = f"<device.kernel {__name__}.test_what_a_kernel_says_of_itself.<locals>.grow(x, by, times), contract=False, name='grown'"
    assert repr(grow) == begin + ">"
    grow[1, 4](np.zeros(4, np.float32))
    one = "(float32[::1], int, int) on cpu"
    assert repr(grow) == begin + f", 1 signature compiled: {one}>" and grow.signatures == (one,)
    grow[1, 4](np.zeros(4), times=3)
    assert repr(grow) == begin + f", 2 signatures compiled: {one}; {one.replace('32', '64')}>"
    for times in (2.0, np.int8(2), np.int16(2)):
        grow[1, 4](np.zeros(4), times=times)
    assert len(grow.signatures) == grow.specializations == 5 and repr(grow).endswith("; and 2 more>")
    assert repr(grow.on("null")) == begin + ", on null>"
    assert repr(device.func(lambda: 0)).endswith("<lambda>()>")


def test_signatures_show_constants():
    @device.func
    def half(value):
        return value * 0.5

    @device.kernel
    def apply(x, f: device.ConstExpr, n: device.ConstExpr):
        x[0] = f(x[0])
    scope = {}
    exec(f"def a{'ä' * 30}(): return 1", scope)
    for value in (3, 4, "a", (1, 2.5), None, np.float32, "x" * 60, scope["a" + "ä" * 30]):
        apply[1, 1](np.zeros(4, np.float32), half, value)
    texts = ("3", "4", '"a"', "(1, 2.5)", "None", "float32", '"' + "x" * 39 + "…", "a" + "ä" * 19 + "…")  # of 40 bytes at most
    assert set(apply.signatures) == {f"(float32[::1], half, {text}) on cpu" for text in texts}


@pytest.mark.parametrize("text", ["(device.float32x3, int)", "(float32x3, int)", "(hetjit.device.float32x3, int)", "(np.float32, int)"])
def test_texts_of_signatures_name_types_as_programs_do(text):
    def f(v, n):
        return v * device.float32(n)
    assert "define" in device.emit(f, text, kind="llvm")
