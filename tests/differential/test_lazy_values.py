"""What is evaluated later than where it is written: generator expressions, map, zip and their kin, functions over captured variables.
CPython, the interpreter and the host target agree on the numbers and on what is left in memory, or the kernel is refused."""

import numpy as np
import pytest

from hetjit import _core, device

from both import refused, same

SAME, REFUSED = [], {}


def kernel(function):
    """A kernel over eight float64 that does what Python does."""
    SAME.append(function)
    return function


def no_kernel(code):
    """One that means something else in Python than a compiled function could do."""
    def mark(function):
        REFUSED[function] = code
        return function
    return mark


@device.func
def bump(o, i):
    o[7] += 1
    return o[7] * i


@device.func
def total(elements, o):
    o[6] = 3
    return sum(elements)


# ---- when elements are computed

@kernel
def read_when_a_kept_generator_is_summed(o):
    g = (o[i] for i in range(2))
    o[0] = 5
    o[3] = sum(g)


@kernel
def read_when_a_kept_zip_is_gone_through(o):
    pairs = zip((o[i] for i in range(2)), (1.0, 2.0))
    o[0] = 9
    for a, b in pairs:
        o[2] += a * b


@kernel
def the_loop_stores_where_the_generator_reads(o):
    for v in (o[i] for i in range(3)):
        o[1] = v + 1
        o[2] += v


@kernel
def what_a_break_leaves_is_not_computed(o):
    for v in (bump(o, i) for i in (1, 2, 3)):
        o[0] += v
        if v > 1:
            break


@kernel
def effects_of_both_in_turn(o):
    for i, v in enumerate(bump(o, i) for i in (1, 2, 3)):
        o[7] = v
        o[i] = v


@kernel
def effects_of_map_in_turn(o):
    for v in map(lambda i: bump(o, i), (1, 2, 3)):
        o[7] += v
        o[0] += v


@kernel
def a_generator_over_a_generator(o):
    g = (x + 1 for x in (o[i] for i in range(2)))
    o[0] = 5
    o[3] = sum(g)


@kernel
def a_generator_over_a_generator_in_a_loop(o):
    for v in (x + 1 for x in (bump(o, i) for i in range(3))):
        o[7] += 1
        o[0] += v


@kernel
def as_many_as_known_at_run_time(o):
    n = int(o[5]) + 3
    for i, v in enumerate(i * 2 + o[0] for i in range(n)):
        o[0] += v + i


@kernel
def elements_of_several_types(o):
    for t in ((x, i) for i, x in enumerate((1, 2.5))):
        o[t[1]] = t[0]


@kernel
def nested_without_effects(o):
    for v in (i * j for i in range(3) for j in range(3)):
        o[0] += v


@kernel
def chosen_while_compiling(o):
    for v in (i for i in range(8) if i % 2):
        o[0] += v


@kernel
def nested_and_kept(o):
    k = tuple(bump(o, i) + j for i in range(2) for j in range(2))
    for v in k:
        o[0] += v


@kernel
def passed_to_a_function(o):
    k = 2.0
    g = (k * i + o[6] for i in range(4))
    o[6] = 1
    o[0] = total(g, o)


# ---- once

@kernel
def unpacked(o):
    a, b = (bump(o, i) for i in (1, 2))
    o[0], o[1] = a, b


@kernel
def unpacked_map(o):
    a, b = map(lambda i: bump(o, i), (1, 2))
    (c, d), (e, f) = zip((5, 6), map(lambda i: bump(o, i), (1, 2)))
    o[0], o[1], o[2], o[3] = a, b, d, f


@kernel
def unpacked_with_a_star(o):
    first, *others = (bump(o, i) for i in (1, 2, 3))
    *before, last = map(lambda i: bump(o, i), (1, 2, 3))
    o[0], o[1], o[2], o[3] = first, others[1], before[0], last


@kernel
def starred_in_a_display(o):
    a = [*(bump(o, i) for i in (1, 2, 3)), bump(o, 4)]
    b = (*map(lambda i: bump(o, i), (1, 2)), o[7], *(o[7] + i for i in (1, 2)), bump(o, 5))
    x, y = [*(bump(o, i) for i in (1, 2))], o[7]
    o[0], o[1], o[2], o[3] = a[0] + 2 * a[3], b[2] + 2 * b[3], b[5], y + x[1]
    [*(bump(o, i) for i in (1, 2)), 3]
    o[4] = max(*(bump(o, i) for i in (1, 2)), -bump(o, 4))
    c = [*(bump(o, i) for i in (1, 2))] + [bump(o, 3)]
    o[5] = c[0] + 2 * c[2]
    o[6] = 1 if [*(bump(o, i) for i in (1, 2))] == [o[7] - 2, o[7]] else 2


@kernel
def spread(o):
    o[0] = max(*(bump(o, i) for i in (1, 2, 3)))
    o[1] = min(bump(o, i) for i in (1, 2, 3))


@kernel
def made_anew_in_each_round(o):
    for i in range(2):
        g = (i * j for j in range(3))
        o[i] = sum(g)
        for j, x in enumerate(o):
            if j == 5:
                break
            o[i] += x


@kernel
def one_of_two(o):
    g = zip((1, 2), (3, 4))
    if o[0] > 1:
        for a, b in g:
            o[1] += a * b
    else:
        o[2] = sum(a - b for a, b in g)


@kernel
def ranges_and_tuples_again_and_again(o):
    r, t = range(3), (1, 2)
    for k in range(2):
        o[k] = sum(r) + sum(i for i in r) + sum(t)


@no_kernel("E0222")
def summed_twice(o):
    g = (j for j in range(3))
    o[0] = sum(g)
    o[1] = sum(g)


@no_kernel("E0222")
def half_gone_through(o):
    e = enumerate(o)
    for i, x in e:
        if i == 2:
            break
    for i, x in e:
        o[i] = 1


@no_kernel("E0222")
def in_pairs(o):
    e = enumerate((1, 2, 3, 4))
    for (i, a), (j, b) in zip(e, e):
        o[i] = a
        o[j] = b * 10


@no_kernel("E0222")
def reversed_twice(o):
    r = reversed((1, 2, 3))
    o[0] = sum(r)
    o[1] = sum(r)


@no_kernel("E0222")
def in_each_round(o):
    z = zip((1, 2), (3, 4))
    for i in range(2):
        for a, b in z:
            o[i] += a * b


@no_kernel("E0222")
def captured_and_called_twice(o):
    z = zip((1, 2), (3, 4))
    f = lambda: sum(x * y for x, y in z)  # noqa: E731
    o[0] = f()
    o[1] = f()


@no_kernel("E0222")
def inner_of_two_loops(o):
    m = map(lambda x: x + 1, (1, 2))
    o[0] = sum(x for i in range(2) for x in m)


@no_kernel("E0222")
def two_wrappers_of_one(o):
    z = zip((1, 2), (3, 4))
    e, r = enumerate(z), map(lambda p: p[0], z)
    for i, (a, b) in e:
        o[i] = a
    o[2] = sum(r)


@no_kernel("E0222")
def in_a_tuple_twice(o):
    z = zip((1, 2), (3, 4))
    t = (z, z)
    for a, b in t[0]:
        o[0] += a
    for a, b in t[1]:
        o[0] += a


@device.func
def summed_two_times(elements):
    return sum(elements) + sum(elements)


@no_kernel("E0222")
def in_a_function(o):
    o[0] = summed_two_times(k for k in range(3))


@no_kernel("E0223")
def nested_with_effects_in_a_loop(o):
    for v in (bump(o, i) + j for i in range(2) for j in range(2)):
        o[7] += v


@no_kernel("E0223")
def nested_reads_in_enumerate(o):
    for i, v in enumerate(o[i + j] for i in range(2) for j in range(2)):
        o[i] += v


def noisy(v):
    print("element", v)
    return v


@no_kernel("E0223")
def nested_over_calls(o):
    for v in (y * j for y in map(noisy, (1.0, 2.0)) for j in range(2)):
        print("body")
        o[7] += v


@device.struct
class Loud:
    a: device.float64

    def __add__(self, other):
        print("added", other)
        return Loud(self.a + other)


@no_kernel("E0223")
def nested_with_operators_of_a_struct(o):
    s = Loud(1.0)
    for v in ((s + (y + j)).a for y in (1.0, 2.0) for j in range(2)):
        print("body")
        o[7] += v


@kernel
def nested_over_fields_of_a_struct(o):
    s = Loud(1.0)
    for v in (s.a + y * j for y in (1.0, 2.0) for j in range(2)):
        o[7] += v


# ---- captured variables

@no_kernel("E0123")
def assigned_before_the_sum(o):
    k = 1.0
    g = (k + j for j in range(2))
    k = 5.0
    o[0] = sum(g)


@no_kernel("E0123")
def assigned_in_the_loop_over_it(o):
    k = 1.0
    for v in (k + j for j in range(3)):
        k = v
        o[0] += v


@no_kernel("E0123")
def assigned_after_enumerate(o):
    k = 1.0
    e = enumerate(k + j for j in range(3))
    k = 2.0
    for i, v in e:
        o[i] = v


@no_kernel("E0123")
def assigned_before_the_outer_generator_runs(o):
    k = 1.0
    g = (x + 1 for x in (k * j for j in range(3)))
    k = 2.0
    o[0] = sum(g)


@no_kernel("E0123")
def of_a_function_that_a_function_returned(o):
    k = 1.0

    def made():
        return lambda: k
    f = made()
    k = 5.0
    o[0] = f()


@no_kernel("E0123")
def of_a_generator_that_a_function_returned(o):
    k = 1.0

    def made():
        return (k + j for j in range(2))
    g = made()
    k = 5.0
    o[0] = sum(g)


@no_kernel("E0123")
def generators_of_the_rounds_before(o):
    t = tuple((i + j for j in range(2)) for i in range(3))
    o[0] = sum(t[0])


@no_kernel("E0123")
def a_part_of_a_vector(o):
    v = device.float64x3(1, 2, 3)
    g = (v.x + j for j in range(2))
    v.x = 5.0
    o[0] = sum(g)


@kernel
def assigned_after_it_was_gone_through(o):
    k = 1.0
    g = (k + j for j in range(2))
    o[0] = sum(g)
    k = 5.0
    o[1] = k


@kernel
def assigned_before_it_is_made(o):
    k = 1.0
    k = 5.0
    g = (k + j for j in range(2))
    o[0] = sum(g)


@kernel
def numbers_that_functions_returned(o):
    def applied(f, x):
        return f(x)
    k = 1.0
    t = applied(lambda x: x + k, 2)
    u = tuple(k + j for j in range(2))
    s = tuple(map(lambda x: x * k, u))
    k = 5.0
    o[0] = t + k + u[1] + s[0]


@pytest.mark.parametrize("function", SAME, ids=lambda f: f.__name__)
def test_as_in_python(function):
    want, interpreted, native = (np.zeros(8) for _ in range(3))
    function(want)
    _core.interpret(_core.capture(function), (interpreted,), 1, 1)
    device.kernel(function)[1, 1](native)
    same(interpreted, want)
    same(native, want)


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_refused(function):
    assert f"error[{REFUSED[function]}]" in refused(function, "(float64[::1])")
