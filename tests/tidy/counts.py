"""What a review counts that no rule forbids outright: `./dev tidy --counts` prints each number with what it is made of.

A count that has come to nothing, or to its bound, belongs into tidy.py as a rule.
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

KIND = re.compile(r"\bTargetKind::\w+|\bis_nvidia\(|\bis_amd\(|\bon_host\(")
BACKENDS = re.compile(  # where kinds are listed, and a backend's own files
    r"abi/target_name\."
    r"|compiler/lower/(nvidia|amd)\."
    r"|compiler/target/(nvptx|nvjitlink|amdgpu|elf_link|host)"
    r"|compiler/host/"
    r"|runtime/(gpu/(cuda|hip)_|host/|null/)")
SOURCES = ("abi/", "frontend/", "compiler/", "runtime/", "python/ext/")


def code(name):
    """A file's lines without comments, numbered from 1."""
    for number, line in enumerate((ROOT / name).read_text().split("\n"), 1):
        yield number, re.sub(r"//.*", "", line)


def ask_the_vendor(names):
    """Files outside of the backends' own that ask which kind of target it is."""
    for name in names:
        if name.startswith(SOURCES) and not BACKENDS.match(name):
            lines = [number for number, line in code(name) if KIND.search(line)]
            if lines:
                yield f"{name}:{lines[0]}", len(lines)


# Numbers that were chosen by measuring have three homes, one below each wall.
HOMES = ("compiler/target/limits.h", "compiler/passes/limits.h", "compiler/host/facts/costs.h")
NUMBER = re.compile(r"\bconstexpr (?:size_t|unsigned|int|u?int\d+_t|double|float) (k\w+ = [^;]+);")
TUNED = re.compile(r"^compiler/(target|lower|passes|host)/")
CHOSEN = re.compile(r"k(Most|Max|Least|Long|Many|Large|Small|Fits|Enough|Few|Piece|Patience|Worth|Ahead|Together|Lanes|Always)\w*")
MEASURED = re.compile(r"\bconstexpr double (k\w+ = [^;]+);")  # a cost that is no whole number


def tuning_numbers(names):
    """Limits of the compiler's back half that stand elsewhere than in their homes, by how they are named."""
    for name in names:
        if not TUNED.match(name) or name in HOMES:
            continue
        for number, line in code(name):
            found = NUMBER.search(line)
            if found and (CHOSEN.match(found[1]) or MEASURED.search(line)):
                yield f"{name}:{number}: {found[1]}", found[1].count("=")


# What a graph is made of has one view, compiler/ir/uses.h and edit.h.
VIEW = re.compile(r"std::vector<const (?:ir::)?Op\*> \w+"  # what makes each value
                  r"|\w+\* made_by\(ValueId id\) const \{\s*const (?:ir::)?Op\* op = "
                  r"|std::vector<std::vector<(?:Incoming|std::pair<[^;{}]*>)>> \w+;"  # edges into each block
                  r"|std::vector<\w*Place> places_;|Graph reversed\(")
VIEWERS = ("compiler/typing/", "compiler/passes/", "compiler/host/", "compiler/lower/")


def found_in(names, rooms, pattern):
    """Places of a pattern that may go over several lines."""
    for name in names:
        text = (ROOT / name).read_text() if name.startswith(rooms) else ""
        for found in pattern.finditer(text):
            yield f"{name}:{text.count(chr(10), 0, found.start()) + 1}", 1


def private_views(names):
    """Tables of definitions and of edges beside the one view."""
    yield from found_in(names, VIEWERS, VIEW)


# A visitor of operations whose answer for all that it does not name is a template without a condition: a new op gets it unasked.
# What is true of ops stands on them (compiler/ir/op_info.h), and a template says for which of them it is (requires).
SILENT = re.compile(r"template <class \w+>\n +[\w:<>*]+(?: \w+)*[ *]+operator\(\)\(const \w+&(?: \w+)?\) const \{")


def silent_visitors(names):
    yield from found_in(names, ("compiler/ir/", "compiler/passes/", "compiler/lower/", "compiler/host/"), SILENT)


COUNTS = (("files that ask the vendor", ask_the_vendor), ("tuning numbers outside their homes", tuning_numbers),
          ("private graph views", private_views), ("visitors that default silently", silent_visitors))


def show(names):
    """`names`: of files in C++."""
    for title, count in COUNTS:
        found = list(count(names))
        print(f"{title}: {len(found)}")
        for place, times in found:
            print(f"  {place}" + (f" ({times})" if times > 1 else ""))
