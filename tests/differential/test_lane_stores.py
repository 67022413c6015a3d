"""Neighbours that some lanes store: all up to an end, all behind one, a run between, any. CPUs have no masks for bytes, or slow ones for all: what is
not stored to stays as it was (compiler/host/warp/lane_stores.cpp)."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

N = 200
PATTERNS = {"none": lambda i: i < 0, "all": lambda i: i >= 0, "up to an end": lambda i: i < 77, "behind one": lambda i: i >= 77,
            "a run": lambda i: (i > 20) & (i < 27), "one": lambda i: i == 100, "every other": lambda i: i % 2 == 0, "all but one": lambda i: i != 101,
            "runs": lambda i: i % 11 < 7, "any": lambda i: np.random.default_rng(3).random(i.size) < 0.4}


@device.kernel
def chosen(wanted, x, out):
    i = device.tid(1)
    if i < out.shape[0]:
        if wanted[i]:
            out[i] = x[i]


@device.kernel
def chosen_backwards(wanted, x, out):
    i = device.tid(1)
    n = out.shape[0]
    if i < n:
        if wanted[i]:
            out[n - 1 - i] = x[i]


@device.kernel
def chosen_records(wanted, x, out):
    i = device.tid(1)
    if i < out.shape[0]:
        if wanted[i]:
            out[i] = out[i].replace(tag=x[i], value=x[i])


@pytest.fixture(params=(None, 2, 8, 64))
def lanes(request, monkeypatch):
    if request.param:
        monkeypatch.setenv("HETJIT_LANES", str(request.param))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float16", "float32", "int32", "float64", "int64", "complex64", "complex128"])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_is_not_stored_to_stays(lanes, dtype, pattern):
    wanted = PATTERNS[pattern](np.arange(N))
    x, before = np.arange(1, N + 1).astype(dtype), (np.arange(N) % 7).astype(dtype)
    for kernel, turn in ((chosen, 1), (chosen_backwards, -1)):
        out = before.copy()
        kernel.forall(N)(wanted, x, out)
        assert np.array_equal(out, np.where(wanted, x, before[::turn])[::turn])


@pytest.mark.parametrize("pattern", PATTERNS)
def test_records(lanes, pattern):
    wanted, x = PATTERNS[pattern](np.arange(N)), np.arange(1, N + 1).astype(np.uint8)
    out = np.zeros(N, [("tag", np.uint8), ("value", np.float64)])
    chosen_records.forall(N)(wanted, x, out)
    assert np.array_equal(out["tag"], np.where(wanted, x, 0)) and np.array_equal(out["value"], np.where(wanted, x, 0))
