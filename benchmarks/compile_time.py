"""Compile time per phase and target: the first compilation of a fresh process, and the median of later ones."""

import json
import statistics
import subprocess
import sys

import measure

TARGETS = ("cuda:sm_90", "hip:gfx942", "cpu:native")
LINE, PLANE, COUNTS, BYTES, BINS = (f"array[{kind}, contiguous, index32]"
                                    for kind in ("float32, 1", "float32, 2", "int32, 2", "uint8, 1", "int32, 1"))
SAXPY = f"(float, {LINE}, {LINE})"  # what a launch with NumPy arrays of fewer than 2**31 elements asks for
KERNELS = {  # name: (module, function, signature)
    "saxpy": ("kernels", "saxpy", SAXPY),
    "stencil": ("kernels", "stencil", f"({PLANE}, {PLANE})"),
    "mandelbrot": ("kernels", "mandelbrot", f"({COUNTS}, float, float, float, int)"),
    "n-body kick": ("kernels", "kick", f"({PLANE}, {PLANE}, {LINE}, float, float)"),
    "Black-Scholes": ("kernels", "black_scholes", f"({', '.join([LINE] * 5)}, float, float)"),
    "tiled matmul": ("kernels_block", "matmul", f"({PLANE}, {PLANE}, {PLANE})"),
    "tree reduction": ("kernels_block", "tree_sums", f"({LINE}, {LINE})"),
    "shuffle reduction": ("kernels_block", "shuffle_sums", f"({LINE}, {LINE})"),
    "histogram": ("kernels_block", "histogram", f"({BYTES}, {BINS})"),
    "tiled transpose": ("kernels_block", "transpose", f"({PLANE}, {PLANE})"),
}
HOST_LIMIT = 60  # ms, warm


def one(module, function, signature, target, repeat):
    """Phase times in ms of `repeat` compilations, first to last, and the whole compile as its caller sees it."""
    import importlib
    import time

    from hetjit import _core
    kernel = getattr(importlib.import_module(module), function)
    found = []
    for _ in range(repeat):
        started = time.perf_counter()
        snapshot = _core.capture(kernel.underlying)
        captured = time.perf_counter()
        image = _core.compile(snapshot, signature, target)
        whole = time.perf_counter() - started
        phases = {"capture": captured - started, **{k: v / 1e9 for k, v in image["timings"].items()}}
        found.append({"whole": 1e3 * whole, **{k: 1e3 * v for k, v in phases.items()}})
    return found


def in_a_process(arguments, repeat):
    done = subprocess.run([sys.executable, __file__, *arguments, str(repeat)], capture_output=True, text=True)
    if done.returncode:
        error = next((line for line in done.stderr.splitlines() if "error[" in line), done.stderr.strip()[-100:])
        raise RuntimeError(error[error.find("error["):])
    return json.loads(done.stdout)


def row(name, arguments, processes, repeat, warm_up):
    target = arguments[-1]
    try:
        runs = [in_a_process(arguments, repeat) for _ in range(processes)]
    except RuntimeError as error:
        return [name, target, "-", "-", f"does not compile: {error}"]
    first = statistics.median(run[0]["whole"] for run in runs)
    warm = [compilation for run in runs for compilation in run[warm_up:]]
    middle = {k: statistics.median(w[k] for w in warm) for k in warm[0]}
    phases = ", ".join(f"{k} {v:.2f}" for k, v in middle.items() if k != "whole" and v >= 0.005)
    bar = ""
    if target.startswith("cpu"):
        bar = f" (≤ {HOST_LIMIT}: {'met' if middle['whole'] <= HOST_LIMIT else '**missed**'})"
    return [name, target, f"{first:.1f}", f"{middle['whole']:.2f}{bar}", phases]


def table(processes=3, repeat=40, warm_up=10):
    rows = [row(name, [*kernel[:3], target], processes, repeat, warm_up) for name, kernel in KERNELS.items() for target in TARGETS]
    return measure.markdown(["kernel", "target", "first in a process, ms", "warm, ms", "warm, by phase, ms"], rows)


if __name__ == "__main__":
    print(json.dumps(one(*sys.argv[1:5], repeat=int(sys.argv[5]))))
