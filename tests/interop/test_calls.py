"""Kernels that call functions of C++ (device.cxx), on every target."""

import pathlib
import pickle

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from calls import launched
from hetjit import device


def test_a_function_of_numbers(where):
    lib = device.cxx("inline float poly(float x, float y) { return x * x + 2 * y; }")

    def k(x, y, out):
        i = device.tid(1)
        if i < out.shape[0]:
            out[i] = lib.poly(x[i], y[i])

    x, y = np.arange(70, dtype=np.float32), np.linspace(-3, 9, 70).astype(np.float32)
    out = launched(k, where, x, y, np.zeros(70, np.float32), n=70)[2]
    assert (out == x * x + 2 * y).all()


def test_overloads_are_chosen_by_the_types(where):
    lib = device.cxx("""
        inline int kind(float) { return 1; }
        inline int kind(double) { return 2; }
        inline int kind(int) { return 3; }
        inline int kind(long long) { return 4; }
        inline int kind(unsigned char) { return 5; }
        inline int kind(bool) { return 6; }
        inline int kind(float, float) { return 7; }
    """)

    def k(f, d, i, l, c, out):
        out[0] = lib.kind(f[0])
        out[1] = lib.kind(d[0])
        out[2] = lib.kind(i[0])
        out[3] = lib.kind(c[0])
        out[4] = lib.kind(f[0] > 1)
        out[5] = lib.kind(f[0], 2.0)
        out[6] = lib.kind(7)
        out[7] = lib.kind(1.5)

    out = launched(k, where, np.ones(1, np.float32), np.ones(1), np.ones(1, np.int32), np.ones(1, np.int64), np.ones(1, np.uint8),
                   np.zeros(8, np.int32))[5]
    assert out.tolist() == [1, 2, 3, 5, 6, 7, 3, 1]


def test_templates_deduced_and_given(where):
    lib = device.cxx("""
        template <class T> T twice(T x) { return x + x; }
        template <class T, int N> T power(T x) { T r = 1; for (int i = 0; i < N; ++i) r *= x; return r; }
    """)

    def k(x, n, out):
        out[0] = lib.twice(x[0])
        out[1] = lib.twice(n[0])
        out[2] = lib.power[device.float32, 5](x[0])
        out[3] = lib.power[int, 3](n[0])

    out = launched(k, where, np.array([1.5], np.float32), np.array([7], np.int32), np.zeros(4))[2]
    assert out.tolist() == [3.0, 14, 1.5 ** 5, 343]


def test_names_in_namespaces_and_classes(where):
    lib = device.cxx("""
        namespace app { namespace inner { inline int f(int x, int step = 10) { return x + step; } } }
        struct shape { static int sides(int n) { return n + 1; } };
        enum class colour : unsigned char { red = 3, blue = 200 };
        inline colour pick(int i) { return i ? colour::red : colour::blue; }
    """)

    def k(out):
        out[0] = lib.app.inner.f(1)
        out[1] = lib.app.inner.f(1, 2)
        out[2] = lib.shape.sides(4)
        out[3] = lib.pick(0)
        out[4] = lib.pick(1)

    assert launched(k, where, np.zeros(5, np.int32))[0].tolist() == [11, 3, 5, 200, 3]


def test_out_parameters_are_arrays(where):
    lib = device.cxx("""
        inline void divide(int a, int b, int& quotient, int* remainder) { quotient = a / b; *remainder = a % b; }
        inline void scale(float* x, int n, float by) { for (int i = 0; i < n; ++i) x[i] *= by; }
        inline float total(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
    """)

    def k(a, x, out, sums):
        i = device.tid(1)
        if i < a.shape[0]:
            q = device.local_array(1, int)
            r = device.local_array(1, int)
            lib.divide(a[i], 7, q, r)
            out[i, 0] = q[0]
            out[i, 1] = r[0]
            row = x[i]
            lib.scale(row, 3, 2.0)
            sums[i] = lib.total(row, 3)

    a = np.arange(40, dtype=np.int32) * 5
    x = np.arange(120, dtype=np.float32).reshape(40, 3)
    _, scaled, out, sums = launched(k, where, a, x, np.zeros((40, 2), np.int32), np.zeros(40, np.float32), n=40)
    assert (out == np.stack([a // 7, a % 7], 1)).all()
    assert (scaled == x * 2).all() and (sums == (x * 2).sum(1)).all()


@device.struct
class Body:
    mass: float
    pos: device.float32x3
    tag: device.int8


def test_structs_by_value(where):
    lib = device.cxx("""
        struct vec { float x, y, z; };
        struct body { float mass; vec pos; signed char tag; };
        inline body moved(body b, vec by) { b.pos.x += by.x; b.pos.y += by.y; b.pos.z += by.z; b.tag += 1; return b; }
        inline float weight(const body& b, float g) { return b.mass * g; }
    """, types={Body: "body", device.float32x3: "vec"})

    def k(bodies, out):
        i = device.tid(1)
        if i < bodies.shape[0]:
            b = lib.moved(bodies[i], device.float32x3(1, 2, 3))
            bodies[i] = b
            out[i] = lib.weight(b, 10.0)

    bodies = np.zeros(9, device.numpy_dtype(Body))
    bodies["mass"], bodies["tag"] = np.arange(9), np.arange(9)
    moved, out = launched(k, where, bodies, np.zeros(9, np.float32), n=9)
    assert out.tolist() == (np.arange(9) * 10.0).tolist()
    assert moved["tag"].tolist() == list(range(1, 10))
    assert [tuple(p) for p in moved["pos"].tolist()] == [(1.0, 2.0, 3.0)] * 9


def test_structs_are_arguments_of_templates(where):
    lib = device.cxx("template <class T> int bytes() { return sizeof(T); }\ntemplate <class T> T blank() { return T{}; }")

    def k(out):
        out[0] = lib.bytes[Body]()
        out[1] = lib.bytes[device.float32x4]()
        out[2] = lib.blank[Body]().tag + 7

    assert launched(k, where, np.zeros(3, np.int32))[0].tolist() == [20, 16, 7]


def test_arrays_by_descriptor(where):
    lib = device.cxx("""
        #include "hetjit/interop.hpp"
        template <class T, hetjit::uint64 N>
        T corner(hetjit::interoperable_array_descriptor<T, N> a) {
          T* at = a.data;
          for (hetjit::uint64 i = 0; i < N; ++i) at += (a.shape[i] - 1) * a.strides[i];
          return *at;
        }
        inline long long rows(hetjit::interoperable_array_descriptor<float, 2> a) { return a.shape[0]; }
    """)

    def k(x, out):
        out[0] = lib.corner(x)
        out[1] = lib.corner(x[::2, 1])
        out[2] = lib.rows(x)
        out[3] = lib.corner(x[:, ::-1])

    x = np.arange(15, dtype=np.float32).reshape(5, 3)
    assert launched(k, where, x, np.zeros(4))[1].tolist() == [14, 13, 5, 12]


def test_only_lanes_that_call_do(where):
    lib = device.cxx("""
        inline void bump(int* at) { *at += 1; }
        inline int divided(int a, int b) { return a / b; }
    """)

    def k(counts, a, out):
        i = device.tid(1)
        if i < counts.shape[0] and i % 3 == 1:
            lib.bump(counts[i:])
        if i < a.shape[0] and a[i] != 0:
            out[i] = lib.divided(100, a[i])

    a = np.arange(50, dtype=np.int32) % 5
    counts, _, out = launched(k, where, np.zeros(50, np.int32), a, np.full(50, -1, np.int32), n=50)
    assert counts.tolist() == [int(i % 3 == 1) for i in range(50)]
    assert out.tolist() == [100 // b if b else -1 for b in a.tolist()]


def test_loops_and_branches_in_cxx(where):
    lib = device.cxx("inline int collatz(unsigned n) { int s = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; ++s; } return s; }")

    def k(out):
        i = device.tid(1)
        if i < out.shape[0]:
            out[i] = lib.collatz(device.uint32(i + 1))

    def collatz(n):
        steps = 0
        while n != 1:
            n, steps = 3 * n + 1 if n % 2 else n // 2, steps + 1
        return steps

    assert launched(k, where, np.zeros(60, np.int32), n=60)[0].tolist() == [collatz(i + 1) for i in range(60)]


def test_math_of_cxx(where):
    lib = device.cxx("#include <cmath>\ninline float f(float x) { return std::sqrt(x) + sinf(x) * std::fabs(x); }")

    def k(x, out):
        i = device.tid(1)
        if i < x.shape[0]:
            out[i] = lib.f(x[i])

    x = np.linspace(0, 10, 40).astype(np.float32)
    out = launched(k, where, x, np.zeros(40, np.float32), n=40)[1]
    assert np.allclose(out, np.sqrt(x) + np.sin(x) * np.abs(x), rtol=1e-5)


@pytest.mark.parametrize("kind", ["static", "inline", ""])
def test_functions_of_one_library_share_its_variables(where, kind):
    """Each is compiled by itself, and none may take the first value for the only one."""
    lib = device.cxx(kind + """ __device__ int count = 5;
        inline void add(int n) { count += n; }
        inline int get() { return count; }
    """)

    def k(out):
        if device.tid(1) == 0:
            out[0] = lib.get()
            lib.add(3)
            out[1] = lib.get()

    assert launched(k, where, np.zeros(2, np.int32))[0].tolist() == [5, 8]


def test_variables_of_functions_are_shared():
    lib = device.cxx("""
        inline int next() { static int last = 10; return ++last; }
        inline int twice() { return next() + next(); }
    """)

    @device.kernel
    def k(out):
        out[0] = lib.next()
        out[1] = lib.twice()
        out[2] = lib.next()

    out = np.zeros(3, np.int32)
    k[1, 1](out)
    assert out.tolist() == [11, 12 + 13, 14]


def test_one_text_with_other_macros_is_another_library(where):
    text = "__attribute__((noinline)) inline int scaled(int x) { return x * SCALE; }"
    double, triple = (device.cxx(text, defines={"SCALE": by}) for by in (2, 3))

    def k(out):
        out[0] = double.scaled(5)
        out[1] = triple.scaled(5)

    assert launched(k, where, np.zeros(2, np.int32))[0].tolist() == [10, 15]


COMMON_MACROS = ["N", "T", "M", "D", "V", "I", "E", "X", "SIZE", "i", "n", "x", "y", "z", "w", "to", "at", "of", "size", "data", "shape", "strides",
                 "rank", "type", "value", "mask", "width", "lane", "array", "number", "call", "here", "changed", "element", "copy", "result"]


def test_macros_mean_nothing_in_our_headers(where):
    lib = device.cxx("inline int first(const int* a) { return a[0] + N; }\ninline int sum(int a, int b) { return a + b + T; }",
                     defines=dict.fromkeys(COMMON_MACROS, 4))

    def k(numbers, out):
        out[0] = lib.first(numbers)
        out[1] = lib.sum(numbers[0], 2)

    assert launched(k, where, np.array([5], np.int32), np.zeros(2, np.int32))[1].tolist() == [9, 11]


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint8])
def test_divisions_without_a_result_do_not_end_the_process(dtype):
    lib = device.cxx("""
        template <class T> T quotient(T a, T b) { return a / b; }
        template <class T> T rest(T a, T b) { return a % b; }
        typedef int four __attribute__((ext_vector_type(4)));
        inline int of_vectors(int a, int b) { return (four(a) / four(b)).z; }
    """)

    def k(a, b, out):
        i = device.tid(1)
        if i < a.shape[0]:
            out[i, 0] = lib.quotient(a[i], b[i])
            out[i, 1] = lib.rest(a[i], b[i])
            out[i, 2] = lib.of_vectors(int(a[i]), int(b[i]))

    least = np.iinfo(dtype).min
    a, b = np.array([5, 0, least, least, 7, 100], dtype), np.array([0, 0, 0, np.array(-1).astype(dtype), 2, 7], dtype)
    out = launched(k, "cpu", a, b, np.zeros((6, 3), dtype), n=6)[2]
    wrapped = least if least else dtype(0)  # min / -1; 0 / max of an unsigned one
    assert out[:, 0].tolist() == [0, 0, 0, wrapped, 3, 14] and out[:, 1].tolist() == [0, 0, 0, 0, 1, 2]


def test_what_is_not_read_again_is_still_done():
    lib = device.cxx("inline int put(int* to) { *to = 42; return 1; }")

    @device.kernel
    def k(out):
        lib.put(out)

    out = np.zeros(1, np.int32)
    k[1, 1](out)
    assert out[0] == 42


def test_a_file_with_headers_beside_it(tmp_path, where):
    (tmp_path / "detail.h").write_text("#pragma once\n#define STEP 4\n")
    source = tmp_path / "mine.cuh"
    source.write_text('#include "detail.h"\n__host__ __device__ inline int next(int x) { return x + STEP * SCALE; }\n')
    lib = device.cxx(source, defines={"SCALE": 10})

    def k(out):
        out[0] = lib.next(1)

    assert launched(k, where, np.zeros(1, np.int32))[0][0] == 41


def test_a_header_that_changed_is_read_again(tmp_path):
    header = tmp_path / "step.h"
    results = []
    for step in (4, 75):
        header.write_text(f"inline int next(int x) {{ return x + {step}; }}")
        lib = device.cxx('#include "step.h"', include=tmp_path)

        @device.kernel
        def k(out):
            out[0] = lib.next(1)

        out = np.zeros(1, np.int32)
        k[1, 1](out)
        results.append(int(out[0]))
    assert results == [5, 76]


def test_libraries_are_values():
    one, other = device.cxx("int f();"), device.cxx("int f();", defines={"N": 4})
    assert one == device.cxx("int f();") and one != other and hash(one) == hash(device.cxx("int f();"))
    assert pickle.loads(pickle.dumps(one.space.f)) == one.space.f
    with pytest.raises(AttributeError):
        one.f = 1
    with pytest.raises(TypeError, match="which kernels call"):
        one.f(1)
    with pytest.raises(TypeError, match="a file or the text of one"):
        device.cxx(3)
    with pytest.raises(FileNotFoundError):
        device.cxx(pathlib.Path("nowhere.h"))
    with pytest.raises(TypeError, match="its name in C|the name of"):
        device.cxx("", types={device.float32x3: 3})


# ---- what is refused


def refused(kernel, *arguments):
    with pytest.raises(device.CompileError) as caught:
        device.kernel(kernel)[1, 1](*arguments)
    return str(caught.value)


def test_names_that_are_not_there():
    lib = device.cxx("inline int near(int x) { return x; }")
    text = refused(lambda out: lib.nearr(1), np.zeros(1, np.int32))
    assert "E0322" in text and "nearr" in text and "did you mean" in text


@pytest.mark.parametrize("source, problem, help", [
    ("#include <nothing.h>\nint f();", "C++:1:10: 'nothing.h' file not found", 'say in which folder it is: device.cxx(…, include=["folder"])'),
    ("inline int f(int x) { return x }", "C++:1:31: expected ';' after return statement", "correct the library: until it compiles, no call is looked at"),
])
def test_a_library_that_does_not_compile(source, problem, help):
    """It is the library that is to be changed, not the call."""
    lib = device.cxx(source)
    text = refused(lambda out: lib.f(out[0]), np.zeros(1, np.int32))
    assert f"C++ does not take this call of 'f': its library does not compile, {problem}" in text and text.count("= help: ") == 1
    assert f"= help: {help}" in text


def test_no_overload_shows_the_candidates():
    lib = device.cxx("struct opaque {};\ninline int f(opaque) { return 1; }\ninline int f(int, int) { return 2; }")
    text = refused(lambda out: lib.f(out), np.zeros(1, np.int32))
    assert "no matching function for call to 'f'" in text and "C++:2" in text and "C++:3" in text
    assert "candidate function not viable" in text


def test_an_array_is_no_number():
    lib = device.cxx("inline float f(float x) { return x; }\ninline bool g(bool x) { return x; }")
    assert "E0322" in refused(lambda x: lib.f(x), np.zeros(1, np.float32))
    assert "E0322" in refused(lambda x: lib.g(x), np.zeros(1, np.float32))


def test_strided_arrays_are_no_pointers():
    lib = device.cxx("inline float f(const float* x) { return x[1]; }")
    assert "E0322" in refused(lambda x: lib.f(x[::2]), np.zeros(8, np.float32))


def test_arrays_that_are_only_read_are_not_written_to():
    lib = device.cxx("inline void f(float* x) { *x = 1; }")
    x = np.zeros(1, np.float32)
    x.flags.writeable = False
    assert "E0322" in refused(lambda x: lib.f(x), x)


def test_results_without_a_type_here():
    lib = device.cxx("struct opaque { int a; ~opaque() { a = 0; } };\ninline opaque f() { return {1}; }")
    text = refused(lambda out: lib.f(), np.zeros(1, np.int32))
    assert "its result 'opaque' has no type in Python" in text and "types=" in text


def test_types_that_lie_in_memory_otherwise():
    lib = device.cxx("struct body { float mass; signed char tag; float x, y, z; };\ninline float f(body b) { return b.mass; }", types={Body: "body"})
    assert "E0322" in refused(lambda out: lib.f(out[0]), np.zeros(1, device.numpy_dtype(Body)))


def test_the_library_itself_is_no_function():
    lib = device.cxx("inline int f() { return 1; }")
    assert "E0303" in refused(lambda out: lib(1), np.zeros(1))


def test_texts_are_no_arguments():
    lib = device.cxx("inline int f(const char* text) { return 1; }")
    assert "E0212" in refused(lambda out: lib.f("text"), np.zeros(1))


def test_errors_in_the_source_say_where():
    lib = device.cxx("inline int f(int x) {\n  return x +;\n}")
    assert "C++:2:" in refused(lambda out: lib.f(1), np.zeros(1))


def test_waiting_for_other_threads_is_refused_on_the_host():
    lib = device.cxx("inline int f(int x) { __syncthreads(); return x; }")
    text = refused(lambda out: lib.f(1), np.zeros(1))
    assert "waits for other threads" in text


def test_variables_with_constructors_are_refused():
    lib = device.cxx("struct noisy { noisy(); int n; };\nextern int seed();\nstatic int made = seed();\ninline int f() { return made; }")
    assert "constructor" in refused(lambda out: lib.f(), np.zeros(1))


def test_variables_with_constructors_that_nobody_needs_are_none():
    lib = device.cxx("#include <iostream>\nextern int seed();\nstatic int made = seed();\ninline int f() { return 4; }")

    @device.kernel
    def k(out):
        out[0] = lib.f()

    out = np.zeros(1, np.int32)
    k[1, 1](out)
    assert out[0] == 4


def test_without_clang_a_sentence_says_so(monkeypatch):
    monkeypatch.setenv("HETJIT_CLANG", "/nowhere/clang++")
    lib = device.cxx("inline int lonely(int x) { return x; }")
    assert "HETJIT_CLANG is '/nowhere/clang++', which cannot be run" in refused(lambda out: lib.lonely(1), np.zeros(1))
