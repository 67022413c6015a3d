"""The timed kernels through PoCL (kernels.cl), on the arrays of the other forms: form(name, case) is a call without arguments."""

import pathlib

import numpy as np
import pyopencl as cl

SOURCE = pathlib.Path(__file__).resolve().parent / "kernels.cl"


def _sizes(name, arguments):
    """Global size, group, and the sizes that the OpenCL form takes after the arrays and numbers."""
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    first, n = arrays[0], len(arrays[0])
    from kernels_block import BLOCK, CHUNK, HISTOGRAM_CHUNK
    return {
        "saxpy": ((n,), (256,), (n,)), "stencil": ((n, n), (64, 4), first.shape), "mandelbrot": ((n, n), (16, 16), first.shape),
        "nbody": ((n,), (128,), (n,)), "matmul": ((n, n), (16, 16), (n,)),
        "tree_sums": ((n // CHUNK * BLOCK,), (BLOCK,), ()), "histogram": ((n // HISTOGRAM_CHUNK * BLOCK,), (BLOCK,), ()),
        "black_scholes": ((n,), (256,), (n,)), "transpose": ((n, n // 4), (32, 8), (n,)),
    }[name]


def _device():
    for platform in cl.get_platforms():
        if platform.name == "Portable Computing Language":
            return platform.get_devices()[0]
    raise RuntimeError("no OpenCL platform is PoCL")


def version():
    return _device().platform.version


def form(name, case):
    if name == "shuffle_sums":
        raise RuntimeError("PoCL has no shuffles within a sub-group")
    context = cl.Context([_device()])
    queue = cl.CommandQueue(context)
    kernel = getattr(cl.Program(context, SOURCE.read_text()).build(), name)
    use = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
    size, group, sizes = _sizes(name, case.arguments)
    values = [cl.Buffer(context, use, hostbuf=a) if isinstance(a, np.ndarray) else np.float32(a) if isinstance(a, float)
              else np.int32(a) for a in (*case.arguments, *sizes)]
    kernel.set_args(*values)

    def run(alive=values):  # a kernel does not own its arguments
        if name == "histogram":
            case.outputs[0][:] = 0
        cl.enqueue_nd_range_kernel(queue, kernel, size, group)
        queue.finish()
    return run
