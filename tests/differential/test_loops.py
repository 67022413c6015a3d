"""Loops on the host: what all threads do together is found to be so, and nobody sees from the bits how many lanes there are."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import loop_kernels
from hetjit import _core, device

LAUNCHES = ((1, 32, 1), (37, 16, 3), (100, 7, 2), (100, 64, 1), (301, 100, 2), (65, 96, 1), (64, 128, 1), (130, 1, 40))  # n, block, grid
ALL = [*loop_kernels.EVEN, *loop_kernels.BOUNDED, loop_kernels.sums_up_to, loop_kernels.ends_between, loop_kernels.on_a_ring, loop_kernels.of_a_pattern, *loop_kernels.SHARED, *loop_kernels.ROWS, loop_kernels.with_barriers, loop_kernels.found,
       loop_kernels.by_unsigned_hand]


def arrays(n):
    return np.random.default_rng(n).random(n, np.float32), np.zeros(n, np.float32)


def explained(function):
    return device.kernel(function).explain(*arrays(40), 40, target="cpu:x86-64-v3")


@pytest.mark.parametrize("lanes", ["1", "4", "16", "32", "64"])
@pytest.mark.parametrize("function", ALL, ids=lambda function: function.__name__)
def test_lanes_do_not_show(function, lanes, monkeypatch):
    monkeypatch.setenv("HETJIT_LANES", lanes)
    kernel = device.kernel(function)
    for n, block, grid in LAUNCHES:
        x, wanted = arrays(n)
        y = wanted.copy()
        _core.interpret(_core.capture(function), (x, wanted, n), grid, block)
        kernel[grid, block](x, y, n)
        assert y.tobytes() == wanted.tobytes(), (n, block, grid)


@pytest.mark.parametrize("function", [*loop_kernels.EVEN, loop_kernels.with_barriers], ids=lambda function: function.__name__)
def test_all_take_the_same_turns(function):
    text = explained(function)
    assert "loop: uniform" in text and "loop: divergent" not in text, text


def test_barriers_in_such_loops_are_come_to_together():
    assert "tier Whole" in explained(loop_kernels.with_barriers)


def test_a_loop_begins_together_in_each_turn_of_another():
    text = explained(loop_kernels.found)
    assert text.count("loop: divergent") == 1 and text.count("loop: uniform") == 1, text


@pytest.mark.parametrize("function", loop_kernels.BOUNDED, ids=lambda function: function.__name__)
def test_lanes_within_bounds_have_no_masks(function):
    assert "loop: uniform, without masks while all lanes are within bounds" in explained(function)


@pytest.mark.parametrize("function", loop_kernels.DEALT_OUT, ids=lambda function: function.__name__)
def test_turns_go_as_memory_lies(function):
    assert "as memory lies, whoever's they are" in explained(function)


@pytest.mark.parametrize("function", [one for one in loop_kernels.SHARED if one not in loop_kernels.DEALT_OUT], ids=lambda function: function.__name__)
def test_full_warps_stay_full_until_the_last_turns(function):
    assert "loop: divergent, full warps until their last turns" in explained(function)


@pytest.mark.parametrize("function", loop_kernels.OF_WHOLE_WARPS, ids=lambda function: function.__name__)
def test_rows_of_whole_warps_are_read_as_rows(function):
    text = explained(function)
    assert "gather" not in text and "scatter" not in text and "contiguous" in text, text
