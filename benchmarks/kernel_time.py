"""Kernel time on the host against C++ by hand, PoCL, Numba and NumPy: a table with the bars of the project, and a bar chart.

Each kernel runs in processes of its own, in which all forms take turns on the same arrays; a ratio is formed within a process and
the median of three processes is shown. PoCL has its own processes in between; its ratio is one of neighbours.
"""

import json
import math
import pathlib
import statistics
import subprocess

import cases
import chart
import measure
import native_forms
import peers

HERE = pathlib.Path(__file__).resolve().parent
LIMIT, LIMITS, MEAN_LIMIT = 1.5, {"shuffle_sums": 2.0}, 1.25  # time over the best native form
PLAIN_FLOOR = {"mandelbrot": 5.0, "black_scholes": 5.0}  # times faster than plain C++, with 16 lanes; with 8: 3.5
POCL_FLOOR, POCL_MEAN_FLOOR = 1 / 1.1, 5.0


def worker(name, peer, small, repeat, processor):
    command = [peers.python(), str(HERE / "kernel_worker.py"), name, "--with", peer, "--repeat", str(repeat)]
    done = subprocess.run(command + ["--small"] * small + ["--processor"] * processor, capture_output=True, text=True, env=peers.environment())
    if done.returncode:
        return dict(title=name, ms={}, reasons={peer: f"the process ended with {done.returncode}: {done.stderr.strip()[-200:]}"})
    return json.loads(done.stdout)


def median_ratio(runs, one, other):
    found = [run["ms"][one] / run["ms"][other] for run in runs if one in run["ms"] and other in run["ms"]]
    return statistics.median(found) if found else None


def measured(name, processes, small, repeat, processor):
    """Milliseconds per form and each form's time over the best native one."""
    pairs = [[worker(name, peer, small, repeat, processor) for peer in ("numba", "pocl")] for _ in range(processes)]
    own, other = zip(*pairs)
    reasons = own[0]["reasons"] | other[0]["reasons"]
    best = min(("plain", "vector"), key=lambda form: median_ratio(own, form, "vector") or math.inf)
    forms = {form for run in own for form in run["ms"]}
    row = dict(title=own[0]["title"], reasons=reasons,
               ms={form: statistics.median(run["ms"][form] for run in own if form in run["ms"]) for form in forms},
               over_best={form: median_ratio(own, form, best) for form in forms})
    # Not by way of the C++ form that both have run: where that waits for memory, its time differs from process to process, too.
    against = [theirs["ms"]["pocl"] / ours["ms"]["hetjit"] for ours, theirs in pairs if "pocl" in theirs["ms"] and "hetjit" in ours["ms"]]
    over_best = row["over_best"].get("hetjit")
    row["over_best"]["pocl"] = statistics.median(against) * over_best if against and over_best else None
    row["over_best"]["best"] = 1.0
    if best in row["ms"]:
        row["ms"]["best"] = row["ms"][best]
    return row


def verdict(value, limit, at_least=False):
    met = value >= limit if at_least else value <= limit
    return f"{'met' if met else '**missed**'}"


def mean(values):
    return math.exp(statistics.fmean(map(math.log, values))) if values else None


def cells(name, row):
    def times_faster(form, floor=None):
        if row["over_best"].get(form) is None or row["over_best"].get("hetjit") is None:
            return "-"
        ratio = row["over_best"][form] / row["over_best"]["hetjit"]
        return f"{ratio:.3g} x" + (f" (≥ {floor:.2g}: {verdict(ratio, floor, True)})" if floor else "")

    def ms(form):
        return f"{row['ms'][form]:.1f}" if form in row["ms"] else "-"

    ours = row["over_best"].get("hetjit")
    limit = LIMITS.get(name, LIMIT)
    against_best = "-" if ours is None else f"{ours:.2f} (≤ {limit:g}: {verdict(ours, limit)})"
    floor = PLAIN_FLOOR.get(name)
    return [row["title"], ms("hetjit"), ms("best"), against_best, times_faster("plain", floor), times_faster("pocl", POCL_FLOOR),
            times_faster("numba"), times_faster("numpy")]


def means(rows):
    ours = [row["over_best"]["hetjit"] for row in rows.values() if row["over_best"].get("hetjit")]
    pocl = [row["over_best"]["pocl"] / row["over_best"]["hetjit"] for row in rows.values()
            if row["over_best"].get("hetjit") and row["over_best"].get("pocl")]
    lines = []
    if ours:
        lines.append(f"Geometric mean over the best native form: {mean(ours):.2f} over {len(ours)} kernels "
                     f"(≤ {MEAN_LIMIT}: {verdict(mean(ours), MEAN_LIMIT)}).")
    if pocl:
        lines.append(f"Geometric mean against PoCL: {mean(pocl):.1f} times faster over {len(pocl)} kernels "
                     f"(≥ {POCL_MEAN_FLOOR:g}: {verdict(mean(pocl), POCL_MEAN_FLOOR, True)}).")
    streaming = [f"{row['title']} {row['over_best']['streaming']:.2f}" for row in rows.values() if row["over_best"].get("streaming")]
    if streaming:
        lines.append(f"No form above uses non-temporal stores; with them the best native form would take: {', '.join(streaming)} of its time.")
    return lines


def missing(rows):
    """Why a form has no figure: each reason once, with the kernels that it holds for."""
    found = {}
    for row in rows.values():
        for form, reason in row["reasons"].items():
            found.setdefault((form, reason), []).append(row["title"])
    found = {key: "every kernel" if len(titles) == len(rows) > 1 else ", ".join(titles) for key, titles in found.items()}
    lines = [f"* {form}: {titles}: {reason}" for (form, reason), titles in found.items()]
    return ["Not measured:", *lines, "* ISPC: neither Debian nor PyPI has it"]


def table(small=False, names=None, processes=3, repeat=7, processor=False):
    rows = {}
    for name in names or cases.CASES:
        rows[name] = measured(name, 1 if small else processes, small, 5 if small else repeat, processor)
        print(" | ".join(cells(name, rows[name])), flush=True)
    picture = [] if small else [chart.draw(list(rows.values()), "benchmarks.png")]
    compiler = pathlib.Path(native_forms.compiler()).name
    heading = ["kernel", "hetjit, ms", f"best C++ ({compiler}), ms", "time / best C++", "faster than plain C++", "than PoCL",
               "than Numba", "than NumPy"]
    text = measure.markdown(heading, [cells(name, row) for name, row in rows.items()])
    clock = ["Milliseconds of all threads' processor time, as the machine was busy otherwise: not elapsed time."] if processor else []
    return "\n\n".join([*clock, text, *picture, "\n".join(means(rows)), "\n".join(missing(rows))])


if __name__ == "__main__":
    import sys
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    print(table(small="--small" in sys.argv, names=words or None, processor="--processor" in sys.argv))
