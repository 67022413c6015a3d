"""`--rows-report FILE`: one JSON line for each test that names rows of the requirements (rows.py), with what it gave on each target.

* host: the test's own outcome (tests of tests/devices that ran on a GPU count there instead).
* nvptx, amdgpu: everything that the test had compiled for the host is compiled for a GPU of each vendor too, from the requests
  that HETJIT_KEEP leaves; what the test itself compiled for such a target counts as well.
* gpu: tests that ran on one, which are those with a parameter `where` that names it. One that names a machine (`emu:sm_90`) counts
  under nvptx, or amdgpu.

Of the tests with a parameter that names a machine for AMD (`emu:gfx942`) only a share is run by default, all with `./dev test --machines`
(HETJIT_MACHINES=all): that machine takes each instruction of a wave by itself. A test marked `always` is in every share.
"""

import json
import os
import pathlib
import re
import shutil
import tempfile
import zlib

import pytest

GPU_TARGETS = {"nvptx": "cuda:sm_90", "amdgpu": "hip:gfx942"}
REQUEST = re.compile(r"(?:# portable_math: yes\n)?# signature: (.*)\n# target: (.*)\n# kernel: (.*)\n# contract: (.*)\n"
                     r"# fastmath: (.*)\n")


AMD_SHARE = 12  # one of so many


def on_amd(item):
    """The machine for AMD that a test's parameters name."""
    names = [v for v in item.callspec.params.values() if isinstance(v, str) and v.startswith("emu:gfx")] if hasattr(item, "callspec") else []
    return names[0] if names else ""


def pytest_collection_modifyitems(config, items):
    if os.environ.get("HETJIT_MACHINES", "share") == "all" or any("::" in argument for argument in config.args):
        return
    left = [i for i in items if on_amd(i) and not i.get_closest_marker("always") and zlib.crc32(i.nodeid.encode()) % AMD_SHARE]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [i for i in items if i not in set(left)]


def pytest_runtest_setup(item):
    name = on_amd(item)
    if name:
        from hetjit.emulation import devices
        try:
            devices.needs_numpy(name)
            devices.needs_tinygrad(name)
        except ImportError as error:
            pytest.skip(str(error))


def pytest_addoption(parser):
    parser.addoption("--rows-report", default=None, help="a file of JSON lines: rows, targets, outcomes")


def pytest_configure(config):
    if config.getoption("--rows-report"):
        config.pluginmanager.register(Report(config.getoption("--rows-report")), "rows-report")


class Report:
    def __init__(self, path):
        self.file = open(path, "w")
        self.folder = tempfile.mkdtemp(prefix="hetjit-rows-")

    def pytest_unconfigure(self):
        self.file.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        rows = rows_of(item)
        self.calls, self.compiled, self.reason = [], {}, ""
        if not rows:
            yield
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("HETJIT_KEEP", self.folder)
            self.watch_compile(patch)
            yield
        self.write(item, rows)

    def watch_compile(self, patch):
        """Notes the target of each _core.compile; such a call is the test's own proof for that target."""
        from hetjit import _core
        compile = _core.compile

        def watched(snapshot, signature, target, *rest, **options):
            made = compile(snapshot, signature, target, *rest, **options)
            for name, prefix in (("nvptx", "cuda:"), ("amdgpu", "hip:")):
                if target.startswith(prefix):
                    self.compiled[name] = "passed"
            return made
        patch.setattr(_core, "compile", watched)

    def pytest_runtest_logreport(self, report):
        self.calls.append(report.outcome)
        if report.skipped and isinstance(report.longrepr, tuple):
            self.reason = report.longrepr[2]

    def write(self, item, rows):
        outcome = next((word for word in ("failed", "skipped") if word in self.calls), "passed")
        where = getattr(item, "callspec", None) and item.callspec.params.get("where")
        targets = {ran_on(where): outcome}
        reasons = {name: self.reason for name in targets if self.reason}
        if outcome == "passed":
            for name, target in GPU_TARGETS.items():
                given, reason = recompile(self.folder, target)
                given = given or self.compiled.get(name)
                if given:
                    targets[name] = given
                if reason:
                    reasons[name] = reason
        self.file.write(json.dumps({"test": item.nodeid, "rows": rows, "targets": targets, "reasons": reasons}) + "\n")


def ran_on(where):
    """The column of a test with that parameter: a machine that stands in for a GPU counts for the vendor."""
    if not isinstance(where, str) or where.startswith("cpu"):
        return "host"
    return {"emu:sm": "nvptx", "emu:gf": "amdgpu"}.get(where[:6], "gpu")


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
            outcome = outcome or "passed"
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
