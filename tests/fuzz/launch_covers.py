"""How the threads of a launch come to elements of arrays, so that no two have the same (launches.py): an element each, with a guard or none;
loops whose turns are shared out by the grid, a block, a warp; a row or a column each; by numbers that are divided."""

import dataclasses

EXTENTS = {1: ("n",), 2: ("h", "w"), 3: ("d", "h", "w")}
POWERS = (32, 8, 16, 4)


@dataclasses.dataclass
class Cover:
    lines: list               # in which coordinates get their values; what ends in ":" stays open
    coordinates: tuple        # names, axis by axis of the arrays
    domain: tuple             # names of the arrays' extents
    axes: int = 1             # of the launch
    exact: tuple = ()         # there must be as many threads as elements: along which axis of the arrays each axis of the launch goes
    leave: str = "continue"   # what ends a thread's work at its place
    plain: object = None      # coordinates that are int32; None: all are
    alone: tuple = ()         # those that no other thread has, outside of the last line's loop

    def __post_init__(self):
        self.plain = self.coordinates if self.plain is None else self.plain


def guarded(maker, place, inside, outside, **more):
    """Threads outside of the arrays do nothing: what follows is under the condition, or behind a return."""
    line = maker.pick((f"if {inside}:", f"if {outside}: return", f"if not ({inside}): return"))
    return Cover([place, line], leave="return", **more)


def first(maker):
    """A thread's number in the grid."""
    return maker.pick(("device.tid(1)", "int(device.block_idx.x * device.block_dim.x + device.thread_idx.x)", "device.tid(1)"))


def of_one(maker):
    end = maker.pick(("n", "len(a0)", "a0.shape[0]"))
    return guarded(maker, f"i = {first(maker)}", f"i < {end}", f"i >= {end}", coordinates=("i",), domain=("n",))


def exact(maker):
    return Cover([f"i = {first(maker)}"], ("i",), ("n",), exact=(0,), leave="return")


def moved(maker):
    place = maker.pick(("n - 1 - device.tid(1)", "2 * device.tid(1)", "3 * device.tid(1) + 1", "device.tid(1) ^ 1", "device.tid(1) ^ 5", "device.tid(1) - 2"))
    return guarded(maker, f"i = {place}", "0 <= i < n", "i < 0 or i >= n", coordinates=("i",), domain=("n",))


def strides(maker):
    step = maker.pick(("device.grid_size(1)", "int(device.grid_dim.x * device.block_dim.x)"))
    return Cover([f"for i in range({first(maker)}, {maker.pick(('n', 'len(a0)'))}, {step}):"], ("i",), ("n",))


def strides_by_hand(maker):
    """The same as a `while`; `turn` goes on in its stead where a turn ends early."""
    kind = maker.pick(("int", "device.uint32", "device.int64"))
    lines = [f"turn = {kind}({first(maker)})", f"while turn < {kind}(n):", "i = turn", f"turn += {kind}(device.grid_size(1))"]
    return Cover(lines, ("i",), ("n",), plain=("i",) if kind == "int" else ())


def chunks(maker):
    many = maker.pick((4, 1, 2, 3, 8))
    which = maker.below(3)
    if which == 0:
        return Cover([f"for i in range(device.tid(1) * {many}, min(device.tid(1) * {many} + {many}, n)):"], ("i",), ("n",))
    place = f"device.tid(1) * {many} + part" if which == 1 else "part * device.grid_size(1) + device.tid(1)"
    return Cover([f"for part in range({many}):", f"i = {place}", "if i < n:"], ("i",), ("n",))


def tiles(maker):
    """Each block has some elements, of which its threads take turns."""
    many = maker.pick((64, 8, 100, 256))
    lines = [f"start = int(device.block_idx.x) * {many}",
             f"for i in range(start + int(device.thread_idx.x), min(start + {many}, n), int(device.block_dim.x)):"]
    return Cover(lines, ("i",), ("n",))


def of_two(maker):
    names = maker.pick(("i, j", "j, i"))
    inside, outside = maker.pick((("i < h and j < w", "i >= h or j >= w"), ("j < w and i < h", "j >= w or i >= h")))
    return guarded(maker, f"{names} = device.tid(2)", inside, outside, coordinates=("i", "j"), domain=("h", "w"), axes=2)


def exact_of_two(maker):
    turned = maker.chance(2)
    return Cover([f"{'j, i' if turned else 'i, j'} = device.tid(2)"], ("i", "j"), ("h", "w"), axes=2, exact=(1, 0) if turned else (0, 1), leave="return")


def a_row_each(maker):
    return Cover([f"i = {first(maker)}", "if i < h:", f"for j in range({maker.pick(('w', 'a0.shape[1]'))}):"], ("i", "j"), ("h", "w"), alone=("i",))


def a_column_each(maker):
    return Cover([f"j = {first(maker)}", "if j < w:", "for i in range(h):"], ("i", "j"), ("h", "w"), alone=("j",))


def rows_by_strides(maker):
    inner = maker.pick(("for j in range(w):", "for j in reversed(range(w)):"))
    return Cover(["for i in range(device.tid(1), h, device.grid_size(1)):", inner], ("i", "j"), ("h", "w"), alone=("i",))


def a_row_per_warp(maker):
    power = maker.pick(POWERS)
    row, lane = maker.pick(((f"device.tid(1) // {power}", f"device.tid(1) % {power}"),
                            (f"device.tid(1) >> {power.bit_length() - 1}", f"device.tid(1) & {power - 1}")))
    return Cover([f"i, lane = {row}, {lane}", "if i < h:", f"for j in range(lane, w, {power}):"], ("i", "j"), ("h", "w"))


def a_row_per_block(maker):
    return Cover(["i = int(device.block_idx.x)", "if i < h:", "for j in range(int(device.thread_idx.x), w, int(device.block_dim.x)):"], ("i", "j"), ("h", "w"))


def divided(maker):
    place, names = maker.pick((("k // w, k % w", "i, j"), ("k % w, k // w", "j, i"), ("k % h, k // h", "i, j")))
    loop = maker.pick((["k = device.tid(1)", "if k < h * w:"], ["for k in range(device.tid(1), h * w, device.grid_size(1)):"]))
    return Cover([*loop, f"{names} = {place}"], ("i", "j"), ("h", "w"), leave="return" if len(loop) == 2 else "continue")


def strides_of_two(maker):
    names = maker.pick(("ij", "ji"))
    lines = [f"{first_}0, {second}0 = device.tid(2)" for first_, second in [names]] + ["rows, columns = device.grid_size(2)"]
    step = {names[0]: "rows", names[1]: "columns"}
    loops = [f"for {axis} in range({axis}0, {extent}, {step[axis]}):" for axis, extent in (("i", "h"), ("j", "w"))]
    return Cover([*lines, *(loops if maker.chance(2) else loops[::-1])], ("i", "j"), ("h", "w"), axes=2)


def of_three(maker):
    names = maker.pick(("k, i, j", "j, i, k", "i, j, k"))
    return guarded(maker, f"{names} = device.tid(3)", "k < d and i < h and j < w", "k >= d or i >= h or j >= w",
                   coordinates=("k", "i", "j"), domain=("d", "h", "w"), axes=3)


def planes(maker):
    return Cover([f"{maker.pick(('i, j', 'j, i'))} = device.tid(2)", "if i < h and j < w:", "for k in range(d):"], ("k", "i", "j"), ("d", "h", "w"), axes=2, alone=("i", "j"))


def lines_of_three(maker):
    return Cover([f"{maker.pick(('k, i', 'i, k'))} = device.tid(2)", "if k < d and i < h:", "for j in range(w):"], ("k", "i", "j"), ("d", "h", "w"), axes=2, alone=("k", "i"))


COVERS = (of_one, exact, moved, strides, strides, strides_by_hand, strides_by_hand, chunks, tiles, of_two, exact_of_two, a_row_each, a_column_each, rows_by_strides,
          a_row_per_warp, a_row_per_block, divided, strides_of_two, of_three, planes, lines_of_three)
