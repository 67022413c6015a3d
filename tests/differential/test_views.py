"""Views of arrays: NumPy = IR interpreter = host target, for random arrays, index expressions and stores."""

import numpy as np
import pytest

hypothesis = pytest.importorskip("hypothesis", reason="Hypothesis is not installed for this Python")
from hypothesis import given, strategies as st

from hetjit import _core, device

import tools
from views import by_each, compiled, numbers, on_both, refused

pytestmark = pytest.mark.row("HET-ARR-3", "HET-ARR-4", "HET-ARR-5")

settings = hypothesis.settings(deadline=None, max_examples=60, derandomize=True, database=None)
TYPES = [np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float16, np.float32,
         np.float64, np.complex64, np.complex128]


@st.composite
def arrays(draw, most=4):
    """Any order of axes, steps, directions, repeats; axes of 0 and 1 elements."""
    rank = draw(st.integers(0, most))
    steps = [draw(st.sampled_from([1, 1, 1, 2, -1, -3])) for _ in range(rank)]
    shape = [draw(st.sampled_from([0, 1, 2, 3, 5, 7])) for _ in range(rank)]
    base = numbers([n * abs(s) for n, s in zip(shape, steps)], draw(st.sampled_from(TYPES)))
    array = base[(..., *(slice(None, None, s) for s in steps))]
    array = array.transpose(draw(st.permutations(range(rank))))
    if rank and draw(st.integers(0, 9)) == 0:
        array = np.lib.stride_tricks.as_strided(array, strides=(0,) + array.strides[1:])
    return array


class Text:
    """Draws index expressions; numbers are written as constants or passed as p, q, r."""

    def __init__(self, draw):
        self.draw, self.passed = draw, []

    def number(self, value):
        if len(self.passed) < 3 and self.draw(st.booleans()):
            self.passed.append(value)
            return "pqr"[len(self.passed) - 1]
        return str(value)

    def bound(self):
        value = self.draw(st.sampled_from([None, 0, 1, 2, 3, 5, 9, 100, -1, -2, -4, -100, 2147483647, -2147483648]))
        return "" if value is None else self.number(value)

    def item(self, extent):
        kind = self.draw(st.integers(0, 4))
        if kind == 0 and extent > 0:
            return self.number(self.draw(st.integers(-extent, extent - 1)))
        if kind == 1:
            return ":"
        text = f"{self.bound()}:{self.bound()}"
        step = self.draw(st.sampled_from([None, None, 1, 2, 3, -1, -2, 1000, -2147483648]))
        return text if step is None else f"{text}:{self.number(step)}"

    def index(self, shape):
        used = self.draw(st.integers(0, len(shape)))
        dots = self.draw(st.booleans())
        before = self.draw(st.integers(0, used)) if dots else used
        items = [self.item(n) for n in shape[:before]] + ["..."] * dots
        items += [self.item(n) for n in shape[len(shape) - (used - before):]]
        for _ in range(self.draw(st.sampled_from([0, 0, 0, 1, 2]))):
            items.insert(self.draw(st.integers(0, len(items))), "None")
        return ", ".join(items) + ("," if len(items) == 1 and self.draw(st.booleans()) else "") or "()"

    def values(self):
        return self.passed + [0] * (3 - len(self.passed))


def evaluated(text, **names):
    return eval(text, {}, names)


def same(got, want):
    assert got.dtype == want.dtype and got.shape == want.shape and got.tobytes() == want.tobytes(), f"{got} is not {want}"


@settings
@given(st.data())
def test_views_hold_what_numpys_do(data):
    x, text = data.draw(arrays()), Text(data.draw)
    index = text.index(x.shape)
    p, q, r = text.values()
    hypothesis.note(f"x{list(x.shape)}[{index}] with p, q, r = {p, q, r}, strides {x.strides}")
    want = evaluated(f"x[{index}]", x=x, p=p, q=q, r=r)
    want = np.asarray(want)
    out, about = np.zeros(want.shape, x.dtype), np.zeros(20, np.int64)
    lines = [f"v = x[{index}]", "out[...] = v"]
    if isinstance(evaluated(f"x[{index}]", x=x, p=p, q=q, r=r), np.ndarray):
        lines += [f"about[{axis}] = v.shape[{axis}]" for axis in range(want.ndim)]
        lines += [f"about[{10 + axis}] = v.strides[{axis}]" for axis in range(want.ndim)]
        lines += ["about[8] = v.size", "about[9] = v.ndim"]
    kernel = compiled(lines, "x, out, about, p, q, r")
    for _, got, told, *_ in on_both(kernel, x, out, about, p, q, r):
        same(got, want.copy())
        if len(lines) > 2:
            assert told[8] == want.size and told[9] == want.ndim and tuple(told[:want.ndim]) == want.shape
            for axis in range(want.ndim):
                if want.size and want.shape[axis] > 1:
                    assert told[10 + axis] * x.itemsize == want.strides[axis]


def values_for(draw, target, assigned):
    """None for a scalar, or an array that NumPy broadcasts to the target."""
    dtype = target.dtype
    if draw(st.integers(0, 3)) == 0:
        return None
    shape = [1 if draw(st.integers(0, 4)) == 0 else n for n in target.shape]
    shape = shape[draw(st.integers(0, len(shape))):]
    if assigned and dtype.kind in "iuf" and draw(st.booleans()):
        dtype = np.dtype(np.int16)
    values = numbers(shape, dtype)
    return values[tuple(slice(None, None, draw(st.sampled_from([1, -1]))) for _ in shape)]


@settings
@given(st.data())
def test_stores_are_numpys(data):
    x, text = data.draw(arrays(3).filter(lambda a: 0 not in a.strides)), Text(data.draw)
    index = text.index(x.shape)
    p, q, r = text.values()
    operator = data.draw(st.sampled_from(["=", "=", "+=", "*="] if x.dtype.kind in "iuf" else ["="]))
    target = evaluated(f"x[{index}]", x=x, p=p, q=q, r=r)
    values = values_for(data.draw, target, operator == "=") if isinstance(target, np.ndarray) else None
    hypothesis.assume(values is not None or x.dtype.kind != "c")
    statement = f"x[{index}] {operator} " + ("x.dtype(3)" if values is None else "out")
    hypothesis.note(f"{statement} on {list(x.shape)} with p, q, r = {p, q, r}, strides {x.strides}")
    want = tools.fresh(x)
    other = np.zeros((), x.dtype) if values is None else values
    with np.errstate(all="ignore"):
        exec(statement.replace("x.dtype(3)", "x.dtype.type(3)"), {}, dict(x=want, out=other, p=p, q=q, r=r))
    for got, *_ in on_both(compiled([statement]), x, other, p, q, r):
        same(got.copy(), want.copy())


def fits(target, source):
    """NumPy's rule: leading axes may be missing, an axis of one element is repeated."""
    there = target.shape[target.ndim - source.ndim:]
    return all(n in (1, wanted) for n, wanted in zip(source.shape, there))


@settings
@given(st.data())
def test_bounds_checks_find_views_of_other_shapes_and_nothing_else(data):
    x, text = data.draw(arrays(3).filter(lambda a: 0 not in a.strides)), Text(data.draw)
    target = data.draw(arrays(3).filter(lambda a: a.ndim >= 1 and 0 not in a.strides))
    target = np.zeros(target.shape, x.dtype)[tuple(slice(None, None, data.draw(st.sampled_from([1, -1, 2]))) for _ in target.shape)]
    index = ", ".join(text.item(0) if data.draw(st.booleans()) else ":" for _ in x.shape) or "..."
    p, q, r = text.values()
    source = np.asarray(evaluated(f"x[{index}]", x=x, p=p, q=q, r=r))
    if data.draw(st.booleans()):  # mostly one that fits
        shape = [data.draw(st.sampled_from([n, n, n, 1, n + 1, 0])) for n in source.shape]
        target = np.zeros([2] * data.draw(st.integers(0, 1)) + shape, x.dtype)
    hypothesis.assume(0 < source.ndim <= target.ndim)
    operator = data.draw(st.sampled_from(["=", "+="] if x.dtype.kind in "iuf" else ["="]))
    named = data.draw(st.sampled_from([[f"out[...] {operator} x[{index}]"], [f"v = x[{index}]", f"out[...] {operator} v"],
                                       [f"v = x[{index}]", "t = out[:]", f"t[...] {operator} v"]]))
    hypothesis.note(f"{named} on {x.shape} to {target.shape} with p, q, r = {p, q, r}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HETJIT_CHECK", "bounds")
        if not fits(target, source):
            for run in by_each(compiled(named, "x, out, p, q, r"), x, target, p, q, r):
                with pytest.raises(device.BoundsError, match="shapes differ"):
                    run()
            return
        want = target.copy()
        want[...] = source
        for _, got, *_ in on_both(compiled(named, "x, out, p, q, r"), x, target, p, q, r):
            same(got.copy(), want)


def test_every_slice_of_a_short_axis():
    bounds = [None, 0, 1, 2, 3, 4, 5, -1, -2, -3, -4, -5]
    kernel = compiled(["v = x[p:q:r]", "about[0] = v.shape[0]", "for i in range(len(v)):", "    about[1 + i] = v[i]"],
                      "x, about, p, q, r")
    checked = device.kernel(kernel)
    for n in (0, 1, 3, 4):
        x = np.arange(n, dtype=np.int64) + 10
        for start in bounds[1:]:
            for stop in bounds[1:]:
                for step in (-3, -2, -1, 1, 2, 3):
                    about = np.zeros(6, np.int64)
                    checked[1, 1](x, about, start, stop, step)
                    want = x[start:stop:step]
                    assert about[0] == len(want) and about[1:1 + len(want)].tolist() == want.tolist()


@pytest.mark.parametrize("start", ["", "1", "-2", "p"])
@pytest.mark.parametrize("stop", ["", "3", "-1", "q"])
def test_constant_and_run_time_bounds(start, stop):
    x, p, q = numbers((5, 2), np.float32), 1, -1
    for step in ("", ":1", ":2", ":-1", ":-2", ":r"):
        text = f"x[{start}:{stop}{step}]"
        want = evaluated(text, x=x, p=p, q=q, r=-2)
        for _, got, *_ in on_both(compiled([f"out[...] = {text}"]), x, np.zeros(want.shape, np.float32), p, q, -2):
            same(got, want.copy())


def test_a_run_time_step_of_0_picks_nothing():
    kernel = compiled(["out[0] = x[::p].shape[0]", "out[1] = x[1:3:p].shape[0]"], "x, out, p")
    for _, out, _ in on_both(kernel, np.ones(5), np.ones(2, np.int64), 0):
        assert out.tolist() == [0, 0]
    assert "the step of a slice cannot be 0" in refused(compiled(["out[0] = x[::0].shape[0]"], "x, out"), np.ones(5),
                                                         np.ones(2, np.int64))


def test_the_least_step_of_64_bits():
    def kernel(x, out, p):
        v = x[::device.int64(p) << 32]
        out[0] = v.shape[0]
        out[1] = v[0]

    for _, out, _ in on_both(kernel, np.arange(5, dtype=np.int64), np.zeros(2, np.int64), -2147483648):
        assert out.tolist() == [1, 4]


def test_bounds_and_steps_that_only_uint64_holds():
    def kernel(x, out, p: device.uint64):
        out[0] = x[:p].shape[0]
        out[1] = x[p:].shape[0]
        out[2] = x[::p].shape[0]
        out[3] = x[1:device.uint64(2**63 + 5)].shape[0]
        out[4] = x[::device.uint64(2**63 + 5)].shape[0]

    for _, out, _ in on_both(kernel, np.zeros(5), np.zeros(5, np.int64), np.uint64(2**63 + 1)):
        assert out.tolist() == [5, 0, 1, 4, 1]


# ---- views as values


def total(v):
    s = v.dtype(0)
    for j in range(v.shape[0]):
        s += v[j]
    return s


def test_views_are_passed_to_functions_and_joined_on_paths():
    def kernel(x, out, n):
        v = x[0]
        if n > 0:
            v = x[:, 1]
        out[0] = total(v)
        for i in range(x.shape[0]):
            v = x[i]
            if i == 1:
                v = x[i, ::-1]
            out[1 + i] = v[0] + total(v[1:])
        w = x[1] if n > 1 else out[:2]
        out[5] = w[0]

    x = numbers((3, 4), np.float32)
    for n in (0, 1, 2):
        for _, out, _ in on_both(kernel, x, np.zeros(6, np.float32), n):
            assert out[:4].tolist() == [x[:, 1].sum() if n else x[0].sum()] + x.sum(1).tolist()
            assert out[5] == (x[1, 0] if n > 1 else out[0])


def test_in_tuples_and_closures():
    def kernel(x, out):
        rows = (x[0], x[1])
        a, b = rows
        def at(i):
            return a[i] * b[i]
        for i in range(len(a)):
            out[i] = at(i) + rows[1][i]

    x = numbers((2, 4), np.int32)
    for _, out in on_both(kernel, x, np.zeros(4, np.int32)):
        assert out.tolist() == (x[0] * x[1] + x[1]).tolist()


def test_iteration_over_the_first_axis():
    def kernel(x, out):
        s = 0
        for plane in x:
            for row in plane:
                for value in row:
                    s = s * 3 + value
        out[0] = s
        for row in x[0]:
            row[:] = 7
        for row in x[0, ::-1, ::2]:
            row += 1

    x = numbers((2, 3, 4), np.int32)
    for order in (x, x[::-1], x.T, x[:, ::2, ::-1], x[:0]):
        want = np.int32(0)
        with np.errstate(over="ignore"):
            for value in order.ravel():
                want = want * np.int32(3) + value
        if len(order) == 0:
            continue
        for got, out in on_both(kernel, order, np.zeros(1, np.int32)):
            assert out[0] == want
            assert (got[0, :, ::2] == 8).all() and (got[0, :, 1::2] == 7).all()


@pytest.mark.row("HET-FIX-2")
def test_arrays_of_no_dimensions():
    def kernel(x, out, m):
        out[0] = x[()]
        x[()] = 7
        out[1] = x[...][()]
        out[2] = x.size + x.ndim
        x[...] = x[()] + 1
        out[3] = x.reshape(1)[0]
        out[4] = x[None, None][0, 0]
        m[1, 1, ...] = 4
        x[...] += 1

    for x, out, m in on_both(kernel, np.array(5, np.int32), np.zeros(5, np.int32), np.zeros((2, 2), np.int8)):
        assert out.tolist() == [5, 7, 1, 8, 8] and x[()] == 9 and m.tolist() == [[0, 0], [0, 4]]
    assert "takes 0 indices, but 1 is given" in refused(compiled(["out[0] = x[0]"], "x, out"), np.ones(()), np.ones(1))


def test_eight_dimensions():
    x = numbers((2, 1, 2, 3, 1, 2, 1, 2), np.int16)
    index = "..., ::-1, 0, :"
    kernel = compiled([f"out[...] = x[{index}]", "x[1:, 0, :, ::2, 0, ::-1] = 5"], "x, out")
    want = tools.fresh(x)
    want[1:, 0, :, ::2, 0, ::-1] = 5
    for got, out in on_both(kernel, x, np.zeros(x[..., ::-1, 0, :].shape, np.int16)):
        same(out, x[..., ::-1, 0, :].copy())
        same(got, want)
    assert "at most 8 dimensions, not 9" in refused(compiled(["out[0] = x[None].size"], "x, out"), x, np.ones(1))


def test_copies_go_in_order():
    """Unlike NumPy's, which copy as if by way of a third array: docs/language.md."""
    for x, in on_both(compiled(["x[1:] = x[:-1]"], "x"), np.arange(5, dtype=np.int32)):
        assert x.tolist() == [0, 0, 0, 0, 0]


def test_read_only_arrays_have_read_only_views():
    x = np.ones((2, 2), np.float32)
    x.flags.writeable = False
    for line in ("x[0][1] = 2", "x[0, :] = 2", "x[...] += 1", "x.T[0, 0] = 1", "x.reshape(4)[0] = 1", "x.view(np.int32)[0, 0] = 1"):
        with pytest.raises((device.CompileError, BufferError), match="read-only"):
            device.kernel(compiled([line], "x"))[1, 1](x)
    for _, out in on_both(compiled(["out[...] = x[0]"], "x, out"), x, np.zeros(2, np.float32)):
        assert out.tolist() == [1, 1]


def test_arrays_at_the_edges_of_32_bit_indices():
    """Strides so far apart that a distance of two elements needs more than 31 bits."""
    few = np.zeros(64, np.int8)
    x = np.lib.stride_tricks.as_strided(few[32:], (2, 2), (0, 0))
    wide = np.lib.stride_tricks.as_strided(few[32:], (1, 2, 1), (2 ** 40, -3, -2 ** 50))
    kernel = compiled(["v = x[::-1, ::-1]", "out[0] = v.shape[0] * 10 + v.shape[1]", "v[0, 0] = 3"], "x, out")
    for _, out in on_both(compiled(["v = x[0, ::-1]", "out[0] = v[0, 0] + v.shape[0]", "v[1, 0] = 3"], "x, out"), wide,
                          np.zeros(1, np.int64)):
        assert out[0] == 2
    device.kernel(kernel)[1, 1](x, np.zeros(1, np.int64))
    assert few[32] == 3


@pytest.mark.parametrize("target", ["cuda:sm_90", "hip:gfx942"])
def test_views_compile_for_gpus(target):
    def kernel(x, out, n):
        i = device.tid(1)
        row = x[i % x.shape[0], 1:n:2]
        s = row.dtype(0)
        for value in row[::-1]:
            s += value
        out[i:i + 1] = s
        out[None, i::n] *= row[0]

    code = _core.compile(_core.capture(kernel), "(float32[:, ::1], float32[:], int)", target)["code"]
    ptxas = tools.find_ptxas()
    if target.startswith("cuda") and ptxas:
        tools.assemble(code, "sm_90")
    assert code


def test_shapes_are_drawn_wide():
    """The drawing of arrays above reaches what it is meant to."""
    seen = set()

    @hypothesis.settings(settings, max_examples=200)
    @given(arrays())
    def look(x):
        seen.update({f"rank {x.ndim}", "empty" if x.size == 0 else "filled"})
        seen.update("negative" if s < 0 else "zero" if s == 0 else "positive" for s in x.strides)

    look()
    assert seen >= {"rank 0", "rank 4", "empty", "filled", "negative", "zero", "positive"}
