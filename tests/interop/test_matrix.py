"""Every kind of value, each way, up to eight at a time, on the host and a share on the machines: C++ reads what Python passed, leaf by leaf, and Python what C++ made."""

import random

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")

import matrix
from calls import launched
from hetjit import device

LIBRARY = device.cxx(matrix.SOURCE)
RECORDS = matrix.records(48, seed=5)


def signatures():
    """Scalars and vectors eight at a time, records three, so that each is passed, first, in between and last, and returned."""
    plain = matrix.SCALARS + matrix.VECTORS
    draw = random.Random(11)
    draw.shuffle(plain)
    yield from (plain[i:i + 8] for i in range(0, len(plain), 8))
    for i in range(0, len(RECORDS), 2):
        yield [draw.choice(plain), RECORDS[i], RECORDS[i + 1], draw.choice(plain)]


SIGNATURES = list(signatures())


def kernel(count):
    """out[0] = the hash of the first elements of all; each `back` gets what C++ makes."""
    names = [f"a{i}" for i in range(count)]
    lines = [f"def k({', '.join(names)}, out, {', '.join('b' + n for n in names)}):",
             f"    out[0] = LIBRARY.hash({', '.join(n + '[0]' for n in names)})"]
    lines += [f"    b{n}[0] = LIBRARY.made_like({n}[0], device.uint64({100 + i}))" for i, n in enumerate(names)]
    scope = {"LIBRARY": LIBRARY, "device": device}
    exec("\n".join(lines), scope)
    return scope["k"]


PLACES = [(number, "cpu") for number in range(len(SIGNATURES))] + [(number, machine) for machine in ("emu:sm_90", "emu:gfx942")
                                                                   for number in range(0, len(SIGNATURES), 8)]


@pytest.mark.row("HET-NUM-7")
@pytest.mark.parametrize("number, where", PLACES)
def test_leaves_arrive_both_ways(number, where):
    types = SIGNATURES[number]
    dtypes = [device.numpy_dtype(t) for t in types]
    given = [matrix.filled(dtype, seed) for seed, dtype in enumerate(dtypes)]
    backs = [np.zeros(1, dtype) for dtype in dtypes]
    made = launched(kernel(len(types)), where, *given, np.zeros(1, np.uint64), *backs)
    want = 0xCBF29CE484222325
    for array in given:
        want = matrix.fnv(matrix.read(array), want)
    assert int(made[len(types)][0]) == want
    for i, back in enumerate(made[len(types) + 1:]):
        assert matrix.read(back) == matrix.read(matrix.filled(dtypes[i], 100 + i)), types[i]


@pytest.mark.parametrize("rank", range(5))
def test_arrays_of_each_rank(rank, where):
    def k(a, out):
        out[0] = LIBRARY.hash(a)

    shape = (2, 3, 4, 5)[:rank]
    a = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape) + 7
    want = matrix.fnv(b"")
    for extent, stride in zip(a.shape, a.strides):
        want = matrix.fnv(extent.to_bytes(8, "little") + (stride // 4).to_bytes(8, "little"), want)
    want = matrix.fnv(np.int32(a.size + 6).tobytes(), want)
    assert int(launched(k, where, a, np.zeros(1, np.uint64))[1][0]) == want


@pytest.mark.row("HET-NONE-3")
def test_none_is_a_null_pointer(where):
    lib = device.cxx("inline int is_null(const void* p) { return p == nullptr; }\ninline int is_float(float* p) { return !p; }")

    def k(out):
        out[0] = lib.is_null(None)
        out[1] = lib.is_float(None)

    assert launched(k, where, np.zeros(2, np.int32))[0].tolist() == [1, 1]
