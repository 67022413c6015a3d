"""Local arrays that loops with known counts go through, which GPUs' code writes out to keep them in registers: triangles, networks, rings, tiles,
counts that other loops' turns decide, places that are no plain counters; and arrays with a place that nobody knows, which stay memory."""

import math

import numpy as np
import pytest

from both import both
from hetjit import _core, device

COUNT = 40


def cholesky(m, out):
    i = device.tid(1)
    if i >= m.shape[0]:
        return
    lower = device.local_array((6, 6), device.float32)
    for r in range(6):
        for c in range(r + 1):
            total = m[i, r, c]
            for k in range(c):
                total -= lower[r, k] * lower[c, k]
            lower[r, c] = math.sqrt(total) if r == c else total / lower[c, c]
    for r in range(6):
        for c in range(r + 1):
            out[i, r, c] = lower[r, c]


def network(x, out):
    i = device.tid(1)
    if i >= x.shape[0]:
        return
    v = device.local_array(16, device.float32)
    for k in range(16):
        v[k] = x[i, k]
    for p in range(16):
        for q in range(p % 2, 15, 2):
            if v[q] > v[q + 1]:
                v[q], v[q + 1] = v[q + 1], v[q]
    for k in range(16):
        out[i, k] = v[15 - k]


def bitonic(x, out):
    i = device.tid(1)
    if i >= x.shape[0]:
        return
    v = device.local_array(16, device.float32)
    for k in range(16):
        v[k] = x[i, k]
    size = 2
    while size <= 16:
        distance = size // 2
        while distance > 0:
            for k in range(16):
                other = k ^ distance
                if other > k and (v[k] > v[other]) == (k & size == 0):
                    v[k], v[other] = v[other], v[k]
            distance //= 2
        size *= 2
    for k in range(16):
        out[i, k] = v[k]


def ring(x, out):
    i = device.tid(1)
    if i >= x.shape[0]:
        return
    last = device.local_array(5, device.float32)
    for k in range(5):
        last[k] = x[i, k]
    for j in range(5, x.shape[1]):
        total = 0.0
        for k in range(5):
            total += last[k] * (k + 1)
        out[i, j] = total
        for k in range(4):
            last[k] = last[k + 1]
        last[4] = x[i, j]


def backwards(x, out):
    i = device.tid(1)
    if i >= x.shape[0]:
        return
    v, w = device.local_array(12, device.float32), device.local_array((3, 4), device.int16)
    for k in range(11, -1, -1):
        v[k] = x[i, k]
        w[k // 4, k % 4] = device.int16(3 * k)
    total = 0.0
    for k in range(0, 12, 3):
        for j in reversed(range(k // 3 + 1)):
            total += v[min(k + j, 11)] * w[j % 3, (j + k) % 4]
    out[i, 0] = total


def leaves_early(x, out):
    i = device.tid(1)
    if i >= x.shape[0]:
        return
    v = device.local_array(8, device.float32)
    for k in range(8):
        v[k] = x[i, k]
        if v[k] > 0.9:
            break
        for j in range(k):
            if v[j] > v[k]:
                continue
            v[j] += 0.25 * v[k]
    for k in range(4):
        out[i, k] = v[0] if k == 0 else v[0] * k


def one_place_unknown(x, out):
    i = device.tid(1)
    if i >= x.shape[0]:
        return
    v = device.local_array(16, device.float32)
    for k in range(16):
        v[k] = x[i, k]
    at = int(x[i, 0] * 15.0)
    v[at] += 1.0
    for k in range(16):
        out[i, k] = v[k] + v[15 - k]


def tile(x, out):
    i = device.tid(1)
    if i >= x.shape[0]:
        return
    total = device.local_array((4, 4), device.float32)
    for r in range(4):
        for c in range(4):
            total[r, c] = 0.0
    for k in range(x.shape[1]):
        for r in range(4):
            for c in range(4):
                total[r, c] += x[i, (k + r) % x.shape[1]] * x[i, (k + 2 * c) % x.shape[1]]
    for r in range(4):
        for c in range(4):
            out[i, 4 * r + c] = total[c, r]


def passed_on(x, out):
    i = device.tid(1)
    if i >= x.shape[0]:
        return
    v = device.local_array(9, device.float32)
    for k in range(9):
        v[k] = x[i, k]
    rounds = int(x[i, 3] * 4)
    for _ in range(rounds):  # a count that only the thread knows, round loops that are written out
        for k in range(8):
            v[k] = 0.5 * (v[k] + v[k + 1])
    for k in range(9):
        out[i, k] = v[k]


@pytest.mark.parametrize("lanes", [None, 1])
@pytest.mark.parametrize("kernel", [network, bitonic, ring, backwards, leaves_early, one_place_unknown, tile, passed_on], ids=lambda f: f.__name__)
def test_rows(kernel, lanes, monkeypatch):
    if lanes:
        monkeypatch.setenv("HETJIT_LANES", str(lanes))
    x = np.random.default_rng(5).random((COUNT, 16)).astype(np.float32)
    both(kernel, x, np.zeros_like(x), grid=2, block=32)


def test_triangles():
    a = np.random.default_rng(5).random((COUNT, 6, 6)).astype(np.float32)
    m = a @ a.transpose(0, 2, 1) + 6 * np.eye(6, dtype=np.float32)
    got = both(cholesky, m, np.zeros_like(m), grid=2, block=32)
    np.testing.assert_allclose(got, np.linalg.cholesky(m), rtol=1e-4, atol=1e-5)


def counts_that_grow(rounds):
    def kernel(x, out):
        i = device.tid(1)
        if i >= x.shape[0]:
            return
        v, n = device.local_array(4, device.float32), device.uint64(1)
        for k in range(4):
            v[k] = x[i, k]
        for _ in range(rounds):
            n *= device.uint64(7)
            k = device.uint64(0)
            while k != n:
                v[k & device.uint64(3)] += 0.5 * v[k + device.uint64(1) & device.uint64(3)]
                k += device.uint64(1)
        for k in range(4):
            out[i, k] = v[k]

    return kernel


def test_counts_that_nobody_bounds():
    """Where another loop's turns make a loop's count known, and large, it is not written out."""
    x = np.random.default_rng(5).random((COUNT, 16)).astype(np.float32)
    both(counts_that_grow(2), x, np.zeros_like(x), grid=2, block=32)
    plane = "array[float32, 2, contiguous, index32]"
    for phase, target in (("ptx", "cuda:sm_90"), ("amdgcn", "hip:gfx942")):
        assert len(_core.show(_core.capture(counts_that_grow(8)), phase, f"({plane}, {plane})", target).splitlines()) < 2500
