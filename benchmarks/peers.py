"""Other libraries to compare with, in a virtual environment of their own (build/peers), so that the developer's is not disturbed."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGES = ("numpy", "numba", "pyopencl", "matplotlib")
FOR_LAUNCHES = ("apache-tvm-ffi", "warp-lang", "quadrants")  # each may be missing for this Python


def install(interpreter, packages):
    """Whether they are there now; why not is printed."""
    done = subprocess.run([str(interpreter), "-m", "pip", "install", "--quiet", *packages], capture_output=True, text=True)
    if done.returncode:
        print(f"skipped: pip install {' '.join(packages)} failed: {done.stderr.strip().splitlines()[-1:]}", flush=True)
    return done.returncode == 0


def python():
    """The interpreter that has the peers; without them this one, which runs the other forms."""
    place = ROOT / "build" / "peers"
    interpreter = place / "bin" / "python"
    if not interpreter.exists():
        print(f"making {place.relative_to(ROOT)} with {', '.join(PACKAGES + FOR_LAUNCHES)}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=False)
        install(interpreter, PACKAGES)
        for package in FOR_LAUNCHES:
            install(interpreter, [package])
    has_numpy = subprocess.run([str(interpreter), "-c", "import numpy"], capture_output=True).returncode == 0
    return str(interpreter) if has_numpy else sys.executable


def environment():
    """The worker's: the hetjit that this process uses."""
    import hetjit
    place = str(pathlib.Path(hetjit.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": os.pathsep.join([place, str(ROOT / "benchmarks")])}
