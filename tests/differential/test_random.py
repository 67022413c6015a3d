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


NEGATIVE = {"a literal": "device.random.bits({0}, {0}, {0})", "an int": "device.random.bits(n[0] * 0 + {0}, k, 1)", "int64": "device.random.bits(1, device.int64(k), n[0])",
            "int8": "device.random.bits(device.int8(-(k & 63)), 0, device.int16(-(k & 1023)))", "uint8": "device.random.bits(device.uint8(200), device.uint64(200), device.uint16(7))",
            "a flag": "device.random.bits(k < 0, k < 5, 0)", "uint64": "device.random.bits(device.uint64(n[1]), device.uint64(2**63 + 9), 0)",
            "words": "device.random.philox4x32(({0}, k, n[0], device.int8(-3)), (k, {0}))"}


@pytest.mark.parametrize("number", [-1, -5, -2**31, 7])
@pytest.mark.parametrize("case", NEGATIVE)
def test_negative_ones_are_the_same_everywhere(case, number):
    """Of every integer 64 bits count, of a word 32."""
    given = {"device": device}
    exec(f"def body(k, n, out):\n    out[0], out[1], out[2], out[3] = {NEGATIVE[case].format(number)}\n", given)
    n = np.array([number, 2**40 + 3], np.int64)
    host = [0] * 4
    given["body"](number, n, host)
    same(both(given["body"], number, n, np.zeros(4, np.uint32)), np.array([int(word) for word in host], np.uint32))


def test_64_bits_of_a_seed_count():
    for function in (device.random.bits, device.random.uniform, device.random.uniform64, device.random.normal):
        assert function(-1, -2, -3) == function(2**64 - 1, 2**64 - 2, 2**64 - 3) == function(np.int64(-1), np.int64(-2), np.int64(-3)) == function(2**64 - 1, np.uint64(2**64 - 2), -3)
    assert device.random.philox4x32((-1,) * 4, (-1,) * 2) == device.random.philox4x32((2**32 - 1,) * 4, (2**32 - 1,) * 2)
    for number in (1.0, np.float32(1), "1", None):
        with pytest.raises(TypeError):
            device.random.bits(number, 0, 0)
