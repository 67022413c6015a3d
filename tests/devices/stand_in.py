"""The stand-ins for the vendors' drivers (tests/unit/runtime/fake_driver) under whole Python programs: a program runs in a process
whose drivers they are, and looks at what they were asked.

    python tests/devices/stand_in.py MODULE PROGRAM VENDOR     # a function of stand_in_programs.py, stand_in_arrays.py, stand_in_graphs.py
"""

import collections
import ctypes
import importlib
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = ROOT / os.environ.get("HETJIT_BUILD", "build/release") / "tests/unit/runtime/fake_driver"
VENDORS = ("cuda", "hip")
LIBRARY_OF = {"cuda": "HETJIT_CUDA_LIBRARY", "hip": "HETJIT_HIP_LIBRARY"}

sys.path.append(str(ROOT / "tests/python"))

Call = collections.namedtuple("Call", "name device words")  # the name as a member of the table of calls; the device's number


def members(vendor):
    """{symbol: member} of the table of calls."""
    table = (ROOT / "runtime/gpu/gpu_calls.def").read_text()
    found = {}
    for kind, member, first, second in re.findall(r"^(\w+)\((\w+),\s+(\w+),\s+(\w+)", table, re.M):
        if kind.startswith("GPU"):
            found[first if vendor == "cuda" else second] = member
        elif kind.startswith(vendor.upper()):
            found[first] = member
    return found


class StandIn:
    """A vendor's stand-in in this process; its devices are `first` and `second`."""

    def __init__(self, vendor):
        self.vendor, self.first, self.second = vendor, f"{vendor}:0", f"{vendor}:1"
        self.kind = {"cuda": 2, "hip": 10}[vendor]  # DLPack's
        self.library = ctypes.CDLL(os.environ[LIBRARY_OF[vendor]])
        self.library.fake_take_calls.restype = ctypes.c_char_p
        self.library.fake_live.restype = ctypes.c_long
        self.symbols = {member: symbol for symbol, member in members(vendor).items()}
        self.members = {symbol.removesuffix("_v2"): member for member, symbol in self.symbols.items()}

    def calls(self, *names):
        """The calls since the last time; of these names, or all."""
        found = []
        for line in self.library.fake_take_calls().decode().splitlines():
            symbol, *words = line.split()
            place = words.pop(0) if words and words[0].startswith("[") else "[0]"
            call = Call(self.members[symbol.removesuffix("_v2")], int(place[1:-1]) - (self.vendor == "cuda"), words)
            if not names or call.name in names:
                found.append(call)
        return found

    def fail(self, name, code, *, always=False):
        """The next call of this name returns the code; or all from now on, until it is 0."""
        (self.library.fake_fail_always if always else self.library.fake_fail)(self.symbols[name].encode(), code)

    def fail_call(self, number, code):
        """The call of that number returns the code, whatever its name; 1 is the next."""
        self.library.fake_fail_call(ctypes.c_long(number), code)

    def pending(self, whether):
        """Whether events are not passed by the work before them."""
        self.library.fake_set(b"pending", ctypes.c_long(whether))

    def captured(self, stream):
        """Whose work is taken into a graph from now on; 0: none's."""
        self.library.fake_set(b"captured", ctypes.c_long(stream))

    def live(self):
        """How many of each kind have been made and not given back; without memory that is only kept for later."""
        from hetjit import device
        for where in (self.first, self.second):
            device.memory.trim(where)
        return {kind: self.library.fake_live(kind.encode()) for kind in ("memory", "stream", "event", "module", "taken", "graph", "pool")}


def run(module, program, vendor):
    """Runs a program in a process of its own; what it printed when it failed, else ""."""
    environment = {**os.environ, **{LIBRARY_OF[name]: str(LIBRARIES / f"libfake_{name}.so") for name in VENDORS},
                   "HETJIT_HIP_ARCH": "gfx942"}
    done = subprocess.run([sys.executable, __file__, module, program, vendor], capture_output=True, text=True, timeout=300, env=environment)
    return done.stdout + done.stderr if done.returncode else ""


if __name__ == "__main__":
    module, program, vendor = sys.argv[1:]
    getattr(importlib.import_module(module), program)(StandIn(vendor))
