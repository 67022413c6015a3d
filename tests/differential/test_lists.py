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


CASES = (texts, equality, comprehensions, starred, grows, joined, passed, matched)


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
