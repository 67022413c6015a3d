"""Items chosen at run time out of long tuples: constants, which become tables, and values of run time."""

import time

import numpy as np
import pytest

from hetjit import _core, device

from both import both, same

RANDOM = np.random.default_rng(7)


def numbers(count, kind):
    if kind == "bool":
        return tuple(bool(x) for x in RANDOM.integers(0, 2, count))
    if kind == "int":
        return tuple(int(x) for x in RANDOM.integers(-2**31, 2**31, count))
    if kind == "complex":
        return tuple(complex(x, y) for x, y in RANDOM.random((count, 2)))
    if kind in ("float16", "int8", "uint64"):
        return tuple(np.dtype(kind).type(x) for x in RANDOM.integers(0, 100, count))
    return (*(float(x) for x in RANDOM.random(count - 4)), float("nan"), float("inf"), -0.0, 1e-30)


STORED = {"bool": np.bool_, "int": np.int64, "complex": np.complex128, "float": np.float64, "float16": np.float16, "int8": np.int8, "uint64": np.uint64}


def pick(table):
    def kernel(at, out):
        i = device.tid(1)
        if i < at.shape[0]:
            out[i] = table[at[i]]
    return kernel


def chosen(table, place):
    """What the language says: from the end where negative, outside of the range the last."""
    return table[place] if -len(table) <= place < len(table) else table[-1]


def places(dtype, count):
    limits = np.iinfo(dtype)
    edges = (0, 1, count - 1, count, -1, -count, -count - 1, -count - 2, 16, limits.min, limits.max)
    return np.array(sorted({x for x in edges if limits.min <= x <= limits.max}), dtype)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
@pytest.mark.parametrize("count", [17, 300])
def test_every_type_of_index(dtype, count):
    table, at = numbers(count, "float"), places(dtype, count)
    same(both(pick(table), at, np.zeros(at.size), block=16), [chosen(table, int(x)) for x in at])


@pytest.mark.parametrize("kind", STORED)
def test_every_kind_of_item(kind):
    """Floats are the doubles that were written, where they meet float64."""
    table, at = numbers(90, kind), RANDOM.integers(-91, 91, 200).astype(np.int32)
    out = both(pick(table), at, np.zeros(at.size, STORED[kind]), grid=4, block=50)
    same(out, [chosen(table, int(x)) for x in at])


def test_floats_are_float32_elsewhere():
    table, at = numbers(90, "float"), np.arange(90, dtype=np.int32)
    same(both(pick(table), at, np.zeros(90, np.float32), block=90), np.array(table).astype(np.float32))


@pytest.mark.parametrize("shape", [(20, 4), (3, 40), (2, 300), (9, 9), (5, 5)])
def test_rows_of_a_matrix(shape):
    rows = tuple(numbers(shape[1], "float") for _ in range(shape[0]))

    def kernel(at, out):
        i = device.tid(1)
        row = rows[at[i, 0]]
        out[i, 0] = row[at[i, 1]]
        out[i, 1] = rows[at[i, 0]][1]
        out[i, 2] = rows[1][at[i, 1]]

    at = np.array([(i, j) for i in range(-shape[0] - 1, shape[0] + 1) for j in range(-shape[1], shape[1] + 1, max(1, shape[1] // 7))], np.int32)
    out = both(kernel, at, np.zeros((len(at), 3)), grid=len(at))
    want = [(chosen(chosen(rows, i), j), chosen(rows, i)[1], chosen(rows[1], j)) for i, j in at.tolist()]
    same(out, want)


def test_three_levels_complex_and_pairs():
    cube = tuple(tuple(tuple((complex(i, j), k) for k in range(4)) for j in range(5)) for i in range(6))

    def kernel(at, out):
        i = device.tid(1)
        number, k = cube[at[i] // 20][at[i] // 4 % 5][at[i] % 4]
        out[i] = number + k

    want = [number + k for plane in cube for row in plane for number, k in row]
    same(both(kernel, np.arange(120, dtype=np.int32), np.zeros(120, np.complex64), grid=2, block=60), want)


@device.struct
class Point:
    x: device.float32
    y: device.int16


def test_structs():
    points = tuple(Point(i / 8, -i) for i in range(70))

    def kernel(at, out):
        i = device.tid(1)
        p = points[at[i]]
        out[i] = p.x + p.y

    at = np.arange(-70, 70, dtype=np.int32)
    same(both(kernel, at, np.zeros(140, np.float32), grid=2, block=70), [i % 70 / 8 - i % 70 for i in range(-70, 70)])


def test_values_of_run_time_among_many():
    def kernel(at, x, out):
        i = device.tid(1)
        t = tuple(x[j] * 2 for j in range(40)) + (x[0],)
        out[i] = t[at[i]]

    x, at = RANDOM.random(40), np.array([*range(-43, 43)], np.int32)
    doubled = (*(x * 2).tolist(), x[0])
    same(both(kernel, at, x, np.zeros(at.size), grid=at.size), [chosen(doubled, int(i)) for i in at])


def test_by_threads_that_wait_and_in_loops():
    table = numbers(1000, "float")

    def kernel(at, out):
        place = device.shared_array(64, device.int32)
        i = device.thread_idx.x
        place[63 - i] = at[i]
        device.syncthreads()
        total = 0.0
        for k in range(at[i] % 5):
            total += table[place[i] - k]
        out[i] = total
        for x in table:
            if x == total:
                out[i] = -1.0

    at = RANDOM.integers(100, 900, 64).astype(np.int32)
    want = np.zeros(64, np.float32)
    for i in range(64):
        for k in range(at[i] % 5):
            want[i] += np.float32(table[at[63 - i] - k])
        if want[i] in np.array(table, np.float32):
            want[i] = -1.0
    same(both(kernel, at, np.zeros(64, np.float32), block=64), want)


def test_an_index_outside_is_found_where_checks_are_asked_for():
    with pytest.raises(IndexError):
        device.kernel(check="bounds")(pick(numbers(300, "float")))[1, 1](np.array([300], np.int32), np.zeros(1))


@pytest.mark.parametrize("target", ["cpu:x86-64-v3", "cuda:sm_90", "hip:gfx942"])
@pytest.mark.parametrize("make", [lambda n: numbers(n, "float"), lambda n: tuple(numbers(16, "float") for _ in range(n // 16)),
                                  lambda n: tuple(numbers(n // 2, "float") for _ in range(2))], ids=["long", "rows", "wide"])
def test_sixty_thousand_items_are_compiled_at_once(make, target):
    table = make(60_000)

    def flat(out, at):
        out[0] = table[at[0]]

    def nested(out, at):
        out[0] = table[at[0]][at[1]]

    snapshot = _core.capture(nested if isinstance(table[0], tuple) else flat)
    begin = time.process_time()
    _core.compile(snapshot, "(float32[::1], int32[::1])", target)
    assert time.process_time() - begin < 10  # it took minutes before there were tables; now half a second
