"""What the differential tests ask of the machine: vendors' tools, signatures, argument layouts."""

import functools
import glob
import re
import shutil
import subprocess
import tempfile

import numpy as np
import pytest

from hetjit import device, toolchain
from hetjit.toolchain import find_ptxas, signature_of as signature

PTX_ARCHITECTURES = ["sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a",
                     "sm_103", "sm_110", "sm_120", "sm_120a", "sm_121"]


@functools.cache
def _rebuilt(kernel, options):
    return device.kernel(**dict(options))(kernel.underlying)


def with_options(kernel, **options):
    """The same function as a kernel with other options."""
    return _rebuilt(kernel, tuple(sorted(options.items())))


def fresh(value):
    """A copy that lies in memory as the original does, steps and direction included: copy() would straighten it."""
    if not isinstance(value, np.ndarray):
        return value
    low, high = np.lib.array_utils.byte_bounds(value)
    copy = np.ndarray(value.shape, value.dtype, np.zeros(high - low, np.uint8), value.ctypes.data - low, value.strides)
    copy[...] = value
    return copy


def elementwise(function, arity):
    """A kernel, not decorated: the last array holds what the function makes of the elements of one to three others."""
    def one(x, out):
        i = device.tid(1)
        if i < len(out):
            out[i] = function(x[i])

    def two(x, y, out):
        i = device.tid(1)
        if i < len(out):
            out[i] = function(x[i], y[i])

    def three(x, y, z, out):
        i = device.tid(1)
        if i < len(out):
            out[i] = function(x[i], y[i], z[i])

    return (one, two, three)[arity - 1]


def assert_same_bits(got, want):
    """The arrays among arguments hold the same."""
    for a, b in zip(got, want):
        if isinstance(a, np.ndarray):
            same_bytes(a, b)


def same_bytes(got, want):
    """NaNs are equal whatever their payload; bytes between fields are nobody's. What an axis repeats is looked at once."""
    assert got.shape == want.shape
    if not want.size:
        return
    got, want = (a[(..., *(slice(None) if step else slice(1) for step in a.strides))] for a in (got, want))
    if got.dtype.names:
        for name in got.dtype.names:
            same_bytes(got[name], want[name])
        return
    if got.dtype.kind == "c":
        got, want = (np.ascontiguousarray(x).view(x.real.dtype) for x in (got, want))
    floats = got.dtype.kind in "fV"  # ml_dtypes' formats are of kind V
    nan = np.isnan(got.astype("f8")) & np.isnan(want.astype("f8")) if floats else np.zeros(got.shape, bool)
    whole = f"V{got.dtype.itemsize}"
    differ = np.ascontiguousarray(got).view(whole) != np.ascontiguousarray(want).view(whole)
    differ = differ.reshape(got.shape) & ~nan
    assert not differ.any(), f"{got[differ][:5]} is not {want[differ][:5]} at {np.argwhere(differ)[:5].tolist()}"


@functools.cache
def architectures(ptxas):
    text = subprocess.run([ptxas, "--help"], capture_output=True, text=True).stdout
    known = set(re.findall(r"'(sm_\d+[a-z]?)'", text))
    return [a for a in PTX_ARCHITECTURES if a in known]


def assemble(ptx, arch):
    assert toolchain.assemble(ptx, arch) == ""


def skip_without(library, compile):
    try:
        return compile()
    except device.CompileError as error:
        if error.code == "E0601" and library in str(error):
            pytest.skip(str(error).split("\n")[0])
        raise


skip_without_libdevice = functools.partial(skip_without, "libdevice")
skip_without_ocml = functools.partial(skip_without, "ocml")


def find_readobj():
    found = shutil.which("llvm-readelf-22") or shutil.which("llvm-readobj-22")
    return found or next(iter(glob.glob("/usr/lib/llvm-22/bin/llvm-readelf")), None)


def notes(readobj, code):
    with tempfile.NamedTemporaryFile(suffix=".hsaco") as file:
        file.write(code)
        file.flush()
        done = subprocess.run([readobj, "--notes", file.name], capture_output=True, text=True, check=True)
    return done.stdout


def explicit_arguments(text):
    """[(offset, size)] of the kernel arguments that are not hidden ones, from the metadata note."""
    found = []
    for block in re.split(r"\n\s+- (?=\.)", text.split(".args:")[1]):
        kind = re.search(r"\.value_kind:\s+(\S+)", block)
        if kind and not kind[1].startswith("hidden"):
            found.append((int(re.search(r"\.offset:\s+(\d+)", block)[1]), int(re.search(r"\.size:\s+(\d+)", block)[1])))
    return sorted(found)


def expected_arguments(arguments):
    """The parameter block: each argument at its own alignment; an array is 8 + 16 * rank bytes."""
    found, end = [], 0
    for a in arguments:
        if isinstance(a, np.ndarray):
            size, align = 8 + 16 * a.ndim, 8
        else:
            size = align = np.asarray(a).dtype.itemsize if isinstance(a, np.generic) else 4
        end = -(-end // align) * align
        found.append((end, size))
        end += size
    return found
