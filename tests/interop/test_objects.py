"""Objects of C++ types in kernels: made, kept, their members, methods and operators; constants and types by name."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from calls import launched
from hetjit import device

LIB = device.cxx("""
namespace app {
constexpr int kLimit = 40;
constexpr double kPi = 3.25;
enum class colour : unsigned char { red = 3, blue = 200 };
inline int number(colour c) { return c == colour::blue ? 1 : 0; }

struct vec {
  float x, y, z;
  vec() : x(0), y(0), z(0) {}
  vec(float x, float y, float z) : x(x), y(y), z(z) {}
  float dot(const vec& o) const { return x * o.x + y * o.y + z * o.z; }
  vec scaled(float by, float more = 1) const { return vec(x * by * more, y * by * more, z * by * more); }
  void grow(float by) { x += by; }
  float peek() { return x; }
  float& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  float operator()(int i, int j) const { return x * i + y * j; }
  vec operator-() const { return vec(-x, -y, -z); }
  explicit operator bool() const { return x != 0; }
};
inline vec operator+(const vec& a, const vec& b) { return vec(a.x + b.x, a.y + b.y, a.z + b.z); }
inline vec operator*(float a, const vec& b) { return b.scaled(a); }
inline bool operator==(const vec& a, const vec& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
inline bool operator<(const vec& a, const vec& b) { return a.x < b.x; }
inline void push(vec& v, float by) { v.x += by; }

struct counter {
  unsigned long long state;
  explicit counter(int seed) : state(seed) {}
  int next() { state = state * 6364136223846793005ull + 1442695040888963407ull; return int(state >> 33); }
};
inline int twice(counter& c) { return c.next() + c.next(); }
template <class T, int N> struct box { T items[N]; T first() const { return items[0]; } using type = T; };
template <class T> box<T, 3> boxed(T a, T b, T c) { return {a, b, c}; }
}
""")


def test_members_methods_and_operators(where):
    def k(x, out):
        i = device.tid(1)
        if i < x.shape[0]:
            v = LIB.app.vec(x[i], 2.0, 3.0)
            w = 2.0 * v + LIB.app.vec()
            out[i, 0] = w.dot(v)
            out[i, 1] = v.scaled(2.0).y
            out[i, 2] = v.scaled(2.0, 0.5).z
            out[i, 3] = (-w).x
            out[i, 4] = w[2]
            out[i, 5] = w(1, 2)
            out[i, 6] = 1.0 if v == w else 2.0
            out[i, 7] = 1.0 if v < w else 2.0
            out[i, 8] = 1.0 if v else 2.0
            out[i, 9] = 1.0 if v != v else 2.0
            out[i, 10] = v.peek()

    x = np.arange(40, dtype=np.float32)
    out = launched(k, where, x, np.zeros((40, 11), np.float32), n=40)[1]
    for row, a in zip(out, x):
        assert row.tolist() == [2 * (a * a + 13), 4, 3, -2 * a, 6, 2 * a + 8, 1 if a == 2 * a and False else 2, 1 if a < 2 * a else 2,
                                1 if a else 2, 2, a]


def test_objects_travel_through_branches_loops_functions_and_arrays(where):
    @device.func
    def added(a, b):
        return a + b

    def k(n, out):
        i = device.tid(1)
        if i < n.shape[0]:
            v = LIB.app.vec(1.0, 0.0, 0.0)
            for _ in range(n[i]):
                v = added(v, LIB.app.vec(1.0, 2.0, 0.0))
            if n[i] % 2 == 0:
                v = -v
            kept = device.local_array(3, LIB.app.vec)
            kept[1] = v
            out[i, 0] = kept[1].x
            out[i, 1] = kept[1].y

    n = np.arange(33, dtype=np.int32)
    out = launched(k, where, n, np.zeros((33, 2), np.float32), n=33)[1]
    sign = np.where(n % 2 == 0, -1, 1)
    assert (out[:, 0] == sign * (1 + n)).all() and (out[:, 1] == sign * 2 * n).all()


def test_members_and_items_are_replaced(where):
    def k(out):
        v = LIB.app.vec(1.0, 2.0, 3.0)
        w = v
        v.y = 7.0
        v[2] = 9.0
        out[0] = v.x
        out[1] = v.y
        out[2] = v.z
        out[3] = w.y

    assert launched(k, where, np.zeros(4, np.float32))[0].tolist() == [1, 7, 9, 2]


def test_arrays_that_are_members_are_taken_out_and_put_back(where):
    def k(x, out):
        i = device.tid(1)
        if i < x.shape[0]:
            whole = LIB.app.boxed(x[i], 2.0, 3.0)
            items = whole.items
            items[1] = 5.0
            items[2] += items[0]
            out[i, 0] = whole.items[1]
            whole.items = items
            out[i, 1] = whole.items[1]
            out[i, 2] = whole.items[2]
            out[i, 3] = whole.first()

    x = np.arange(40, dtype=np.float32)
    out = launched(k, where, x, np.zeros((40, 4), np.float32), n=40)[1]
    assert (out == np.stack([x * 0 + 2, x * 0 + 5, x + 3, x], 1)).all()


def test_state_is_kept_in_an_array_of_one(where):
    def k(out):
        i = device.tid(1)
        if i < out.shape[0]:
            state = device.local_array(1, LIB.app.counter)
            state[0] = LIB.app.counter(int(i))
            first = state.next()
            second = LIB.app.twice(state)
            out[i] = first ^ second ^ state.next()

    def numbers(seed):
        while True:
            seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
            yield np.int32(seed >> 33)

    want = []
    for seed in range(35):
        draw = numbers(seed)
        with np.errstate(over="ignore"):
            want.append(next(draw) ^ (next(draw) + next(draw)) ^ next(draw))
    assert launched(k, where, np.zeros(35, np.int32), n=35)[0].tolist() == np.array(want, np.int32).tolist()


def test_constants_enumerators_and_types_by_name(where):
    def k(out):
        out[0] = LIB.app.kLimit + 2
        out[1] = LIB.app.number(LIB.app.colour.blue)
        out[2] = LIB.app.colour.blue
        out[3] = device.float64(LIB.app.kPi) * 4
        limit = LIB.app.kLimit
        if limit > 39:
            out[4] = -limit
        b = LIB.app.boxed(5, 6, 7)
        out[5] = b.first()
        c = LIB.app.box[LIB.app.vec, 2]()
        out[6] = c.first().x
        memory = device.local_array(2, LIB.app.box[int, 3].type)
        memory[1] = 11
        out[7] = memory[1]

    assert launched(k, where, np.zeros(8))[0].tolist() == [42, 1, 200, 13, -40, 5, 0, 11]


def refused(kernel, *arguments):
    with pytest.raises(device.CompileError) as caught:
        device.kernel(kernel)[1, 1](*arguments)
    return str(caught.value)


def test_what_changes_a_copy_is_refused():
    out = np.zeros(1, np.float32)

    def grow(out):
        v = LIB.app.vec(1.0, 2.0, 3.0)
        v.grow(1.0)
        out[0] = v.x

    text = refused(grow, out)
    assert "it changes the 'app::vec' that it is given, a copy" in text and "local_array" in text

    def push(out):
        v = LIB.app.vec(1.0, 2.0, 3.0)
        LIB.app.push(v, 1.0)
        out[0] = v.x

    assert "it changes the 'app::vec'" in refused(push, out)


def test_addresses_of_copies_are_not_kept():
    lib = device.cxx("""
        struct value { int n; value(int n) : n(n) {} };
        struct view { const value* of; int get() const { return of->n; } };
        inline view seen(const value& v) { return {&v}; }
        struct own { own* self; int n; own() : self(this), n(3) {} own(const own& o) : self(this), n(o.n) {} };
    """)

    def k(out):
        v = lib.value(3)
        out[0] = lib.seen(v).get()

    assert "keeps the address of the 'value' that it is given" in refused(k, np.zeros(1, np.int32))

    def j(out):
        o = lib.own()
        out[0] = o.n

    assert "keeps its own address" in refused(j, np.zeros(1, np.int32))


def test_what_has_no_name_or_ends_with_code_is_refused():
    lib = device.cxx("""
        inline auto unnamed() { return [] { return 1; }; }
        struct owner { int n; ~owner() { n = 0; } };
        inline owner owned() { return {1}; }
    """)
    assert "a type without a name" in refused(lambda out: lib.unnamed(), np.zeros(1))
    assert "has no type in Python" in refused(lambda out: lib.owned(), np.zeros(1))


def unpacked(out):
    a, b, c = LIB.app.vec(1.0, 2.0, 3.0)
    out[0] = a


def walked(out):
    for word in LIB.app.vec(1.0, 2.0, 3.0):
        out[0] += word


def made_again(out):
    v = LIB.app.vec(1.0, 2.0, 3.0)
    out[0] = type(v)(1.0, 2.0, 3.0).x


def of_a_tuple(out):
    memory = device.local_array(1, LIB.app.vec)
    memory[0] = (1, 2, 3)


def counted(out):
    out[0] = len(LIB.app.vec(1.0, 2.0, 3.0))


def spread(out):
    out[0] = max(*LIB.app.vec(1.0, 2.0, 3.0))


def largest(out):
    out[0] = max(LIB.app.vec(1.0, 2.0, 3.0))


def as_tuple(out):
    out[0] = tuple(LIB.app.vec(1.0, 2.0, 3.0))[0]


def contained(out):
    out[0] = 1 in LIB.app.vec(1.0, 2.0, 3.0)


def written(out):
    print(LIB.app.vec(1.0, 2.0, 3.0))


@pytest.mark.parametrize("kernel", [unpacked, walked, made_again, of_a_tuple, counted, spread, largest, as_tuple, contained, written],
                         ids=lambda kernel: kernel.__name__)
def test_the_words_of_an_object_are_nobodys(kernel):
    assert "vec" in refused(kernel, np.zeros(1, np.float32))


def test_objects_match_no_sequence_and_travel_between_lanes(where):
    def k(out):
        v = LIB.app.vec(float(device.thread_idx.x), 2.0, 3.0)
        match v:
            case (a, b, c):
                out[0] = a
            case _:
                out[0] = 7
        w = device.shfl_sync(device.activemask(), v, 1)
        out[1] = w.x

    out = launched(k, where, np.zeros(2, np.float32), n=32)[0]
    assert out.tolist() == [7, 1]


def test_messages_are_clangs():
    def member(out):
        out[0] = LIB.app.vec(1.0, 2.0, 3.0).length

    assert "no member named 'length' in 'app::vec'" in refused(member, np.zeros(1))

    def mixed(out):
        v = LIB.app.vec(1.0, 2.0, 3.0) + 1
        out[0] = v.x

    assert "invalid operands to binary expression" in refused(mixed, np.zeros(1))

    def floor(out):
        v = LIB.app.vec(1.0, 2.0, 3.0) // LIB.app.vec()
        out[0] = v.x

    assert "E03" in refused(floor, np.zeros(1)) or "cannot apply" in refused(floor, np.zeros(1))

    def constant(out):
        out[0] = LIB.app.kLimt

    assert "kLimt" in refused(constant, np.zeros(1))


def test_libraries_do_not_share_types():
    other = device.cxx("namespace app { struct vec { float x, y, z; }; inline float first(vec v) { return v.x; } }")

    def k(out):
        out[0] = other.app.first(LIB.app.vec(1.0, 2.0, 3.0))

    assert "E0212" in refused(k, np.zeros(1, np.float32))
