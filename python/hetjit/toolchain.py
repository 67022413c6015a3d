"""Vendors' tools, where a machine has them: what they say of code we emitted. Used by the demo and the tests."""

import glob
import importlib.util
import os
import shutil
import subprocess
import tempfile


class Missing(Exception):
    """A tool that this machine does not have, and where it can be had."""


def find(tool):
    """Path of a tool of NVIDIA's toolkit, or None: in $CUDA_HOME, $CUDA_PATH, /usr/local/cuda, on the PATH, or in a package of PyPI's."""
    for folder in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        if folder and os.access(f"{folder}/bin/{tool}", os.X_OK):
            return f"{folder}/bin/{tool}"
    packages = importlib.util.find_spec("nvidia")
    for folder in packages.submodule_search_locations if packages else ():
        for path in sorted(glob.glob(f"{folder}/*/bin/{tool}")):
            if os.access(path, os.X_OK):
                return path
    return shutil.which(tool)


def find_ptxas():
    """Path of NVIDIA's assembler, or None."""
    return find("ptxas")


def disassemble(ptx, arch):
    """The machine code (SASS) that ptxas makes of PTX text for "sm_90", as nvdisasm prints it."""
    assembler, printer = find("ptxas"), find("nvdisasm")
    if not assembler or not printer:
        missing = "ptxas" if not assembler else "nvdisasm"
        package = {"ptxas": "nvidia-cuda-nvcc", "nvdisasm": "nvidia-cuda-nvdisasm"}[missing]
        raise Missing(f"no {missing} here for SASS: it is in NVIDIA's toolkit, or pip install {package}")
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/kernel.ptx", "w") as file:
            file.write(ptx)
        _told([assembler, f"-arch={arch}", "-o", f"{folder}/kernel.cubin", f"{folder}/kernel.ptx"])
        return _told([printer, "-c", f"{folder}/kernel.cubin"])


def _told(command):
    """What a tool prints; ValueError with its complaint."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise ValueError(f"{os.path.basename(command[0])}: {done.stderr.strip() or f'ended with {done.returncode}'}")
    return done.stdout


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
