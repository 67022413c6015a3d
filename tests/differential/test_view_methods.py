"""What views can do beside being indexed: attributes, other shapes and types, structs and their fields."""

import numpy as np
import pytest

from hetjit import _core, device

from views import compiled, numbers, on_both, refused


@pytest.mark.row("HET-ARR-6")
def test_attributes():
    def kernel(a, out):
        out[0], out[1] = a.shape
        out[2], out[3] = a.strides
        out[4] = a.size
        out[5] = a.ndim
        out[6] = a.ndims
        out[7] = a.itemsize
        out[8] = a.nbytes
        out[9] = len(a)
        out[10], out[11] = a.T.shape
        out[12], out[13] = a.T.strides
        out[14] = int(a.dtype(2.75) * 4)
        out[15] = int(a.mT[1, 0])

    for x in (numbers((3, 4), np.float64), numbers((6, 4), np.float32)[::2, ::-1], numbers((3, 4), np.int16).T):
        want = [*x.shape, *(s // x.itemsize for s in x.strides), x.size, 2, 2, x.itemsize, x.nbytes, len(x), *x.T.shape,
                *(s // x.itemsize for s in x.T.strides), int(x.dtype.type(2.75) * 4), int(x[0, 1])]
        for _, out in on_both(kernel, x, np.zeros(16, np.int64)):
            assert out.tolist() == want


@pytest.mark.row("HET-ARR-7")
def test_flags_are_refused():
    assert "arrays have no 'flags'" in refused(compiled(["out[0] = x.flags.c_contiguous"], "x, out"), np.ones(2), np.ones(2))


@pytest.mark.row("HET-ARR-9")
def test_an_array_without_elements_takes_any_shape():
    """Its extents may be far larger than its indices, so nothing follows from these."""
    def kernel(x, out, n):
        m = x.reshape(-1, n)
        thrice = m.shape[1] * 3
        out[0] = thrice
        out[1] = thrice // 7
        t = x.reshape(0, n)
        for _ in range(2):
            out[2] = t.shape[1] * 2 // 3
            t = m
        out[3] = m[1:].T.shape[0] % 1000

    for n in (5, 2 ** 30, 2 ** 31 - 1):
        for _, out, _ in on_both(kernel, np.zeros((0, 3), np.float32), np.zeros(4, np.int64), n):
            assert out.tolist() == [3 * n, 3 * n // 7, 2 * n // 3, n % 1000]


@pytest.mark.row("HET-ARR-9")
def test_reshape_does_not_copy():
    def kernel(x, out, n):
        m = x.reshape(2, 3)
        m[1, 2] = 50
        t = x.reshape((n, -1))
        out[0], out[1] = t.shape
        out[2] = t[n - 1, 0]
        out[3] = np.reshape(m, -1)[4]
        out[4] = x.reshape(1, -1, 1, 2)[0, 1, 0, 1]
        out[5] = m[1:].reshape(-1)[0]
        out[6] = m.ravel()[5]
        x.reshape(6)[0] = 9

    for got, out, _ in on_both(kernel, numbers(6, np.int32), np.zeros(7, np.int64), 3):
        assert out.tolist() == [3, 2, 5, 5, 4, 4, 50] and got.tolist() == [9, 2, 3, 4, 5, 50]
    for line in ("x.reshape(-1)[0]", "x.ravel()[0]", "np.reshape(x, (2, 3))[0, 0]"):
        assert "would copy" in refused(compiled([f"out[0] = {line}"], "x, out"), numbers(12, np.int32)[::2], np.zeros(1))
    assert "two of -1" in refused(compiled(["out[0] = x.reshape(-1, -1)[0, 0]"], "x, out"), np.ones(6), np.ones(1))
    assert "not float" in refused(compiled(["out[0] = x.reshape(2.0, 3)[0, 0]"], "x, out"), np.ones(6), np.ones(1))


@pytest.mark.row("HET-ARR-8")
def test_views_of_other_types():
    def kernel(x, out):
        bits = x.view(device.uint32)
        out[0] = bits[0, 1]
        halves = x.view(np.uint16)
        out[1], out[2] = halves.shape
        out[3] = halves[1, 3]
        pairs = x.view(device.int64)
        out[4], out[5] = pairs.shape
        out[6] = pairs[0, 0]
        bits[1, 1] = device.uint32(0x40490FDB)

    x = numbers((2, 2), np.float32)
    for got, out in on_both(kernel, x, np.zeros(7, np.int64)):
        pairs, halves = x.view(np.int64), x.view(np.uint16)
        assert out.tolist() == [x.view(np.uint32)[0, 1], *halves.shape, halves[1, 3], *pairs.shape, pairs[0, 0]]
        assert got[1, 1] == np.float32(np.pi)
    strided = compiled(["out[0] = x.view(device.int32)[1]"], "x, out")
    for _, out in on_both(strided, numbers(8, np.float32)[::-2], np.zeros(1, np.int64)):
        assert out[0] == np.float32(6).view(np.int32)
    resized = compiled(["out[0] = x.view(device.int64)[1]"], "x, out")
    assert "not known to be contiguous" in refused(resized, numbers(8, np.float32)[::2], np.zeros(1, np.int64))
    assert "keeps the size" in refused(compiled(["out[0] = x.view(np.int8)[()]"], "x, out"), np.ones((), np.int32), np.ones(1))


@pytest.mark.row("HET-ARR-10")
def test_astype_gives_the_same_array_or_an_error():
    def kernel(x, out):
        x.astype(device.float32, copy=False)[1] = 5
        out[0] = np.astype(x, x.dtype, copy=False)[0]

    for got, out in on_both(kernel, np.ones(2, np.float32), np.zeros(1, np.float32)):
        assert got.tolist() == [1, 5] and out[0] == 1
    for text, help in (("x.astype(device.float64, copy=False)", "device.float64(a[i])"),
                       ("x.astype(device.float32)", "astype(float32, copy=False)"),
                       ("x.astype(np.float32, copy=True)", "astype(float32, copy=False)")):
        message = refused(compiled([f"out[0] = {text}[0]"], "x, out"), np.ones(2, np.float32), np.ones(1))
        assert "'astype' of float32[::1] would copy" in message and help in message


ALIGNED = np.dtype([("a", "i4"), ("b", "f8"), ("c", "i2")], align=True)


def records(shape, dtype=ALIGNED):
    x = np.zeros(shape, dtype)
    for place, name in enumerate(dtype.names):
        x[name] = numbers(shape, dtype[name]) * (place + 1)
    return x


@pytest.mark.row("HET-ARR-12")
def test_views_of_structs():
    def kernel(x, y, out):
        y[...] = x[::-1, 1:]
        y[0, 0] = x[1, 2]
        for row in x:
            for element in row:
                out[0] += element.a
        v = x[1]
        out[1] = v[2].b
        out[2] = v[::-1][0]['c'] + x[0, 0]['a'] - x[0, 0].a

    x = records((3, 4))
    want = x[::-1, 1:].copy()
    want[0, 0] = x[1, 2]
    for _, y, out in on_both(kernel, x, np.zeros((3, 3), ALIGNED), np.zeros(3)):
        for name in ALIGNED.names:
            assert (y[name] == want[name]).all()
        assert out.tolist() == [x["a"].sum(), x[1, 2]["b"], x[1, 3]["c"]]


@pytest.mark.row("HET-ARR-12")
def test_fields_of_all_elements():
    def kernel(x, out):
        b = x["b"]
        out[0], out[1] = b.strides
        out[2] = b[1, 2]
        x["a"][0, 1] = 50
        x["c"] = 7
        x[::2]["b"] *= 2
        out[3] = x[0]["a"][1]

    x = records((3, 4))
    want = x.copy()
    want["a"][0, 1] = 50
    want["c"] = 7
    want[::2]["b"] *= 2
    for got, out in on_both(kernel, x, np.zeros(4)):
        assert out.tolist() == [12, 3, x[1, 2]["b"], 50]
        for name in ALIGNED.names:
            assert (got[name] == want[name]).all()
    assert "has no attribute 'd'" in refused(compiled(["out[0] = x['d'][1]"], "x, out"), x, np.zeros(1))
    assert "'e'" in refused(compiled(["out[0] = x['e'][1]"], "x, out"), np.ones(3), np.zeros(1))


FIELDS = {"some": [("a", "i4"), ("b", "f8"), ("c", "i4")], "bytes first": [("c", "i1"), ("b", "f8"), ("a", "i2"), ("d", "i1"), ("e", "f4")],
          "a vector": [("a", "i2"), ("b", "i4"), ("c", "f4", (2,)), ("d", "u2")]}


@pytest.mark.row("HET-ARR-12")
@pytest.mark.parametrize("fields", FIELDS.values(), ids=FIELDS)
@pytest.mark.parametrize("align", [False, True], ids=["packed", "aligned"])
@pytest.mark.parametrize("offset", [0, 1])
def test_fields_of_records_however_they_lie(fields, align, offset):
    """A field that lies a whole number of its sizes apart is an array, at whatever address; another is refused, and it is said why."""
    dtype = np.dtype(fields, align=align)

    def records():
        return np.zeros(12 * dtype.itemsize + offset, np.uint8)[offset:].view(dtype).reshape(3, 4)

    for name in [name for name, _, *axes in fields if not axes]:
        kernel = compiled([f"v = x['{name}']", "v[1, 2] = 5", "v[0] = 7", "v[2, ::3] += 3", "out[0] = v[1, 2] + v[0, 3] + v.strides[1]"], "x, out")
        apart, left = divmod(dtype.itemsize, dtype[name].itemsize)
        if left:
            message = refused(kernel, records(), np.zeros(1))
            assert f"the field '{name}' of {dtype[name].itemsize} bytes is in records of {dtype.itemsize}, and no whole number" in message
            continue
        want = records()
        want[name][1, 2], want[name][0] = 5, 7
        want[name][2, ::3] += 3
        for launch in (lambda *given: _core.interpret(_core.capture(kernel), given, 1, 1), device.kernel(kernel)[1, 1]):
            got, out = records(), np.zeros(1)
            launch(got, out)
            assert (got == want).all() and out[0] == 12 + apart


# ---- what is refused


@pytest.mark.parametrize("text, says", [
    ("x[1.5]", "an index is an integer, not float"),
    ("x[True]", "an index is an integer, not bool"),
    ("x[x]", "an index is an integer, not float64[:, ::1]"),
    ("x[(0, 1), 0]", "an index is an integer, not tuple[int, int]"),
    ("x[0, 0, 0]", "an array of 2 dimensions takes 2 indices, but 3 are given"),
    ("x[..., 0, ...]", "an index takes one '...', but 2 are given"),
    ("x[x:]", "the start, stop and step of a slice are integers, not float64[:, ::1]"),
    ("x[0, ::0]", "the step of a slice cannot be 0"),
    ("x[None, None, None, None, None, None, None]", "at most 8 dimensions, not 9"),
    ("x.reshape(1, 1, 1, 1, 1, 1, 1, 1, -1)", "at most 8 dimensions, not 9"),
    ("x.reshape(-2)", "'reshape' takes extents of which one may be -1, not -2"),
    ("x.reshape(None)", "'reshape' takes integers, or a tuple of them, not None"),
    ("x.transpose(0, 0)", "'transpose' takes each axis once, as constants"),
    ("x.transpose(0, 2)", "'transpose' takes each axis once, as constants"),
    ("x.view(3)", "'view' takes the type of an element, not int"),
    ("x.view()", "'view' takes 2 arguments, but 1 is given"),
    ("x.copy()", "arrays have no 'copy'"),
    ("x.sum()", "arrays have no 'sum'"),
    ("x.reshap(6)", "did you mean 'reshape'?"),
    ("x[0].mT", "it swaps the last two of two or more axes"),
    ("x + 1", "'+' does not work on whole arrays"),
    ("x[()] + 1", "'+' does not work on whole arrays"),
    ("np.reshape(3, 3)", "'reshape' takes (), the shape of a number, not int"),
    ("x if p else x[0]", "do not become one type"),
    ("x.reshape if p else x.ravel", "do not become one type"),
], ids=lambda text: text if "x" in text and len(text) < 30 else "")
def test_what_is_no_view(text, says):
    message = refused(compiled([f"v = {text}", "out[0] = v[0]"], "x, out, p"), np.ones((2, 3)), np.zeros(1), 1)
    assert says in message, message


@pytest.mark.parametrize("line, says", [
    ("x[0] = x", "cannot store float64[:, ::1] in float64[::1]: it has more dimensions"),
    ("x[0] = 1j", "cannot store complex in an array of float64"),
    ("x[0] += x", "cannot store float64[:, ::1] in float64[::1]: it has more dimensions"),
    ("n[0] = x[0]", "cannot store float64 in an array of int32"),
    ("n[0] += x[0]", "cannot store float64 in an array of int32"),
    ("n[...] /= 2", "cannot store float32 in an array of int32"),
    ("x[0] @= x[1]", "'@'"),
    ("x[0] = None", "cannot store None in an array of float64"),
    ("x.shape = (3, 2)", "cannot assign attribute 'shape'"),
])
def test_what_is_no_store(line, says):
    message = refused(compiled([line], "x, n"), np.ones((2, 3)), np.ones((2, 3), np.int32))
    assert says in message, message


def test_methods_are_values():
    def kernel(x, out):
        shaped = x.reshape
        for rows in (1, 2, 3):
            out[rows] = shaped(rows, -1)[0, 1]

    for _, out in on_both(kernel, numbers(6, np.int32), np.zeros(4, np.int64)):
        assert out.tolist() == [0, 2, 2, 2]


@pytest.mark.row("HET-ARR-4")
def test_more_elements_than_32_bits_count():
    """One number, repeated: the array's extents need 64 bits."""
    def kernel(x, out):
        out[0] = x[-3:].shape[0]
        out[1] = x[2147483648:].shape[0]
        out[2] = x[2147483650:-1][1]
        out[3] = x[::-2].shape[0]
        out[4] = x[::1000000000].shape[0]
        x[2147483650:] += 1

    many = np.lib.stride_tricks.as_strided(np.zeros(1, np.int8), (2**31 + 7,), (0,))
    for x, out in on_both(kernel, many, np.zeros(5, np.int64)):
        assert out.tolist() == [3, 7, 0, 2**30 + 4, 3] and x[0] == 5
