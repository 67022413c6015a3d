"""Stores that together write whole records, `out[i, j, 0], out[i, j, 1], out[i, j, 2]`, in any order, of every element type, and what may not be put
together: places that are missing, named twice, of two arrays, or read between. The interpreter's bits with every number of lanes."""

import itertools

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device

TYPES = ["uint8", "int8", "uint16", "float16", "int32", "float32", "float64", "bool_", "complex64"]
SHAPES = [(5, 97), (1, 64), (64, 33), (3, 1)]

STORES = {
    "in order": (3, "out[i, j, 0] = a\n        out[i, j, 1] = b\n        out[i, j, 2] = c"),
    "backwards": (3, "out[i, j, 2] = c\n        out[i, j, 1] = b\n        out[i, j, 0] = a"),
    "two": (2, "out[i, j, 1] = b\n        out[i, j, 0] = a"),
    "four": (4, "out[i, j, 3] = c\n        out[i, j, 0] = a\n        out[i, j, 2] = b\n        out[i, j, 1] = a"),
    "by another name": (3, "pixel = out[i, j]\n        pixel[0] = a\n        pixel[1] = b\n        pixel[2] = c"),
    "from the end": (3, "out[i, j, -3] = a\n        out[i, j, -2] = b\n        out[i, j, -1] = c"),
    "one is missing": (3, "out[i, j, 0] = a\n        out[i, j, 2] = c"),
    "the last is missing": (4, "out[i, j, 0] = a\n        out[i, j, 1] = b\n        out[i, j, 2] = c"),
    "one twice": (3, "out[i, j, 0] = a\n        out[i, j, 1] = b\n        out[i, j, 0] = c\n        out[i, j, 2] = a"),
    "read between": (3, "out[i, j, 0] = a\n        out[i, j, 1] = out[i, j, 0]\n        out[i, j, 2] = out[i, j, 1]"),
    "some lanes": (3, "if a != b:\n            out[i, j, 0] = a\n            out[i, j, 1] = b\n            out[i, j, 2] = c"),
    "after a choice": (3, "if (i + j) % 3 == 0:\n            a = b\n        elif j % 2 == 0:\n            c = a\n        elif i % 2 == 0 and j % 5 == 1:\n            b = c\n"
                          "        out[i, j, 0] = a\n        out[i, j, 1] = b\n        out[i, j, 2] = c"),
    "rows crossed": (3, "out[i, j, 0] = a\n        x[0, i, j] = c\n        out[i, j, 1] = b\n        out[i, j, 2] = c"),
    "two arrays": (2, "out[i, j, 0] = a\n        x[0, i, j] = b\n        x[1, i, j] = c\n        out[i, j, 1] = b"),
    "in a loop": (3, "for k in range(2 + i % 2):\n            out[i, j, 0] = a\n            out[i, j, 1] = b\n            out[i, j, 2] = c\n"
                     "            if k > 0 and a == b:\n                break\n            a = c"),
}


def written(stores):
    scope = {"device": device}
    exec(f"""def kernel(x, out):
    j, i = device.tid(2)
    if i < out.shape[0] and j < out.shape[1]:
        a, b, c = x[0, i, j], x[1, i, j], x[2, i, j]
        {stores}
""", scope)
    return scope["kernel"]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", STORES)
def test_the_interpreter_s_bits(name, dtype, monkeypatch):
    if lanes := (None, 4, 16, 64)[(list(STORES).index(name) + TYPES.index(dtype)) % 4]:
        monkeypatch.setenv("HETJIT_LANES", str(lanes))
    fields, stores = STORES[name]
    function = written(stores)
    kernel = device.kernel(function)
    for (h, w), block in itertools.product(SHAPES, [(16, 16), (7, 3)]):
        x = np.random.default_rng(h).integers(0, 2 if dtype == "bool_" else 9, (3, h, w)).astype(dtype)
        grid = (-(-w // block[0]), -(-h // block[1]))
        for places in (np.zeros((h, w, fields), dtype), np.zeros((h, w, 7), dtype)[:, :, 1:1 + fields], np.zeros((h, w, 2 * fields), dtype)[:, :, ::2]):
            asked, found, of_asked, of_found = places.copy(), np.zeros_like(places), x.copy(), x.copy()
            if not places.flags.c_contiguous:
                found, asked = (np.lib.stride_tricks.as_strided(np.zeros(places.base.size, dtype), places.shape, places.strides) for _ in range(2))
            _core.interpret(_core.capture(function), (of_asked, asked), grid, block)
            kernel[grid, block](of_found, found)
            assert asked.tobytes() == found.tobytes() and of_asked.tobytes() == of_found.tobytes(), (h, w, block, places.strides)


def test_overlapping_arrays_keep_the_program_s_order():
    """What one thread writes, it reads: nothing is put together round a read."""
    def kernel(x, out):
        j, i = device.tid(2)
        if i < out.shape[0] and j < out.shape[1]:
            out[i, j, 0] = 5
            out[i, j, 1] = x[i, j, 0] + 1
            out[i, j, 2] = x[i, j, 1] + 1

    same = np.zeros((9, 70, 3), np.uint8)
    device.kernel(kernel)[(5, 1), (16, 16)](same, same)
    assert (same == np.array([5, 6, 7])).all()
