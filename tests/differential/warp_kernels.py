"""Kernels whose threads part, meet and leave in all the ways there are. Each takes (x, y, n): x float32, y int32, one
element per thread; it reads both and writes both."""

from hetjit import device


def helper(v, k):
    if v > 0.5:
        return v - k
    for j in range(k):
        if v + j > 2.0:
            return v * j
    return v + k


def guard_by_return(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    x[i] = 2.0 * x[i] + 1.0


def guard_by_if(x, y, n):
    i = device.tid(1)
    if i < n:
        x[i] = x[i] * x[i]


def guard_in_the_middle(x, y, n):
    i = device.tid(1)
    if i < n:
        y[i] = y[i] + 1
        if x[i] < 0.25:
            return
        y[i] = y[i] * 3


def while_divergent(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    v = x[i]
    steps = 0
    while v < 10.0:
        v = v * 1.5 + 0.125
        steps += 1
    x[i] = v
    y[i] = steps


def breaks_and_continues(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    total = 0
    for j in range(20):
        if (y[i] + j) % 3 == 0:
            continue
        if total > 40 + y[i]:
            break
        total += j
    else:
        total = -total
    y[i] = total


def returns_in_a_loop(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    for j in range(30):
        if x[i] * j > 7.0:
            y[i] = j
            return
        if y[i] + j > 25:
            y[i] = -j
            return
    x[i] = -1.0


def nested_loops(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    count = 0
    j = 0
    while j < y[i] % 7:
        k = j
        while True:
            k += 1
            if k % (2 + y[i] % 3) == 0:
                break
            if k > 9:
                count += 100
                break
            count += k
        j += 1
    y[i] = count


def uniform_inside_divergent(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    v = x[i]
    if v > 0.5:
        if n > 10:
            for j in range(n % 5 + 1):
                v += x[j]
        else:
            v = -v
    else:
        for j in range(3):
            v -= x[(i + j) % n]
    y[i] = int(v * 100.0)


def divergent_inside_uniform(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    v = 0.0
    for j in range(n):
        if j % 2 == 0:
            if x[i] < x[j]:
                v += 1.0
        elif x[j] > 0.9:
            break
    y[i] = int(v)


def calls(x, y, n):
    i = device.tid(1)
    if i < n:
        a = helper(x[i], y[i] % 5)
        b = helper(a, n % 4) if x[i] > 0.3 else a
        x[i] = a + b


def grid_stride(x, y, n):
    for i in range(device.tid(1), n, device.grid_size(1)):
        x[i] = x[i] + i
        y[i] = y[i] - i


def neighbours(x, y, n):
    i = device.tid(1)
    if 0 < i < n - 1:
        y[i] = int(1000.0 * (x[i - 1] + x[i + 1]))
    elif i < n:
        y[i] = int(1000.0 * x[i - 1])


def backwards(x, y, n):
    i = device.tid(1)
    if i < n:
        y[n - 1 - i] = int(100.0 * x[n - 1 - i]) + i


def strided(x, y, n):
    i = device.tid(1)
    if 2 * i + 1 < n:
        x[2 * i] = x[2 * i + 1]
        y[2 * i + 1] = i


def one_place(x, y, n):
    i = device.tid(1)
    if i == n // 2:
        y[0] = i
    if i < n and x[i] > 2.0:
        y[1] = 7


def values_after_loops(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    last = 0.0
    first = -1
    j = 0
    for j in range(12):
        v = x[(i * 7 + j) % n]
        if v > 0.75:
            last = v
            break
        if first < 0 and v > 0.4:
            first = j
    y[i] = first * 100 + j + int(last * 1000.0)


def wrapping_places(x, y, n):
    i = device.tid(1)
    if i < n:
        k = device.thread_idx.x - 3
        if k < 1000:
            x[i] = y[k + device.block_idx.x * device.block_dim.x]


def integer_division(x, y, n):
    i = device.tid(1)
    if i < n:
        d = y[i] % 4
        if d != 1:
            y[i] = (y[i] * 17) // d + (i - 9) // 3 + (y[i] << d)


def short_circuits(x, y, n):
    i = device.tid(1)
    if i < n and (x[i] > 0.5 or y[i] > 3 and not x[i] < 0.1):
        y[i] = 1 if x[i] > 0.9 or i == 3 else 2


def an_inner_loop_ends_the_outer_turn(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    r = 0
    for t in range(n % 4 + 1):
        for u in range(i % 5):
            r += u * t
    y[i] = r


def returns_from_an_inner_loop(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    r = 0
    for t in range(n % 4 + 2):
        for u in range(i % 5):
            r += u * t
            if r > 7:
                y[i] = r
                return
    y[i] = -r


def told(x, y, n):
    """Threads that raise and print in every kind of place: behind a guard, in a loop, in a function."""
    i = device.tid(1)
    if i >= n:
        return
    y[i] = y[i] + 1
    for j in range(i % 4):
        if (i + j) % 5 == 3:
            print("thread", i, "turn", j, "has", x[i])
        y[i] = y[i] * 2
    print(f"{i}: {y[i]:5d}|{x[i]:.3f} of {n}")


def raises_last(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    y[i] = -1
    if i % 8 == 5 and i > 20:
        raise ValueError(f"{i} has {y[i]} and {n}")
    y[i] = i


def raises_in_a_loop(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    for j in range(n):
        if i + j == 61:
            assert i < 40, f"{i} and {j}"
        y[i] = y[i] + j
        if j > i % 7:
            break
    else:
        raise IndexError("no turn left")
    y[i] = -y[i]


def raises_in_a_function(x, y, n):
    i = device.tid(1)
    if i < n:
        y[i] = root(i - 33) + root(n - i)
        y[i] = y[i] + 100


@device.func
def root(k):
    if k == 0:
        raise ZeroDivisionError(f"{k}")
    return k * k


def asserts_before_all(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    assert x[i] >= 0.0
    assert i != 50, f"it is {i}"
    y[i] = 7


def hands_on_what_was_before_the_loop(x, y, n):
    """The loop is left from its head and from a loop inside that some turns do not come to."""
    i = device.tid(1)
    if i >= n:
        return
    total, value = i, y[i]
    if i % 3 == 1:
        value = 100
    else:
        k = 0
        while k < (i + 3) % 2:
            k += 1
            if i > 7:
                continue
            total = total + value
    x[i] = total
    y[i] = value


def some_leave_early_the_rest_together(x, y, n):
    """Lanes break at different times; whoever is left leaves at the same count."""
    i = device.tid(1)
    if i >= n:
        return
    z, k, last = x[i], 0, -1
    while k < n % 13 + 2:
        if z > 3.0:
            break
        last = k * 2
        z = z * 1.25 + 0.25
        k += 1
    x[i] = z
    y[i] = k * 100 + last


def an_inner_loop_ends_both_for_some(x, y, n):
    """The way out of both loops is the same for all that come to it, but not all come to it."""
    i = device.tid(1)
    if i >= n:
        return
    total, done = 0, 0
    for t in range(5):
        for u in range(4):
            if y[i] % 7 == u:
                break
            total += u + 1
            if t == 2 and u == 2:
                y[i] = total
                return
        total += 100
    else:
        done = 1
    y[i] = total * 2 + done


def leaves_together_by_one_of_two_ways(x, y, n):
    """Lanes part and meet between the two, in a way that is no whole again: the second is not taken by those who took the first."""
    i = device.tid(1)
    if i >= n:
        return
    below, turns = x[i] < 0.5, len(x) % 2 + 1
    while True:
        turns -= 1
        if turns % 2 == 0:
            y[i] += 1
            break
        x[i] = 2.0 if (below or below) else 3.0 if below else 4.0
        if turns <= 0:
            y[i] += 100
            break


def before_the_first(x, y, n):
    """Most warps read a row; the first one's first lane counts from the end."""
    i = device.tid(1)
    if i < n:
        y[i] = int(8.0 * x[i - 1]) - int(8.0 * x[i])


def from_the_end(x, y, n):
    i = device.tid(1)
    if i < n:
        y[i - n] = int(8.0 * x[-1 - i])


def clamped_neighbours(x, y, n):
    i = device.tid(1)
    if i < n:
        y[i] = int(8.0 * x[max(i - 1, 0)]) + int(64.0 * x[min(i + 1, n - 1)])


def clamped_by_branches(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    left, right = i - 1, i + 2
    if left < 0:
        left = 0
    if right >= n:
        right = n - 1
    y[i] = int(8.0 * x[left]) + int(64.0 * x[right])


def round_the_ring(x, y, n):
    i = device.tid(1)
    if i < n:
        y[i] = int(8.0 * x[(i - 1) % n]) + int(64.0 * x[(i + 5) % n])
        y[i] += int(512.0 * x[(n - 3 - i) % n])


def window(x, y, n):
    """Some lanes of the first warps have indices below zero in some turns."""
    i = device.tid(1)
    if i < n:
        total = 0
        for k in range(-4, 3):
            if i + k < n and i + k >= -n:
                total = 3 * total + int(8.0 * x[i + k])
        y[i] = total


def written_in_a_ring(x, y, n):
    i = device.tid(1)
    if i < n:
        y[(i + 7) % n] = int(8.0 * x[i])


def written_backwards(x, y, n):
    i = device.tid(1)
    if i < n and x[i] > 0.25:
        y[n - 1 - i] = int(8.0 * x[i])


ALL = [leaves_together_by_one_of_two_ways, some_leave_early_the_rest_together, an_inner_loop_ends_both_for_some, hands_on_what_was_before_the_loop, an_inner_loop_ends_the_outer_turn,
       returns_from_an_inner_loop, guard_by_return, guard_by_if, guard_in_the_middle, while_divergent, breaks_and_continues, returns_in_a_loop, nested_loops,
       uniform_inside_divergent, divergent_inside_uniform, calls, grid_stride, neighbours, backwards, strided, one_place,
       values_after_loops, wrapping_places, integer_division, short_circuits, before_the_first, from_the_end, clamped_neighbours,
       clamped_by_branches, round_the_ring, window, written_in_a_ring, written_backwards]
RAISING = [raises_last, raises_in_a_loop, raises_in_a_function, asserts_before_all]
