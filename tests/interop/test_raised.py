"""Functions of Python's that raise and print, called by C++: who hears of it on the host, and what is left on GPUs."""

import ctypes
import random
import struct
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")

import raising
from hetjit import device, driver, toolchain
from raising import Body, check, moved, root


SIGNATURES = {root: (device.float64, int), moved: (Body, device.float32x3), check: (int,)}


def run(*command, status=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == status, done.stderr[-4000:] + done.stdout[-2000:]
    return done


def written(folder, target, kind, *functions):
    return [function.compile(SIGNATURES[function], target=target, kind=kind).write(folder) for function in functions]


def built(folder, compiler, source, *objects, options=("-O2",)):
    (folder / "main.cpp").write_text("#include <cstdio>\n" + source)
    run(compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", *options, "-I", folder, folder / "main.cpp", *objects, "-o", folder / "main")
    return folder / "main"


COMPILERS = pytest.mark.parametrize("compiler", ["g++", "clang++-22"])
THROWS = r"""
#include <stdexcept>
#include "check.hpp"
#include "moved.hpp"
#include "root.hpp"
void heard(const hetjit::raised& what) {
  char text[200];
  hetjit::message(what, text, sizeof text);
  throw std::runtime_error(text);
}
struct guard { ~guard() { std::puts("unwound"); } };
template <class Call> void heard_of(Call call) {
  try { guard alive; call(); std::puts("returned"); } catch (const std::runtime_error& e) { std::puts(e.what()); }
}
int main() {
  hetjit_on_raise = heard;
  heard_of([] { root(-2.5, 12); });
  heard_of([] { root(2.5, 7); });
  heard_of([] { moved({0, {1, 2, 3}}, {1, 1, 1}); });
  heard_of([] { check(4); });
  heard_of([] { check(3); });
  std::printf("%g %g\n", root(2.5, 8), moved({2, {1, 2, 3}}, {1, 1, 1}).pos.y);
}
"""


@COMPILERS
def test_a_handler_hears_of_it_and_may_throw(compiler, tmp_path):
    objects = written(tmp_path, "cpu:native", "object", *SIGNATURES)
    for level in ("-O0", "-O2"):
        said = run(built(tmp_path, compiler, THROWS, *objects, options=(level,))).stdout.splitlines()
        assert said == ["unwound", "ValueError: negative -2.5, {n} = 00012", "unwound", "AssertionError:    8 is too many",
                        "unwound", "ZeroDivisionError: no mass", "unwound", "IndexError", "returned", "unwound", "18.5 2.5"]


@COMPILERS
def test_without_a_handler_the_message_is_told_and_the_process_aborted(compiler, tmp_path):
    objects = written(tmp_path, "cpu:native", "object", root)
    told = run(built(tmp_path, compiler, '#include "root.hpp"\nint main() { root(-1, 2); std::puts("not here"); }', *objects), status=-6)
    assert told.stdout == "" and told.stderr.endswith("in root: ValueError: negative -1.0, {n} = 00002\n")
    assert told.stderr.startswith(f"{raising.__file__}:")
    source = '#include "root.hpp"\nint main() { hetjit_on_raise = [](const hetjit::raised&) {}; root(-1, 2); std::puts("not here"); }'
    told = run(built(tmp_path, compiler, source, *objects), status=-6)
    assert "ValueError" in told.stderr and told.stdout == ""


@COMPILERS
def test_a_handler_may_jump_and_call_what_raises(compiler, tmp_path):
    objects = written(tmp_path, "cpu:native", "object", root, check)
    source = r"""
#include <csetjmp>
#include "check.hpp"
#include "root.hpp"
std::jmp_buf back;
int main() {
  hetjit_on_raise = [](const hetjit::raised& first) {
    const hetjit::raised* volatile one = &first;
    std::jmp_buf outer;
    std::memcpy(&outer, &back, sizeof outer);
    if (!setjmp(back)) {
      hetjit_on_raise = [](const hetjit::raised&) { std::longjmp(back, 1); };
      check(9);
    }
    std::printf("%s %s %u %g\n", hetjit::exception_of(*one), hetjit::function_of(*one), one->count, reinterpret_cast<const double&>(one->numbers[0]));
    std::longjmp(outer, 1);
  };
  if (!setjmp(back)) root(-3, 1);
}"""
    assert run(built(tmp_path, compiler, source, *objects, options=("-O1", "-fno-strict-aliasing"))).stdout == "ValueError root 2 -3\n"


def test_code_in_a_shared_library_has_the_same_handler(tmp_path):
    objects = written(tmp_path, "cpu:native", "object", root, check)
    run("g++", "-shared", objects[0], "-o", tmp_path / "libroot.so")
    source = THROWS.replace('#include "moved.hpp"\n', "").replace("  heard_of([] { moved({0, {1, 2, 3}}, {1, 1, 1}); });\n", "")
    source = source.replace(", moved({2, {1, 2, 3}}, {1, 1, 1}).pos.y", ", 1.0")
    main = built(tmp_path, "g++", source, objects[1], "-L", tmp_path, "-lroot", f"-Wl,-rpath,{tmp_path}")
    assert run(main).stdout.splitlines()[1:6:2] == ["ValueError: negative -2.5, {n} = 00012", "AssertionError:    8 is too many", "IndexError"]


# ---- texts

SPECIFICATIONS = {
    "int": ["", "d", "5", "<7", "^9", "+", " ", "08", "x", "#x", "X", "#b", "o", ",", "_x", "*>12", "=+9", ".2f", "e", "%"],
    "float": ["", ".3f", "12.4e", "+.2g", "g", "%", ".1%", "<14", "^+14.3f", "014.2f", ",.2f", "_.1f", ".4", "E", "#.3g"],
}
TYPES = {"int8": "int", "int16": "int", "int32": "int", "int64": "int", "uint8": "int", "uint16": "int", "uint32": "int", "uint64": "int",
         "float16": "float", "bfloat16": "float", "float32": "float", "float64": "float", "float8e4m3": "", "float8e5m2": "", "bool": "",
         "complex64": "", "complex128": ""}


def specifications(name):
    return SPECIFICATIONS.get(TYPES[name], [""])


def numbers(name):
    """Bytes of numbers of a type: troublesome ones, and any."""
    size, draw = device.abi(getattr(device, name, bool)).size, random.Random(name)
    if name == "bool":
        return [b"\0", b"\1"]
    plain = [0.0, -0.0, 1.0, 0.1, 1e16, 1e-5, 123456.0, 16777216.0, float("inf"), float("nan"), -2.5]
    part = {"float64": "d", "float32": "f", "float16": "e", "complex64": "f", "complex128": "d"}.get(name)
    found = [draw.randbytes(size) for _ in range(8)] + [bytes(size), b"\xff" * size, bytes(size - 1) + b"\x80", b"\1" + bytes(size - 1)]
    for x in plain if part else ():
        one = struct.pack(part, x if part != "e" or abs(x) < 6e4 else 1.5)
        found.append(one * (size // len(one)))
    return found


def test_numbers_are_printed_as_python_prints_them(tmp_path):
    """The same functions in a launch, whose texts Python makes, and in C++."""
    expected, objects, source, body = "", [], "#include <cstring>\n", ""
    for name in TYPES:
        text = "|".join(f"{{x:{spec}}}" if spec else "{x}" for spec in specifications(name)) + "|{x!s:>30}"
        scope = {}
        exec(f"def show_{name}(x):\n    print(f'{name} {text}', x, end=';')\n", scope)
        type_, show, given = getattr(device, name, bool), scope[f"show_{name}"], numbers(name)
        objects.append(device.func(interop=True)(show).compile((type_,)).write(tmp_path))
        source += f'#include "show_{name}.hpp"\n'
        for one in given:
            body += f'  {{ {"bool" if name == "bool" else "hetjit::" + name} x; const unsigned char b[] = {{{", ".join(map(str, one))}}}; ' \
                    f"std::memcpy((void*)&x, b, sizeof b); show_{name}(x); }}\n"
        expected += _said(show, np.frombuffer(b"".join(given), device.numpy_dtype(type_)))
    printed = run(built(tmp_path, "g++", source + "int main() {\n" + body + "}\n", *objects, options=("-O0",))).stdout
    assert printed.split(";") == expected.split(";")


def _said(show, values):
    import contextlib
    import io
    shown = device.func(show)

    def k(values):
        for i in range(values.shape[0]):
            shown(values[i])

    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        device.kernel(k)[1, 1](values.copy())
        device.synchronize("cpu")
    return said.getvalue()


# ---- GPUs

BITCODE = {
    "emu:sm_90": ("cuda:sm_90", ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-D__CUDACC__", "-DHETJIT_INTEROP_LEAN"]),
    "emu:gfx942": ("hip:gfx942", ["-x", "hip", "--offload-device-only", "--offload-arch=gfx942"]),
}
READ = """
#include "hetjit/raised.hpp"
extern "C" __attribute__((device)) void read(unsigned char* to) {
  for (unsigned i = 0; i < sizeof hetjit_raised; ++i) to[i] = reinterpret_cast<const unsigned char*>(&hetjit_raised)[i];
}
"""


class Record(ctypes.Structure):
    _fields_ = [("claimed", ctypes.c_uint64), ("block", ctypes.c_uint32 * 3), ("thread", ctypes.c_uint32 * 3), ("line", ctypes.c_uint32),
                ("count", ctypes.c_uint32), ("numbers", ctypes.c_uint64 * 64), ("text", ctypes.c_char * 1024)]


@pytest.mark.always
@pytest.mark.parametrize("where", BITCODE)
def test_on_a_gpu_the_first_leaves_a_record_and_its_thread_ends(where, tmp_path):
    target, options = BITCODE[where]
    files = written(tmp_path, target, "bitcode", root, check)
    (tmp_path / "read.cpp").write_text(READ)
    run("clang++-22", "-std=c++20", "-O1", "-w", "-nogpulib", "-nogpuinc", "-fgpu-rdc", *options, "-emit-llvm", "-c", "-I", tmp_path,
        tmp_path / "read.cpp", "-o", tmp_path / "read.bc")
    files.append(tmp_path / "read.bc")
    scope = {"root": device.extern("root", (device.float64, int), returns=device.float64, link=files),
             "read": device.extern("read", ("unsigned char*",), link=files), "check": device.extern("check", (int,), link=files), "device": device}
    exec("""
def k(reads, out, record):
    i = device.tid(1)
    if reads:
        if i == 0:
            read(record)
    elif i < out.shape[0]:
        check(0)
        out[i] = root(device.float64(2 - i // 64), 1)
""", scope)
    kernel = device.kernel(scope["k"])
    there = [device.array(a, where) for a in (np.zeros(256), np.zeros(ctypes.sizeof(Record), np.uint8))]
    for reads in (False, True):
        kernel[4, 64](reads, *there)
    out, record = (device.to_numpy(a) for a in there)
    assert (out[:128] == 4 - np.arange(128) // 64).all() and (out[128:192] == 2).all() and (out[192:] == 0).all()
    record = Record.from_buffer_copy(record.tobytes())
    assert record.claimed == 1 and list(record.block) == [3, 0, 0] and record.thread[0] < 64 and record.count == 2
    assert struct.pack("<Q", record.numbers[0]) == struct.pack("<d", -1.0) and record.numbers[1] == 1
    exception, function, file, text = bytes(record)[-1024:].rstrip(b"\0").split(b"\0")
    assert (exception, function, text) == (b"ValueError", b"root", b"negative {float64}, {{n}} = {int32:05d}") and file.decode() == raising.__file__


class Line(ctypes.Structure):
    _fields_ = [("data", ctypes.c_uint64), ("shape", ctypes.c_uint64), ("strides", ctypes.c_uint64)]


def test_a_kernel_leaves_a_record_and_its_thread_ends(tmp_path):
    file = raising.doubled.compile((device.float32[:],), target="cuda:sm_90", kind="ptx").write(tmp_path)
    calls = driver.open("emu:sm_90")
    rows = calls.malloc(32)
    calls.memcpy(rows, np.array([1, 2, -3, 4, 5, 6, 7, 8], np.float32), 32)
    module = calls.module_load(file)
    calls.module_launch_kernel(calls.module_get_function(module, "doubled"), 1, 32, extra=[Line(int(rows), 8, 1)])
    calls.device_synchronize()
    found, record = np.zeros(8, np.float32), Record()
    calls.memcpy(found, rows, 32)
    assert found.tolist() == [2, 4, -3, 8, 10, 12, 14, 16]
    calls.memcpy_dtoh(record, calls.module_get_global(module, "hetjit_raised"), ctypes.sizeof(record))
    assert record.claimed == 1 and list(record.thread) == [2, 0, 0] and bytes(record)[-1024:].startswith(b"ValueError\0doubled\0")
    calls.free(rows)


def test_kernels_that_raise_are_linked_together(tmp_path):
    nvcc, nvlink = toolchain.find("nvcc"), toolchain.find("nvlink")
    if not nvcc or not nvlink:
        pytest.skip("nvcc and nvlink are not installed")
    cubins = [kernel.compile((device.float32[:],), target="cuda:sm_90", kind="cubin").write(tmp_path) for kernel in (raising.doubled, raising.begins)]
    (tmp_path / "main.cu").write_text('#include "begins.hpp"\n#include "doubled.hpp"\n'
                                      "__device__ unsigned long long heard() { return hetjit_raised.claimed; }\n")
    run(nvcc, "-std=c++20", "-rdc=true", "-arch=sm_90", "-cubin", "-I", tmp_path, tmp_path / "main.cu", "-o", tmp_path / "main.cubin")
    run(nvlink, "--arch=sm_90", tmp_path / "main.cubin", *cubins, "-o", tmp_path / "linked.cubin")


CUDA = r"""
#include <cstdio>
#include "check.hpp"
#include "root.hpp"
__global__ void on_gpu(double* out) { out[threadIdx.x] = root(1.0 - threadIdx.x, 2); check(threadIdx.x); }
int main() {
  double* out = nullptr;
  cudaMalloc(&out, 64);
  on_gpu<<<1, 8>>>(out);
  hetjit::raised what{};
  cudaMemcpyFromSymbol(&what, hetjit_raised, sizeof what);
  char text[300];
  hetjit::message(what, text, sizeof text);
  std::puts(what.claimed ? text : "no GPU");
  hetjit_on_raise = [](const hetjit::raised&) { std::puts("host"); std::exit(0); };
  root(-1, 2);
}
"""


def test_programs_of_nvcc_link_it_and_read_the_record(tmp_path):
    nvcc = toolchain.find("nvcc")
    if not nvcc:
        pytest.skip("nvcc is not installed")
    cubins, objects = (written(tmp_path, target, kind, root, check) for target, kind in (("cuda:sm_90", "cubin"), ("cpu:native", "object")))
    (tmp_path / "main.cu").write_text(CUDA)
    for source in (tmp_path / "main.cu", *cubins):
        run(nvcc, "-std=c++20", "-rdc=true", "-arch=sm_90", "-I", tmp_path, "-c", source, "-o", f"{source}.o")
        objects.append(f"{source}.o")
    run(nvcc, "-arch=sm_90", *objects, "-o", tmp_path / "main")
    assert run(tmp_path / "main").stdout.splitlines()[-1] == "host"
