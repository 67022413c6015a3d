"""Stores to neighbouring places of a flat array, `out[3 * i], out[3 * i + 1], out[3 * i + 2]`: in any order, of every element type, by signed and
unsigned places, from the end or across it, and what may not be put together. The same bits as Python's own threads, one after another, with every
number of lanes."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

TYPES = ["uint8", "int8", "uint16", "float16", "int32", "float32", "float64", "complex64", "bool_"]
PLACES = {  # of thread i, and what is passed as p
    "signed": ("i = device.tid(1)", "3 * i", 0),
    "unsigned": ("i = device.block_idx.x * device.block_dim.x + device.thread_idx.x", "3 * i", 0),
    "long": ("i = device.int64(device.tid(1))", "i * 3", 0),
    "sum": ("i = device.tid(1)", "i + i + i", 0),
    "from the end": ("i = device.tid(1)", "3 * i + p", lambda n: -3 * n),
    "across the end": ("i = device.tid(1)", "3 * i + p", lambda n: -3 * (n // 2)),
    "across it, by threads": ("i = device.tid(1)", "3 * (i + p)", lambda n: -(n // 2)),
    "clamped": ("i = device.tid(1)", "max(3 * i, 0)", 0),
    "apart by a parameter": ("i = device.tid(1)", "i * s + p", 0),
    "far numbers": ("i = device.tid(1)", "3 * i + 2147483600 - 2147483600", 0),
    "backwards": ("i = device.tid(1)", "3 * (n - 1 - i)", 0),
}
STORES = {
    "in order": "out[k] = a; out[k + 1] = b; out[k + 2] = c",
    "backwards": "out[k + 2] = c; out[k + 1] = b; out[k] = a",
    "mixed": "out[k + 1] = a; out[2 + k] = b; out[k] = c",
    "one is missing": "out[k] = a; out[k + 2] = c",
    "one twice": "out[k] = a; out[k + 1] = b; out[k] = c; out[k + 2] = a",
    "read between": "out[k] = a; out[k + 1] = out[k]; out[k + 2] = out[k + 1]",
    "turned in place": "a = out[k]; b = out[k + 1]; c = out[k + 2]; out[k] = b; out[k + 1] = c; out[k + 2] = a",
    "written again": "out[k] = a; out[k + 1] = b; out[k + 2] = c; out[k + 2] = a; out[k + 1] = c; out[k] = b",
    "some lanes": "if a != b: out[k] = a; out[k + 1] = b; out[k + 2] = c",
}


def function_of(begin, place, stores):
    lines = "\n        ".join([f"k = {place}", "a = x[i]", "b = y[i]", "c = z[i]", *([stores] if stores.startswith("if") else stores.split("; "))])
    scope = {"device": device}
    exec(f"def kernel(x, y, z, out, n, p, s{begin[0]}):\n    {begin[1]}\n    if i < n:\n        {lines}\n", scope)
    return scope["kernel"]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("stores", STORES)
@pytest.mark.parametrize("place", PLACES)
def test_as_threads_one_by_one(place, stores, dtype, monkeypatch):
    number = list(PLACES).index(place) + list(STORES).index(stores) + TYPES.index(dtype)
    if lanes := (None, 4, 16, 64, None)[number % 5]:
        monkeypatch.setenv("HETJIT_LANES", str(lanes))
    begin, index, shift = PLACES[place]
    kernel = device.kernel(function_of(("", begin), index, STORES[stores]))
    thread = function_of((", i", "pass"), index, STORES[stores])
    for n, block in ((100, 64), (257, 100), (16, 16), (1, 32)):
        numbers = np.random.default_rng(n)
        x, y, z = (numbers.integers(0, 2 if dtype == "bool_" else 9, n).astype(dtype) for _ in range(3))
        memory = numbers.integers(0, 2, 3 * n + 2).astype(dtype)
        for found in (memory[:3 * n].copy(), memory.copy()[1:3 * n + 1]):
            expected, p = found.copy(), shift(n) if callable(shift) else shift
            for i in range(n):
                thread(x, y, z, expected, n, p, 3, i)
            kernel[-(-n // block), block](x, y, z, found, n, p, 3)
            assert found.tobytes() == expected.tobytes(), (n, block)
