"""Arrays that threads only put numbers together in: in copies for each range of blocks where they are small, and as they are where they are
not, where they lie in memory of other arrays, or where somebody asks what was there. The same as NumPy."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

INTEGERS = [np.int32, np.uint32, np.int64, np.uint64]
SIZES = (0, 1, 15, 16, 17, 1000, 40_003)
LAUNCHES = [(1, 1), (3, 5), (40, 100), (157, 256)]  # grids and blocks


@pytest.fixture(params=(None, 1, 4))
def lanes(request, monkeypatch):
    if request.param:
        monkeypatch.setenv("HETJIT_LANES", str(request.param))


def explained(kernel, *arguments):
    return str(kernel.explain(*arguments))


@device.kernel
def count(x, bins):
    for i in range(device.tid(1), len(x), device.grid_size(1)):
        device.atomic.add(bins, x[i], 1)


@device.kernel
def count_one(x, bins):
    i = device.tid(1)
    if i < len(x):
        device.atomic.add(bins, x[i], 1)


OPERATIONS = {
    "add": (device.atomic.add, np.add), "sub": (device.atomic.sub, np.subtract), "max": (device.atomic.max, np.maximum),
    "min": (device.atomic.min, np.minimum), "and_": (device.atomic.and_, np.bitwise_and), "or_": (device.atomic.or_, np.bitwise_or),
    "xor": (device.atomic.xor, np.bitwise_xor),
}


def kernel_of(operation):
    @device.kernel
    def put(x, values, sums):
        i = device.tid(1)
        if i < len(x) and values[i] != 7:
            operation(sums, x[i], values[i])
    return put


KERNELS = {name: kernel_of(operation) for name, (operation, _) in OPERATIONS.items()}


def expected(name, x, values, sums):
    chosen = values != 7
    OPERATIONS[name][1].at(sums, x[chosen], values[chosen])
    return sums


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_and_types(name, dtype, lanes):
    random = np.random.default_rng(list(name.encode()))
    ends = np.iinfo(dtype)
    for size in SIZES:
        for many in (1, 3, 256, 2048, 5000):
            x = random.integers(0, many, size).astype(np.int32)
            values = random.integers(ends.min, ends.max, size, dtype=dtype, endpoint=True)
            values[::3] = random.integers(0, 10, len(values[::3])).astype(dtype)
            sums = random.integers(ends.min, ends.max, many, dtype=dtype, endpoint=True)
            wanted = expected(name, x, values, sums.copy())
            KERNELS[name][(size + 99) // 100 or 1, 100](x, values, sums)
            assert (sums == wanted).all(), (name, dtype, size, many)


@pytest.mark.parametrize("kernel", [count, count_one], ids=["strides", "one each"])
def test_launches(kernel, lanes):
    random = np.random.default_rng(1)
    for grid, block in LAUNCHES:
        for size in SIZES:
            size = size if kernel is count else min(size, grid * block)
            for many in (1, 100, 4096, 4097):
                x = random.integers(0, many, size).astype(np.int32)
                bins = np.ones(many, np.int32)
                kernel[grid, block](x, bins)
                assert (bins == 1 + np.bincount(x, minlength=many)).all(), (grid, block, size, many)


def test_several_arrays_of_several_axes(lanes):
    @device.kernel
    def describe(x, table, largest, total, out):
        i = device.tid(1)
        if i < len(x):
            v = x[i]
            device.atomic.add(table, (v % 7, v & 3), device.int64(v))
            device.atomic.max(largest, v % 5, v)
            device.atomic.add(total, 0, 1)
            out[i] = v * 2

    x = np.random.default_rng(2).integers(0, 1000, 20_000).astype(np.int32)
    table, largest, total, out = np.zeros((7, 4), np.int64), np.full(5, -1, np.int32), np.zeros(1, np.int32), np.zeros_like(x)
    describe[100, 200](x, table, largest, total, out)
    wanted = np.zeros((7, 4), np.int64)
    np.add.at(wanted, (x % 7, x & 3), x)
    assert (table == wanted).all() and (out == 2 * x).all() and total[0] == len(x)
    assert largest.tolist() == [x[x % 5 == k].max() for k in range(5)]


def test_sums_of_floats_and_other_uses_stay_where_they_are(lanes):
    """Sums of floats depend on their order; a result, a load or another operation tells what was there."""
    @device.kernel
    def mixed(x, sums, tickets, seen, places):
        i = device.tid(1)
        if i < len(x):
            device.atomic.add(sums, x[i], 0.5)
            places[i] = device.atomic.add(tickets, 0, 1)
            device.atomic.add(seen, x[i], 1)

    x = np.random.default_rng(3).integers(0, 9, 4000).astype(np.int32)
    sums, tickets, seen, places = np.zeros(9, np.float32), np.zeros(1, np.int32), np.zeros(9, np.int32), np.zeros(4000, np.int32)
    mixed[40, 100](x, sums, tickets, seen, places)
    assert (sums == np.bincount(x) / 2).all() and (seen == np.bincount(x)).all() and sorted(places) == list(range(4000))
    assert "copies of" not in explained(mixed, x, sums, tickets, seen, places)

    @device.kernel
    def both(x, bins, out):
        i = device.tid(1)
        device.atomic.add(bins, x[i], 1)
        device.atomic.max(bins, 0, 3)

    assert "copies of" not in explained(both, x, seen, places)

    @device.kernel
    def read(x, bins, out):
        i = device.tid(1)
        device.atomic.add(bins, x[i], 1)
        out[i] = bins[0]

    assert "copies of" not in explained(read, x, seen, places)

    @device.kernel
    def told(x, bins, done):
        i = device.tid(1)
        device.atomic.add(bins, x[i], 1)
        device.atomic.add(done, 0, 1, memory="release")

    assert "copies of" not in explained(told, x, seen, tickets)


def test_arrays_in_one_memory(lanes):
    """What is counted is also what is counted in: the program's order is one of many, but numbers stay within those that were there."""
    memory = np.zeros(5000, np.int32)
    memory[100:] = np.arange(4900) % 100
    wanted = np.bincount(memory[100:], minlength=100)
    count_one[49, 100](memory[100:], memory[:100])
    assert (memory[:100] == wanted).all()
    memory = np.zeros(4096, np.int32)  # each thread adds to the element that it reads
    count_one[64, 64](memory, memory)
    assert memory[0] >= 1 and memory.sum() == 4096


def test_it_is_said():
    x, bins = np.zeros(100, np.int32), np.zeros(10, np.int32)
    assert "copies of bins for each range of blocks" in explained(count, x, bins)
    assert "copies of bins for each range of blocks" in explained(count_one, x, bins)


def test_strided_and_unaligned_arrays():
    x = np.random.default_rng(4).integers(0, 50, 10_000).astype(np.int32)
    wide = np.zeros((50, 3), np.int32)
    count_one[100, 100](x, wide[:, 1])
    assert (wide[:, 1] == np.bincount(x, minlength=50)).all() and not wide[:, ::2].any()


def test_checks(monkeypatch):
    checked = device.kernel(check="all")(count_one.underlying)
    x = np.random.default_rng(5).integers(0, 50, 5000).astype(np.int32)
    bins = np.zeros(50, np.int32)
    checked[50, 100](x, bins)
    assert (bins == np.bincount(x, minlength=50)).all()
    x[77] = 50
    with pytest.raises(IndexError):
        checked[50, 100](x, bins)
