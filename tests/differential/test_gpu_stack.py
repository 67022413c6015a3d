"""The memory that a thread of a GPU has for itself: the stack of recursion, and local arrays."""

import re
import subprocess
import tempfile

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import tools
from hetjit import _core, device

pytestmark = pytest.mark.row("HETX-MEM-1")

MOST_CALLS = 129  # 128, and the one that raises
ARRAYS = "(array[int32, 1, contiguous, index32], array[float32, 1, contiguous, index32])"


@device.func
def factorial(n):
    return 1.0 if n < 2 else n * factorial(n - 1)


@device.func
def with_an_array(n, x):
    own = device.local_array(64, device.float32)
    own[n & 31] = x[n]
    own[n + 1 & 31] = x[n + 3]
    return own[n + 1 & 31] if n < 2 else with_an_array(n - 1, x) + own[n & 31]


@device.func
def there(n, x):
    own = device.local_array(32, device.float64)
    own[n & 31] = x[n]
    return own[n & 31] if n < 2 else back(n - 1, x) + own[n & 31]


@device.func
def back(n, x):
    return x[n] * there(n - 1, x)


def small(n, x):
    x[0] = factorial(n[0])


def large(n, x):
    x[0] = with_an_array(n[0], x)


def in_turns(n, x):
    x[0] = there(n[0], x)


def none(n, x):
    own = device.local_array(64, device.float32)
    own[n[0]] = x[1]
    x[0] = own[n[1]]


RECURSIVE = (small, large, in_turns)


def compiled(function, target):
    return _core.compile(_core.capture(function), ARRAYS, target)


def ptxas_frames(ptx, arch):
    """Bytes of stack that ptxas says of each function."""
    ptxas = tools.find_ptxas() or pytest.skip("no ptxas on this machine (CUDA toolkit)")
    with tempfile.NamedTemporaryFile(suffix=".ptx") as file:
        file.write(ptx.rstrip(b"\0"))
        file.flush()
        done = subprocess.run([ptxas, "-v", "-c", f"-arch={arch}", "-o", "/dev/null", file.name], capture_output=True, text=True,
                              check=True)
    return [int(each) for each in re.findall(r"(\d+) bytes stack frame", done.stderr)]


@pytest.mark.parametrize("arch", ["sm_75", "sm_90"])
def test_nvidia_has_stack_for_all_calls(arch):
    for function in RECURSIVE:
        image = compiled(function, f"cuda:{arch}")
        frames = ptxas_frames(image["code"], arch)
        assert image["stack_bytes"] >= MOST_CALLS * max(frames) + min(frames), (function.__name__, frames)
        assert image["stack_bytes"] < MOST_CALLS * (max(frames) + 400), (function.__name__, frames)


@pytest.mark.parametrize("arch", ["gfx90a", "gfx942", "gfx1100", "gfx1201"])
def test_amd_has_stack_for_all_calls(arch):
    for function in RECURSIVE:
        text = _core.show(_core.capture(function), "amdgcn", ARRAYS, f"hip:{arch}", kernel=True)
        frames = [int(each) for each in re.findall(r"\.set \S+\.private_seg_size, (\d+)$", text, re.M)]
        assert "amdhsa_uses_dynamic_stack 1" in text and max(frames) > 0
        stack = compiled(function, f"hip:{arch}")["stack_bytes"]
        assert MOST_CALLS * max(frames) <= stack <= (MOST_CALLS + 2) * max(frames), (function.__name__, frames)


@pytest.mark.parametrize("target", ["cuda:sm_90", "hip:gfx942"])
def test_without_recursion_nobody_asks(target):
    assert compiled(none, target)["stack_bytes"] == 0


def with_local_arrays(*sizes):
    lines = [f"    own{i} = device.local_array({size}, device.uint8)\n    own{i}[n[{i}]] = 1\n" for i, size in enumerate(sizes)]
    total = "".join(f" + own{i}[n[{i} + 8]]" for i in range(len(sizes)))
    scope = {"device": device}
    exec(compile(f"def f(n, x):\n{''.join(lines)}    x[0] = 0{total}\n", "<made>", "exec"), scope)
    return scope["f"]


@pytest.mark.parametrize("target, most", [("hip:gfx90a", 126), ("hip:gfx942", 126), ("hip:gfx1030", 248), ("hip:gfx1100", 248),
                                          ("cuda:sm_90", 504)])
def test_local_arrays_up_to_what_a_thread_has(target, most):
    """As many bytes as documented compile, with spills and all; more is told at the array that does not fit."""
    sizes = [min(128, most - begun) << 10 for begun in range(0, most, 128)]
    image = compiled(with_local_arrays(*sizes), target)
    if target.startswith("cuda"):
        assert max(ptxas_frames(image["code"], "sm_90")) >= most << 10
    with pytest.raises(device.CompileError) as found:
        compiled(with_local_arrays(*sizes, 1), target)
    assert found.value.code == "E0417" and f"a thread of {target} has {most << 10}" in str(found.value)
    assert f"<made>:{2 * len(sizes) + 2}" in str(found.value)


def test_the_largest_local_array():
    for target in ("hip:gfx1100", "cuda:sm_90", "cpu:x86-64-v3"):
        assert compiled(with_local_arrays(128 << 10), target)["code"]
    with pytest.raises(device.CompileError, match="have 131072 bytes, and a thread of hip:gfx942 has 129024"):
        compiled(with_local_arrays(128 << 10), "hip:gfx942")
