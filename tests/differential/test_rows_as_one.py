"""Rows of the grid that are one piece of code, as they load the same in a loop: drawn kernels over two places and a loop, by the interpreter and
on the host, the same bits. With questions for places in every order and none, more rows than arrays have and fewer, loops in loops, ways that differ
from row to row (such kernels go row by row), every kind of number, and vectors of any width."""

import random

import numpy as np
import pytest

from hetjit import _core, device
import tools

PLACES = ("i, j = device.tid(2)", "j, i = device.tid(2)", "j, i, z = device.tid(3)",
          "i = device.block_idx.y * device.block_dim.y + device.thread_idx.y\n    j = device.block_idx.x * device.block_dim.x + device.thread_idx.x")
QUESTIONS = ("if i < c.shape[0] and j < c.shape[1]:", "if j < c.shape[1] and i < c.shape[0]:", "if i < len(c):\n      if j < c.shape[1]:",
             "if i >= c.shape[0] or j >= c.shape[1]:\n        return\n    if True:", "if j >= c.shape[1]:\n        return\n    if i < c.shape[0]:",
             "if i >= c.shape[0]:\n        return\n    if j < c.shape[1] and n > 0:", "if not (i < c.shape[0] and j < c.shape[1]):\n        return\n    if n > 1:",
             "if i < c.shape[0] and j < c.shape[1] and w[j] != 3:", "if i < c.shape[0] and j < c.shape[1] and i + j != 9:", "if i < c.shape[0] and u[i] > 1 and j < c.shape[1]:")
LOOPS = ("for k in range(a.shape[1]):", "for k in range(n):", "for k in range(a.shape[1] - 1, -1, -1):", "for k in range(0, n, 2):", "for k in range(i % 3, n):", "for k in range(j % 3, n):")
TURNS = ("s += a[i, k] * b[k, j]", "s += b[k, j]", "t += a[i, k] - b[k, j]", "d = a[i, k] - b[k, j]\n            s += d * d", "if v[k] > 2:\n                s -= b[k, j]",
         "if v[k] == 1:\n                continue", "for q in range(3):\n                t += b[q, j] * v[q]", "s += u[i]", "t = t + w[j] * a[i, k]", "if k > 5:\n                break",
         "if a[i, k] == 2:\n                t += b[k, j]", "s, t = t, s + b[k, j]", "c[i, j] = s", "t += v[k]", "s += b[k, i % b.shape[1]] * w[j]", "t += c[i, j]",
         "if i % 2 == 0:\n                s += b[k, j]", "s += b[k, j] if a[i, k] == b[k, j] else v[k]")
ENDS = ("c[i, j] = s + t", "c[i, j] = s\n        c[i, j] += t", "c[i, j] = s if i == j else t", "if i == 1:\n            c[i, j] = s\n        else:\n            c[i, j] = t + 1")
NUMBERS = ("float32", "float64", "int32", "int8", "complex64", "float16", "uint32", "int64")


def drawn(seed):
    """(source, arguments, grid, block)"""
    draw = random.Random(seed)
    turns = [draw.choice(TURNS[:4]), *draw.sample(TURNS, draw.choice((0, 0, 1, 2, 3)))]
    dtype = draw.choice(NUMBERS)
    question = draw.choice(QUESTIONS[:7] if draw.random() < 0.7 or dtype == "complex64" else QUESTIONS)
    loop = draw.choice(LOOPS[:4] if draw.random() < 0.8 else LOOPS)
    if "break" in "".join(turns) or dtype == "complex64":
        turns = [turn for turn in turns if ">" not in turn or "k > 5" in turn]
    source = f"def kernel(a, b, c, u, v, w, n):\n    {draw.choice(PLACES)}\n    {question}\n        s = t = c[i, j] * 0\n        {loop}\n" + \
        "".join(f"            {turn}\n" for turn in turns) + f"        {draw.choice(ENDS[:3] if draw.random() < 0.8 else ENDS)}\n"
    rows, columns, depth = draw.choice((1, 3, 8, 16, 19, 33)), draw.choice((1, 5, 16, 32, 40, 67)), draw.choice((3, 4, 7, 12))
    numbers = np.random.default_rng(seed)
    arrays = [numbers.integers(0, 4, shape).astype(dtype) for shape in ((rows, depth), (depth, columns), (rows, columns), rows, depth, columns)]
    block = draw.choice(((16, 4), (8, 8), (32, 1), (5, 3), (1, 16), (4, 4, 1)))
    across, down = (rows, columns) if source.count("i, j = device.tid(2)") else (columns, rows)
    more = draw.choice((0, 0, 1))
    grid = (-(-across // block[0]) + more, -(-down // block[1]) + more)
    return source, (*arrays, depth), grid, block


@pytest.mark.parametrize("lanes", [None, 4])
@pytest.mark.parametrize("few", range(18))
def test_drawn_kernels(few, lanes, monkeypatch):
    if lanes:
        monkeypatch.setenv("HETJIT_LANES", str(lanes))
    for seed in range(12 * few, 12 * few + 12):
        source, arguments, grid, block = drawn(seed)
        scope = {"device": device}
        exec(source, scope)
        got, want = (tuple(map(tools.fresh, arguments)) for _ in range(2))
        _core.interpret(_core.capture(scope["kernel"]), want, grid, block, contract=False)
        device.kernel(contract=False)(scope["kernel"])[grid, block](*got)
        try:
            tools.assert_same_bits(got, want)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, grid {grid}, block {block}, {arguments[0].dtype}:\n{source}") from error


def test_they_are_one_piece_of_code():
    kernels = 0
    for seed in range(216):
        source, arguments, *_ = drawn(seed)
        scope = {"device": device}
        exec(source, scope)
        kernels += " of them as one" in device.kernel(scope["kernel"]).explain(*arguments)
    assert kernels > 60, kernels


def product(a, b, c):
    i, j = device.tid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total


@pytest.mark.parametrize("rows", [1, 2, 7, 8, 9, 15, 16, 17, 100])
@pytest.mark.parametrize("columns", [1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100])
def test_products_of_any_extents(rows, columns):
    numbers = np.random.default_rng(1)
    a, b = numbers.integers(-9, 9, (rows, 11)).astype(np.float32), numbers.integers(-9, 9, (11, columns)).astype(np.float32)
    around = np.full((rows + 2, columns + 2), -1, np.float32)
    device.kernel(product)[(-(-rows // 8) + 1, -(-columns // 16) + 2), (8, 16)](a, b, around[1:-1, 1:-1])
    want = np.pad(a @ b, 1, constant_values=-1)
    np.testing.assert_array_equal(around, want)
