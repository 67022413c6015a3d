"""The kernels of benchmarks/, each with a small problem and what it must leave: ours and the same in C++ (benchmarks/codegen)."""

import dataclasses
import importlib.util
import math
import pathlib
import sys

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"
PROBLEMS = {}


def module(path):
    """By its path: other folders have modules of the same names."""
    name = f"{path.parent.name}_{path.stem}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


PLAIN, MORE, BLOCK = (module(FOLDER / f"{name}.py") for name in ("kernels", "kernels_more", "kernels_block"))


@dataclasses.dataclass
class Problem:
    kernel: object
    grid: object
    block: object
    arguments: list
    expected: dict  # {which argument: what it is then}
    tolerance: float  # relative to the largest number

    def check(self, left):
        for which, want in self.expected.items():
            far = np.abs(left[which].astype(np.float64) - want).max() / max(np.abs(want).max(), 1e-30)
            assert far <= self.tolerance, f"{far} is more than {self.tolerance}: {left[which].ravel()[:8]}, not {np.ravel(want)[:8]}"


def problem(kernel, grid, block, tolerance=1e-6):
    """Enters what the decorated function makes: (arguments, expected)."""
    def enter(make):
        arguments, expected = make()
        name = kernel.underlying.__name__
        assert name not in PROBLEMS
        PROBLEMS[name] = Problem(kernel, grid, block, arguments, expected, tolerance)
        return make
    return enter


def random(*shape, seed=1, dtype=np.float32):
    return np.random.default_rng(seed).random(shape).astype(dtype)


def inside(shape, values):
    whole = np.zeros(shape)
    whole[tuple(slice(1, -1) for _ in shape)] = values
    return whole


@problem(PLAIN.saxpy, 4, 256)
def saxpy():
    x, y = random(1000), random(1000, seed=2)
    return [2.5, x, y], {2: 2.5 * x.astype(np.float64) + y}


@problem(PLAIN.stencil, (1, 10), (64, 4))
def stencil():
    z = random(40, 37)
    wide = z.astype(np.float64)
    return [z, np.zeros_like(z)], {1: inside(z.shape, 0.25 * (wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]))}


@problem(PLAIN.mandelbrot, (1, 8), (32, 4), tolerance=0)
def mandelbrot():
    """Points that are not near the set's edge: fusing changes nothing."""
    counts = np.zeros((32, 32), np.int32)
    left, top, step, limit = 0.375, 0.375, 0.03125, 50
    want = np.zeros((32, 32))
    for y, x in np.ndindex(32, 32):
        c, z, n = complex(left + x * step, top + y * step), 0j, 0
        while n < limit and abs(z) <= 2:
            z, n = z * z + c, n + 1
        want[y, x] = n
    return [counts, left, top, step, limit], {0: want}


@problem(PLAIN.kick, 1, 128, tolerance=1e-5)
def kick():
    p, v, m = random(100, 3), random(100, 3, seed=2), random(100, seed=3)
    d = p[None].astype(np.float64) - p[:, None]
    r2 = (d * d).sum(2) + 1e-3
    return [p, v, m, 0.01, 1e-3], {1: v + 0.01 * np.einsum("ij,ijk->ik", m / (r2 * np.sqrt(r2)), d)}


@problem(PLAIN.black_scholes, 2, 128, tolerance=1e-5)
def black_scholes():
    s, k, t = 5 + 25 * random(200), 1 + 99 * random(200, seed=2), np.float32(0.25) + 10 * random(200, seed=3)
    wide_s, wide_k, wide_t = (a.astype(np.float64) for a in (s, k, t))
    d1 = (np.log(wide_s / wide_k) + (0.02 + 0.5 * 0.3 * 0.3) * wide_t) / (0.3 * np.sqrt(wide_t))
    above, below = (0.5 + 0.5 * np.vectorize(math.erf)(d * 0.70710678) for d in (d1, d1 - 0.3 * np.sqrt(wide_t)))
    later = wide_k * np.exp(-0.02 * wide_t)
    return [s, k, t, np.zeros_like(s), np.zeros_like(s), 0.02, 0.3], {3: wide_s * above - later * below, 4: later * (1 - below) - wide_s * (1 - above)}


@problem(MORE.matmul_naive, (2, 10), (32, 4), tolerance=1e-5)
def matmul_naive():
    a, b = random(37, 20), random(20, 45, seed=2)
    return [a, b, np.zeros((37, 45), np.float32)], {2: a.astype(np.float64) @ b}


@problem(MORE.sobel, (2, 10), (32, 4), tolerance=1e-5)
def sobel():
    image = random(37, 45)
    p = image.astype(np.float64)
    across = p[:-2] + 2 * p[1:-1] + p[2:]
    down = p[:, :-2] + 2 * p[:, 1:-1] + p[:, 2:]
    return [image, np.zeros_like(image)], {1: inside(p.shape, np.hypot(across[:, 2:] - across[:, :-2], down[2:] - down[:-2]))}


@problem(MORE.blur, (2, 5), (32, 4), tolerance=1e-5)
def blur():
    image, weights = random(20, 45), random(7, seed=2)
    p = np.pad(image.astype(np.float64), ((0, 0), (3, 3)), mode="edge")
    return [image, weights, 3, np.zeros_like(image)], {3: sum(w * p[:, k:k + 45] for k, w in enumerate(weights.astype(np.float64)))}


@problem(MORE.grey, 4, 64, tolerance=1.001 / 255)  # the last bit of a sum may decide
def grey():
    colour = np.random.default_rng(1).integers(0, 256, (200, 3), np.uint8)
    return [colour, np.zeros(200, np.uint8)], {1: np.floor(colour @ np.array([0.299, 0.587, 0.114]))}


@problem(MORE.collatz, 2, 64, tolerance=0)
def collatz():
    def steps(n):
        return 0 if n == 1 else 1 + steps(n // 2 if n % 2 == 0 else 3 * n + 1)
    return [np.zeros(100, np.int32)], {0: np.array([steps(n) for n in range(1, 101)])}


@problem(MORE.horner, 2, 64, tolerance=1e-14)
def horner():
    coefficients, x = random(9, dtype=np.float64), random(100, seed=2, dtype=np.float64)
    return [coefficients, x, np.zeros(100)], {2: np.polyval(coefficients, x)}


@problem(MORE.zoom, (2, 10), (32, 4), tolerance=1e-5)
def zoom():
    image, out, step = random(13, 11), np.zeros((40, 35), np.float32), 0.3125
    y, x = (np.arange(n) * step for n in out.shape)
    top, left = y.astype(int), x.astype(int)
    bottom, right = np.minimum(top + 1, 12), np.minimum(left + 1, 10)
    dy, dx, p = (y - top)[:, None], (x - left)[None], image.astype(np.float64)
    above = p[np.ix_(top, left)] * (1 - dx) + p[np.ix_(top, right)] * dx
    below = p[np.ix_(bottom, left)] * (1 - dx) + p[np.ix_(bottom, right)] * dx
    return [image, out, step], {1: above * (1 - dy) + below * dy}


@problem(MORE.heat, (1, 3, 5), (16, 4, 2), tolerance=1e-5)
def heat():
    now = random(9, 11, 13)
    p = now.astype(np.float64)
    middle = p[1:-1, 1:-1, 1:-1]
    around = p[:-2, 1:-1, 1:-1] + p[2:, 1:-1, 1:-1] + p[1:-1, :-2, 1:-1] + p[1:-1, 2:, 1:-1] + p[1:-1, 1:-1, :-2] + p[1:-1, 1:-1, 2:]
    return [now, np.zeros_like(now), 0.125], {1: inside(p.shape, middle + 0.125 * (around - 6 * middle))}


@problem(MORE.rotate, 2, 64, tolerance=1e-5)
def rotate():
    points, angle = random(100, 2), 1000.5
    turn = (np.float32(angle) * np.arange(100, dtype=np.float32)).astype(np.float64)
    x, y = points.T.astype(np.float64)
    return [points, np.zeros_like(points), angle], {1: np.stack([np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y], 1)}


@problem(BLOCK.matmul, (2, 3), (16, 16), tolerance=1e-5)
def matmul():
    a, b = random(48, 64), random(64, 32, seed=2)
    return [a, b, np.zeros((48, 32), np.float32)], {2: a.astype(np.float64) @ b}


def sums():
    x = random(2 * BLOCK.CHUNK)
    return [x, np.zeros(2, np.float32)], {1: x.reshape(2, -1).sum(1, dtype=np.float64)}


problem(BLOCK.tree_sums, 2, BLOCK.BLOCK, tolerance=1e-5)(sums)
problem(BLOCK.shuffle_sums, 2, BLOCK.BLOCK, tolerance=1e-5)(sums)


@problem(BLOCK.histogram, 1, BLOCK.BLOCK, tolerance=0)
def histogram():
    x = np.random.default_rng(1).integers(0, 256, BLOCK.HISTOGRAM_CHUNK, np.uint8)
    return [x, np.zeros(256, np.int32)], {1: np.bincount(x, minlength=256)}


@problem(BLOCK.transpose, (2, 3), (32, 8), tolerance=0)
def transpose():
    source = random(96, 64)
    return [source, np.zeros((64, 96), np.float32)], {1: source.T}


@problem(MORE.scan, 3, MORE.BLOCK, tolerance=1e-5)
def scan():
    x = random(700)
    return [x, np.zeros_like(x)], {1: np.concatenate([np.cumsum(x[k:k + 256], dtype=np.float64) for k in range(0, 700, 256)])}
