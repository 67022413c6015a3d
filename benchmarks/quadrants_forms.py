"""An empty kernel of Quadrants'; its source is read from this file."""

import quadrants

quadrants.init(arch=quadrants.cpu)


def arrays():
    return {name: quadrants.ndarray(quadrants.f32, shape=(1024,)) for name in "abc"}


@quadrants.kernel
def nothing(a: quadrants.types.ndarray(), b: quadrants.types.ndarray(), c: quadrants.types.ndarray(), n: quadrants.i32,
            alpha: quadrants.f32):
    pass
