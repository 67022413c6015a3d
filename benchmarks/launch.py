"""Launch overhead: bound kernels on the null device (which does nothing with a launch) against an empty call with the same
arguments, and what calls of other libraries cost. All in one run: compare within the table."""

import json
import subprocess

import numpy as np

from hetjit import _core, device

import kernels_launch
import launch_native
import measure
import peers

WARM_LIMIT = 5000  # ns, an empty launch on the CPU


class CudaArray:
    """A NumPy array that offers itself by the CUDA Array Interface: no kernel touches it on the null device."""

    def __init__(self, array):
        interface = array.__array_interface__
        self.__cuda_array_interface__ = {key: interface[key] for key in ("shape", "typestr", "data", "strides", "version")}


class Capsules:
    """Offers itself by DLPack's capsules alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **asked):
        return self.array.__dlpack__(**asked)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Rows:
    """One row per call: what it costs, and what it costs over the empty call, or another, with the same arguments."""

    def __init__(self):
        self.scope = {"empty": _core.empty, "n": 1024, "alpha": 2.0}
        self.rows = []

    def add(self, what, arguments, call="k({})", instead="empty({})", **scope):
        self.scope.update(scope)
        statement, floor = call.format(arguments), instead.format(arguments)
        exec(statement, self.scope)
        exec(floor, self.scope)
        cost, least = measure.per_call_ns(statement, self.scope), measure.per_call_ns(floor, self.scope)
        self.rows.append([what, f"{cost:.0f}", f"{cost - least:.0f}"])
        return cost


def names(prefix, count):
    return ", ".join(f"{prefix}{i}" for i in range(count))


def kernel_of(count):
    """An empty kernel of so many parameters."""
    parameters = names("x", count)
    scope = {}
    exec(f"def empty_of_{count}({parameters}): pass", scope)
    return device.kernel(scope[f"empty_of_{count}"]).on("null")[4, 256]


def add_kernels(rows):
    for i in range(16):
        rows.scope[f"a{i}"] = np.zeros(1024, np.float32)
        rows.scope[f"o{i}"] = device.zeros(1024, np.float32, "cpu")
    for count in (0, 1, 3, 8, 16):
        rows.add(f"{count} NumPy arrays", names("a", count), k=kernel_of(count))
    kernel = kernels_launch.three_arrays.on("null")
    five = names("a", 3) + ", n, alpha"
    rows.add("3 NumPy arrays and 2 scalars", five, k=kernel[4, 256])
    rows.add("the same; the kernel uses six globals and calls a function", five,
             k=kernels_launch.three_arrays_and_globals.on("null")[4, 256])
    rows.add("the same through `device.launch`, grid and block by keyword", five, "launch(k, {}, grid=4, block=256)",
             k=kernel, launch=device.launch)
    rows.add("the same through `k.forall(n)`", five, "k.forall(n)({})", k=kernel)
    return five


def add_arrays(rows):
    rows.add("3 arrays of `device.zeros`", names("o", 3), k=kernel_of(3))
    a = rows.scope["a0"]
    one = kernel_of(1)
    rows.add("1 array by the CUDA Array Interface", "c", k=one, c=CudaArray(a))
    rows.add("1 array by `__dlpack__`, over what its capsule costs", "d", instead="d.__dlpack__(stream=None, max_version=(1, 3)), d.__dlpack_device__()", k=one, d=Capsules(a))
    try:
        import tvm_ffi
        rows.add("1 tensor of tvm-ffi, by its capsule", "t", k=one, t=tvm_ffi.from_dlpack(a))
    except ImportError as missing:
        print(f"skipped: tvm-ffi's tensors: {missing}")
    try:
        import jax.numpy
        rows.add("1 array of JAX on the CPU", "j", k=one, j=jax.numpy.zeros(1024))
    except ImportError as missing:
        print(f"skipped: JAX's arrays: {missing}")


def add_alternating(rows, five):
    kernel = kernels_launch.three_arrays.on("null")[4, 256]
    other = five.replace("a0", "b0")
    rows.scope.update(k=kernel, b0=np.zeros((4, 4)), b1=np.zeros(4), b2=np.zeros(4))
    same = measure.per_call_ns(f"k({five}); k({five})", rows.scope)
    exec(f"k({other.replace('b0', 'b1')})", rows.scope)
    other = other.replace("b0", "b1")
    turns = measure.per_call_ns(f"k({five}); k({other})", rows.scope)
    rows.rows.append([f"two signatures in turn, {turns / same:.2f} of one", f"{turns / 2:.0f}", ""])


def add_cpu(rows):
    nothing = kernels_launch.nothing[1, 1]
    nothing()
    warm = measure.per_call_ns("f()", dict(f=nothing))
    verdict = "met" if warm <= WARM_LIMIT else "**missed**"
    rows.rows.append([f"empty kernel on the CPU, 1 block, warm (≤ {WARM_LIMIT}: {verdict})", f"{warm:.0f}", ""])
    warm = measure.per_call_ns("f()", dict(f=kernels_launch.nothing[64, 1]))
    rows.rows.append(["empty kernel on the CPU, 64 blocks, warm", f"{warm:.0f}", ""])


def add_peers(rows):
    done = subprocess.run([peers.python(), "-c", "import launch_peers; launch_peers.main()"], capture_output=True, text=True,
                          env=peers.environment())
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            row = json.loads(line)
            rows.rows.append([row["what"], f"{row['ns']:.0f}", f"{row['over']:.0f}"])
        else:
            print(line)
    if done.returncode:
        print(f"skipped: other libraries' launches: {done.stderr.strip().splitlines()[-1:]}")


def table():
    rows = Rows()
    five = add_kernels(rows)
    add_alternating(rows, five)
    add_arrays(rows)
    add_cpu(rows)
    rows.rows += launch_native.rows()
    add_peers(rows)
    return measure.markdown(["launch", "ns, least of many", "ns over the empty call"], rows.rows)
