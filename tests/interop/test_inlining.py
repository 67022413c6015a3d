"""What is left of a call of C++: nothing, where its body is a few instructions."""

import re

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

LIB = device.cxx("inline float horner(float x, float a, float b, float c) { return (a * x + b) * x + c; }\n"
                 "inline float either(float x) { return x > 0 ? x * 2 : x - 1; }")


def in_cxx(x, out):
    i = device.tid(1)
    if i < x.shape[0]:
        out[i] = LIB.horner(x[i], 2.0, 3.0, 4.0)


def in_python(x, out):
    i = device.tid(1)
    if i < x.shape[0]:
        out[i] = (2.0 * x[i] + 3.0) * x[i] + 4.0


def branch_in_cxx(x, out):
    i = device.tid(1)
    if i < x.shape[0]:
        out[i] = LIB.either(x[i])


def branch_in_python(x, out):
    i = device.tid(1)
    if i < x.shape[0]:
        out[i] = x[i] * 2 if x[i] > 0 else x[i] - 1


def assembly(kernel, target):
    text = device.emit(kernel, "(float32[::1], float32[::1])", target=target, kind="asm", contract=False, kernel=True)
    return text.decode() if isinstance(text, bytes) else text


def instructions(text):
    return [line.split()[0] for line in text.splitlines() if re.match(r"\s+[a-z@]", line) and not line.strip().startswith(".")]


@pytest.mark.parametrize("pair", [(in_cxx, in_python), (branch_in_cxx, branch_in_python)], ids=["straight", "branch"])
@pytest.mark.parametrize("target", ["cpu:x86-64-v3", "cpu:x86-64-v4", "cuda:sm_90", "hip:gfx942"])
def test_as_short_as_the_same_in_python(pair, target):
    cxx, python = (assembly(kernel, target) for kernel in pair)
    assert len(instructions(cxx)) <= 1.15 * len(instructions(python)) + 2
    assert not re.search(r"call.*hetjit_cxx", cxx)


@pytest.mark.parametrize("kernel", [in_cxx, branch_in_cxx])
def test_lanes_become_vectors(kernel):
    words = instructions(assembly(kernel, "cpu:x86-64-v3"))
    assert "vaddps" in words and "vaddss" not in words
