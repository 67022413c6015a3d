"""The kernels of simt_kernels as code for GPUs: every architecture's back end makes it, ptxas and lld take it."""

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import simt_kernels
import tools
from hetjit import _core, device

NVIDIA = ("sm_75", "sm_80", "sm_90", "sm_100")
AMD = ("gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201")


def compiled(case, target):
    arguments = case.arguments()
    hints = tuple(_core.element_of_dtype(a.dtype) for a in arguments)  # whose methods the kernel calls
    arrays = [f"array[{hint.text}, {a.ndim}, contiguous, index32]" for a, hint in zip(arguments, hints)]
    return _core.compile(_core.capture(case.kernel.underlying, hints), f"({', '.join(arrays)})", target)["code"]


@pytest.mark.parametrize("arch", NVIDIA)
def test_nvidia(arch):
    ptxas = tools.find_ptxas() or pytest.skip("no ptxas on this machine (CUDA toolkit)")
    if arch not in tools.architectures(ptxas):
        pytest.skip(f"this ptxas does not know {arch}")
    for case in simt_kernels.CASES.values():
        tools.assemble(compiled(case, f"cuda:{arch}"), arch)


@pytest.mark.parametrize("arch", AMD)
def test_amd(arch):
    for name, case in simt_kernels.CASES.items():
        try:
            assert compiled(case, f"hip:{arch}")[:4] == b"\x7fELF"
        except device.CompileError:
            if name != "sixteen_bytes":  # nothing there moves sixteen bytes as a whole
                raise
