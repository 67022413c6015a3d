"""Answers at the edges, each with its one right value: interpreter and host target must both give it."""

import math

import numpy as np
import pytest

from hetjit import _core, device

import tools

TENTH = np.float32(0.1)
SMALL_TENTH = np.float16(0.1)


def both(kernel, *arguments, grid=1, block=1):
    """What the kernel leaves in its last argument."""
    interpreted, native = (tuple(map(tools.fresh, arguments)) for _ in range(2))
    _core.interpret(_core.capture(kernel), interpreted, grid, block)
    device.kernel(kernel)[grid, block](*native)
    np.testing.assert_array_equal(interpreted[-1], native[-1])
    return native[-1]


def test_a_wide_index_that_joins_a_narrow_one_may_wrap_below_zero():
    def kernel(a, x, out):
        if x[0] > 0:
            n = len(a)  # meets an int8: 200 wraps to -56, which counts from the end
        else:
            n = x[1] & 127
        out[0] = a[n]

    out = both(kernel, np.arange(200.0), np.array([1, 3], np.int8), np.zeros(1))
    assert out[0] == 144


def test_literals_meet_in_the_format_of_run_time():
    def kernel(x, out):
        out[0] = TENTH == 0.1
        out[1] = x[0] == 0.1
        out[2] = SMALL_TENTH == 0.1
        out[3] = TENTH > 0.1
        out[4] = device.float32(0.1) != 0.1
        out[5] = 16777217 == 16777216.0  # builtin numbers are exact while they are literals

    out = both(kernel, np.array([TENTH]), np.zeros(6, np.bool_))
    assert out.tolist() == [True, True, True, False, False, False]


def test_the_product_of_two_block_numbers_may_exceed_31_bits():
    def kernel(out):
        block = device.block_idx.x
        square = int(block * block)
        if block == 50000:
            out[0] = square // 3
            out[1] = square % 7

    wrapped = 50000**2 - 2**32
    assert both(kernel, np.zeros(2, np.int64), grid=50001).tolist() == [wrapped // 3, wrapped % 7]


def test_whole_numbers_of_64_bits_stay_whole():
    def kernel(x, out):
        n = x.shape[0] * 1000000000
        out[0] = round(n)
        out[1] = math.floor(n)
        out[2] = math.ceil(-n)
        out[3] = int(n)

    assert both(kernel, np.zeros(5), np.zeros(4, np.int64)).tolist() == [5 * 10**9, 5 * 10**9, -5 * 10**9, 5 * 10**9]


def test_the_length_of_text_is_in_characters():
    def kernel(out):
        out[0] = len("é€")

    assert both(kernel, np.zeros(1, np.int64))[0] == 2


def test_the_number_of_a_character():
    def kernel(x, out):
        for i in range(4):
            out[i] = device.int32(x[i]) - ord("a") if x[i] >= ord("a") else -1
        out[4], out[5], out[6], out[7] = ord("\x00"), ord("é"), ord("€"), ord("🐍")

    want = [0, 25, -1, 4, 0, ord("é"), ord("€"), ord("🐍")]
    assert both(kernel, np.frombuffer(b"azAe", np.uint8).copy(), np.zeros(8, np.int32)).tolist() == want


def refused(kernel, signature="(float32[:], int32[:])"):
    with pytest.raises(device.CompileError) as caught:
        _core.show(_core.capture(kernel), "typed", signature)
    return caught.value


def test_what_would_be_another_answer_is_refused():
    def text(x, out):
        out[0] = x.dtype == "float32"

    assert refused(text).code == "E0205"


def test_values_that_double_are_refused_before_memory_is_full():
    def nested(x, out):
        t = (x[0],)
        t = (t, t); t = (t, t); t = (t, t); t = (t, t); t = (t, t); t = (t, t); t = (t, t)  # noqa: E702
        t = (t, t); t = (t, t); t = (t, t); t = (t, t); t = (t, t); t = (t, t); t = (t, t)  # noqa: E702

    def recursive(x, out):
        def f(n):
            return f((n, n))
        out[0] = f(1)

    def spread(x, out):
        def f(*r):
            return f(*r, *r)
        out[0] = f(1)

    def repeated(x, out):
        t = (1,) * 1000000
        out[0] = t[0]

    def closures(x, out):
        def wrap(g, h):
            return lambda: (g, h)
        f = wrap(1, 2)
        f = wrap(f, f); f = wrap(f, f); f = wrap(f, f); f = wrap(f, f); f = wrap(f, f); f = wrap(f, f)  # noqa: E702
        f = wrap(f, f); f = wrap(f, f); f = wrap(f, f); f = wrap(f, f); f = wrap(f, f); f = wrap(f, f)  # noqa: E702
        f = wrap(f, f)

    for kernel in (nested, recursive, spread, repeated, closures):
        assert "more than 4096 parts" in str(refused(kernel))


def test_nothing_repeated_is_nothing():
    def kernel(out):
        t = ()
        n = 9223372036854775807
        out[0] = len(t * n)

    assert both(kernel, np.ones(1, np.int64))[0] == 0


def test_fresh_copies_keep_their_steps():
    x = np.arange(40, dtype=np.int16).reshape(4, 10)[::-2, 8:1:-3]
    copy = tools.fresh(x)
    assert copy.strides == x.strides and (copy == x).all() and not np.shares_memory(copy, x)


def test_strides_count_elements_of_any_direction():
    def kernel(x, out):
        out[0] = x.strides[0]
        out[1] = x.strides[1]
        out[2] = x[-1, 0]
        out[3] = x[0, -1]

    x = np.arange(200, dtype=np.int32).reshape(10, 20)[::-2, ::-3]
    assert both(kernel, x, np.zeros(4, np.int64)).tolist() == [-40, -3, x[-1, 0], x[0, -1]]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_sign_of_a_zero_is_zero(dtype):
    def kernel(x, out):
        for i in range(len(x)):
            out[i] = np.sign(x[i])

    out = both(kernel, np.array([-0.0, 0.0, -3, 4, np.nan], dtype), np.ones(5, dtype))
    np.testing.assert_array_equal(out, np.array([0, 0, -1, 1, np.nan], dtype))
    assert not np.signbit(out[0])


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64])
def test_powers_of_two_divide_rounding_down(dtype):
    def kernel(x, out):
        i = device.tid(1)
        out[i, 0], out[i, 1] = x[i] // 2, x[i] % 2
        out[i, 2], out[i, 3] = x[i] // 8, x[i] % 8
        out[i, 4], out[i, 5] = x[i] // 64, x[i] % 64

    limits = np.iinfo(dtype)
    x = np.array([limits.min, limits.min + 1, 0, 1, 7, 8, 9, 63, 64, 65, limits.max - 1, limits.max], dtype)
    if limits.min < 0:
        x = np.concatenate([x, -x[2:]])
    found = both(kernel, x, np.zeros((len(x), 6), dtype), block=len(x))
    for k, divisor in enumerate((2, 8, 64)):
        np.testing.assert_array_equal(found[:, 2 * k], x // dtype(divisor))
        np.testing.assert_array_equal(found[:, 2 * k + 1], x % dtype(divisor))
