"""Draws kernels' times over those of the best C++ forms: `chart.py OUT.png INCHES`, INCHES for each kernel, with rows as JSON on its standard
input: a kernel's title, and by form its time over the best."""

import json
import pathlib
import subprocess
import sys

import peers

LEFT = 0.1  # where bars begin
IMAGES = pathlib.Path(__file__).resolve().parents[1] / "docs" / "images"

FORMS = {"hetjit": ("hetjit", "#1f6fb4"), "plain": ("plain C++", "#8a8f98"), "numba": ("Numba", "#3aa06a"), "pocl": ("PoCL", "#d9822b"),
         "numpy": ("NumPy", "#c9ced6")}


def draw(rows, name, inches=0.75):
    """The line of a document that shows the chart, drawn by whichever interpreter has matplotlib; or why there is none."""
    done = subprocess.run([peers.python(), __file__, str(IMAGES / name), str(inches)], input=json.dumps(rows),
                          capture_output=True, text=True, env=peers.environment())
    if done.returncode:
        return f"no chart: {done.stderr.strip().splitlines()[-1]}"
    return f"![Time of each kernel over that of the best C++ form](images/{name})"


def main(out, inches):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    rows = json.load(sys.stdin)[::-1]
    figure, axes = pyplot.subplots(figsize=(9, 1 + float(inches) * len(rows)), dpi=110)
    forms = {form: look for form, look in FORMS.items() if any(row["over_best"].get(form) for row in rows)}
    height = 0.8 / len(forms)
    for k, (form, (label, colour)) in enumerate(forms.items()):
        places = [(y + 0.4 - height * (k + 0.5), row["over_best"][form]) for y, row in enumerate(rows) if row["over_best"].get(form)]
        bars = axes.barh([y for y, _ in places], [v - LEFT for _, v in places], height * 0.92, left=LEFT, color=colour, label=label)
        axes.bar_label(bars, [f"{v:.2f}" if v < 9.95 else f"{v:.0f}" for _, v in places], padding=3, fontsize=7)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_xscale("log")
    axes.set_xlim(LEFT, axes.get_xlim()[1] * 1.5)
    axes.set_xticks([0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100], ["0.1", "0.2", "0.5", "1", "2", "5", "10", "20", "50", "100"])
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_yticks(range(len(rows)), [row["title"] for row in rows])
    axes.set_xlabel("time over that of the best C++ form by hand (the line at 1); less is better")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower center", bbox_to_anchor=(0.4, 1), ncols=len(forms), frameon=False)
    figure.savefig(out, bbox_inches="tight")


if __name__ == "__main__":
    main(*sys.argv[1:])
