"""Libraries of C++ in kernels: at least five functions of each, on every target that the library is for, with what the same calls give in C++."""

import os
import pathlib
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from calls import launched
from hetjit import device

CUDA = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "include"
SYSTEM = pathlib.Path("/usr/include")
NOT_AMD = ["cpu", "emu:sm_90"]  # these releases do not mark their functions for HIP
CLANG = {**os.environ, "PATH": f"{os.environ.get('PATH', '')}:{os.defpath}"}  # also where kernels find none: test_without_clang.py
COUNT = 24
X = np.linspace(0.25, 6, COUNT).astype(np.float32)


def needed(path, name):
    if not path.exists():
        pytest.skip(f"{name} is not installed: {path} is not there")
    if path.is_relative_to(SYSTEM) and os.environ.get("HETJIT_TESTS_WITHOUT_CLANG"):
        pytest.skip(f"NVRTC knows none of the system's headers, which {name} includes")


def from_cxx(tmp_path, source, folders, expressions):
    """What C++ makes of each expression for each of X, as the host's clang compiles it."""
    lines = [f"    std::printf(\"%.17g \", double({e}));" for e in expressions]
    (tmp_path / "main.cpp").write_text("\n".join([
        "#define __device__", "#define __host__", "#define __forceinline__ inline", source, "#include <cstdio>",
        f"static const float xs[] = {{{', '.join(f'{float(x)!r}f' for x in X)}}};",
        "int main() {", "  for (float x : xs) {", *lines, "  }", "}"]))
    words = ["clang++-22", "-std=c++20", "-O1", "-ffp-contract=off", "-w", *(w for f in folders for w in ("-isystem", str(f)))]
    done = subprocess.run([*words, "main.cpp", "-o", "main"], cwd=tmp_path, capture_output=True, text=True, env=CLANG)
    assert done.returncode == 0, done.stderr[:3000]
    printed = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout
    return np.array(printed.split(), np.float64).reshape(COUNT, len(expressions))


def agree(kernel, where, tmp_path, source, folders, expressions, rtol=0.0):
    out = launched(kernel, where, X, np.zeros((COUNT, len(expressions))), n=COUNT)[1]
    np.testing.assert_allclose(out, from_cxx(tmp_path, source, folders, expressions), rtol=rtol)


HELPER_MATH = """
struct v3 { float x, y, z; };
inline __host__ __device__ v3 make_v3(float x, float y, float z) { v3 v; v.x = x; v.y = y; v.z = z; return v; }
inline __host__ __device__ v3 operator+(v3 a, v3 b) { return make_v3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ v3 operator*(v3 a, float b) { return make_v3(a.x * b, a.y * b, a.z * b); }
inline __host__ __device__ void operator+=(v3& a, v3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }
inline __host__ __device__ float dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline __host__ __device__ v3 cross(v3 a, v3 b) { return make_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
inline __host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }
inline __host__ __device__ v3 lerp(v3 a, v3 b, float t) { return a + (b + a * -1.0f) * t; }
inline __host__ __device__ float clamp(float f, float a, float b) { return f < a ? a : f > b ? b : f; }
"""


def test_helper_math(where, tmp_path):
    lib = device.cxx(HELPER_MATH, types={device.float32x3: "v3"})

    def k(x, out):
        i = device.tid(1)
        if i < x.shape[0]:
            a, b = device.float32x3(x[i], 1, 2), device.float32x3(3, x[i], 1)
            out[i, 0] = lib.dot(a, b)
            out[i, 1] = lib.cross(a, b).y
            out[i, 2] = lib.lerp(a, b, 0.25).x
            out[i, 3] = lib.lerp(x[i], 4.0, 0.5)
            out[i, 4] = lib.clamp(x[i], 1.0, 3.0)
            out[i, 5] = lib.make_v3(x[i], 2.0, 3.0).z

    a, b = "make_v3(x, 1, 2)", "make_v3(3, x, 1)"
    agree(k, where, tmp_path, HELPER_MATH, [], [f"dot({a}, {b})", f"cross({a}, {b}).y", f"lerp({a}, {b}, .25f).x", "lerp(x, 4.0f, .5f)",
                                                "clamp(x, 1, 3)", "make_v3(x, 2, 3).z"])


STD = """
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/tuple>
namespace cs = cuda::std;
__host__ __device__ inline cs::optional<float> half_if_small(float x) { return x < 3 ? cs::optional<float>(x / 2) : cs::nullopt; }
"""


@pytest.mark.parametrize("where", ["cpu", "emu:sm_90"])
def test_cuda_std(where, tmp_path):
    needed(CUDA / "cccl" / "cuda", "CUDA")
    folders = [CUDA / "cccl", CUDA]
    lib = device.cxx(STD, options=[w for f in folders for w in ("-isystem", str(f))])

    def k(x, out):
        i = device.tid(1)
        if i < x.shape[0]:
            z = lib.cs.complex[float](x[i], 2.0)
            w = z * z + z
            out[i, 0] = w.real()
            out[i, 1] = lib.cs.norm(w)
            out[i, 2] = lib.cs.conj(w).imag()
            a = lib.cs.array[float, 4]()
            a[2] = x[i]
            out[i, 3] = a[2] + a.size()
            found = lib.half_if_small(x[i])
            out[i, 4] = found.value() if found else -1.0
            out[i, 5] = found.value_or(7.0)
            out[i, 6] = lib.cs.popcount(device.uint32(i) * 77)
            out[i, 7] = lib.cs.countl_zero(device.uint32(i) + 1)
            out[i, 8] = lib.cs.bit_cast[device.uint32](x[i]) & 0xFFFF
            out[i, 9] = lib.cs.rotl(device.uint32(i), 5)

    numbered = "unsigned((&x) - xs)"
    source = STD + "using namespace cuda::std;"
    main = [f"(cs::complex<float>(x, 2) * cs::complex<float>(x, 2) + cs::complex<float>(x, 2)).real()"]
    w = "(cs::complex<float>(x, 2) * cs::complex<float>(x, 2) + cs::complex<float>(x, 2))"
    main += [f"cs::norm({w})", f"cs::conj({w}).imag()", "x + 4", "half_if_small(x).has_value() ? *half_if_small(x) : -1",
             "half_if_small(x).value_or(7)", None, None, "cs::bit_cast<unsigned>(x) & 0xFFFF", None]
    out = launched(k, where, X, np.zeros((COUNT, len(main))), n=COUNT)[1]
    want = from_cxx(tmp_path, source, folders, [e or "0" for e in main])
    number = np.arange(COUNT, dtype=np.uint32)
    want[:, 6] = [bin(int(n) * 77).count("1") for n in number]
    want[:, 7] = [32 - int(n + 1).bit_length() for n in number]
    want[:, 9] = number << 5
    np.testing.assert_array_equal(out, want)


FLOATS = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
"""


@pytest.mark.parametrize("where", ["cpu", "emu:sm_90"])
def test_small_floats(where, tmp_path):
    needed(CUDA / "cuda_fp16.h", "CUDA")
    if not (CUDA / "cuda_bf16.h").exists():
        pytest.skip("CUDA's cuda_bf16.h is not there")
    lib = device.cxx(FLOATS, options=["-isystem", str(CUDA)])

    def k(x, out):
        i = device.tid(1)
        if i < x.shape[0]:
            h = lib.__float2half(x[i]) if False else lib.__float2half_rn(x[i])
            out[i, 0] = float(h)
            out[i, 1] = float(lib.__hadd(h, h))
            out[i, 2] = float(lib.__hmul(h, h))
            out[i, 3] = lib.__half2float(lib.__hneg(h))
            b = lib.__float2bfloat16(x[i])
            out[i, 4] = float(b)
            out[i, 5] = lib.__bfloat162float(lib.__hmul(b, b))
            out[i, 6] = float(device.float32(lib.__nv_fp8_e4m3(x[i])))
            out[i, 7] = lib.__half_as_ushort(h)

    expressions = ["float(__float2half_rn(x))", "float(__hadd(__float2half_rn(x), __float2half_rn(x)))",
                   "float(__hmul(__float2half_rn(x), __float2half_rn(x)))", "-float(__float2half_rn(x))", "float(__float2bfloat16(x))",
                   "float(__hmul(__float2bfloat16(x), __float2bfloat16(x)))", "float(__nv_fp8_e4m3(x))", "__half_as_ushort(__float2half_rn(x))"]
    agree(k, where, tmp_path, FLOATS, [CUDA], expressions)


GLM = """
#define GLM_FORCE_PURE
#include <glm/glm.hpp>
"""


@pytest.mark.parametrize("where", NOT_AMD)
def test_glm(where, tmp_path):
    needed(SYSTEM / "glm", "GLM")
    lib = device.cxx(GLM)

    def k(x, out):
        i = device.tid(1)
        if i < x.shape[0]:
            a, b = lib.glm.vec3(x[i], 1.0, 2.0), lib.glm.vec3(3.0, x[i], 1.0)
            out[i, 0] = lib.glm.dot(a, b)
            out[i, 1] = lib.glm.cross(a, b).y
            out[i, 2] = lib.glm.mix(a, b, 0.25).x
            out[i, 3] = lib.glm.clamp(x[i], 1.0, 3.0)
            out[i, 4] = (a * b + a)[1]
            m = lib.glm.mat3(2.0)
            m[1] = a
            out[i, 5] = (m * b).x
            out[i, 6] = lib.glm.determinant(m)
            out[i, 7] = lib.glm.transpose(m)[0].y

    a, b = "glm::vec3(x, 1, 2)", "glm::vec3(3, x, 1)"
    m = f"[&] {{ glm::mat3 m(2.0f); m[1] = {a}; return m; }}()"
    agree(k, where, tmp_path, GLM, [], [f"glm::dot({a}, {b})", f"glm::cross({a}, {b}).y", f"glm::mix({a}, {b}, .25f).x", "glm::clamp(x, 1.f, 3.f)",
                                        f"({a} * {b} + {a}).y", f"({m} * {b}).x", f"glm::determinant({m})", f"glm::transpose({m})[0].y"], rtol=1e-6)


EIGEN = """
#define EIGEN_NO_DEBUG
#define EIGEN_DONT_VECTORIZE
#include <Eigen/Core>
#include <Eigen/LU>
using v3 = Eigen::Vector3f;
using m3 = Eigen::Matrix3f;
inline v3 sum(const v3& a, const v3& b) { return a + b; }
inline m3 outer(const v3& a, const v3& b) { return a * b.transpose(); }
inline v3 times(const m3& m, const v3& v) { return m * v; }
inline m3 with_ones(const m3& m) { return m + m3::Identity(); }
"""


@pytest.mark.parametrize("where", NOT_AMD)
def test_eigen(where, tmp_path):
    needed(SYSTEM / "eigen3", "Eigen")
    lib = device.cxx(EIGEN, options=["-isystem", str(SYSTEM / "eigen3")])

    def k(x, out):
        i = device.tid(1)
        if i < x.shape[0]:
            a, b = lib.v3(x[i], 1.0, 2.0), lib.v3(3.0, x[i], 1.0)
            out[i, 0] = a.dot(b)
            out[i, 1] = lib.sum(a, b)(1)
            m = lib.outer(a, b)
            out[i, 2] = m(1, 2)
            out[i, 3] = lib.times(m, b)[0]
            out[i, 4] = lib.with_ones(m).determinant()
            out[i, 5] = m.trace()
            out[i, 6] = a.squaredNorm()

    a, b = "v3(x, 1, 2)", "v3(3, x, 1)"
    m = f"outer({a}, {b})"
    agree(k, where, tmp_path, EIGEN, [SYSTEM / "eigen3"], [f"{a}.dot({b})", f"sum({a}, {b})(1)", f"{m}(1, 2)", f"times({m}, {b})[0]",
                                                           f"with_ones({m}).determinant()", f"{m}.trace()", f"{a}.squaredNorm()"], rtol=1e-6)


RANDOM123 = """
#include <Random123/philox.h>
#include <Random123/threefry.h>
#include <Random123/uniform.hpp>
inline unsigned philox(unsigned n, unsigned key, int word) { return r123::Philox4x32()({{n, 0, 0, 0}}, {{key, 0}})[word]; }
inline unsigned philox2(unsigned n, unsigned key) { return r123::Philox2x32()({{n, 0}}, {{key}})[1]; }
inline unsigned threefry(unsigned n, unsigned key) { return r123::Threefry4x32()({{n, 0, 0, 0}}, {{key, 1, 2, 3}})[3]; }
inline unsigned long long threefry2(unsigned n) { return r123::Threefry2x64()({{n, 0}}, {{7, 9}})[0] >> 40; }
inline float uniform(unsigned n) { return r123::u01<float>(n); }
"""


@pytest.mark.parametrize("where", NOT_AMD)
def test_random123(where, tmp_path):
    needed(SYSTEM / "Random123", "Random123")
    lib = device.cxx(RANDOM123)

    def k(x, out):
        i = device.tid(1)
        if i < x.shape[0]:
            n = device.uint32(int(x[i] * 1000.0))
            out[i, 0] = lib.philox(n, device.uint32(5), 2)
            out[i, 1] = lib.philox2(n, device.uint32(6))
            out[i, 2] = lib.threefry(n, device.uint32(7))
            out[i, 3] = lib.threefry2(n)
            out[i, 4] = lib.uniform(lib.philox(n, device.uint32(8), 0))

    n = "unsigned(int(x * 1000.0f))"
    agree(k, where, tmp_path, RANDOM123, [], [f"philox({n}, 5, 2)", f"philox2({n}, 6)", f"threefry({n}, 7)", f"threefry2({n})", f"uniform(philox({n}, 8, 0))"])


# ---- for GPUs only


@pytest.mark.parametrize("where", ["emu:sm_90"])
def test_cub(where):
    needed(CUDA / "cccl" / "cub", "CUB")
    lib = device.cxx("#include <cub/block/block_reduce.cuh>\n#include <cub/block/block_scan.cuh>\n#include <cub/warp/warp_reduce.cuh>\n#include <cub/warp/warp_scan.cuh>\n#include <cuda/functional>")

    def k(x, out):
        i = device.thread_idx.x
        warp = device.shared_array(2, lib.cub.WarpReduce[float].TempStorage)
        total = lib.cub.WarpReduce[float](warp[i // 32:i // 32 + 1]).Sum(x[i])
        scan = device.shared_array(2, lib.cub.WarpScan[int].TempStorage)
        before = device.local_array(1, int)
        lib.cub.WarpScan[int](scan[i // 32:i // 32 + 1]).ExclusiveSum(int(i), before)
        block = device.shared_array(1, lib.cub.BlockReduce[float, 64].TempStorage)
        whole = lib.cub.BlockReduce[float, 64](block).Sum(x[i])
        scans = device.shared_array(1, lib.cub.BlockScan[int, 64].TempStorage)
        after = device.local_array(1, int)
        lib.cub.BlockScan[int, 64](scans).InclusiveSum(int(i), after)
        device.syncthreads()
        largest = lib.cub.BlockReduce[float, 64](block).Reduce(x[i], lib.cuda.maximum[float]())
        out[i, 0] = total
        out[i, 1] = before[0]
        out[i, 2] = whole
        out[i, 3] = after[0]
        out[i, 4] = largest

    x = np.arange(64, dtype=np.float32) * 3 % 50
    there = device.array(x, where), device.array(np.zeros((64, 5), np.float32), where)
    device.kernel(k)[1, 64](*there)
    out, number = device.to_numpy(there[1]), np.arange(64)
    assert out[0, 0] == x[:32].sum() and out[32, 0] == x[32:].sum()
    assert (out[:, 1] == [number[w - w % 32:w].sum() for w in number]).all()
    assert out[0, 2] == x.sum() and (out[:, 3] == number.cumsum()).all() and out[0, 4] == x.max()


@device.struct
class Xorwow:
    _0: device.uint64
    _1: device.uint64
    _2: device.uint64
    _3: device.uint64
    _4: device.uint64
    _5: device.uint64


@pytest.mark.parametrize("where", ["emu:sm_90"])
def test_curand(where):
    needed(CUDA / "curand_kernel.h", "cuRAND")
    lib = device.cxx("#include <curand_kernel.h>", types={Xorwow: "curandState"})

    def k(states, out, real):
        i = device.tid(1)
        if i < out.shape[0]:
            local = device.local_array(1, lib.curandStatePhilox4_32_10_t)
            lib.curand_init(device.uint64(7), device.uint64(i), device.uint64(0), local)
            out[i, 0] = lib.curand(local)
            real[i, 0] = lib.curand_uniform(local)
            real[i, 1] = lib.curand_normal(local)
            lib.curand_init(device.uint64(7), device.uint64(i), device.uint64(0), states[i:])
            out[i, 1] = lib.curand(states[i:])
            kept = device.local_array(1, Xorwow)
            kept[0] = states[i]
            out[i, 2] = lib.curand(states[i:])
            out[i, 3] = lib.curand(kept)
            real[i, 2] = lib.curand_uniform(kept)

    states = np.zeros(8, device.numpy_dtype(Xorwow))
    states, out, real = launched(k, where, states, np.zeros((8, 4), np.uint32), np.zeros((8, 3), np.float32), n=8)

    def philox(counter, key):
        for _ in range(10):
            a, b = counter[0] * 0xD2511F53, counter[2] * 0xCD9E8D57
            counter = [(b >> 32) ^ counter[1] ^ key[0], b & 0xFFFFFFFF, (a >> 32) ^ counter[3] ^ key[1], a & 0xFFFFFFFF]
            key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]
        return counter

    assert out[:, 0].tolist() == [philox([0, 0, i, 0], [7, 0])[0] for i in range(8)]
    assert (out[:, 2] == out[:, 3]).all() and len(set(out[:, 1].tolist())) == 8
    assert ((real[:, [0, 2]] > 0) & (real[:, [0, 2]] <= 1)).all() and (np.abs(real[:, 1]) < 6).all()
    assert states["_0"].any()


def test_hip_headers():
    folder = next((f for f in (os.environ.get("HIP_PATH", ""), "/opt/rocm", "/usr") if (pathlib.Path(f or "/nowhere") / "include/hip/hip_fp16.h").exists()), None)
    if not folder:
        pytest.skip("HIP's headers are not installed: Debian's libamdhip64-dev, or HIP_PATH")
    options = [] if folder == "/usr" else ["-isystem", f"{folder}/include"]  # the system's own is where C++'s headers go on to C's
    lib = device.cxx("#include <hip/hip_runtime.h>\n#include <hip/hip_fp16.h>\n#include <hip/hip_complex.h>", options=options)

    def k(x, out):
        i = device.tid(1)
        if i < x.shape[0]:
            h = lib.__float2half(x[i])
            out[i, 0] = lib.__half2float(h)
            out[i, 1] = lib.__half2float(lib.__hadd(h, h))
            out[i, 2] = lib.__half2float(lib.__hmul(h, h))
            z = lib.make_hipFloatComplex(x[i], 2.0)
            out[i, 3] = lib.hipCrealf(lib.hipCmulf(z, z))
            out[i, 4] = lib.hipCimagf(lib.hipConjf(z))
            out[i, 5] = lib.__popc(device.uint32(i))

    out = launched(k, "emu:gfx942", X, np.zeros((COUNT, 6), np.float32), n=COUNT)[1]
    h = X.astype(np.float16)
    want = np.stack([h, h + h, h * h, X * X - 4, np.full(COUNT, -2), [bin(i).count("1") for i in range(COUNT)]], 1).astype(np.float32)
    np.testing.assert_array_equal(out, want)
