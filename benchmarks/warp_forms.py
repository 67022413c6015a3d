"""An empty kernel of Warp's; its source is read from this file."""

import warp


@warp.kernel
def nothing(a: warp.array(dtype=warp.float32), b: warp.array(dtype=warp.float32), c: warp.array(dtype=warp.float32), n: int,
            alpha: float):
    pass
