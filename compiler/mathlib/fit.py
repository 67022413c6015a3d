"""Computes coefficients.py: constants in parts, and the polynomials of the math library.

    python compiler/mathlib/fit.py          needs mpmath; writes coefficients.py next to itself

Each polynomial is fitted to a function that is smooth on the interval, by weighted least squares in 150 digits at many
Chebyshev nodes: within a small factor of the best there is (the tests measure what comes out of it). Then each
coefficient is rounded to the format. Leading terms that are exact (the 1 of cos) are no part of the polynomial: the
functions add them last.
"""

import pathlib
import struct

from mpmath import mp, mpf
import mpmath

mp.dps = 150
LN2 = mpmath.log(2)
HALF = LN2 / 2 * mpf("1.0001")                       # |r| after x = n*log(2) + r
LOW, HIGH = mpmath.sqrt(mpf(1) / 2) - 1, mpmath.sqrt(2) - 1    # m - 1 after x = m * 2**k
QUARTER = (mpmath.pi / 4 * mpf("1.0001")) ** 2       # r*r after x = n*pi/2 + r
LOG_Z = ((mpmath.sqrt(2) - 1) / (mpmath.sqrt(2) + 1)) ** 2     # s*s, s = (m - 1) / (m + 1)
ERFC_CENTRE = 4


def tail(terms, skip):
    """z -> sum of terms(k) * z**(k - skip), k >= skip."""
    def compute(z):
        total, k = mpf(0), skip
        while True:
            add = terms(k) * z ** (k - skip)
            total += add
            if abs(add) < mpf(10) ** -75:
                return total
            k += 1
    return compute


def alternating(k):
    return -1 if k & 1 else 1


def scaled_erfc(t):
    """(1 + 2x) exp(x*x) erfc(x) at t = (x - c) / (x + c)."""
    x = ERFC_CENTRE * (1 + t) / (1 - t)
    if x > 60:  # what is divergent serves here
        z = 1 / (2 * x * x)
        total, add = mpf(0), mpf(1)
        for k in range(1, 60):
            total += add
            add *= -(2 * k - 1) * z
        return (1 + 2 * x) / (x * mpmath.sqrt(mpmath.pi)) * total
    return (1 + 2 * x) * mpmath.exp(x * x) * mpmath.erfc(x)


def t_of(x):
    return (mpf(x) - ERFC_CENTRE) / (mpf(x) + ERFC_CENTRE)


EXP2ND = tail(lambda k: 1 / mpmath.factorial(k), 2)
EXP3RD = tail(lambda k: 1 / mpmath.factorial(k), 3)
LOG3RD = lambda f: (mpmath.log1p(f) - f + f * f / 2) / f**3
SIN = tail(lambda k: alternating(k) / mpmath.factorial(2 * k + 1), 1)
COS = tail(lambda k: alternating(k) / mpmath.factorial(2 * k), 2)
SINH = tail(lambda k: 1 / mpmath.factorial(2 * k + 1), 1)
TANH = lambda z: (mpmath.tanh(mpmath.sqrt(z)) / mpmath.sqrt(z) - 1) / z
ATAN = lambda z: (mpmath.atan(mpmath.sqrt(z)) / mpmath.sqrt(z) - 1) / z
ASIN = lambda z: (mpmath.asin(mpmath.sqrt(z)) / mpmath.sqrt(z) - 1) / z
ERF = lambda z: mpmath.erf(mpmath.sqrt(z)) / mpmath.sqrt(z) - 1
LOG_ERFC = lambda x: mpmath.log(mpmath.erfc(x))
ATANH1ST = tail(lambda k: mpf(1) / (2 * k + 1), 1)
ATANH2ND = tail(lambda k: mpf(1) / (2 * k + 1), 2)

# name: (format, function, from, to, number of coefficients[, weight])
POLYNOMIALS = {
    "EXP_F32": ("f", EXP2ND, -HALF, HALF, 5),                # (exp(r) - 1 - r) / r**2
    "EXP_SHORT": ("d", EXP2ND, -HALF, HALF, 6),
    "EXP_F64": ("d", EXP2ND, -HALF, HALF, 10),
    "EXP_LONG": ("d", EXP3RD, -HALF, HALF, 11),              # (exp(r) - 1 - r - r**2/2) / r**3
    "LOG_F32": ("f", LOG3RD, LOW, HIGH, 9),                  # (log(1 + f) - f + f**2/2) / f**3
    "ATANH_SHORT": ("d", ATANH1ST, 0, LOG_Z, 4),             # (atanh(s)/s - 1) / z, z = s**2
    "ATANH_F64": ("d", ATANH1ST, 0, LOG_Z, 8),
    "ATANH_LONG": ("d", ATANH2ND, 0, LOG_Z, 9),              # (atanh(s)/s - 1 - z/3) / z**2
    "SIN_F32": ("f", SIN, 0, QUARTER, 4),                    # (sin(r)/r - 1) / z, z = r**2
    "COS_F32": ("f", COS, 0, QUARTER, 4),                    # (cos(r) - 1 + z/2) / z**2
    "SIN_F64": ("d", SIN, 0, QUARTER, 7),
    "COS_F64": ("d", COS, 0, QUARTER, 7),
    "ATAN_F32": ("f", ATAN, 0, mpf(1) / 4, 6),                  # (atan(t)/t - 1) / z, z = t**2
    "ATAN_F64": ("d", ATAN, 0, mpf(1) / 4, 13),
    "ASIN_F32": ("f", ASIN, 0, mpf(1) / 4, 6),               # (asin(x)/x - 1) / z, z = x**2
    "ASIN_F64": ("d", ASIN, 0, mpf(1) / 4, 13),
    "SINH_SHORT": ("d", SINH, 0, mpf(1) / 4, 4),             # (sinh(x)/x - 1) / z, z = x**2
    "SINH_F64": ("d", SINH, 0, 1, 8),
    "TANH_F32": ("f", TANH, 0, mpf("0.4"), 6),               # (tanh(x)/x - 1) / z
    "TANH_F64": ("d", TANH, 0, mpf("0.36"), 11),
    "ERF_F32": ("f", ERF, 0, mpf("0.88"), 6),                # erf(x)/x - 1, by z = x**2
    "ERF_F64": ("d", ERF, 0, mpf("0.77"), 12),
    "LOG_ERFC_F32": ("f", LOG_ERFC, mpf("0.92"), 4, 8, mpmath.erfc),
    "ERFC_SHORT": ("d", scaled_erfc, t_of(0), t_of(11), 14),     # (1 + 2x) exp(x**2) erfc(x), by t
    "ERFC_F64": ("d", scaled_erfc, t_of(0), t_of(28), 28),
    "CBRT": ("d", mpmath.cbrt, mpf(1) / 2, 1, 5),
}

# name: (number, bits of each part but the last)
PARTS = {
    "LN2_F32": (LN2, (14, 24)), "LN2_F64": (LN2, (41, 53)), "LOG2_E_F64": (1 / LN2, (53, 53)), "LOG2_E_F32": (1 / LN2, (24, 24)),
    "LOG10_E_F32": (1 / mpmath.ln(10), (24, 24)), "LOG10_E_F64": (1 / mpmath.ln(10), (53, 53)),
    "LOG10_2_F32": (mpmath.log10(2), (14, 24)), "LOG10_2_F64": (mpmath.log10(2), (41, 53)),
    "HALF_PI_F32": (mpmath.pi / 2, (24, 24, 24)), "HALF_PI_F64": (mpmath.pi / 2, (53, 53, 53)), "LN2_LONG_F32": (LN2, (24, 24)), "LN2_LONG_F64": (LN2, (53, 53)),
    "THIRD_F64": (mpf(1) / 3, (53, 53)),
}
WORD_COUNT = 20


def rounded(value, bits):
    """To so many bits, to nearest."""
    if value == 0:
        return mpf(0)
    _, exponent = mpmath.frexp(value)
    unit = mpf(2) ** (exponent - bits)
    return mpmath.nint(value / unit) * unit


def fitted(function, low, high, count, weight=None):
    low, high = mpf(low), mpf(high)
    nodes = 4 * count
    rows, wanted = [], []
    for k in range(nodes):
        x = (low + high) / 2 + (high - low) / 2 * mpmath.cos(mpmath.pi * (2 * k + 1) / (2 * nodes))
        factor = weight(x) if weight else mpf(1)
        rows.append([factor * x**power for power in range(count)])
        wanted.append(factor * function(x))
    return mpmath.qr_solve(mpmath.matrix(rows), mpmath.matrix(wanted))[0]


def literal(value, letter):
    """The shortest decimal that is this number of the format; the compiler rounds it to the same."""
    exact = struct.unpack(letter, struct.pack(letter, float(rounded(value, 24 if letter == "f" else 53))))[0]
    return repr(exact)


def parts(value, bits):
    found = []
    for count in bits:
        found.append(rounded(value, count))
        value -= found[-1]
    return found


def main():
    lines = ['"""Made by fit.py. Constants in parts whose sum is the number, polynomials with the constant term first. Each has its',
             'format: a plain float that is handed to a function would be a float32 there."""', "",
             "from hetjit.device import float32 as f, float64 as d, uint64 as u", ""]
    for name, (value, bits) in PARTS.items():
        letter = "f" if name.endswith("F32") else "d"
        lines.append(f"{name} = ({', '.join(f'{letter}({float(part)!r})' for part in parts(value, bits))})")
    with mpmath.workdps(450):
        two_over_pi = int(mpmath.floor(2 / mpmath.pi * mpf(2) ** (64 * WORD_COUNT)))
    words = [two_over_pi >> 64 * (WORD_COUNT - 1 - k) & (1 << 64) - 1 for k in range(WORD_COUNT)]
    rows = ["    " + ", ".join(f"u(0x{word:016X})" for word in words[k:k + 4]) + "," for k in range(0, WORD_COUNT, 4)]
    lines += ["", "# The bits of 2/pi behind the point.", "TWO_OVER_PI = (", *rows, ")", ""]
    for name, (letter, *fit) in POLYNOMIALS.items():
        texts = [f"{letter}({literal(value, letter)})" for value in fitted(*fit)]
        rows = ["    " + ", ".join(texts[k:k + 4]) + "," for k in range(0, len(texts), 4)]
        lines += [f"{name} = (", *rows, ")"]
    path = pathlib.Path(__file__).with_name("coefficients.py")
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
