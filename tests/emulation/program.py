"""A program of the table: which kernel, on what, and what it must leave."""

from dataclasses import dataclass

import numpy as np

PROGRAMS = {}


@dataclass
class Program:
    name: str
    file: str
    makers: list
    expect: object
    out: np.ndarray
    count: int
    grid: object
    block: object
    shared: int
    compare: object

    def inputs(self):
        return [make() for make in self.makers]


def program(file, makers, out, count=None, size=None, grid=None, block=64, shared=0, compare=None, nonzero=False, start=None, table=PROGRAMS):
    """Enters the decorated function as the kernel of its name. `start`: what the output holds before."""
    def enter(expect):
        made = [make() for make in makers]
        n = made[0].size if count is None else count
        held = np.zeros(size or made[0].size, out) if start is None else start
        sources = [*makers[:-1], without_zeros(makers[-1])] if nonzero else makers
        name = expect.__name__
        assert name not in table
        table[name] = Program(name, file, sources, expect, held, n, grid or -(-n // block), block, shared,
                                 compare or same_bits)
        return expect
    return enter


def without_zeros(make):
    def made():
        values = make()
        return np.where((values == 0) | (values == -1 if values.dtype.kind == "i" else False), values.dtype.type(3), values)
    return made


def integers(dtype, seed):
    """256 of them: the edges, and random ones of every size."""
    def make():
        limits, rng = np.iinfo(dtype), np.random.default_rng(seed)
        edges = [0, 1, 2, 3, limits.max, limits.max - 1, limits.min, limits.min + 1, limits.max // 2 + 1]
        random = rng.integers(limits.min, limits.max, 256 - len(edges), dtype, endpoint=True)
        random >>= rng.integers(0, 8 * random.itemsize, random.size).astype(dtype)
        found = np.array(edges + random.tolist(), dtype)
        return found if seed % 2 == 0 else np.concatenate([found[:1], np.random.default_rng(9).permutation(found[1:])])
    return make


def floats(dtype, seed):
    def make():
        info, rng = np.finfo(dtype), np.random.default_rng(seed)
        one = np.array([0.0, 1.0, 0.5, 1.5, 2.5, 3.0, 127.5, 255.5, 1e-3, 3e4, 1 / 3], dtype)
        far = np.array([info.max, info.smallest_normal, info.smallest_subnormal, np.inf, np.nan], dtype)
        edges = np.concatenate([one, far, -one, -far])
        middle = rng.standard_normal(112).astype(dtype)
        wild = np.ldexp(rng.standard_normal(256 - 112 - edges.size), rng.integers(info.minexp - 4, info.maxexp - 1, 256 - 112 - edges.size))
        with np.errstate(all="ignore"):
            found = np.concatenate([edges, middle, wild.astype(dtype)])
        return found if seed % 2 == 0 else np.random.default_rng(9).permutation(found)
    return make


def same_bits(got, want):
    """One NaN."""
    if got.dtype.kind == "f" or got.dtype.itemsize == 2 and got.dtype.kind == "V":
        nan = np.isnan(got.astype(np.float64)) & np.isnan(want.astype(np.float64))
    else:
        nan = np.zeros(got.shape, bool)
    bits = f"u{got.dtype.itemsize}"
    differ = (got.view(bits) != want.view(bits)) & ~nan
    assert not differ.any(), f"{got[differ][:5]} is not {want[differ][:5]} at {np.flatnonzero(differ)[:5].tolist()}"


def ulps(most=0, absolute=0.0, below=np.inf):
    """Within some units in the last place, or an absolute distance; larger results are not compared."""
    def compare(got, want):
        with np.errstate(all="ignore"):
            step = np.spacing(np.abs(want))
            near = np.abs(got.astype(np.float64) - want) <= np.maximum(most * step, absolute)
            fine = near | (np.isnan(got) & np.isnan(want)) | (got == want) | ~(np.abs(want) < below) & ~np.isnan(want)
        assert fine.all(), f"{got[~fine][:5]} is not {want[~fine][:5]} at {np.flatnonzero(~fine)[:5].tolist()}"
    return compare
