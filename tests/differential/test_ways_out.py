"""Loops that lanes leave in different turns, each by the exit of its turn, and what is the same for all of them behind the exits or is not
(facts/parting.h). Each function is what one thread does; Python runs it thread by thread. `./dev fuzz --ways` draws others."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device


def two_breaks(t, a, out, b):
    """Both are behind one question that parts the lanes; which it is depends on the turn alone."""
    k = 0
    while True:
        if a[t] <= k:
            if k % 2 == 0:
                b[t] = 3
                x = 1
                break
            if k % 3 == 0:
                b[t] += 4
                x = 2
                break
        k += 1
    out[t] = x


def three_breaks_of_a_count(t, a, out, b):
    x = 0
    for k in range(40):
        if a[t] <= k:
            if k % 2 == 1:
                b[t] = k
                x = 5
                break
            if k % 3 == 0:
                b[t] += 4
                x = 9
                break
            if k > 7:
                b[t] -= 1
                x = 5
                break
    else:
        x = 7
    out[t] = x


def on_in_the_outer_loop(t, a, out, b):
    """The exits of the inner loop are turns of the outer one."""
    x = 0
    for j in range(5):
        k = j
        while k < 30:
            k += 1
            if a[t] <= k:
                if k % 2 == 0:
                    b[t] += 1
                    x = 3
                    break
                if k % 3 == 0:
                    b[t] += 4
                    x = 8
                    break
        out[t] += x * (j + 1)


def out_of_both(t, a, out, b):
    """One exit leaves two loops."""
    x = 0
    for j in range(4):
        for k in range(12):
            if a[t] + j <= k:
                if (j + k) % 2 == 0:
                    b[t] = 3
                    x = 1
                    break
                if k % 3 == 0:
                    b[t] += 4
                    out[t] = 100 + j
                    return
        else:
            continue
        if j % 2 == 1:
            x = 6
            break
    out[t] = x


def constants_of_a_loop(t, a, out, b):
    """Numbers of the program's text that are made in the loop and asked for behind it."""
    x = a[t]
    k = 0
    while k < t % 4 + 1:
        k += 1
        j = 0
        while j < a[t]:
            j += 1
            b[t] += j
            if j == 5:
                b[t] -= 2
                break
        x = 1
        b[t] += 4
    out[t] = x * 256 + x % 3 + (t >> x) + t // (x + 1)


def places_behind_a_loop(t, a, out, b):
    at = 0
    for k in range(9):
        if a[t] <= k:
            b[t] += 1
            at = 3
            break
        at = 2
    out[t] = a[(t // 4 * 4) % 61 + at] + b[t]


def a_count_that_all_have(t, a, out, b):
    """Asked for by a branch that all lanes go the same way by, beside one that parts them."""
    n = 0
    s = 0
    for k in range(16):
        v = a[(t + k) % a.shape[0]]
        if n < 8:
            n += 1
            s += v
            while v > 6:
                v -= 3
                b[t] += v
        elif v > 3:
            s -= v
    out[t] = s * 16 + n


WAYS = (two_breaks, three_breaks_of_a_count, on_in_the_outer_loop, out_of_both, constants_of_a_loop, places_behind_a_loop, a_count_that_all_have)


def kernel_of(function):
    of_a_thread = device.func(function)

    @device.kernel
    def kernel(a, out, b):
        t = int(device.tid(1))
        if t < out.shape[0]:
            of_a_thread(t, a, out, b)
    return kernel


@pytest.mark.parametrize("lanes", [None, "1", "4", "8", "32", "64"])
@pytest.mark.parametrize("function", WAYS)
def test_each_lane_has_what_its_turn_gave_it(function, lanes, monkeypatch):
    if lanes:
        monkeypatch.setenv("HETJIT_LANES", lanes)
    kernel, random = kernel_of(function), np.random.default_rng(1)
    for n in (1, 7, 64, 100, 257):
        for high in (2, 13, 60):
            a = random.integers(0, high, n + 64).astype(np.int32)
            out, b = np.zeros(n, np.int32), np.zeros(n, np.int32)
            expected, beside = out.copy(), b.copy()
            kernel[-(-n // 64), 64](a, out, b)
            for t in range(n):
                function(t, a, expected, beside)
            assert np.array_equal(out, expected) and np.array_equal(b, beside), (n, high)


def launched_sum(t, x, c, n):
    """A loop of one block: its two values of 1j are not one number, so its question stays at its end."""
    i = t
    q = 1j
    while i < n:
        q = q + complex(x[i % x.shape[0]], 1.0)
        i += 128
    c[t] = q


def neighbours_sum(t, x, c, n):
    i = t
    q = 1j
    while i < n:
        q = q + complex(x[i - 64], 1.0)
        i += 128
    c[t] = q


@pytest.mark.parametrize("lanes", [None, "1", "4", "8", "32", "64"])
@pytest.mark.parametrize("function", [launched_sum, neighbours_sum])
def test_a_loop_of_one_block_that_reads_a_row(function, lanes, monkeypatch):
    """Of one that asks for bounds, and ends at its end, no turn is all lanes' for certain."""
    if lanes:
        monkeypatch.setenv("HETJIT_LANES", lanes)
    kernel = kernel_of(function)
    x = np.random.default_rng(2).random(512)
    for n in (-3, 0, 1, 100, 128, 130, 500, 512):
        c, expected = np.zeros(128, complex), np.zeros(128, complex)
        kernel[2, 64](x, c, n)
        for t in range(128):
            function(t, x, expected, n)
        assert np.array_equal(c, expected), n
