"""What the demo says of the other targets: code for NVIDIA (sm_90) and AMD (gfx942), emitted and checked."""

import dataclasses

from hetjit import _core, toolchain


@dataclasses.dataclass
class Emitted:
    bytes: int
    milliseconds: float  # of a warm compile
    verdict: str         # what the vendor's tool said, or "" when there is none here


def emit(kernel, arguments, target):
    """Compiles for a target that need not be here; the second compilation is the one timed."""
    snapshot = _core.capture(kernel.underlying)
    options = dict(contract=kernel.options.get("contract", True))
    _, image = (_core.compile(snapshot, toolchain.signature_of(arguments), target, **options) for _ in range(2))
    return Emitted(len(image["code"]), sum(image["timings"].values()) / 1e6, verdict(image, target))


def verdict(image, target):
    if target.startswith("cuda"):
        if not toolchain.find_ptxas():
            return ""
        return toolchain.assemble(image["code"], target.split(":")[1]).split("\n")[0] or "accepted"
    return "ELF" if image["code"][:4] == b"\x7fELF" else "not an ELF file"
