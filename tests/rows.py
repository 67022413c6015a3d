"""The rows of the requirements (rows.tsv) and the tests that prove them.

A test names its rows: `@pytest.mark.row("HET-VEC-3")` on a function, a class, a parameter or a module (`pytestmark`); in a golden
file, and in bad_programs.txt, a line `# ROW: HET-VEC-3`; in GoogleTest the end of the test's name, `TEST(Layout, Vectors_HET_VEC_19_HET_VEC_20)`. They are
collected from the sources without running anything, and docs/conformance.md is printed from them by docs/generate.py.

    python tests/rows.py --missing      rows of the device model that no test names
    python tests/run.py --rows          (`./dev test --rows`) runs the tests that name rows, then prints this file's table
"""

import ast
import collections
import csv
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

# A column of the table for each vendor: what is compiled for it, the machine that stands in for it ("": nobody does), and how the
# suites of GoogleTest that are about it begin.
Vendor = collections.namedtuple("Vendor", "column target machine suites")
VENDORS = (
    Vendor("nvptx", "cuda:sm_90", "emu:sm_90", "Nvidia"),
    Vendor("amdgpu", "hip:gfx942", "emu:gfx942", "Amd"),
)
TARGETS = ("host", *(vendor.column for vendor in VENDORS), "gpu")
WORDS = ("run", "compiled", "partly", "failed", "skipped", "-")
MARK_IN_NAME = re.compile(r"_((?:HETX|HET|HIPPY|SHROUD|HPY)_[A-Z]+_[A-Z0-9]+)")
GOOGLE_TEST = re.compile(r"^TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", re.M)

GROUPS = {
    "model": "The device model",
    "threads": "Later: threads, memory and atomics",
    "interop": "Later: calling C++ and being called by it (the check needs an object of a C++ compiler)",
    "adapters": "Adapters of pointers and buffers",
    "pointers": "Later: wrapped C++ libraries",
    "handles": "Later: the extension's own habits",
}

Row = collections.namedtuple("Row", "id group user meaning")


def load():
    """{id: Row} in the order of the file."""
    with open(ROOT / "tests" / "rows.tsv", newline="") as file:
        lines = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {line["id"]: Row(line["id"], line["group"], line["user"] == "yes", line["meaning"]) for line in lines}


# ---- which tests name which rows

def rows_in_name(name):
    """["HET-VEC-19", "HET-VEC-20"] of a GoogleTest name."""
    return [found.replace("_", "-") for found in MARK_IN_NAME.findall("_" + name)]


def marks_below(node):
    """The row ids of all pytest.mark.row(...) calls within a piece of syntax."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "row":
            yield from (argument.value for argument in call.args if isinstance(argument, ast.Constant))


def python_marks(path):
    """(row, test) of a file of pytest tests. Marks outside of any test are the file's."""
    name = str(path.relative_to(ROOT))
    for node in ast.parse(path.read_text()).body:
        test = node.name if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else None
        for row in marks_below(node):
            yield row, f"{name}::{test}" if test else name


def google_marks(path):
    for suite, test in GOOGLE_TEST.findall(path.read_text()):
        for row in rows_in_name(test):
            yield row, f"{path.relative_to(ROOT)}::{suite}.{test}"


def golden_rows(path):
    """The rows that a golden file names."""
    return [row for line in re.findall(r"^# ROW: (.*)$", path.read_text(), re.M) for row in line.replace(",", " ").split()]


def collect():
    """{row id: [test, …]}, tests in the order of their files."""
    found = collections.defaultdict(list)

    def note(pairs):
        for row, test in pairs:
            if test not in found[row]:
                found[row].append(test)

    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        note(python_marks(path))
    for path in [*sorted((ROOT / "tests" / "golden").glob("*/*.py")), ROOT / "tests" / "differential" / "bad_programs.txt"]:
        note((row, str(path.relative_to(ROOT))) for row in golden_rows(path))
    for path in sorted((ROOT / "tests").rglob("*.cpp")):
        note(google_marks(path))
    return found


# ---- documents

def document():
    """docs/conformance.md."""
    rows, tests = load(), collect()
    unknown = sorted(set(tests) - set(rows))
    if unknown:
        raise SystemExit(f"tests name rows that tests/rows.tsv does not have: {', '.join(unknown)}")
    out = ["# Conformance", "",
           "Every row of the requirements, and the tests that prove it. Printed from `tests/rows.tsv` and the marks in the tests by "
           "`docs/generate.py`; `./dev test --rows` runs those tests and says how each row fares on each target "
           "([testing.md](testing.md)). Rows marked **U** are the user's duty: their tests show that a violation is refused.", ""]
    for group, title in GROUPS.items():
        members = [row for row in rows.values() if row.group == group]
        proven = sum(bool(tests[row.id]) for row in members)
        out += [f"## {title}", "", f"{proven} of {len(members)} rows have tests.", "",
                "| row | meaning | proven by |", "|---|---|---|"]
        for row in members:
            named = "<br>".join(f"`{test}`" for test in tests[row.id]) or "—"
            meaning = row.meaning.replace("|", "\\|")
            out.append(f"| {row.id}{' **U**' if row.user else ''} | {meaning} | {named} |")
        out.append("")
    return "\n".join(out)


# ---- how they fared

def google_targets(case, outcome):
    """{column: outcome} of an entry of GoogleTest's report. A test is about the host unless its suite is named for a vendor, or it says
    RecordProperty("targets", "nvptx amdgpu"); nothing of a vendor's is run by those."""
    suite = case["classname"].split("/")[-1]
    named = [vendor.column for vendor in VENDORS if suite.startswith(vendor.suites)]
    columns = case.get("targets", "").split() or named or ["host"]
    return {column: "compiled" if outcome == "run" and column != "host" else outcome for column in columns}


def verdict(outcomes):
    """One word for what all tests of a row gave on a target. What some skipped was done in part only."""
    if "failed" in outcomes:
        return "failed"
    best = next((word for word in ("run", "compiled") if word in outcomes), "")
    if "skipped" in outcomes:
        return "partly" if best else "skipped"
    return best or "-"


def read_reports(paths):
    """{row: {target: [outcome, …]}}, {row: reasons of skips} and the tests that reported, from files of JSON lines (conftest.py, run.py)."""
    fared = collections.defaultdict(lambda: collections.defaultdict(list))
    why = collections.defaultdict(set)
    reported = set()
    for path in paths:
        for line in pathlib.Path(path).read_text().splitlines():
            entry = json.loads(line)
            reported.add(re.sub(r"\[.*", "", entry["test"], flags=re.S))
            for row in entry["rows"]:
                for target, outcome in entry["targets"].items():
                    fared[row][target].append(outcome)
                for target, reason in entry.get("reasons", {}).items():
                    why[row].add((target, reason))
    return fared, why, reported


def not_there(reported):
    """{row: tests that the sources name and that this build does not have}. They prove nothing here."""
    missing = {}
    for row, tests in collect().items():
        lost = [test for test in tests if "::" in test and not is_among(test, reported)]
        if lost:
            missing[row] = lost
    return missing


def is_among(test, reported):
    """`path.py::function`, `path.py::Class` or `path.cpp::Suite.Test`."""
    if test.partition("::")[0].endswith(".cpp"):
        return test.partition("::")[2] in reported
    return test in reported or any(name.startswith(test + "::") for name in reported)


def print_table(paths):
    """Prints the verdicts; returns how many rows failed somewhere, or are of the device model and were not all run on the host."""
    rows = load()
    fared, why, reported = read_reports(paths)
    missing = not_there(reported)
    totals = {target: collections.Counter() for target in TARGETS}
    bad = 0
    print(f"{'row':14}" + "".join(f"{target:9}" for target in TARGETS) + "meaning")
    for row in rows.values():
        if row.group != "model" and row.id not in fared:
            continue
        words = {target: verdict(fared.get(row.id, {}).get(target, ())) for target in TARGETS}
        for target, word in words.items():
            totals[target][word] += 1
        print(f"{row.id:14}" + "".join(f"{words[target]:9}" for target in TARGETS) + row.meaning)
        for target, reason in sorted(why[row.id]):
            if words[target] in ("partly", "skipped", "failed"):
                print(f"{'':14}{target}: {reason}")
        for test in missing.get(row.id, ()):
            print(f"{'':14}not there: {test}")
        bad += "failed" in words.values() or row.group == "model" and words["host"] != "run"
    print_totals(rows, fared, totals)
    return bad


def print_totals(rows, fared, totals):
    print()
    for target, counts in totals.items():
        print(f"{target:9}" + ", ".join(f"{counts[word]} {word}" for word in WORDS))
    later = collections.Counter(row.group for row in rows.values() if row.id not in fared and row.group != "model")
    print(f"{len(fared)} of {len(rows)} rows have tests; without, for later: "
          + ", ".join(f"{count} {group}" for group, count in later.items()))


def main():
    if "--missing" in sys.argv:
        tests = collect()
        missing = [row for row in load().values() if row.group == "model" and not tests[row.id]]
        for row in missing:
            print(f"{row.id:14}{row.meaning}")
        print(f"{len(missing)} rows of the device model have no test")
        return 1 if missing else 0
    print(document())
    return 0


if __name__ == "__main__":
    sys.exit(main())
