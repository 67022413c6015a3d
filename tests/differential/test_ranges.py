"""Loops over ranges whose numbers are known at run time only, to the ends of the formats: as CPython counts, by the interpreter, the host, machines."""

import itertools

import numpy as np
import pytest

from hetjit import device

from both import both

MOST = 20  # turns that are taken
BLOCK = 128


def edges(dtype):
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    return sorted({least, least + 1, least + 7, max(least, -1), 0, 1, 6, most // 2, most - 6, most - 1, most})


def steps(dtype):
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    return [least, least + 1, -3, -1, 0, 1, 2, 5, most // 2 + 1, most]


def counted(start, stop, step):
    """(how many turns, the items mixed), as `mixed` computes them."""
    items = list(itertools.islice(range(start, stop, step), MOST)) if step else []
    total = 0
    for item in items:
        total = (total * 31 + item) % 2**64
    return len(items), total


def check(kernel, starts, stops, strides, dtype):
    """`kernel` on every start, stop and stride."""
    cases = list(itertools.product(starts, stops, strides))
    ends, by = np.array([case[:2] for case in cases], dtype), np.array([case[2] for case in cases])
    out = both(kernel, ends, by.astype(np.int64 if by.max() > 2**31 - 1 else np.int32), np.zeros((len(cases), 2), np.uint64),
               grid=-(-len(cases) // BLOCK), block=BLOCK)
    for case, got in zip(cases, out.tolist()):
        assert tuple(got) == counted(*case), case


def any_step(ends, step, out):
    i = device.tid(1)
    if i >= len(out):
        return
    turns, total = 0, device.uint64(0)
    for item in range(ends[i, 0], ends[i, 1], step[i]):
        turns += 1
        total = total * 31 + device.uint64(device.int64(item))
        if turns == MOST:
            break
    out[i, 0], out[i, 1] = turns, total


def any_step_unsigned(ends, step, out):
    i = device.tid(1)
    if i >= len(out):
        return
    turns, total = 0, device.uint64(0)
    for item in range(ends[i, 0], ends[i, 1], int(step[i])):
        turns += 1
        total = total * 31 + item
        if turns == MOST:
            break
    out[i, 0], out[i, 1] = turns, total


def single_steps(ends, step, out):
    i = device.tid(1)
    if i >= len(out):
        return
    turns, total = 0, device.uint64(0)
    for item in range(ends[i, 0], ends[i, 1]):
        turns += 1
        total = total * 31 + device.uint64(device.int64(item))
        if turns == MOST:
            break
    out[i, 0], out[i, 1] = turns, total


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_any_step(dtype):
    check(any_step, edges(dtype), edges(dtype), steps(dtype if dtype != np.int8 else np.int32), dtype)


def test_any_step_of_unsigned_numbers():
    check(any_step_unsigned, edges(np.uint32), edges(np.uint32), steps(np.int32), np.uint32)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32, np.uint64])
def test_single_steps(dtype):
    check(single_steps, edges(dtype), edges(dtype), [1], dtype)


def test_from_zero_on_in_strides_to_the_end_of_the_format():
    """Starts and strides that cannot be negative: extents."""
    def kernel(start, step, stop, out):
        turns, total = 0, device.uint64(0)
        for item in range(start.shape[0], stop[0], step.shape[0]):
            turns += 1
            total = total * 31 + device.uint64(item)
            if turns == MOST:
                break
        out[0, 0], out[0, 1] = turns, total

    def wide(n):
        return np.lib.stride_tricks.as_strided(np.zeros(1, np.int8), (n,), (0,))

    far = 2**62
    for start, stop, step in itertools.product((0, 1, far), (-2**63, -1, 0, 1, 2, far, 2**63 - 1), (0, 1, 3, far)):
        out = np.zeros((1, 2), np.uint64)
        device.kernel(kernel)[1, 1](wide(start), wide(step), np.array([stop]), out)
        assert tuple(out[0].tolist()) == counted(start, stop, step), (start, stop, step)


def test_places_of_a_grid():
    def kernel(x, out):
        for i in range(device.tid(1), len(x), device.grid_size(1)):
            out[i] += x[i]

    for n in (0, 1, 63, 64, 1000):
        x = np.arange(n, dtype=np.float32)
        np.testing.assert_array_equal(both(kernel, x, np.zeros_like(x), grid=2, block=32), x)


def test_a_step_that_a_loop_carries():
    def kernel(n, out):
        turns, step = 0, 2
        while step < n[0]:
            for _ in range(0, n[0], step):
                turns += 1
            step *= 2
        out[0] = turns

    assert both(kernel, np.array([100], np.int32), np.zeros(1, np.int32))[0] == sum(len(range(0, 100, 2**k)) for k in range(1, 7))


def test_starts_that_another_loop_counts():
    def kernel(n, out):
        turns, total = 0, 0
        for k in range(5, -4, -2):
            for j in range(k & 3, n[0] & 7):
                total = total * 3 + j
                turns += 1
            for j in range(k, n[0]):
                total = total * 3 + j
                turns += 1
            for j in range(k, n[0], k):
                total = total * 3 + j
                turns += 1
        out[0], out[1] = turns, total

    total, items = 0, [j for k in range(5, -4, -2) for one in (range(k & 3, 4), range(k, 4), range(k, 4, k)) for j in one]
    for item in items:
        total = (total * 3 + item + 2**31) % 2**32 - 2**31
    assert both(kernel, np.array([4], np.int32), np.zeros(2, np.int32)).tolist() == [len(items), total]


def test_the_start_of_a_generator_and_of_a_loop_that_ends_at_once():
    def kernel(n, out):
        out[0] = sum(i * i for i in range(n[0], n[1], n[2]))
        out[1] = sum(i * i for i in range(n[0], n[1]))
        for i in range(n[0], 10):
            out[2] = i
            break
        for i in range(0, n[1], n[2]):
            out[3] = i + 7
            break
        else:
            out[3] = -1

    for n in ((-5, 9, 4), (9, -5, -4), (3, 3, 1), (2, 30, 0)):
        want = [sum(i * i for i in range(*n)) if n[2] else 0, sum(i * i for i in range(n[0], n[1])), n[0],
                7 if n[2] and len(range(0, n[1], n[2])) else -1]
        assert both(kernel, np.array(n, np.int32), np.zeros(4, np.int32)).tolist() == want


STEPS_WRITTEN = (1, -1, 2, -2, 3, -7, 2**31 - 1, -2**31)


def searches(step):
    """What asks whether a number is in a range of that step."""
    def kernel(items, ends, out):
        i = device.tid(1)
        if i < len(out):
            out[i] = (items[i] in range(ends[i, 0], ends[i, 1], step)) + 2 * (items[i] not in range(ends[i, 0], ends[i, 1], step))
    return kernel


SIGNED, UNSIGNED = (np.int8, np.int32, np.int64), (np.uint32, np.uint64)
PAIRS = [*itertools.product(SIGNED, SIGNED[1:]), *itertools.product(UNSIGNED, UNSIGNED), (np.uint32, np.int64), (np.int64, np.uint32)]


@pytest.mark.parametrize("kind, dtype", PAIRS)
def test_numbers_in_ranges(kind, dtype):
    numbers, limits = edges(kind), edges(dtype)
    for step in STEPS_WRITTEN:
        cases = list(itertools.product(limits, limits, numbers))
        out = both(searches(step), np.array([case[2] for case in cases], kind), np.array([case[:2] for case in cases], dtype),
                   np.zeros(len(cases), np.int32), grid=-(-len(cases) // BLOCK), block=BLOCK)
        for (start, stop, item), got in zip(cases, out.tolist()):
            assert got == (1 if item in range(start, stop, step) else 2), (start, stop, step, item)


def test_in_ranges_that_are_known():
    def kernel(out):
        out[0] = 4 in range(0, 10, 2)
        out[1] = 5 not in range(0, 10, 2)
        out[2] = True in range(2)
        out[3] = 1 in range(5, 0, -2)
        out[4] = 0 not in range(5, 0, -2)
        if 3 in range(3):
            out[0] = "not compiled"

    assert both(kernel, np.zeros(5, np.int32)).tolist() == [1] * 5
