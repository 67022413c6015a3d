"""What is here: versions, the targets that code can be made for, devices and why others are not there, libraries."""

import argparse
import json
import math
import platform
import re
import sys

import hetjit
from hetjit import _core, toolchain
from hetjit.device import devices, info, why_not

_VENDORS = {"cuda": "NVIDIA", "hip": "AMD"}
_TARGETS = {"cpu": "cpu:native", "cuda": "cuda:sm_90", "hip": "hip:gfx942"}
_LIBRARIES = ("numpy", "ml_dtypes", "torch", "jax", "cupy", "tinygrad")
_TOOLS = ("ptxas", "nvdisasm")


def _probe(out):
    """Needs a function of the vendor's math library."""
    out[0] = math.sin(out[0])


def _targets():
    """What is to be said of each kind of target: whether code can be made for it, math functions included."""
    snapshot = _core.capture(_probe)
    for kind, target in _TARGETS.items():
        try:
            _core.compile(snapshot, "(float32[:])", target)
            yield kind, "compiles" + (f" for {_core.host_cpu()}" if kind == "cpu" else f", {target.partition(':')[2]} for one")
        except Exception as error:
            yield kind, f"does not compile: {str(error).splitlines()[0]}"


def _library(name):
    from importlib import metadata
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def _llvm():
    """The version of an LLVM that is loaded from a file of its own; one that is linked in does not say."""
    try:
        with open("/proc/self/maps") as maps:
            found = re.search(r"libLLVM[.-](?:so\.)?([\d.]*\d)", maps.read())
    except OSError:
        found = None
    return found[1] if found else "22, linked in"


def gather():
    return {
        "hetjit": hetjit.__version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "llvm": _llvm(),
        "targets": dict(_targets()),
        "devices": {name: info(name) for name in devices()},
        "absent": {name: why for vendor, name in _VENDORS.items() if (why := why_not(vendor))},
        "libraries": {name: _library(name) for name in _LIBRARIES},
        "tools": {tool: toolchain.find(tool) or "not found" for tool in _TOOLS},
    }


def _device(found):
    return f"{found['description']}, {found['target']}, up to {found['max_threads_per_block']} threads and " \
           f"{found['max_shared_bytes'] // 1024} KiB of shared memory a block"


def _rows(found):
    for name in ("hetjit", "python", "llvm"):
        yield name, "", found[name]
    for name, text in found["targets"].items():
        yield "target", name, text
    for name, one in found["devices"].items():
        yield "device", name, _device(one)
    for name, why in found["absent"].items():
        yield "no device", name, why
    for heading in ("libraries", "tools"):
        for name, text in found[heading].items():
            yield {"libraries": "library", "tools": "tool"}[heading], name, text


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m hetjit info", description=__doc__)
    parser.add_argument("--json", action="store_true", help="the same as a JSON object")
    found = gather()
    if parser.parse_args(arguments).json:
        print(json.dumps(found))
        return 0
    for heading, name, text in _rows(found):
        print(f"{heading:9}  {name:9}  {text}")
    return 0
