"""What a call of C++ costs in a kernel: its code against the same text in Python and, on GPUs, against nvcc's and clang's own; its time on the
CPU against Python's; and the first launch of a kernel that calls C++, in a new process.

    python benchmarks/cxx_calls.py [code] [host] [start]

code: instructions of ten kernels. NVIDIA: `ptxas -O3 -arch=sm_90` of our PTX against `nvcc -O3`; AMD: gfx942 against `clang++ -x hip -O3`. Sums and
products are fused in all of them. host: processor time of one launch, least of many, ratios of forms that were run in turn. start: processor
time, that of clang included, of a first launch of a kernel with C++; "again" in the next process, with what was kept on disk. Bars: nvcc's
code and 2 %; 1.15 times Python's time without loops; 0.7 s for a small header, 2.5 s for cuda::std, 20 ms again.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import codegen
import machine_code
import measure

FUSED = ["-ffp-contract=fast"]
LINE = "array[float32, 1, contiguous, index32]"
FUNCTIONS = {  # name: (C++, Python), of floats x and y
    "horner": ("return ((((1.5f * x + 2.5f) * x - y) * x + 0.5f) * x + 3.0f) * x - 1.0f;",
               "return ((((1.5 * x + 2.5) * x - y) * x + 0.5) * x + 3.0) * x - 1.0"),
    "lerp": ("return x + (y - x) * 0.25f;", "return x + (y - x) * 0.25"),
    "clamped": ("float t = x * 3.0f - y; return t < -1.0f ? -1.0f : t > 1.0f ? 1.0f : t;",
                "t = x * 3.0 - y\n    return device.float32(-1.0) if t < -1.0 else device.float32(1.0) if t > 1.0 else t"),
    "either": ("return x > y ? x * 2.0f + 1.0f : y - x * x;", "return x * 2.0 + 1.0 if x > y else y - x * x"),
    "cross": ("float a = x * y - 2.0f, b = x - y * 3.0f, c = a * b - x * x; return a * c - b * y + c * c;",
              "a, b = x * y - 2.0, x - y * 3.0\n    c = a * b - x * x\n    return a * c - b * y + c * c"),
    "mixed": ("unsigned h = (unsigned)(int)x * 2654435761u; h ^= h >> 15; h *= 2246822519u; h ^= h >> 13; return y + (float)(h & 1023u);",
              "h = device.uint32(int(x)) * device.uint32(2654435761)\n    h ^= h >> 15\n    h *= device.uint32(2246822519)\n    h ^= h >> 13\n"
              "    return y + device.float32(h & device.uint32(1023))"),
    "quotient": ("return x / (y + 2.0f) + y / (x * x + 1.0f);", "return x / (y + 2.0) + y / (x * x + 1.0)"),
    "sixteen": ("float s = x; for (int i = 0; i < 16; ++i) s = s * y + 0.25f; return s;",
                "s = x\n    for i in range(16):\n        s = s * y + 0.25\n    return s"),
    "steps": ("float s = 0; for (int i = 0; i < int(y); ++i) s = s * 0.5f + x; return s;",
              "s = device.float32(0)\n    for i in range(int(y)):\n        s = s * 0.5 + x\n    return s"),
    "smooth": ("float t = x - y; t = t < 0 ? 0.0f : t; t = t > 1 ? 1.0f : t; return t * t * (3.0f - 2.0f * t);",
               "t = x - y\n    t = device.float32(0) if t < 0 else t\n    t = device.float32(1) if t > 1 else t\n    return t * t * (3.0 - 2.0 * t)"),
}
STRAIGHT = [name for name in FUNCTIONS if name != "steps"]  # without a loop of unknown length
KERNEL = "def {name}(x, y, out):\n    i = device.tid(1)\n    if i < len(out):\n        out[i] = {call}(x[i], y[i])\n"


def cxx_text():
    return "\n".join(f"__device__ inline float {name}_of(float x, float y) {{ {cxx} }}" for name, (cxx, _) in FUNCTIONS.items())


def kernels(folder):
    """{name: (kernel that calls C++, the same in Python)}, written to files: a kernel has a source."""
    from hetjit import device
    library = device.cxx(cxx_text().replace("__device__ ", ""), options=FUSED)
    found = {}
    for name, (_, python) in FUNCTIONS.items():
        pair = []
        for form, call in (("cxx", f"library.{name}_of"), ("python", f"{name}_of")):
            text = f"def {name}_of(x, y):\n    {python}\n\n\n" + KERNEL.format(name=name, call=call)
            path = folder / f"{form}_{name}.py"
            path.write_text(text)
            scope = {"device": device, "library": library}
            exec(compile(text, str(path), "exec"), scope)
            pair.append(scope[name])
        found[name] = tuple(pair)
    return found


# ---- code

def native_source():
    kernels = "\n".join(f'extern "C" __global__ void {name}(Line<const float> x, Line<const float> y, Line<float> out) {{\n'
                        f"  int i = tid_x();\n  if (i < out.size) out[i] = {name}_of(x[i], y[i]);\n}}" for name in FUNCTIONS)
    return f'#include "{codegen.HERE}/prelude.h"\n{cxx_text()}\n{kernels}\n'


def nvidia(folder, source):
    nvcc, ptxas = codegen.tool("nvcc"), codegen.tool("ptxas")
    if not nvcc or not ptxas:
        raise RuntimeError("no nvcc or ptxas")
    cubin = folder / "native.cubin"
    report = codegen.run(nvcc, "-arch=sm_90", "-O3", "-cubin", "-Xptxas", "-v", source, "-o", cubin)
    native = machine_code.cubin(cubin.read_bytes(), 90, report)
    _, ours = codegen.nvidia(folder)
    return native, ours


def amd(folder, source):
    clang, (_, ours) = codegen.tool("clang++-22", "clang++"), codegen.amd(folder)
    if not clang:
        raise RuntimeError("no clang++")
    made = folder / "native.hsaco"
    codegen.run(clang, "-x", "hip", "--offload-arch=gfx942", "-O3", "-std=c++20", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc",
                "-nogpulib", source, "-o", made)
    return ours(made.read_bytes(), "native"), ours


def code_table(folder):
    from hetjit import _core
    source = folder / "native.cu"
    source.write_text(native_source())
    rows = {name: [name] for name in FUNCTIONS}
    for make, target in ((nvidia, "cuda:sm_90"), (amd, "hip:gfx942")):
        try:
            native, ours = make(folder, source)
        except RuntimeError as error:
            for row in rows.values():
                row += [str(error), ""]
            continue
        for name, pair in kernels(folder).items():
            cxx, python = (ours(_core.compile(_core.capture(kernel), f"({LINE}, {LINE}, {LINE})", target)["code"], name)[name].instructions
                           for kernel in pair)
            other = native[name].instructions
            rows[name] += [f"{cxx} / {python} = {cxx / python:.3f}", f"{cxx} / {other} = {cxx / other:.3f}"]
    return measure.markdown(["function", "sm_90: C++ / Python", "C++ / nvcc", "gfx942: C++ / Python", "C++ / clang"], list(rows.values()))


# ---- time on the CPU

def host_table(folder, size=1 << 18, repeat=60):
    import numpy as np
    from hetjit import device
    draw = np.random.default_rng(1)
    x, y, out = (draw.uniform(0, 9, size).astype(np.float32) for _ in range(3))
    rows = []
    for name, pair in kernels(folder).items():
        launches = [device.kernel(kernel).forall(size) for kernel in pair]

        def once(launch):
            launch(x, y, out)
            device.synchronize("cpu")
        times = [[], []]
        for launch in launches:
            once(launch)
        for _ in range(repeat):
            for found, launch in zip(times, launches):
                found.append(measure.milliseconds(lambda: once(launch), time.process_time))
        cxx, python = map(min, times)
        rows.append([name, f"{1e3 * cxx:.0f} µs", f"{1e3 * python:.0f} µs", f"{cxx / python:.2f}" + ("" if name in STRAIGHT else " (a loop)")])
    return measure.markdown(["function", "C++", "Python", "C++ / Python"], rows)


# ---- the first launch

START = """
import resource, sys
import numpy as np
from hetjit import device

def spent():
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))

@device.kernel
def warm(out):
    out[0] = out[1] + 1
warm[1, 1](np.zeros(2, np.float32))
device.synchronize("cpu")
LIBRARY = device.cxx(open(sys.argv[1]).read(), include=sys.argv[2:])

@device.kernel
def first(x, out):
    i = device.tid(1)
    if i < len(x):
        out[i] = LIBRARY.f(x[i])
before = spent()
first.forall(100)(np.ones(100, np.float32), np.zeros(100, np.float32))
device.synchronize("cpu")
print(spent() - before)
"""
SMALL = "struct pair { float a, b; };\ninline float f(float x) { pair p{x, 2}; return p.a * p.b + 1; }\n"
STD = """#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/optional>
inline float f(float x) { return cuda::std::norm(cuda::std::complex<float>(x, 2)) + cuda::std::popcount(3u); }
"""


def start_table(folder, repeat=5):
    program = folder / "start.py"
    program.write_text(START)
    nvcc = codegen.tool("nvcc")
    cuda = pathlib.Path(nvcc).resolve().parents[1] / "include" if nvcc else None
    cases = {"a small header": (SMALL, [])}
    if cuda:
        cases["`cuda::std`"] = (STD, [cuda, cuda / "cccl"])
    rows = []
    for name, (text, include) in cases.items():
        source = folder / "source.hpp"
        source.write_text(text)
        first, again = [], []
        for number in range(repeat):
            cache = folder / f"cache {name} {number}"
            environment = {**os.environ, "HETJIT_CACHE": "on", "HETJIT_CACHE_DIR": str(cache)}
            for found in (first, again):
                done = subprocess.run([sys.executable, program, source, *include], capture_output=True, text=True, env=environment, check=True)
                found.append(float(done.stdout))
        rows.append([name, f"{min(first):.2f} s", f"{1e3 * min(again):.0f} ms"])
    return measure.markdown(["library", "first use", "again, in the next process"], rows)


TABLES = {"code": code_table, "host": host_table, "start": start_table}


def table(*wanted):
    made = []
    for name in wanted or TABLES:
        with tempfile.TemporaryDirectory() as folder:
            made.append(TABLES[name](pathlib.Path(folder)))
    return "\n\n".join(made)


if __name__ == "__main__":
    print(table(*sys.argv[1:]))
