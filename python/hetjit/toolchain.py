"""Vendors' tools, where a machine has them: what they say of code we emitted. Used by the demo and the tests."""

import os
import shutil
import subprocess
import tempfile


def find_ptxas():
    """Path of NVIDIA's assembler, or None: in $CUDA_HOME, $CUDA_PATH, /usr/local/cuda or on the PATH."""
    for folder in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        if folder and os.access(f"{folder}/bin/ptxas", os.X_OK):
            return f"{folder}/bin/ptxas"
    return shutil.which("ptxas")


def assemble(ptx, arch):
    """What ptxas complains of in the PTX bytes for "sm_90"; "" when it accepts them. Needs find_ptxas()."""
    with tempfile.NamedTemporaryFile(suffix=".ptx") as file:
        file.write(ptx.rstrip(b"\0"))
        file.flush()
        done = subprocess.run([find_ptxas(), f"-arch={arch}", "-o", "/dev/null", file.name], capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr.strip() or f"ptxas ended with {done.returncode}"


def signature_of(arguments):
    """The signature of a launch with these NumPy arrays and numbers, as text: "(float32[:, ::1], int, float)"."""
    return "(" + ", ".join(_parameter(a) for a in arguments) + ")"


def _parameter(value):
    if hasattr(value, "ndim") and hasattr(value, "flags") and value.ndim:
        axes = [":"] * value.ndim
        if value.flags.c_contiguous:
            axes[-1] = "::1"
        return f"{value.dtype.name}[{', '.join(axes)}]"
    return value.dtype.name if hasattr(value, "dtype") else type(value).__name__
