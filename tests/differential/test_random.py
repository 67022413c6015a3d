"""device.random: the published numbers of Philox4x32-10, and the same ones on the host, by the interpreter and on the CPU."""

import math

import numpy as np
import pytest

from hetjit import _core, device

from both import both, same

# Known answers of the Random123 library (D. E. Shaw Research), kat_vectors: philox4x32 10.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0),
     (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
]


def cipher(words, out):
    i = device.tid(1)
    key = (words[i, 4], words[i, 5])
    a, b, c, d = device.random.philox4x32((words[i, 0], words[i, 1], words[i, 2], words[i, 3]), key)
    out[i, 0], out[i, 1], out[i, 2], out[i, 3] = a, b, c, d


def test_published_vectors():
    for counter, key, want in KNOWN:
        assert tuple(map(int, device.random.philox4x32(counter, key))) == want
    words = np.array([counter + key for counter, key, _ in KNOWN], np.uint32)
    same(both(cipher, words, np.zeros((3, 4), np.uint32), grid=3), np.array([want for _, _, want in KNOWN], np.uint32))


def draws(seed, out, pairs):
    i = device.tid(1)
    for step in range(8):
        out[i, step] = device.random.uniform(seed, i, step)
        pairs[i, step, 0], pairs[i, step, 1] = device.random.normal2(seed, i, step)


def test_host_and_kernels_draw_the_same():
    out, pairs = np.zeros((64, 8), np.float32), np.zeros((64, 8, 2), np.float32)
    device.kernel(draws)[1, 64](7, out, pairs)
    again, pairs_again = np.zeros_like(out), np.zeros_like(pairs)
    _core.interpret(_core.capture(draws), (7, again, pairs_again), 2, 32)
    same(out, again)
    same(pairs, pairs_again)
    same(out, np.array([[device.random.uniform(7, i, s) for s in range(8)] for i in range(64)], np.float32))
    host = np.array([[device.random.normal2(7, i, s) for s in range(8)] for i in range(64)])
    np.testing.assert_allclose(pairs, host, rtol=1e-4, atol=1e-5)


def test_distributions():
    @device.kernel
    def fill(seed, u, n, k, d):
        i = device.tid(1)
        u[i] = device.random.uniform(seed, i, 0)
        n[i] = device.random.normal(seed, i, 1)
        k[i] = device.random.randint(seed, i, 2, -3, 7)
        d[i] = device.random.uniform64(seed, i, 3)

    count = 1 << 14
    u, n, d = np.zeros(count, np.float32), np.zeros(count, np.float32), np.zeros(count)
    k = np.zeros(count, np.int32)
    fill[count // 128, 128](device.int64(2**40 + 1), u, n, k, d)
    for x in (u, d):
        assert x.min() >= 0 and x.max() < 1 and abs(x.mean() - 0.5) < 0.02 and abs(x.var() - 1 / 12) < 0.01
    assert len(np.unique(u)) > count * 0.99
    assert abs(n.mean()) < 0.05 and abs(n.std() - 1) < 0.05 and np.isfinite(n).all()
    assert k.min() == -3 and k.max() == 6
    assert abs(np.bincount(k + 3) / count - 0.1).max() < 0.02


def test_numbers_depend_on_all_three():
    base = device.random.bits(1, 2, 3)
    assert len({base, device.random.bits(2, 2, 3), device.random.bits(1, 3, 3), device.random.bits(1, 2, 4),
                device.random.bits(1 + 2**32, 2, 3), device.random.bits(1, 2, 3 + 2**40)}) == 6
    assert base == device.random.bits(np.uint64(1), np.int32(2), 3)
    four = device.random.uniform4(1, 2, 3)
    assert four[0] == device.random.uniform(1, 2, 3) and all(0 <= x < 1 for x in four)
    assert math.isfinite(device.random.normal(1, 2, 3)) and device.random.randint(1, 2, 3, 5, 6) == 5
    with pytest.raises(OverflowError):
        device.random.bits(-1, 0, 0)
