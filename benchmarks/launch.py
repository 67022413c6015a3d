"""Launch overhead: a bound kernel on the null device (which does nothing with a launch) against an empty call."""

import numpy as np

from hetjit import _core

import kernels_launch
import measure


WARM_LIMIT = 5000  # ns, an empty launch on the CPU


def table():
    a, b, c = (np.zeros(1024, np.float32) for _ in range(3))
    kernel = kernels_launch.three_arrays
    bound = kernel.on("null")[4, 256]
    scope = dict(k=kernel, bound=bound, empty=_core.empty, a=a, b=b, c=c, n=1024, alpha=2.0)
    bound(a, b, c, 1024, 2.0)
    floor = measure.per_call_ns("empty(a, b, c, n, alpha)", scope)
    python = measure.per_call_ns("bound(a, b, c, n, alpha)", scope)
    cpu = kernels_launch.nothing[1, 1]
    cpu()
    warm = measure.per_call_ns("f()", dict(f=cpu))
    rows = [["an empty call with the same five arguments", f"{floor:.0f}", ""],
            ["bound kernel, 3 arrays + 2 scalars, null device", f"{python:.0f}", f"{python - floor:.0f}"],
            ["empty kernel on the CPU, 1 block, warm", f"{warm:.0f} (≤ {WARM_LIMIT}: {'met' if warm <= WARM_LIMIT else '**missed**'})", ""],
            ["empty kernel on the CPU, 64 blocks, warm",
             f"{measure.per_call_ns('f()', dict(f=kernels_launch.nothing[64, 1]), number=20_000):.0f}", ""]]
    return measure.markdown(["launch", "ns", "ns over the empty call"], rows)
