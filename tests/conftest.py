"""`--rows-report FOLDER`: one JSON line for each test that names rows of the requirements (rows.py), with what it gave on each target,
in a file for each of pytest's processes.

* host: the test's own outcome (tests of tests/devices that ran on a GPU count there instead).
* nvptx, amdgpu: `run` when what the test launched or interpreted on the host left the same on a machine in the GPU's place
  (repeated.py), or the test itself has a parameter that names one (`emu:sm_90`); else `compiled` when all that it had compiled for the
  host compiles for the vendor's GPU too, from the requests that HETJIT_KEEP leaves, or when it compiled for such a target itself.
* gpu: tests that ran on one, which are those with a parameter `where` that names it.
  A test whose parameter `where` names a machine (`emu:sm_90`) counts under nvptx, or amdgpu.

Of the tests with a parameter that names a machine for AMD (`emu:gfx942`) only a share is run by default, all with `./dev test --machines`
(HETJIT_MACHINES=all): that machine takes each instruction of a wave by itself. Of the cases of tests that wait for clang a share is run, too
(HETJIT_CASES: "all", or "share" of the cases of all tests). A test marked `always` is in every share, and a report on rows has all that name
one: a row is run on a vendor's machine whatever share its tests fall into.
"""

import gc
import json
import os
import pathlib
import re
import shutil
import tempfile
import zlib

import pytest

from rows import VENDORS

os.environ["HETJIT_CACHE"] = "off"  # what is tested is compiled, whatever the user has kept

REQUEST = re.compile(r"(?:# portable_math: yes\n)?# signature: (.*)\n# target: (.*)\n# kernel: (.*)\n# contract: (.*)\n"
                     r"# fastmath: (.*)\n")


AMD_SHARE = 5  # one of so many
CASES = 5      # of a test with parameters one of so many, and the first: of those that wait for clang, and with HETJIT_CASES=share of all
WAITING = {"interop", "libraries"}  # folders of tests that wait for clang most of the time: of 1,850 CPU seconds 1,400 in cases


def on_amd(item):
    """The machine for AMD that a test's parameters name."""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    return next((given[name] for name in ("where", "machine") if str(given.get(name, "")).startswith("emu:gfx")), "")


def all_but_a_share(items):
    """Of each test with parameters the cases that are neither its first nor of the share."""
    seen = set()
    for item in items:
        test = item.nodeid.partition("[")[0]
        if test in seen and zlib.crc32(item.nodeid.encode()) % CASES:
            yield item
        seen.add(test)


def pytest_collection_modifyitems(config, items):
    whole = os.environ.get("HETJIT_MACHINES", "share") == "all" or config.getoption("--rows-report")
    if whole or any("::" in argument for argument in config.args):
        return
    left = {i for i in items if on_amd(i) and not i.get_closest_marker("always") and zlib.crc32(i.nodeid.encode()) % AMD_SHARE}
    cases = os.environ.get("HETJIT_CASES")
    if cases != "all":
        shared = items if cases == "share" else [i for i in items if not WAITING.isdisjoint(i.path.parts)]
        left |= {i for i in all_but_a_share(shared) if not i.get_closest_marker("always")}
    if left:
        config.hook.pytest_deselected(items=list(left))
        items[:] = [i for i in items if i not in left]


def pytest_runtest_setup(item):
    name = on_amd(item)
    if name:
        from hetjit.emulation import devices
        try:
            devices.needs_numpy(name)
            devices.needs_tinygrad(name)
        except ImportError as error:
            pytest.skip(str(error))


@pytest.fixture(autouse=True)
def leaks():
    """With HETJIT_DEBUG=handles a test fails that leaves a handle of the extension open, or before which one was: by what its module does when
    it is imported, or a fixture of several tests."""
    if WATCHING is None:
        yield None
        return
    yield WATCHING
    try:
        WATCHING.stop()
    finally:
        WATCHING.start()


@pytest.fixture(autouse=True, scope="module")
def settled():
    """What earlier modules left is set aside: hundreds of tests collect garbage, each of which would go through all of it."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module")
def compiled_once(request, tmp_path_factory):
    """What is made of the same source is made once in this run: clang takes seconds for C++ that many tests call."""
    own = tmp_path_factory.getbasetemp()
    shared = own if worker(request.config) == "alone" else own.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HETJIT_CACHE", "on")
        patch.setenv("HETJIT_CACHE_DIR", str(shared / "compiled"))
        yield


def watch_handles():
    """A LeakDetector from now on; None: handles are not noted."""
    from hetjit import debug
    if not debug.enabled:
        return None
    detector = debug.LeakDetector()
    detector.start()
    return detector


WATCHING = watch_handles() if "handles" in os.environ.get("HETJIT_DEBUG", "").split(",") else None


def pytest_addoption(parser):
    parser.addoption("--rows-report", default=None, help="a folder for files of JSON lines: rows, targets, outcomes")


def pytest_configure(config):
    folder = config.getoption("--rows-report")
    if folder and runs_tests(config):
        config.pluginmanager.register(Report(pathlib.Path(folder) / f"{worker(config)}.jsonl"), "rows-report")


def worker(config):
    """The name of this process among those that pytest-xdist has made, or "alone"."""
    return config.workerinput["workerid"] if hasattr(config, "workerinput") else "alone"


def runs_tests(config):
    """Whether this process runs tests itself and does not hand them to others."""
    return hasattr(config, "workerinput") or not config.getoption("numprocesses", None)


class Report:
    def __init__(self, path):
        import repeated  # which needs NumPy
        self.noting = repeated.Noted
        self.file = open(path, "w")
        self.folder = tempfile.mkdtemp(prefix="hetjit-rows-")

    def pytest_unconfigure(self):
        self.file.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        rows = rows_of(item)
        self.calls, self.compiled, self.reason = [], {}, ""
        marker = item.get_closest_marker("differs")
        self.apart = marker.kwargs.get("where", "everywhere") if marker else ""
        if not rows:
            yield
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        with pytest.MonkeyPatch.context() as patch:
            if self.apart != "everywhere":
                patch.setenv("HETJIT_KEEP", self.folder)
                self.noted = self.noting(patch)
            self.watch_compile(patch)
            yield
        self.write(item, rows)

    def watch_compile(self, patch):
        """Notes the target of each _core.compile; such a call is the test's own proof for that target."""
        from hetjit import _core
        compile = _core.compile

        def watched(snapshot, signature, target, *rest, **options):
            made = compile(snapshot, signature, target, *rest, **options)
            for vendor in VENDORS:
                if target.partition(":")[0] == vendor.target.partition(":")[0]:
                    self.compiled[vendor.column] = "compiled"
            return made
        patch.setattr(_core, "compile", watched)

    def pytest_runtest_logreport(self, report):
        self.calls.append(report.outcome)
        if report.skipped and isinstance(report.longrepr, tuple):
            self.reason = report.longrepr[2]

    def write(self, item, rows):
        outcome = next((word for word in ("failed", "skipped") if word in self.calls), "run")
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        ran_on = column_of(parameters)
        targets = {ran_on: outcome}
        reasons = {ran_on: self.reason} if self.reason else {}
        if (ran_on, outcome) == ("host", "run"):
            for vendor in VENDORS:
                given, reason = self.on_vendor(vendor)
                targets.update({vendor.column: given} if given else {})
                reasons.update({vendor.column: reason} if reason else {})
        self.file.write(json.dumps({"test": item.nodeid, "rows": rows, "targets": targets, "reasons": reasons}) + "\n")
        self.file.flush()

    def on_vendor(self, vendor):
        """(outcome, reason) of what the test had run or compiled on the host, for a vendor's GPU."""
        given, reason = recompile(self.folder, vendor.target)
        if given == "failed":
            return given, reason
        if vendor.machine and self.apart not in ("everywhere", vendor.machine):
            again, why = self.noted.repeat(vendor.machine)
            if again:
                return again, why
        return given or self.compiled.get(vendor.column), reason


def column_of(parameters):
    """The column of a test with these parameters: a machine that stands in for a GPU counts for its vendor."""
    where = next((parameters[name] for name in ("where", "machine") if isinstance(parameters.get(name), str)), "cpu")
    if where in ("null", "interpreter") or where.startswith("cpu"):
        return "host"
    kind = re.match(r"emu:(\D+)", where)
    return next((vendor.column for vendor in VENDORS if kind and f":{kind[1]}" in vendor.target), "gpu")


def rows_of(item):
    return sorted({row for mark in item.iter_markers("row") for row in mark.args})


def recompile(folder, target):
    """(outcome, reason) of compiling all kept requests for the target; (None, "") when there are none."""
    from hetjit import _core, device
    outcome, reason = None, ""
    for path in sorted(pathlib.Path(folder).glob("*-request.txt")) if os.path.isdir(folder) else ():
        text = path.read_text(errors="surrogateescape")
        found = REQUEST.match(text)
        signature, was, *flags = found.groups()
        if not was.startswith("cpu"):
            continue
        kernel, contract, fastmath = (flag == "yes" for flag in flags)
        try:
            _core.compile(text[found.end():], signature, target, kernel=kernel, contract=contract, fastmath=fastmath)
            outcome = outcome or "compiled"
        except device.CompileError as error:
            first = str(error).split("\n")[0]
            if error.code == "E0601":  # a vendor's library is missing here
                outcome, reason = outcome or "skipped", first
            elif compiles_here(_core, device, text[found.end():], signature, was, kernel):
                return "failed", f"{item_label(signature)}{first}"
    return outcome, reason


def compiles_here(_core, device, snapshot, signature, target, kernel):
    """Whether the host takes it: a program that is refused everywhere proves nothing against a GPU."""
    try:
        _core.compile(snapshot, signature, target, kernel=kernel)
        return True
    except device.CompileError:
        return False


def item_label(signature):
    return f"for {signature}: "
