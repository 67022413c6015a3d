"""Headers of the user's, by quotes, that include headers of libraries themselves: what is whose, and where a mistake is."""

import os

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from calls import launched
from hetjit import device

OWN = """#pragma once
#include <cmath>
#if defined(__CUDA__)
#include <cuda/std/array>
#include <cuda/std/complex>
#endif
#include "more/scale.h"
#if defined(__CUDA__)
inline float both(float x) { cuda::std::array<float, 2> of = {x, 2}; return of[0] + cuda::std::complex<float>(3, of[1]).imag(); }
#else
inline float both(float x) { return x + 2; }
#endif
inline float root(float x) { return scaled(sqrtf(both(x))); }
"""


def own_headers(folder, text):
    (folder / "more").mkdir()
    (folder / "own.cuh").write_text(text)
    (folder / "more" / "scale.h").write_text("#pragma once\n#include <algorithm>\n#include \"step.h\"\ninline float scaled(float x) { return std::max(x, 2.0f) * STEP; }")
    (folder / "more" / "step.h").write_text("#include <cstdint>\n#define STEP 5\n")


@pytest.mark.parametrize("given", ["a file", "a text"])
def test_headers_of_one_s_own_include_those_of_libraries(tmp_path, where, given):
    """Their functions are for host and device, as all that the user writes; those of the libraries are as the libraries say."""
    own_headers(tmp_path, OWN)
    (tmp_path / "mine.cuh").write_text('#include "own.cuh"\ninline float twice(float x) { return 2 * root(x); }\n')
    lib = device.cxx(tmp_path / "mine.cuh") if given == "a file" else device.cxx('#include "own.cuh"\ninline float twice(float x) { return 2 * root(x); }', include=tmp_path)

    def k(out):
        out[0] = lib.twice(14.0)
        out[1] = lib.root(-1.0)

    assert launched(k, where, np.zeros(2, np.float32))[0].tolist() == [40, 10]


@pytest.mark.parametrize("target", ["cuda:sm_90", "hip:gfx942", "cpu"])
def test_a_mistake_in_such_a_header_is_where_it_is(tmp_path, target):
    own_headers(tmp_path, OWN + "inline int wrong() { return nobody; }\n")
    lib = device.cxx('#include "own.cuh"', include=tmp_path)

    def k(out):
        out[0] = lib.root(1.0)

    with pytest.raises(device.CompileError, match=rf"own\.cuh:{OWN.count(chr(10)) + 1}.*nobody"):
        device.emit(k, "(float32[::1],)", target=target, kind="asm", kernel=True)


def test_what_lies_beside_a_file_comes_before_the_folders_that_are_named(tmp_path, where):
    for folder, number in (("one", 1), ("two", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "z.h").write_text(f"inline int z() {{ return {number}; }}\n")
    (tmp_path / "two" / "lib.cuh").write_text('#include "z.h"\ninline int f() { return z(); }\n')
    lib = device.cxx(tmp_path / "two" / "lib.cuh", include=[tmp_path / "one"])

    def k(out):
        out[0] = lib.f()

    assert launched(k, where, np.zeros(1, np.int32))[0][0] == 2


@pytest.mark.parametrize("name", ['a"x', "a\\x", "a\nx", "a b", "é"])
def test_folders_of_any_name(name, tmp_path, where):
    (tmp_path / name).mkdir()
    (tmp_path / name / "own.h").write_text("#include <cmath>\ninline int one() { return 1; }\n")
    (tmp_path / name / "lib.cuh").write_text('#include "own.h"\ninline int f() { return one(); }\n')
    lib = device.cxx(tmp_path / name / "lib.cuh")

    def k(out):
        out[0] = lib.f()

    assert launched(k, where, np.zeros(1, np.int32))[0][0] == 1


@pytest.mark.parametrize("source", ['#include <g.h>\n#include "g.h"\n', '#include "g.h"\n#include <g.h>\n', '#include <h.h>\n#include "g.h"\n', '#include <g.h>\n#include "h.h"\n'])
def test_a_header_by_brackets_and_by_quotes(source, tmp_path, where):
    (tmp_path / "g.h").write_text("#pragma once\n#include <cmath>\n__device__ inline int q() { return 1; }\n// a comment \\\n#include <nowhere>\n")
    (tmp_path / "h.h").write_text('#pragma once\n#include "g.h"\n')
    lib = device.cxx(source + "inline int f() { return q(); }", include=tmp_path)

    def k(out):
        out[0] = lib.f()

    assert launched(k, where, np.zeros(1, np.int32))[0][0] == 1


def test_a_header_of_another_text_and_the_same_date(tmp_path):
    header, results = tmp_path / "b.h", []
    for number in (7, 8):
        header.write_text(f"inline int f() {{ return {number}; }}")
        os.utime(header, ns=(10**18, 10**18))
        lib = device.cxx('#include "b.h"\n', include=tmp_path)

        @device.kernel
        def k(out):
            out[0] = lib.f()

        out = np.zeros(1, np.int32)
        k[1, 1](out)
        results.append(int(out[0]))
    assert results == [7, 8]
