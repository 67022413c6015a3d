"""Random numbers from a counter: Philox4x32-10, the same on every target and on the host.

J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011). There is no state to keep: a number follows from `seed` (which
experiment), `sequence` (which thread) and `offset` (which number of that thread), all integers from -2**64 to 2**64 - 1, of which 64 bits count: -1 is 2**64 - 1. Numbers with
another seed, sequence or offset are independent. Every function here is plain Python: kernels call it, and so does the host.

    i = device.tid(1)
    x[i] = device.random.uniform(seed, i, step)
"""

import math

from hetjit import device

__all__ = ["philox4x32", "bits", "uniform", "uniform4", "uniform64", "normal", "normal2", "randint"]


def _round(c0, c1, c2, c3, k0, k1):
    first = device.uint64(0xD2511F53) * c0
    second = device.uint64(0xCD9E8D57) * c2
    return (device.uint32(second >> 32) ^ c1 ^ k0, device.uint32(second & 0xFFFFFFFF),
            device.uint32(first >> 32) ^ c3 ^ k1, device.uint32(first & 0xFFFFFFFF))


def _bumped(key, by):
    return device.uint32((device.uint64(key) + by) & 0xFFFFFFFF)


def _halves(number):
    sign = number >> 64  # -1 or 0, of an int; a float is a TypeError
    whole = device.uint64(number ^ sign) ^ device.uint64(sign & 1) * device.uint64(0xFFFFFFFFFFFFFFFF)
    return device.uint32(whole & 0xFFFFFFFF), device.uint32(whole >> 32)


def philox4x32(counter, key):
    """Four uint32 from a counter of four and a key of two, the low 32 bits of each: the block cipher itself, with ten rounds."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    c0, c1, c2, c3 = _halves(c0)[0], _halves(c1)[0], _halves(c2)[0], _halves(c3)[0]
    k0, k1 = _halves(k0)[0], _halves(k1)[0]
    for _ in range(10):
        c0, c1, c2, c3 = _round(c0, c1, c2, c3, k0, k1)
        k0, k1 = _bumped(k0, device.uint64(0x9E3779B9)), _bumped(k1, device.uint64(0xBB67AE85))
    return c0, c1, c2, c3


def bits(seed, sequence, offset):
    """Four independent uint32, every value equally likely."""
    c0, c1 = _halves(offset)
    c2, c3 = _halves(sequence)
    return philox4x32((c0, c1, c2, c3), _halves(seed))


def _unit(word):
    return device.float32(word >> 8) * 5.9604644775390625e-08  # 2**-24


def uniform(seed, sequence, offset):
    """A float32 in [0, 1), one of 2**24 equally spaced values."""
    a, _, _, _ = bits(seed, sequence, offset)
    return _unit(a)


def uniform4(seed, sequence, offset):
    """Four independent ones, for the price of one."""
    a, b, c, d = bits(seed, sequence, offset)
    return _unit(a), _unit(b), _unit(c), _unit(d)


def uniform64(seed, sequence, offset):
    """A float64 in [0, 1), one of 2**53 equally spaced values."""
    a, b, _, _ = bits(seed, sequence, offset)
    word = device.uint64(a) << 32 | device.uint64(b)
    return device.float64(word >> 11) * 1.1102230246251565e-16  # 2**-53


def normal2(seed, sequence, offset):
    """Two independent float32 of the standard normal distribution (Box and Muller)."""
    a, b, _, _ = bits(seed, sequence, offset)
    size = math.sqrt(-2 * math.log(_unit(a) + 5.9604644775390625e-08))  # of a number in (0, 1]
    angle = _unit(b) * 6.283185307179586
    return size * math.cos(angle), size * math.sin(angle)


def normal(seed, sequence, offset):
    """A float32 of the standard normal distribution. On the host it is Python's float, equal up to rounding."""
    x, _ = normal2(seed, sequence, offset)
    return x


def randint(seed, sequence, offset, low, high):
    """An int in [low, high); high - low is less than 2**31. A value is more likely than another by at most
    (high - low) / 2**32. Raises AssertionError where high is not above low."""
    assert high > low, "randint(): the range is empty"
    a, _, _, _ = bits(seed, sequence, offset)
    return low + int(device.uint64(a) * device.uint64(high - low) >> 32)
