"""Conditions of loops that the threads of a warp or a block are asked together, which CPython writes twice (compiler/passes/ask_once.cpp):
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
