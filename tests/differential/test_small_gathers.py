"""Elements of 8 and 16 bits that each lane takes from a place of its own: NumPy's values, whatever lies beside them, up to the last byte before memory
that nobody may read."""

import ctypes
import mmap

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")

from hetjit import device

TYPES = [np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2]
INDICES = [np.uint8, np.int8, np.int16, np.int32, np.int64, np.uint32]
PAGE = mmap.PAGESIZE
NAMES = {"ids": lambda type_: np.dtype(type_).name}


@pytest.fixture(params=(None, 1, 4, 8, 32, 64))
def lanes(request, monkeypatch):
    if request.param:
        monkeypatch.setenv("HETJIT_LANES", str(request.param))


class Fenced:
    """A page between two that nobody may read."""

    def __init__(self):
        self.pages = mmap.mmap(-1, 3 * PAGE)
        self.memory = np.frombuffer(self.pages, np.uint8)
        self.protect(0)

    def protect(self, rights):
        libc = ctypes.CDLL(None, use_errno=True)
        for page in (0, 2):
            assert libc.mprotect(ctypes.c_void_p(self.memory.ctypes.data + page * PAGE), PAGE, rights) == 0

    def close(self):
        self.protect(mmap.PROT_READ | mmap.PROT_WRITE)

    def first(self, array):
        return self.held(array, PAGE)

    def last(self, array):
        return self.held(array, 2 * PAGE - array.nbytes)

    def held(self, array, begin):
        made = self.memory[begin:begin + array.nbytes].view(array.dtype).reshape(array.shape)
        made[...] = array
        return made


@pytest.fixture(scope="module")
def fenced():
    made = Fenced()
    yield made
    made.close()


def some(shape, dtype, seed=0):
    bits = np.random.default_rng(seed).integers(0, 256, (*shape, np.dtype(dtype).itemsize), np.uint8)
    return (bits[..., 0] % 2).astype(np.bool_) if dtype is np.bool_ else np.ascontiguousarray(bits).view(dtype)[..., 0]


def same(found, expected):
    return found.tobytes() == expected.tobytes()


@device.kernel
def look_up(table, at, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = table[at[i]]


@device.kernel
def look_up_some(table, at, out):
    i = device.tid(1)
    if i < out.shape[0] and at[i] % 3 != 1:
        out[i] = table[at[i]]


@pytest.mark.parametrize("place", ["first", "last"])
@pytest.mark.parametrize("dtype", TYPES, **NAMES)
def test_tables_beside_memory_that_nobody_may_read(lanes, fenced, dtype, place):
    for size in (1, 2, 3, 5, 31, 126):
        table = getattr(fenced, place)(some((size,), dtype, size))
        for n in (1, 15, 64, 257):
            at = np.random.default_rng(n).integers(0, size, n).astype(np.int32)
            at[:2] = (0, size - 1)[:n]
            out = np.zeros(n, dtype)
            look_up[-(-n // 96), 96](table, at, out)
            assert same(out, table[at])
            out[:] = 0
            look_up_some[-(-n // 64), 64](table, at, out)
            assert same(out, np.where(at % 3 != 1, table[at], np.zeros(n, dtype)))


@pytest.mark.parametrize("index", INDICES, **NAMES)
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float16], **NAMES)
def test_indices_of_every_type(lanes, dtype, index):
    table = some((100,), dtype)
    least = -100 if np.dtype(index).kind == "i" else 0
    at = np.random.default_rng(1).integers(least, 100, 500).astype(index)
    out = np.zeros(500, dtype)
    look_up[4, 128](table, at, out)
    assert same(out, table[at])


@pytest.mark.parametrize("dtype", TYPES, **NAMES)
def test_arrays_with_gaps_turned_round_and_of_one_element(lanes, dtype):
    table, at = some((300,), dtype), np.random.default_rng(2).integers(0, 60, 333).astype(np.int32)
    for seen in (table[::5], table[:60][::-1], np.broadcast_to(table[7:8], (60,)), table[1:61]):
        out = np.zeros(333, dtype)
        look_up[3, 128](seen, at, out)
        assert same(out, np.ascontiguousarray(seen)[at])


@pytest.mark.parametrize("dtype", TYPES, **NAMES)
def test_columns_rows_and_planes(lanes, dtype):
    @device.kernel
    def columns(table, row, column, out):
        j, i = device.tid(2)
        if i < out.shape[0] and j < out.shape[1]:
            out[i, j] = table[row[i], column[j], i % table.shape[2]]

    draw = np.random.default_rng(3)
    table, row, column = some((9, 11, 3), dtype), draw.integers(0, 9, 20).astype(np.int32), draw.integers(-11, 11, 45).astype(np.int32)
    out = np.zeros((20, 45), dtype)
    columns[(6, 3), (8, 8)](table, row, column, out)
    assert same(out, table[row[:, None], column[None, :], (np.arange(20) % 3)[:, None]])


def test_fields_of_records(lanes):
    records = np.zeros(77, np.dtype([("a", np.uint8), ("b", np.int16), ("c", np.bool_), ("d", np.float16), ("e", np.uint8, 3)], align=True))
    draw = np.random.default_rng(4)
    for name in "abcde":
        records[name] = draw.integers(0, 100, records[name].shape)

    @device.kernel
    def take(records, at, out):
        i = device.tid(1)
        if i < out.shape[0]:
            r = records[at[i]]
            out[i] = r.a + 2.0 * r.b + (4.0 if r.c else 0.0) + 8.0 * r.d + 16.0 * r.e[2]

    at, out = draw.integers(0, 77, 500).astype(np.int32), np.zeros(500, np.float32)
    take[4, 128](records, at, out)
    r = records[at]
    assert same(out, (r["a"] + 2.0 * r["b"] + 4.0 * r["c"] + 8.0 * r["d"].astype(np.float64) + 16.0 * r["e"][:, 2]).astype(np.float32))


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.float16], **NAMES)
def test_tables_of_a_thread_and_of_a_block(lanes, dtype):
    format_ = getattr(device, np.dtype(dtype).name)

    @device.kernel
    def turned(x, at, out):
        own, all_ = device.local_array(16, format_), device.shared_array(64, format_)
        t, i = device.thread_idx.x, device.tid(1)
        for k in range(16):
            own[k] = x[i, k]
        all_[t] = x[i, 3]
        device.syncthreads()
        out[i, 0] = own[at[i] % 16]
        own[at[i] % 16] = x[i, 0]
        out[i, 1] = own[(at[i] + 1) % 16]
        out[i, 2] = all_[at[i] % 64]

    n = 256
    x, at = some((n, 16), dtype), np.random.default_rng(5).integers(0, 64, n).astype(np.int32)
    x[np.isnan(x.astype(np.float32))] = 1
    out, each = np.zeros((n, 3), dtype), np.arange(n)
    turned[4, 64](x, at, out)
    own = x.copy()
    first = own[each, at % 16].copy()
    own[each, at % 16] = x[:, 0]
    assert same(out, np.stack([first, own[each, (at + 1) % 16], x[each // 64 * 64 + at % 64, 3]], axis=1))


@pytest.mark.parametrize("offset", [1, 2, 3])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float16], **NAMES)
def test_tables_at_any_address(lanes, dtype, offset):
    memory = np.zeros(400, np.uint8)
    table = memory[-memory.ctypes.data % 64 + offset:][:100 * np.dtype(dtype).itemsize].view(dtype)
    table[...] = some((100,), dtype)
    at, out = np.random.default_rng(6).integers(0, 100, 300).astype(np.int32), np.zeros(300, dtype)
    look_up[3, 128](table, at, out)
    assert same(out, table[at])


def test_what_a_neighbour_wrote_is_not_lost(lanes):
    """Each thread reads and writes its own bytes, in words that are others' too."""
    @device.kernel
    def shuffle(x, order):
        i = device.tid(1)
        if i < x.shape[0]:
            for _ in range(5):
                x[order[i]] = x[order[i]] * 3 + 1

    x, order = some((1000,), np.uint8), np.random.default_rng(7).permutation(1000).astype(np.int32)
    expected = x.copy()
    for _ in range(5):
        expected = expected * np.uint8(3) + np.uint8(1)
    shuffle[8, 128](x, order)
    assert same(x, expected)
