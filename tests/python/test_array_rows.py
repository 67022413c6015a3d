"""Arrays at the launch, row by row of the requirements: which objects are taken, with which elements, and how they are given back."""

import array as standard_array
import sys
import warnings

import pytest

from hetjit import _core, device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import producers
from producers import Producer

# name -> DLPack's code
ELEMENTS = {"bool": 6, "int8": 0, "int16": 0, "int32": 0, "int64": 0, "uint8": 1, "uint16": 1, "uint32": 1, "uint64": 1,
            "float16": 2, "float32": 2, "float64": 2, "complex64": 5, "complex128": 5,
            "bfloat16": 4, "float8e4m3": 10, "float8e5m2": 12, "float8e4m3fnuz": 11, "float8e5m2fnuz": 13}
SMALL = ("bfloat16", "float8e4m3", "float8e5m2", "float8e4m3fnuz", "float8e5m2fnuz")


@device.kernel
def copy(x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = x[i]


@device.kernel
def total(x, out):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            s += x[i, j]
    out[0] = s


def numbers(name):
    """Eight numbers of a type; of those that NumPy lacks, their bits."""
    if name in SMALL:
        return (np.arange(8) + 0x30).astype(np.uint16 if name == "bfloat16" else np.uint8)
    return (np.arange(8) % (2 if name == "bool" else 8)).astype("bool" if name == "bool" else name)


@pytest.mark.row("HET-ARR-1", "HET-ARR-11")
@pytest.mark.parametrize("name", ELEMENTS)
def test_tensors_of_every_element_type(name):
    x = numbers(name)
    y = np.zeros_like(x)
    dtype = (ELEMENTS[name], 8 * x.itemsize, 1)
    copy[1, 8](Producer(x, dtype=dtype), Producer(y, dtype=dtype))
    assert x.tobytes() == y.tobytes() and y.any()
    if name not in SMALL:
        z = np.zeros_like(x)
        copy[1, 8](x, z)
        assert x.tobytes() == z.tobytes()
        copy.on("null")[1, 8](producers.CudaArray(x), producers.CudaArray(z))


@pytest.mark.row("HET-ARR-11")
@pytest.mark.parametrize("name", SMALL)
def test_numpys_arrays_of_small_floats(name):
    pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")
    x = np.arange(8).astype(device.numpy_dtype(getattr(device, name)))
    y = np.zeros_like(x)
    copy[1, 8](x, y)
    assert x.tobytes() == y.tobytes() and y.any()


def looks_of(y):
    """All that another could see of an array, its elements aside."""
    return type(y), id(y), y.ctypes.data, y.shape, y.strides, y.dtype, str(y.flags), id(y.base), sorted(vars(y)) if hasattr(y, "__dict__") else ""


class Named(np.ndarray):
    """A subclass with an attribute of its own."""


@pytest.mark.row("HET-ARR-2")
@pytest.mark.parametrize("given", ["plain", "view", "backwards", "fortran", "subclass"])
def test_the_array_stays_its_producers_own(given):
    """So all of the Array API is there on the host: what is launched with is NumPy's object, not one of ours, and not a copy."""
    memory, x = np.zeros(16), np.arange(8.0)
    y = {"plain": memory[:8].copy(), "view": memory[::2], "backwards": memory[::-2], "fortran": np.zeros((8, 1), order="F")[:, 0],
         "subclass": memory[:8].view(Named)}[given]
    if given == "subclass":
        y.name = "kept"
    before, references = looks_of(y), sys.getrefcount(y)
    for _ in range(3):
        copy[1, 8](x, y)
    assert looks_of(y) == before and sys.getrefcount(y) == references
    assert np.__array_api_version__ >= "2023.12"
    namespace = y.__array_namespace__(api_version="2023.12")
    assert namespace is np and namespace.sum(namespace.astype(y, namespace.float32)) == 28
    assert given != "view" or (memory[::2] == x).all() and not memory[1::2].any()  # what owns the memory sees it


@pytest.mark.row("HET-ARR-2")
def test_tensors_of_others_stay_theirs():
    """What the kernel stores is seen through the producer's own array."""
    y = Producer(np.zeros(8))
    before, own = set(vars(y)), y.array
    copy[1, 8](np.arange(8.0), y)
    assert set(vars(y)) == before and y.array is own and own.tolist() == list(range(8))


# ---- which objects are taken


class OnlyArray:
    def __array__(self, dtype=None, copy=None):
        return np.ones(8)


@pytest.mark.row("HET-ARR-14")
@pytest.mark.parametrize("thing", [OnlyArray(), bytearray(64), memoryview(bytearray(64)), b"12345678",
                                   standard_array.array("d", [1.0] * 8)], ids=lambda t: type(t).__name__)
def test_objects_that_opted_into_nothing_are_refused(thing):
    with pytest.raises(TypeError, match=r"copy\(\): argument 'x' is an? "):
        copy[1, 8](thing, np.zeros(8))


@pytest.mark.row("HET-ARR-14")
def test_objects_that_opted_in_are_taken():
    x = np.arange(8.0)
    copy[1, 8](Producer(x), np.zeros(8))
    on_null = copy.on("null")
    on_null[1, 8](producers.CudaArray(x), producers.CudaArray(x))
    on_null[1, 8](producers.CudaArray(x, version=2), producers.CudaArray(x))
    for version in (0, 1, None):
        with pytest.raises(BufferError, match=f"has version {version or 0} of the CUDA Array Interface; 2 and 3 are read"):
            on_null[1, 8](producers.CudaArray(x, version=version), producers.CudaArray(x))
    with pytest.warns(RuntimeWarning, match="has version 4 of the CUDA Array Interface; it is read as version 3"):
        on_null[1, 8](producers.CudaArray(x, version=4), producers.CudaArray(x))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning):
            on_null[1, 8](producers.CudaArray(x, version=4), producers.CudaArray(x))


class Both(Producer):
    @property
    def __cuda_array_interface__(self):
        raise AssertionError("DLPack comes first")


@pytest.mark.row("HET-ARR-15")
def test_dlpack_is_asked_once_and_told_the_launchs_stream():
    host = Both(np.arange(8.0))
    copy[1, 8](host, np.zeros(8))
    assert [asked["stream"] for asked in host.asked] == [None]
    if "cuda:0" in device.devices():
        pytest.skip("memory of the host under a GPU's name: only where there is no GPU")
    for stream in (2, 0x12340):
        gpu, other = (Both(np.arange(8.0), device=(producers.CUDA, 0)) for _ in range(2))
        with pytest.raises(device.DeviceError):
            copy[1, 8, stream](gpu, other)
        assert [asked["stream"] for asked in gpu.asked + other.asked] == [stream, stream]
        assert gpu.deleted == other.deleted == 1


# ---- how DLPack is consumed


class Poisoned(Producer):
    """Its memory is worthless once it is given back."""

    def delete(self, pointer):
        super().delete(pointer)
        self.array[...] = -1


@pytest.mark.row("HET-ARR-16")
@pytest.mark.parametrize("old", [False, True])
def test_given_back_once_and_after_the_kernel_has_finished(old):
    x, y = Poisoned(np.arange(1000.0), old=old), np.zeros(1000)
    copy[8, 128](x, y)
    assert (y == np.arange(1000.0)).all() and (x.array == -1).all() and x.deleted == 1
    deleted = []
    x.delete = lambda pointer: deleted.append(pointer)
    del x
    assert not deleted


@pytest.mark.row("HET-ARR-16")
def test_the_newest_version_is_asked_for():
    x = Producer(np.arange(8.0))
    copy[1, 8](x, np.zeros(8))
    assert x.asked[0]["max_version"][0] == 1
    assert producers.capsule_name(x.capsule) == b"used_dltensor_versioned"


@pytest.mark.row("HET-ARR-16")
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 2)])
@pytest.mark.parametrize("strides", [True, False])
def test_arrays_of_no_elements(shape, strides):
    @device.kernel
    def look(x, out):
        for axis in range(x.ndim):
            out[axis] = x.shape[0] if axis == 0 else x.shape[1]
        out[3] = x.size + 1

    x, out = Producer(np.zeros(shape), strides=strides), np.zeros(4, np.int64)
    if len(shape) == 1:
        copy[1, 8](x, np.zeros(1))
    else:
        look[1, 1](x, out)
        assert out[0] == shape[0] and out[1] == shape[1] and out[3] == 1
    assert x.deleted == 1


@pytest.mark.row("HET-ARR-16")
def test_byte_offset_and_missing_strides_together():
    memory, y = np.arange(100, dtype=np.int16), np.zeros((3, 4), np.int16)

    @device.kernel
    def copy_2d(x, y):
        y[...] = x

    copy_2d[1, 1](Producer(memory[10:22].reshape(3, 4), byte_offset=20, strides=False), y)
    assert (y == np.arange(10, 22).reshape(3, 4)).all()


@pytest.mark.row("HET-ARR-16", "HET-ARR-17")
def test_read_only_arrays_are_for_kernels_that_only_read():
    x = np.arange(8.0)
    copy[1, 8](Producer(x, flags=1), np.zeros(8))
    copy.on("null")[1, 8](producers.CudaArray(x, data=(4096, True)), producers.CudaArray(x))
    with pytest.raises(BufferError, match="read-only"):
        copy[1, 8](x, Producer(x, flags=1))
    with pytest.raises(BufferError, match="read-only"):
        copy.on("null")[1, 8](producers.CudaArray(x), producers.CudaArray(x, data=(4096, True)))


# AMB-35
@pytest.mark.row("HET-ARR-16")
def test_parameters_annotated_as_read_only():
    @device.kernel
    def doubled(x: device.readonly, y):
        i = device.tid(1)
        if i < len(x):
            y[i] = 2 * x[i]

    @device.kernel
    def wrong(x: device.readonly):
        x[0] = 1

    x, y = np.arange(8.0), np.zeros(8)
    doubled[1, 8](x, y)
    assert (y == 2 * x).all()
    frozen = x.copy()
    frozen.flags.writeable = False
    doubled[1, 8](frozen, y)
    doubled[1, 8](Producer(x, flags=1), y)
    assert doubled.specializations == 1  # whether it could be written is not asked
    with pytest.raises(BufferError, match="read-only"):
        wrong[1, 1](x)
    with pytest.raises(TypeError, match=r"doubled\(\): argument 'x' is an int; it is annotated device.readonly, which arrays are"):
        doubled[1, 8](3, y)
    assert repr(device.readonly) == "device.readonly"


# ---- the descriptor


@pytest.mark.row("HET-DSC-2")
def test_each_number_of_dimensions_is_a_specialisation():
    @device.kernel
    def first(x, out):
        out[0] = x.size

    out = np.zeros(1, np.int64)
    for rank in range(1, 9):
        first[1, 1](np.ones((2,) * rank), out)
        assert out[0] == 2 ** rank and first.specializations == rank
    for dtype in (np.float32, np.int8):
        first[1, 1](np.ones(2, dtype), out)
    assert first.specializations == 10


@pytest.mark.row("HET-DSC-1")
@pytest.mark.parametrize("rank", range(9))
def test_the_descriptor_is_what_a_parameter_takes(rank):
    def kernel(x, y):
        pass

    axes = ", ".join([":"] * rank) if rank else "()"
    ptx = _core.compile(_core.capture(kernel), f"(float32[{axes}], float32[{axes}])", "cuda:sm_90")["code"]
    text = ptx.decode() if isinstance(ptx, bytes) else ptx
    assert f".param .align 8 .b8 kernel_param_0[{8 + 16 * rank}]" in text
    assert f".param .align 8 .b8 kernel_param_1[{8 + 16 * rank}]" in text


@pytest.mark.row("HET-DSC-3")
def test_data_shape_and_strides_are_the_objects():
    base = np.arange(48, dtype=np.float64).reshape(6, 8)
    out = np.zeros(1)
    for x in (base, np.asfortranarray(base), base.T, base[1::2, ::3], base[::-1, ::-1], base[::-2, 1::2], base[:0], base[:, :1],
              np.broadcast_to(base[0], (3, 8))):
        total[1, 1](x, out)
        assert out[0] == x.sum()
        total[1, 1](Producer(x), out)
        assert out[0] == x.sum()


@pytest.mark.row("HET-DSC-6")
def test_tensors_of_no_dimensions():
    @device.kernel
    def double(x):
        x[()] = 2 * x[()]

    x = Producer(np.array(21, np.int32))
    double[1, 1](x)
    assert x.array == 42 and x.deleted == 1
    double[1, 1](x.array)
    assert x.array == 84
