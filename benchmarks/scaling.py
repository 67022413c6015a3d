"""Compile time against size: kernels of n, 2n, 4n statements in several shapes, and kernels that call n, 2n, 4n device functions.

A kernel of twice the size should take about twice the time; what exceeds that is a list searched from its beginning, or a pass that
starts over.
"""

import json
import statistics
import subprocess
import sys

import measure

LINE = "array[float32, 1, contiguous, index32]"
SIGNATURE = f"({LINE}, {LINE}, int)"
TARGETS = ("cuda:sm_90", "hip:gfx942", "cpu:native")
STATEMENTS = (500, 1000, 2000)
FUNCTIONS = (50, 100, 200)


def straight(count):
    """One long block: each statement uses what a few before it have made."""
    lines = ["    v0 = x[i]", "    v1 = y[i]", "    v2 = v0 + v1"]
    lines += [f"    v{k} = v{k - 1} * v{k - 3} + v{k - 2}" for k in range(3, count - 3)]
    return lines + [f"    y[i] = v{count - 4}"]


def branches(count):
    """A branch every fourth statement, over a handful of names: many blocks, many joins."""
    lines = ["    a = x[i]", "    b = y[i]", "    c = a"]
    for k in range(count // 4):
        lines += [f"    if a < {k}:", f"        b = a * b + {k}", "    else:", "        c = c - a"]
        if k % 2:
            lines[-4:] = [f"    if b < {k}:", "        a = a + c", "    b = b + a", "    c = c * 2.0"]
    return lines + ["    y[i] = a + b + c"]


def stores(count):
    """Each statement reads memory and writes it."""
    return [f"    y[i + {k}] = x[i + {k}] * {k % 7} + x[i + {k + 1}]" for k in range(count)]


def loops(count):
    """A short loop every four statements."""
    lines = ["    a = x[i]"]
    for k in range(count // 4):
        lines += [f"    for k{k} in range(n):", f"        a = a * 0.5 + {k}", "    if a > 100.0:", "        a = a - 100.0"]
    return lines + ["    y[i] = a"]


def kernel_of(lines, helpers=()):
    return "\n".join([*helpers, "def kernel(x, y, n):", "    i = device.tid(1)", *lines, ""])


def functions(count):
    """A kernel that calls `count` functions, each of which calls the one before."""
    helpers = ["def f0(a, b):", "    return a * b + 1.0", ""]
    for k in range(1, count):
        helpers += [f"def f{k}(a, b):", f"    if a < {k}:", f"        return f{k - 1}(b, a) * 0.5", f"    return a - b * {k}", ""]
    return kernel_of(["    t = x[i]", *(f"    t = f{k}(t, x[i])" for k in range(count)), "    y[i] = t"], helpers)


SHAPES = {
    "one block": (STATEMENTS, lambda n: kernel_of(straight(n))), "branches": (STATEMENTS, lambda n: kernel_of(branches(n))),
    "loads and stores": (STATEMENTS, lambda n: kernel_of(stores(n))), "loops": (STATEMENTS, lambda n: kernel_of(loops(n))),
    "device functions": (FUNCTIONS, functions),
}


def one(shape, size, target, repeat):
    """Processor time in ms of `repeat` compilations: all of it, and of what comes before LLVM."""
    import time

    from hetjit import _core, device
    scope = {"device": device}
    exec(compile(SHAPES[shape][1](size), "kernel.py", "exec"), scope)
    found = []
    for _ in range(repeat):
        started = time.process_time()  # a shared machine's wall clock says nothing of ratios
        snapshot = _core.capture(scope["kernel"])
        _core.show(snapshot, "optimized", SIGNATURE, target)
        ours = time.process_time() - started
        _core.compile(snapshot, SIGNATURE, target)
        found.append({"all": 1e3 * (time.process_time() - started - ours), "ours": 1e3 * ours})
    return found


def in_a_process(shape, size, target, repeat):
    done = subprocess.run([sys.executable, __file__, shape, str(size), target, str(repeat)], capture_output=True, text=True, check=True)
    runs = json.loads(done.stdout)
    return {phase: statistics.median(run[phase] for run in runs) for phase in runs[0]}


def least(shape, size, target, processes):
    """The least of several processes: other programs on the machine can only add, through the caches they share."""
    runs = [in_a_process(shape, size, target, 1) for _ in range(processes)]
    return {phase: min(run[phase] for run in runs) for phase in runs[0]}


def table(processes=3):
    rows = []
    for shape, (sizes, _) in SHAPES.items():
        for target in TARGETS:
            found = [least(shape, size, target, processes) for size in sizes]
            whole, own = [run["all"] for run in found], [run["ours"] for run in found]
            rows.append([shape, target, ", ".join(map(str, sizes)), ", ".join(f"{t:.0f}" for t in whole), f"{whole[2] / whole[0]:.1f}",
                         ", ".join(f"{t:.1f}" for t in own), f"{own[2] / own[0]:.1f}"])
            print(rows[-1], flush=True)
    return measure.markdown(["kernel", "target", "n, 2n, 4n", "processor ms", "4n / n", "before LLVM, ms", "4n / n"], rows)


if __name__ == "__main__":
    print(json.dumps(one(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]))))
