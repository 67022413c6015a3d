"""GPU code quality, without a GPU: our code against nvcc's and clang's for the same kernels in CUDA C++ (codegen/*.cu).

NVIDIA: our PTX through `ptxas -O3 -arch=sm_90` against `nvcc -O3`: registers and SASS instructions. AMD: our code object against
`clang++ -x hip -O3` for gfx942: VGPRs and instructions. Smaller is better; padding after the code is not counted.

    python benchmarks/codegen.py [--emit FOLDER]     with --emit: only what nvcc and clang make of the C++, as files there
"""

import argparse
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile

import kernels
import kernels_block
import kernels_more
import machine_code
import measure

HERE = pathlib.Path(__file__).resolve().parent / "codegen"
BITCODE = pathlib.Path("/usr/lib/x86_64-linux-gnu/amdgcn/bitcode")  # Debian's OCML, and what HIP sets of its switches by default
LIBRARIES = ("ocml", "oclc_daz_opt_off", "oclc_unsafe_math_off", "oclc_finite_only_off", "oclc_correctly_rounded_sqrt_on")
AMD = {"gfx942": ("oclc_wavefrontsize64_on", "oclc_isa_version_90a"),  # Debian's knows neither of the two; these are the nearest
       "gfx1100": ("oclc_wavefrontsize64_off", "oclc_isa_version_1036")}
FILES = ("plain", "block")
LABEL = re.compile(rb"^\$L\w+:.*$", re.M)
MEAN_LIMIT, LIMIT = 1.05, 1.25


def array(kind, rank=1):
    return f"array[{kind}, {rank}, contiguous, index32]"  # what a launch with arrays of fewer than 2**30 - 4096 elements asks for


LINE, PLANE, BYTES, COUNTS, DOUBLES = array("float32"), array("float32", 2), array("uint8"), array("int32"), array("float64")
KERNELS = {  # function: (C++ file, signature)
    kernels.saxpy: ("plain", f"(float, {LINE}, {LINE})"),
    kernels.stencil: ("plain", f"({PLANE}, {PLANE})"),
    kernels.mandelbrot: ("plain", f"({array('int32', 2)}, float, float, float, int)"),
    kernels.kick: ("plain", f"({PLANE}, {PLANE}, {LINE}, float, float)"),
    kernels.black_scholes: ("plain", f"({', '.join([LINE] * 5)}, float, float)"),
    kernels_more.matmul_naive: ("plain", f"({PLANE}, {PLANE}, {PLANE})"),
    kernels_more.sobel: ("plain", f"({PLANE}, {PLANE})"),
    kernels_more.blur: ("plain", f"({PLANE}, {LINE}, int, {PLANE})"),
    kernels_more.grey: ("plain", f"({array('uint8', 2)}, {BYTES})"),
    kernels_more.collatz: ("plain", f"({COUNTS})"),
    kernels_more.horner: ("plain", f"({DOUBLES}, {DOUBLES}, {DOUBLES})"),
    kernels_more.zoom: ("plain", f"({PLANE}, {PLANE}, float)"),
    kernels_more.heat: ("plain", f"({array('float32', 3)}, {array('float32', 3)}, float)"),
    kernels_more.rotate: ("plain", f"({PLANE}, {PLANE}, float)"),
    kernels_block.matmul: ("block", f"({PLANE}, {PLANE}, {PLANE})"),
    kernels_block.tree_sums: ("block", f"({LINE}, {LINE})"),
    kernels_block.shuffle_sums: ("block", f"({LINE}, {LINE})"),
    kernels_block.histogram: ("block", f"({BYTES}, {COUNTS})"),
    kernels_block.transpose: ("block", f"({PLANE}, {PLANE})"),
    kernels_more.scan: ("block", f"({LINE}, {LINE})"),
}


def tool(*names):
    """The first of the programs that is installed."""
    folders = os.environ.get("PATH", "") + ":/usr/local/cuda/bin:/usr/lib/llvm-22/bin"
    return next((found for name in names if (found := shutil.which(name, path=folders))), None)


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{pathlib.Path(command[0]).name}: {(done.stderr or done.stdout).strip()[:300]}")
    return done.stdout + done.stderr


# ---- NVIDIA

def nvidia(folder, architecture=90, rolled=False):
    """Functions that give {kernel: machine_code.Cost} of one side: `theirs(file)`, `ours(code, name)`. rolled: ptxas is to unroll none of our loops."""
    nvcc, ptxas = tool("nvcc"), tool("ptxas")
    if not nvcc or not ptxas:
        raise RuntimeError("no nvcc or ptxas")

    def theirs(file):
        cubin = folder / f"{file}.cubin"
        report = run(nvcc, f"-arch=sm_{architecture}", "-O3", "-cubin", "-Xptxas", "-v", HERE / f"{file}.cu", "-o", cubin)
        return machine_code.cubin(cubin.read_bytes(), architecture, report)

    def ours(code, name):
        ptx, cubin = folder / f"{name}.ptx", folder / f"{name}.ours.cubin"
        code = code.rstrip(b"\0")
        ptx.write_bytes(LABEL.sub(rb'\g<0>\n\t.pragma "nounroll";', code) if rolled else code)
        report = run(ptxas, "-O3", f"-arch=sm_{architecture}", "-v", ptx, "-o", cubin)
        return machine_code.cubin(cubin.read_bytes(), architecture, report)
    return theirs, ours


# ---- AMD

def by_clang(file, architecture, out):
    clang = tool("clang++-22", "clang++")
    if not clang:
        raise RuntimeError("no clang++")
    libraries = [BITCODE / f"{name}.bc" for name in (*LIBRARIES, *AMD[architecture])]
    for library in libraries:
        if not library.is_file():
            raise RuntimeError(f"no {library}")
    run(clang, "-x", "hip", f"--offload-arch={architecture}", "-O3", "-std=c++20", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc",
        "-nogpulib", *(word for library in libraries for word in ("-Xclang", "-mlink-builtin-bitcode", "-Xclang", library)),
        HERE / f"{file}.cu", "-o", out)


def amd(folder, architecture="gfx942"):
    objdump, readobj = tool("llvm-objdump-22", "llvm-objdump"), tool("llvm-readobj-22", "llvm-readobj")
    if not objdump or not readobj:
        raise RuntimeError("no llvm-objdump")

    def read(path):
        return machine_code.code_object(run(readobj, "--notes", path), lambda name: run(objdump, "-d", f"--disassemble-symbols={name}", path))

    def theirs(file):
        out = folder / f"{file}.hsaco"
        by_clang(file, architecture, out)
        return read(out)

    def ours(code, name):
        out = folder / f"{name}.ours.hsaco"
        out.write_bytes(code)
        return read(out)
    return theirs, ours


# ---- both

def compare(make, target, kernels):
    """{kernel: (ours, theirs)}, each a machine_code.Cost; and why a kernel is missing."""
    from hetjit import _core
    rows, reasons = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        theirs, ours = make(pathlib.Path(folder))
        native = {file: theirs(file) for file in {file for file, _ in kernels.values()}}
        for kernel, (file, signature) in kernels.items():
            name = kernel.underlying.__name__
            try:
                code = _core.compile(_core.capture(kernel.underlying), signature, target)["code"]
                rows[name] = ours(code, name)[name], native[file][name]
            except Exception as error:
                reasons[name] = str(error).split("\n")[0]
    return rows, reasons


def cell(pair, which):
    if pair is None:
        return "-"
    own, other = pair[0][which], pair[1][which]
    ratio = own / other
    spill = " spills" if which == 0 and pair[0][2] > pair[1][2] else ""
    return f"{own} / {other} = " + (f"{ratio:.2f}" if ratio <= LIMIT else f"**{ratio:.2f}**") + spill


def mean_cell(rows, which):
    if not rows:
        return "-"
    mean = math.exp(statistics.fmean(math.log(own[which] / other[which]) for own, other in rows.values()))
    return f"{mean:.3f} (≤ {MEAN_LIMIT}: " + ("met)" if mean <= MEAN_LIMIT else "**missed**)")


def table():
    found = {}
    notes = []
    for vendor, make, target in (("NVIDIA", nvidia, "cuda:sm_90"), ("AMD", amd, "hip:gfx942")):
        try:
            found[vendor], reasons = compare(make, target, KERNELS)
        except RuntimeError as error:
            found[vendor], reasons = {}, {"every kernel": str(error)}
        notes += [f"* {vendor}: {name}: {reason}" for name, reason in reasons.items()]
    names = [kernel.underlying.__name__ for kernel in KERNELS]
    rows = [[name, *(cell(found[vendor].get(name), which) for vendor in found for which in (0, 1))] for name in names]
    rows.append(["geometric mean", *(mean_cell(found[vendor], which) for vendor in found for which in (0, 1))])
    text = measure.markdown(["kernel", "sm_90: registers, ours / nvcc", "SASS instructions", "gfx942: VGPRs, ours / clang -x hip",
                             "instructions"], rows)
    return "\n\n".join([text, "\n".join(["Not compared:", *notes])] if notes else [text])


def emit(folder):
    """The C++ as PTX and as code objects."""
    for file in FILES:
        run(tool("nvcc") or "nvcc", "-arch=sm_90", "-O3", "-ptx", HERE / f"{file}.cu", "-o", folder / f"{file}.ptx")
        for architecture in AMD:
            by_clang(file, architecture, folder / f"{architecture}-{file}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--emit", type=pathlib.Path, help="a folder")
    folder = parser.parse_args().emit
    print(table()) if folder is None else emit(folder)
