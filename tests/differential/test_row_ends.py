"""Indices that are a row's but at its ends: wrapped round, clamped, reflected, by choices, branches, remainders. Whole warps of the host between
the ends ask once and read neighbours; at an end they begin again (compiler/host/warp/warp_neighbours.cpp)."""

import numpy as np
import pytest

from hetjit import device

LENGTHS = (1, 2, 3, 15, 16, 17, 31, 33, 64, 100, 257)
BLOCKS = (1, 7, 32, 64, 256)


@device.kernel
def by_remainder(x, out):
    i = device.tid(1)
    n = x.shape[0]
    if i < n:
        out[i] = x[(i - 1) % n] * 3 + x[i] * 5 + x[(i + 1) % n] * 7 + x[(i + n - 1) % n] * 11 + x[(1 + i + n) % n] * 13


@device.kernel
def by_choice(x, out):
    i = device.tid(1)
    n = x.shape[0]
    if i >= n:
        return
    left = i - 1 if i > 0 else n - 1
    right = 0 if i + 1 == n else i + 1
    out[i] = x[left] * (3 + 11) + x[i] * 5 + x[right] * (7 + 13)


@device.kernel
def by_branch(x, out):
    i = device.tid(1)
    n = x.shape[0]
    if i < n:
        left = i - 1
        if left < 0:
            left += n
        right = i + 1
        if right >= n:
            right -= n
        total = x[left] * (3 + 11)
        total += x[i] * 5
        total += x[right] * (7 + 13)
        out[i] = total


@device.kernel
def by_sign(x, out):
    """A negative index counts from the end."""
    i = device.tid(1)
    n = x.shape[0]
    if i < n:
        out[i] = x[i - 1] * (3 + 11) + x[i] * 5 + x[i + 1 - n] * (7 + 13)


def ring(x):
    return np.roll(x, 1) * 14 + x * 5 + np.roll(x, -1) * 20


@device.kernel
def by_ifs(x, out):
    i = device.tid(1)
    n = x.shape[0]
    if i < n:
        total = x[i] * 5
        if i > 0:
            total += x[i - 1] * 14
        else:
            total += x[n - 1] * 14
        if i + 1 < n:
            total += x[i + 1] * 20
        else:
            total += x[0] * 20
        out[i] = total


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("kernel", (by_remainder, by_choice, by_branch, by_sign, by_ifs), ids=lambda kernel: kernel.__name__)
def test_rings(kernel, block):
    for length in LENGTHS:
        for kind in (np.int32, np.float64, np.uint8, np.int16):
            x = (np.arange(length) * 7 % 5).astype(kind)
            out = np.zeros(length, kind)
            kernel[-(-length // block) + 1, block](x, out)
            assert (out == ring(x)).all(), (length, kind)


@device.kernel
def clamped(x, out, radius):
    j, i = device.tid(2)
    h, w = x.shape
    if i < h and j < w:
        total = 0
        for a in range(-radius, radius + 1):
            for b in range(-1, 2):
                total += int(x[min(max(i + a, 0), h - 1), max(0, min(w - 1, j + b))])
        out[i, j] = total


@device.kernel
def reflected(x, out, radius):
    j, i = device.tid(2)
    h, w = x.shape
    if i < h and j < w:
        total = 0
        for a in range(-radius, radius + 1):
            y = abs(i + a)
            if y >= h:
                y = 2 * h - 2 - y
            for b in range(-1, 2):
                c = j + b
                c = -c if c < 0 else 2 * w - 2 - c if c >= w else c
                total += int(x[y, c])
        out[i, j] = total


@pytest.mark.parametrize("kernel, mode", ((clamped, "edge"), (reflected, "reflect")), ids=("clamped", "reflected"))
@pytest.mark.parametrize("shape", ((5, 70), (3, 33), (40, 3), (4, 16), (9, 129)))
def test_frames(kernel, mode, shape):
    x = (np.arange(shape[0] * shape[1]).reshape(shape) * 13 % 251).astype(np.uint8)
    for radius in (0, 1, 2):
        padded = np.pad(x.astype(np.int32), ((radius, radius), (1, 1)), mode)
        want = sum(padded[a:a + shape[0], b:b + shape[1]] for a in range(2 * radius + 1) for b in range(3))
        for block in ((32, 8), (8, 8), (64, 1), (1, 16)):
            out = np.zeros(shape, np.int32)
            kernel[(-(-shape[1] // block[0]), -(-shape[0] // block[1])), block](x, out, radius)
            assert (out == want).all(), (radius, block)


@device.kernel
def window(x, out, radius):
    """Nothing beyond the array, in one dimension after the other; loops whose length is known and others."""
    j, i = device.tid(2)
    h, w = x.shape
    if i >= h or j >= w:
        return
    total = 0
    for a in range(-1, 2):
        for b in range(-1, 2):
            if i + a >= 0 and i + a < h and j + b >= 0 and j + b < w:
                total += int(x[i + a, j + b])
    for a in range(-radius, radius + 1):
        for b in range(radius, -radius - 1, -1):
            y = i + a
            if 0 <= y < h and 0 <= j + b < w:
                total += int(x[y, j + b])
    k = -2 * radius
    while k <= 2 * radius:
        if j + k >= w:
            break
        if j + k >= 0:
            total += int(x[i, j + k]) * 100
        k += 2
    out[i, j] = total


@device.kernel
def to_a_bound(x, out, radius, far, near):
    i = device.tid(1)
    if i < x.shape[0]:
        total = 0
        for k in range(-radius, radius + 1):
            if i + k >= 0 and i + k < x.shape[0] and i + k < device.int32(far - near) and i + k > int(near > 0.0) - 2 and i + k != radius * 7:
                total += x[i + k]
        out[i] = total


def test_bounds_that_are_made_of_floats():
    x = np.arange(100, dtype=np.int32)
    for far, near in ((60.0, 0.5), (1000.0, 1.0), (-3.0, 0.0)):
        out = np.zeros_like(x)
        to_a_bound[4, 32](x, out, 9, far, near)
        windows = [[j for j in range(i - 9, i + 10) if 0 <= j < 100 and j < int(far - near) and j > int(near > 0) - 2 and j != 63] for i in range(100)]
        assert out.tolist() == list(map(sum, windows))


@device.kernel
def counted(x, out, seen):
    """What a warp at an end does twice must not show."""
    i = device.tid(1)
    n = x.shape[0]
    if i < n:
        own = device.local_array(2, device.int32)
        own[0] = 1
        total = 0
        for k in range(-1, 2):
            if i + k >= 0 and i + k < n:
                total += x[i + k]
                own[1] = total
        device.atomic.add(seen, 0, own[0])
        if i > 0:
            total += x[i - 1]
        device.atomic.add(seen, 1, 1)
        out[i] += total
        if i + 1 < n:
            out[i] += x[i + 1]


@device.kernel
def writes_in_turns(x, out, seen):
    """Turns after the first one come behind a write."""
    i = device.tid(1)
    n = x.shape[0]
    if i < n:
        total = 0
        for k in range(3):
            if i + k < n:
                total += x[i + k]
            total += x[max(i - k, 0)] * 100
            device.atomic.add(seen, 0, 1)
        out[i] = total


@device.kernel
def behind_a_branch_of_all(x, y, out, c):
    """What an end is compared with is made where only some warps come."""
    i = device.tid(1)
    n = x.shape[0]
    if i < n:
        total = x[i]
        if c > 0:
            total += y[i]
            if i < n - 1:
                total += x[i + 1]
        for b in range(c, 12):
            if c > b - 9:
                total += y[i] * 10
                if i + b < n - 2:
                    total += x[i + b]
        out[i] = total


@device.kernel
def long_loops(x, h, out, radius):
    i = device.tid(1)
    n = x.shape[0]
    if i < n:
        total = 0
        for j in range(h.shape[0]):
            total += x[(i + j) % n] * h[j] + x[max(i - j, 0)] * 3
        for k in range(-radius, radius + 1):
            total += x[min(max(i + k, 0), n - 1)] * 7
        out[i] = total


@device.kernel
def counts(x, out, radius, far, most):
    """Steps, types and bounds of all kinds."""
    i = device.tid(1)
    n = x.shape[0]
    if i < n:
        total = 0
        for k in range(-radius, radius + 1, 3):
            if i + k >= 0 and i + k < n:
                total += x[i + k]
        for k in range(radius, -radius - 1, -2):
            if 0 <= i + k and i + k < device.int64(n) and i + k < far:
                total += x[i + k] * 10
        for u in range(device.uint32(radius)):
            if device.uint32(i) + u < device.uint32(n):
                total += x[device.uint32(i) + u] * 100
        for k in range(radius):
            if n - 1 - i - k >= 0 and not (n - 1 - i - k > most):
                total += x[n - 1 - i - k] * 1000
            if 2 * i + k < n:
                total += x[2 * i + k] * 10000
        out[i] = total


@device.kernel
def by_a_flag(x, out, flag):
    i = device.tid(1)
    n = x.shape[0]
    if i < n:
        out[i] = x[i if flag > 0 else 0] + x[max(i - 1, 0) if flag > 1 else n - 1] * 10


def test_choices_of_all_lanes():
    for length in LENGTHS:
        x = np.arange(length, dtype=np.int32) * 7 % 5
        for flag in (0, 1, 2):
            out = np.zeros(length, np.int32)
            by_a_flag[-(-length // 64), 64](x, out, flag)
            before = np.maximum(np.arange(length) - 1, 0)
            assert (out == (x if flag > 0 else x[0]) + 10 * (x[before] if flag > 1 else x[-1])).all(), (length, flag)


def test_writes_in_turns():
    for length in LENGTHS:
        x = np.arange(length, dtype=np.int32) * 7 % 5
        for block in BLOCKS:
            out, seen = np.zeros(length, np.int32), np.zeros(1, np.int32)
            writes_in_turns[-(-length // block), block](x, out, seen)
            want = sum(shifted(x, k, 0) + 100 * x[np.maximum(np.arange(length) - k, 0)] for k in range(3))
            assert (out == want).all() and seen[0] == 3 * length, (length, block)


def test_ends_behind_a_branch_of_all():
    for length in LENGTHS:
        x, y = np.arange(length, dtype=np.int32) * 7 % 5, np.arange(length, dtype=np.int32) * 3 % 7
        for c in (-1, 0, 1, 5):
            out = np.zeros(length, np.int32)
            behind_a_branch_of_all[-(-length // 64), 64](x, y, out, c)
            want = x + (y + shifted(x, 1, 0) if c > 0 else 0)
            for b in range(c, 12):
                if c > b - 9:
                    i = np.arange(length)
                    at = np.where(i + b < length - 2, i + b, 0)
                    want = want + y * 10 + np.where(i + b < length - 2, x[at], 0)
            assert (out == want).all(), (length, c)


@pytest.mark.parametrize("length", LENGTHS)
def test_long_loops(length):
    x = np.arange(length, dtype=np.int32) * 7 % 5
    i = np.arange(length)
    for taps in (0, 3, 40):
        h = np.arange(taps, dtype=np.int32) % 4 + 1
        for radius in (0, 2, 20):
            out = np.zeros(length, np.int32)
            long_loops[-(-length // 64), 64](x, h, out, radius)
            want = sum((x[(i + j) % length] * h[j] + x[np.maximum(i - j, 0)] * 3 for j in range(taps)), np.zeros(length, np.int32))
            want = want + sum(x[np.clip(i + k, 0, length - 1)] * 7 for k in range(-radius, radius + 1))
            assert (out == want).all(), (taps, radius)


@pytest.mark.parametrize("length", LENGTHS)
def test_turns_within_bounds(length):
    x = np.arange(length, dtype=np.int32) * 7 % 5
    line = x.tolist()
    for radius in (0, 1, 5, 33):
        for far in (2 ** 40, -2 ** 40, length // 2):
            out = np.zeros(length, np.int32)
            counts[-(-length // 64), 64](x, out, radius, device.int64(far), length // 3)
            want = [sum(line[i + k] for k in range(-radius, radius + 1, 3) if 0 <= i + k < length)
                    + sum(line[i + k] * 10 for k in range(radius, -radius - 1, -2) if 0 <= i + k < min(length, far))
                    + sum(line[i + k] * 100 for k in range(radius) if i + k < length)
                    + sum(line[length - 1 - i - k] * 1000 for k in range(radius) if 0 <= length - 1 - i - k <= length // 3)
                    + sum(line[2 * i + k] * 10000 for k in range(radius) if 2 * i + k < length) for i in range(length)]
            assert out.tolist() == want, (radius, far)


def shifted(x, by, axis):
    """Elements that are `by` places away; 0 beyond the array."""
    moved = np.zeros_like(x)
    there, here = [slice(None)] * x.ndim, [slice(None)] * x.ndim
    size = x.shape[axis]
    there[axis], here[axis] = slice(max(by, 0), min(size + by, size)), slice(max(-by, 0), min(size - by, size))
    if abs(by) < size:
        moved[tuple(here)] = x[tuple(there)]
    return moved


@pytest.mark.parametrize("shape", ((5, 70), (1, 33), (40, 3), (2, 16), (9, 129), (1, 1)))
def test_windows(shape):
    x = (np.arange(shape[0] * shape[1]).reshape(shape) * 13 % 251).astype(np.uint8)
    wide = x.astype(np.int32)
    for radius in (0, 1, 3, 10):
        square = lambda size: sum(shifted(shifted(wide, a, 0), b, 1) for a in range(-size, size + 1) for b in range(-size, size + 1))  # noqa: E731
        want = square(1) + square(radius) + 100 * sum(shifted(wide, k, 1) for k in range(-2 * radius, 2 * radius + 1, 2))
        for block in ((32, 8), (8, 8), (64, 1), (1, 16)):
            out = np.zeros(shape, np.int32)
            window[(-(-shape[1] // block[0]), -(-shape[0] // block[1])), block](x, out, radius)
            assert (out == want).all(), (radius, block)


@pytest.mark.parametrize("block", BLOCKS)
def test_warps_that_begin_again_do_nothing_twice(block):
    for length in LENGTHS:
        x = np.arange(length, dtype=np.int32) * 7 % 5
        out, seen = np.zeros(length, np.int32), np.zeros(2, np.int32)
        counted[-(-length // block), block](x, out, seen)
        before, after = shifted(x, -1, 0), shifted(x, 1, 0)
        assert (out == x + 2 * before + 2 * after).all(), length
        assert seen.tolist() == [length, length], length


@device.kernel
def fill(keys, table):
    """Open addressing: the next place is one period away at most."""
    if device.tid(1) == 0:
        for key in keys:
            place = key % table.shape[0]
            while table[place] != 0:
                place = (place + 1) % table.shape[0]
            table[place] = key


@pytest.mark.parametrize("length", (1, 2, 7, 16, 100))
def test_places_of_a_table(length):
    keys = (np.arange(length, dtype=np.int32) * 37 + 5) % 91 + 1
    want = [0] * length
    for key in keys.tolist():
        place = key % length
        while want[place]:
            place = (place + 1) % length
        want[place] = key
    for target in ("cpu", "emu:sm_90", "emu:gfx942"):
        given = device.array(np.zeros(length, np.int32), target), device.array(keys, target)
        fill[1, 32](given[1], given[0])
        assert device.to_numpy(given[0]).tolist() == want, target


@device.kernel
def of_no_length(x, out, n):
    i = device.tid(1)
    rest = i % n
    if i < out.shape[0]:
        out[i] = (rest + 1) % n


@pytest.mark.parametrize("n", (0, 1, 3, 40, -4))
def test_remainders_of_a_number_that_may_be_zero(n):
    """What is divided by 0 leaves 0 (docs/language.md), also where it is one period away at most."""
    out = np.full(70, 99, np.int32)
    of_no_length[3, 32](out, out, n)
    assert out.tolist() == [((i % n) + 1) % n if n else 0 for i in range(70)]


TARGETS = ("cpu", "emu:sm_90", "emu:gfx942")


def on_each(kernel, want, *arguments):
    """`want`: of the last argument, which is an array of zeros at first."""
    for target in TARGETS:
        given = [device.array(a, target) if isinstance(a, np.ndarray) else a for a in arguments]
        kernel[1, 16](*given)
        assert device.to_numpy(given[-1]).tolist() == want.tolist(), target


@device.kernel
def shrinking_period(out):
    i = device.tid(1)
    if i == 0:
        q = 0
        p = out.shape[0]
        for k in range(3):
            out[k] = (q + 1) % p
            q = (q + 5) % p
            p = p // 2


@device.kernel
def period_of_a_turn(x, out):
    if device.tid(1) == 0:
        q = 0
        k = 0
        while x[k] > 0:
            p = max(abs(x[k]), 1)
            out[k] = (q + 1) % p
            q = (q + 5) % p
            k += 1


def test_a_period_that_changes_from_turn_to_turn():
    out = np.zeros(32, np.int32)
    on_each(shrinking_period, np.array([1, 6, 3] + [0] * 29), out)
    x = np.array([30, 20, 9, 3, 14, 2, 8, 0], np.int32)
    on_each(period_of_a_turn, np.array([1, 6, 2, 1, 3, 0, 1, 0]), x, np.zeros(8, np.int32))


@device.kernel
def of_a_difference(n, out):
    i = device.tid(1)
    less = n - 5
    if less >= 0:
        out[i] = less % n


def test_a_difference_that_began_anew():
    for n in (-2 ** 31, -2 ** 31 + 4, 5, 6, 2 ** 31 - 1):
        less = (n - 5 + 2 ** 31) % 2 ** 32 - 2 ** 31
        on_each(of_a_difference, np.full(16, less % n if less >= 0 else 0), n, np.zeros(16, np.int32))


def by_a_short_number(factor, long_factor):
    @device.kernel
    def kernel(x, out):
        i = device.tid(1)
        short = device.int8(i * factor)
        at = i + 3
        if short < 0:
            at = i
        out[0, i] = x[i if device.uint8(i * factor) < 128 else i + 3] + x[i if device.int16(i * long_factor) >= 0 else i + 3] * 100 + x[at] * 10000
    return kernel


@pytest.mark.parametrize("lanes", (4, 8, 16, 32, 64))
@pytest.mark.parametrize("factor, long_factor", ((20, 4370), (17, 4369), (9, 2115), (40, 8740), (4, 1041)))
def test_a_choice_by_a_number_that_begins_anew_between_lanes(factor, long_factor, lanes, monkeypatch):
    monkeypatch.setenv("HETJIT_LANES", str(lanes))
    x, out = np.arange(80, dtype=np.int32), np.zeros((1, 64), np.int32)
    by_a_short_number(factor, long_factor)[64 // lanes, lanes](x, out)
    i = np.arange(64)
    signed = lambda number, bits: (number + 2 ** (bits - 1)) % 2 ** bits - 2 ** (bits - 1)  # noqa: E731
    want = np.where(i * factor % 256 < 128, i, i + 3) + 100 * np.where(signed(i * long_factor, 16) >= 0, i, i + 3)
    assert out[0].tolist() == (want + 10000 * np.where(signed(i * factor, 8) < 0, i, i + 3)).tolist()
