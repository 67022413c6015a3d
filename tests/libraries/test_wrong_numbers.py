"""What would reach a library as another number than the caller's, or as memory that is not there: refused, or right."""

import array

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import interop


@pytest.fixture(scope="module")
def lib():
    return interop.bind("""
    #include <string>
    #include <vector>
    inline int count(const char** a, int n +implied(size(a))) { return n; }
    inline int counted(const std::vector<std::string>& a, int n +implied(size(a))) { return n; }
    inline int rows(const int* a +rank(2), int n +implied(size(a, 1)), int m +implied(size(a, 2))) { return n * 100 + m; }
    inline void up(unsigned char* a +rank(1), int n +implied(size(a))) { for (int i = 0; i < n; ++i) a[i] -= 32; }
    struct P { int x; double y; };
    inline double f(P p) { return p.x * 1000 + p.y; }
    class A { public: A() {} long v[4] = {1, 2, 3, 4}; long get(int i) { return v[i]; } int k = 7; };
    class B { public: B() {} char c = 5; };
    """)


def test_lists_of_texts_have_as_many_as_there_are(lib):
    assert lib.count(["a", "bcd"]) == lib.counted(["a", "bcd"]) == 2 and lib.count([]) == 0


def test_axes_of_sizes(lib):
    assert lib.rows(np.zeros((3, 5), np.int32)) == 305
    for axis in (0, 3):
        with pytest.raises(interop.BindError, match=f"'a' has the axes 1 to 2, not {axis}"):
            interop.bind(f"inline int f(const int* a +rank(2), int n +implied(size(a, {axis}))) {{ return n; }}")


def test_memory_that_may_only_be_read_is_not_written(lib):
    text = b"hello"
    for wrong in (memoryview(text), memoryview(array.array("B", text)).toreadonly()):
        with pytest.raises(ValueError, match="is written, and memoryview is read-only"):
            lib.up(wrong)
    assert text == b"hello"


def test_a_dict_gives_a_struct_by_names(lib):
    assert lib.f({"y": 4.5, "x": 3}) == lib.f((3, 4.5)) == 3004.5
    for wrong in ({"x": 3, "q": 7}, {"x": 3}, {}):
        with pytest.raises(TypeError, match="with the fields x, y, and the dict has"):
            lib.f(wrong)


def test_members_are_for_their_own_class(lib):
    assert lib.A().get(2) == 3 and lib.A().k == 7
    for wrong in (lambda: lib.A.get(lib.B(), 3), lambda: type(lib.A()).k.fget(lib.B()), lambda: lib.A.get(None, 1)):
        with pytest.raises(TypeError, match="for a A, not for"):
            wrong()


def test_records_that_are_more_than_their_fields_are_no_plain_structs():
    lib = interop.bind("""
    struct Bits { int a : 3; int b : 5; int d; };
    inline Bits bits() { return {1, 2, 4}; }
    struct Either { int k; union { float f; int i; }; int z; };
    inline Either either() { Either e; e.k = 1; e.i = 250; e.z = 18; return e; }
    inline int all(const Either& e) { return e.k + e.i + e.z; }
    """)
    assert lib.bits().d == 4 and lib.all(lib.either()) == 269


def test_views_of_memory_that_cannot_be():
    memory = interop.bind("inline int* f() +deref(raw) { static int x[4]; return x; }").f()
    for wrong, error in ((lambda: interop.as_array(memory, 2, object), TypeError), (lambda: interop.as_array(memory, -1, "i4"), ValueError),
                         (lambda: interop.as_bytes(memory, -1), ValueError)):
        with pytest.raises(error):
            wrong()
