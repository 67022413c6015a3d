"""Kernels with one planted fault each, in a line that ends in `# fault`, and what a check must say of it."""

import dataclasses
import inspect

import numpy as np

from hetjit import device


@dataclasses.dataclass
class Fault:
    kernel: object
    check: str
    error: type
    says: str           # in the message
    arguments: object   # a function that makes them
    grid: object = 1
    block: object = 32
    thread: object = None  # who is named: a tuple, or None where several may be
    of_block: object = None
    shared: int = 0        # bytes that the launch asks for
    both: bool = False     # the message names another line of the fault too

    @property
    def lines(self):
        """Of the fault, in the kernel or in the function that it calls: of a race, whichever thread is the second."""
        for function in (self.kernel, element_of):
            lines, first = inspect.getsourcelines(function)
            found = [first + i for i, line in enumerate(lines) if line.rstrip().endswith("# fault")]
            if found:
                return found
        raise ValueError(f"{self.kernel.__name__} has no fault")


FAULTS = []


def bounds(says, *arguments, error=device.BoundsError, check="bounds", **where):
    """Arguments: shapes of float32 arrays, and other values as they are."""
    def make():
        return [np.zeros(a, np.float32) if isinstance(a, tuple) else a.copy() if isinstance(a, np.ndarray) else a
                for a in arguments]

    def plant(function):
        FAULTS.append(Fault(function, check, error, says, make, **where))
        return function
    return plant


def divides(says, *arguments, **where):
    return bounds(says, *arguments, error=ZeroDivisionError, check="arith", **where)


def ints(*values, dtype=np.int32):
    return np.array(values, dtype)


# ---- one index

@bounds("index 32 is out of bounds for 'x' of shape (32,)", (32,), grid=2, thread=(0, 0, 0), of_block=(1, 0, 0))
def one_too_many(x):
    i = device.tid(1)
    x[i] = i  # fault


@bounds("index 10 is out of bounds for 'x' of shape (10,)", (10,), thread=(10, 0, 0))
def guard_by_one_too_far(x):
    i = device.tid(1)
    if i <= x.shape[0]:
        x[i] = 1.0  # fault


@bounds("index 20 is out of bounds for 'x' of shape (20,)", (20,), thread=(19, 0, 0))
def neighbour_behind_the_end(x):
    i = device.tid(1)
    if i < len(x):
        v = x[i + 1]  # fault
        x[i] = v


@bounds("index -21 is out of bounds for 'x' of shape (20,)", (20,), thread=(20, 0, 0))
def negative_too_far(x):
    i = device.tid(1)
    if i <= 20:
        x[-1 - i] = 1.0  # fault


@bounds("index 4 is out of bounds for 'y' of shape (4,)", (8,), (4,), thread=(4, 0, 0))
def the_guard_is_of_another_array(x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = x[i]  # fault


@bounds("index 99 is out of bounds for 'x' of shape (32,)", (32,), ints(*range(7), 99, *range(24)), thread=(7, 0, 0))
def index_from_memory(x, where):
    i = device.tid(1)
    x[where[i]] = 1.0  # fault


@bounds("index 4294967297 is out of bounds for 'x' of shape (32,)", (32,), 1 << 32, thread=(1, 0, 0))
def wide_index_that_wraps_to_a_good_one(x, far: device.int64):
    i = device.tid(1)
    if i > 0:
        x[i + far] = 1.0  # fault


@bounds("index 18446744073709551615 is out of bounds for 'x' of shape (32,)", (32,), thread=(0, 0, 0), block=1)
def unsigned_below_zero(x):
    i = device.uint64(device.tid(1))
    x[i - device.uint64(1)] = 1.0  # fault


@bounds("index 0 is out of bounds for 'x' of shape (0,)", (0,), thread=(0, 0, 0), block=1)
def empty_array(x):
    x[0] = 1.0  # fault


@bounds("index 40 is out of bounds for 'x' of shape (40,)", (40,), thread=(0, 0, 0), block=4)
def one_turn_too_many(x):
    i = device.tid(1)
    total = 0.0
    for j in range(i, x.shape[0] + 4, 4):
        total += x[j]  # fault
    x[i] = total


@bounds("index 3 is out of bounds for 'x' of shape (3,)", (3,), thread=(0, 0, 0), block=1)
def while_without_an_end(x):
    j = 0
    while x[j] == 0.0:  # fault
        j += 1


@bounds("index 5 is out of bounds for 'x' of shape (5,)", (5,), thread=(5, 0, 0), block=8)
def in_place(x):
    i = device.tid(1)
    x[i] += 1.0  # fault


@bounds("index 6 is out of bounds for 'x' of shape (6,)", (6,), thread=(3, 0, 0), block=8)
def fault_of_one_branch(x):
    i = device.tid(1)
    if i % 2:
        x[2 * i] = 1.0  # fault
    else:
        x[i // 2] = 2.0


# ---- several axes

@bounds("index (4, 0) is out of bounds for 'a' of shape (4, 8)", (4, 8), block=(8, 8), thread=(0, 4, 0))
def row_behind_the_last(a):
    i, j = device.tid(2)
    a[j, i] = 1.0  # fault


@bounds("index (0, 4) is out of bounds for 'a' of shape (8, 4)", (8, 4), block=(4, 8), thread=(0, 4, 0))
def axes_exchanged(a):
    i, j = device.tid(2)
    a[i, j] = 1.0  # fault


@bounds("index (1, 8) is out of bounds for 'a' of shape (4, 8)", (4, 8), block=(8, 3), thread=(7, 1, 0))
def column_that_is_in_the_allocation(a):
    i, j = device.tid(2)
    if 0 < j:
        a[j, i] = a[j, i + 1]  # fault


@bounds("index (2, -5, 0) is out of bounds for 'b' of shape (3, 4, 5)", (3, 4, 5), block=1, thread=(0, 0, 0))
def three_axes(b):
    k = 2
    b[k, -k - 3, 0] = 1.0  # fault


@bounds("index (3, 0) is out of bounds for 'a' of shape (3, 4)", np.zeros((4, 3), np.float32).T, block=(4, 4),
        thread=(0, 3, 0))
def strided(a):
    i, j = device.tid(2)
    a[j, i] = 1.0  # fault


# ---- views

@bounds("index 7 is out of bounds for 'a' of shape (7, 3)", (7, 3), block=8, thread=(7, 0, 0))
def row_view(a):
    i = device.tid(1)
    row = a[i]  # fault
    row[0] = 1.0


@bounds("index 3 is out of bounds for 'row' of shape (3,)", (8, 3), block=8)
def element_of_a_row(a):
    row = a[device.tid(1)]
    for j in range(4):
        row[j] = 1.0  # fault


@bounds("index 5 is out of bounds for 'part' of shape (5,)", (20,), block=6, thread=(5, 0, 0))
def element_of_a_slice(x):
    i = device.tid(1)
    part = x[10:15]
    part[i] = 1.0  # fault


@bounds("index 9 is out of bounds for 'a' of shape (9, 4)", (9, 4), block=10, thread=(9, 0, 0))
def index_beside_a_slice(a):
    i = device.tid(1)
    a[i, 1:3] = 0.0  # fault


@bounds("shapes differ: cannot store 'y' of shape (2,) in a view of shape (3,)", (9,), (2,), block=1, thread=(0, 0, 0))
def shapes_that_do_not_match(x, y):
    x[3:6] = y  # fault


@bounds("cannot store 'y' of shape (7,) in a view of shape (3,)", (3,), (7,), block=1, thread=(0, 0, 0))
def source_that_is_larger(x, y):
    x[...] = y  # fault


@bounds("cannot store 'x[4:10]' of shape (6,) in a view of shape (3,)", (12,), block=1, thread=(0, 0, 0))
def larger_slice(x):
    x[0:3] = x[4:10]  # fault


@bounds("cannot store 'y' of shape (7,) in a view of shape (3,)", (3,), (7,), block=1, thread=(0, 0, 0))
def larger_in_place(x, y):
    x += y  # fault


@bounds("cannot store 'v' of shape (8,) in a view of shape (4,)", (5, 4), (5, 8), block=5)
def rows_with_names(a, b):
    i = device.tid(1)
    v, row = b[i], a[i]
    row[:] = v  # fault


@bounds("of shape (4, 2) in a view of shape (4, 1)", (4, 4), block=1, thread=(0, 0, 0))
def two_columns_in_one(a):
    a[:, 0:1] += a[:, 1:3]  # fault


@bounds("of shape (5, 4) in a view of shape (4, 5)", (4, 5), block=1, thread=(0, 0, 0))
def transposed_view(a):
    a[...] = a.T  # fault


@bounds("cannot store 'y' of shape (0,) in a view of shape (1,)", (1,), (0,), block=1, thread=(0, 0, 0))
def nothing_in_one(x, y):
    x[...] = y  # fault


@bounds("cannot store 'y' of shape (4,) in a view of shape (0,)", (3,), (4,), 3, block=1, thread=(0, 0, 0))
def something_in_nothing(x, y, n):
    x[n:] = y  # fault


@bounds("cannot store 'y' of shape (3, 2) in a view of shape (0, 3)", (0, 3), (3, 2), block=1, thread=(0, 0, 0))
def no_rows_of_another_length(x, y):
    x[:] = y  # fault


@bounds("cannot reshape 'x' of shape (12,) to (5, 3)", (12,), block=1, thread=(0, 0, 0))
def reshaped_to_more(x):
    a = x.reshape(5, 3)  # fault
    a[4, 2] = 1.0


@bounds("index 2 is out of bounds for 'x[4:6]' of shape (2,)", (8,), block=1, thread=(0, 0, 0))
def element_of_an_unnamed_view(x):
    k = len(x) - 6
    x[4:6][k] = 1.0  # fault


# ---- vectors and tuples

@bounds("index 3 is out of bounds for 'v' of 3 items", (4,), block=4, thread=(3, 0, 0))
def lane_of_a_vector(x):
    i = device.tid(1)
    v = device.float32x3(1.0, 2.0, 3.0)
    x[i] = v[i]  # fault


@bounds("index 3 is out of bounds for 'v' of 3 items", (4,), block=4, thread=(3, 0, 0))
def lane_assigned(x):
    i = device.tid(1)
    v = device.float32x3(1.0, 2.0, 3.0)
    v[i] = 7.0  # fault
    x[i] = v.x


@bounds("index -3 is out of bounds for 't' of 2 items", (4,), block=3, thread=(2, 0, 0))
def item_of_a_tuple(x):
    i = device.tid(1)
    t = (x[0], x[1])
    x[i] = t[-i - 1]  # fault


# ---- functions

def element_of(values, k):
    return values[k]  # fault


@bounds("index 12 is out of bounds for 'values' of shape (12,)", (12,), block=13, thread=(12, 0, 0))
def in_a_function(x):
    i = device.tid(1)
    x[i % 12] = element_of(x, i)


@bounds("index 31 is out of bounds for 'values' of shape (16,)", (16,), block=1, thread=(0, 0, 0))
def in_a_recursion(x):
    def last(values, k):
        if k > 20:
            return values[k]  # fault
        return last(values, k * 2 + 1)
    x[0] = last(x, 1)


# ---- division

@divides("integer division or modulo by zero: 6 // 0", ints(1, 2, 0, 4), block=4, thread=(2, 0, 0))
def floor_division(y):
    i = device.tid(1)
    y[i] = (i + 4) // y[i]  # fault


@divides("integer division or modulo by zero: 5 % 0", ints(3, 3, 3, 3, 3, 0), block=6, thread=(5, 0, 0))
def remainder(y):
    i = device.tid(1)
    y[i] = i % y[i]  # fault


@divides("integer division or modulo by zero: 7 // 0", 0, ints(0), block=1, thread=(0, 0, 0))
def both_at_once(k, y):
    a, b = divmod(7, k)  # fault
    y[0] = a + b


@divides("integer division or modulo by zero: 2 // 0", ints(5, 5), block=1, thread=(0, 0, 0))
def of_a_vector(y):
    v = device.int32x2(4, 2)
    w = device.int32x2(y[0], y[1] - 5)
    y[0] = (v // w).x  # fault


@divides("integer division or modulo by zero: -3 // 0", ints(-3, 0, dtype=np.int8), block=1, thread=(0, 0, 0))
def in_place_and_narrow(y):
    y[0] //= y[1]  # fault


# ---- races in global memory

def races(says, *arguments, **where):
    return bounds(says, *arguments, error=device.RaceError, check="race", **where)


@races("'x'[0] is written here", (4,))
def all_write_one_place(x):
    x[0] = device.tid(1)  # fault


@races("'x'[0] is written here", (64,), grid=2, block=1, thread=(0, 0, 0), of_block=None)
def two_blocks_write_one_place(x):
    x[device.thread_idx.x] = 1.0  # fault


@races("'x'[", (40,))
def neighbour_is_overwritten(x):
    i = device.tid(1)
    if i + 1 < x.shape[0]:
        v = x[i + 1]
        x[i] = v  # fault


@races("'total'[0] is ", (64,), (1,))
def sum_without_atomics(x, total):
    i = device.tid(1)
    total[0] += x[i]  # fault


@races("'bins'[", ints(*range(16), *range(16)), (16,))
def histogram_without_atomics(values, bins):
    i = device.tid(1)
    bins[values[i]] += 1.0  # fault


@races("'y'[", (256,), grid=4, block=64)
def reads_what_another_block_writes(y):
    i = device.tid(1)
    y[255 - i] = y[i]  # fault


@races("'a'[", (8, 8), block=(8, 8))
def transposed_in_place(a):
    i, j = device.tid(2)
    a[i, j] = a[j, i]  # fault


@races("'b'[", np.zeros(33, np.int8))
def bytes_of_one_word(b):
    i = device.tid(1)
    b[i + 1] = 1
    b[i] = 2  # fault


@races("'b'[", np.zeros(256, np.int32), grid=2, block=256)
def place_in_the_launch_made_narrow(b):
    i = device.tid(1)
    b[device.uint8(i)] = i  # fault


@races("'values'[0] is written here", (8,))
def in_a_function_of_both(x):
    def put(values, v):
        values[0] = v  # fault
    put(x, device.tid(1))


@races("'claims'", ints(7), (40,))
def read_beside_an_exchange_that_fails(claims, x):
    device.atomic.cas(claims, 0, 0, 1)  # fault
    x[device.tid(1)] = claims[0]  # fault


@races("'row'[0] is written here", (8, 8))
def through_a_view(a):
    row = a[0]
    row[device.tid(1) // 2 % 2] = 1.0  # fault


@races("'x'[1] is ", (4,), block=1, grid=3, thread=(0, 0, 0))
def several_readers_and_a_writer(x):
    i = device.tid(1)
    v = x[1]  # fault
    if i == 2:
        x[1] = v  # fault
