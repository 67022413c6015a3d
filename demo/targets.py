"""What the demo says of the other targets: code for NVIDIA (sm_90) and AMD (gfx942), emitted and checked."""

import dataclasses
import os
import shutil
import subprocess
import tempfile

import numpy as np

from hetjit import _core


@dataclasses.dataclass
class Emitted:
    bytes: int
    milliseconds: float  # of a warm compile
    verdict: str         # what the vendor's tool said, or "" when there is none here


def signature(arguments):
    """The signature of a launch with these arguments, as text."""
    return "(" + ", ".join(parameter(a) for a in arguments) + ")"


def parameter(value):
    if isinstance(value, np.ndarray):
        axes = [":"] * value.ndim
        if value.flags.c_contiguous:
            axes[-1] = "::1"
        return f"{value.dtype.name}[{', '.join(axes)}]"
    if isinstance(value, np.generic):
        return value.dtype.name
    return type(value).__name__


def emit(kernel, arguments, target):
    """Compiles for a target that need not be here; the second compilation is the one timed."""
    snapshot = _core.capture(kernel.underlying)
    options = dict(contract=kernel.options.get("contract", True))
    for _ in range(2):
        image = _core.compile(snapshot, signature(arguments), target, **options)
    return Emitted(len(image["code"]), sum(image["timings"].values()) / 1e6, verdict(image, target))


def verdict(image, target):
    if target.startswith("cuda"):
        return assemble(image["code"], target.split(":")[1])
    return "ELF" if image["code"][:4] == b"\x7fELF" else "not an ELF file"


def find_ptxas():
    for folder in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        if folder and os.access(f"{folder}/bin/ptxas", os.X_OK):
            return f"{folder}/bin/ptxas"
    return shutil.which("ptxas")


def assemble(ptx, arch):
    """'accepted', or ptxas's first complaint; '' when there is no ptxas here."""
    ptxas = find_ptxas()
    if not ptxas:
        return ""
    with tempfile.NamedTemporaryFile(suffix=".ptx") as file:
        file.write(ptx.rstrip(b"\0"))
        file.flush()
        done = subprocess.run([ptxas, f"-arch={arch}", "-o", "/dev/null", file.name], capture_output=True, text=True)
    return "accepted" if done.returncode == 0 else done.stderr.strip().split("\n")[0]
