"""Fields of every kind: read where they lie, written as a whole, and no number that is not there."""

import gc

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import interop

SOURCE = r"""
#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
struct point { float x, y; };
enum class Mood : short { good = 3, bad = -2 };
class Label { public: Label() {} std::string text; int used = 0; ~Label() { text = "gone"; } };
class Everything {
 public:
  Everything() {}
  double v[3] = {1, 2, 3};
  int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  std::array<float, 4> fixed = {1, 2, 3, 4};
  const int constants[2] = {7, 8};
  char name[8] = "abc";
  char full[4] = {'w', 'x', 'y', 'z'};
  char table[2][3] = {{1, 2, 3}, {4, 5, 6}};
  std::string words[2] = {"one", "two"};
  std::vector<double> numbers = {0.5, 1.5};
  std::vector<std::string> names = {"a", "b"};
  std::vector<point> points = {{1, 2}, {3, 4}};
  std::vector<bool> flags;
  std::map<int, int> other;
  point at = {5, 6};
  point corners[2] = {{1, 2}, {3, 4}};
  Label label;
  Label labels[2];
  std::unique_ptr<int> owned;
  Mood mood = Mood::bad;
  std::complex<double> z = {1, 2};
  unsigned low : 3;
  int high : 5;
  bool single : 1;
  struct { int deep = 4; std::string text = "in"; struct { int deeper = 5; } more[2]; } unnamed;
  union { float as_float; std::uint32_t as_bits = 0x3f800000; };
  static int shared;
  double sum() const { double s = 0; for (double each : v) s += each; return s; }
  int total() const { return m[0][0] + m[0][1] + m[0][2] + m[1][0] + m[1][1] + m[1][2]; }
  double all() const { double s = 0; for (double each : numbers) s += each; return s; }
  std::string joined() const { std::string s = words[0] + words[1]; for (auto& each : names) s += each; return s + name; }
  float where() const { return at.x * 100 + at.y + corners[1].y * 10000 + (points.empty() ? 0 : points.back().x * 1e5f); }
  int sizes() const { return (int)numbers.size() * 100 + (int)names.size(); }
};
inline int Everything::shared = 3;
"""


@pytest.fixture(scope="module")
def lib():
    return interop.bind(SOURCE)


@pytest.fixture
def e(lib):
    return lib.Everything()


def test_arrays_are_read_and_written_where_they_lie(e):
    assert e.v.tolist() == [1, 2, 3] and e.m.tolist() == [[1, 2, 3], [4, 5, 6]] and e.fixed.dtype == np.float32 and e.table.tolist() == [[1, 2, 3], [4, 5, 6]]
    e.v[1] = 20
    e.m[1, 2] = 60
    assert e.sum() == 24 and e.total() == 75
    e.v, e.m = [5, 6, 7], np.arange(6, dtype=np.int32).reshape(2, 3)
    assert e.sum() == 18 and e.total() == 15
    e.v = e.v[::-1]
    assert e.v.tolist() == [7, 6, 5]
    e.v = e.v
    assert e.v.tolist() == [7, 6, 5]
    assert e.constants.tolist() == [7, 8] and not e.constants.flags.writeable
    for name, wrong, error in (("v", [1, 2], ValueError), ("v", [1, 2, 3, 4], ValueError), ("v", 3.0, ValueError), ("v", [[1, 2, 3]], ValueError), ("v", None, TypeError),
                               ("m", np.zeros((3, 2), np.int32), ValueError), ("m", [[1, 2, 3], [4, 5, 2**31]], OverflowError), ("m", [[1.5] * 3] * 2, ValueError),
                               ("v", "abc", TypeError), ("constants", [1, 2], AttributeError), ("fixed", [1e300] * 4, OverflowError)):
        with pytest.raises(error):
            setattr(e, name, wrong)
    assert e.v.tolist() == [7, 6, 5] and e.total() == 15


def test_views_keep_their_object_and_end_with_it(lib):
    view, point, label = lib.Everything().v, lib.Everything().at, lib.Everything().label
    gc.collect()
    rubbish = [lib.Everything() for _ in range(8)]
    assert view.tolist() == [1, 2, 3] and point["x"] == 5 and label.text == "" and rubbish
    e = lib.Everything()
    parts, one = (e.v, e.corners, e.at), e.labels[1]
    e.delete()
    for part in parts:
        with pytest.raises(interop.ReleasedError):
            part.tolist()
    with pytest.raises(interop.ReleasedError):
        one.text
    with pytest.raises(interop.ReleasedError):
        e.v


def test_texts(e):
    assert e.name == "abc" and e.full == "wxyz" and e.words == ("one", "two") and e.names == ("a", "b")
    e.name, e.words, e.names = "1234567", ["é", ""], ["x"] * 3
    assert e.joined() == "éxxx1234567"
    e.name = ""
    assert e.name == ""
    for name, wrong, error in (("name", "12345678", ValueError), ("name", "a\0b", ValueError), ("name", None, TypeError), ("name", 3, TypeError), ("words", ["a"], ValueError),
                               ("words", "ab", TypeError), ("names", "ab", TypeError), ("names", [1], TypeError), ("names", None, TypeError), ("full", "abcd", ValueError)):
        with pytest.raises(error):
            setattr(e, name, wrong)
    assert e.words == ("é", "") and e.names == ("x", "x", "x")


def test_vectors_are_copies_that_nobody_writes(e):
    assert e.numbers.tolist() == [0.5, 1.5] and e.points.tolist() == [(1, 2), (3, 4)]
    with pytest.raises(ValueError, match="read-only"):
        e.numbers[0] = 3
    e.numbers, e.points = np.arange(4.0), [(5, 6)]
    assert e.all() == 6 and e.points["y"].tolist() == [6] and e.sizes() == 402
    e.numbers = []
    assert e.numbers.tolist() == [] and e.sizes() == 2
    with pytest.raises(ValueError):
        e.numbers = [[1.0]]


def test_structs_and_objects_in_objects(lib, e):
    assert e.at["x"] == 5 and e.corners["y"].tolist() == [2, 4] and e.where() == 5 * 100 + 6 + 4e4 + 3e5
    e.at["x"], e.corners[1]["y"] = 7, 9
    assert e.where() == 706 + 9e4 + 3e5
    e.at, e.corners = {"y": 1, "x": 2}, [(0, 0), (1, 1)]
    assert e.where() == 201 + 1e4 + 3e5
    e.label.text, e.labels[1].used = "here", 4
    assert e.label.text == "here" and [each.used for each in e.labels] == [0, 4] and e.label.used == 0
    other = lib.Label()
    other.text = "other"
    e.label = other
    other.text = "changed"
    assert e.label.text == "other"
    for name, wrong, error in (("label", e, TypeError), ("label", None, TypeError), ("at", (1,), TypeError), ("labels", e.labels, AttributeError), ("corners", [(1, 2)], ValueError)):
        with pytest.raises(error):
            setattr(e, name, wrong)


def test_bits_unions_and_enumerations(lib, e):
    e.low, e.high, e.single = 5, -16, True
    assert (e.low, e.high, e.single) == (5, -16, True)
    for name, wrong in (("low", 8), ("low", -1), ("high", 16), ("high", -17)):
        with pytest.raises(OverflowError):
            setattr(e, name, wrong)
    assert (e.low, e.high) == (5, -16)
    assert e.as_float == 1.0
    e.as_bits = 0x40000000
    assert e.as_float == 2.0 and e.mood == lib.Mood.bad and e.z == 1 + 2j
    e.unnamed.deep, e.unnamed.more[1]["deeper"] = 6, 7
    assert (e.unnamed.deep, e.unnamed.text, e.unnamed.more["deeper"].tolist()) == (6, "in", [5, 7])
    e.mood, e.z = lib.Mood.good, 3j
    assert (e.mood, e.z) == (3, 3j)


def test_what_python_has_no_fields_of(e):
    for name in ("flags", "shared"):
        with pytest.raises(AttributeError, match=f"Everything.{name} is .*declare a function that reads it"):
            getattr(e, name)
    with pytest.raises(TypeError, match="C\\+\\+ does not copy objects of the class of this field"):
        e.owned = e.owned


POINTERS = r"""
struct list {
  int n, m;
  double* values +dimension(n);
  const float* grid +dimension(n, m + 1);
  int* one +deref(scalar);
  double* unknown;
  const char* name;
  void* anything;
  struct list* next;
  int (*compare)(int, int);
  const char* words[2];
};
struct flat { int n; const double* values; double weight; struct { int a; int b; } inner; };
inline double total(const list& l) { double s = 0; for (int i = 0; i < l.n; ++i) s += l.values[i]; return s; }
inline int length(const list* l +nullable) { int n = 0; for (; l; l = l->next) ++n; return n; }
inline double weighted(const flat* all +rank(1), int count +implied(size(all))) {
  double s = 0;
  for (int k = 0; k < count; ++k) for (int i = 0; i < all[k].n; ++i) s += all[k].values[i] * all[k].weight;
  return s;
}
inline double kept[3] = {1, 2, 3};
inline flat pool[2] = {{3, kept, 2, {1, 2}}, {2, kept + 1, 1, {3, 4}}};
inline flat* everything() +dimension(2) { return pool; }
inline list* shared() { static list l = {2, 0, kept, nullptr, nullptr, kept, "static", nullptr, nullptr, nullptr, {"a", "b"}}; return &l; }
inline int named(const list& l) { return l.name ? l.name[0] : -1; }
"""


@pytest.fixture(scope="module")
def pointers():
    return interop.bind(POINTERS)


def test_what_fields_point_to(pointers):
    node = pointers.list()
    assert (node.n, node.unknown, node.name, node.anything, node.next, node.compare) == (0, None, None, None, None, None) and node.values.size == 0
    node.values, node.n = np.array([1.0, 2.0, 4.0]), 3
    gc.collect()
    rubbish = [np.full(3, -1.0) for _ in range(100)]
    assert pointers.total(node) == 7 and node.values.tolist() == [1, 2, 4] and rubbish
    node.values[1] = 5
    assert pointers.total(node) == 10
    node.grid, node.m = np.arange(6, dtype=np.float32), 1
    assert node.grid.tolist() == [[0, 1], [2, 3], [4, 5]] and not node.grid.flags.writeable
    node.unknown = node.values
    assert interop.as_array(node.unknown, 3, "f8").tolist() == [1, 5, 4]
    node.name = "text"
    gc.collect()
    assert node.name == "text" and pointers.named(node) == ord("t")
    node.name = None
    assert node.name is None
    node.one = np.array([9], np.int32)
    assert node.one == 9
    node.n = -1
    with pytest.raises(ValueError, match="the dimension of 'values' comes to -1"):
        node.values


def test_a_list_of_objects(pointers):
    first = pointers.list(n=0, next=pointers.list(next=pointers.list()))
    gc.collect()
    assert pointers.length(first) == 3 and first.next.next.next is None and pointers.length(None) == 0
    first.next = None
    assert pointers.length(first) == 1
    first.next = first
    assert first.next.next.n == 0
    with pytest.raises(TypeError, match=r"list\(\) has no field 'nxt'"):
        pointers.list(nxt=first)
    shared = pointers.shared()
    assert shared.name == "static" and shared.values.tolist() == [1, 2] and shared.words.dtype == np.uint64
    shared.name = "other"
    del shared
    gc.collect()
    assert pointers.shared().name == "other"


def test_what_fields_do_not_point_to(pointers):
    node = pointers.list()
    readonly = np.zeros(2)
    readonly.flags.writeable = False
    for name, wrong, error in (("values", np.zeros(3, np.float32), ValueError), ("values", np.zeros(6)[::2], ValueError), ("values", readonly, ValueError), ("values", [1.0], TypeError),
                               ("values", "abc", TypeError), ("name", 1.5, TypeError), ("name", "a\0", ValueError), ("next", np.zeros(3), ValueError), ("next", "x", TypeError),
                               ("compare", lambda a, b: 0, TypeError), ("values", -1, OverflowError), ("words", (1, 2), AttributeError)):
        with pytest.raises(error):
            setattr(node, name, wrong)
    node.grid = np.zeros(2, np.float32)[:0]


def test_structs_with_addresses_in_arrays(pointers):
    a, b = np.array([1.0, 2.0]), np.array([10.0])
    items = [{"n": 2, "values": a, "weight": 2.0, "inner": (0, 0)}, (1, b, 3.0, (0, 0))]
    assert pointers.weighted(items) == 36 and pointers.weighted([]) == 0
    lent = np.zeros(2, pointers.flat.dtype)
    lent["n"], lent["weight"], lent["values"] = [2, 1], [2, 3], [a.ctypes.data, b.ctypes.data]
    assert pointers.weighted(lent) == 36 and pointers.weighted(lent[::-1]) == 36
    turned = np.zeros((), [("weight", "f8"), ("values", "u8"), ("n", "i4"), ("inner", [("b", "i4"), ("a", "i4")])])
    turned["n"], turned["weight"], turned["values"] = 2, 2, a.ctypes.data
    assert pointers.weighted([turned]) == 6 and pointers.weighted(turned.reshape(1)) == 6
    with pytest.raises(TypeError, match="'all.values' is an address in an array of structs, a uint64, not float64"):
        pointers.weighted(np.zeros(1, [("weight", "f8"), ("values", "f8"), ("n", "i4"), ("inner", [("a", "i4"), ("b", "i4")])]))
    sums = interop.bind("struct s { const unsigned long* at; int n; }; inline unsigned long sum(const s* all +rank(1)) { return all->at[0] + all->n; }")
    number = np.array([41], np.uint64)
    backwards = np.array([(1, number.ctypes.data)], [("n", "i4"), ("at", "u8")])
    assert sums.sum(backwards) == sums.sum([backwards[0]]) == sums.sum([{"n": 1, "at": number}]) == 42
    found = pointers.everything()
    assert found["inner"]["b"].tolist() == [2, 4] and pointers.weighted(found) == 12 + 5
    found["weight"] = 1
    assert pointers.weighted(pointers.everything()) == 6 + 5
    for wrong in ({"values": np.zeros(2, "f4")}, {"values": [1.0]}, {"values": np.zeros(4)[::2]}):
        with pytest.raises((TypeError, ValueError), match="'all.values'"):
            pointers.weighted([{"n": 1, "weight": 1.0, "inner": (0, 0), **wrong}])
