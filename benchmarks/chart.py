"""Draws the kernel benchmark: `chart.py OUT.png`, with the rows of kernel_time.py as JSON on its standard input."""

import json
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

FORMS = {"hetjit": ("hetjit", "#1f6fb4"), "plain": ("plain C++", "#8a8f98"), "numba": ("Numba", "#3aa06a"), "pocl": ("PoCL", "#d9822b"),
         "numpy": ("NumPy", "#c9ced6")}


def main(out):
    rows = json.load(sys.stdin)[::-1]
    figure, axes = pyplot.subplots(figsize=(9, 1 + 0.75 * len(rows)), dpi=110)
    height = 0.8 / len(FORMS)
    for k, (form, (label, colour)) in enumerate(FORMS.items()):
        places = [(y + 0.4 - height * (k + 0.5), row["over_best"][form]) for y, row in enumerate(rows) if row["over_best"].get(form)]
        if not places:
            continue
        bars = axes.barh([y for y, _ in places], [v - 0.5 for _, v in places], height * 0.92, left=0.5, color=colour, label=label)
        axes.bar_label(bars, [f"{v:.2f}" if v < 9.95 else f"{v:.0f}" for _, v in places], padding=3, fontsize=7)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_xscale("log")
    axes.set_xlim(0.5, axes.get_xlim()[1] * 1.5)
    axes.set_xticks([0.5, 1, 2, 5, 10, 20, 50, 100], ["0.5", "1", "2", "5", "10", "20", "50", "100"])
    axes.set_yticks(range(len(rows)), [row["title"] for row in rows])
    axes.set_xlabel("time over that of the best C++ form by hand (the line at 1); less is better")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower center", bbox_to_anchor=(0.4, 1), ncols=len(FORMS), frameon=False)
    figure.savefig(out, bbox_inches="tight")


if __name__ == "__main__":
    main(sys.argv[1])
