"""The style guide as a test: walls between layers, lengths, untested diagnostics, files nobody names.

Run by `./dev tidy` and `./dev test`. Prints one line per finding, `path:line: what`, and exits 1 when there is any.
There is no waiver list; generated files are named *.inc and vendored ones are listed in VENDORED. With --counts it
prints what is counted and not forbidden (counts.py).
"""

import pathlib
import re
import subprocess
import sys

import counts

ROOT = pathlib.Path(__file__).resolve().parents[2]

LAYERS = {  # folder: what it may include, besides itself
    "abi": [],
    "frontend": ["abi"],
    "compiler": ["abi", "frontend"],
    "runtime": ["abi"],
    "python": ["abi", "frontend", "compiler", "runtime"],
}
ROOMS = {  # inside compiler: what a room may include, besides itself, abi and frontend
    "ir": [],
    "checks": [],
    "storage": [],
    "typing": ["ir", "builtins", "checks"],
    "builtins": ["ir", "typing", "checks"],  # one unit with typing: a builtin states its types and its translation
    "passes": ["ir"],
    "mathlib": ["ir", "passes"],
    "target": ["ir"],
    "lower": ["ir", "passes", "target"],
    "host": ["ir", "passes", "target", "lower"],
    "cxx": ["ir", "typing", "storage", "target"],
    "pipeline": ["ir", "checks", "typing", "builtins", "passes", "mathlib", "target", "lower", "host", "cxx"],
    "images": ["pipeline", "checks", "storage", "target", "cxx"],
}
INNER_ROOMS = {  # rooms inside a room, from the lowest: each may include those before it
    "compiler/typing": ["known", "core", "kinds", "ops", "run"],
    "compiler/host": ["facts", "phases", "plan", "warp", "entry"],
}
EXTENSION = "python/ext"
LOW_ROOMS = {"handles": [], "watches": ["handles"]}  # inside it: what a room may include besides itself; the others meet in state.h
LAST_ROOMS = ("adapters", "tools")  # which nobody includes but themselves and the module
FOREIGN = {  # header prefix: the only folders that may see it
    "Python.h": ["python/ext"],
    "structmember.h": ["python/ext"],
    "llvm/": ["compiler/lower", "compiler/host", "compiler/target", "tests/unit/backend"],
    "lld/": ["compiler/target"],
}
MACHINES = "python/hetjit/emulation"
APART = {"ptx": "amd", "amd": "ptx", "numbers": "ptx|amd"}  # a room of the machines: what it may not import
VENDORED = {"abi/dlpack.h"}
FILE_LINES, FUNCTION_LINES, COLUMNS, CASES = 500, 60, 100, 40
VERSION_TEST = re.compile(r"\bPY_VERSION_HEX\b|\bPY_MINOR_VERSION\b|\bPy_Version\b")


def tracked():
    """Files git tracks or would track, relative to the root."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True,
                           text=True, check=True).stdout.split("\n")
    return sorted(n for n in names if n and (ROOT / n).is_file())


def cpp(names):
    return [n for n in names if n.endswith((".cpp", ".h", ".hpp")) and n not in VENDORED]


def includes(name):
    for number, line in enumerate((ROOT / name).read_text().split("\n"), 1):
        found = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if found:
            yield number, found[1]


def check_walls(names):
    for name in cpp(names):
        layer = name.split("/")[0]
        for number, header in includes(name):
            for prefix, allowed in FOREIGN.items():
                if header.startswith(prefix) and not any(name.startswith(a + "/") for a in allowed):
                    yield f"{name}:{number}: {header} is only for {', '.join(allowed)}"
            target = header.split("/")[0]
            if layer in LAYERS and target in LAYERS and target != layer and target not in LAYERS[layer]:
                yield f"{name}:{number}: {layer} may not include {target} ({header})"
            if layer == "compiler" and target == "compiler":
                room, other = name.split("/")[1], header.split("/")[1]
                if room in ROOMS and other in ROOMS and room != other and other not in ROOMS[room]:
                    yield f"{name}:{number}: compiler/{room} may not include compiler/{other}"


def inner_rooms(name):
    """The room that has rooms inside, and the place in it of the one where the file is; None elsewhere."""
    for house, rooms in INNER_ROOMS.items():
        if name.startswith(house + "/"):
            room = name.removeprefix(house + "/").split("/")[0]
            return house, rooms.index(room) if room in rooms else None


def check_inner_walls(names):
    for name in cpp(names):
        here = inner_rooms(name)
        if here and here[1] is None:
            yield f"{name}:1: {here[0]} has the rooms {', '.join(INNER_ROOMS[here[0]])}; this file is in none"
            continue
        for number, header in includes(name):
            there = inner_rooms(header)
            if here and there and here[0] == there[0] and there[1] is not None and there[1] > here[1]:
                yield f"{name}:{number}: points upward, to {header}"
    for room, other in APART.items():
        for name in names:
            if name.startswith(f"{MACHINES}/{room}/") and re.search(rf"(from|import) \.\.({other})\b", (ROOT / name).read_text()):
                yield f"{name}:1: {MACHINES}/{room} may not import {other}"


def check_rooms_of_the_extension(names):
    for name in cpp(names):
        if not name.startswith(EXTENSION + "/"):
            continue
        room = pathlib.PurePath(name).parent.name
        for number, header in includes(name):
            if not header.startswith(EXTENSION + "/"):
                continue
            other = pathlib.PurePath(header).parent.name
            if room in LOW_ROOMS and other != room and other not in LOW_ROOMS[room]:
                yield f"{name}:{number}: {EXTENSION}/{room} may not include {header}"
            if other in LAST_ROOMS and other != room and name != EXTENSION + "/module.cpp":
                yield f"{name}:{number}: {EXTENSION}/{other} is only for itself and the module"


def check_lengths(names):
    for name in names:
        if name in VENDORED or not name.endswith((".cpp", ".h", ".hpp", ".py", ".cu", "dev")):
            continue
        lines = (ROOT / name).read_text().split("\n")
        if len(lines) > FILE_LINES + 1:
            yield f"{name}:1: {len(lines) - 1} lines; a room has at most {FILE_LINES}"
        if name.endswith(".py"):
            yield from python_functions(name, lines)
        else:
            yield from cpp_functions(name, lines)
            for number, line in enumerate(lines, 1):
                if len(line) > COLUMNS and name != "dev" and "http" not in line:
                    yield f"{name}:{number}: {len(line)} columns; at most {COLUMNS}"


def python_functions(name, lines):
    import ast
    try:
        tree = ast.parse("\n".join(lines))
    except SyntaxError:
        return  # golden tests may hold what an older Python cannot parse
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = node.end_lineno - node.lineno + 1
            if length > FUNCTION_LINES:
                yield f"{name}:{node.lineno}: function {node.name} has {length} lines; at most {FUNCTION_LINES}"


def cpp_functions(name, lines):
    """A function's body in our format begins with a line that ends in '{' and has a ')' before it, and ends with
    a '}' at the same indentation. Namespaces, classes and tables have no ')'."""
    opening = re.compile(r"^( *)(?!namespace|struct|class|enum|union|#|//|extern|return|if|for|while|switch|else|do)"
                         r"\S.*\)[^;=()]*\{$|^( *)\S.*\) (?:const )?(?:-> [^{]+ )?\{$")
    open_at = None
    for number, line in enumerate(lines, 1):
        if open_at is None:
            indent = len(line) - len(line.lstrip(" "))
            if indent <= 2 and opening.match(line) and not re.match(r" *(if|for|while|switch|else|do)\b", line):
                open_at = (number, indent)
        elif line.startswith(" " * open_at[1] + "}") and len(line) - len(line.lstrip(" ")) == open_at[1]:
            if number - open_at[0] + 1 > FUNCTION_LINES:
                yield f"{name}:{open_at[0]}: a function of {number - open_at[0] + 1} lines; at most {FUNCTION_LINES}"
            open_at = None


def check_switches(names):
    for name in cpp(names):
        cases = len(re.findall(r"^ *case ", (ROOT / name).read_text(), re.M))
        if cases > CASES:
            yield f"{name}:1: {cases} cases; one function per instruction, or a table"


def check_versions(names):
    found = [n for n in cpp(names) if VERSION_TEST.search((ROOT / n).read_text())]
    for name in found:
        if name != "python/ext/handles/versions.h":
            yield f"{name}:1: tests Python's version; versions are rows (frontend/bytecode) or python/ext/handles/versions.h"


def codes():
    text = (ROOT / "frontend/diag/codes.def").read_text()
    return re.findall(r"^DIAG\((\d+),\s*(\w+),", text, re.M)


def check_diagnostics(names):
    remedies = set(re.findall(r'^REMEDY\((\w+),\s+"",', (ROOT / "frontend/diag/remedies.def").read_text(), re.M))
    seen = {}
    for number, code in codes():
        if number in seen:
            yield f"frontend/diag/codes.def:1: number {number} is both {seen[number]} and {code}"
        seen[number] = code
        if f"tests/golden/diag/{code}.py" not in names:
            yield f"frontend/diag/codes.def:1: {code} has no golden test tests/golden/diag/{code}.py"
        if code not in remedies:
            yield f"frontend/diag/remedies.def:1: nothing says what to write where {code} is reported"
    sources = "\n".join((ROOT / n).read_text() for n in cpp(names) if n.split("/")[0] in LAYERS)
    for _, code in codes():
        if f"Code::{code}" not in sources:
            yield f"frontend/diag/codes.def:1: nothing reports {code}"


def check_readmes(names):
    """Each folder of sources has a README that names its files."""
    folders = {}
    for name in cpp(names) + [n for n in names if n.startswith(MACHINES) and n.endswith(".py") and not n.endswith("__init__.py")]:
        path = pathlib.PurePath(name)
        if path.parts[0] in LAYERS:
            folders.setdefault(str(path.parent), []).append(path.stem)
    for folder, stems in sorted(folders.items()):
        readme = next((r for r in (f"{folder}/README.md", f"{pathlib.PurePath(folder).parent}/README.md")
                       if (ROOT / r).is_file()), None)
        if readme is None:
            yield f"{folder}:1: no README.md names its files"
            continue
        text = (ROOT / readme).read_text()
        for stem in sorted(set(stems)):
            if not re.search(rf"\b{re.escape(stem)}\b", text):
                yield f"{readme}:1: does not mention {folder}/{stem}"


MACHINE_PATHS = re.compile("/(?:w" + "ork|f" + "arm|r" + "oot)/|/tmp/(?:b" + "ash_jobs|r" + "esearch)")
UNFINISHED = re.compile(r"\b(T" + "ODO|F" + "IXME|X" + "XX)\b")


def check_words(names):
    for name in names:
        if name.endswith((".png", ".npz", ".snap", ".inc")) or name in VENDORED:
            continue
        for number, line in enumerate((ROOT / name).read_text(errors="replace").split("\n"), 1):
            if MACHINE_PATHS.search(line):
                yield f"{name}:{number}: a path of one machine"
            if UNFINISHED.search(line):
                yield f"{name}:{number}: unfinished work is finished or filed, not marked"


def check_documents(_):
    """Documents printed from sources are current."""
    done = subprocess.run([sys.executable, "docs/generate.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    yield from done.stdout.splitlines()


CHECKS = (check_walls, check_inner_walls, check_rooms_of_the_extension, check_lengths, check_switches, check_versions, check_diagnostics, check_readmes, check_words,
          check_documents)


def main():
    names = tracked()
    if "--counts" in sys.argv:
        counts.show(cpp(names))
        return 0
    findings = [finding for check in CHECKS for finding in check(names)]
    for finding in findings:
        print(finding)
    print(f"tidy: {len(names)} files, {len(codes())} diagnostics, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
