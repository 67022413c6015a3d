"""Results that lie in what a call was given, or in an object: there for as long as they are used, or refused."""

import gc

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device, interop

SOURCE = r"""
#include <cstring>
#include <string>
#include <vector>
struct P { int x; double y; };
inline const int& larger(const int& a, const int& b) { return a < b ? b : a; }
inline int& itself(int& a) { return a; }
inline const std::string& longer(const std::string& a, const std::string& b) { return a.size() < b.size() ? b : a; }
inline const char* text_of(const std::string& a) { return a.c_str(); }
inline const char* view_of(const std::string& a) +deref(pointer) { return a.c_str(); }
inline const char* raw_of(const std::string& a) +deref(raw) { return a.c_str(); }
inline std::string* shout(std::string* a) { *a += "!"; return a; }
inline P& same(P& p) { p.x += 1; return p; }
inline const P& first(const P& p) { return p; }
inline std::vector<int>& grown(std::vector<int>& v) { v.push_back(7); return v; }
inline const int* data_of(const std::vector<int>& v +rank(1)) +dimension(size(v)) { return v.data(); }
inline const int* too_far(const std::vector<int>& v) +dimension(1000) { return v.data(); }
inline char* copied(char* to +intent(out)+charlen(40), const char* from) { return std::strcpy(to, from); }
inline int* filled(int* a +intent(out)+dimension(n), int n) +dimension(n) { for (int i = 0; i < n; ++i) a[i] = i; return a; }
inline int* hidden(int* a +intent(out)+hidden+dimension(n), int n) +dimension(n) { for (int i = 0; i < n; ++i) a[i] = i + 1; return a; }
inline double* beyond(double* a +rank(1), int from) +dimension(size(a) - from) { return a + from; }
inline const double* found(const double* a +rank(1)) { return a; }
inline const char* rest(const char* text, int n) +deref(pointer) { return text + n; }
inline int* wrongly_owned(int& a) +owner(caller) { return &a; }
"""


@pytest.fixture(scope="module")
def lib():
    return interop.bind(SOURCE)


def litter():
    """Memory that has been given back is used again."""
    gc.collect()
    return [np.full(8, -1.0) for _ in range(200)], [b"?" * n for n in range(64)]


def test_references_to_arguments_are_values(lib):
    assert lib.larger(3, 9) == 9 and type(lib.larger(3, 9)) is int
    assert lib.longer("a" * 50, "b") == "a" * 50 and lib.longer("", "xy") == "xy"
    assert lib.text_of("a" * 60) == "a" * 60 and lib.text_of("short") == "short" and lib.text_of("") == ""
    assert bytes(lib.view_of("a" * 60)) == b"a" * 60
    assert lib.shout("ab") == ("ab!", "ab!") and lib.copied("dog") == ("dog", "dog")


def test_references_to_what_is_changed(lib):
    view, back = lib.itself(5)
    assert (view.tolist(), back) == (5, 5)
    one, other = lib.same((1, 2.0))
    assert one.item() == other.item() == (2, 2.0)
    assert lib.first((3, 4.0)).item() == (3, 4.0)
    one, other = lib.grown([1, 2])
    assert one.tolist() == other.tolist() == [1, 2, 7]


def test_arrays_in_arguments(lib):
    assert lib.data_of(list(range(100))).tolist() == list(range(100))
    for found in lib.filled(50):
        litter()
        assert found.tolist() == list(range(50))
    assert lib.hidden(50).tolist() == list(range(1, 51))
    with pytest.raises(ValueError, match="reach beyond its argument 'v'"):
        lib.too_far([1, 2])
    with pytest.raises(ValueError, match=r"pointer into its argument 'a', which ends with the call: give the result deref\(copy\)"):
        lib.raw_of("abc")
    with pytest.raises(ValueError, match=r"'a', which ends with the call: leave owner\(caller\) out"):
        lib.wrongly_owned(3)


def test_what_lies_in_an_array_keeps_it(lib):
    view, whole = lib.beyond(np.arange(5.0), 2)
    del whole
    rubbish = litter()
    assert view.tolist() == [2, 3, 4]
    of_a_list = lib.found([4.5])
    rubbish += litter()
    assert of_a_list == 4.5
    text = lib.rest("a" * 30, 10)
    rubbish += litter()
    assert bytes(text) == b"a" * 20


OBJECTS = r"""
#include <string>
#include <vector>
inline int alive = 0;
inline int count() { return alive; }
class Box {
 public:
  Box(int n) : values(n, n) { ++alive; }
  Box(const Box& other) : values(other.values) { ++alive; }
  ~Box() { --alive; values.assign(values.size(), -1); }
  Box& add(int x) { values.push_back(x); return *this; }
  Box* me() { return this; }
  int* data() +dimension(hetjit_self->size()) { return values.data(); }
  const std::vector<int>& all() { return values; }
  int& at(int i) { return values.at(i); }
  const int& read(int i) { return values.at(i); }
  int size() { return values.size(); }
 private:
  std::vector<int> values;
};
inline Box& same(Box& box) { return box; }
inline int* inside(Box* box) +dimension(box->size()) { return box->data(); }
struct Node; 
inline Node* begin_of(Box* box) { return (Node*)box->data(); }
inline Box* make(int n) +owner(caller) { return new Box(n); }
inline int apply(int* a +rank(1), int (*f)(int)) { return f(a[0]); }
inline int of_box(Box* box, int (*f)(int)) { return f(box->size()); }
inline int* numbers() +owner(caller)+dimension(3) { return (int*)std::calloc(3, 4); }
"""


@pytest.fixture(scope="module")
def objects():
    return interop.bind(OBJECTS, headers=["<cstdlib>"])


@pytest.mark.row("SHROUD-OWN-5")
def test_results_keep_their_object(objects):
    before = objects.count()
    box = objects.Box(2).add(5).add(6)
    again = box.me()
    view, vector, one = objects.Box(3).data(), objects.Box(4).all(), objects.Box(5).at(1)
    litter()
    assert (box.size(), again.size()) == (4, 4)
    assert view.tolist() == [3] * 3 and vector.tolist() == [4] * 4 and one == 5
    assert objects.Box(6).read(2) == 6
    other, within = objects.same(objects.Box(7)), objects.inside(objects.make(8))
    node = objects.begin_of(objects.make(9))
    litter()
    assert other.size() == 7 and within.tolist() == [8] * 8
    assert objects.count() == before + 7
    del box, again, view, vector, one, other, within, node
    gc.collect()
    assert objects.count() == before


@pytest.mark.row("SHROUD-OWN-3")
def test_what_is_part_of_an_object_ends_with_it(objects):
    box = objects.Box(3)
    parts = box.data(), box.all(), box.at(0)
    me, same = box.me(), objects.same(box)
    box.delete()
    for part in parts:
        with pytest.raises(interop.ReleasedError):
            part.sum()
    for each in (me, same):
        with pytest.raises(interop.ReleasedError):
            each.size()


@pytest.mark.row("SHROUD-OWN-3")
def test_nothing_is_released_under_a_call(objects):
    numbers, box = objects.numbers(), objects.Box(2)

    def release(of):
        with pytest.raises(BufferError, match="in use by a call of the library"):
            of.delete()
        return 4
    assert objects.apply(numbers, lambda first: release(numbers.base))[0] == 4
    assert objects.of_box(box, lambda size: release(box)) == 4
    numbers.base.delete()
    box.delete()
    assert numbers.base.released


def test_kernels_do_not_take_what_has_been_released(objects):
    @device.kernel
    def double(a):
        i = device.tid(1)
        if i < len(a):
            a[i] = a[i] * 2

    numbers = objects.numbers()
    numbers[:] = 1, 2, 3
    part = numbers[1:]
    double.forall(3)(numbers)
    assert numbers.tolist() == [2, 4, 6]
    numbers.base.delete()
    for released in (numbers, part):
        with pytest.raises(interop.ReleasedError):
            double.forall(2)(released)
        with pytest.raises(interop.ReleasedError):
            double[1, 2](released)
        with pytest.raises(interop.ReleasedError):
            device.array(released)
