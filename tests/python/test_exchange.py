"""Arrays of other libraries: DLPack capsules of both kinds, its C functions, the CUDA Array Interface."""

import sys

import pytest

from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import producers
from producers import Producer


@device.kernel
def double(x):
    i = device.tid(1)
    if i < x.shape[0]:
        x[i] = x[i] * 2


@device.kernel
def look(x, out):
    out[0] = x.shape[0]
    out[1] = x.strides[0]
    out[2] = x.ndim


def ones(n=8):
    return np.arange(n, dtype=np.float32)


@pytest.mark.row("HET-ARR-16")
@pytest.mark.parametrize("old", [False, True])
def test_capsules_are_consumed_and_given_back_once(old):
    producer = Producer(ones(), old=old)
    for launches in (1, 2):
        double[1, 8](device.writable(producer) if old else producer)
        assert producer.deleted == launches
        name = b"used_dltensor" if old else b"used_dltensor_versioned"
        assert producers.capsule_name(producer.capsule) == name
    assert (producer.array == ones() * 4).all()
    assert producer.asked[0] == ({"stream": None} if old else {"stream": None, "max_version": (1, 3)})


@pytest.mark.row("HET-ARR-16")
def test_a_failed_launch_gives_back_too():
    producer = Producer(ones())
    with pytest.raises(TypeError, match="argument 'out' is a list"):
        look[1, 1](producer, [1])
    with pytest.raises(ValueError, match="grid is 0"):
        double[0, 1](producer)
    assert producer.deleted == 2


@pytest.mark.row("HET-ARR-16")
def test_read_only_is_honoured():
    producer = Producer(ones(), flags=1)
    out = np.zeros(3, np.int64)
    look[1, 1](producer, out)
    with pytest.raises(BufferError, match="read-only"):
        double[1, 8](producer)
    assert producer.deleted == 2


@pytest.mark.row("HET-ARR-16")
def test_offset_and_missing_strides():
    array = ones(16)
    double[1, 8](Producer(array[4:12], byte_offset=16, strides=False))
    assert (array[4:12] == 2 * ones(16)[4:12]).all() and (array[:4] == ones(4)).all()


def test_strides():
    array, out = ones(16), np.zeros(3, np.int64)
    look[1, 1](Producer(array[::-2]), out)
    assert out.tolist() == [8, -2, 1]
    double[1, 8](Producer(array[::-2]))
    assert (array[::2] == ones(16)[::2]).all() and (array[1::2] == 2 * ones(16)[1::2]).all()


@pytest.mark.row("HET-ARR-16")
def test_another_major_version_is_only_given_back():
    producer = Producer(ones(), version=(2, 0))
    with pytest.raises(BufferError, match="argument 'x'"):
        double[1, 8](producer)
    assert producer.deleted == 1


@pytest.mark.parametrize("dtype", [(producers.FLOAT, 128, 1), (3, 64, 1), (producers.FLOAT, 32, 4)])
def test_elements_that_no_kernel_reads(dtype):
    producer = Producer(ones(), dtype=dtype)
    with pytest.raises(BufferError, match=r"double\(\): argument 'x'"):
        double[1, 1](producer)
    assert producer.deleted == 1


class Wrapped:
    """NumPy's own capsules."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


@pytest.mark.row("HET-ARR-16")
def test_numpys_capsules_leave_no_reference():
    array = np.zeros((4, 4), np.float32)[:, ::2]
    before = sys.getrefcount(array)

    @device.kernel
    def fill(x):
        i, j = device.tid(2)
        x[i, j] = i * 10 + j
    for _ in range(10):
        fill[(2, 1), (2, 2)](Wrapped(array))
    assert array.tolist() == [[0, 1], [10, 11], [20, 21], [30, 31]]
    assert sys.getrefcount(array) == before


def test_a_used_capsule_is_refused():
    class Again(Producer):
        def __dlpack__(self, **options):
            return self.capsule or super().__dlpack__(**options)
    producer = Again(ones())
    double[1, 8](producer)
    with pytest.raises(BufferError, match="holds no unused tensor"):
        double[1, 8](producer)
    assert producer.deleted == 1


def test_pinned_memory_is_the_hosts():
    producer = Producer(ones(), device=(producers.CUDA_HOST, 0))
    double[1, 8](producer, )
    assert (producer.array == 2 * ones()).all()


def test_mixed_devices_are_named():
    gpu = Producer(ones(), device=(producers.CUDA, 1))
    with pytest.raises(ValueError) as caught:
        look[1, 1](ones(), gpu)
    assert str(caught.value) == ("look(): argument 'x' is on the CPU but 'out' is on cuda:1; a kernel runs where all its "
                                 "arrays are: device.array(x, where) copies one there, and device.to_numpy(x) to the host")
    with pytest.raises(ValueError, match="argument 'x' is on cuda:1, but the kernel was told to run on cpu"):
        double.on("cpu")[1, 1](gpu)
    assert gpu.deleted == 2
    with pytest.raises(ValueError, match="argument 'x' is on the CPU but 'out' is on a device of DLPack type 8;"):
        look[1, 1](ones(), Producer(ones(), device=(8, 0)))
    # The consumer's stream: CUDA's default one has the number 1.
    assert gpu.asked[0]["stream"] == 1


def test_unknown_devices():
    producer = Producer(ones(), device=(8, 0))
    with pytest.raises(BufferError, match="DLPack device type 8 cannot be used"):
        double[1, 1](producer)


@pytest.mark.parametrize("borrows", [True, False])
def test_exchange_functions(borrows):
    exchange = producers.exchange_class(borrows=borrows)
    producer = exchange(ones())
    for _ in range(3):
        double[1, 8](producer)
    assert (producer.array == 8 * ones()).all()
    assert set(exchange.calls) == {"borrow" if borrows else "from_object"}
    assert producer.deleted == (0 if borrows else 3) and not producer.asked


def test_exchange_functions_ask_for_the_work_stream():
    exchange = producers.exchange_class()
    gpu = exchange(ones(), device=(producers.CUDA, 0))
    if "cuda:0" in device.devices():
        pytest.skip("memory of the host under a GPU's name: only where there is no GPU")
    with pytest.raises(device.DeviceError):
        double[1, 1](gpu)
    assert exchange.calls == ["borrow", "stream"]
    with pytest.raises(device.DeviceError):
        double[1, 1, 0x7000](gpu)  # the user's stream wins
    assert exchange.calls == ["borrow", "stream", "borrow"]


def test_a_future_exchange_table_is_not_used():
    exchange = producers.exchange_class(version=(2, 0))
    producer = exchange(ones())
    double[1, 8](producer)
    assert not exchange.calls and producer.deleted == 1


@pytest.mark.row("HET-ARR-15")
def test_dlpack_is_preferred():
    class Both(Producer):
        @property
        def __cuda_array_interface__(self):
            raise AssertionError("DLPack comes first")
    producer = Both(ones())
    double[1, 8](producer)
    assert producer.deleted == 1


@pytest.mark.row("HET-ARR-14")
@pytest.mark.row("HET-ARR-17")
def test_cuda_array_interface():
    on_null = double.on("null")
    on_null[1, 8](producers.CudaArray(ones()))
    on_null[1, 8](producers.CudaArray(ones(), strides=(4,)))
    on_null[1, 8](producers.CudaArray(ones(), stream=0x1234))
    assert on_null.specializations == 1
    on_null[1, 8](producers.CudaArray(ones(16)[::2], shape=(8,), strides=(8,)))
    on_null[1, 8](producers.CudaArray(ones().astype(np.int16)))
    assert on_null.specializations == 3
    with pytest.raises(NotImplementedError, match="has a mask, which a kernel cannot see"):
        on_null[1, 8](producers.CudaArray(ones(), mask=producers.CudaArray(ones())))
    with pytest.raises(BufferError, match="read-only"):
        on_null[1, 8](producers.CudaArray(ones(), data=(4096, True)))
    with pytest.raises(BufferError, match="has elements of type >f4, which no kernel can read"):
        on_null[1, 8](producers.CudaArray(ones(), typestr=">f4"))
    with pytest.raises(BufferError, match="is not laid out as whole elements"):
        on_null[1, 8](producers.CudaArray(ones(), strides=(5,)))
    with pytest.raises(BufferError, match="is incomplete"):
        on_null[1, 8](producers.CudaArray(ones(), data=None))


@pytest.mark.row("HET-ARR-17")
def test_cuda_array_interface_streams():
    if "cuda:0" in device.devices():
        pytest.skip("memory of the host under a GPU's name: only where there is no GPU")
    with pytest.raises(BufferError, match="names stream 0, which the protocol forbids"):
        double[1, 8](producers.CudaArray(ones(), stream=0))
    with pytest.raises(ValueError, match="argument 'x' is on the CPU but 'out' is on cuda:0"):
        look[1, 1](ones(), producers.CudaArray(ones()))


def test_tensors_of_tvm_ffi():
    tvm_ffi = pytest.importorskip("tvm_ffi", reason="tvm-ffi is not installed for this Python", exc_type=ImportError)
    array = ones()
    tensor = tvm_ffi.from_dlpack(array)
    double[1, 8](tensor)
    out = np.zeros(3, np.int64)
    look[1, 1](tvm_ffi.from_dlpack(array.reshape(4, 2).T[1]), out)
    assert (array == 2 * ones()).all() and out.tolist() == [4, 2, 1]


def test_our_own_arrays():
    array = device.array(ones(), "null")
    double.on("null")[1, 8](array)
    with pytest.raises(AttributeError):
        array.__cuda_array_interface__
