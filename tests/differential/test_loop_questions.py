"""Conditions of loops that the threads of a warp or a block are asked together, which CPython writes twice (frontend/build/join_copies.h):
`continue` goes to the first of them, the end of a turn to the second."""

import itertools

import numpy as np
import pytest

from hetjit import device

EVERYBODY = device.FULL_MASK
LIMIT = 60


def any_lane(x):
    i = device.int32(device.thread_idx.x)
    left, turns = i % 7, 0
    while device.any_sync(EVERYBODY, left > 0):
        turns += 1
        if left == 0:
            continue
        left -= 1
    x[i] = turns


def any_lane_and_a_limit(x):
    i = device.int32(device.thread_idx.x)
    left, turns = i % 7, 0
    while device.any_sync(EVERYBODY, left > 0) and turns < LIMIT:
        turns += 1
        if left == 0:
            continue
        left -= 1
    x[i] = turns


def a_limit_and_any_lane(x):
    i = device.int32(device.thread_idx.x)
    left, turns = i % 7, 0
    while turns < LIMIT and device.any_sync(EVERYBODY, left > 0):
        turns += 1
        if left == 0:
            continue
        left -= 1
    x[i] = turns


def not_all_lanes(x):
    i = device.int32(device.thread_idx.x)
    left, turns = i % 7, 0
    while not device.all_sync(EVERYBODY, left == 0):
        turns += 1
        if left % 2 == 1:
            left -= 1
            continue
        if left == 0:
            continue
        left -= 1
    x[i] = turns


def any_thread(x):
    i = device.int32(device.thread_idx.x)
    left, turns = i % 7, 0
    while device.syncthreads_or(left > 0):
        turns += 1
        if left == 0:
            continue
        left -= 1
    x[i] = turns


def with_an_else(x):
    i = device.int32(device.thread_idx.x)
    left, turns = i % 7, 0
    while device.any_sync(EVERYBODY, left > 0):
        turns += 1
        if left == 0:
            continue
        left -= 1
    else:
        turns += 100 * device.any_sync(EVERYBODY, i % 32 == 5)
    x[i] = turns


def in_one_another(x):
    i = device.int32(device.thread_idx.x)
    outer, turns = i % 3, 0
    while device.any_sync(EVERYBODY, outer > 0):
        inner = i % 4
        while device.any_sync(EVERYBODY, inner > 0):
            turns += 1
            if inner == 0:
                continue
            inner -= 1
        if outer == 0:
            continue
        outer -= 1
    x[i] = turns


def with_what_only_some_turns_change(x):
    i = device.int32(device.thread_idx.x)
    left, turns, last = i % 7, 0, 0
    while turns < LIMIT and device.syncthreads_or(left > 0):
        turns += 1
        if left == 0:
            k = 0
            while k < i % 2:
                k += 1
                last = turns
            continue
        left -= 1
    x[i] = turns + (last > turns)


def with_nothing_that_the_question_names(x):
    i = device.int32(device.thread_idx.x)
    seen, turns = i * 0, 0
    own = device.local_array(1, device.int32)
    own[0] = i % 7
    while device.any_sync(EVERYBODY, own[0] > 0):
        turns += 1
        if own[0] == 0:
            seen += 1
            continue
        own[0] -= 1
    x[i] = turns + (seen > 6)


def with_a_choice_in_the_question(x):
    i = device.int32(device.thread_idx.x)
    left, turns = i % 7, 0
    while turns < LIMIT and device.any_sync(EVERYBODY, (left > 0 if turns < 50 else i > left) and (left if i < 99 else turns) > 0):
        turns += 1
        if left == 0:
            continue
        left -= 1
    x[i] = turns


KERNELS = {with_a_choice_in_the_question: 6, with_what_only_some_turns_change: 6, with_nothing_that_the_question_names: 6, any_lane: 6, any_lane_and_a_limit: 6, a_limit_and_any_lane: 6, not_all_lanes: 6, any_thread: 6, with_an_else: 106, in_one_another: 6}
WHERE = ["whole", "warps", "threads", "emu:sm_90", "emu:gfx942"]


@pytest.mark.parametrize("kernel, where", list(itertools.product(KERNELS, WHERE)), ids=lambda it: getattr(it, "__name__", it))
@pytest.mark.parametrize("checks", ["", "all"])
def test_all_are_asked_in_each_turn(monkeypatch, kernel, where, checks):
    made = device.kernel(kernel, check=checks) if checks else device.kernel(kernel)
    out = np.zeros(64, np.int32)
    if where.startswith("emu:"):
        there = device.array(out, where)
        made[1, 64](there)
        out = device.to_numpy(there)
    else:
        monkeypatch.setenv("HETJIT_TIER", where)
        made[1, 64](out)
    np.testing.assert_array_equal(out, KERNELS[kernel])


# ---- what a turn leaves behind for after the loop: the copy of the question hands on other values, constants among them

QUESTIONS = {"device.syncthreads_or(left > 0)": 99, "turns < 3 and device.syncthreads_or(left > 0)": 3, "device.syncthreads_or(left > 0) and turns < 3": 3,
             "not device.syncthreads_and(left == 0)": 99, "device.any_sync(EVERYBODY, left > 0)": 99, "turns < 3 and device.any_sync(EVERYBODY, left > 0)": 3,
             "device.ballot_sync(EVERYBODY, left > 0) != 0": 99}  # and after how many turns it ends in any case
ENDINGS = {  # before the loop, first and last in a turn
    "a constant": ("a = b = 0", "pass", "a = 3"), "constants": ("a = b = 0", "pass", "a, b = 3, 4"), "one of two": ("a, b = t, 5", "pass", "b = 6"),
    "begun again": ("a = b = t", "a = b = t", "a = 7"), "begun again with numbers": ("a = b = t", "a = t", "a, b = turns, a + left"),
    "a flag": ("a = b = False", "a = False", "a = True"), "of a branch": ("a = b = 1", "pass", "a = 2 if left > 1 else t"),
    "changed in both": ("a = b = 0", "b += 1", "a = b; b += 10"), "the same": ("a = b = t", "a = t", "a = t"),
    "asked about, too": ("a = b = 0", "pass", "a = left; left = left - 1 if left > 2 else 0")}
THREADS = 64


def in_rounds(most, before, first, last):
    """What each thread is left with, if all of them are asked in each turn."""
    states = [{"t": t, "left": t % 5, "turns": 0} for t in range(THREADS)]
    for state in states:
        exec(before, state)
    for _ in range(most):
        if not any(state["left"] > 0 for state in states):
            break
        for state in states:
            state["turns"] += 1
            exec(first, state)
            if state["left"]:
                state["left"] -= 1
                exec(last, state)
    return [state["a"] * 10000 + state["b"] * 100 + state["turns"] for state in states]


@pytest.mark.parametrize("where", [*WHERE, "emu:gfx1100"])
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_left_behind(monkeypatch, ending, question, where):
    before, first, last = ENDINGS[ending]
    scope = {"device": device, "EVERYBODY": EVERYBODY}
    exec(f"def kernel(out):\n    t = device.int32(device.thread_idx.x)\n    left, turns = t % 5, 0\n    {before}\n    while {question}:\n        turns += 1\n"
         f"        {first}\n        if left == 0:\n            continue\n        left -= 1\n        {last}\n    out[t] = a * 10000 + b * 100 + turns\n", scope)
    want = in_rounds(QUESTIONS[question], before, first, last)
    if where in ("whole", "warps", "threads"):
        monkeypatch.setenv("HETJIT_TIER", where)
        out = device.zeros(THREADS, device.int32, "cpu")
    else:
        out = device.zeros(THREADS, device.int32, where)
    device.kernel(scope["kernel"])[1, THREADS](out)
    assert out.tolist() == want
