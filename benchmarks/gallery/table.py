"""The gallery's table: each form in a process of its own, in turns, the least of many runs of each.

    python -m gallery.table [CASE…] [--threads N] [--processor]
"""

import itertools
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import chart
import measure
import peers
from gallery import case

HERE = pathlib.Path(__file__).resolve().parent
FLAGS = ["-O3", "-march=native", "-std=c++20", "-fopenmp-simd", "-shared", "-fPIC", "-pthread"]
COMPILERS = ("g++", "clang++-22")
TURNS = 7
MEAN_OVER_BEST, MEAN_OVER_PLAIN, WORST, NUMBA_MEMORY, NUMBA_COMPUTE = 1.25, 0.7, 2.5, 1.05, 0.5


def libraries(groups):
    """{(group, compiler): path}"""
    folder = pathlib.Path(tempfile.mkdtemp())
    found = {}
    for group, compiler in itertools.product(groups, COMPILERS):
        place = shutil.which(compiler)
        out = folder / f"{group}-{compiler}.so"
        if place and subprocess.run([place, *FLAGS, str(HERE / f"{group}.cpp"), "-o", str(out)]).returncode == 0:
            found[group, compiler] = str(out)
    return found


class Worker:
    """A process that runs one form when it is told to."""

    def __init__(self, name, form, threads, *library):
        environment = {**peers.environment(), "HETJIT_NUM_THREADS": str(threads), "NUMBA_NUM_THREADS": str(threads)}
        self.form, self.ms = form, []
        self.process = subprocess.Popen([peers.python(), "-m", "gallery.worker", name, form, *library], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=HERE.parent)
        first = self.process.stdout.readline()
        self.reason = json.loads(first)["reason"] if first else self.process.stderr.read().strip()[-200:]

    def turn(self, clock):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        self.ms.append(json.loads(self.process.stdout.readline())[clock])

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def measured(name, group, native, threads, processor):
    """{form: least milliseconds}, {form: why it has none}. A form of C++ is the faster of what the compilers make of it."""
    workers = [Worker(name, form, threads) for form in ("hetjit", "numba")]
    workers += [Worker(name, form, threads, path) for (of, _), path in native.items() if of == group for form in ("plain", "best")]
    reasons = {worker.form: worker.reason for worker in workers if worker.reason}
    working = [worker for worker in workers if not worker.reason]
    for _ in range(TURNS):
        for worker in working:
            worker.turn(int(processor))
    for worker in workers:
        worker.end()
    ms = {}
    for worker in working:
        ms[worker.form] = min(ms.get(worker.form, math.inf), *worker.ms)
    return ms, reasons


def mean(values):
    return math.exp(statistics.fmean(map(math.log, values))) if values else math.nan


def ratio(ms, *others):
    """Ours over the fastest of these; None where there is none."""
    found = [ms[other] for other in others if other in ms]
    return ms["hetjit"] / min(found) if found and "hetjit" in ms else None


def over_best(name, ms):
    """A row of the chart. Without Numba, whose threads look for work between short runs: that would make the scale theirs."""
    best = min((ms[form] for form in ("plain", "best") if form in ms), default=math.nan)
    return dict(title=name, over_best={form: ms[form] / best for form in ("hetjit", "plain") if form in ms})


def verdict(value, limit):
    return f"{value:.2f} (≤ {limit:g}: {'met' if value <= limit else '**missed**'})"


def summary(rows):
    """The bars, over what was measured."""
    best, plain = ([r for ms, _ in rows.values() if (r := ratio(ms, *forms))] for forms in (("plain", "best"), ("plain",)))
    numba = {kind: {name: r for name, (ms, _) in rows.items() if case.CASES[name][1] == kind and (r := ratio(ms, "numba"))} for kind in case.KINDS}
    slow = [name for name, (ms, _) in rows.items() if (ratio(ms, "plain", "best") or 0) > WORST]
    behind = [name for name, r in numba["memory"].items() if r > NUMBA_MEMORY]
    return [f"Geometric mean over the best C++ form: {verdict(mean(best), MEAN_OVER_BEST)}, over plain C++: {verdict(mean(plain), MEAN_OVER_PLAIN)}, "
            f"of {len(best)} kernels.",
            f"More than {WORST:g} times the best form: {', '.join(slow) or 'none'}.",
            f"Geometric mean over Numba, kernels bound by computing: {verdict(mean(list(numba['compute'].values())), NUMBA_COMPUTE)}; "
            f"bound by memory: {mean(list(numba['memory'].values())):.2f}, above {NUMBA_MEMORY:g}: {', '.join(behind) or 'none'}."]


def missing(rows):
    return [f"* {form}: {name}: {reason}" for name, (_, reasons) in rows.items() for form, reason in reasons.items()
            if form == "hetjit" or reason != "has no such form"]


def cells(name, ms):
    shown = [ratio(ms, *forms) for forms in (("plain", "best"), ("plain",), ("numba",))]
    return [f"`{name}`", ", ".join(case.CASES[name][2]), f"{ms['hetjit']:.3g}" if "hetjit" in ms else "-", *("-" if r is None else f"{r:.2f}" for r in shown)]


def table(names=(), threads=None, processor=False):
    threads = threads or len(os.sched_getaffinity(0))
    chosen = {name: entry for name, entry in case.load().items() if not names or name in names}
    native = libraries({group for group, *_ in chosen.values()})
    rows = {}
    for name, (group, *_) in chosen.items():
        rows[name] = measured(name, group, native, threads, processor)
        print(" | ".join(cells(name, rows[name][0])), flush=True)
    heading = ["kernel", "access, control, element, block, size", "hetjit, ms", "time / best C++", "/ plain C++", "/ Numba"]
    clock = "processor time of all threads" if processor else "elapsed time"
    picture = [] if names else [chart.draw([over_best(name, ms) for name, (ms, _) in rows.items()], "gallery.png", inches=0.4)]
    return "\n\n".join([f"{threads} threads, {clock}.", measure.markdown(heading, [cells(name, ms) for name, (ms, _) in rows.items()]), *picture,
                        "\n".join(summary(rows)), "\n".join(missing(rows))]).strip()


if __name__ == "__main__":
    words = sys.argv[1:]
    threads = int(words.pop(words.index("--threads") + 1)) if "--threads" in words else None
    print(table([word for word in words if not word.startswith("--")], threads, "--processor" in words))
