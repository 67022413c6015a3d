"""What clang has read and compiled once: how often it is started, what the next process finds, and what is compiled again."""

import os
import shutil
import subprocess
import sys
import time

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

PROGRAM = """
import os, sys
import numpy as np
from hetjit import device

lib = device.cxx('#include "step.h"\\ninline int twice(int x) { return 2 * x; }\\ninline float twice(float x) { return 2 * x; }', include=".")

@device.kernel
def k(out):
    out[0] = lib.next(1)
    out[1] = lib.twice(21)
    out[2] = int(lib.twice(1.5))

out = np.zeros(3, np.int32)
k[1, 1](out)
print(*out.tolist())
"""
FOR_GPUS = """
for target in ("cuda:sm_90", "hip:gfx942"):
    device.emit(k.underlying, "(int32[::1],)", target=target, kind="asm", kernel=True)
"""
CALLS = 3


class Place:
    """A folder with a header, a cache, a folder for temporary files and a clang that counts."""

    def __init__(self, folder):
        self.folder = folder
        self.step(4)
        (folder / "tmp").mkdir()
        clang = folder / "clang"
        clang.write_text(f'#!/bin/sh\necho >> {folder}/started\nexec {shutil.which("clang++-22")} "$@"\n')
        clang.chmod(0o755)
        self.environment = {**os.environ, "HETJIT_CACHE": "on", "HETJIT_CACHE_DIR": str(folder / "cache"), "HETJIT_CLANG": str(clang),
                            "TMPDIR": str(folder / "tmp"), "HETJIT_VERIFY": ""}

    def step(self, by):
        (self.folder / "step.h").write_text(f"inline int next(int x) {{ return x + {by}; }}\n")

    def run(self, program=PROGRAM):
        """(what it prints, how often clang was started)"""
        started = self.folder / "started"
        started.write_text("")
        (self.folder / "program.py").write_text(program)
        done = subprocess.run([sys.executable, "program.py"], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout.strip(), len(started.read_text().splitlines())


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def test_a_library_is_read_once_per_target_and_by_the_next_process_never(place):
    assert place.run(PROGRAM + FOR_GPUS) == ("5 42 3", 3 * (1 + CALLS))
    assert place.run(PROGRAM + FOR_GPUS) == ("5 42 3", 0)
    assert list((place.folder / "tmp").iterdir()) == []
    place.environment["HETJIT_CACHE"] = "off"
    assert place.run() == ("5 42 3", 1 + CALLS)


def test_an_edited_header_is_compiled_again_even_if_it_looks_the_same(place):
    place.run()
    header = place.folder / "step.h"
    before = header.stat()
    place.step(7)
    os.utime(header, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert header.stat().st_size == before.st_size and header.stat().st_mtime_ns == before.st_mtime_ns
    assert place.run() == ("8 42 3", 1 + CALLS)
    place.step(4)  # what was made of it was replaced by what was made last
    assert place.run()[0] == "5 42 3"


def folders_with(place, *names):
    """Folders of headers, of which the last has step.h, and a program that includes it from there."""
    for name in names:
        (place.folder / name).mkdir(parents=True)
    (place.folder / "step.h").rename(place.folder / names[-1] / "step.h")
    return PROGRAM.replace('include="."', f"include={list(names)}")


def test_a_header_that_appears_earlier_is_found(place):
    program = folders_with(place, "first", "second")
    assert place.run(program) == ("5 42 3", 1 + CALLS)
    (place.folder / "first" / "other.h").write_text("")
    assert place.run(program) == ("5 42 3", 0)
    place.step(7)
    (place.folder / "step.h").rename(place.folder / "first" / "step.h")
    assert place.run(program) == ("8 42 3", 1 + CALLS)
    assert place.run(program) == ("8 42 3", 0)


def test_a_folder_that_appears_is_looked_into(place):
    program = folders_with(place, "first", "second")
    (place.folder / "first").rmdir()
    assert place.run(program) == ("5 42 3", 1 + CALLS)
    place.step(7)
    (place.folder / "first").mkdir()
    (place.folder / "step.h").rename(place.folder / "first" / "step.h")
    assert place.run(program) == ("8 42 3", 1 + CALLS)


def test_a_header_beside_the_one_that_includes_it_comes_first(place):
    program = PROGRAM.replace('"step.h"', '"inner/all.h"')
    (place.folder / "inner").mkdir()
    (place.folder / "inner" / "all.h").write_text('#include "step.h"\n')
    assert place.run(program) == ("5 42 3", 1 + CALLS)
    (place.folder / "inner" / "step.h").write_text("inline int next(int x) { return x + 8; }\n")
    assert place.run(program) == ("9 42 3", 1 + CALLS)


def test_a_header_that_was_only_asked_for(place):
    (place.folder / "step.h").write_text("""
        #if __has_include("faster.h")
        #include "faster.h"
        #else
        inline int next(int x) { return x + 4; }
        #endif
    """)
    assert place.run() == ("5 42 3", 1 + CALLS)
    (place.folder / "faster.h").write_text("inline int next(int x) { return x + 40; }\n")
    assert place.run() == ("41 42 3", 1 + CALLS)
    (place.folder / "faster.h").unlink()
    assert place.run() == ("5 42 3", 1 + CALLS)


def test_a_process_that_goes_on_sees_a_header_appear(place):
    program = folders_with(place, "first", "second") + """
open("first/step.h", "w").write("inline int next(int x) { return x + 9; }")
@device.kernel
def again(out):
    out[0] = lib.next(1)
again[1, 1](out)
print(out[0])
"""
    assert place.run(program)[0].split()[-1] == "10"


def test_kernels_that_call_are_kept(place):
    counted = PROGRAM + "\nfrom hetjit import _core\nprint(_core.compilations())"
    assert place.run(counted)[0].split("\n")[-1] == "1"
    assert place.run(counted) == ("5 42 3\n0", 0)
    place.step(6)
    assert place.run(counted)[0] == "7 42 3\n1"


def test_another_clang_and_other_folders_of_headers_compile_again(place):
    place.run()
    with (place.folder / "clang").open("a") as clang:
        clang.write("# a newer one\n")
    assert place.run()[1] == 1 + CALLS
    place.environment["CPLUS_INCLUDE_PATH"] = str(place.folder)
    assert place.run()[1] == 1 + CALLS


def test_damaged_files_are_compiled_again_and_mended(place):
    place.run()
    for file in (place.folder / "cache").rglob("*"):
        if file.is_file():
            data = bytearray(file.read_bytes())
            data[len(data) // 2] ^= 0xFF
            file.write_bytes(data)
    assert place.run() == ("5 42 3", 1 + CALLS)
    assert place.run() == ("5 42 3", 0)


def test_the_cache_lists_and_clears_them(place):
    place.run()
    listed, _ = place.run("from hetjit import device\nfor e in device.cache.entries(): print(e.first('kernel'), e.first('signature'), e.first('target'), e.fault)")
    lines = [line.strip() for line in listed.splitlines()]
    assert len(lines) == CALLS + 1 and "C++ next(hetjit_a0) (int32) cpu:native" in lines and "C++ twice(hetjit_a0) (float32) cpu:native" in lines
    assert place.run("from hetjit import device\nprint(device.cache.clear(), device.cache.info()['files'])")[0] == f"{CALLS + 1} 0"


def test_a_shared_folder_is_read(place):
    place.run()
    place.environment["HETJIT_CACHE_SHARED"] = place.environment["HETJIT_CACHE_DIR"]
    place.environment["HETJIT_CACHE_DIR"] = str(place.folder / "mine")
    assert place.run() == ("5 42 3", 0)


def test_folders_of_processes_that_were_killed_are_removed(place):
    left = place.folder / "tmp" / "hetjit-cxx-left"
    (left / "in").mkdir(parents=True)
    fresh = place.folder / "tmp" / "hetjit-cxx-fresh"
    fresh.mkdir()
    os.utime(left, (time.time() - 7200,) * 2)
    place.run()
    assert not left.exists() and fresh.exists()


def test_forked_processes_go_on(place):
    program = PROGRAM + """
sys.stdout.flush()
child = os.fork()
if child == 0:
    @device.kernel
    def other(out):
        out[0] = lib.twice(out[0]) + lib.next(out[1])
    other[1, 1](out)
    print(out[0], flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
os.environ["HETJIT_CACHE"] = "off"
@device.kernel
def later(out):
    out[0] = lib.twice(out[2]) + 100
later[1, 1](out)
print(out[0])
"""
    assert place.run(program)[0].split() == ["5", "42", "3", "56", "106"]
    assert list((place.folder / "tmp").iterdir()) == []


def test_a_folder_that_was_cleared_away_is_made_again(place):
    program = PROGRAM + """
import pathlib, shutil
for folder in pathlib.Path(os.environ["TMPDIR"]).iterdir():
    shutil.rmtree(folder)
@device.kernel
def again(out):
    out[0] = int(lib.twice(device.float32(out[1]) + 0.5))
again[1, 1](out)
print(out[0])
"""
    assert place.run(program)[0].split() == ["5", "42", "3", "85"]
