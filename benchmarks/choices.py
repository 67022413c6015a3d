"""What the CPU's form of a kernel costs beside the forms that were not chosen: small loops in many spellings, each compiled as it is chosen, with 16 lanes and
with one, on one thread, processes in turns. The table has those that another form, or the same loop spelled in another way, beats by half."""

import itertools
import json
import linecache
import os
import subprocess
import sys
import time
import warnings

import measure

N, COUNT, SIDE = 20000, 64, 384
SLOWER = 1.5
REPEATS = 4  # processes of each form

# Sums of a window or a row: what x[…] is in turn k. Guards keep indices within.
SUMS = {"i + k": "i < n", "i - k": "m <= i < n", "i + k - m // 2": "m <= i < n", "i + 2 * k": "i < n", "2 * i + k": "i < n", "max(i + k - 32, 0)": "i < n",
        "min(i + k, n - 1)": "i < n", "(i + k) % n": "i < n", "i * m + k": "i < n", "k * n + i": "i < n", "places[k * n + i]": "i < n"}
# Elements in two dimensions, of an array of one or of two.
ELEMENTS = {"copy": "{out} = {a(i, j)} + {a(i, j)}", "rows": "{out} = {a(i, j)} + v[i]", "columns": "{out} = {a(i, j)} + v[j]", "transposed": "{out} = {a(j, i)}",
            "upside down": "{out} = {a(n - 1 - i, j)}", "backwards": "{out} = {a(i, n - 1 - j)}", "added": "{out} += {a(i, j)}",
            "five points": "if 0 < i < n - 1 and 0 < j < n - 1:\n            {out} = {a(i - 1, j)} + {a(i + 1, j)} + {a(i, j - 1)} + {a(i, j + 1)}",
            "product": "for k in range(32):\n            {out} += {a(i, k)} * {a(k, j)}"}
PLACES = {"i, j": "i, j = device.tid(2)", "j, i": "j, i = device.tid(2)",
          "unsigned": "j = device.block_idx.x * device.block_dim.x + device.thread_idx.x\n    i = device.block_idx.y * device.block_dim.y + device.thread_idx.y"}
DTYPES = ("float32", "float64", "int32", "uint8")


def sums():
    """(family, spelling, text) of each."""
    for (index, guard), dtype in itertools.product(SUMS.items(), DTYPES):
        zero = {"float32": "0.0", "float64": "device.float64(0)"}.get(dtype, "0")
        element = f"x[{index}]" if dtype != "uint8" else f"int(x[{index}])"
        yield f"sum of x[{index}], {dtype}", "", (
            f"def f(x, out, places, n, m):\n    i = device.tid(1)\n    if {guard}:\n        total = {zero}\n"
            f"        for k in range(m):\n            total += {element}\n        out[i] = total\n")


def spelled(text, flat):
    def element(indices):
        i, j = indices.split(", ")
        return f"a[({i}) * n + {j}]" if flat else f"a[{i}, {j}]"
    parts = text.replace("{out}", "out[i * n + j]" if flat else "out[i, j]").split("{a(")
    return parts[0] + "".join(element(part[:part.index(")}")]) + part[part.index(")}") + 2:] for part in parts[1:])


def elements():
    for (name, text), dtype in itertools.product(ELEMENTS.items(), DTYPES):
        for (place, line), flat in itertools.product(PLACES.items(), (False, True)):
            yield f"{name}, {dtype}", f"{place}, {'one axis' if flat else 'two axes'}", (
                f"def f(a, out, v, n):\n    {line}\n    if i < n and j < n:\n        {spelled(text, flat)}\n")


def kernels():
    return {(family, spelling): text for family, spelling, text in (*sums(), *elements())}


def arguments_of(family, spelling):
    import numpy as np
    draw = np.random.default_rng(1)
    dtype = family.rsplit(", ", 1)[1]
    if family.startswith("sum"):
        x = (draw.random(N * COUNT + 200) * 100).astype(dtype)
        out = np.zeros(N, dtype if dtype.startswith("float") else np.int32)
        return (-(-N // 256), 256), (x, out, draw.integers(0, N, N * COUNT).astype(np.int32), N, COUNT)
    shape = SIDE * SIDE if "one axis" in spelling else (SIDE, SIDE)
    a = (draw.random(shape) * 100).astype(dtype)
    return ((SIDE // 16, SIDE // 16), (16, 16)), (a, np.zeros(shape, dtype), a.ravel()[:SIDE].copy(), SIDE)


def measured():
    """Microseconds of each kernel, least of many, and its form: what a worker prints."""
    from hetjit import device
    warnings.simplefilter("ignore")
    found = []
    for (family, spelling), text in kernels().items():
        file = f"<{family}, {spelling}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        scope = {"device": device}
        exec(compile(text, file, "exec"), scope)
        kernel = device.kernel(scope["f"])
        shape, arguments = arguments_of(family, spelling)
        launch = kernel[shape]
        launch(*arguments)
        best, begun = 1e9, time.perf_counter()
        while time.perf_counter() - begun < 0.01:
            before = time.perf_counter()
            launch(*arguments)
            best = min(best, time.perf_counter() - before)
        found.append([family, spelling, best * 1e6, str(kernel.explain(*arguments)).splitlines()[1].strip().split(":")[0]])
    print(json.dumps(found))


def worker(lanes):
    environment = {**os.environ, "HETJIT_NUM_THREADS": "1"}
    if lanes:
        environment["HETJIT_LANES"] = lanes
    done = subprocess.run([sys.executable, __file__, "worker"], capture_output=True, text=True, env=environment, check=True)
    return json.loads(done.stdout)


def table():
    times, forms = {}, {}
    for lanes in ("", "16", "1") * REPEATS:
        for family, spelling, best, form in worker(lanes):
            times.setdefault((family, spelling), {}).setdefault(lanes, []).append(best)
            if not lanes:
                forms[family, spelling] = form
    least = {key: {lanes: min(all_) for lanes, all_ in by.items()} for key, by in times.items()}
    families = {}
    for (family, spelling), by in least.items():
        families.setdefault(family, {})[spelling] = min(by.values())
    rows = []
    for (family, spelling), by in least.items():
        other, best = min(by["16"], by["1"]), min(families[family].values())
        if by[""] > SLOWER * min(other, best):
            rows.append([family, spelling or "-", forms[family, spelling], f"{by['']:.1f}", f"{by[''] / other:.2f}", f"{by[''] / best:.2f}"])
    head = measure.markdown(["loop", "spelling", "form", "µs", "/ another form", "/ the fastest spelling"], rows)
    return f"{head}\n\n{len(least)} kernels, of which these {len(rows)} are slower by more than half."


if __name__ == "__main__":
    measured()
