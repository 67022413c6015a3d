"""From the start of a process to the first result of a kernel, without NumPy; with an empty cache on disk (docs/cache.md) and a full one."""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import measure

TIMES = 21
COLD_LIMIT, WARM_LIMIT = 40, 20  # ms above an empty process
FIRST_LIMIT, NEXT_LIMIT = 3, 0.6  # ms of launches that find their kernels on disk

PROGRAM = """
import sys, time
began = time.perf_counter()
from hetjit import device
imported = time.perf_counter()

@device.kernel
def first(a, n):
    i = device.tid(1)
    if i < a.shape[0]:
        a[i] = a[i] * n + i

@device.kernel
def second(a, n):
    i = device.tid(1)
    for k in range(n):
        a[i] += k

a = device.zeros(1024, device.float32)
made = time.perf_counter()
first[8, 128](a, 2)
launched = again = time.perf_counter()
if "both" in sys.argv:
    second[8, 128](a, 3)
    again = time.perf_counter()
assert a[5] in (5, 8) and "numpy" not in sys.modules
print(1e3 * (imported - began), 1e3 * (launched - made), 1e3 * (again - launched))
"""


def run(program, environment, *arguments):
    """(ms that the process took, what it printed)"""
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-S", str(program), *arguments], capture_output=True, text=True, check=True, env=environment)
    return 1e3 * (time.perf_counter() - began), [float(word) for word in done.stdout.split()]


def medians(program, environment, *arguments, before=lambda: None):
    """Of processes one after another: (ms of the whole, what they printed)."""
    found = []
    for _ in range(TIMES):
        before()
        found.append(run(program, environment, *arguments))
    return (statistics.median(whole for whole, _ in found),
            [statistics.median(numbers) for numbers in zip(*(numbers for _, numbers in found))])


def table():
    # As a user has it: modules are compiled by the first import, which is not counted.
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONDONTWRITEBYTECODE", "HETJIT_CACHE")}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        environment["HETJIT_CACHE_DIR"] = str(folder / "cache")
        (folder / "empty.py").write_text("pass")
        (folder / "program.py").write_text(PROGRAM)
        run(folder / "program.py", environment, "both")
        empty, _ = medians(folder / "empty.py", environment)
        warm, _ = medians(folder / "program.py", environment)
        _, (imported, warm_first, warm_next) = medians(folder / "program.py", environment, "both")
        clear = lambda: [path.unlink() for path in folder.glob("cache/?/*")]
        cold, _ = medians(folder / "program.py", environment, before=clear)
        _, (_, cold_first, cold_next) = medians(folder / "program.py", environment, "both", before=clear)
    return measure.markdown(["what", "ms, median", "limit"], [
        ["`import hetjit`", f"{imported:.1f}", ""],
        ["process start to the first result of a kernel, empty cache, above an empty process", *against(cold - empty, COLD_LIMIT)],
        ["the same, kernel in the cache", *against(warm - empty, WARM_LIMIT)],
        ["first launch, kernel in the cache", *against(warm_first, FIRST_LIMIT)],
        ["the next kernel's first launch, in the cache", *against(warm_next, NEXT_LIMIT)],
        ["the same two, compiled", f"{cold_first:.1f}, {cold_next:.1f}", ""]])


def against(found, limit):
    return f"{found:.2f}" if found < 1 else f"{found:.1f}", f"≤ {limit}: {'met' if found <= limit else '**missed**'}"
