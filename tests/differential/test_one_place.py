"""Floats that the threads of a warp bring to one place: rounded one after another in the threads' order, whatever a vector has. Bit for bit as
one thread after another does it (NaN is NaN), and as NumPy does."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

FORMATS = [np.float16, np.float32, np.float64]
OPERATIONS = {"add": device.atomic.add, "sub": device.atomic.sub, "max": device.atomic.max, "min": device.atomic.min,
              "nanmax": device.atomic.nanmax, "nanmin": device.atomic.nanmin}
SIZES = (1, 5, 16, 31, 64, 100, 256)


def kernel_of(operation, condition):
    """All of the launch's threads into element 0, and those of each block into a number of its own."""
    text = f"""
@device.kernel
def bring(x, out, low, high):
    shared = device.shared_array(1, x.dtype)
    i = device.thread_idx.x
    if i == 0:
        shared[0] = out[1]
    device.syncthreads()
    if i < len(x):
        if {condition}:
            operation(out, 0, x[i])
            operation(shared, 0, x[i])
    device.syncthreads()
    if i == 0:
        out[1] = shared[0]
"""
    import linecache
    name = f"<one place {hash((text, operation))}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope = {"device": device, "operation": operation}
    exec(compile(text, name, "exec"), scope)
    return scope["bring"]


def numbers(dtype, size, special):
    x = np.random.default_rng(size).normal(0, 100, size).astype(dtype)
    if special:
        chosen = [np.nan, np.inf, -np.inf, -0.0, 0.0, np.finfo(dtype).max, np.finfo(dtype).tiny]
        x[::3] = np.resize(np.array(chosen, dtype), len(x[::3]))
    return x


@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("condition", ["True", "low <= i < high", "x[i] > 0.0"])
def test_order_and_bits(name, dtype, condition, monkeypatch):
    results = {}
    for lanes in (1, 4, 16, None):
        monkeypatch.setenv("HETJIT_LANES", str(lanes)) if lanes else monkeypatch.delenv("HETJIT_LANES", raising=False)
        kernel = kernel_of(OPERATIONS[name], condition)
        for size in SIZES:
            for special in (False, True):
                out = np.array([1.5, -2.5], dtype)
                kernel[1, 256](numbers(dtype, size, special), out, 3, size - 2)
                results.setdefault((size, special), []).append(np.where(np.isnan(out), dtype(np.nan), out).tobytes())
    for case, bits in results.items():
        assert len(set(bits)) == 1, (case, [np.frombuffer(b, dtype) for b in bits])


def test_sums_are_numpys():
    x = np.random.default_rng(1).normal(0, 1, 256).astype(np.float32)
    out = np.array([1.5, -2.5], np.float32)
    kernel_of(device.atomic.add, "True")[1, 256](x, out, 0, 0)
    wanted = np.array([1.5, -2.5], np.float32)
    for v in x:
        wanted += v
    assert (out == wanted).all()


def test_all_threads_of_many_blocks():
    @device.kernel
    def total(x, out):
        i = device.tid(1)
        if i < len(x):
            device.atomic.add(out, 0, x[i])
            device.atomic.max(out, 1, x[i])

    x = np.random.default_rng(2).integers(0, 100, 100_000).astype(np.float64)
    out = np.zeros(2)
    total[400, 256](x, out)
    assert out.tolist() == [x.sum(), x.max()]
