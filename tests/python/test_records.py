"""NumPy's records: which dtypes a kernel reads, how they come back, and records for parameters annotated with a struct."""

import random

import pytest

from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

SCALARS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]


def draw(rng, depth=0):
    """Fields of a random structured dtype: numbers, subarrays of up to two dimensions, records."""
    fields = []
    for i in range(rng.randrange(1, 5)):
        inner = rng.choice(SCALARS)
        if depth < 2 and rng.random() < 0.25:
            inner = np.dtype(draw(rng, depth + 1), align=rng.random() < 0.5)
        shape = rng.choice([(), (), (), (3,), (2, 2), (1,)])
        fields.append((f"f{depth}{i}", inner, shape) if shape else (f"f{depth}{i}", inner))
    return fields


DTYPES = [np.dtype(draw(random.Random(seed)), align=bool(seed % 2)) for seed in range(24)] + [
    np.dtype(fields, align=True) for fields in (
        [("a", "f8"), ("b", "i4"), ("c", "c8")], [("b", "i4"), ("c", "c8")], [("b", "i2"), ("c", "c8"), ("d", "i1")],
        [("c", "c16"), ("a", "i4")], [("a", "i8"), ("c", "c16")], [("b", "i4"), ("c", "c8", (2, 3))],
        [("b", "i4"), ("r", np.dtype([("x", "i4"), ("c", "c8")], align=True), (2,))])] + [
    np.dtype({"names": ["a", "gap0"], "formats": ["i2", "f8"], "offsets": [3, 12], "itemsize": 23}),
    np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4"), ("w", "f4")])[["y", "w"]], np.dtype([("x", "i1"), ("y", "c16")])[["x"]]]


def filled(dtype, n=4, seed=1):
    """Every field of every record a small number of its own."""
    found = np.zeros(n, dtype)
    numbers = iter(range(seed, 100_000))

    def fill(part):
        if part.dtype.names:
            for name in part.dtype.names:
                fill(part[name])
        else:
            part[...] = np.array([next(numbers) % 100 for _ in range(part.size)]).reshape(part.shape)
    fill(found)
    return found


@device.kernel
def move(a, b):
    i = device.tid(1)
    b[i] = a[i]


@device.kernel
def put(record, b):
    b[device.tid(1)] = record


@pytest.mark.row("HET-ARR-12", "HET-ARR-13")
@pytest.mark.parametrize("dtype", DTYPES, ids=range(len(DTYPES)))
def test_numpys_dtypes_are_read(dtype):
    a, b = filled(dtype), filled(dtype, seed=50)
    assert (a != b).any()
    move[1, 4](a, b)
    assert (a == b).all()
    put[1, 3](a[3], b)
    assert (b == a[3]).all()


@pytest.mark.parametrize("dtype", DTYPES, ids=range(len(DTYPES)))
def test_dtypes_come_back(dtype):
    a = filled(dtype)
    there = device.array(a, "null")
    back = device.to_numpy(there)
    assert back.dtype == dtype == there.dtype and back.dtype.isalignedstruct == dtype.isalignedstruct
    assert back.tobytes() == a.tobytes() and back.shape == a.shape


@pytest.mark.parametrize("dtype", [
    np.dtype([("w", "<f4", (3,))]), np.dtype([("w", "<f4", (3, 2)), ("n", "i8")]), np.dtype([(("a title", "a"), "f4")]),
    np.dtype({"names": ["a", "b"], "formats": ["i4", "f8"], "offsets": [4, 16], "itemsize": 32}),
    np.dtype({"names": ["a"], "formats": ["i1"], "itemsize": 16}), np.dtype("i4", metadata={"unit": "m"}), np.dtype("longlong"),
    np.dtype("f2"), np.dtype("?"), np.dtype("c16")], ids=str)
def test_dtypes_come_back_exactly(dtype):
    there = device.array(np.ones((2, 3), dtype), "null")
    back = device.to_numpy(there)
    assert back.dtype == dtype and back.dtype.metadata == dtype.metadata and back.dtype.fields == dtype.fields
    assert device.to_numpy(device.zeros((2, 0), dtype, "null")).dtype == dtype
    assert back.tobytes() == np.ones((2, 3), dtype).tobytes()


@pytest.mark.parametrize("dtype, why", [
    (">f4", "another machine's order of bytes"), ([("a", "i4"), ("b", [("c", ">i2")])], "another machine's order of bytes"),
    ("M8[ns]", r"an element is datetime64\[ns\]"), ("U5", "an element is str160"), ("S3", "an element is bytes24"), ("V8", "an element is void64"),
    ("O", "an element is object"), ([("a", "i4"), ("p", [("when", "m8[s]")])], r"field 'p\.when' is timedelta64\[s\]"),
    ([("name", "U4", (2,))], "field 'name' is str128"), ([], "an element has no fields"),
    ({"names": ["a", "b"], "formats": ["i4", "i4"], "offsets": [0, 2]}, "field 'b' begins at byte 2, before the end"),
    ({"names": ["a", "b"], "formats": ["i4", "i4"], "offsets": [4, 0]}, "field 'b' begins at byte 0, before the end"),
    ([("a", "f4", (5000,))], "too many parts")], ids=str)
def test_dtypes_that_no_kernel_reads(dtype, why):
    a = np.zeros(3, dtype)
    with pytest.raises(TypeError, match=why):
        device.array(a, "null")
    with pytest.raises(BufferError, match=f"argument 'a' has dtype.*({why}|in another machine's order|elements must be bool)"):
        move[1, 1](a, a)


def test_gaps_are_left_alone():
    """A view of some fields (a[["x", "z"]]) has gaps in which other fields lie."""
    whole = filled(np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4"), ("w", "f4")]), 4)
    before = whole.copy()
    for taken, left in (("xz", "yw"), ("yw", "xz"), ("y", "xzw"), ("xw", "yz")):
        some = whole[[*taken]]
        move[1, 1](some[1:], some)
        assert all(whole[name][0] == before[name][1] for name in taken) and all((whole[name] == before[name]).all() for name in left)
        whole[...] = before


# ---- records for annotated parameters


@device.struct
class Vec:
    x: device.float32
    y: device.float32

    def sum(self):
        return self.x + self.y


@device.struct
class Particle:
    id: device.int32
    pos: Vec
    weights: tuple[device.float64, device.float64]
    colour: device.float32x3

    def score(self):
        return self.pos.sum() + self.id + self.weights[1] + self.colour.z


@device.kernel
def scores(ps: Particle[:], out):
    i = device.tid(1)
    out[i] = ps[i].score()
    ps[i] = ps[i].replace(id=-1)


@device.kernel
def score_of(p: Particle, out):
    out[0] = p.score()


VEC = [("x", "f4"), ("y", "f4")]
FITS = {
    "aligned": np.dtype([("id", "i4"), ("pos", VEC), ("weights", "f8", (2,)), ("colour", "f4", (3,))], align=True),
    "packed": np.dtype([("id", "i4"), ("pos", VEC), ("gap", "i4"), ("weights", "f8", (2,)), ("colour", "f4", (3,)), ("end", "i4")])
              [["id", "pos", "weights", "colour"]],
    "parts": np.dtype([("id", "i4"), ("pos", VEC), ("weights", [("f0", "f8"), ("f1", "f8")]),
                       ("colour", [("x", "f4"), ("y", "f4"), ("z", "f4")])], align=True),
    "ours": device.numpy_dtype(Particle)}


@pytest.mark.parametrize("dtype", FITS.values(), ids=FITS)
def test_records_for_structs(dtype):
    ps, out = np.zeros(4, dtype), np.zeros(4)
    ps["id"], ps["pos"]["x"], ps["pos"]["y"] = [1, 2, 3, 4], 10, 20
    second = ps["weights"]["f1"] if ps["weights"].dtype.names else ps["weights"][:, 1]
    second[:] = 100
    third = ps["colour"]["z"] if ps["colour"].dtype.names else ps["colour"][:, 2]
    third[:] = 1000
    score_of[1, 1](ps[1], out)
    assert out[0] == 1132
    there = device.array(ps, "null")
    scores.on("null")[1, 4](there, out)
    scores[1, 4](ps, out)
    assert out.tolist() == [1131, 1132, 1133, 1134] and (ps["id"] == -1).all()
    scores[1, 2](ps[::2], out)
    assert out.tolist()[:2] == [1129, 1129]


PLAIN = FITS["aligned"].descr


def changed(**changes):
    return [changes.get(name, (name, *rest)) for name, *rest in PLAIN if name]


@pytest.mark.parametrize("dtype, why", [
    (np.dtype(changed()), r"field 'weights' is at byte 12, not 16"),
    (np.dtype(changed(id=("id", "i8")), align=True), "field 'id' is int64, not int32"),
    (np.dtype(changed(id=("id", "u4")), align=True), "field 'id' is uint32, not int32"),
    (np.dtype(changed(id=("name", "i4")), align=True), "a field is called 'name' where Particle has 'id'"),
    (np.dtype(changed(pos=("pos", [("x", "f4"), ("z", "f4")])), align=True), "a field is called 'z' where Vec has 'y'"),
    (np.dtype(changed(pos=("pos", "f4", (2,))), align=True), r"field 'pos' is tuple\[float32, float32\], not Vec"),
    (np.dtype(changed(weights=("weights", "f8", (3,))), align=True), r"field 'weights' has 3 parts, not the 2 of"),
    (np.dtype(changed(colour=("colour", "f4", (4,))), align=True), "field 'colour' has 4 parts, not the 3 of float32x3"),
    (np.dtype([*changed(), ("more", "i4")], align=True), "an element has 5 parts, not the 4 of Particle"),
    (np.dtype(dict(names=["id"], formats=["i4"], itemsize=48)), "an element has 1 parts, not the 4 of Particle"),
    (np.dtype("f4"), "an element is float32, not Particle")], ids=range(11))
def test_records_that_do_not_fit(dtype, why):
    a = np.zeros(2, dtype)
    with pytest.raises(TypeError, match=rf"scores\(\): argument 'ps' is a numpy.ndarray; the parameter is annotated with .*: {why}"):
        scores[1, 2](a, np.zeros(2))
    if dtype.names:
        with pytest.raises(TypeError, match=rf"score_of\(\): argument 'p' is a numpy.void; .*: {why}"):
            score_of[1, 1](a[0], np.zeros(2))


def test_records_that_lie_askew():
    memory = np.zeros(200, np.uint8)
    dtype = np.dtype(dict(names=["id", "pos", "weights", "colour"], formats=["i4", VEC, ("f8", 2), ("f4", 3)],
                          offsets=[0, 4, 16, 32], itemsize=48))
    offset = 4 - memory.ctypes.data % 8
    with pytest.raises((TypeError, BufferError), match="address"):
        scores[1, 2](memory[offset:offset + 96].view(dtype), np.zeros(2))


@device.struct
class Holder:
    ps: Particle[:]


def test_records_in_fields():
    @device.kernel
    def k(h, t: tuple[Vec, device.int32], out):
        out[0] = h.ps[0].score() + t[0].sum()
    ps, out = np.zeros(2, FITS["aligned"]), np.zeros(1)
    ps["id"] = 5
    k[1, 1](Holder(ps), (np.array([(1, 2)], VEC)[0], 3), out)
    assert out[0] == 8
    with pytest.raises(TypeError, match=r"argument 'h'\.ps is a numpy.ndarray; its type is .*: field 'weights' is at byte 12"):
        k[1, 1](Holder(np.zeros(2, np.dtype(changed()))), (Vec(1, 2), 3), out)


def test_atomic_fields_are_numbers_in_records():
    @device.struct
    class Counter:
        hits: device.Atomic(device.int32)
        last: device.int32

    @device.kernel
    def k(cs: Counter[:]):
        cs[0].hits.add(1)
        cs[0].last = 7
    cs = np.zeros(1, [("hits", "i4"), ("last", "i4")])
    k[2, 16](cs)
    assert cs[0].item() == (32, 7)


@device.kernel
def fields_named_b(records, out):
    i = device.tid(1)
    out[i] = records[i].b


@device.kernel
def inner_fields_named_b(records, out):
    i = device.tid(1)
    out[i] = records[i].inner.b


@pytest.mark.parametrize("nested", [False, True])
def test_fields_that_are_renamed_in_place(nested):
    """NumPy lets one: what is known of a dtype is known of it under its names."""
    pair = np.dtype([("a", np.float32), ("b", np.float32)])
    records = np.zeros(4, np.dtype([("inner", pair), ("rest", np.int32)]) if nested else pair)
    part, kernel = (records["inner"], inner_fields_named_b) if nested else (records, fields_named_b)
    part["a"], part["b"] = 1, 10
    named, out, bound = records.dtype["inner"] if nested else records.dtype, np.zeros(4, np.float32), kernel[1, 4]
    for _ in range(3):
        bound(records, out)
        assert (out == 10).all()
    named.names = "b", "a"
    for launch in (bound, kernel[1, (4, 1)]):
        launch(records, out)
        assert (out == 1).all()
    named.names = "p", "q"
    with pytest.raises(device.CompileError, match="no attribute 'b'"):
        bound(records, out)
    named.names = "a", "b"
    bound(records, out)
    assert (out == 10).all()
