"""What compilers of both sides silently disagree on unless somebody knows: each is looked for in the code that C++ would link. What becomes of the tests when
the compiler walks into them is in docs/testing.md."""

import re
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")

from calls import launched
from hetjit import device, toolchain

pytestmark = pytest.mark.always


# ---- how functions are called


def words(text):
    return re.sub(r"(?<=\() | (?=[),])", "", re.sub(r"\s+", " ", text)).strip()


def of_ptx(text, name):
    """(result, parameters) of a function in PTX, without names."""
    result, parameters = re.search(rf"\.func\s*(\([^)]*\))?\s*{name}\s*(\([^)]*\))", text).groups()
    return tuple(words(re.sub(r" \w+(?=\[|,|\s*\))", "", part or "()")) for part in (result, parameters))


def of_llvm(text, name):
    """(result, parameters) of a function in LLVM's IR, without what is no part of a convention; structs as their members."""
    structs = dict(re.findall(r'^(%[\w.:]+|%".*?") = type (.*)$', text, re.M))

    def spelled(part):
        found = re.search(r'%"[^"]*"|%(struct|class)[\w.:]*', part)
        return spelled(part.replace(found[0], structs[found[0]])) if found else re.sub(r" ?[{}] ?", "", part)

    result, parameters = re.search(rf"^define (.*?)@{name}\((.*?)\)[^)]*\{{$", text, re.M).groups()
    plain = r" ?%\d+|\b(dso_local|hidden|local_unnamed_addr|noundef|nonnull|readonly|writeonly|nofpclass\(\w+\)|dereferenceable\(\d+\)|" \
            r"noalias|nocapture|writable|dead_on_\w+|readnone|returned|captures\(none\)|initializes\(\(\d+, \d+\)\)|range\([^)]*\)) ?"
    return tuple(words(re.sub(plain, "", spelled(part))) for part in (result, parameters))


def prototype(types, target, back=0):
    """(result, parameters) of the function that gives back one of its parameters: of PTX without names, of LLVM's IR without attributes of no matter."""
    names = ", ".join(f"p{i}" for i in range(len(types)))
    scope = {}
    exec(f"def give({names}):\n    return p{back}\n", scope)
    function = device.func(interop=True)(scope["give"])
    cuda = target.startswith("cuda")
    text = function.compile(tuple(types), target=target, kind="ptx" if cuda else "llvm").code.decode()
    return of_ptx(text, "give") if cuda else of_llvm(text, "give")


def test_a_result_is_aligned_as_the_type_not_as_its_numbers():
    """LLVM aligns the slot of {float, float} to 4, nvcc to 8, and nvlink links both without a word."""
    assert prototype([device.float32x2], "cuda:sm_90") == ("(.param .align 8 .b8[8])", "(.param .align 8 .b8[8])")
    assert prototype([device.complex64], "cuda:sm_90")[0] == "(.param .align 8 .b8[8])"
    assert prototype([device.float64x4], "cuda:sm_90")[0] == "(.param .align 16 .b8[32])"


def test_three_numbers_are_packed_and_aligned_as_one():
    assert prototype([device.float32x3], "cuda:sm_90") == ("(.param .align 4 .b8[12])", "(.param .align 4 .b8[12])")
    assert prototype([device.uint8x3], "cuda:sm_90")[1] == "(.param .align 1 .b8[3])"
    assert [device.abi(tuple[device.float32x3, float]).size, device.abi(tuple[device.uint8x3, device.int16]).fields[1][1]] == [16, 4]


def test_four_numbers_of_64_bits_are_aligned_to_16():
    for four in (device.float64x4, device.int64x4, device.uint64x4):
        assert (device.abi(four).size, device.abi(four).align) == (32, 16)
        assert device.abi(tuple[four, bool]).size == 48
    assert prototype([device.float64x4], "cuda:sm_90")[1] == "(.param .align 16 .b8[32])"


def test_pairs_with_copy_constructors_go_by_address():
    for pair in (device.float16x2, device.bfloat16x2):
        assert prototype([pair], "cuda:sm_90") == ("()", "(.param .b64, .param .b64)")
        assert re.match(r"ptr .*sret\(.*\) align 4, ptr$", prototype([pair], "cpu:x86-64-v2")[1])
        assert re.match(r"ptr addrspace\(5\) .*sret\(.*\) align 4, ptr addrspace\(5\)$", prototype([pair], "hip:gfx942")[1])


def test_small_floats_are_classes_not_numbers_of_llvms():
    for small, size in ((device.float16, 2), (device.bfloat16, 2), (device.float8e4m3, 1), (device.float8e5m2, 1)):
        assert prototype([small], "cuda:sm_90") == (f"(.param .align {size} .b8[{size}])",) * 2
        assert prototype([small], "cpu:x86-64-v2") == prototype([small], "hip:gfx942") == (f"i{8 * size}",) * 2


def test_small_integers_say_how_they_are_extended():
    for target in ("cpu:x86-64-v2", "hip:gfx942"):
        assert prototype([device.int8, device.uint16, bool], target) == ("signext i8", "i8 signext, i16 zeroext, i1 zeroext")
    assert prototype([bool, device.int8], "cuda:sm_90") == ("(.param .b32)", "(.param .b32, .param .b32)")


def test_upper_bits_of_a_bool_are_nobodys():
    """A caller need not clear them, nor who returns one: test_upper_bits.py runs such."""
    @device.func(interop=True)
    def picked(flag, a, b):
        return a if flag else b

    ptx = picked.compile((bool, device.int32, device.int32), target="cuda:sm_90", kind="ptx").code.decode()
    assert re.search(r"ld\.param\.b8\s|and\.b(16|32)\s.*, 1;", ptx)


def test_eightbytes_travel_in_registers_of_their_class():
    registers = {"float32x2": "<2 x float>", "float32x3": "<2 x float>, float", "float32x4": "<2 x float>, <2 x float>", "int32x3": "i64, i32",
                 "int32x2": "i64", "int32x4": "i64, i64", "int16x3": "i48", "int16x4": "i64", "uint8x3": "i24", "float16x3": "i48", "bfloat16x4": "i64",
                 "float8e4m3x3": "i24", "complex64": "<2 x float>", "complex128": "double, double", "float64x2": "double, double"}
    for name, there in registers.items():
        assert prototype([getattr(device, name)], "cpu:x86-64-v2")[1] == there, name


def test_more_than_two_eightbytes_travel_in_memory():
    for three in (device.float64x3, device.int64x3, device.int64x4, device.float64x4):
        result, parameters = prototype([three], "cpu:x86-64-v2")
        assert result == "void" and re.match(r"ptr sret\(.*\) align (8|16), ptr byval\(.*\) align \1$", parameters)
    for array in (device.float32[:], device.float32[:, :]):
        assert "byval" in prototype([array, device.int32], "cpu:x86-64-v2", back=1)[1]


def test_a_descriptor_is_plain_bytes():
    assert prototype([device.float32[:, :], int], "cuda:sm_90", back=1)[1] == "(.param .align 8 .b8[40], .param .b32)"
    assert prototype([device.float32[:, :], int], "hip:gfx942", back=1)[1] == "ptr, [2 x i64], [2 x i64], i32"


@device.struct
class Nothing:
    pass


def test_a_struct_of_nothing_is_a_byte_that_the_host_does_not_pass():
    assert (device.abi(Nothing).size, device.abi(tuple[()]).size, device.abi(tuple[Nothing, device.int8]).size) == (1, 1, 2)
    for nothing in (Nothing, tuple[()]):
        assert prototype([nothing, int], "cpu:x86-64-v2", back=1) == ("i32", "i32")
        assert prototype([nothing, int], "hip:gfx942", back=1) == ("i32", "i32")
        assert prototype([nothing, int], "cuda:sm_90") == ("(.param .align 1 .b8[1])", "(.param .align 1 .b8[1], .param .b32)")


def test_none_is_a_pointer():
    assert prototype([None, int], "cpu:x86-64-v2", back=1)[1] == "ptr, i32"
    assert prototype([None, int], "cuda:sm_90", back=1)[1] == "(.param .b64, .param .b32)"
    assert device.abi(tuple[None, int]).size == 16


# ---- the same of C++ that knows nothing of hetjit


@device.struct
class Mixed:
    a: bool
    b: device.float64
    c: device.int16


@device.struct(align=16)
class Line:
    a: float
    b: float


@device.struct
class Apart:
    a: device.align(int, 16)
    b: int


# What C++ names a type -> ours.
NAMES = {
    "bool": bool, "signed char": device.int8, "unsigned short": device.uint16, "int": device.int32, "double": device.float64,
    "__half": device.float16, "__nv_bfloat16": device.bfloat16, "__nv_fp8_e4m3": device.float8e4m3, "__nv_fp8_e5m2": device.float8e5m2,
    "__half2": device.float16x2, "__nv_bfloat162": device.bfloat16x2, "__nv_fp8x2_e4m3": device.float8e4m3x2, "__nv_fp8x4_e5m2": device.float8e5m2x4,
    "complex64": device.complex64, "complex128": device.complex128, "char1": device.int8x1, "uchar3": device.uint8x3, "char4": device.int8x4,
    "short3": device.int16x3, "ushort4": device.uint16x4, "int2": device.int32x2, "int3": device.int32x3, "longlong2": device.int64x2,
    "longlong3": device.int64x3, "float1": device.float32x1, "float2": device.float32x2, "float3": device.float32x3, "float4": device.float32x4,
    "double2": device.float64x2, "double4": device.float64x4, "point": tuple[int, int, int], "mixed": Mixed, "line": Line, "apart": Apart,
    "pairs": tuple[device.complex64, bool], "array<0>": device.float32[()], "array<1>": device.float32[:], "array<2>": device.float32[:, :],
    "nothing": Nothing,
}

CUDAS = """
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda/std/complex>
#define HERE __device__
using complex64 = cuda::std::complex<float>;
using complex128 = cuda::std::complex<double>;
"""

# The same types, by hand.
PLAIN = """
#if defined(__HIP__)
#define HERE __attribute__((device))
#else
#define HERE
#endif
#define VECTORS(name, type, two, four) struct name##1 { type x; }; struct alignas(two) name##2 { type x, y; }; \\
  struct name##3 { type x, y, z; }; struct alignas(four) name##4 { type x, y, z, w; };
VECTORS(char, signed char, 2, 4) VECTORS(uchar, unsigned char, 2, 4) VECTORS(short, short, 4, 8) VECTORS(ushort, unsigned short, 4, 8)
VECTORS(int, int, 8, 16) VECTORS(longlong, long long, 16, 16) VECTORS(float, float, 8, 16) VECTORS(double, double, 16, 16)
struct __half { unsigned short bits; };
struct __nv_bfloat16 { unsigned short bits; };
struct __nv_fp8_e4m3 { unsigned char bits; };
struct __nv_fp8_e5m2 { unsigned char bits; };
struct __nv_fp8x2_e4m3 { unsigned short bits; };
struct __nv_fp8x4_e5m2 { unsigned bits; };
struct alignas(4) __half2 { __half x, y; __half2(); HERE __half2(const __half2& other) : x(other.x), y(other.y) {} };
struct alignas(4) __nv_bfloat162 { __half x, y; __nv_bfloat162(); HERE __nv_bfloat162(const __nv_bfloat162& other) : x(other.x), y(other.y) {} };
struct alignas(8) complex64 { float re, im; };
struct alignas(16) complex128 { double re, im; };
"""

OWN = """
struct point { int x, y, z; };
struct mixed { bool a; double b; short c; };
struct alignas(16) line { float a, b; };
struct apart { alignas(16) int a; int b; };
struct pairs { complex64 a; bool b; };
template <int rank> struct array { float* data; unsigned long long shape[rank], strides[rank]; };
template <> struct array<0> { float* data; };
struct nothing {};
"""

COMPILERS = {
    "cpu:x86-64-v2": ["clang++-22", "-x", "c++", "-march=x86-64-v2", "-S", "-emit-llvm"],
    "hip:gfx942": ["clang++-22", "-x", "hip", "--offload-arch=gfx942", "--offload-device-only", "-nogpulib", "-nogpuinc", "-fgpu-rdc", "-S", "-emit-llvm"],
    "cuda:sm_90": [toolchain.find("nvcc"), "-x", "cu", "-rdc=true", "-arch=sm_90", "-ptx"],
}


def is_array(name):
    return name.startswith("array")


@pytest.mark.parametrize("target", COMPILERS)
def test_each_type_goes_as_cxx_of_others_has_it(target, tmp_path):
    if not COMPILERS[target][0]:
        pytest.skip("nvcc is not installed")
    lines = [CUDAS if target.startswith("cuda") else PLAIN, OWN]
    for number, name in enumerate(NAMES):
        result, back = ("int", "p1") if is_array(name) else (name, "p0")
        lines.append(f'extern "C" HERE {result} give{number}({name} p0, int p1) {{ return {back}; }}')
    (tmp_path / "theirs.cpp").write_text("\n".join(lines))
    command = [*COMPILERS[target], "-std=c++20", "-O1", "-w", tmp_path / "theirs.cpp", "-o", tmp_path / "theirs"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "theirs").read_text()
    read = of_ptx if target.startswith("cuda") else of_llvm
    theirs = {name: read(text, f"give{number}") for number, name in enumerate(NAMES)}
    ours = {name: prototype([NAMES[name], int], target, back=1 if is_array(name) else 0) for name in theirs}
    assert ours == theirs


def test_nvcc_has_nothing_to_say_of_the_header(tmp_path):
    """double4 has other names since CUDA 13, and warns."""
    nvcc = toolchain.find("nvcc") or pytest.skip("nvcc is not installed")
    make = device.func(interop=True)(lambda x: x)
    make.compile((device.float64x4,), target="cpu:x86-64-v2", kind="object").write(tmp_path)
    (tmp_path / "one.cu").write_text('#include "hetjit/interop.hpp"\n__device__ hetjit::float64x4 give(hetjit::float64x4 x) { return x; }\n')
    done = subprocess.run([nvcc, "-std=c++20", "-arch=sm_90", "-Werror", "all-warnings", "-c", "-I", tmp_path, "-o", tmp_path / "one.o",
                           tmp_path / "one.cu"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


# ---- what lies in memory


def test_lanes_lie_in_order(where):
    def k(pair, four):
        pair[0] = device.float16x2(1, 2)
        four[0] = device.float8e4m3x4(1, 2, 3, 4)

    pair, four = launched(k, where, *(np.zeros(1, device.numpy_dtype(t)) for t in (device.float16x2, device.float8e4m3x4)))
    assert (pair.tobytes().hex(), four.tobytes().hex()) == ("003c0040", "38404448")


def test_a_descriptor_is_an_address_then_extents_then_strides(where):
    lib = device.cxx("template <class Array> long long word(const Array& a, int i) { return ((const long long*)&a)[i]; }")

    def k(a, out):
        for i in range(4):
            out[i] = lib.word(a[::2, :3], i + 1)

    assert launched(k, where, np.zeros((6, 5), np.int32), np.zeros(4, np.int64))[1].tolist() == [3, 3, 10, 1]


def test_a_tuple_is_a_struct_in_its_order():
    """That of libstdc++'s tuples is the other way round."""
    def offsets(*parts):
        return [device.abi(tuple[parts]).size, device.abi(tuple[parts]).align, *(field[1] for field in device.abi(tuple[parts]).fields)]

    assert offsets(bool, int, float) == [12, 4, 0, 4, 8]
    assert offsets(None, int) == [16, 8, 0, 8]
    assert offsets(tuple[bool, int, float], bool) == [16, 4, 0, 12]
    assert offsets(complex, bool) == [16, 8, 0, 8]
    assert offsets(device.float64x4, bool) == [48, 16, 0, 32]
    assert offsets(device.float8e4m3, device.float16, device.float8e5m2, device.bfloat16) == [8, 2, 0, 2, 4, 6]
    assert offsets(Line, bool) == [32, 16, 0, 16]


def test_an_alignment_moves_what_comes_behind_it():
    def places(type_):
        return [device.abi(type_).size, device.abi(type_).align, *(field[1] for field in device.abi(type_).fields)]

    assert places(Apart) == [16, 16, 0, 4]
    assert places(tuple[device.int8, device.align(device.int8, 8), device.int8]) == [16, 8, 0, 8, 9]
    assert places(tuple[device.align(Line, 32), bool]) == [32, 32, 0, 16]


def test_atomics_of_small_numbers_take_four_bytes():
    assert [(device.abi(device.Atomic(t)).size, device.abi(device.Atomic(t)).align) for t in (bool, device.int8, device.float16, int, device.float64)] == [
        (4, 4), (4, 4), (4, 4), (4, 4), (8, 8)]


def test_tuples_of_cxx_libraries_are_taken_if_they_lie_so():
    numbers = np.array([7], np.int32), np.array([1.5], np.float32), np.zeros(2, np.float32)

    def called(name):
        lib = device.cxx(f"#include <array>\n#include <tuple>\ninline float a({name} t) {{ return std::get<0>(t); }}\n"
                         f"inline float b({name} t) {{ return std::get<1>(t); }}", types={tuple[int, float]: name})

        def k(n, x, out):
            out[0], out[1] = lib.a((n[0], x[0])), lib.b((n[0], x[0]))

        return launched(k, "cpu", *numbers)[2].tolist()

    assert called("std::pair<int, float>") == [7, 1.5]
    with pytest.raises(device.CompileError, match=r"item 0 of 'std::tuple<int, float>' lies elsewhere than in tuple"):
        called("std::tuple<int, float>")


@device.struct
class Measured:
    count: int
    value: float
    sign: device.int8


@pytest.mark.parametrize("target", ["cpu:x86-64-v3", "cuda:sm_90", "amdgcn:gfx942"])
@pytest.mark.parametrize("members, said", [
    ("int count; float value; signed char sign;", ""), ("float count; float value; signed char sign;", "count"),
    ("unsigned count; float value; signed char sign;", "count"), ("int count, value; signed char sign;", "value"),
    ("int count; float value; unsigned char sign;", "sign"), ("int count; float value; bool sign;", "sign"), ("int count; float value; char sign;", ""),
    ("enum kind : int { one } count; float value; signed char sign;", ""), ("const int count; float value; signed char sign;", ""),
    ("int count; float value[1]; signed char sign;", ""), ("struct { int inner; } count; float value; signed char sign;", "")])
def test_fields_of_equal_size_are_not_each_others(members, said, target):
    lib = device.cxx(f"struct measured {{ {members} }};\ninline int f(const measured&) {{ return 1; }}", types={Measured: "struct measured"})

    def k(m):
        return lib.f(m)

    if not said:
        device.emit(k, (Measured,), target=target)
        return
    with pytest.raises(device.CompileError, match=f"field '{said}' of 'struct measured' is another number than in Measured"):
        device.emit(k, (Measured,), target=target)


@pytest.mark.parametrize("target", ["cpu:x86-64-v3", "cuda:sm_90"])
@pytest.mark.parametrize("members, said", [
    ("int n; float x;", ""), ("float x; int n;", "item 0 of tuple"), ("unsigned n; float x;", "item 0 of tuple"), ("int n, x;", "item 1 of tuple"),
    ("named(); int n; float x;", ""), ("named(); float n; int x;", "item 0 of tuple"), ("private: float n; int x;", ""), ("int both[2];", ""),
    ("enum kind : int { one } n; float x;", "")])
def test_members_of_equal_size_are_not_each_others(members, said, target):
    """Of members that C++ takes apart: nobody sees private ones."""
    lib = device.cxx(f"struct named {{ {members} }};\ninline int f(named) {{ return 1; }}", types={tuple[int, float]: "named"})

    def k(n, x):
        return lib.f((n, x))

    if not said:
        device.emit(k, "(int32, float32)", target=target)
        return
    with pytest.raises(device.CompileError, match=said + r"\[int32, float32\] is not the member of 'named' in its place"):
        device.emit(k, "(int32, float32)", target=target)


def test_memory_of_a_value_is_aligned_as_the_value_not_as_its_numbers():
    """LLVM would align {float, float} to 4, and a list of bytes to 1."""
    lib = device.cxx("template <class Four> float second(const Four& x) { return x.y; }")

    @device.kernel
    def k(x, z, out):
        own, shared = device.local_array(2, device.float32x4), device.shared_array(3, device.complex64)
        i = device.thread_idx.x
        own[i], shared[i] = x[i], z[i]
        device.syncthreads()
        out[i] = own[1 - i].x + shared[1 - i].real + lib.second(x[i])

    types = (device.float32x4[::1], device.complex64[::1], device.float32[::1])
    for target in ("cuda:sm_90", "hip:gfx942"):
        text = device.emit(k, types, target=target, kind="llvm")
        assert re.search(r"%local = alloca \[32 x i8\], align 16", text)
        assert re.search(r"%passed\d* = alloca \[16 x i8\], align 16", text)
        assert re.search(r"addrspace\(3\) global \[24 x i8\] poison, align 8", text)
        assert re.findall(r"load float, ptr %.*, align (\d+)", text)[:6] == ["16", "4", "8", "4", "8", "4"]


# ---- parameters of kernels

BLOCK = (bool, device.int8, device.float32x3, device.float32x4, device.float32[:, :], device.float16, device.int64)


def fill(flag, small, v3, v4, x, half, n):
    x[0, 0] = v3.x + v4.x


def test_parameters_of_kernels_lie_where_cxx_puts_them():
    ptx = device.kernel(interop=True)(fill).compile(BLOCK, target="cuda:sm_90", kind="ptx").code.decode()
    parts = re.search(r"\.entry fill\s*\(([^)]*)\)", ptx)[1].split(",")
    assert [re.sub(r"\s+", " ", re.sub(r" fill_param_\d+", "", part)).strip() for part in parts] == [
        ".param .u8", ".param .u8", ".param .align 4 .b8[12]", ".param .align 16 .b8[16]", ".param .align 8 .b8[40]", ".param .u16", ".param .u64"]


def test_parameters_of_kernels_lie_where_hip_puts_them():
    """In constant memory, each at its own alignment and of its own size; the block is aligned as the most aligned one."""
    kernel = device.kernel(fill)
    assert re.search(r"define amdgpu_kernel void @fill\((.*?)\) #", device.emit(kernel, BLOCK, target="hip:gfx942", kind="llvm"))[1] == (
        "i8 %0, i8 %1, ptr addrspace(4) byref([12 x i8]) align 4 %2, ptr addrspace(4) byref([16 x i8]) align 16 %3, "
        "ptr addrspace(4) byref([40 x i8]) align 8 %4, i16 %5, i64 %6")
    asm = device.emit(kernel, BLOCK, target="hip:gfx942", kind="asm")
    assert re.findall(r"\.offset: +(\d+)\s+\.size: +(\d+)\s+\.value_kind: +by_value", asm) == [
        ("0", "1"), ("1", "1"), ("4", "12"), ("16", "16"), ("32", "40"), ("72", "2"), ("80", "8")]
    assert re.search(r"\.kernarg_segment_align: (\d+)\s+\.kernarg_segment_size: (\d+)", asm).groups() == ("16", "88")


def test_a_launch_lays_parameters_out_as_kernels_read_them(where):
    def k(out, flag, small, v3, v4, half, n):
        out[0], out[1], out[2], out[3], out[4], out[5] = int(flag), small, v3.z, v4.w, half, n

    given = np.zeros(6, np.float64), True, np.int8(-3), device.float32x3(1, 2, 3), device.float32x4(4, 5, 6, 7), np.float16(1.5), np.int64(2**40)
    assert launched(k, where, *given)[0].tolist() == [1, -3, 3, 7, 1.5, 2**40]


# ---- atomics

ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")
SCOPES = {"system": "sys", "device": "gpu", "block": "cta"}
INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
UPDATES = {name: ("exch", "cas", "add", "sub", "and_", "or_", "xor", "max", "min", "nanmax", "nanmin") for name in INTEGERS}
UPDATES |= {name: ("exch", "cas", "add", "sub", "max", "min", "nanmax", "nanmin") for name in ("float16", "bfloat16", "float32", "float64")}
UPDATES |= {name: ("exch", "cas") for name in ("float8e4m3", "float8e5m2", "complex64")}


def update_of_each_order_and_scope(operation, name, target, kind="asm"):
    """Code of a kernel that does it once for each."""
    operands = "x, x" if operation == "cas" else "x"
    lines = ["def k(a, x, out):", "    ref = device.AtomicRef(a, 0)"]
    for order in ORDERS:
        lines += [f"    out[0] = ref.{operation}({operands}, {order!r}, {scope!r})" for scope in SCOPES]
    names = {"device": device}
    exec("\n".join(lines), names)
    type_ = getattr(device, name)
    return device.emit(names["k"], (type_[::1], type_, type_[::1]), target=target, kind=kind, kernel=True)


@pytest.mark.parametrize("name", UPDATES)
def test_updates_keep_their_order_and_scope_in_ptx(name):
    """LLVM's back end makes each of them relaxed, of scope gpu."""
    # A small one may be a relaxed exchange of its word between fences, as what an operation acquires or releases.
    fences = {"relaxed": [], "consume": ["acq_rel"], "acquire": ["acq_rel"], "release": ["acq_rel"], "acq_rel": ["acq_rel", "acq_rel"],
              "seq_cst": ["acq_rel", "sc"]}
    for operation in UPDATES[name]:
        ptx = update_of_each_order_and_scope(operation, name, "cuda:sm_90")
        turns = re.split(r"\sst\.(?:global\.)?[bu]\d+", ptx)[:-1]
        assert len(turns) == len(ORDERS) * len(SCOPES), operation
        for turn, (order, scope) in zip(turns, ((order, scope) for order in ORDERS for scope in SCOPES.values())):
            made = re.findall(r"\s((?:atom|fence|red)\.[.\w]*)", turn)
            wanted = {"consume": "acquire", "seq_cst": "acquire"}.get(order, order)
            updates = [each for each in made if not each.startswith("fence")]
            around = sorted(each for each in made if each.startswith("fence"))
            assert len(updates) == 1, (operation, order, scope, made)
            has = re.match(rf"atom\.(\w+)\.{scope}\.", updates[0])[1]
            direct = [f"fence.sc.{scope}"] if order == "seq_cst" else []
            assert has == wanted and around == direct or has == "relaxed" and around == [f"fence.{each}.{scope}" for each in fences[order]], (
                operation, order, scope, made)


@pytest.mark.parametrize("name", ["int32", "uint64", "float16", "float64"])
def test_updates_keep_their_order_and_scope_for_amd(name):
    """LLVM's back end does as they say: tests/differential/test_gpu_atomics.py compares its code with clang's."""
    scopes = {"system": "", "device": 'syncscope("agent") ', "block": 'syncscope("workgroup") '}
    orders = {"relaxed": "monotonic", "consume": "acquire"}
    for operation in UPDATES[name]:
        text = update_of_each_order_and_scope(operation, name, "hip:gfx942", "llvm")
        made = re.findall(r"(?:atomicrmw|cmpxchg) .*? ((?:syncscope\(\"\w+\"\) )?(?:monotonic|acquire|release|acq_rel|seq_cst))(?: \w+)?, align", text)
        assert made == [scopes[scope] + orders.get(order, order) for order in ORDERS for scope in SCOPES], operation
