"""What is exact stays exact: expressions of declarations, enumerators, numbers of every width; and what is the caller's is released when a call
fails."""

import gc

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device, interop


@pytest.fixture(scope="module")
def lib():
    return interop.bind("""
    #include <complex>
    #include <cstdlib>
    #include <stdexcept>
    #include <vector>
    #include <stdint.h>
    inline int kept[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    inline int* square(int n) +dimension(n*n) { return kept; }
    inline int* cube(long n) +dimension(n*n*n) { return kept; }
    inline int* part(int n, int m) +dimension(n/m) { return kept; }
    inline int* rest(unsigned n, unsigned m) +dimension(n - m) { return kept; }
    inline int* bits(int n) +dimension(1 << n) { return kept; }
    inline int* least(int n) +dimension(n > 4 ? 4 : n) { return kept; }
    inline int half_of(int n) { return n / 2; }
    inline int* half(int n) +dimension(half_of(n)) { return kept; }
    inline int tripled(const int* a +rank(1), int n +implied(size(a)*3 - 1)) { return n; }
    inline int tiny(const int* a +rank(1), uint8_t n +implied(size(a) - 3)) { return n; }
    inline void asks(const int* a +dimension(n, n, n), long n) {}
    inline void found(int*& a +intent(out)+dimension(3)) { a = kept; }
    inline void found_text(const char*& a +intent(out)) { a = "text"; }
    inline void found_void(void*& a +intent(out)) { a = kept; }
    class C { public: C() {} int x = 4; };
    inline void found_object(C*& c +intent(out)) { static C kept; c = &kept; }
    inline uint64_t back(uint64_t (*f)(uint64_t), uint64_t x) { return f(x); }
    inline void* address(void* (*f)()) { return f(); }
    inline int bytes(const unsigned char* a +rank(1), int n +implied(size(a))) { int sum = 0; for (int i = 0; i < n; ++i) sum += a[i]; return sum; }
    inline uint64_t last(const uint64_t* a +rank(1), int n +implied(size(a))) { return a[n - 1]; }
    inline double floats(const float* a +rank(1), int n +implied(size(a))) { return a[0]; }
    inline double vector(const std::vector<float>& a) { return a[0]; }
    inline double complexes(const std::complex<float>* a +rank(1)) { return a[0].real(); }
    inline double single(std::complex<float> a) { return a.real(); }
    enum class Color : uint8_t { red = 1, green = 255 };
    enum class Mood { red = 5, blue = -1 };
    enum Plain : unsigned { large = 0xffffffffu, small = 1 };
    enum Huge : unsigned long { most = 0xffffffffffffffffull };
    inline int number(Color c) { return int(c); }
    inline Mood mood(int n) { return Mood(n); }
    """)


def test_expressions_do_not_wrap(lib):
    assert lib.square(2).tolist() == [1, 2, 3, 4] and lib.cube(2).size == 8 and lib.part(6, 2).size == 3 and lib.bits(3).size == 8
    assert lib.least(9).size == 4 and lib.least(2).size == 2 and lib.half(8).size == 4 and lib.rest(5, 2).size == 3
    with pytest.raises(OverflowError, match=r"overflows, or divides by zero"):
        lib.cube(2**62)
    for wrong in (lambda: lib.part(1, 0), lambda: lib.bits(200), lambda: lib.bits(-1)):
        with pytest.raises(OverflowError, match="an expression of its declaration overflows, or divides by zero"):
            wrong()
    with pytest.raises(ValueError, match="the dimension of 'rest' comes to -3"):
        lib.rest(2, 5)
    with pytest.raises(OverflowError):
        lib.asks([[[1]]], 2**62)
    with pytest.raises(ValueError, match="asks for 1000000000000000000000000"):
        lib.asks([[[1]]], 10**8)
    with pytest.raises(interop.BindError, match="the extents of an array are integers"):
        interop.bind("inline int* halves(int n) +dimension(n * 0.5) { return nullptr; }")


def test_what_is_implied_does_not_wrap(lib):
    assert lib.tripled([1, 2]) == 5 and lib.tiny([1, 2, 3, 4]) == 1
    with pytest.raises(OverflowError, match="'n' would be -1, which its type does not have"):
        lib.tiny([1, 2])


def test_references_to_pointers_come_back(lib):
    assert lib.found().tolist() == [1, 2, 3] and lib.found_text() == "text" and interop.as_array(lib.found_void(), 2, "i4").tolist() == [1, 2]
    assert lib.found_object().x == 4


def test_callbacks_have_all_numbers(lib):
    for number in (0, 2**63 - 1, 2**63, 2**64 - 1):
        assert lib.back(lambda x: x, number) == number
    for wrong in (-1, 2**64):
        with pytest.raises(OverflowError):
            lib.back(lambda x, wrong=wrong: wrong, 1)
    assert lib.address(lambda: None) is None and int(lib.address(lambda: 2**63 + 8)) == 2**63 + 8


def test_lists_for_all_integers(lib):
    assert lib.bytes([1, 2, 255]) == lib.bytes((1, 2, 255)) == lib.bytes(np.array([1, 2, 255])) == 258 and lib.bytes([True]) == 1
    assert lib.last([2**63 + 1]) == 2**63 + 1 and lib.last(np.array([7], "i1")) == 7
    for wrong in ([-1], [256], np.array([-1]), np.array([300])):
        with pytest.raises(OverflowError, match="uint8, which has not all of these numbers"):
            lib.bytes(wrong)
    for wrong in ([-1], np.array([-1])):
        with pytest.raises(OverflowError, match="uint64, which has not all"):
            lib.last(wrong)
    with pytest.raises(ValueError):
        lib.bytes([1.0])


def test_floats_do_not_become_infinite(lib):
    for call in (lib.floats, lib.vector, lib.complexes):
        for wrong in ([1e300], (1e39,), [-1e300]):
            with pytest.raises(OverflowError, match="which has not all of these numbers"):
                call(wrong)
        assert call([float("inf")]) == float("inf") and call([0.5]) == 0.5
    for wrong in (1e300, 1e39 + 1j, 1e300j):
        with pytest.raises(OverflowError, match="too large"):
            lib.single(wrong)
    assert lib.single(complex(float("-inf"), 1)) == float("-inf")


def test_enumerators(lib):
    assert (lib.Color.red, lib.Color.green, lib.Mood.red, lib.Mood.blue) == (1, 255, 5, -1)
    assert (lib.large, lib.small, lib.most) == (2**32 - 1, 1, 2**64 - 1) and not hasattr(lib, "red")
    assert lib.number(lib.Color.green) == 255 and lib.mood(-1) == lib.Mood.blue


OWNED = """
    #include <cstdlib>
    #include <string>
    #include <vector>
    inline int alive = 0;
    inline int count() { return alive; }
    struct Thing { Thing() { ++alive; } ~Thing() { --alive; } };
    inline int* made() { ++alive; return (int*)std::calloc(8, 4); }
    inline void drop(void* at) { --alive; std::free(at); }
    inline int* array(int n) +dimension(n)+owner(caller)+destructor_name(drop) { return made(); }
    inline int* called(int (*f)()) +dimension(2)+owner(caller)+destructor_name(drop) { f(); return made(); }
    inline Thing* thing(int (*f)()) +owner(caller) { f(); return new Thing; }
    inline void both(int** a +intent(out)+dimension(2)+owner(caller)+destructor_name(drop), int** b +intent(out)+dimension(n)+owner(caller)+destructor_name(drop),
                     int n) { *a = made(); *b = made(); }
    inline void unseen(int** a +intent(out)+hidden+owner(caller)+destructor_name(drop)) { *a = made(); }
    inline char* name() +funcarg+owner(caller)+destructor_name(drop) { char* at = (char*)made(); at[0] = 'x'; return at; }
    inline char* broken() +owner(caller)+destructor_name(drop) { char* at = (char*)made(); at[0] = (char)0xff; return at; }
"""


def test_what_is_the_caller_s_is_released_when_the_call_fails():
    lib = interop.bind(OWNED, destructors={"drop": "drop(ptr);"})
    for call, error in ((lambda: lib.array(-1), ValueError),
                        (lambda: lib.called(lambda: 1 / 0), ZeroDivisionError), (lambda: lib.thing(lambda: 1 / 0), ZeroDivisionError),
                        (lambda: lib.both(-1), ValueError), (lib.broken, ValueError)):
        with pytest.raises(error):
            call()
        gc.collect()
        assert lib.count() == 0
    lib.unseen()
    buffer = bytearray(3)
    lib.name(buffer)
    assert bytes(buffer) == bytes([ord("x"), 0, 0])
    assert lib.count() == 0
    held = lib.both(2)
    assert lib.count() == 2
    del held
    gc.collect()
    assert lib.count() == 0


def test_types_are_checked():
    @device.struct
    class Body:
        mass: float

    text = "struct body { float mass; }; inline float mass(body b) { return b.mass; }"
    assert interop.bind(text, types={Body: "body"}).mass(Body(2.0)) == 2
    with pytest.raises(ValueError, match="no struct of numbers that these declarations use is called 'bodies'; there are body"):
        interop.bind(text, types={Body: "bodies"})
    for wrong in ({"body": Body}, {int: "body"}):
        with pytest.raises(TypeError, match="is no device.struct"):
            interop.bind(text, types=wrong)

    @device.struct
    class Other:
        mass: float
    with pytest.raises(ValueError, match="body is given to Body and to Other"):
        interop.bind(text, types={Body: "body", Other: "body"})
