# SHOW: typed
# FOR: (float, int)
from hetjit import device
@device.struct
class Body:
    pos: device.float32x3
    mass: float
    tag: int = 7
    none: None = None
    LIMIT = 100
    def weight(self, g=2.0):
        return self.mass * g
    @property
    def half(self):
        return self.mass / 2
    @staticmethod
    def twice(x):
        return x * 2
    @classmethod
    def unit(cls, x):
        return cls(device.float32x3(x, x, x), 1.0)
def moved(b, dx):
    b.pos = b.pos + dx
    return b
def f(x, n):
    b = Body(device.float32x3(x, 2, 3), mass=n)
    c = moved(b, 1)
    u = Body.unit(x)
    b.mass += 1
    pos, mass, tag, none = b
    return b.pos.x, c.pos.x, mass, b.weight(), b.weight(g=3), b.half, Body.twice(n), b.LIMIT, c == b, u == Body.unit(x), len(b), u.pos[2], b.replace(tag=n)[2], tag, none is None, tuple(u)[0] == u.pos, c.pos.z

# RUN: f(1.5, 3) == (1.5, 2.5, 4.0, 8.0, 12.0, 2.0, 6, 100, False, True, 4, 1.5, 3, 7, True, True, 4.0)
