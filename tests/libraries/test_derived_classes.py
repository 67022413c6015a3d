"""Classes that are derived from others: their objects are taken where their base's are, at the place where that part lies."""

import gc

import pytest

from hetjit import interop

SOURCE = r"""
#include <string>
inline int alive = 0;
inline int count() { return alive; }
class Shape {
 public:
  virtual ~Shape() { --alive; }
  virtual double area() const = 0;
  int corners() const { return corners_; }
  Shape(const Shape&) = delete;
  std::string name = "shape";
 protected:
  Shape(int corners) : corners_(corners) { ++alive; }
 private:
  int corners_;
};
class Tagged { public: Tagged(int tag) : tag(tag) {} Tagged(Tagged&& other) : tag(other.tag) {} virtual int twice() { return tag * 2; } int tag; };
struct Point { double x; int y; };
class Square : public Shape, public Tagged {
 public:
  Square(double side) : Shape(4), Tagged(7), side(side) {}
  double area() const override { return side * side; }
  double side;
};
class Unit : public Square { public: Unit() : Square(1) {} };
class Hidden : Tagged { public: Hidden() : Tagged(1) {} };
class Placed : public Point { public: Placed() { x = 1.5; y = 2; } };
class Silent : public Tagged { public: int own() { return 1; } };
class Left : public virtual Tagged { public: Left() : Tagged(1) {} };
class Both : public Left { public: Both() : Tagged(5) {} };
inline double area_of(const Shape* shape) { return shape->area(); }
inline int tag_of(const Tagged& tagged) { return tagged.tag; }
inline Tagged* as_tagged(Square* square) { return square; }
inline Shape* made(double side) +owner(caller) { return new Square(side); }
"""


@pytest.fixture(scope="module")
def lib():
    return interop.bind(SOURCE)


def test_members_of_the_base(lib):
    square = lib.Square(3.0)
    assert isinstance(square, lib.Shape) and isinstance(square, lib.Tagged)
    assert (square.area(), square.corners(), square.twice(), square.tag, square.side, square.name) == (9, 4, 14, 7, 3, "shape")
    square.tag = 9
    square.name = "mine"
    assert (square.twice(), square.side, square.name) == (18, 3, "mine")
    assert lib.Unit().corners() == 4 and lib.Unit().twice() == 14 and lib.Both().twice() == 10
    assert (lib.Placed().x, lib.Placed().y) == (1.5, 2)


def test_objects_are_passed_as_their_base(lib):
    square = lib.Square(2.0)
    assert lib.area_of(square) == 4 and lib.tag_of(square) == 7 and lib.tag_of(lib.Unit()) == 7 and lib.tag_of(lib.Both()) == 5
    assert lib.as_tagged(lib.Square(5.0)).twice() == 14
    assert lib.made(6.0).area() == 36 and lib.made(6.0).corners() == 4
    for wrong in (lambda: lib.area_of(lib.Tagged(1)), lambda: lib.tag_of(lib.Hidden()), lambda: lib.tag_of(lib.made(1.0))):
        with pytest.raises(TypeError, match="is a (Shape|Tagged), not a"):
            wrong()
    with pytest.raises(TypeError, match="for a Square, not for Tagged"):
        lib.Square.area(lib.Tagged(3))


def test_what_cannot_be_made(lib):
    for cls in (lib.Shape, lib.Silent):
        with pytest.raises(TypeError, match="has no constructor among its declarations"):
            cls()


def test_each_ends_once(lib):
    gc.collect()
    before = lib.count()
    held = [lib.Square(1.0), lib.made(2.0), lib.Unit()]
    part = lib.as_tagged(held[0])
    assert lib.count() == before + 3
    held[0].delete()
    for use in (held[0].twice, held[0].area, lambda: lib.tag_of(held[0])):
        with pytest.raises(interop.ReleasedError):
            use()
    del held, part
    gc.collect()
    assert lib.count() == before


def test_constructors_that_cxx_gives():
    lib = interop.bind("""
    #include <string>
    inline int alive = 0;
    inline int count() { return alive; }
    struct Counted { Counted() { ++alive; } ~Counted() { --alive; } };
    class Plain { public: int x = 3; std::string name; int twice() { return 2 * x; } private: Counted counted; };
    class Base { public: Base() {} int one() { return 1; } };
    struct Same : Base {};
    struct Empty {};
    struct Held { int& to; std::string name; int get() { return to; } };
    class Kept { public: int x() { return 1; } private: ~Kept() {} };
    class Within { public: int x() { return 1; } private: Kept* kept; struct Inner { ~Inner() = delete; } inner; };
    class Deleted { public: Deleted() = delete; int x() { return 1; } };
    class Templated { public: template <class T> Templated(T x) {} int x() { return 1; } };
    class Abstract { public: virtual int x() = 0; virtual ~Abstract() {} };
    class Real : public Abstract { public: int x() override { return 7; } };
    inline int of(const Same& same) { return 5; }
    """, leave_out=["Templated"])
    plain = lib.Plain()
    plain.x = 4
    assert plain.twice() == 8 and plain.name == "" and lib.count() == 1 and lib.Real().x() == 7
    assert lib.Same().one() == 1 and lib.of(lib.Same()) == 5 and isinstance(lib.Same(), lib.Base) and isinstance(lib.Empty(), lib.Empty)
    del plain
    gc.collect()
    assert lib.count() == 0
    for cls in (lib.Held, lib.Kept, lib.Within, lib.Deleted, lib.Templated, lib.Abstract):
        with pytest.raises(TypeError, match="has no constructor among its declarations"):
            cls()


def test_fields_that_python_does_not_have_say_why():
    lib = interop.bind("""
    #include <string>
    #include <vector>
    struct Point { double x; char letter; float at[2]; };
    class A : public Point { public: A() {} int x = 1; std::string grid[2][3]; std::vector<bool> many; std::vector<int> lists[2]; long double wide; static int shared;
                             char sign = 'a'; int last = 5; private: int hidden = 3; };
    inline int A::shared = 4;
    """)
    a = lib.A()
    a.sign, a.letter = "b", "c"
    a.at = 1, 2
    assert (a.sign, a.letter, a.last, a.x, a.at.tolist()) == ("b", "c", 5, 1, [1, 2])
    for name, why in {"grid": "an array", "many": "std::vector<bool>", "lists": "an array", "wide": "long double", "shared": "static"}.items():
        for use in (lambda: getattr(a, name), lambda: setattr(a, name, 1), lambda: getattr(lib.A, name)):
            with pytest.raises(AttributeError, match=f"A.{name} is {why}, which Python has no fields of: declare a function that reads it"):
                use()
        assert not hasattr(a, name)
    with pytest.raises(AttributeError, match="hidden"):
        a.hidden
