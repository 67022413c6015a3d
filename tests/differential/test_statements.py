"""Small programs of one statement or expression each: CPython, the typed graph's interpreter and the host target must agree."""

import numpy as np
import pytest

from hetjit import _core, device

PROGRAMS = []


def program(*calls):
    """Arguments of each call; a single argument needs no tuple round it."""
    def mark(function):
        PROGRAMS.extend((function, call if isinstance(call, tuple) else (call,)) for call in calls)
        return function
    return mark


def leaves(value):
    return [leaf for part in value for leaf in leaves(part)] if isinstance(value, (tuple, list)) else [value]


def stored(function, arguments, count):
    """The function's numbers, stored one after the other by a kernel: by the interpreter, and on the host."""
    names = ", ".join(f"a{i}" for i in range(len(arguments)))
    source = f"def kernel(out, {names}):\n    put(out, 0, function({names}))\n"

    def put(out, at, value):
        if isinstance(value, tuple):
            for item in value:
                at = put(out, at, item)
            return at
        out[at] = value
        return at + 1

    scope = {"function": function, "put": put}
    exec(source, scope)
    again, out = np.zeros(max(count, 1)), np.zeros(max(count, 1))
    _core.interpret(_core.capture(scope["kernel"]), (again, *arguments), 1, 1)
    device.kernel(scope["kernel"])[1, 1](out, *arguments)
    return again[:count].tolist(), out[:count].tolist()


# ---- match

@program(0, 1, 2, -7)
def match_literals(x):
    match x:
        case 0:
            return 10
        case 1 | 2:
            return 20
        case _:
            return 30


@program((1, 2), (0, 5), (3, 3), (-1, 0))
def match_pairs(a, b):
    match a, b:
        case 0, y:
            return y
        case x, y if x == y:
            return 2 * x
        case 1, _:
            return 11
        case x, 0:
            return x
    return -1


@program((1, 2.5), (4, 0.5))
def match_parts_of_different_types(a, b):
    total = 0.0
    for item in ((a, b), None, a, (a, b, a)):
        match item:
            case None:
                total += 100.0
            case (x, y):
                total += x * y
            case (x, *rest):
                total += x + len(rest)
            case x:
                total += x
    return total


@program(True, False)
def match_bools(flag):
    match flag:
        case True:
            return 1
        case False:
            return 2
        case _:
            return 3


@program(5, 0)
def match_nested(a):
    match (a, (1, (2, a))):
        case (0, (one, (two, zero))):
            return one + two + zero
        case (x, (one, inner)):
            return x * 100 + one * 10 + inner[0]
    return -1


@program(3)
def match_length(a):
    t = (a, a, a)
    match t:
        case (_,):
            return 1
        case (_, _):
            return 2
        case (first, *middle, last):
            return len(middle) + first + last


# ---- loops

@program((2, 0.5), (0, 1.5))
def loop_over_types(a, b):
    total = 0.0
    for x in (a, b, 7, True):
        total += x / 2
    return total


@program(4)
def loop_over_functions(x):
    def double(v):
        return 2 * v
    total = 0
    for f in (double, lambda v: v + 100, abs, int):
        total += f(x)
    return total


@program(1, 2, 3, 9)
def break_and_else(stop):
    total = 0
    for i, step in enumerate((1, 10, 100)):
        if i == stop:
            break
        total += step
    else:
        total += 5000
    return total


@program(3, 0, 6)
def nested_constant_loops(n):
    total = 0
    for i in range(n):
        for j, w in enumerate((1, 2.0, 4)):
            if j > i:
                continue
            total += w * i
    return total


@program((5, 3), (2, 9), (0, 4))
def zip_ranges(n, m):
    total = 0
    for i, j in zip(range(n), range(10, 10 + m)):
        total += i * j
    return total


@program(4)
def zip_of_tuples(x):
    total = 0.0
    for a, b, c in zip((1, 2, 3), (x, 0.5, x), range(100)):
        total += a * b + c
    return total


@program(6, 1, 0)
def reversed_range(n):
    out = 0
    for i in reversed(range(n)):
        out = out * 10 + i
    for i in reversed(range(1, n, 2)):
        out = out * 10 + i
    return out


@program(3)
def reversed_tuple(x):
    a, b, c = reversed((x, 2.5, 7))
    return a - b * c


@program((4, 10), (0, 3))
def enumerate_from(n, start):
    total = 0
    for i, x in enumerate(range(n), start):
        total += i * x
    for i, (x, y) in enumerate(zip(range(n), range(n)), start=5):
        total += i * x - y
    return total


@program(3)
def tuple_by_counter(x):
    t = (x, 2.0, x + 1)
    total = 0.0
    for i in range(len(t)):
        total += t[i] * i
    for i in range(len(t) - 1, -1, -1):
        total -= t[i]
    return total


@program(7)
def growing_tuple(x):
    t = ()
    for i in range(4):
        t = t + (x * i,)
    return t


@program(10)
def while_true(n):
    i = 0
    while True:
        i += 1
        if i * i > n:
            break
    return i


@program(3)
def early_return(x):
    for y in (1, 2.5, 3):
        if y == x:
            return 1.0 * y
    return -1.0


# ---- comprehensions and generators

@program(5)
def list_comprehension(x):
    a = [x * i for i in range(4)]
    return a[0] + a[3], len(a)


@program(5)
def comprehension_of_types(x):
    return tuple(v * 2 for v in (x, 0.5, True))


@program(5)
def comprehension_with_filter(x):
    t = (x, None, 0.5)
    return sum([v for v in t if v is not None])


@program(2)
def nested_comprehension(x):
    return tuple(i * x + j for i in range(3) for j in (1, 10))


@program((0, 3), (5, 2), (1, 1))
def sum_of_generator(n, k):
    return sum(i * i for i in range(n)) + sum((i for i in range(n) if i % k), 100)


@program((10, 3), (10, 99), (0, 0))
def any_all_of_generators(n, k):
    return any(i == k for i in range(n)), all(i < k for i in range(n))


@program((3, 4))
def min_max_of_generators(a, b):
    return min(x * x for x in (a, b, -2)), max(abs(x) for x in (a, b, -9))


@program(4)
def generator_in_a_loop(x):
    total = 0
    for y in (x * k for k in range(3)):
        total = total * 10 + y
    return total


@program(4)
def generator_that_captures(x):
    scale = x * 2
    return sum(scale * k for k in range(x))


@program(3)
def mapped(x):
    a, b = map(lambda v, w: v * w, (x, 0.5), (2, x))
    return a + b + sum(map(abs, (-x, x, -1)))


@program(3)
def unpacking_star(x):
    first, *middle, last = range(5)
    (a, b), *rest = zip((x, 1, 2), (4.0, 5.0, 6.0))
    return first + last * 10 + middle[1], a * b + rest[1][0]


@program(3)
def spreading(x):
    def f(a, b, c=7, *rest):
        return a + 10 * b + 100 * c + len(rest)
    return f(*(x, 1)), f(*range(3)), f(*(x for x in (1, 2, 3, 4, 5))), f(x, *[1, x], 9)


# ---- functions

@program((3, 4))
def keyword_only_defaults(a, b):
    def f(x, *, scale=a, shift=(1, 2)):
        return x * scale + shift[1]
    return f(b), f(b, scale=10), f(b, shift=(0, 100), scale=1)


@program(3)
def tuple_default(x):
    def f(v, pair=(1, 2.5)):
        return v * pair[1] + pair[0]
    return f(x), f(x, (0, 1))


@program((5, True), (5, False))
def function_in_tuple(x, flag):
    table = (lambda v: v + 1, lambda v: v * 10)
    pick = table[0] if len(table) == 3 else table[1]
    return pick(x), table[0](x)


@program(4)
def function_as_argument(x):
    def apply(f, *args):
        return f(*args)
    return apply(lambda a: a * 2, x), apply(max, x, 9), apply(float, x)


@program(4)
def known_keywords(x):
    def f(a, *, scale, shift=0):
        return a * scale + shift
    return f(x, **{"scale": 3}), f(x, **{"scale": x, "shift": 1})


# ---- truth

@program((1, 0.0), (0, 2.5), (3, 4.0))
def truth_of_mixed(a, b):
    x = not (a and b)
    y = not (a or (b, a))
    z = not (a and None)
    return x, y, z


@program((1, 2.5), (0, 2.5))
def conditions(a, b):
    total = 0
    if a and b:
        total += 1
    if not (a or b):
        total += 2
    total += 4 if (a or None) else 8
    while a and total < 100:
        total *= 3
    return total


# ---- names and types

@program(3)
def deleted(x):
    y = x + 1
    z = y
    del y
    y = 2.5
    return y * z


@program(2)
def chained_assignment(x):
    a = b = c = x * 2
    a += 1
    return a, b, c


@program((1, 2.5))
def types_asked(a, b):
    return (isinstance(a, (int, float)), isinstance(b, int), type(a) is int, type(b) == float, callable(abs), callable(a),
            isinstance((a, b), tuple))


@program(0, 3)
def constructors(x):
    return int(2.75), float(x), bool(x), int(True)


@program(3)
def conditional_expression(x):
    return (x if x > 2 else -x), (1 if x is None else 2.5)


@pytest.mark.parametrize("item", PROGRAMS, ids=lambda item: f"{item[0].__name__}{item[1]}")
def test_agrees(item):
    function, arguments = item
    want = leaves(function(*arguments))
    assert leaves(_core.call(_core.capture(function), arguments)) == pytest.approx(want, rel=1e-6)
    for numbers in stored(function, arguments, len(want)):
        assert numbers == pytest.approx(list(map(float, want)), rel=1e-6)
