"""Lanes that no thread is, on GPUs with check="bounds": as on the host."""

import pathlib
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "differential"))

import on_machine
import shapes
import test_warp_edges
from hetjit import _core


@pytest.mark.row("HETX-WS-2")
@pytest.mark.parametrize("machine", on_machine.MACHINES)
@pytest.mark.parametrize("name", ("shuffles", "votes"))
def test_lanes_that_no_thread_is(name, machine, monkeypatch):
    monkeypatch.setenv("HETJIT_CHECK", "bounds")
    target = on_machine.target_of(machine)
    function, expected = test_warp_edges.edges(target)[name]
    image = _core.compile(_core.capture(function), "(array[int32, 2, contiguous, index32])", target)
    for threads in (1, 31, 48, 100):
        for block in shapes.blocks_of(threads)[:4]:
            out = np.zeros_like(expected(threads))
            on_machine.run(image, 1, block, (out,))
            np.testing.assert_array_equal(out, expected(threads), str(block))
