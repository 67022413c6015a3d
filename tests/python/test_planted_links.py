"""Files that compiling leaves in folders where others may write: links with their names, planted before, are not followed."""

import glob
import os

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from test_processes import python

pytestmark = pytest.mark.skipif(not hasattr(os, "symlink"), reason="no symbolic links on this system")

PHASES = ["request", "ssa", "typed", "optimized", "plan", "llvm", "assembly", "explain"]


def test_kept_dumps(tmp_path):
    victim, keep = tmp_path / "victim", tmp_path / "keep"
    victim.write_text("precious")
    keep.mkdir()
    python(f"""
import os
import numpy as np
from hetjit import device
for compilation in range(1, 3):
    for number in range(10):
        for phase in {PHASES!r}:
            os.symlink({str(victim)!r}, f"{keep}/{{os.getpid()}}-{{compilation}}-{{number}}-{{phase}}.txt")
@device.kernel
def f(x):
    x[0] = 1
for type in (float, int):
    f[1, 1](np.zeros(3, type))
""", HETJIT_KEEP=str(keep))
    assert victim.read_text() == "precious"
    written = [path for path in glob.glob(f"{keep}/*") if not os.path.islink(path)]
    assert len(written) == 2 * len(PHASES)
    assert all(os.path.getsize(path) for path in written)


def test_objects_of_amd(tmp_path):
    """lld's output: nothing is left, and nothing written to what has been there before."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for name in ("hetjit-XXXXXX", "hetjit", "out"):
        os.symlink(victim, tmp_path / name)
    before = sorted(os.listdir(tmp_path))
    python("""
from hetjit import device
def f(x):
    x[0] = 1
device.emit(f, "(float32[:])", target="hip:gfx942", kind="obj")
""", TMPDIR=str(tmp_path))
    assert victim.read_text() == "precious"
    assert sorted(os.listdir(tmp_path)) == before
