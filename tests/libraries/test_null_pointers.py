"""None where a function takes an object, a text or a function, and objects that are constructed a second time or never: a TypeError, not a library that
reads at address 0."""

import gc

import numpy as np
import pytest

from hetjit import interop

DECLARED = """
struct node { int n; double* values +dimension(n); node* next; };
inline int count(const node* n) { int k = 0; for (; n; n = n->next) ++k; return k; }
inline int count_or(const node* n +nullable, int otherwise) { return n ? count(n) : otherwise; }
inline int count_by_default(const node* n = nullptr, int other = -1) { return n ? count(n) : other; }
inline int count_as_clang_has_it(const node* _Nullable n) { return n ? count(n) : -2; }
inline int first(const node* n) { return n->n; }
class Shape { public: Shape(int n) : n_(n) {} int n_; bool same(const Shape* other) const { return other->n_ == n_; } };
inline int nearest(const Shape* s) { return s->n_; }
inline int nearest(double x) { return static_cast<int>(x); }
inline int by_reference(const Shape& s) { return s.n_; }
inline int length(const char* text) { int n = 0; while (text[n]) ++n; return n; }
inline int length_or(const char* text +nullable, int otherwise) { return text ? length(text) : otherwise; }
inline int length_by_default(const char* text = nullptr) { return text ? length(text) : -1; }
inline int asked(int (*f)(int)) { return f(3); }
inline int asked_or(int (*f)(int) +nullable, int otherwise) { return f ? f(3) : otherwise; }
struct opaque;
extern "C" inline int known(const struct opaque* o) { return *reinterpret_cast<const int*>(o); }
"""


@pytest.fixture(scope="module")
def lib():
    return interop.bind(DECLARED)


@pytest.mark.parametrize("call, told", [
    ("lib.count(None)", "count(): 'n' is a node, not None; where a null pointer may be passed, declare that: const node * n +nullable"),
    ("lib.first(None)", "first(): 'n' is a node, not None"),
    ("lib.first(n=None)", "first(): 'n' is a node, not None"),
    ("lib.Shape(2).same(None)", "same(): 'other' is a Shape, not None"),
    ("lib.known(None)", "known(): 'o' is a opaque, not None"),
    ("lib.by_reference(None)", "by_reference(): 's' is a Shape, not NoneType"),
    ("lib.length(None)", "length(): 'text' is a str, not None; where a null pointer may be passed, declare that: const char * text +nullable"),
    ("lib.asked(None)", "asked(): 'f' is a function, not None; where a null pointer may be passed, declare that: int (*f)(int) +nullable"),
    ("lib.nearest(None)", "nearest(): none takes (NoneType)"),
])
def test_none_is_no_object(lib, call, told):
    with pytest.raises(TypeError) as caught:
        eval(call, {"lib": lib})
    assert told in str(caught.value)


def test_none_where_the_declaration_allows_it(lib):
    one = lib.node(n=0)
    assert lib.count_or(None, 7) == 7 and lib.count_or(one, 7) == 1
    assert lib.count_by_default(None, 3) == 3 and lib.count_by_default() == -1 and lib.count_by_default(one) == 1
    assert lib.count_as_clang_has_it(None) == -2 and lib.count_as_clang_has_it(one) == 1
    one.next = None
    assert lib.count(one) == 1
    assert lib.length_or(None, 7) == 7 and lib.length_or("four", 7) == 4 and lib.length_by_default() == lib.length_by_default(None) == -1
    assert lib.asked_or(None, 7) == 7 and lib.asked_or(lambda x: x + 1, 7) == 4


@pytest.mark.parametrize("declared", ["int f(int n +nullable);", "int f(const double* x +rank(1)+nullable);", "struct s { double* p; }; int f(s& x +nullable);",
                                      "int f(struct s* x +nullable(1));"])
def test_where_it_means_nothing(declared):
    with pytest.raises(interop.BindError, match="nullable"):
        interop.bind(declared)


def test_an_object_is_constructed_once(lib):
    last = lib.node(n=2, values=np.array([1.0, 2.0]))
    first, values = lib.node(next=last), last.values
    for again in (lambda: last.__init__(n=1), lambda: last.__init__(), lambda: lib.Shape.__init__(shape, 4), lambda: type(first).__init__(first, next=first)):
        shape = lib.Shape(3)
        with pytest.raises(TypeError, match="has been constructed before"):
            again()
        assert shape.n_ == 3
    del last
    gc.collect()
    assert first.next.n == 2 and values.tolist() == [1, 2] == first.next.values.tolist()


def test_an_object_that_has_been_released_is_not_constructed_again(lib):
    shape = lib.Shape(3)
    shape.delete()
    with pytest.raises(TypeError, match="has been constructed before"):
        shape.__init__(4)


def test_classes_of_python_still_construct(lib):
    class Square(lib.Shape):
        def __init__(self):
            super().__init__(4)
    assert Square().n_ == lib.nearest(Square()) == 4


def test_a_derived_class_that_constructs_nothing(lib):
    class Square(lib.Shape):
        def __init__(self):
            self.own = 5
    told = r"Square.* has not been constructed: its __init__ has to call super\(\).__init__\(…\)"
    square = Square()
    assert square.own == 5
    for use in (lambda: square.n_, lambda: setattr(square, "n_", 3), lambda: square.same(square), square.delete, lambda: repr(square)):
        with pytest.raises(AttributeError, match=told):
            use()
    with pytest.raises(TypeError, match=told):
        lib.by_reference(square)
    lib.Shape.__init__(square, 4)
    assert square.n_ == 4 and lib.by_reference(square) == 4
