"""Where clang itself fails: with what it parsed of a library the text is compiled anew for each call, and what it fails at all the same is said so."""

import os
import pathlib
import shutil

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from calls import launched
from hetjit import device

CUDA = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "include"

FAILS = """#!/bin/sh
case "$*" in
  *-include-pch*) echo parsed >> {log}; kill -SEGV $$;;
  *-emit-pch*) echo read >> {log}; {reading};;
  *) echo text >> {log};;
esac
exec {clang} "$@"
"""
LIBRARY = "inline float f(float x) { return x + 1; }\ninline float g(float x) { return 2 * x; }"


def failing(tmp_path, monkeypatch, reading=":"):
    """A clang that fails with what was parsed. Returns what it wrote down."""
    log, clang = tmp_path / "log", tmp_path / "clang"
    clang.write_text(FAILS.format(log=log, clang=shutil.which("clang++-22"), reading=reading))
    clang.chmod(0o755)
    monkeypatch.setenv("HETJIT_CLANG", str(clang))
    return log


def numbers(lib):
    def k(x, out):
        out[0], out[1] = lib.f(x[0]), lib.g(x[0])

    return launched(k, "cpu", np.array([3], np.float32), np.zeros(2, np.float32))[1].tolist()


@pytest.mark.parametrize("reading, started", [(":", "read parsed text text"), ("kill -BUS $$", "read text text text")])
def test_the_text_is_compiled_anew_for_each_call(reading, started, tmp_path, monkeypatch):
    log = failing(tmp_path, monkeypatch, reading)
    assert numbers(device.cxx(LIBRARY, defines={"READING": len(reading)})) == [4, 6]
    assert log.read_text().split() == started.split()


def test_mistakes_are_said_as_always(tmp_path, monkeypatch):
    failing(tmp_path, monkeypatch)
    lib = device.cxx(LIBRARY, defines={"MISTAKES": None})
    with pytest.raises(device.CompileError, match="no matching function for call to 'f'"):
        device.emit(lambda x: lib.f(x, x), "(float32,)", target="cpu:native")


def test_what_clang_fails_at_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    lib = device.cxx("inline float f(float x) {\n#pragma clang __debug crash\nreturn x; }")
    with pytest.raises(device.CompileError, match="its library does not compile, clang itself failed") as caught:
        device.emit(lambda x: lib.f(x), "(float32,)", target="cpu:native")
    assert "note: C++:1:25: parsing function body 'f'" in str(caught.value)
    scripts = list(tmp_path.glob("*.sh"))
    assert len(scripts) == 1 and f"to see all that clang says, run sh {scripts[0]}" in str(caught.value)


NAMED = """
#include <cuda/std/{header}>
inline float f(float x) {{ {body} }}
"""


@pytest.mark.parametrize("where", ["cpu", "emu:sm_90"])
@pytest.mark.parametrize("header, body, made", [
    ("tuple", "cuda::std::tuple<int, float> t(1, x); return cuda::std::get<1>(t);", 3),
    ("variant", "cuda::std::variant<int, float> v(x); return cuda::std::visit([](auto of) { return float(of); }, v);", 3),
    ("functional", "auto add = cuda::std::bind_front(cuda::std::plus<float>{}, x); return cuda::std::invoke(add, 2.f);", 5),
    ("tuple", "return cuda::std::apply([](auto a, auto b) { return a + b; }, cuda::std::make_tuple(x, 2.f));", 5),
    ("optional", "cuda::std::optional<float> o(x); return o.value_or(2) + *o;", 6),
    ("mdspan", "float d[] = {x, 1, 2, 3}; cuda::std::mdspan<float, cuda::std::extents<int, 2, 2>> m(d); return m(1, 1) + m(0, 0);", 6),
])
def test_templates_of_cudas_library(header, body, made, where):
    if not (CUDA / "cccl/cuda/std").exists():
        pytest.skip("CUDA's C++ library is not there")
    lib = device.cxx(NAMED.format(header=header, body=body), include=[CUDA / "cccl", CUDA] if where == "cpu" else [])

    def k(x, out):
        out[0] = lib.f(x[0])

    assert launched(k, where, np.array([3], np.float32), np.zeros(1, np.float32))[1].tolist() == [made]
