"""Masks that are asked for as words and used by gathers, which LLVM took for used once (docs/llvm_faults.md)."""

import re

import numpy as np
import pytest

from hetjit import device

NUMBERS = np.arange(32, dtype=np.uint32) + 100


def kept_over_barriers(n, x, out):
    t = device.int32(device.thread_idx.x)
    value = x[(t * 7 + n) % 16]
    device.syncthreads()
    if t % 5 == 0:
        return
    device.syncthreads()
    out[t] = value


def of_bools(flags, x, out, words):
    t = device.int32(device.thread_idx.x)
    chosen = flags[t]
    if chosen:
        out[t] = x[(t * 7) % 16]
    words[t] = device.ballot_sync(device.FULL_MASK, chosen)


@pytest.mark.parametrize("threads", [1, 7, 14, 16, 30, 33, 64, 100])
@pytest.mark.parametrize("lanes", ["1", "2", "4", "8", "16", "32", "64"])
def test_what_is_gathered_is_there_behind_barriers(monkeypatch, lanes, threads):
    monkeypatch.setenv("HETJIT_LANES", lanes)
    t, out = np.arange(threads), np.zeros(threads, np.uint32)
    device.kernel(kept_over_barriers)[1, threads](3, NUMBERS, out)
    np.testing.assert_array_equal(out, np.where(t % 5 == 0, 0, NUMBERS[(t * 7 + 3) % 16]))


@pytest.mark.parametrize("lanes", ["4", "8", "16", "32"])
def test_votes_of_bools_beside_gathers(monkeypatch, lanes):
    monkeypatch.setenv("HETJIT_LANES", lanes)
    flags = np.random.default_rng(5).random(32) < 0.5
    out, words = np.zeros(32, np.uint32), np.zeros(32, np.uint32)
    device.kernel(of_bools)[1, 32](flags, NUMBERS, out, words)
    np.testing.assert_array_equal(out, np.where(flags, NUMBERS[np.arange(32) * 7 % 16], 0))
    assert set(words.tolist()) == {int(np.packbits(flags, bitorder="little").view(np.uint32)[0])}


@pytest.mark.parametrize("target", ["cpu:native", "cpu:x86-64-v4"])
@pytest.mark.parametrize("lanes", ["4", "8", "16"])
def test_each_mask_is_written_before_it_is_used(monkeypatch, target, lanes):
    """In the text, whose instructions need not be this machine's. What a function uses of k1 to k7, it has made."""
    monkeypatch.setenv("HETJIT_LANES", lanes)
    text = device.emit(device.kernel(kept_over_barriers), (device.int32, device.uint32[::1], device.uint32[::1]), target, kind="asm")
    functions = re.split(r"^(?=\w[\w.]*:)", text, flags=re.M)
    assert target == "cpu:native" or any("{%k" in one for one in functions)
    for one in functions:
        used = set(re.findall(r"\{%(k[1-7])\}", one))
        assert used <= set(re.findall(r"[, \t]%(k[1-7])$", one, re.M)), one
