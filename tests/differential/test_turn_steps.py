"""Loops whose numbers go on by a constant times what is counted: the turns within all bounds are known before the loop (facts/bounds.h)."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

LENGTHS = (1, 2, 3, 15, 16, 17, 31, 33, 64, 100, 257)


@pytest.mark.parametrize("lanes", [None, "4", "64"])
@pytest.mark.parametrize("step", [1, 2, 3, -2])
def test_turns_that_go_on_by_several_elements(step, lanes, monkeypatch):
    """A dilated window."""
    if lanes:
        monkeypatch.setenv("HETJIT_LANES", lanes)

    @device.kernel
    def dilated(x, radius, out):
        i = device.tid(1)
        n = x.shape[0]
        if i < n:
            total = 0
            for k in range(-radius, radius + 1):
                at = i + k * step
                if 0 <= at < n:
                    total += x[at] * (k + 40)
            out[i] = total

    for n in LENGTHS:
        for radius in (0, 1, 4, 20):
            x, out = np.arange(1, n + 1, dtype=np.int32), np.zeros(n, np.int32)
            dilated.forall(n)(x, radius, out)
            expected = np.zeros(n, np.int64)
            for k in range(-radius, radius + 1):
                at = np.arange(n) + k * step
                inside = (at >= 0) & (at < n)
                expected[inside] += x[at[inside]].astype(np.int64) * (k + 40)
            assert np.array_equal(out, expected.astype(np.int32)), (n, radius)
