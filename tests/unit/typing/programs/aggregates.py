"""Vectors, structs and tuples by items; compiled and run by programs_test.cpp (README.md)."""

import math

from hetjit import device


def first():
    """Takes the place of the function under test: number 0 of the program."""


@device.struct
class Body:
    pos: device.float32x3
    mass: float
    tag: int = 7
    nothing: None = None

    def weight(self, g=2.0):
        return self.mass * g

    def heavier(self, by):
        self.mass = self.mass + by
        return self

    @property
    def half(self):
        return self.mass / 2

    @staticmethod
    def twice(x):
        return x * 2

    @classmethod
    def unit(cls, x, mass=1.0):
        return cls(device.float32x3(x, x, x), mass)

    def __add__(self, other):
        return self.mass + other

    def __rsub__(self, other):
        return other - self.mass

    def __neg__(self):
        return self.replace(mass=-self.mass)

    def __lt__(self, other):
        return self.mass < other.mass

    def __call__(self, x):
        return self.mass * x


@device.struct
class Pair:
    left: Body
    items: tuple[int, float]
    many: tuple[device.int8, device.float64]


@device.struct
class Equal:
    x: int

    def __eq__(self, other):
        return self.x % 10 == other.x % 10


@device.struct
class Other:
    x: int


# ---- vectors

#: (float32, float64)  1.5 2.25 -> (f32, f32, i32, i32, bool) (1.5, 2.25, 2, 2, 1)
#: (int, int)  16777217 -3 -> (f32, f32, i32, i32, bool) (16777216, -3, 2, 2, 1)
#! (float32[:], int)  E0209
def parts(x, y):
    v = device.float32x2(x, y)
    return v.x, v[-1], len(v), v.size, v.dtype == device.float32


#! (int)  E0407 index -3 is out of range for int32x2
def before_the_first(x):
    return device.int32x2(x, x)[-3]


#: (int)  0 -> (i32, i32, i32) (1, 3, 6)
#: (int)  -1 -> (i32, i32, i32) (3, 3, 6)
#: (uint8)  1 -> (i32, i32, i32) (2, 3, 6)
#: (int64)  2 -> (i32, i32, i32) (3, 3, 6)
#! (float)  E0402
#! (bool)  E0402
def at(i):
    v = device.int32x3(1, 2, 3)
    s = 0
    for e in v:
        s += e
    return v[i], max(v), s


#: (int)  1 -> (i32, i32, i32, i32) (1, 9, 3, 2)
#: (int)  -1 -> (i32, i32, i32, i32) (1, 2, 9, 3)
def store_at(i):
    v = device.int32x3(1, 2, 3)
    old = v
    v[i] = 9
    return v.x, v.y, v.z, old[i]


#! (float)  E0340 a lane of int32x2 is int32, not float
#! (float32[:])  E0340
#! (none)  E0340
def store_wrong(x):
    v = device.int32x2(1, 2)
    v[0] = x
    return v.x


#: (int8)  -3 -> (i8, i8, i8, i8, i8) (-6, 3, -1, -4, 3)
#: (int64)  5 -> (i8, i8, i8, i8, i8) (10, -5, -9, -4, 5)
def lanes(x):
    v = device.int8x2(x, 4)
    v -= 0
    return (v + v).x, (-v).x, (-4 - v)[0], (~v).y + 1, abs(v).x


#: (int)  3 -> (f32, f64, f64, i32, i32) (1.5, 1.5, 6, 1, 6)
def mixed(x):
    v = device.int32x2(x, 4)
    w = v * device.float64(0.5)
    return (v / 2).x, w.x, (w * device.float32x2(1, 3)).y, (v % 2).x, (v << 1).x


#! (int)  E0201
def lengths(x):
    return device.int32x2(x, x) + device.int32x3(x, x, x)


#! (int)  E0201
def with_tuple(x):
    return device.int32x2(x, x) + (1, 2)


#! (int)  E0204
def no_common(x):
    return device.int64x2(x, x) + device.uint64x2(x, x)


#: (int)  3 -> (bool, bool, bool, bool, bool) (1, 0, 0, 1, 1)
def equality(x):
    v = device.int32x2(x, 4)
    return v == device.float64x2(3, 4), v != v, v == (x, 4), v != device.int32x3(x, 4, 0), v in (1, v)


#! (int)  E0205 compare their lanes one by one
def order(x):
    return device.int32x2(x, 4) < device.int32x2(x, 5)


#! (int)  E0207
def truth(x):
    return 1 if device.int32x2(x, 4) else 2


#: (int)  3 -> (i32, i32, i32, i32, i32) (7, 4, 3, 8, 9)
def replaced(x):
    v = device.int32x2(x, 4)
    w = v.replace(0, 7)
    f = v.replace
    return w.x, w.y, v.x, v.replace(y=8, x=1)[1], f(-1, 9).y


#! (int)  E0306 its lanes are .x, .y
def replaced_unknown(x):
    return device.int32x2(x, 4).replace(z=1).x


#! (int)  E0304
def replaced_alone(x):
    return device.int32x2(x, 4).replace(1).x


#: (float32)  300.5 -> (u8, i32) (255, 300)
def converted(x):
    v = device.float32x2(x, 1)
    return v.astype(device.uint8).x, v.astype(device.int32)[0]


#! (int)  E0212 'astype' takes a number's type
def converted_wrong(x):
    return device.int32x2(x, 4).astype(5).x


#! (int)  E0306
def keyword(x):
    return device.int32x2(x=x, y=4).x


#: (int)  5 -> (i32, i32) (5, 6)
#: (int)  0 -> (i32, i32) (1, 2)
def joined(x):
    v = device.int32x2(1, 2)
    if x:
        v = device.int32x2(x, x + 1)
    return v[0], v[1]


#! (int)  E0220 do not become one type
def joined_lengths(x):
    v = device.int32x2(1, 2) if x else device.int32x3(1, 2, 3)
    return v[0]


#: (int)  3 -> (i32, i32, i32) (1, 3, 4)
def loop(n):
    v = device.int32x2(0, 1)
    for i in range(n):
        v = device.int32x2(v.y, v.x + v.y)
    return n - 2, v.y, len((*v, *v))


#! (int)  E0216 cannot unpack int32x2 into 3 targets
def unpacked(n):
    a, b, c = device.int32x2(n, n)
    return a


#: ()  -> (u32, u32, u32, i32) (0, 1, 1, 3)
def places():
    x, y, z = device.block_dim
    return device.thread_idx[0], (device.block_dim * device.grid_dim).y, x * y * z, len(device.block_idx)


# ---- tuples

#: (int, float)  0 1.5 -> (i32, bool, bool, bool, bool) (10, 1, 1, 0, 0)
#: (int, float)  2 2.5 -> (i32, bool, bool, bool, bool) (30, 0, 1, 0, 1)
#: (int, float)  -2 nan -> (i32, bool, bool, bool, bool) (20, 0, 0, 0, 0)
def tuples(i, x):
    a, b = (1, x), (1, 2.5)
    return (10, 20, 30)[i], a < b, a <= b, a > b, a >= b


#: ()  -> (bool, bool, bool, bool) (1, 0, 1, 1)
def tuples_of_other_sizes():
    return (1,) < (1, 2), (1, 2) <= (1,), () < (1,), (2,) > (1, 5)


#! (int)  E0205
def tuples_of_text(i):
    return (i, "a") < (i, 1)


#! (int)  E0406 the index of a tuple must be a constant
def mixed_items(i):
    return (1, 2.5)[i]


# ---- structs

#: (float32, int)  1.5 3 -> (f32, f32, i32, bool, i32) (1.5, 3, 7, 1, 4)
#! (float32, float32[:])  E0340 the field 'mass' of Body is float, not float32[:]
def fields(x, m):
    b = Body(device.float32x3(x, x, x), m)
    return b.pos.y, b.mass, b.tag, b.nothing is None, len(b)


#! (float)  E0340 convert it: int(x)
def narrowed(x):
    return Body(device.float32x3(x, x, x), x, x).tag


#: (int)  3 -> (f32, i32, f32, i32) (2, 3, 2, 9)
def by_name(n):
    b = Body(tag=n, mass=2, pos=device.float32x3(1, 2, 3))
    c = Body((device.float32x3(1, 2, 3), 2, 9, None))
    d = Body((1, 2, 3), 2)
    return b.mass, b.tag, d.pos[1], c[2]


#! (int)  E0305 its fields are pos, mass, tag, nothing
def missing(n):
    return Body(tag=n).mass


#! (int)  E0306
def unknown(n):
    return Body(device.float32x3(1, 2, 3), n, weight=1).mass


#! (int)  E0307
def twice(n):
    return Body(device.float32x3(1, 2, 3), n, mass=1).mass


#! (int)  E0304 at most 4 arguments, but 5 are given
def too_many(n):
    return Body(device.float32x3(1, 2, 3), 1, 2, None, n).mass


#: (float32)  3 -> (f32, f32, f32, f32, f32) (6, 9, 1.5, 6, 3)
def methods(m):
    b = Body.unit(1, m)
    return b.weight(), b.weight(g=3), b.half, Body.twice(m), Body.weight(b, 1)


#: (float32)  3 -> (f32, f32, f32) (5, 3, 3)
def self_is_a_value(m):
    b = Body.unit(1, m)
    c = b.heavier(2)
    d = b
    b.mass = 9
    return c.mass, d.mass, c.mass - 2


#: (float32)  3 -> (f32, f32, f32, bool, bool, f32) (4, 7, -3, 0, 1, 6)
def operators(m):
    b = Body.unit(1, m)
    return b + 1, 10 - b, (-b).mass, b < b, b == Body.unit(1, 3), b(2)


#: (int)  13 -> (bool, bool, bool) (1, 0, 1)
def own_equality(x):
    return Equal(x) == Equal(3), Equal(x) != Equal(3), Equal(x) == Other(x)


#! (int)  E0201
def no_operator(x):
    return Other(x) + 1


#: (int)  13 -> (i32, i32) (1, 13)
def true_as_objects_are(x):
    return 1 if Other(x) else 2, Other(x).x


#! (int)  E0309 its fields are x
def no_attribute(x):
    return Other(x).momentum


#! (int)  E0315 its fields are x
def dynamic(x):
    o = Other(x)
    o.y = 1
    return o.x


#! (int)  E0315 values do not change
def part_of_a_part(x):
    b = Body.unit(x)
    b.pos.x = 1
    return b.pos.x


#: (float32)  2 -> (f32, f32, i32, f64, bool) (2, 5, 1, 0.5, 1)
def nested(x):
    p = Pair(Body.unit(x), (1, 2), (1, 0.5))
    q = p.replace(left=p.left.replace(mass=5))
    (pos, *rest), items, many = q
    return pos.x, q.left.mass, items[0], many[1], p != q


#! (float32)  E0340 the field 'items' of Pair is tuple[int, float], not tuple[float, int]
def nested_wrong(x):
    return Pair(Body.unit(x), (2.5, 1), (1, 0.5)).items[0]


#! (int)  E0202 's' is Equal on one path and Other on another
def two_structs(x):
    s = Equal(x)
    if x:
        s = Other(x)
    while x > 3:
        x -= 1
    return s.x + x


#: (int)  1 -> (i32, i32, i32) (5, 7, 3)
#: (int)  0 -> (i32, i32, i32) (5, 5, 3)
def same_struct(n):
    s = Other(5)
    if n:
        s = s.replace(x=7)
    t = s
    s[0] = 3
    return Other(5).x, t.x, s.x


#: (int)  4 -> (bool, bool, bool, bool) (1, 0, 1, 1)
def types(n):
    v, s = device.int32x2(n, n), Other(n)
    return isinstance(v, device.int32x2), isinstance(s, Equal), isinstance(s, (Equal, Other)), type(v) is device.int32x2


# ---- arguments and annotations

#: (struct Other {x: weak i32})  (4) -> (i32, i32) (4, 8)
#: (float32x3)  (1.5,2,3) -> (f32, f32) (1.5, 3)
#: ((int8, float64))  (1,2.5) -> (i8, i8) (1, 2)
#! (float32)  E0218
def of_any(a):
    return a[0], a[0] * 2


def takes(o: Other, v: device.float64x2):
    return o.x + v.y


#: (int)  4 -> (f64, f64) (6.5, 6)
#! (float)  E0340
def annotated(n):
    return takes(Other(n), (1, 2.5)), takes((n,), device.int8x2(1, 2))


#! (int)  E0212 the parameter 'v' of 'takes' takes float64x2, not int
def annotated_wrong(n):
    return takes(Other(n), n)
