"""The comparison of codegen.py over more kernels and targets, and loop by loop: those of kernels_grids.py, kernels_lookups.py, kernels_bits.py
and kernels_fresh.py, written in CUDA C++ as its users do, before anybody looked at our code for them.

    python benchmarks/codegen_wide.py [KERNEL | TARGET …]     the table of these kernels and targets, or of all
"""

import math
import statistics
import sys

import codegen
import kernels_bits
import kernels_fresh
import kernels_grids
import kernels_lookups
import measure
from codegen import BYTES, COUNTS, LINE, PLANE, array

BITS, IMAGE, GRID = array("uint32"), array("uint8", 2), array("int32", 2)
VOLUME = array("float32", 3)
TARGETS = {  # target: how its code is made and read
    **{f"cuda:sm_{number}": lambda folder, number=number: codegen.nvidia(folder, number, rolled=True) for number in (80, 90, 120)},
    **{f"hip:{name}": lambda folder, name=name: codegen.amd(folder, name) for name in codegen.AMD},
}
GRIDS = {
    "halo_line": (LINE, LINE), "halo_plane": (PLANE, PLANE, "float"), "advect": (PLANE, PLANE, PLANE, "float"),
    "leapfrog": (PLANE, PLANE, "float"), "gauss5": (PLANE, PLANE, LINE), "bilateral": (PLANE, PLANE, "int", "float", "float"),
    "halve": (IMAGE, IMAGE), "median3": (PLANE, PLANE), "erode": (IMAGE, IMAGE), "equalize": (IMAGE, BYTES, IMAGE),
    "integral_rows": (PLANE, PLANE), "bin_particles": (PLANE, COUNTS, COUNTS, "float", "int"),
    "neighbour_forces": (PLANE, COUNTS, PLANE, "float", "int", "float"), "nbody_tile": (PLANE, PLANE), "invert3": (VOLUME, VOLUME),
    "transform4": (PLANE, PLANE, PLANE), "cholesky4": (VOLUME, VOLUME),
}
LOOKUPS = {
    "spmv_csr": (COUNTS, COUNTS, LINE, LINE, LINE), "spmv_unsigned": (BITS, BITS, LINE, LINE, LINE), "spmv_ell": (GRID, PLANE, LINE, LINE),
    "gather": (LINE, COUNTS, LINE), "lower_bound": (COUNTS, COUNTS, COUNTS), "heap_search": (COUNTS, COUNTS, COUNTS),
    "tree_walk": (COUNTS, COUNTS, LINE, LINE, LINE, COUNTS), "decision_tree": (COUNTS, LINE, COUNTS, PLANE, COUNTS),
    "hash_insert": (BITS, BITS, BITS, BITS), "hash_find": (BITS, BITS, BITS, BITS), "floyd_warshall": (PLANE, "int"),
    "knapsack": (COUNTS, COUNTS, "int", "int"), "edit_distance": (BYTES, BYTES, COUNTS), "viterbi": (PLANE, PLANE, PLANE, GRID, "int"),
    "back_substitute": (PLANE, PLANE, PLANE),
}
BIT_TRICKS = {
    "axpy_stride": ("float", LINE, LINE), "dot_stride": (LINE, LINE, LINE), "sieve": (BYTES, COUNTS), "warp_scan": (COUNTS, COUNTS),
    "sweep_scan": (COUNTS,), "bitonic_sort": (COUNTS,), "odd_even_sort": (LINE,), "count_bits": (BITS, COUNTS),
    "highest_bit": (BITS, COUNTS), "morton": (array("uint32", 2), BITS), "crc32": (IMAGE, BITS, BITS), "life": (IMAGE, IMAGE),
    "count_inside": (COUNTS, "int", "uint32"), "walk": (GRID, "int", "uint32"), "waves": (LINE, LINE), "powers": (LINE, LINE),
    "deal": (COUNTS, COUNTS, "int"),
}
# Written when the compiler had been mended on the others, to see what that does to code which nobody had in mind.
FRESH = {
    "thomas": (PLANE,) * 5, "conv_padded": (VOLUME, VOLUME, PLANE), "max_pool": (VOLUME, VOLUME, "int", "int"), "softmax_rows": (PLANE, PLANE),
    "lattice_stream": (VOLUME, VOLUME), "ising": (GRID, LINE, "int", "uint32"), "find_text": (BYTES, BYTES, COUNTS),
    "chacha": (BITS, BITS, "uint32"), "digit_counts": (BITS, GRID, "int"), "yuv_to_rgb": (IMAGE, IMAGE, array("uint8", 3)),
    "assign_clusters": (PLANE, PLANE, COUNTS, COUNTS), "butterflies": (PLANE, PLANE, "int"),
}
# A signed index comes out of an array, or from who launches.
SIGNED_DATA = {"spmv_csr", "gather", "tree_walk", "decision_tree", "neighbour_forces", "sieve", "floyd_warshall", "viterbi", "max_pool"}
KERNELS = {getattr(module, name): (file, f"({', '.join(signature)}{',' * (len(signature) == 1)})")
           for file, module, signatures in (("grids", kernels_grids, GRIDS), ("lookups", kernels_lookups, LOOKUPS), ("bits", kernels_bits, BIT_TRICKS),
                                        ("fresh", kernels_fresh, FRESH))
           for name, signature in signatures.items()}
LIMIT = 1.15


def ratio(own, other):
    return own / other if other else 1.0 if not own else math.inf


def ratios(pair):
    """Of instructions, the hottest loop's (where both have one) and registers."""
    own, other = pair
    both = own.loop and other.loop
    return ratio(own.instructions, other.instructions), ratio(own.loop, other.loop) if both else None, ratio(own.registers, other.registers)


def text(value):
    return "-" if value is None else f"{value:.2f}" if value <= LIMIT else f"**{value:.2f}**"


def mean(values):
    values = [value for value in values if value]
    return math.exp(statistics.fmean(map(math.log, values))) if values else None


def row(name, found):
    pairs = [each.get(name) for each in found.values()]
    return [name, *("-" if pair is None else " ".join(map(text, ratios(pair))) + " spills" * (pair[0].spilled > pair[1].spilled) for pair in pairs)]


def mean_row(title, names, found):
    columns = [[ratios(each[name]) for name in names if name in each] for each in found.values()]
    return [title, *(" ".join(text(mean([each[k] for each in column])) for k in range(3)) for column in columns)]


def chosen(every, words, name=str):
    """Of a table those entries whose names are among the words; all, where none is."""
    return {entry: what for entry, what in every.items() if name(entry) in words} or every


def table(only=()):
    kernels = chosen(KERNELS, only, lambda kernel: kernel.underlying.__name__)
    targets = chosen(TARGETS, only)
    found, notes = {}, []
    for target, make in targets.items():
        try:
            found[target], reasons = codegen.compare(make, target, kernels)
        except RuntimeError as error:
            found[target], reasons = {}, {"every kernel": str(error)}
        notes += [f"* {target}: {name}: {reason}" for name, reason in reasons.items()]
    names = [kernel.underlying.__name__ for kernel in kernels]
    fresh, data = [name for name in names if name in FRESH], [name for name in names if name in SIGNED_DATA]
    proved = [name for name in names if name not in FRESH and name not in data]
    rows = []
    for title, group in (("geometric mean", proved), ("geometric mean of these", [name for name in fresh if name not in data]),
                         ("geometric mean of these", data)):
        rows += [row(name, found) for name in group] + [mean_row(title, group, found)] * bool(group)
    lines = measure.markdown(["kernel", *(target.split(":")[1] for target in targets)], rows)
    return "\n\n".join([lines, "\n".join(["Not compared:", *notes])] if notes else [lines])


if __name__ == "__main__":
    print(table(sys.argv[1:]))
