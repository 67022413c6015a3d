"""Lists in kernels are tuples with brackets: what is printed of them, and what they equal, is Python's."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device


@device.func
def last_two(items):
    return items[-2:]


def texts(n):
    numbers = [1, n, 3]
    print(numbers, [], [n], [[n, 1], (2, [3])], [n] * 2, numbers + [4], numbers[1:], numbers[::-1])
    print(str(numbers), f"{numbers}", repr([True, "a", None]), [*numbers, 0], (*numbers, 0), [*(1, n)], ([n],))


def equality(n):
    numbers, same, items = [1, n], [1, 2], (1, 2)
    print(numbers == same, numbers != same, items == (1, n), [1, 2] == [1, 2], [] == [])
    print(items == same, same != items, [items] == [same], ((1, 2), 3) == ([1, 2], 3), [1] == [1, 2])
    print(numbers < [1, 3], [2] > numbers, numbers <= same, tuple(numbers) == items)


def comprehensions(n):
    squares = [k * k for k in (1, n, 3)]
    print(squares, [k for k in squares if True], squares == [1, 4, 9], tuple(squares), [(k, [k]) for k in (1, 2)])
    print([[row + column for column in (0, 1)] for row in (n, 5)])


def starred(n):
    first, *rest = (n, 2, 3)
    *begin, end = [1, n]
    print(first, rest, begin, end, rest == [2, 3], rest == (2, 3))
    (*all_of_them,) = (1, n)
    print(all_of_them)


def grows(n):
    numbers = [n]
    numbers += [2]
    numbers += (3,)
    for k in (4, 5):
        numbers = numbers + [k]
    print(numbers, len(numbers), sum(numbers), max(numbers), n in numbers)


def joined(n):
    numbers = [1, n] if n > 1 else [3, 4]
    for k in range(n):
        numbers = [numbers[1], numbers[0] + k]
    print(numbers, numbers == [2, 2])


def passed(n):
    print(last_two([1, n, 3]), last_two((1, n, 3)), last_two([[n], (n,)]))


def matched(n):
    match [n, 5]:
        case [2, other]:
            print(other)
    match (n, [n]):
        case (a, [b]):
            print(a, b)


def chosen(n):
    one = [1]
    print([1] if n else [2], one if n > 5 else [3], [n] if n > 5 else one, [n] or [2], [] or [2], [4] and [n], [*([3] if n else [4]), 5])
    for k in [1, n] if n > 1 else [3, 4]:
        print(k)
    print(sum([1, 2] if n else [3, 4]), [k for k in ([1, n] if n else [5, 6])], ([1, n] if n else [5, 6])[1], [1, n][0 if n else 1])
    print([[n] if k else [k] for k in (0, 1)], lst(n), [n if n > 5 else 7, *((1, 2) if n else (3, 4))])


@device.func
def lst(n):
    return [n] if n < 1 else lst(n - 1)


def chosen_behind_stars(n):
    t = (1, n)
    print(*t, n and 4 or 6)
    print([*t, (n or 3) and 6], [*t, n and 4 or 6, [n] if n > 5 else [4]])
    print(*t, 3 if 0 < n < 5 else 4, 5 if not (0 < n < 3) else 6)
    print((*t, 5 if not (0 < n < 3) else 6), max(*t, 3 if 0 < n < 5 else 4))
    print((*t, n if (t[0] if n > 1 else t[1]) else 4), [*t, *((5, n) if 0 < n < 3 else (6, 7))])
    print([*t, [n] if 0 < n < 3 else [6]], [1, *t, *([k for k in t] if 0 < n < 5 else [k + 1 for k in t]), 7 if n else 8])
    print([k for k in t] if n else [k + 1 for k in t], [k for k in t] if n > 5 else [7, 8], [5, 6] if n else [k for k in t], ([k for k in t] if 0 < n < 2 else [3, 4])[1])
    print([[k + j for j in t] if n else [0, 0] for k in t], [*[k for k in t], n if 0 < n < 9 else 2], (y := [k for k in t]), y)
    u = [k for k in t] or [n]
    v = ([k for k in t] and [n]) if n else [3]
    print(u, v, n in ([k for k in t] if n else [1, 2]), not ([] or [n]))


def of_both_kinds(n):
    for items in ((1, n), [3, 4]):
        print(items, items == [3, 4])
    for a, b in zip([[1, n], (3, 4)], ((1, 2), [3, 4])):
        print(a, b, a == b)
    for k, items in enumerate(([n], (n,))):
        print(k, items)


CASES = (texts, equality, comprehensions, starred, grows, joined, passed, matched, chosen, chosen_behind_stars, of_both_kinds)


@pytest.mark.parametrize("where", ("cpu", "emu:sm_90"))
@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_lists_are_what_python_prints(function, where, capsys):
    function(2)
    wanted = capsys.readouterr().out
    device.kernel(function).on(where)[1, 1](2)
    device.synchronize(where)
    assert capsys.readouterr().out == wanted


def by_name(m):
    rows = [0, 1]
    m[rows] = 7


def by_comprehension(m):
    m[[k for k in (0, 1)]] = 7


def by_function(m):
    m[last_two([2, 0, 1])] = 7


def by_star(m):
    _, *rows = (2, 0, 1)
    m[rows] = 7


def by_slice(m):
    rows = [2, 0, 1]
    m[rows[1:]] = 7


def of_one(m):
    row = [1]
    m[row] = m[0]


def read(m):
    rows = [0, 1]
    m[0, 0] = m[rows]


def added(m):
    rows = [0, 1]
    m[rows] += 1


def of_atomics(m):
    device.atomic.add(m, [0, 1], 7)


@pytest.mark.parametrize("kernel", (by_name, by_comprehension, by_function, by_star, by_slice, of_one, read, added, of_atomics), ids=lambda f: f.__name__)
def test_a_list_is_no_index(kernel):
    """NumPy chooses rows by one; as a tuple it would be one element."""
    m = np.zeros((3, 3), np.int32)
    with pytest.raises(device.CompileError, match=r"an index is an integer, not list\["):
        device.kernel(kernel)[1, 1](m)
    assert not m.any()


def test_a_tuple_of_a_list_is_an_index():
    def kernel(m):
        place = [0, 1]
        m[tuple(place)] = 7
        m[(*place,)] += 1
        i, j = place
        m[j, i] = 9

    m = np.zeros((3, 3), np.int32)
    device.kernel(kernel)[1, 1](m)
    assert m[0, 1] == 8 and m[1, 0] == 9 and m.sum() == 17


DO_NOT_JOIN = {
    "lengths": "x = [1] if n else [1, 2]", "lengths in a loop": "x = 0\n    for i in range(3):\n        x = [i] if i == n else [i, i]", "kinds": "x = [1, 2] if n else (1, 2)",
    "None": "x = [1, 2] if n else None", "a number": "x = n or [1]", "texts": "x = ['a'] if n else ['b']", "functions": "x = [abs] if n else [min]",
    "two assignments": "if n:\n        x = [1, 2]\n    else:\n        x = (1, 2)", "later": "x = (0, 0)\n    for i in range(n):\n        x = [i, i]", "items": "x = [[1], 2] if n else [(1,), 2]",
    "names": "y, z = [1], (1,)\n    x = y if n else z", "loops over": "x = 0\n    for i in ([1, 2] if n else [3, 4, 5]):\n        x += i",
    "a sum": "x = sum([1, 2] if n else [3, 4, 5])", "a length": "x = len([1] if n else [1, 2])", "an item": "x = ([1] if n else [1, 2])[0]", "nested": "x = [[n] if i else [n, n] for i in (0, n)]",
    "a repeated one": "x = [1] * 2 if n else (3, 4)", "a text of it": "x = 0\n    print([1] if n else [1, 2])", "matched": "x = 0\n    match [1] if n else [1, 2]:\n        case [a]:\n            x = a",
    "added": "x = (1,) + [n]", "added to a list": "x = [1] + (n,)", "added in place": "x = (n,)\n    x += [1]", "of a shape": "x = o.shape + [1]",
}


@pytest.mark.parametrize("case", DO_NOT_JOIN)
def test_what_has_no_single_type_is_told(case):
    """None ends a kernel without a word."""
    given = {"device": device}
    exec(f"def body(o, n):\n    {DO_NOT_JOIN[case]}\n    o[0] = 1\n    print(x)\n", given)
    o = np.zeros(2, np.int32)
    with pytest.raises(device.CompileError, match=r"error\[E0(201|202|203|205|212|214|220|240)\]") as told:
        device.kernel(given["body"])[1, 1](o, 1)
    assert "bytecode" not in str(told.value) and "= help:" in str(told.value)
    assert not o.any()
