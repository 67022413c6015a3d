"""`device.emit`: the code of a function for a target, without a device."""

from hetjit import _core
from hetjit.device import settings

__all__ = ["emit"]

_TARGETS = {"nvptx64": "cuda", "amdgcn": "hip"}
_KINDS = {"llvm": "llvm", "asm": "assembly"}


def _target(name):
    if name == "host":
        return "cpu:native"
    family, _, chip = name.partition(":")
    return f"{_TARGETS[family]}:{chip}" if family in _TARGETS else name


def signature_text(signature, hints):
    """The text of a signature: of the types in a tuple, which are `hints`, or as it was written, with or without `device.` or `np.`."""
    if isinstance(signature, str):
        import re  # here: it would be half of what a small program loads

        return re.sub(r"\b(?:(?:hetjit\.)?device|np|numpy)\.", "", signature)
    return f"({', '.join(hint.text for hint in hints)})"


def emit(f, signature, target="host", kind="asm", *, contract=None, kernel=None):
    """What a function or kernel is compiled to for arguments of these types.

    signature: a tuple of types, or its text: `(device.float32x3, int)`. target: "host", "cuda:sm_90" (also
    "nvptx64:sm_90"), "hip:gfx90a" (also "amdgcn:gfx90a"). kind: "llvm" or "asm" (text), or "obj" (bytes). The decorator's
    options hold (check=, fastmath=, launch_bounds=, …). contract: another than its. kernel: whether it is compiled as one; by default if it
    was decorated as one.

    Raises ValueError for a kind, a target or a type that there is not, CompileError where the function is wrong.
    """
    if kind not in (*_KINDS, "obj"):
        raise ValueError(f"device.emit(kind={kind!r}): 'llvm', 'asm' or 'obj'")
    hints = () if isinstance(signature, str) else tuple(map(_core.Type, signature))
    signature = signature_text(signature, hints)
    if kernel is None:
        kernel = isinstance(f, _core.Kernel) and not f.device_function
    options = getattr(f, "options", {})
    chosen = settings.of(options if contract is None else {**options, "contract": contract})
    snapshot = _core.capture(getattr(f, "underlying", f), hints)
    target = _target(target)
    if kind == "obj":
        return _core.compile(snapshot, signature, target, kernel=kernel, **chosen)["code"]
    return _core.show(snapshot, _KINDS[kind], signature, target, kernel=kernel, **chosen)
