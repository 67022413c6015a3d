"""Runs every test that this machine can run and ends with `N passed, N failed, N skipped`.

    python tests/run.py --build build/release [--quick] [SUITE ...]
    python tests/run.py --build build/release --rows

Suites: tidy, the GoogleTest executables of the build, pytest under the interpreter that runs this file (all of
tests/), and tests/python again under the other CPythons >= 3.11 found with the same _core.abi3.so, handles watched: each file under one of them, of tests
with parameters a share of the cases; "handles", or --all: all cases of what goes through it (WATCHED) under each, this one too. What was skipped is listed with its reason. Other interpreters: those on PATH, under ~/.pyenv, and in HETJIT_PYTHONS (colon-separated).
--rows runs only the tests that name rows of the requirements and prints how each row fares on each target (rows.py).
"""

import argparse
import ast
import collections
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import interpreters
import rows

ROOT = pathlib.Path(__file__).resolve().parents[1]


class Tally:
    def __init__(self):
        self.passed = self.failed = 0
        self.failures = []
        self.skips = collections.Counter()

    def add(self, passed=0, failures=(), skips=()):
        self.passed += passed
        self.failed += len(failures)
        self.failures += failures
        self.skips.update(skips)


def run(command, **options):
    return subprocess.run(command, cwd=ROOT, text=True, **options)


def tidy(tally):
    done = run([sys.executable, "tests/tidy/tidy.py"], capture_output=True)
    print(done.stdout, end="")
    if done.returncode:
        tally.add(failures=["tidy: " + line for line in done.stdout.splitlines()[:-1]] or ["tidy: " + done.stderr])
    else:
        tally.add(passed=1)


def google_test(tally, executable):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        done = run([str(executable), f"--gtest_output=json:{out.name}"], capture_output=True)
        try:
            report = json.load(open(out.name))
        except ValueError:
            print(done.stdout[-4000:], done.stderr[-4000:])
            return tally.add(failures=[f"{executable.name}: ended with {done.returncode} before its report"])
    passed, failures, skips = 0, [], []
    for suite in report["testsuites"]:
        for case in suite["testsuite"]:
            name = f"{suite['name']}.{case['name']}"
            if case.get("failures"):
                failures.append(f"{executable.name}: {name}")
                print("\n".join(failure["failure"] for failure in case["failures"]))
            elif case.get("result") == "SKIPPED":
                skips.append(f"{executable.name}: {skip_reason(done.stdout, name)}")
            else:
                passed += 1
    if done.returncode and not failures:
        failures.append(f"{executable.name}: ended with {done.returncode}")
    print(f"{passed} passed, {len(failures)} failed, {len(skips)} skipped")
    tally.add(passed, failures, skips)


def google_rows(executable, out):
    """Runs the tests of an executable that name rows; a JSON line for each in the open file `out`."""
    listed = run([str(executable), "--gtest_list_tests"], capture_output=True).stdout
    if not any(rows.rows_in_name(line.split("#")[0].strip()) for line in listed.splitlines()):
        return
    pattern = ":".join(f"*_{family}_*" for family in ("HET", "HETX", "HIPPY", "SHROUD", "HPY"))
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        done = run([str(executable), f"--gtest_filter={pattern}", f"--gtest_output=json:{report.name}"], capture_output=True)
        for suite in json.load(open(report.name))["testsuites"]:
            for case in suite["testsuite"]:
                name = f"{suite['name']}.{case['name']}"
                skipped = case.get("result") == "SKIPPED"
                outcome = "failed" if case.get("failures") else "skipped" if skipped else "run"
                targets = rows.google_targets(case, outcome)
                entry = {"test": plain_name(name), "rows": rows.rows_in_name(case["name"].split("/")[0]), "targets": targets}
                if skipped:
                    entry["reasons"] = dict.fromkeys(targets, skip_reason(done.stdout, name))
                out.write(json.dumps(entry) + "\n")


def plain_name(name):
    """`Suite.Test` of a parametrized `Instance/Suite.Test/3`."""
    suite, _, test = name.partition(".")
    return f"{suite.split('/')[-1]}.{test.split('/')[0]}"


def report_rows(build):
    """./dev test --rows. Returns the exit status."""
    os.environ["HETJIT_MACHINES"] = "none"  # what tests run is repeated there all the same
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/google.jsonl", "w") as out:
            for executable in executables(build):
                google_rows(executable, out)
        run([sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", *side_by_side(sys.executable), "-m", "row",
             f"--rows-report={folder}", "tests"])
        return 1 if rows.print_table(pathlib.Path(folder).glob("*.jsonl")) else 0


def executables(build):
    return [path for path in sorted((ROOT / build / "tests").glob("unit_*")) if os.access(path, os.X_OK) and path.is_file()]


def skip_reason(output, name):
    """What the test printed when it skipped itself; the report on disk does not say."""
    found = re.search(rf"^\[ RUN      \] {re.escape(name)}\n.*?: Skipped\n(.*?)\n+\[  SKIPPED", output, re.M | re.S)
    return f"{name}: {found[1].strip()}" if found and found[1].strip() else f"{name} gives no reason"


def side_by_side(python):
    """pytest's arguments for a process on each core; none where that Python has no pytest-xdist."""
    count = min(len(os.sched_getaffinity(0)), 16)  # each takes some 300 MB
    found = subprocess.run([str(python), "-c", "import xdist"], capture_output=True).returncode == 0
    return ["-n", str(count), "--dist", "worksteal"] if found and count > 1 else []


def pytest(tally, python, paths, label, environment=None):
    with tempfile.NamedTemporaryFile(suffix=".xml") as out:
        done = run([str(python), "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", *side_by_side(python),
                    f"--junitxml={out.name}", *paths], env=environment)
        try:
            root = xml.parse(out.name).getroot()
        except xml.ParseError:
            return tally.add(failures=[f"{label}: pytest ended with {done.returncode} before its report"])
    passed, failures, skips = 0, [], []
    for case in root.iter("testcase"):
        name = f"{label}: {case.get('classname')}::{case.get('name')}"
        if case.find("failure") is not None or case.find("error") is not None:
            failures.append(name)
        elif case.find("skipped") is not None:
            skips.append(f"{label}: {why(case.find('skipped')) or name}")
        else:
            passed += 1
    if done.returncode not in (0, 5) and not failures:
        failures.append(f"{label}: pytest ended with {done.returncode}")
    tally.add(passed, failures, skips)


def why(skipped):
    """The reason that a test gave. Of a whole module it stands in the text: a tuple of file, line and reason."""
    if skipped.get("message") != "collection skipped":
        return skipped.get("message", "")
    return ast.literal_eval(skipped.text)[2].removeprefix("Skipped: ")


WATCHED = ["tests/python", "tests/interop", "tests/libraries"]  # where Python's objects go through the extension


def dealt(number, count):
    """Each file of the first watched folder to one of so many."""
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / WATCHED[0]).glob("test_*.py"))[number::count]]


def with_handles_watched(tally, whole):
    """Under the other CPythons found: a test fails that leaves a handle open. `whole`: all that is watched under each, this one too; else each file
    of tests/python under one of them."""
    others = [found for found in interpreters.find() if whole or found.version != sys.version_info[:2]]
    for number, found in enumerate(others):
        paths = WATCHED if whole else dealt(number, len(others))
        label = "python %d.%d, handles" % found.version
        what = ", ".join(WATCHED) if whole else f"{len(paths)} files of {WATCHED[0]}"
        print(f"== {what} with HETJIT_DEBUG=handles under {found.path}", flush=True)
        environment = (sys.executable, dict(os.environ)) if found.version == sys.version_info[:2] else interpreters.prepare(found, ROOT)
        if isinstance(environment, str):
            tally.skips[f"{label}: {environment}"] += 1
            continue
        python, variables = environment
        pytest(tally, python, paths, label, variables | {"HETJIT_DEBUG": "handles", "HETJIT_CASES": "all" if whole else "share"})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--quick", action="store_true", help="only this interpreter")
    parser.add_argument("--rows", action="store_true", help="the rows of the requirements, and how each fares")
    parser.add_argument("--all", action="store_true", help="everything, however long it takes: --machines too")
    parser.add_argument("--machines", action="store_true", help="all that machines stand in for, not a share (docs/emulation.md)")
    parser.add_argument("suites", nargs="*", help="tidy, python, handles, or names of executables; default: all")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that began this in the background has it ignored, in all tests of Ctrl-C too
    os.environ["HETJIT_VERIFY"] = "1"
    os.environ["HETJIT_CACHE"] = "off"
    os.environ["HETJIT_BUILD"] = str(ROOT / options.build)
    if options.all or options.machines:
        os.environ["HETJIT_MACHINES"] = "all"
    if options.rows:
        return report_rows(options.build)
    tally, started = Tally(), time.time()

    def wanted(name):
        return not options.suites or name in options.suites

    if wanted("tidy"):
        print("== tidy", flush=True)
        tidy(tally)
    for executable in executables(options.build):
        if wanted(executable.name):
            print(f"== {executable.name}", flush=True)
            google_test(tally, executable)
    if wanted("python"):
        print("== pytest under " + sys.executable, flush=True)
        pytest(tally, sys.executable, ["tests"], "python %d.%d" % sys.version_info[:2])
    if (wanted("handles") or "python" in options.suites) and not options.quick:
        with_handles_watched(tally, whole=options.all or "handles" in options.suites)

    if tally.skips:
        print("\nskipped, and why:")
        for reason, count in sorted(tally.skips.items()):
            print("  %4d x %s" % (count, re.sub(r"\s+", " ", reason)))
    if tally.failures:
        print("\nfailed:")
        for name in tally.failures:
            print("  " + name)
    print(f"\n{time.time() - started:.0f} s")
    print(f"{tally.passed} passed, {tally.failed} failed, {sum(tally.skips.values())} skipped")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
