"""Why the extension cannot be loaded, in a sentence."""

import platform
import sys


def why(error):
    """What to do about an ImportError of `hetjit._core`."""
    said = str(error)
    if "GLIBC_" in said:
        return (f"hetjit's wheel needs glibc 2.34 or newer (Ubuntu 22.04, RHEL 9, Debian 12), and this system has {' '.join(platform.libc_ver())}: "
                "build it here with pip install --no-binary hetjit hetjit, for which LLVM 22 is needed")
    if "libc.musl" in said or "ld-linux" in said:
        return "hetjit's wheel is for systems with glibc, and this one has musl: use an image of Debian or Ubuntu in place of Alpine"
    if "cannot import name" in said or "No module named" in said:
        return (f"hetjit is here without its compiled part, _core.abi3.so, for {sys.platform} {platform.machine()}: pip install --force-reinstall hetjit "
                "on Linux with x86-64; in a clone, ./dev build and ./dev run python")
    return f"hetjit's compiled part cannot be loaded: {said}"
