"""Functions for C++ to call: `f.compile((device.float32x3, float), target="cuda:sm_90", kind="cubin")`."""

from hetjit import _core
from hetjit.device import emission, settings

__all__ = ["Export"]

# What `kind=` may be for each kind of target, and the form that the compiler makes it of.
_KINDS = {
    "cpu": {"object": "object", "bitcode": "bitcode", "llvm": "llvm", "asm": "assembly"},
    "cuda": {"ptx": "assembly", "cubin": "assembly", "ltoir": "lto", "bitcode": "bitcode", "llvm": "llvm", "asm": "assembly"},
    "hip": {"object": "object", "bitcode": "bitcode", "llvm": "llvm", "asm": "assembly"},
}
_SUFFIXES = {"object": "o", "bitcode": "bc", "llvm": "ll", "asm": "s", "ptx": "ptx", "cubin": "cubin", "ltoir": "ltoir"}


class Export:
    """Code for C++ to link, and how C++ declares it."""

    __slots__ = {"code": "What is linked: bytes.", "symbol": "The function's name.", "header": "The text that declares it in C++.",
                 "target": "What it was compiled for.", "kind": "What the code is: \"object\", \"cubin\", …"}

    def __init__(self, code, symbol, header, target, kind):
        self.code, self.symbol, self.header, self.target, self.kind = code, symbol, header, target, kind

    def __repr__(self):
        return f"<device.Export {self.symbol}: {len(self.code)} bytes of {self.kind} for {self.target}>"

    def write(self, folder):
        """Writes the code, the header and what that includes into a folder, which is made if it is not there; the code's path."""
        import pathlib
        folder = pathlib.Path(folder)
        (folder / "hetjit").mkdir(parents=True, exist_ok=True)
        for name, text in (("interop", _core.interop_header), ("raised", _core.raised_header), ("raised_text", _core.raised_text_header)):
            (folder / "hetjit" / f"{name}.hpp").write_text(text())
        (folder / f"{self.symbol}.hpp").write_text(self.header)
        code = folder / f"{self.symbol}.{_SUFFIXES[self.kind]}"
        code.write_bytes(self.code)
        return code


def export(function, signature, target, kind):
    """What Function.compile() and Kernel.compile() return."""
    if not function.options.get("interop"):
        raise TypeError(f"{function.__name__} is not for C++ to call: decorate it with interop=True")
    vendor, _, arch = target.partition(":")
    forms = _KINDS.get(vendor)
    if forms is None:
        raise ValueError(f"{function.__name__}.compile(target={target!r}): a target is 'cpu:native', 'cuda:sm_90', 'hip:gfx942', …")
    kind = kind or ("cubin" if vendor == "cuda" else "object")
    if kind not in forms:
        raise ValueError(f"{function.__name__}.compile(kind={kind!r}): for {vendor} it is one of {', '.join(forms)}")
    hints = () if isinstance(signature, str) else tuple(map(_core.Type, signature))
    signature = emission.signature_text(signature, hints)
    snapshot = _core.capture(function.underlying, hints)
    make = _kernel if isinstance(function, _core.Kernel) and not function.device_function else _function
    code, symbol, header = make(function, snapshot, signature, target, forms[kind])
    return Export(_relocatable(code, arch) if kind == "cubin" else code, symbol, header, target, kind)


def _function(function, snapshot, signature, target, form):
    return _core.export(snapshot, signature, target, form, **settings.of(function.options))


def _kernel(function, snapshot, signature, target, form):
    """A __global__ function has the entry that launches use, as PTX or an object of its own."""
    if form not in ("assembly", "lto") or not target.startswith("cuda:"):
        raise ValueError(f"{function.__name__} is a kernel: what C++ launches is 'ptx', 'cubin' or 'ltoir' for NVIDIA")
    return _core.export(snapshot, signature, target, form, kernel=True, **settings.of(function.options))


def _relocatable(ptx, arch):
    """Machine code that nvlink takes."""
    import os  # what importing hetjit need not
    import pathlib
    import subprocess
    import tempfile

    from hetjit import toolchain
    assembler = toolchain.find_ptxas()
    if not assembler:
        raise toolchain.Missing("no ptxas here, which makes a cubin: it is in NVIDIA's toolkit, or pip install nvidia-cuda-nvcc; "
                                "kind='ptx' needs none")
    with tempfile.TemporaryDirectory() as folder:
        source, made = os.path.join(folder, "code.ptx"), os.path.join(folder, "code.cubin")
        pathlib.Path(source).write_bytes(ptx)
        done = subprocess.run([assembler, "-c", f"-arch={arch}", "-o", made, source], capture_output=True, text=True)
        if done.returncode:
            raise ValueError(f"ptxas: {done.stderr.strip()}")
        return pathlib.Path(made).read_bytes()
