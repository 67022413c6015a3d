"""cmath for kernels, in the width of the argument; real numbers are taken as complex ones.

The formulas are those that avoid cancellation: W. Kahan, "Branch cuts for complex elementary functions" (1987). Infinities and NaN
follow Annex G of the C standard where that takes a line, and IEEE arithmetic elsewhere; nothing is raised.
"""

import math

from hetjit import device


def _own(z):
    if device.isdtype(z.dtype, "complex floating"):
        return z
    return device.complex128(z) if z.dtype == device.float64 else device.complex64(z)


def _complex(x, y):
    return device.complex128(x, y) if x.dtype == device.float64 else device.complex64(x, y)


def exp(z):
    """e**z."""
    z = _own(z)
    x, y = z.real, z.imag
    if y == 0:
        return _complex(math.exp(x), y)
    if math.isinf(x) and not math.isfinite(y):
        return _complex(x, y - y) if x > 0 else _complex(0 / x, 0 / x)
    size = math.exp(x)
    if math.isinf(size) and math.isfinite(x):  # the product may fit where the factor does not
        half = math.exp(x / 2)
        return _complex(half * math.cos(y) * half, half * math.sin(y) * half)
    return _complex(size * math.cos(y), size * math.sin(y))


def _log_size(x, y):
    """log(hypot(x, y)), accurate near 1 and without overflow."""
    x, y = abs(x), abs(y)
    large, small = max(x, y), min(x, y)
    size = math.hypot(x, y)
    if 0.71 <= size and size <= 1.73:
        return math.log1p((large - 1) * (large + 1) + small * small) / 2
    if math.isinf(size) and math.isfinite(x) and math.isfinite(y):
        return math.log(math.hypot(x / 2, y / 2)) + 0.6931471805599453
    return math.log(size)


def log(z, base=None):
    """The natural logarithm, or that to a base; its imaginary part is the phase."""
    z = _own(z)
    result = _complex(_log_size(z.real, z.imag), math.atan2(z.imag, z.real))
    if base is None:
        return result
    base = device.complex128(base) if z.dtype == device.complex128 else _own(base)  # the logarithm of an integer as accurate as its partner
    return result / _complex(_log_size(base.real, base.imag), math.atan2(base.imag, base.real))


def log10(z):
    """The logarithm to the base 10."""
    z = _own(z)
    tenth = 0.4342944819032518
    return _complex(_log_size(z.real, z.imag) * tenth, math.atan2(z.imag, z.real) * tenth)


def sqrt(z):
    """The root whose real part is not negative."""
    z = _own(z)
    x, y = z.real, z.imag
    if x == 0 and y == 0:
        return _complex(abs(x), y)
    if math.isinf(y):
        return _complex(abs(y), y)
    if math.isinf(x):
        rest = y - y
        return _complex(x, math.copysign(rest, y)) if x > 0 else _complex(rest, math.copysign(x, y))
    # Scaled by a power of 4, so that nothing overflows and no bits are lost below the normal numbers.
    large = max(abs(x), abs(y))
    scale, back = (0.0625, 4.0) if large > 1 else (1.0, 1.0)
    if large < (1e-290 if x.dtype == device.float64 else 1e-30):
        scale, back = (2.0**108, 2.0**-54) if x.dtype == device.float64 else (2.0**80, 2.0**-40)
    a, b = abs(x) * scale, abs(y) * scale
    root = math.sqrt((a + math.hypot(a, b)) / 2)
    root, other = root * back, b / (2 * root) * back
    return _complex(root, math.copysign(other, y)) if x >= 0 else _complex(other, math.copysign(root, y))


def sinh(z):
    """(exp(z) - exp(-z)) / 2."""
    z = _own(z)
    x, y = z.real, z.imag
    if y == 0:
        return _complex(math.sinh(x), y)
    return _complex(math.sinh(x) * math.cos(y), math.cosh(x) * math.sin(y))


def cosh(z):
    """(exp(z) + exp(-z)) / 2."""
    z = _own(z)
    x, y = z.real, z.imag
    if y == 0:
        return _complex(math.cosh(x), y * math.copysign(1.0, x))
    return _complex(math.cosh(x) * math.cos(y), math.sinh(x) * math.sin(y))


def tanh(z):
    """sinh(z) / cosh(z)."""
    z = _own(z)
    x, y = z.real, z.imag
    if abs(x) > (354.0 if x.dtype == device.float64 else 44.0):
        turn = math.sin(y) * math.cos(y) if math.isfinite(y) else math.copysign(0.0, y)
        return _complex(math.copysign(x.dtype(1), x), 4 * turn * math.exp(-2 * abs(x)))
    tx, ty, inverse = math.tanh(x), math.tan(y), 1 / math.cosh(x)
    both = tx * ty
    divisor = 1 + both * both
    return _complex(tx * (1 + ty * ty) / divisor, ty / divisor * inverse * inverse)


def sin(z):
    """-i sinh(iz)."""
    z = _own(z)
    turned = sinh(_complex(-z.imag, z.real))
    return _complex(turned.imag, -turned.real)


def cos(z):
    """cosh(iz)."""
    z = _own(z)
    return cosh(_complex(-z.imag, z.real))


def tan(z):
    """-i tanh(iz)."""
    z = _own(z)
    turned = tanh(_complex(-z.imag, z.real))
    return _complex(turned.imag, -turned.real)


def asinh(z):
    """The inverse of sinh; cuts along the imaginary axis beyond i and -i."""
    z = _own(z)
    if _is_large(z):
        return _asinh_of_large(z)
    a, b = sqrt(_complex(1 + z.imag, -z.real)), sqrt(_complex(1 - z.imag, z.real))
    return _complex(math.asinh(a.real * b.imag - b.real * a.imag),
                    math.atan2(z.imag, a.real * b.real - a.imag * b.imag))


def acosh(z):
    """The inverse of cosh; a cut to the left of 1."""
    z = _own(z)
    if _is_large(z):
        return _complex(_log_size(z.real / 2, z.imag / 2) + 1.3862943611198906, math.atan2(z.imag, z.real))
    a, b = sqrt(_complex(z.real - 1, z.imag)), sqrt(_complex(z.real + 1, z.imag))
    return _complex(math.asinh(a.real * b.real + a.imag * b.imag), 2 * math.atan2(a.imag, b.real))


def asin(z):
    """The inverse of sin; cuts beyond 1 and -1."""
    z = _own(z)
    turned = asinh(_complex(-z.imag, z.real))
    return _complex(turned.imag, -turned.real)


def acos(z):
    """The inverse of cos; cuts beyond 1 and -1."""
    z = _own(z)
    if _is_large(z):
        size = _log_size(z.real / 2, z.imag / 2) + 1.3862943611198906
        return _complex(math.atan2(abs(z.imag), z.real), math.copysign(size, -z.imag))
    a, b = sqrt(_complex(1 - z.real, -z.imag)), sqrt(_complex(1 + z.real, z.imag))
    return _complex(2 * math.atan2(a.real, b.real), math.asinh(b.real * a.imag - b.imag * a.real))


def atanh(z):
    """The inverse of tanh; cuts beyond 1 and -1."""
    z = _own(z)
    sign = math.copysign(1.0, z.real)
    x, y = abs(z.real), z.imag * sign
    height = abs(y)
    if x > 1e7 or height > 1e7:
        size = math.hypot(x / 2, height / 2)
        return _complex(x / 4 / size / size * sign, math.copysign(1.5707963267948966, y) * sign)
    if x == 1 and height < (1e-150 if x.dtype == device.float64 else 1e-18):
        if height == 0:
            return _complex(math.copysign(math.inf, z.real), z.imag)
        real = -math.log(math.sqrt(height) / math.sqrt(math.hypot(height, 2.0)))
        return _complex(real * sign, math.copysign(math.atan2(2.0, -height) / 2, y) * sign)
    real = math.log1p(4 * x / ((1 - x) * (1 - x) + height * height)) / 4
    imag = -math.atan2(-2 * y, (1 - x) * (1 + x) - height * height) / 2
    return _complex(real * sign, imag * sign)


def atan(z):
    """The inverse of tan; cuts along the imaginary axis beyond i and -i."""
    z = _own(z)
    turned = atanh(_complex(-z.imag, z.real))
    return _complex(turned.imag, -turned.real)


def _is_large(z):
    limit = 1e16 if z.dtype == device.complex128 else 1e8
    return abs(z.real) > limit or abs(z.imag) > limit


def _asinh_of_large(z):
    size = _log_size(z.real / 2, z.imag / 2) + 1.3862943611198906
    return _complex(math.copysign(size, z.real), math.atan2(z.imag, abs(z.real)))


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    """Whether two numbers are close, relative to the larger or absolutely."""
    a, b = _own(a), _own(b)
    if a == b:
        return True
    if math.isinf(a.real) or math.isinf(a.imag) or math.isinf(b.real) or math.isinf(b.imag):
        return False
    apart = abs(a - b)
    return apart <= rel_tol * abs(a) or apart <= rel_tol * abs(b) or apart <= abs_tol
