"""LTO-IR of Python's functions: linked with nvcc's -dlto objects they are inlined into C++, and give the bits that the same C++ gets of them on the host."""

import ctypes
import math
import os
import pathlib
import re
import subprocess
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")

from hetjit import device, driver, toolchain

ARCHITECTURES = ("sm_100", "sm_120")
pytestmark = pytest.mark.row("HETX-FN-3")


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    assert done.returncode == 0, done.stderr[-4000:] + done.stdout[-2000:]
    return done.stdout


# ---- NVIDIA's linker and its compiler behind it

PTX, CUBIN = b"-ptx", None
_LTOIR = 3


def toolkit():
    return pathlib.Path(toolchain.find("nvcc")).resolve().parents[1]


def library(name):
    for folder in ("nvvm/lib64", "lib64"):
        if toolchain.find("nvcc") and (toolkit() / folder / name).exists():
            return toolkit() / folder / name
    return None


@pytest.fixture(scope="module")
def linker():
    if not library("libnvvm.so") or not library("libnvJitLink.so"):
        pytest.skip("libNVVM and libnvJitLink are not installed")
    return ctypes.CDLL(str(library("libnvJitLink.so")))


def linked(linker, arch, files, form):
    """What nvJitLink makes of them: PTX as text, or machine code."""
    handle, size = ctypes.c_void_p(), ctypes.c_size_t()
    words = [b"-lto", f"-arch={arch}".encode(), *([form] if form else [])]
    assert linker.nvJitLinkCreate(ctypes.byref(handle), len(words), (ctypes.c_char_p * len(words))(*words)) == 0
    for file in files:
        assert linker.nvJitLinkAddFile(handle, _LTOIR, str(file).encode()) == 0, file
    failed = linker.nvJitLinkComplete(handle)
    if failed:
        linker.nvJitLinkGetErrorLogSize(handle, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value + 1)
        linker.nvJitLinkGetErrorLog(handle, log)
        pytest.fail(log.value.decode())
    which = "Ptx" if form == PTX else "Cubin"
    getattr(linker, f"nvJitLinkGetLinked{which}Size")(handle, ctypes.byref(size))
    made = ctypes.create_string_buffer(size.value)
    getattr(linker, f"nvJitLinkGetLinked{which}")(handle, made)
    linker.nvJitLinkDestroy(ctypes.byref(handle))
    return made.raw.rstrip(b"\0").decode() if form == PTX else made.raw


def by_nvlink(arch, files, folder):
    """Machine code; nvlink wants the compiler where toolkits have it."""
    (folder / "nvvm/lib64").mkdir(parents=True, exist_ok=True)
    if not (folder / "nvvm/lib64/libnvvm.so").exists():
        (folder / "nvvm/lib64/libnvvm.so").symlink_to(library("libnvvm.so"))
    run(toolchain.find("nvlink"), "-dlto", "-nvvmpath", folder / "nvvm", f"-arch={arch}", f"-L{toolkit() / 'lib64'}", "-lcudadevrt", *files,
        "-o", folder / "linked.cubin")
    return (folder / "linked.cubin").read_bytes()


# ---- what is called: a function, its types, and the C++ that calls it with eight numbers and leaves some


@device.struct
class Body:
    mass: float
    pos: device.float32x3
    n: device.int8


def interop(function):
    return device.func(interop=True)(function)


@interop
def moved(body, by, times):
    return body.replace(pos=body.pos + by * times, n=device.int8(body.n * 2))


@interop
def scaled(a, h, b):
    return a * float(b), h + h


@interop
def longs(a, b):
    return a * b


@interop
def mixed(a, b, c):
    return a // 3 + b % 7, a // 5, min(a, int(c)), c >> 1, a << 2


@interop
def small(a, b, flag):
    return device.int8(a + 100), device.uint16(b * 3), not flag, a < -5


@interop
def turned(x, i):
    last = x[-1, i]
    x[0, i] = last * 2
    return last


@interop
def root(x):
    if x < 0:
        raise ValueError(f"no root of {x}")
    return x * x


@interop
def casts(x, y):
    return int(x), device.uint32(x), device.uint8(x), device.int64(y), device.int16(x), device.uint64(y), device.int32(y)


@interop
def product(x, y):
    return x * y


@interop
def half_product(x, y):
    return x * y


@device.func(interop=True, contract=False)
def unfused(x, y, z):
    return x * y + z


@device.func(interop=True, contract=False)
def halves(x, y, z):
    return x * y + z


@device.func(interop=True, contract=False)
def brain_halves(x, y, z):
    return x * y + z


@interop
def turned_about(z, w):
    return z * z, w * w.conjugate()


@device.func(interop=True, portable_math=True)
def mathematics(x, y):
    return math.sin(x) + math.cos(y), math.exp(x), math.log(abs(y) + 1), math.atan2(y, x), math.sqrt(abs(y)), math.floor(y)


@interop
def bits(a, b):
    return a ^ b, a & b, ~a, b << (a & 31), b >> (a & 31)


@interop
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@interop
def flagged(flag, x):
    return not flag if x > 3 else flag


@interop
def shortened(x, y):
    return device.int16(x * y)


@interop
def eights(a, b):
    return b, a


@interop
def nothing(x, none):
    x[0] += 1


F32, F64, I8, U8, I32, I64 = device.float32, device.float64, device.int8, device.uint8, device.int32, device.int64
ALL = "each(r, out);"
MADE = {
    moved: ((Body, device.float32x3, float), "auto r = moved({float(in[0]), {float(in[1]), float(in[2]), float(in[3])}, (signed char)in[4]}, "
            "{float(in[5]), float(in[6]), float(in[7])}, 0.5f); out[0] = r.mass, out[1] = r.pos.x, out[2] = r.pos.y, out[3] = r.pos.z, out[4] = r.n;"),
    scaled: ((device.float32x4, device.float16x2, device.bfloat16),
             "auto r = scaled({float(in[0]), float(in[1]), 3, 4}, from<decltype(second(scaled))>(0x3c003c00u), from<decltype(third(scaled))>((unsigned short)0x4040)); "
             "out[0] = r.m0.x, out[1] = r.m0.y, out[2] = r.m0.w, out[3] = from<unsigned>(r.m1);"),
    longs: ((device.int64x4, device.int64), "auto r = longs({1ll << 40, -3, (long long)in[1], 7}, (long long)in[0]); out[0] = r.x, out[1] = r.y, out[2] = r.z, out[3] = r.w;"),
    mixed: ((I32, I64, U8), "auto r = mixed(-int(in[0]), -(long long)in[3], (unsigned char)in[7]); " + ALL),
    small: ((I8, device.uint16, bool), "auto r = small((signed char)-in[5], (unsigned short)60000, in[0] > 0); " + ALL),
    turned: ((F64[:, :], int), "double data[6] = {in[0], in[1], in[2], in[3], in[4], in[5]}; hetjit::interoperable_array_descriptor<double, 2> x; x.data = data, "
             "x.shape[0] = 3, x.shape[1] = 2, x.strides[0] = 2, x.strides[1] = 1; out[0] = turned(x, 1), out[1] = data[1], out[2] = data[0];"),
    root: ((F64,), "out[0] = root(in[3]);"),
    casts: ((F32, F64), "auto r = casts(float(in[7]) * 1e10f, -in[7] * 1e30); each(r, out);"),
    product: ((F32, F32), "out[0] = product(float(in[5]) + 0.1f, float(in[6]) + 0.7f) + 0.3f;"),
    half_product: ((F64, F64), "out[0] = half_product(in[5] + 0.1, in[6] + 0.7) + 0.3;"),
    unfused: ((F32, F32, F32), "out[0] = unfused(float(in[5]) + 0.1f, float(in[6]) + 0.7f, -40.3f);"),
    halves: ((device.float16,) * 3, "auto r = halves(from<decltype(second(halves))>((unsigned short)(0x3e00 + int(in[5]))), from<decltype(second(halves))>((unsigned short)0x3d55), "
             "from<decltype(second(halves))>((unsigned short)0xbe01)); out[0] = from<unsigned short>(r);"),
    brain_halves: ((device.bfloat16,) * 3, "auto r = brain_halves(from<decltype(second(brain_halves))>((unsigned short)(0x3fb0 + int(in[5]))), "
                   "from<decltype(second(brain_halves))>((unsigned short)0x3f99), from<decltype(second(brain_halves))>((unsigned short)0xbfd3)); out[0] = from<unsigned short>(r);"),
    turned_about: ((device.complex64, device.complex128), "auto r = turned_about(from<decltype(first(turned_about))>(from<unsigned long long>(two<float>{float(in[1]), 2})), "
                   "from<decltype(second(turned_about))>(two<double>{in[2], in[3]})); auto a = from<two<float>>(r.m0); auto b = from<two<double>>(r.m1); "
                   "out[0] = a.x, out[1] = a.y, out[2] = b.x, out[3] = b.y;"),
    mathematics: ((F32, F64), "auto r = mathematics(float(in[0]) / 3, -in[3] / 7); each(r, out);"),
    bits: ((device.uint32, device.uint32), "auto r = bits(0xf0f0f011u + (unsigned)in[0], 0x12345678u); each(r, out);"),
    factorial: ((int,), "out[0] = factorial(int(in[6]));"),
    flagged: ((bool, I8), "out[0] = 1 + flagged(in[0] > 1, (signed char)in[3]);"),
    shortened: ((device.int16, device.uint16), "out[0] = shortened((short)-in[3], (unsigned short)65000);"),
    eights: ((device.float8e4m3, device.float8e5m2x4), "auto r = eights(from<decltype(first(eights))>((unsigned char)0x39), from<decltype(second(eights))>(0x3c3d3e3fu)); "
             "out[0] = from<unsigned>(r.m0), out[1] = from<unsigned char>(r.m1);"),
    nothing: ((F64[::1], type(None)), "double data[2] = {in[0], in[1]}; hetjit::interoperable_array_descriptor<double, 1> x; x.data = data, x.shape[0] = 2, x.strides[0] = 1; "
              "nothing(x, nullptr); out[0] = data[0], out[1] = data[1];"),
}
NUMBERS = [1.25, 2.5, 3.0, 41.0, 5.0, 6.0, 7.0, 8.0]
HELPERS = r"""
template <class T> struct two { T x, y; };
template <class To, class From> HD To from(const From& bits) { static_assert(sizeof(To) == sizeof(From)); To made; __builtin_memcpy((void*)&made, &bits, sizeof made); return made; }
template <class R, class A, class... P> A first(R (*)(A, P...));
template <class R, class A, class B, class... P> B second(R (*)(A, B, P...));
template <class R, class A, class B, class C, class... P> C third(R (*)(A, B, C, P...));
template <class R> HD void each(const R& r, double* out) {
  out[0] = double(r.m0), out[1] = double(r.m1);
  if constexpr (requires { r.m2; }) out[2] = double(r.m2);
  if constexpr (requires { r.m3; }) out[3] = double(r.m3);
  if constexpr (requires { r.m4; }) out[4] = double(r.m4);
  if constexpr (requires { r.m5; }) out[5] = double(r.m5);
  if constexpr (requires { r.m6; }) out[6] = double(r.m6);
}
"""


def source():
    includes = [f'#include "{function.__name__}.hpp"' for function in MADE]
    uses = [f"HD inline void use_{function.__name__}(const double* in, double* out) {{ {body} }}\nENTRY(use_{function.__name__}, {function.__name__})"
            for function, (_, body) in MADE.items()]
    return "\n".join([*includes, """
#ifdef __CUDACC__
#define HD __host__ __device__
#define ENTRY(use, name) extern "C" __global__ void run_##name(const double* in, double* out) { use(in, out); }
#else
#define HD
#define ENTRY(use, name) extern "C" void run_##name(const double* in, double* out) { use(in, out); }
#endif
""", HELPERS, *uses])


def exported(target, kind, folder):
    return [function.compile(types, target=target, kind=kind).write(folder) for function, (types, _) in MADE.items()]


@pytest.fixture(scope="module")
def caller(linker, tmp_path_factory):
    """C++ for sm_100, which later GPUs take, too."""
    folder = tmp_path_factory.mktemp("caller")
    exported("cuda:sm_100", "ltoir", folder)
    (folder / "caller.cu").write_text(source())
    run(toolchain.find("nvcc"), "-std=c++20", "-w", "-ltoir", "-dlto", "-dc", "-arch=sm_100", "-fmad=false", "-I", folder, "-o", folder / "caller.ltoir", folder / "caller.cu")
    return folder / "caller.ltoir"


@pytest.fixture(scope="module", params=ARCHITECTURES)
def built(request, linker, caller, tmp_path_factory):
    """(architecture, files to link, PTX of all)."""
    files = [caller, *exported(f"cuda:{request.param}", "ltoir", tmp_path_factory.mktemp(request.param))]
    return request.param, files, linked(linker, request.param, files, PTX)


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """The same C++ on the host, as a function of its name."""
    folder = tmp_path_factory.mktemp("host")
    objects = exported("cpu:x86-64-v2", "object", folder)
    (folder / "caller.cpp").write_text(source())
    run("g++", "-std=c++20", "-O2", "-w", "-ffp-contract=off", "-shared", "-fPIC", "-Wl,-Bsymbolic", "-I", folder, folder / "caller.cpp", *objects, "-o", folder / "caller.so")
    calls = ctypes.CDLL(str(folder / "caller.so"))

    def result(name):
        out = np.zeros(8)
        getattr(calls, f"run_{name}")(*(a.ctypes.data_as(ctypes.c_void_p) for a in (np.array(NUMBERS), out)))
        return out
    return result


def bodies(ptx):
    """Name -> text, of entries and functions."""
    return {found[1]: found[0] for found in re.finditer(r"(?:\.entry|\.func\s*(?:\([^)]*\))?)\s*(\w+)\s*\([^)]*\)[^{;]*\{.*?^\}", ptx, re.M | re.S)}


# What calls itself, and what writes the record; results whose types nvcc makes of other parts than ours; what its linker finds too long.
CALLS = {"factorial", "root", "eights", "mathematics", "turned_about"}


def test_nothing_is_left_of_a_call(built):
    texts = bodies(built[2])
    called = {function.__name__ for function in MADE if re.search(r"\bcall\b", texts[f"run_{function.__name__}"])}
    assert called == CALLS, called


def test_machine_code_of_both_linkers(linker, built, tmp_path):
    """SASS calls none of them."""
    arch, files, _ = built
    printer = toolchain.find("nvdisasm")
    if not printer:
        pytest.skip("nvdisasm is not installed")
    for cubin in (linked(linker, arch, files, CUBIN), by_nvlink(arch, files, tmp_path)):
        (tmp_path / "code.cubin").write_bytes(cubin)
        sass = run(printer, "-c", tmp_path / "code.cubin")
        for function in MADE:
            section = sass.split(f".text.run_{function.__name__}:", 1)[1].split("\n\t.section", 1)[0]
            assert function.__name__ in CALLS or not re.search(r"CALL\S* .*\b(?!\$)(?:" + "|".join(f.__name__ for f in MADE) + r")\b(?!\$)", section)
            assert re.search("EXIT", section)


@pytest.mark.parametrize("function", MADE, ids=lambda function: function.__name__)
def test_bits_of_the_host(function, built, host, tmp_path):
    arch, _, ptx = built
    if arch != "sm_100":
        pytest.skip("no machine runs PTX of sm_120")
    (tmp_path / "all.ptx").write_text(ptx)
    calls = driver.open("emu:sm_100")
    places = [calls.malloc(64).configure(typestr="float64", shape=8) for _ in range(2)]
    calls.memcpy(places[0], np.array(NUMBERS), 64)
    calls.memcpy(places[1], np.zeros(8), 64)
    entry = calls.module_get_function(calls.module_load(tmp_path / "all.ptx"), f"run_{function.__name__}")
    calls.module_launch_kernel(entry, 1, 1, extra=places)
    calls.device_synchronize()
    found = np.zeros(8)
    calls.memcpy(found, places[1], 64)
    assert found.tolist() == host(function.__name__).tolist() and found.any()


# ---- what no such caller shows: threads that work together, kernels, results that stay calls, all of mathematics


@device.kernel(interop=True, launch_bounds=(64, 2))
def together(x, out, n):
    """A block turns its part round, counts and asks."""
    s = device.shared_array(64, device.float32)
    t = device.thread_idx.x
    s[t] = x[t] * 2
    device.syncthreads()
    out[t] = s[63 - t] + device.shfl_xor_sync(0xFFFFFFFF, x[t], 1)
    many = device.syncthreads_count(x[t] > 10)
    some, all_of = device.syncthreads_or(x[t] > 62), device.syncthreads_and(x[t] >= 0)
    device.atomic.add(n, 0, 1)
    device.atomic.max(n, 1, int(x[t]), "acq_rel", "block")
    device.atomic.cas(n, 2, 0, many, "seq_cst", "system")
    device.atomic.nanmax(n, 3, int(x[t]))
    device.atomic.store(n, 4, 2 * int(some) + int(all_of), "release")
    device.threadfence("seq_cst", "device")
    device.syncthreads()
    device.atomic.or_(n, 5, device.atomic.load(n, 0, "acquire", "system"))


class Descriptor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("shape", ctypes.c_uint64), ("strides", ctypes.c_uint64)]


def test_a_kernel_whose_threads_work_together(linker, tmp_path):
    types = (device.float32[::1], device.float32[::1], device.int32[::1])
    file = together.compile(types, target="cuda:sm_100", kind="ltoir").write(tmp_path)
    ptx = linked(linker, "sm_100", [file], PTX)
    assert ".maxntid" in ptx and ".minnctapersm" in ptx
    assert re.search(r"atom\.acq_rel\.cta\S*\.max|atom\.acq_rel\.cta\S*\.cas", ptx) and re.search(r"fence\.sc\.sys;[^{}]*?atom\.acquire\.sys\S*\.cas", ptx, re.S)
    (tmp_path / "code.ptx").write_text(ptx)
    arrays = [np.arange(64, dtype=np.float32), np.zeros(64, np.float32), np.zeros(6, np.int32)]
    calls = driver.open("emu:sm_100")
    places = [calls.malloc(a.nbytes).configure(typestr=a.dtype.name, shape=a.size) for a in arrays]
    for place, array in zip(places, arrays):
        calls.memcpy(place, array, array.nbytes)
    entry = calls.module_get_function(calls.module_load(tmp_path / "code.ptx"), "together")
    calls.module_launch_kernel(entry, 1, 64, extra=[Descriptor(int(place), a.size, 1) for place, a in zip(places, arrays)])
    calls.device_synchronize()
    for place, array in zip(places[1:], arrays[1:]):
        calls.memcpy(array, place, array.nbytes)
    x = arrays[0]
    assert arrays[1].tolist() == (x[::-1] * 2 + (np.arange(64) ^ 1)).tolist()
    assert arrays[2].tolist() == [64, 63, 53, 63, 3, 64]


def test_a_call_that_stays_one_has_the_alignments_of_both_sides(linker, tmp_path):
    """Of a function that calls itself; nvcc aligns two floats to eight bytes."""
    @interop
    def spun(v, n):
        return v if n < 1 else spun(device.float32x2(v.y, v.x + n), n - 1)

    file = spun.compile((device.float32x2, int), target="cuda:sm_100", kind="ltoir").write(tmp_path)
    ptx = linked(linker, "sm_100", [file], PTX)
    assert re.search(r"\.func\s*\(\.param \.align 8 \.b8 \w+\[8\]\)\s*spun\s*\(\s*\.param \.align 8 \.b8 \w+\[8\],\s*\.param \.b32", ptx), ptx


FUNCTIONS = [name for name in ("sqrt cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p erf erfc gamma lgamma "
                               "floor ceil trunc").split() if hasattr(math, name)]


@pytest.mark.parametrize("options", [{}, {"fastmath": True}], ids=["exact", "fast"])
def test_all_of_mathematics_is_known(linker, options, tmp_path):
    """libNVVM makes a function that nobody has of an intrinsic that it does not know."""
    lines = ["def every(x, y, out):"]
    for number, name in enumerate(FUNCTIONS):
        lines += [f"    out[{2 * number}] = math.{name}(x)", f"    out[{2 * number + 1}] = math.{name}(y)"]
    lines += [f"    out[{2 * len(FUNCTIONS) + number}] = {text}" for number, text in enumerate(
        ("math.atan2(x, x)", "math.atan2(y, y)", "x ** y", "math.hypot(x, x)", "math.fmod(y, x)", "abs(y) % 3.0", "min(x, 2.0)", "max(y, x)", "math.copysign(y, x)"))]
    scope = {"math": math}
    exec("\n".join(lines), scope)
    every = device.func(interop=True, **options)(scope["every"])
    file = every.compile((F32, F64, device.float64[::1]), target="cuda:sm_120", kind="ltoir").write(tmp_path)
    ptx = linked(linker, "sm_120", [file], PTX)
    assert ".visible .func every" in ptx and ".extern" not in ptx and "llvm" not in ptx.split(".visible", 1)[1]


def test_older_gpus_have_none():
    with pytest.raises(device.CompileError, match="LTO-IR is made from sm_100 on: for older GPUs libNVVM reads the IR of LLVM 7"):
        product.compile((F32, F32), target="cuda:sm_90", kind="ltoir")


def test_where_the_compiler_is_missing(tmp_path):
    program = ("from hetjit import device\n@device.func(interop=True)\ndef f(x): return x\n"
               "try: f.compile((int,), target='cuda:sm_100', kind='ltoir')\nexcept device.CompileError as error: print(error)\n")
    (tmp_path / "program.py").write_text(program)
    said = run(sys.executable, tmp_path / "program.py", env={**os.environ, "HETJIT_LIBNVVM": "no/such/file"})
    assert "libNVVM, which cannot be loaded" in said and "no/such/file" in said and "kind='cubin' needs none" in said


def test_the_command_writes_it(linker, tmp_path):
    (tmp_path / "shapes.py").write_text("def twice(x: float) -> float:\n    return 2 * x\n")
    made = run(sys.executable, "-m", "hetjit", "export", f"{tmp_path / 'shapes.py'}:twice", "--target", "cuda:sm_100", "--kind", "ltoir", "-o", tmp_path).strip()
    assert made.endswith("twice.ltoir") and (tmp_path / "twice.hpp").exists()
    assert ".visible .func" in linked(linker, "sm_100", [pathlib.Path(made)], PTX)
