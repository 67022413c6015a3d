"""How the benchmarks' block kernels and plain ones run on the CPU: the decisions of their plans (compiler/host/plan), beside this file.

One section a kernel in plans.txt; `./dev update` rewrites it.
"""

import os
import pathlib
import runpy

import pytest

from hetjit import _core

import golden

BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"
EXPECTED = pathlib.Path(__file__).with_name("plans.txt")
TARGET = "cpu:x86-64-v3"
ROW, PLANE = "float32[::1]", "float32[:, ::1]"
SIGNATURES = {  # module, kernel: the types that the benchmarks launch it with
    ("kernels", "saxpy"): f"(float, {ROW}, {ROW})",
    ("kernels", "stencil"): f"({PLANE}, {PLANE})",
    ("kernels", "mandelbrot"): "(int32[:, ::1], float, float, float, int)",
    ("kernels", "kick"): f"({PLANE}, {PLANE}, {ROW}, float, float)",
    ("kernels", "black_scholes"): f"({ROW}, {ROW}, {ROW}, {ROW}, {ROW}, float, float)",
    ("kernels_block", "matmul"): f"({PLANE}, {PLANE}, {PLANE})",
    ("kernels_block", "tree_sums"): f"({ROW}, {ROW})",
    ("kernels_block", "shuffle_sums"): f"({ROW}, {ROW})",
    ("kernels_block", "histogram"): "(uint8[::1], int32[::1])",
    ("kernels_block", "transpose"): f"({PLANE}, {PLANE})",
}


def decisions(module, name):
    """The lines that say what was decided, without the functions below them."""
    kernel = runpy.run_path(str(BENCHMARKS / f"{module}.py"))[name]
    text = _core.show(_core.capture(kernel.underlying), "plan", SIGNATURES[module, name], TARGET, kernel=True)
    return "\n".join(line for line in text.split("\n") if line.startswith("plan "))


def sections():
    found = {}
    for section in EXPECTED.read_text().split("\n\n") if EXPECTED.exists() else []:
        name, _, text = section.strip().partition("\n")
        found[name] = text
    return found


@pytest.mark.parametrize("place", SIGNATURES, ids=".".join)
def test_plan(place):
    text, expected = decisions(*place), sections()
    if golden.UPDATE:
        assert "PYTEST_XDIST_WORKER" not in os.environ, "one process writes plans.txt, or each loses what others write: -n0"
        expected[".".join(place)] = text
        EXPECTED.write_text("\n\n".join(f"{name}\n{lines}" for name, lines in expected.items()) + "\n")
    assert text == expected[".".join(place)]
