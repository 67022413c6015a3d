"""The memory of machines, as the process has room for it."""

import gc

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit.emulation.arena import Arena

MANY = 700  # more arenas than addresses of 47 bits have room for


def test_arenas_that_nobody_holds_give_their_room_to_others():
    gc.disable()  # a program of few objects that are not NumPy's is hardly ever collected
    try:
        for _ in range(MANY):
            arena = Arena()
            arena.itself = arena  # until a collection
    finally:
        gc.enable()


def test_arenas_that_are_held_run_out_with_a_word():
    held = []
    with pytest.raises(MemoryError, match="address space"):
        for _ in range(100 * MANY):
            held.append(Arena())
    assert len(held) > 100
