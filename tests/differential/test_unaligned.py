"""Arrays at addresses that their elements are not aligned to, as files and messages deliver them: the aligned copy's bits."""

import re

import numpy as np
import pytest

ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")

from hetjit import _core, device

TYPES = [np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float16, np.float32,
         np.float64, np.complex64, np.complex128, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn]
OFFSETS = [1, 2, 3, 4, 8, 12]


def at_offset(array, offset):
    """A copy whose data lies so many bytes behind a multiple of 64; strides as a copy in C order has them."""
    memory = np.zeros(array.nbytes + 192, np.uint8)
    start = -memory.ctypes.data % 64 + offset
    made = memory[start:start + array.nbytes].view(array.dtype).reshape(array.shape)
    made[...] = array
    return made


def numbers(shape, dtype):
    count = int(np.prod(shape))
    return (np.arange(count) * 7 % 23).astype(dtype).reshape(shape)


def ways(kernel, arguments, grid, block):
    """What the kernel leaves in its arguments: by the interpreter and on the host, each an aligned and an unaligned run."""
    def run(launch, offset):
        given = [at_offset(a, offset) if isinstance(a, np.ndarray) else a for a in arguments]
        launch(given)
        return [a.tobytes() for a in given if isinstance(a, np.ndarray)]

    def interpret(given):
        _core.interpret(_core.capture(kernel.underlying), tuple(given), grid, block)

    for launch in (interpret, lambda given: kernel[grid, block](*given)):
        want = run(launch, 0)
        for offset in OFFSETS:
            assert run(launch, offset) == want, offset


@device.kernel
def copy(out, x):
    i = device.tid(1)
    if i < len(x):
        out[i] = x[i]


@device.kernel
def reverse_twice(out, x):
    """Views, an own copy in registers, a function."""
    i = device.tid(1)
    back = x[::-1]
    if i < len(x):
        value = pick(back, len(x) - 1 - i)
        if i:
            out[1:][i - 1] = value
        else:
            out[0] = value


@device.func
def pick(array, i):
    return array[i]


@device.kernel
def transpose(out, x):
    i, j = device.tid(2)
    if i < x.shape[0] and j < x.shape[1]:
        out[j, i] = x[i, j]


@device.kernel
def through_shared(out, x):
    block = device.shared_array(64, device.float64)
    i = device.thread_idx.x
    block[i] = x[i]
    device.syncthreads()
    out[i] = block[63 - i]


@pytest.mark.parametrize("dtype", TYPES, ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("kernel", [copy, reverse_twice], ids=["copy", "reverse_twice"])
def test_of_all_types(kernel, dtype):
    x = numbers(100, dtype)
    ways(kernel, [np.zeros_like(x), x], 2, 64)


@pytest.mark.parametrize("dtype", [np.int16, np.float32, np.float64, np.complex128, ml_dtypes.bfloat16], ids=lambda t: np.dtype(t).name)
def test_of_two_axes(dtype):
    x = numbers((17, 9), dtype)
    ways(transpose, [np.zeros((9, 17), dtype), x], (2, 2), (16, 8))


def test_through_shared_memory():
    ways(through_shared, [np.zeros(64), np.arange(64.0)], 1, 64)


@pytest.mark.parametrize("step", [2, -1, -3])
@pytest.mark.parametrize("dtype", [np.uint16, np.float32, np.complex64], ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("offset", [1, 2, 4])
def test_strided(offset, dtype, step):
    base = at_offset(numbers(300, dtype), offset)
    x, out = base[::step], at_offset(np.zeros(300, dtype), offset)[::step]
    copy[5, 64](out, x)
    np.testing.assert_array_equal(out, x)
    rows = at_offset(numbers((20, 15), dtype), offset)[::2, ::step]
    turned = at_offset(np.zeros(rows.shape[::-1], dtype), offset)
    transpose[(1, 1), (16, 16)](turned, rows)
    np.testing.assert_array_equal(turned, rows.T)


def test_one_specialisation_per_alignment():
    kernel = device.kernel(copy.underlying)
    x = np.arange(50.0)
    for offset in (0, 8, 16, 4, 12, 20, 2, 1, 3, 7):
        out = np.zeros(50)
        kernel[1, 64](out, at_offset(x, offset))
        np.testing.assert_array_equal(out, x)
    assert kernel.specializations == 4  # 8 or more, 4, 2, 1


def test_annotated_parameters():
    @device.kernel
    def add(out: device.float32[:], x: device.float32[:]):
        i = device.tid(1)
        out[i] += x[i]

    out, x = at_offset(np.ones(64, np.float32), 1), at_offset(np.arange(64, dtype=np.float32), 2)
    add[1, 64](out, x)
    np.testing.assert_array_equal(out, np.arange(1, 65))


def test_in_tuples():
    @device.kernel
    def add(out, pair):
        i = device.tid(1)
        out[i] = pair[0][i] + pair[1][i]

    x = np.arange(64, dtype=np.float32)
    out = np.zeros(64, np.float32)
    add[1, 64](out, (at_offset(x, 1), x))
    np.testing.assert_array_equal(out, 2 * x)


def test_records():
    point = np.dtype([("a", np.int32), ("b", np.float64)], align=True)

    @device.kernel
    def swap(out, x):
        i = device.tid(1)
        out[i] = out[i].replace(a=int(x[i].b), b=x[i].a)

    x = np.zeros(32, point)
    x["a"], x["b"] = np.arange(32), np.arange(32) * 3
    out = at_offset(np.zeros(32, point), 2)
    swap[1, 32](out, at_offset(x, 1))
    np.testing.assert_array_equal(out["a"], x["b"])
    np.testing.assert_array_equal(out["b"], x["a"])


def test_views_of_another_type():
    @device.kernel
    def bits(out, x):
        i = device.tid(1)
        if i < len(x):
            out[i] = x.view(device.int64)[i] + x.view(device.float64)[i].view(device.int64) * 0
            out[len(x) + i] = x.view(device.int32)[2 * i + 1]

    x = np.arange(100.0)
    ways(bits, [np.zeros(200, np.int64), x], 2, 64)


def test_fields_of_records_as_arrays():
    pair = np.dtype([("a", np.float64), ("b", np.float64)])

    @device.kernel
    def sums(out, x):
        i = device.tid(1)
        if i < len(x):
            out[i] = x["a"][i] + x["b"][i]

    x = np.zeros(100, pair)
    x["a"], x["b"] = np.arange(100), np.arange(100) * 3
    for offset in (0, 1, 4):
        out = at_offset(np.zeros(100), offset)
        sums[2, 64](out, at_offset(x, offset))
        np.testing.assert_array_equal(out, np.arange(100) * 4)


def test_vectors():
    x = np.zeros(32, device.numpy_dtype(device.float32x4))
    x["x"], x["w"] = np.arange(32), np.arange(32) * 3
    for offset in (1, 4, 8, 16):
        out = at_offset(np.zeros_like(x), 8)
        copy[1, 32](out, at_offset(x, offset))
        np.testing.assert_array_equal(out, x)


def test_elements_with_an_alignment_of_their_own():
    """A struct's own alignment is what an array of it has to lie at: its size is a multiple of that."""
    @device.struct(align=16)
    class wide:
        a: device.int32

    x = np.zeros(8, device.numpy_dtype(wide))
    x["a"] = np.arange(8)
    for offset in (1, 4, 8):
        out = at_offset(np.zeros_like(x), 4)
        copy[1, 8](out, at_offset(x, offset))
        np.testing.assert_array_equal(out["a"], x["a"])


def test_reductions_and_local_copies():
    @device.kernel
    def total(out, x):
        own = device.local_array(16, device.float64)
        for i in range(16):
            own[i] = x[16 * device.tid(1) + i]
        s = 0.0
        for i in range(16):
            s += own[i] * x[16 * device.tid(1) + i]
        out[device.tid(1)] = s

    ways(total, [np.zeros(8), np.arange(128.0)], 1, 8)


def test_a_mapped_file(tmp_path):
    path = tmp_path / "numbers"
    path.write_bytes(b"?" + np.arange(100, dtype=np.float64).tobytes())
    x = np.memmap(path, np.float64, "r", offset=1)
    out = np.zeros(100)
    copy[2, 64](out, x)
    np.testing.assert_array_equal(out, np.arange(100))


def test_bytes_of_a_message():
    """What a socket gives: frombuffer at any place, read-only."""
    message = bytes(5) + np.arange(64, dtype=np.int64).tobytes()
    for skip in (5, 13):
        x = np.frombuffer(message, np.int64, offset=skip)
        out = np.zeros(len(x), np.int64)
        copy[1, 64](out, x)
        np.testing.assert_array_equal(out, x)
    with pytest.raises(device.CompileError, match="read-only"):
        copy[1, 64](np.frombuffer(message, np.int64, offset=5), out)


def test_of_every_protocol():
    class Interface:
        def __init__(self, address):
            self.__cuda_array_interface__ = {"shape": (8,), "typestr": "<f4", "data": (address, False), "version": 3}

    on_null = device.kernel(copy.underlying).on("null")
    for address in (4096, 4097, 4098, 4101):
        on_null[1, 8](Interface(4096), Interface(address))
    assert on_null.specializations == 3


def test_atomics_are_refused():
    @device.kernel
    def count(out):
        device.atomic.add(out, 0, 1)

    out = at_offset(np.zeros(4, np.int32), 2)
    with pytest.raises(device.CompileError, match="an array at a multiple of 4 bytes") as raised:
        count[1, 8](out)
    assert "pass a copy" in str(raised.value)
    count[1, 8](aligned := out.copy())
    assert aligned[0] == 8


def test_strides_that_are_no_whole_elements_are_still_refused():
    x = np.zeros(10, np.dtype([("tag", np.int8), ("value", np.float64)]))["value"]
    with pytest.raises(BufferError, match="strides .* must be multiples"):
        copy[1, 16](np.zeros(10), x)


def test_code_for_gpus_never_loads_more_than_is_there():
    def accesses(element):
        signature = f"(array[{element}, 1], array[{element}, 1])"
        text = _core.show(_core.capture(copy.underlying), "ptx", signature, "cuda:sm_90")
        return set(re.findall(r"(?:ld|st)\.global\S*\.[busf](\d+)\s", text))

    assert accesses("f64") == {"64"}
    assert accesses("align(f64, 4)") == {"32"}
    assert accesses("align(f64, 1)") == {"8"}
