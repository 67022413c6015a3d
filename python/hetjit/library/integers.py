"""Whole numbers. Everything wraps as device integers do; what would not fit wraps silently."""

from hetjit import device


def _gcd(a, b):
    zero = (a - a) + (b - b)  # of the type where both meet
    a, b = a + zero, b + zero
    while b != 0:
        a, b = b, a % b
    return abs(a)  # last, as the least number of a format has no opposite


def gcd(*numbers):
    """math.gcd: 0 of nothing."""
    result = 0
    for number in numbers:
        result = _gcd(result, number)
    return result


def _lcm(a, b):
    divisor = _gcd(a, b)
    return 0 if divisor == 0 else abs(a // divisor * b)


def lcm(*numbers):
    """math.lcm: 1 of nothing."""
    result = 1
    for number in numbers:
        result = _lcm(result, number)
    return result


def isqrt(n):
    """math.isqrt, by Newton's method from above; of a negative number 0."""
    if n <= 0:
        return n - n
    root = (n // n) << ((n.bit_length() + 1) // 2)  # n // n: a one of n's type
    while True:
        better = (root + n // root) // 2
        if better >= root:
            return root
        root = better


def factorial(n):
    """math.factorial; of a negative number 1."""
    result = 1
    for below in range(1, min(n, 66)):  # from 66 on it is a multiple of 2**64
        result = result * (below + 1)
    return result


def perm(n, k=None):
    """math.perm: ways to choose k of n in order."""
    result = 1
    count = n if k is None else k
    if count > n or count < 0:
        return 0
    for i in range(count):
        result = result * (n - i)
    return result


def comb(n, k):
    """math.comb: ways to choose k of n. Exact as long as the result fits."""
    if k < 0 or k > n:
        return 0
    few = min(k, n - k)
    result = 1
    for i in range(few):
        # result * (n - i) // (i + 1), and no number on the way is larger than what comes out.
        result, rest = result // (i + 1), result % (i + 1)
        result = result * (n - i) + rest * (n - i) // (i + 1)
    return result


def _product_modulo(a, b, modulus):
    """a * b % modulus of uint64 numbers below the modulus, by doubling."""
    result = device.uint64(0)
    while b != 0:
        if b & 1:
            result = result - (modulus - a) if result >= modulus - a else result + a
        a = a - (modulus - a) if a >= modulus - a else a + a
        b = b >> 1
    return result


def _size(n):
    """abs(n) as a uint64, of the least number of a format too."""
    if device.isdtype(n.dtype, "signed integer"):
        return device.uint64(abs(device.int64(n)))
    return device.uint64(n)


def power_modulo(base, exponent, modulus):
    """pow(base, exponent, modulus) of integers, exact for every format. A negative exponent counts as 0; modulo 0 is 0."""
    first = base % modulus
    if modulus == 0:
        return first
    size = _size(modulus)
    if size == 1:
        return first - first
    factor = device.uint64(first if modulus > 0 or first == 0 else first - modulus)
    result = device.uint64(1)
    while exponent > 0:
        if exponent & 1:
            result = _product_modulo(result, factor, size)
        factor = _product_modulo(factor, factor, size)
        exponent = exponent >> 1
    found = type(first)(result)
    return found + modulus if modulus < 0 and found != 0 else found


def power(base, exponent):
    """numpy.power of integers, which is one; of a negative exponent 1 // base ** -exponent, towards zero."""
    zero = (base - base) + (exponent - exponent)  # of the type where both meet
    factor, result = base + zero, zero + 1
    if exponent < 0:
        if factor == 1 or -factor == 1 and exponent & 1:
            return factor
        return result if -factor == 1 else zero
    while exponent > 0:
        if exponent & 1:
            result = result * factor
        factor = factor * factor
        exponent = exponent >> 1
    return result


def reciprocal(n):
    """numpy.reciprocal of an integer: 1 / n towards zero. Of 0 it is 0."""
    return n if n == 1 or n < 0 and -n == 1 else n - n


def fmod(a, b):
    """numpy.fmod of integers: the remainder with the sign of a. Of b = 0 it is 0."""
    rest = a % b
    return rest - b if rest != 0 and (rest < 0) != (a < 0) else rest
