"""Functions of floats that take a number apart, or that are made of others."""

import math

from hetjit import device


def _own(x):
    """A float of 32 bits or more, as functions of the library compute in."""
    if x.dtype == device.float64:
        return x
    if device.isdtype(x.dtype, ("integral", "bool")):
        return float(x)
    return x if x.dtype == device.float32 else device.float32(x)


def _floating(x):
    """A float in its own format."""
    return float(x) if device.isdtype(x.dtype, ("integral", "bool")) else x


def _apart(a, b):
    """|a - b| as a float. Of integers it is exact before it is one: nothing wraps."""
    if not device.isdtype(a.dtype, "integral") or not device.isdtype(b.dtype, "integral"):
        return abs(_own(a) - _own(b))
    large, small = (a, b) if a > b else (b, a)
    if large.dtype == device.uint64 or large.dtype == device.int64:
        return float(device.uint64(large) - device.uint64(small))
    return float(device.int64(large) - device.int64(small))


def _exponent(x):
    """The e of x = m * 2**e with 1/2 <= |m| < 1, of a finite number that is not 0."""
    if x.dtype == device.float64:
        bits = x.view(device.uint64)
        field = int(bits >> 52) & 0x7FF
        return field - 1022 if field else int((x * 18014398509481984.0).view(device.uint64) >> 52 & 0x7FF) - 1076
    bits = x.view(device.uint32)
    field = int(bits >> 23) & 0xFF
    return field - 126 if field else int((x * 33554432.0).view(device.uint32) >> 23 & 0xFF) - 151


def _power_of_two(like, exponent):
    """2**exponent in the format of `like`, for exponents of normal numbers."""
    if like.dtype == device.float64:
        return (device.uint64(exponent + 1023) << 52).view(device.float64)
    power = (device.uint32(exponent + 127) << 23).view(device.float32)
    return like.dtype(power)


def _within_int(i):
    """An exponent as an int, of one that is beyond all others 5000 or -5000."""
    wide = device.int64(min(i, 5000)) if i.dtype == device.uint64 else device.int64(i)
    return int(max(-5000, min(5000, wide)))


def ldexp(x, i):
    """x * 2**i, rounded once."""
    x, i = _own(x), _within_int(i)
    least, most = (-1022, 1023) if x.dtype == device.float64 else (-126, 127)
    digits = 53 if x.dtype == device.float64 else 24
    steps = 0
    while i > most and steps < 3:
        x = x * _power_of_two(x, most)
        i = i - most
        steps = steps + 1
    # Down, with room for the digits of a subnormal number, so that only the last step rounds.
    while i < least and steps < 3:
        x = x * _power_of_two(x, least + digits)
        i = i - (least + digits)
        steps = steps + 1
    return x * _power_of_two(x, max(least, min(most, i)))


def frexp(x):
    """(m, e) with x = m * 2**e and 1/2 <= |m| < 1; (x, 0) of 0, infinities and NaN."""
    x = _own(x)
    if x == 0 or not math.isfinite(x):
        return x, 0
    e = _exponent(x)
    return ldexp(x, -e), e


def modf(x):
    """The fractional and the whole part, both with the sign of x."""
    x = _own(x)
    whole = device.trunc(x)
    rest = 0.0 if math.isinf(x) else x - whole
    return math.copysign(rest, x), whole


def ulp(x):
    """The distance from |x| to the next larger float."""
    x = abs(_floating(x))
    if math.isinf(x) or x != x:
        return x
    above = math.nextafter(x, math.inf)
    return above - x if math.isfinite(above) else x - math.nextafter(x, 0.0)


def spacing(x):
    """numpy.spacing: the distance to the next float away from zero, with x's sign."""
    x = _floating(x)
    if not math.isfinite(x):
        return x - x + math.nan
    size = abs(x)
    apart = math.nextafter(size, math.inf) - size
    return -apart if x < 0 else apart


def next_of_sixteen_bits(x, y):
    """The neighbour of x towards y, both of one format of 16 bits."""
    if x != x or y != y:
        return x + y
    if x == y:
        return y
    if x == 0:
        return math.copysign(device.uint16(1).view(x.dtype), y)
    bits = x.view(device.uint16)
    return (bits + 1 if (x < y) == (x > 0) else bits - 1).view(x.dtype)


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    """math.isclose."""
    if a == b:
        return True
    if math.isinf(a) or math.isinf(b):
        return False
    apart = _apart(a, b)
    return apart <= rel_tol * abs(_own(a)) or apart <= rel_tol * abs(_own(b)) or apart <= abs_tol


def dist(p, q):
    """The distance of two points, as many numbers each."""
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    distance = 0.0
    for a, b in zip(p, q):
        distance = math.hypot(distance, _apart(a, b))
    return distance


def prod(iterable, *, start=1):
    """math.prod of a tuple."""
    result = start
    for factor in iterable:
        result = result * factor
    return result


def _sum_type(values):
    """The type in which the library adds these: a tuple's numbers, or an array's elements."""
    if not isinstance(values, tuple):
        return _own(values.dtype(0)).dtype
    total = 0.0
    for value in values:
        total = total + _own(value)
    return total.dtype


def _two_sum(a, b):
    """a + b and what its rounding has lost, exactly. (Knuth, TAOCP 2, 4.2.2, theorem B)"""
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)


def _compress(parts, count):
    """Parts from small to large that do not overlap, as few and as far apart as can be. Returns how many. (Shewchuk 1997, figure 15)"""
    last = count - 1
    top, lowest = parts[last], last
    for back in range(1, count):
        total, lost = _two_sum(top, parts[last - back])
        if lost != 0:
            parts[lowest] = total
            lowest = lowest - 1
            total = lost
        top = total
    parts[lowest] = top
    for i in range(lowest, count):
        parts[i - lowest] = parts[i]
    return count - lowest


def _round_parts(parts, count):
    """Their sum, rounded once: parts from small to large that do not overlap."""
    if count == 0:
        return parts.dtype(0)
    count = count - 1
    total, lost = parts[count], parts.dtype(0)
    while count > 0 and lost == 0:
        count = count - 1
        total, lost = _two_sum(total, parts[count])
    # Half way between two floats is decided by what comes below.
    if count > 0 and (lost < 0) == (parts[count - 1] < 0):
        twice = lost * 2
        away = total + twice
        if away - total == twice:
            total = away
    return total


def fsum(seq):
    """The exact sum of a tuple or an array of one dimension, rounded once; a sum beyond the largest float is infinite. (Shewchuk 1997)"""
    dtype = _sum_type(seq)
    most = 64
    parts = device.local_array(most, dtype)
    count, special = 0, dtype(0)
    for value in seq:
        total, kept = dtype(value), 0
        if not math.isfinite(total):
            special = special + total
        else:
            if count == most:
                count = _compress(parts, count)
            for i in range(count):
                total, lost = _two_sum(total, parts[i])
                if lost != 0:
                    parts[kept] = lost
                    kept = kept + 1
            if math.isfinite(total):
                parts[kept] = total
                count = kept + 1 if total != 0 else kept
            else:
                special, count = special + total, 0
    return special if special != 0 else _round_parts(parts, count)


def sumprod(p, q):
    """The sum of products of two tuples or arrays of as many numbers each: of floats nearly as if rounded once, in three floats for the sum.
    (Ogita, Rump and Oishi 2005, Dot3)"""
    if len(p) != len(q):
        raise ValueError("Inputs are not the same length")
    plain = 0
    for a, b in zip(p, q):
        plain = plain + a * b
    if device.isdtype(plain.dtype, ("integral", "bool")):
        return plain
    total, low, lowest = plain.dtype(0), plain.dtype(0), plain.dtype(0)
    for a, b in zip(p, q):
        a, b = plain.dtype(a), plain.dtype(b)
        product = a * b
        total, lost = _two_sum(total, product)
        low, lost_low = _two_sum(low, device.fma(a, b, -product))
        low, lost = _two_sum(low, lost)
        lowest = lowest + (lost_low + lost)
    result = total + (low + lowest)
    return result if math.isfinite(result) else plain


def logaddexp(x1, x2):
    """log(exp(x1) + exp(x2)), without overflow."""
    x1, x2 = _own(x1), _own(x2)
    if x1 == x2:
        return x1 + 0.6931471805599453
    apart = x1 - x2
    if apart > 0:
        return x1 + math.log1p(math.exp(-apart))
    return x2 + math.log1p(math.exp(apart)) if apart <= 0 else apart


def logaddexp2(x1, x2):
    """log2(2**x1 + 2**x2), without overflow."""
    x1, x2 = _own(x1), _own(x2)
    if x1 == x2:
        return x1 + 1
    apart = x1 - x2
    if apart > 0:
        return x1 + 1.4426950408889634 * math.log1p(math.exp2(-apart))
    return x2 + 1.4426950408889634 * math.log1p(math.exp2(apart)) if apart <= 0 else apart


def heaviside(x1, x2):
    """0 below zero, x2 at zero, 1 above."""
    x1, x2 = _own(x1), _own(x2)
    if x1 != x1:
        return x1
    return x2 if x1 == 0 else 0.0 if x1 < 0 else 1.0


def sinc(x):
    """sin(pi x) / (pi x), 1 at 0."""
    x = _own(x)
    angle = x * math.pi
    return math.sin(angle) / angle if x != 0 else 1.0


def _largest(x):
    """The largest finite number of the format."""
    if x.dtype == device.float16:
        return 65504.0
    if x.dtype == device.bfloat16:
        return 3.3895313892515355e38
    return 1.7976931348623157e308 if x.dtype == device.float64 else 3.4028234663852886e38


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """numpy.nan_to_num: NaN and infinities replaced, by the largest finite numbers unless others are given."""
    if device.isdtype(x.dtype, ("integral", "bool")):
        return x
    if x != x:
        return nan
    if math.isinf(x):
        if x > 0:
            return _largest(x) if posinf is None else posinf
        return -_largest(x) if neginf is None else neginf
    return x
