"""Functions of one name: by how many arguments there are, and by what they are."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import interop


@pytest.fixture(scope="module")
def lib():
    return interop.bind("""
    #include <complex>
    #include <string>
    #include <vector>
    inline int which(int a) { return 1; }
    inline int which(double a) { return 2; }
    inline int which(bool a) { return 3; }
    inline int which(const std::string& a) { return 4; }
    inline int which(std::complex<double> a) { return 5; }
    inline int which(int a, int b) { return 6; }
    inline int which(int a, double b) { return 7; }
    inline int wide(unsigned char a) { return 1; }
    inline int wide(long a) { return 2; }
    inline int wide(unsigned long a) { return 3; }
    inline int of(const float* a +rank(1)) { return 1; }
    inline int of(const double* a +rank(1)) { return 2; }
    inline int of(const int* a +rank(1)) { return 3; }
    inline int of(const double* a +rank(2), int n +implied(size(a))) { return 4; }
    inline int call(double (*f)(double)) { return 1; }
    inline int call(const char* text) { return 2; }
    inline float single(float a) { return 1; }
    inline double single(double a) { return 2; }
    class A { public: A(int x) : x(x) {} A(const A& a) : x(a.x + 100) {} A(const std::string& s) : x(s.size()) {} int get() { return x; }
              int get(int by) { return x + by; } int get(double by) { return x * 1000; } int x; };
    class B { public: B() {} };
    inline int which(const A& a) { return 8; }
    """)


def test_the_nearest_is_called(lib):
    for argument, wanted in ((3, 1), (3.0, 2), (True, 3), ("abc", 4), (1j, 5), (np.int32(3), 1), (np.float32(3), 2), (np.bool_(1), 3), (lib.A(1), 8),
                             (np.int8(1), 1)):
        assert lib.which(argument) == wanted, argument
    assert lib.which(1, 2) == 6 and lib.which(1, 2.5) == 7 and lib.which(a=1, b=2.0) == 7
    assert lib.wide(3) == lib.wide(-1) == 2 and lib.wide(2**63) == 3 and lib.wide(np.uint8(3)) == 1
    assert lib.single(0.1) == 2 and lib.single(np.float32(1)) == 1


def test_arrays_texts_and_functions(lib):
    assert [lib.of(np.zeros(2, each)) for each in ("f4", "f8", "i4")] == [1, 2, 3] and lib.of(np.zeros((2, 2))) == lib.of([[1.0]]) == 4
    assert lib.of([1.0, 2.5]) == 2
    assert lib.call(lambda x: x) == 1 and lib.call("x") == 2


def test_constructors_and_methods(lib):
    assert lib.A(7).get() == 7 and lib.A(lib.A(7)).get() == 107 and lib.A("four").get() == 4
    assert lib.A(7).get(1) == 8 and lib.A(7).get(1.0) == 7000


def test_what_none_takes(lib):
    with pytest.raises(TypeError, match=r"which\(\): none takes \(list\): there are which\(int a\); which\(double a\); which\(bool a\)"):
        lib.which([1])
    with pytest.raises(TypeError, match="none takes"):
        lib.A(lib.B())


def test_the_nearest_base_class():
    lib = interop.bind("""
    class A { public: A() {} A(const A&) {} A* self() { return this; } }; class B : public A { public: B() {} }; class C : public B { public: C() {} };
    class D : public C { public: D() {} }; class Other { public: Other() {} };
    inline int f(const A& a) { return 1; }
    inline int f(const B& b) { return 2; }
    inline int p(void* any) { return 0; }
    inline int p(A* a) { return 1; }
    inline int p(B* b) { return 2; }
    inline int two(const A& a, const C& b) { return 1; }
    inline int two(const B& a, const B& b) { return 2; }
    class User { public: User(A* a) : of(1) {} User(C* b) : of(3) {} int get(const A& a) { return 1; } int get(const B& b) { return 2; } int of; };
    inline bool at(const A* a) { return true; }
    inline bool at(int* number) { return false; }
    """)
    made = [lib.A(), lib.B(), lib.C(), lib.D()]
    assert [lib.f(each) for each in made] == [lib.p(each) for each in made] == [1, 2, 2, 2]
    assert [lib.User(each).of for each in made] == [1, 1, 3, 3] and [lib.User(made[0]).get(each) for each in made] == [1, 2, 2, 2]
    assert lib.two(lib.C(), lib.D()) == 1 and lib.two(lib.B(), lib.B()) == 2 and lib.p(lib.Other()) == 0 and lib.at(lib.D())
    with pytest.raises(TypeError, match="none takes"):
        lib.f(lib.Other())


def test_numbers_are_what_they_are_in_cxx():
    lib = interop.bind("""
    #include <complex>
    inline int f(unsigned char a) { return 1; }
    inline int f(long long a) { return 2; }
    inline int f(int a) { return 3; }
    inline int f(float a) { return 4; }
    inline int g(short a) { return 1; }
    inline int g(unsigned long a) { return 2; }
    inline int h(float a) { return 1; }
    inline int h(double a) { return 2; }
    inline int c(std::complex<float> a) { return 1; }
    inline int c(std::complex<double> a) { return 2; }
    """)
    for value, wanted in ((3, 3), (-2**31, 3), (2**31, 2), (np.int64(3), 2), (np.uint8(3), 1), (np.int8(3), 3), (np.uint16(3), 3), (np.uint32(3), 3), (True, 3),
                          (3.0, 4), (10**30, 4)):
        assert lib.f(value) == wanted, value
    assert lib.g(3) == lib.g(2**63) == 2 and lib.g(-3) == lib.g(np.int16(3)) == 1
    assert lib.h(2**24 + 1) == lib.h(True) == lib.h(0.1) == 2 and lib.c(1j) == lib.c(3) == lib.c(0.1) == 2


def test_structs_are_told_apart_by_their_fields():
    lib = interop.bind("""
    struct P { double x, y[2]; }; struct Q { float x; float y[2]; }; struct R { int a; };
    inline int f(P p) { return 1; }
    inline int f(Q q) { return 2; }
    inline int f(R r) { return 3; }
    inline int all(const P* p +rank(1)) { return 1; }
    inline int all(const R* r +rank(1)) { return 3; }
    """)
    assert [lib.f(np.zeros((), each)) for each in (lib.P, lib.Q, lib.R)] == [1, 2, 3] and lib.f({"a": 1}) == 3 and lib.f({"y": [1, 2], "x": 1}) == 1
    assert lib.all([(1.0, (2.0, 3.0))]) == lib.all([{"x": 1, "y": (1, 2)}]) == 1 and lib.all([{"a": 1}]) == 3


def test_what_comes_out_by_default_comes_out(compiled):
    """The argument that Python does not pass tells no two forms apart; behind one that is left out it cannot come."""
    library = compiled('extern "C" int f(int x, double* out) { if (out) *out = x / 2.0; return x; }')
    lib = interop.bind('extern "C" int f(int x = 5, double* out +intent(out) = nullptr);', library)
    assert lib.f(7) == (7, 3.5) and lib.f() == 5
    with pytest.raises(TypeError, match=r"f\(x\) takes 0 or 1 arguments, not 2"):
        lib.f(7, 1.0)


@pytest.mark.parametrize("first, second", [("", " const"), (" const", "")])
def test_of_methods_that_differ_in_const_alone_the_one_of_such_objects_is_called(first, second):
    lib = interop.bind("class A { public: A() {} int get(int i)%s { return %d; } int get(int i)%s { return %d; } int get(double x) const { return 5; }"
                       " int own() { return 3; } int other() const +name(fixed) { return 4; } int other() { return 5; } };"
                       % (first, bool(first), second, bool(second)))
    a = lib.A()
    assert (a.get(1), a.get(1.0), a.own(), a.fixed(), a.other()) == (0, 5, 3, 4, 5)


def test_functions_that_nothing_tells_apart_are_refused_together():
    text = "inline int f(int a) { return a; } inline int f(int a, int b = 2) { return a; } void g(int& a); void g(const int& b); inline int h() { return 1; }"
    with pytest.raises(interop.BindError, match=r'(?s)B134.*two .f.*2 functions are refused, which are left out by bind\(leave_out=\["f", "g"\]\)') as caught:
        interop.bind(text)
    assert caught.value.code == "B134" and interop.bind(text, leave_out=["f", "g"]).h() == 1
    with pytest.raises(interop.BindError, match=r'it is left out by bind\(leave_out=\["g"\]\)'):
        interop.bind(text, leave_out=["f"])
