"""What a compiled kernel costs, read out of cubins and AMD's code objects: registers, instructions, and those of its hottest loop."""

import re
import struct
from typing import NamedTuple


class Cost(NamedTuple):
    registers: int
    instructions: int
    spilled: int  # bytes, or registers on AMD
    loop: int  # instructions of the loop that stands in most others, of several the longest; 0: no loop


def hottest(loops):
    """Length of that loop, of pairs (first instruction, last instruction)."""
    loops = sorted({(min(first for first, last in loops if last == end), end) for _, end in loops})
    depth = {loop: sum(first <= loop[0] and loop[1] <= last for first, last in loops) for loop in loops}
    return max(((depth[loop], loop[1] - loop[0] + 1) for loop in loops), default=(0, 0))[1]


# ---- NVIDIA: SASS is 16 bytes each; behind the code stand a branch to itself and no-operations

BRANCHES, NOTHING = (0x947, 0x547), 0x918


def distance(low, high, architecture):
    """How many instructions a branch goes on, from the one behind it."""
    far = (low >> 32 | high << 32) & (1 << 50) - 1
    far -= (far & 1 << 49) << 1
    return far // 16 if architecture < 90 else (far >> 2 << 8 | low >> 16 & 255) * 4 // 16


def sass(image, architecture):
    """{kernel: (instructions, those of the hottest loop)}."""
    table, = struct.unpack_from("<Q", image, 0x28)
    size, count, names_index = struct.unpack_from("<HHH", image, 0x3a)
    sections = [struct.unpack_from("<IIQQQQIIQQ", image, table + k * size) for k in range(count)]
    names = sections[names_index][4]
    found = {}
    for name, _, _, _, offset, length, *_ in sections:
        text = image[names + name:image.index(b"\0", names + name)].decode()
        if text.startswith(".text."):
            codes = [struct.unpack_from("<QQ", image, at) for at in range(offset, offset + length, 16)]
            while codes and codes[-1][0] & 0xfff == NOTHING:
                codes.pop()
            if codes[-1][0] & 0xfff in BRANCHES:
                codes.pop()
            targets = {k: k + 1 + distance(low, high, architecture) for k, (low, high) in enumerate(codes) if low & 0xfff in BRANCHES}
            found[text.removeprefix(".text.")] = len(codes), hottest([(to, k) for k, to in targets.items() if to <= k])
    return found


def cubin(image, architecture, report):
    """{kernel: Cost}, with what `ptxas -v` says of it."""
    counts, found = sass(image, architecture), {}
    for entry in re.split(r"Compiling entry function '", report)[1:]:
        name, spilled = entry[:entry.index("'")], sum(map(int, re.findall(r"(\d+) bytes spill", entry)))
        found[name] = Cost(int(re.search(r"Used (\d+) registers", entry)[1]), counts[name][0], spilled, counts[name][1])
    return found


# ---- AMD: as llvm-readobj and llvm-objdump print it

def listing(text):
    """(instructions, those of the hottest loop) of one kernel's disassembly."""
    lines = [line for line in text.splitlines() if "//" in line]
    while lines[-1].split()[0] in ("s_nop", "s_code_end"):
        lines.pop()
    places = [int(re.search(r"// ([0-9A-F]+):", line)[1], 16) for line in lines]
    at = {place: k for k, place in enumerate(places)}
    loops = []
    for k, line in enumerate(lines):
        branch = re.search(r"^\s*s_c?branch\w* .*<[^>+]+(?:\+0x([0-9a-f]+))?>", line)
        to = branch and at.get(places[0] + int(branch[1] or "0", 16))
        if to is not None and to <= k:
            loops.append((to, k))
    return len(lines), hottest(loops)


def code_object(notes, disassembly):
    """{kernel: Cost}, of the notes and of a function that disassembles a kernel."""
    found = {}
    for entry in re.split(r"^ *- \.(?:agpr_count|args):", notes, flags=re.M)[1:]:
        name = re.search(r"^\s*\.name:\s*(\S+)", entry, re.M)[1]
        registers, spilled = (int(re.search(rf"\.{key}:\s*(\d+)", entry)[1]) for key in ("vgpr_count", "vgpr_spill_count"))
        instructions, loop = listing(disassembly(name))
        found[name] = Cost(registers, instructions, spilled, loop)
    return found
