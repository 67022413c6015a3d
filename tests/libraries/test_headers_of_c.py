"""Headers as C has them: words that C++ does not know, no word of C++, and what is said where they are taken for C++."""

import pathlib

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import interop

HEADER = """
#ifndef RING_H
#define RING_H
#include <stddef.h>
typedef struct ring ring;
ring *ring_new(size_t room);
void ring_free(ring *r);
_Bool ring_is_empty(const ring *r);
size_t ring_push(ring *restrict r, const double *restrict values, size_t n);
double ring_sum(const ring *r);
#endif
"""

SOURCE = """
#include <stdlib.h>
#include "ring.h"
struct ring { size_t room, n; double *values; };
ring *ring_new(size_t room) { ring *r = calloc(1, sizeof *r); r->room = room; r->values = calloc(room, 8); return r; }
void ring_free(ring *r) { free(r->values); free(r); }
_Bool ring_is_empty(const ring *r) { return !r->n; }
size_t ring_push(ring *restrict r, const double *restrict values, size_t n) { size_t i = 0; for (; i < n && r->n < r->room; ++i) r->values[r->n++] = values[i]; return i; }
double ring_sum(const ring *r) { double s = 0; for (size_t i = 0; i < r->n; ++i) s += r->values[i]; return s; }
"""

DECLARATIONS = """
#include "ring.h"
ring* ring_new(size_t room) +owner(caller)+destructor_name(ring);
_Bool ring_is_empty(const ring* r);
size_t ring_push(ring* restrict r, const double* restrict values +rank(1), size_t n +implied(size(values)));
double ring_sum(const ring* r);
"""


@pytest.fixture(scope="module")
def ring(tmp_path_factory):
    """The folder of a library in C and its header."""
    import shutil
    import subprocess
    if not shutil.which("gcc"):
        pytest.skip("gcc is not installed")
    folder = tmp_path_factory.mktemp("ring")
    (folder / "ring.h").write_text(HEADER)
    (folder / "ring.c").write_text(SOURCE)
    subprocess.run(["gcc", "-shared", "-fPIC", str(folder / "ring.c"), "-o", str(folder / "ring.so")], check=True)
    return folder


def test_a_header_itself(ring):
    lib = interop.bind(ring / "ring.h", ring / "ring.so", language="c")
    made = lib.ring_new(3)
    assert lib.ring_is_empty(made) is True and lib.ring_sum(made) == 0
    lib.ring_free(made)


def test_declarations_beside_a_header(ring):
    lib = interop.bind(DECLARATIONS, ring / "ring.so", include=ring, language="c", destructors={"ring": "ring_free((ring*)ptr);"})
    made = lib.ring_new(3)
    assert lib.ring_push(made, np.array([1.0, 2.0, 3.0, 4.0])) == 3 and lib.ring_sum(made) == 6 and lib.ring_is_empty(made) is False


def test_what_is_said_where_c_is_taken_for_cxx(ring):
    whole = dict(include=ring, destructors={"ring": "ring_free((ring*)ptr);"})
    with pytest.raises(interop.BindError, match=r"(?s)B111.*language linkage.*= a header among headers=\[…\] declares it as C\+\+"):
        interop.bind(DECLARATIONS.replace('#include "ring.h"', ""), ring / "ring.so", headers=["ring.h"], language="c", **whole)
    with pytest.raises(interop.BindError, match=r"(?s)B140: the library has no 'three\(int\)'.*= it has a 'three' of C: bind\(language=\"c\"\), or extern \"C\""):
        interop.bind("int three(int x);", _compiled(ring, "int three(int x) { return x + 3; }"))
    with pytest.raises(interop.BindError, match="B140") as caught:
        interop.bind("int four(int x);", ring / "three.so")
    assert "of C" not in str(caught.value)


def _compiled(folder, text):
    import subprocess
    (folder / "three.c").write_text(text)
    subprocess.run(["gcc", "-shared", "-fPIC", str(folder / "three.c"), "-o", str(folder / "three.so")], check=True)
    return folder / "three.so"


def test_headers_that_do_not_compile_say_where(tmp_path):
    (tmp_path / "broken.h").write_text("int f(int x);\nint g(unknown_type x);\n")
    with pytest.raises(interop.BindError, match=r"B110: the headers do not compile: .*broken.h:2: unknown type name 'unknown_type'"):
        interop.bind("int f(int x);", headers=[str(tmp_path / "broken.h")])
    with pytest.raises(interop.BindError, match=r"B110: the headers do not compile: .*'absent.h' file not found"):
        interop.bind("int f(int x);", headers=[pathlib.PurePath("absent.h").name])
