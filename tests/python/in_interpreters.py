"""A program for test_interpreters.py: sub-interpreters made, used side by side and destroyed, and the memory of the process that each leaves.

    python in_interpreters.py COUNT CONTROLS

prints JSON, bytes for each interpreter: {"ours": of COUNT that run kernels, "control": of CONTROLS that import the same modules of Python's own and,
where Python leaves names behind (from 3.12 on), have the same code and the names of the extension}.
"""

import ast
import ctypes
import gc
import json
import subprocess
import sys
import threading

WORKERS = 4

USE = """
from hetjit import _core, device

@device.kernel
def double(x, n):
    i = device.tid(1)
    if i < n:
        x[i] *= 2

x = device.array([1, 2, 3, 4], device="cpu")
for n in range(3):
    double.on("cpu")[1, 32](x, 4)
assert x.tolist() == [8, 16, 24, 32] and double.on("cpu").specializations == 1
assert int(_core.Pointer(3)) == 3
"""

LEFT = """
names = set(vars(_core)).union(*(vars(one) for one in vars(_core).values() if isinstance(one, type)))
loaded = sorted(set(sys.modules) - before)
print([[name for name in loaded if not name.startswith("hetjit")],
       [sys.modules[name].__file__ for name in loaded if name.startswith("hetjit") and sys.modules[name].__file__.endswith(".py")], sorted(names)])
"""


def interpreters():
    """CPython's module, whatever its name."""
    import importlib
    return importlib.import_module("_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters")


def run(code):
    """In an interpreter of its own, which ends. What it raises is raised."""
    module = interpreters()
    one = module.create()
    try:
        failed = module.run_string(one, f"import sys\nsys.path[:] = {sys.path!r}\n{code}")
    finally:
        module.destroy(one)
    if failed:
        raise RuntimeError(str(failed))


def side_by_side(code, count):
    """So many interpreters, a few at a time."""
    failures, left = [], iter(range(count))

    def work():
        for _ in left:
            try:
                run(code)
            except Exception as error:
                failures.append(error)
    threads = [threading.Thread(target=work) for _ in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


class _Use(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks",
                                                      "keepcost")]


def bytes_in_use():
    """Of all that malloc() has given and nobody has given back."""
    ask = ctypes.CDLL(None).mallinfo2
    ask.restype = _Use
    gc.collect()
    use = ask()
    return use.uordblks + use.hblkhd


def left_by_one(code, count):
    side_by_side(code, 2 * WORKERS)  # what is made once
    before = bytes_in_use()
    side_by_side(code, count)
    return (bytes_in_use() - before) / count


def used():
    """What `USE` loads that an interpreter does not have when it begins: modules of Python's own, files of ours; and the names in the extension."""
    code = f"import sys\nbefore = set(sys.modules)\nsys.path[:] = {sys.path!r}\n{USE}{LEFT}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return ast.literal_eval(done.stdout)


def control():
    """What an interpreter does that imports what hetjit's does, without hetjit."""
    modules, files, names = used()
    imports = "".join(f"import {module}\n" for module in modules)
    if sys.version_info < (3, 12):
        return imports
    texts = [USE, "\n".join(names), *(open(file).read() for file in files)]
    return f"{imports}kept = [compile(text, '', 'exec') for text in {texts!r}]\n"


def main(count, controls):
    print(json.dumps({"ours": left_by_one(USE, count), "control": left_by_one(control(), controls)}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
