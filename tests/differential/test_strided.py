"""Accesses of elements a few apart (complex numbers, fields of structs, x[3 * i]), and divisions of places: the same with every number of lanes."""

import ctypes
import mmap

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

COUNTS = (1, 2, 8, 16, 64)
SIZES = (1, 7, 16, 33, 64, 100)


@pytest.fixture(params=COUNTS)
def lanes(request, monkeypatch):
    monkeypatch.setenv("HETJIT_LANES", str(request.param))


def launch(function, n, *arguments):
    device.kernel(function)[-(-n // 32), 32](*arguments)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers(lanes, dtype):
    def product(x, y, out):
        i = device.tid(1)
        if i < out.shape[0]:
            out[i] = x[i] * y[i]

    for n in SIZES:
        values = np.random.default_rng(n)
        x, y = (np.round(values.random(n) * 64 + 1j * values.random(n) * 64).astype(dtype) for _ in "xy")
        out = np.zeros(n, dtype)
        launch(product, n, x, y, out)
        assert np.array_equal(out, x * y)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "float32", "float64"])
@pytest.mark.parametrize("apart", [2, 3, 5, 8, 9])
def test_every_so_many_elements(lanes, dtype, apart):
    def spread(x, out, offset):
        i = device.tid(1)
        if i < out.shape[0] // APART:
            out[APART * i + offset] = x[APART * i + 1]

    spread = type(spread)(spread.__code__, {"device": device, "APART": apart}, "spread")
    for n in SIZES:
        x = (np.random.default_rng(n).random(n * apart) * 100).astype(dtype)
        out = np.full(n * apart, 77, dtype)
        expected = out.copy()
        expected[apart - 1::apart] = x[1::apart]
        launch(spread, n, x, out, apart - 1)
        assert np.array_equal(out, expected)


@pytest.mark.parametrize("fields", [["f4"] * 2, ["f4"] * 3, ["i2"] * 4, ["f8"] * 2, ["f4"] * 9, ["f4", "i4"], ["f8", "f4"], ["?", "?"]], ids=str)
def test_records(lanes, fields):
    def copy(now, after):
        i = device.tid(1)
        if i < now.shape[0]:
            after[i] = now[i]

    def swap(now, after):
        i = device.tid(1)
        if i < now.shape[0]:
            own = now[i]
            after[i] = own.replace(f0=now[i].f1, f1=own.f0)

    record = np.dtype([(f"f{k}", field) for k, field in enumerate(fields)], align=True)
    for n in SIZES:
        now = np.random.default_rng(n).integers(0, 2, (n, record.itemsize), np.uint8).reshape(-1).view(record)
        after, swapped = np.zeros_like(now), np.zeros_like(now)
        launch(copy, n, now, after)
        assert all(np.array_equal(after[name], now[name]) for name in record.names)
        if fields[0] == fields[1]:
            launch(swap, n, now, swapped)
            after["f0"], after["f1"] = now["f1"], now["f0"]
            assert all(np.array_equal(swapped[name], after[name]) for name in record.names)


def test_one_field_of_records(lanes):
    """The others keep what they have."""
    def second(records, y):
        i = device.tid(1)
        if i < len(records):
            y[i] += records[i].b

    record = np.dtype([("a", np.float32), ("b", np.float32), ("c", np.float32)])
    records = np.arange(3 * 70, dtype=np.float32).view(record)
    y = np.ones(70, np.float32)
    launch(second, 70, records, y)
    assert np.array_equal(y, 1 + np.arange(1, 210, 3))


def test_nothing_is_read_behind_the_last_element(lanes):
    """The page behind the array is nobody's."""
    page, protect = mmap.PAGESIZE, ctypes.CDLL(None, use_errno=True).mprotect
    memory = mmap.mmap(-1, 3 * page)
    begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    assert protect(ctypes.c_void_p(begin + 2 * page), page, 0) == 0

    def every_third(x, out):
        i = device.tid(1)
        out[3 * i] = x[3 * i]

    count = 64 * 3 - 2  # up to the last thread's element
    whole = np.frombuffer(memory, np.float32)[:2 * page // 4]
    x, out = whole[-count:], np.zeros(count, np.float32)
    x[:] = np.arange(count)
    device.kernel(every_third)[2, 32](x, out)
    device.kernel(every_third)[2, 32](out, x)
    assert np.array_equal(out[::3], np.arange(0, count, 3)) and not out[1::3].any() and np.array_equal(x, np.arange(count))


NUMBERS = ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_division_of_places(lanes, dtype):
    """Also by small numbers, zero and negative ones, and of numbers that begin anew."""
    def divide(first, by, quotients, rests):
        i = device.tid(1)
        if i < quotients.shape[1]:
            for k in range(by.shape[0]):
                number = first[k] + TYPE(i)
                quotients[k, i] = number // by[k]
                rests[k, i] = number % by[k]

    divide = type(divide)(divide.__code__, {"device": device, "TYPE": getattr(device, dtype)}, "divide")
    limits, n = np.iinfo(dtype), 70
    edges = [0, 1, 5, 60, limits.max - 20, limits.max, *((-3, -40, limits.min) if limits.min else (limits.max // 2,))]
    pairs = [(first, by) for first in edges for by in [*edges, 15, 16, 17, 63, 64, 65, 100]]
    first, by = (np.array(side, dtype) for side in zip(*pairs))
    quotients, rests = np.zeros((len(pairs), n), dtype), np.zeros((len(pairs), n), dtype)
    launch(divide, n, first, by, quotients, rests)
    bits = limits.bits
    for row, (start, step) in enumerate(pairs):
        for i in (0, 1, 15, 16, 31, 69):
            number = wrapped(start + wrapped(i, bits, limits.min), bits, limits.min)
            expected = (0, 0) if step == 0 else (wrapped(number // step, bits, limits.min), number % step)
            if step == 0:
                assert rests[row, i] == 0
            else:
                assert (quotients[row, i], rests[row, i]) == expected, (start, step, i)


def wrapped(number, bits, least):
    number &= (1 << bits) - 1
    return number - (1 << bits) if least and number >> (bits - 1) else number


def test_rows_and_columns(lanes):
    """How a place becomes two, and wraps round."""
    def split(out, width, shift):
        i = device.tid(1)
        if i < out.shape[0] * width:
            out[i // width, (i + shift) % width] = i

    for width in (1, 5, 16, 37, 64, 200):
        out = np.zeros((7, width), np.int32)
        launch(split, 7 * width, out, width, 3)
        assert np.array_equal(out, np.roll(np.arange(7 * width).reshape(7, width), 3, axis=1))
