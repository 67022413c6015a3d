"""Threads side by side in views: NumPy = IR interpreter = host target, whichever axis lies along memory, and whoever knows it."""

import numpy as np
import pytest

hypothesis = pytest.importorskip("hypothesis", reason="Hypothesis is not installed for this Python")
from hypothesis import given, strategies as st

from hetjit import _core, device

import tools
from views import compiled, numbers

pytestmark = pytest.mark.row("HET-ARR-3", "HET-ARR-4", "HET-ARR-5")

settings = hypothesis.settings(deadline=None, max_examples=60, derandomize=True, database=None)
TYPES = [np.bool_, np.int8, np.uint16, np.float16, np.float32, np.int64, np.complex64, np.complex128]
GRID, BLOCK = (3, 2), (16, 16)  # more threads than any axis has elements, and no whole warps


def run_by_both(kernel, *arguments):
    """The arguments after the interpreter's threads, and after the host's."""
    launches = [lambda a: _core.interpret(_core.capture(kernel), a, GRID, BLOCK), lambda a: device.kernel(kernel)[GRID, BLOCK](*a)]
    for launch in launches:
        copies = tuple(map(kept_order, arguments))
        launch(copies)
        yield copies


def kept_order(value):
    """A copy that lies as the array does: strides are what is tested."""
    if not isinstance(value, np.ndarray):
        return value
    low = sum(min(0, s * (n - 1)) for s, n in zip(value.strides, value.shape)) if value.size else 0
    high = sum(max(0, s * (n - 1)) for s, n in zip(value.strides, value.shape)) + value.itemsize if value.size else 1
    memory = np.zeros(high - low, np.uint8)
    copy = np.ndarray(value.shape, value.dtype, memory, -low, value.strides)
    copy[...] = value
    return copy


LAYOUTS = {"C": lambda a: a, "F": np.asfortranarray, "inner": lambda a: np.pad(a, 1)[1:-1, 1:-1], "turned": lambda a: np.pad(a, 1).T[1:-1, 1:-1].T,
           "steps": lambda a: np.repeat(np.repeat(a, 2, 0), 3, 1)[::2, ::3], "back": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
           "rows": lambda a: np.repeat(a, 2, 0)[::2]}


@st.composite
def bounds(draw, extent):
    """A slice of an axis: mostly of step 1, with bounds of either sign, and none that leaves everything or nothing for sure."""
    start = draw(st.sampled_from(["", "", "0", "1", "2", "-1", "-3", "p"]))
    stop = draw(st.sampled_from(["", "", "-1", "-2", str(extent), str(extent + 9), "q"]))
    step = draw(st.sampled_from(["", "", "", ":1", ":1", ":2", ":-1", ":3", ":r"]))
    return f"{start}:{stop}{step}"


@st.composite
def view_of(draw, name, shape):
    """The text of a view of two axes: slices, axes that are turned, a view of it again."""
    text = f"{name}[{draw(bounds(shape[0]))}, {draw(bounds(shape[1]))}]"
    for _ in range(draw(st.integers(0, 2))):
        text += draw(st.sampled_from(["", "[...]", "[1:]", "[:, 1:]", "[:, :-1]", ".T", "[::2]", "[:, ::-1]", "[None, ..., 0]", "[:, None][:, 0]"]))
    return text


def laid_out(draw, shape, dtype):
    return LAYOUTS[draw(st.sampled_from(sorted(LAYOUTS)))](numbers(shape, dtype))


@settings
@given(st.data())
def test_threads_read_and_write_views(data):
    draw = data.draw
    shape = tuple(draw(st.sampled_from([0, 1, 2, 5, 16, 17, 23, 33])) for _ in range(2))
    dtype = draw(st.sampled_from(TYPES))
    a = laid_out(draw, shape, dtype)
    passed = dict(p=draw(st.integers(-3, 3)), q=draw(st.integers(-4, 40)), r=draw(st.sampled_from([1, 1, 2, -1])))
    text = draw(view_of("a", shape))
    want = eval(text, {}, dict(a=a, **passed))
    out = laid_out(draw, tuple(n + 2 for n in want.shape), dtype)
    out[...] = 0
    first, second = draw(st.sampled_from([("i", "j"), ("j", "i")]))
    index = draw(st.sampled_from(["i, j", "i - v.shape[0], j", "i, j - v.shape[1]", "i, max(j, 0)", "i, v.shape[1] - 1 - j"]))
    to = draw(st.sampled_from(["o = out[1:-1, 1:-1]", "o = out[1:, 1:][:-1, :-1]", "o = out.T[1:-1, 1:-1].T"]))
    lines = [f"{first}, {second} = device.tid(2)", f"v = {text}", to, "if i < v.shape[0] and j < v.shape[1]:", f"    o[i, j] = v[{index}]"]
    hypothesis.note(f"{lines} on {shape}, {dtype.__name__}, strides {a.strides} to {out.strides} with {passed}")
    expected = out.copy()
    expected[1:-1, 1:-1] = want[:, ::-1] if "- 1 - j" in index else want
    for _, got, *_ in run_by_both(compiled(lines, "a, out, p, q, r"), a, out, *passed.values()):
        assert got.tobytes() == expected.tobytes(), f"{got} is not {expected}"


@settings
@given(st.data())
def test_a_branch_selects_a_view(data):
    """One of both lies along memory, or both, or each along another axis; from branches, loops and functions."""
    draw = data.draw
    shape = tuple(draw(st.sampled_from([1, 2, 16, 21])) for _ in range(2))
    a, b = (laid_out(draw, shape, np.float32) for _ in range(2))
    b[...] += 1000
    one = draw(st.sampled_from(["a", "a[:, :]", "a[::1]", "a[:, ::-1]", "a[::-1, ::-1]"]))
    other = draw(st.sampled_from(["b", "b[:, :]", "b[:, ::-1]", "b[::-1]"]))
    way = draw(st.sampled_from([["v = one if p else two"], ["v = one", "if p == 0:", "    v = two"], ["v = chosen(one, two, p)"],
                                ["v = one", "for k in range(p, 1):", "    v = two"]]))
    lines = ["def chosen(x, y, c):", "    if c:", "        return x", "    return y", "i, j = device.tid(2)", f"one = {one}", f"two = {other}",
             *way, "if i < v.shape[0] and j < v.shape[1]:", "    out[i, j] = v[i, j]"]
    hypothesis.note(f"{lines} on {shape}, strides {a.strides}, {b.strides}")
    for p in (0, 1):
        want = eval(one if p else other, {}, dict(a=a, b=b))
        for *_, got, _ in run_by_both(compiled(lines, "a, b, out, p"), a, b, np.zeros(shape, np.float32), p):
            assert got.tobytes() == np.ascontiguousarray(want).tobytes()


def row(v, i):
    return v[i, 1:-1]


def at(v, i, j):
    return v[i, j]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("other", LAYOUTS)
def test_orders_of_what_is_passed(layout, other):
    """Each order of the array read with each of the one written: in rows of the grid and of blocks, and by functions."""
    def grid(a, out):
        i, j = device.tid(2)
        if i < a.shape[0] and j < a.shape[1]:
            out[i, j] = at(a, i, j) + at(out, i, j)

    def blocks(a, out):
        i = device.block_idx.x * device.block_dim.x + device.thread_idx.x
        j = device.block_idx.y * device.block_dim.y + device.thread_idx.y
        if i < a.shape[0] and 0 < j < a.shape[1] - 1 and device.block_idx.x < 9:
            out[i, j] = row(a, i)[j - 1] + out[i, j]

    a, out = LAYOUTS[layout](numbers((19, 18), np.float32)), LAYOUTS[other](numbers((19, 18), np.float32) * 3)
    for _, got in run_by_both(grid, a, out):
        assert (got == a + out).all()
    inner = out.copy()
    inner[:, 1:-1] += a[:, 1:-1]
    for _, got in run_by_both(blocks, a, out):
        assert (got == inner).all()


def test_broadcasts_and_axes_of_one_element():
    """NumPy gives an axis of one element any stride, and a repeated one 0."""
    def kernel(a, out):
        i, j = device.tid(2)
        v = a[:, :]
        if i < v.shape[0] and j < v.shape[1]:
            out[i, j] = v[i, j] + v[None, i][0, j]

    tricks = np.lib.stride_tricks.as_strided
    x = numbers((40,), np.float32)
    for a in (np.broadcast_to(x[:20], (5, 20)), np.broadcast_to(x[:20, None], (20, 5)), np.broadcast_to(x[:1], (5, 5)), tricks(x, (1, 20), (4096, 4)),
              tricks(x, (20, 1), (4, 4096)), tricks(x, (1, 20), (4, 4)), tricks(x, (20, 1), (4, 4)), tricks(x, (1, 10), (4, 8)),
              tricks(x, (10, 1), (8, 4)), tricks(x, (8, 8), (4, 4)), tricks(x, (1, 1), (999, -999)), tricks(x, (0, 5), (4, 4))):
        want = np.ascontiguousarray(a) * 2
        for order in (np.ascontiguousarray, np.asfortranarray):
            out = order(np.zeros(a.shape, np.float32))
            copies = [out.copy("A"), out.copy("A")]
            _core.interpret(_core.capture(kernel), (a.copy("A"), copies[0]), GRID, BLOCK)
            a.flags.writeable = False
            device.kernel(kernel)[GRID, BLOCK](a, copies[1])
            assert all((got == want).all() for got in copies), a.strides


def test_views_of_structs():
    point = np.dtype([("x", np.float32), ("y", np.float32), ("n", np.int32)])

    def kernel(a, xs, rest):
        i, j = device.tid(2)
        v = a[1:, 1:-1]
        x, n = v["x"], v[:, :]["n"]
        if i < x.shape[0] and j < x.shape[1]:
            xs[i, j] = x[i, j] + v[i, j]["y"]
            rest[1:, :-1][i, j] = n[:, ::-1][i, j]

    a = np.zeros((6, 20), point)
    a["x"], a["y"], a["n"] = numbers((6, 20), np.float32), 1000, numbers((6, 20), np.int32)
    for layout in ("C", "F", "steps"):
        given = {"C": a, "F": np.asfortranarray(a), "steps": np.repeat(a, 2, 1)[:, ::2]}[layout]
        copies = np.zeros((5, 18), np.float32), np.zeros((6, 19), np.int32, order="F")
        for _, xs, rest in run_by_both(kernel, given, *copies):
            assert (xs == a["x"][1:, 1:-1] + 1000).all() and (rest[1:, :-1] == a["n"][1:, 1:-1][:, ::-1]).all()
            assert not rest[0].any() and not rest[:, -1].any()


def test_loops_along_rows_and_columns():
    """Each thread walks along a row or a column of a view: some turns are read at once, or threads run one by one."""
    def kernel(a, rows, columns):
        i = device.tid(1)
        v = a[1:-1, 1:-1]
        if i < v.shape[0]:
            s = a.dtype(0)
            for k in range(v.shape[1]):
                s += v[i, k]
            rows[i] = s
        if i < v.shape[1]:
            s = a.dtype(0)
            for k in range(v.shape[0]):
                s += v[k, i]
            columns[i] = s

    a = numbers((41, 37), np.int32)
    for layout in LAYOUTS.values():
        given = layout(a)
        want = a[1:-1, 1:-1]
        results = [(np.zeros(39, np.int32), np.zeros(35, np.int32)) for _ in range(2)]
        _core.interpret(_core.capture(kernel), (given, *results[0]), 2, 32)
        device.kernel(kernel)[2, 32](given, *results[1])
        for rows, columns in results:
            assert (rows == want.sum(1)).all() and (columns == want.sum(0)).all()
