"""What users' headers hold, each with a kernel that calls it: name -> Header. A kernel's threads i = 0 to 7 write four numbers each."""

import struct
from typing import NamedTuple


class Header(NamedTuple):
    cxx: str
    kernel: str  # what fills out[i, 0] to out[i, 3]
    expected: object  # i -> the four
    places: tuple = ("cpu", "emu:sm_90", "emu:gfx942")
    types: str = "{}"
    cuda: bool = False  # includes CUDA's headers


HEADERS = {}


def header(name, cxx, kernel, expected, **more):
    HEADERS[name] = Header(cxx, kernel, expected, **more)


header("templates_with_defaults", """
#pragma once
template <class T, class Acc = double, int N = 3> struct Poly {
  T c[N];
  Acc operator()(T x) const { Acc s = 0; for (int k = N - 1; k >= 0; --k) s = s * x + c[k]; return s; }
};
template <class T, class U = T> T mix(T a, U b, T t = T(0.5)) { return a + (b - a) * t; }
template <int Power = 2, class T> T pow_n(T x) { T r = 1; for (int i = 0; i < Power; ++i) r *= x; return r; }
inline Poly<float> make_poly(float a, float b, float c) { return {{a, b, c}}; }
""", """
        p = lib.make_poly(1.0, 2.0, 3.0)
        out[i, 0] = p(device.float32(i))
        out[i, 1] = lib.mix(device.float32(i), 10.0)
        out[i, 2] = lib.pow_n(i)
        out[i, 3] = lib.pow_n[3](device.float32(i))
""", lambda i: [1+2*i+3*i*i, i+(10-i)*.5, i*i, i**3])

header("operators", """
struct Fix { int raw;
  explicit Fix(int r) : raw(r) {}
  friend Fix operator+(Fix a, Fix b) { return Fix(a.raw + b.raw); }
  friend Fix operator-(Fix a) { return Fix(-a.raw); }
  Fix operator*(Fix o) const { return Fix(raw * o.raw / 16); }
  bool operator<(Fix o) const { return raw < o.raw; }
  bool operator==(Fix o) const { return raw == o.raw; }
  Fix operator<<(int n) const { return Fix(raw << n); }
  explicit operator bool() const { return raw != 0; }
  explicit operator float() const { return raw / 16.0f; }
  Fix& operator+=(Fix o) { raw += o.raw; return *this; }
  int operator[](int bit) const { return raw >> bit & 1; }
};
""", """
        a, b = lib.Fix(i * 16), lib.Fix(24)
        out[i, 0] = float(a * b + -b)
        out[i, 1] = 1 if a < b else 2 if a == b else 3
        out[i, 2] = (a << 1).raw
        out[i, 3] = a[4] + (10 if a else 0)
""", lambda i: [i*1.5-1.5, 1 if i*16<24 else 3, i*32, (i*16>>4&1)+(10 if i else 0)])

header("enums", """
enum Color { Red, Green = 5, Blue };
enum class Mode : unsigned char { Off = 1, On = 200 };
namespace cfg { enum { kSize = 7 }; enum class Axis { X, Y, Z }; }
inline int code(Color c) { return 100 + c; }
inline int level(Mode m) { return m == Mode::On ? 1 : 0; }
inline Mode next(Mode m) { return m == Mode::On ? Mode::Off : Mode::On; }
inline Color pick(int i) { return i % 2 ? Green : Blue; }
""", """
        out[i, 0] = lib.code(lib.Green) + lib.cfg.kSize
        out[i, 1] = lib.level(lib.Mode.On) * 10 + lib.level(lib.Mode(lib.next(lib.Mode.On)))
        out[i, 2] = lib.code(lib.Color(lib.pick(i)))
        out[i, 3] = lib.next(lib.Mode.Off)
""", lambda i: [112, 10, 105 if i%2 else 106, 200])

header("constants", """
#define SCALE 3
#define HALF(x) ((x) / 2)
constexpr double kPi = 3.25;
const int kCount = 4;
static const float kTable[4] = {1.5f, 2.5f, 3.5f, 4.5f};
inline constexpr unsigned long long kBig = 1ull << 40;
namespace deep { namespace er { constexpr int kDepth = 9; } }
struct Limits { static constexpr int kMost = 12; enum { kLeast = -3 }; };
inline float table(int i) { return kTable[i & 3] * SCALE; }
inline int halved(int i) { return HALF(i + 1); }
""", """
        out[i, 0] = float(lib.kPi) + lib.kCount
        out[i, 1] = lib.table(i)
        out[i, 2] = lib.halved(i) + lib.deep.er.kDepth
        out[i, 3] = lib.Limits.kMost + lib.Limits.kLeast + (1 if lib.kBig > 1 else 0)
""", lambda i: [7.25, [1.5,2.5,3.5,4.5][i&3]*3, (i+1)//2+9, 10])

header("nested_namespaces", """
namespace geo::inline v2 { namespace detail { inline float sq(float x) { return x * x; } }
  inline float length2(float x, float y) { using detail::sq; return sq(x) + sq(y); }
  namespace shape { struct Disk { float r; float area() const { return 3.0f * detail::sq(r); } static Disk unit() { return Disk{1}; } }; } }
namespace g = geo::shape;
namespace { inline int hidden(int x) { return x + 1; } }
using geo::length2;
""", """
        out[i, 0] = lib.geo.length2(device.float32(i), 2.0)
        out[i, 1] = lib.g.Disk.unit().area()
        out[i, 2] = lib.hidden(i)
        out[i, 3] = lib.length2(1.0, device.float32(i))
""", lambda i: [i*i+4, 3, i+1, 1+i*i])

header("unions", """
union Bits { float f; unsigned u; struct Halves { unsigned short lo, hi; } half; };
inline unsigned bits_of(float f) { Bits b; b.f = f; return b.u; }
inline Bits make(float f) { Bits b; b.f = f; return b; }
struct Variant { int tag; union { int i; float f; }; };
inline Variant of_int(int i) { Variant v; v.tag = 0; v.i = i; return v; }
inline Variant of_float(float f) { Variant v; v.tag = 1; v.f = f; return v; }
inline float value(Variant v) { return v.tag ? v.f : float(v.i); }
""", """
        out[i, 0] = lib.bits_of(device.float32(i)) >> 16
        out[i, 1] = lib.make(1.0).half.hi
        out[i, 2] = lib.value(lib.of_int(i)) + lib.value(lib.of_float(0.5))
        out[i, 3] = lib.of_float(2.0).tag
""", lambda i: [struct.unpack("I", struct.pack("f", float(i)))[0] >> 16, 0x3f80, i+.5, 1])

header("bit_fields", """
struct Packed { unsigned lo : 5; unsigned mid : 7; int sign : 4; unsigned : 0; unsigned hi : 20; };
inline Packed pack(unsigned v) { Packed p{}; p.lo = v; p.mid = v >> 5; p.sign = int(v) % 8 - 4; p.hi = v * 3; return p; }
inline unsigned sum(const Packed& p) { return p.lo + p.mid + p.hi; }
""", """
        p = lib.pack(device.uint32(i * 37))
        out[i, 0] = p.lo
        out[i, 1] = p.mid
        out[i, 2] = p.sign
        out[i, 3] = lib.sum(p)
""", lambda i: [i*37&31, i*37>>5, i*37%8-4, (i*37&31)+(i*37>>5)+i*111])

header("alignas", """
struct alignas(16) Quad { float v[4]; };
struct alignas(32) Wide { double a; char tag; };
inline Quad quad(float x) { return {{x, x + 1, x + 2, x + 3}}; }
inline float total(const Quad& q) { return q.v[0] + q.v[1] + q.v[2] + q.v[3]; }
inline int size_of_wide() { return int(sizeof(Wide)) * 100 + int(alignof(Wide)); }
template <class T> int misaligned(const T* p) { return int(reinterpret_cast<unsigned long long>(p) % alignof(T)); }
""", """
        out[i, 0] = lib.total(lib.quad(device.float32(i)))
        out[i, 1] = lib.size_of_wide()
        keep = device.local_array(2, lib.Wide)
        out[i, 2] = lib.misaligned(keep)
        many = device.local_array(3, lib.Quad)
        many[1] = lib.quad(2.0)
        out[i, 3] = many[1].v[3] + lib.misaligned(many)
""", lambda i: [4*i+6, 3232, 0, 5])

header("inheritance", """
struct Base { int id; Base(int i) : id(i) {} int twice() const { return 2 * id; } };
struct Mid : Base { float w; Mid(int i, float w) : Base(i), w(w) {} float weighted() const { return w * twice(); } };
template <class D> struct Crtp { int call() const { return static_cast<const D*>(this)->impl() + 1; } };
struct Leaf : Mid, Crtp<Leaf> { using Mid::Mid; int impl() const { return id * 10; } };
inline int take(const Base& b) { return b.id; }
""", """
        l = lib.Leaf(i, 0.5)
        out[i, 0] = l.twice()
        out[i, 1] = l.weighted()
        out[i, 2] = l.call()
        out[i, 3] = lib.take(l)
""", lambda i: [2*i, i, 10*i+1, i])

header("methods_and_statics", """
class Counter { public:
  static constexpr int step = 2;
  static int scaled(int x) { return x * step; }
  explicit Counter(int start = 5) : n_(start) {}
  int get() const { return n_; }
  int next() { return n_ += step; }
  const int& ref() const { return n_; }
  int& mut() { return n_; }
 private: int n_; };
""", """
        c = device.local_array(1, lib.Counter)
        c[0] = lib.Counter(i)
        out[i, 0] = lib.Counter().get() + lib.Counter.step
        c.next()
        out[i, 1] = c.next()
        out[i, 2] = lib.Counter.scaled(i) + c[0].ref()
        out[i, 3] = c.mut()
""", lambda i: [7, i+4, 2*i+i+4, i+4])

header("auto_results", """
inline auto half(int x) { return x / 2.0; }
inline auto big(unsigned x) { return x * 10000000000ull; }
template <class A, class B> auto add(A a, B b) -> decltype(a + b) { return a + b; }
inline auto pair(int a, int b) { struct R { int first, second; }; return R{a, b}; }
inline decltype(auto) same(int& x) { return (x); }
constexpr auto square = [](auto x) { return x * x; };
""", """
        out[i, 0] = lib.half(i)
        out[i, 1] = lib.big(device.uint32(i)) // device.uint64(5000000000)
        out[i, 2] = lib.add(i, 0.5)
        out[i, 3] = lib.square(i)
""", lambda i: [i/2, 2*i, i+.5, i*i])

header("pointers_to_arrays", """
inline float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
inline void fill(float* x, int n, float v) { for (int i = 0; i < n; ++i) x[i] = v + i; }
inline float trace(const float (*m)[3]) { return m[0][0] + m[1][1] + m[2][2]; }
inline float first(const float (&a)[4]) { return a[0] + a[3]; }
inline void swap(int& a, int& b) { int t = a; a = b; b = t; }
""", """
        a = device.local_array(4, device.float32)
        lib.fill(a, 4, device.float32(i))
        out[i, 0] = lib.sum(a, 4)
        out[i, 1] = lib.sum(a[2:], 2)
        p, q = device.local_array(1, int), device.local_array(1, int)
        p[0], q[0] = i, 77
        lib.swap(p, q)
        out[i, 2] = p[0]
        out[i, 3] = q[0]
""", lambda i: [4*i+6, 2*i+5, 77, i])

header("references_to_vectors", """
struct v3 { float x, y, z; };
inline v3 cross(const v3& a, const v3& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline void scale(v3& v, float s) { v.x *= s; v.y *= s; v.z *= s; }
inline float dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
""", """
        v = device.local_array(1, device.float32x3)
        v[0] = lib.cross(device.float32x3(1, 0, 0), device.float32x3(0, 1, device.float32(i)))
        lib.scale(v, 2.0)
        out[i, 0] = v[0].y
        out[i, 1] = v[0].z
        out[i, 2] = lib.dot(device.float32x3(1, 2, 3), device.float32x3(device.float32(i), 1, 1))
        out[i, 3] = 0
""", lambda i: [-2*i, 2, i+5, 0], types='{device.float32x3: "v3"}')

header("device_inline_calls", """
__device__ inline int three(int x);
__device__ __forceinline__ int one(int x) { return x + 1; }
__host__ __device__ inline int two(int x) { return one(one(x)); }
__device__ inline int three(int x) { return two(x) * 3; }
static __device__ __noinline__ int four(int x) { return three(x) + 4; }
__device__ int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
__device__ const int lut[3] = {5, 6, 7};
__constant__ int cst[2] = {8, 9};
__device__ int look(int i) { return lut[i % 3] + cst[i % 2]; }
""", """
        out[i, 0] = lib.three(i)
        out[i, 1] = lib.four(i)
        out[i, 2] = lib.fact(i % 6)
        out[i, 3] = lib.look(i)
""", lambda i: [(i+2)*3, (i+2)*3+4, [1,1,2,6,24,120][i%6], [5,6,7][i%3]+[8,9][i%2]])

header("macros", """
#define N 4
#define Type int
#define T float
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define data payload
#define Value 3
#define call 9
#define of 2
#define Result int
inline Type clampn(Type x) { return MAX(x, N); }
inline T scaled(T x) { return x * Value; }
struct box { int data; };
inline box boxed(int x) { return {x + call}; }
""", """
        out[i, 0] = lib.clampn(i)
        out[i, 1] = lib.scaled(device.float32(i))
        out[i, 2] = lib.boxed(i).payload
        out[i, 3] = lib.MAX(i, 2)
""", lambda i: [max(i,4), 3*i, i+9, max(i,2)])

header("half_and_bf16", """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__device__ __host__ inline __half twice(__half h) { return __hadd(h, h); }
__device__ __host__ inline float widen(__half h) { return __half2float(h); }
__device__ __host__ inline __nv_bfloat16 bf(float x) { return __float2bfloat16(x); }
__device__ __host__ inline __half2 both(__half2 a, __half2 b) { return __hmul2(a, b); }
""", """
        h = device.float16(i)
        out[i, 0] = lib.twice(h)
        out[i, 1] = lib.widen(h)
        out[i, 2] = lib.bf(device.float32(i) + 0.25)
        out[i, 3] = lib.both(device.float16x2(h, h), device.float16x2(2, 3)).y
""", lambda i: [2*i, i, i+.25, 3*i], places=("cpu", "emu:sm_90"), cuda=True)

header("shared_pointers", """
template <class T> void put(T* s, int at, T v) { s[at] = v; }
template <class T> T total(const T* s, int n) { T t = 0; for (int i = 0; i < n; ++i) t += s[i]; return t; }
""", """
        s = device.shared_array(32, device.float32)
        lib.put(s, device.thread_idx.x, device.float32(i))
        device.syncthreads()
        out[i, 0] = lib.total(s, 8)
        out[i, 1] = s[0]
        out[i, 2] = 0
        out[i, 3] = 0
""", lambda i: [28, 0, 0, 0])

header("thread_places", """
__device__ inline int where() { return threadIdx.x + blockIdx.x * blockDim.x; }
__device__ inline int lanes() { return warpSize; }
""", """
        out[i, 0] = lib.where()
        out[i, 1] = lib.lanes()
        out[i, 2] = 0
        out[i, 3] = 0
""", lambda i: [i, 32, 0, 0], places=("emu:sm_90",))

header("shuffles", """
__device__ inline int sum_up(int x) { for (int o = 4; o > 0; o /= 2) x += __shfl_down_sync(0xffffffff, x, o, 8); return x; }
__device__ inline unsigned who(int p) { return __ballot_sync(0xffffffff, p); }
__device__ inline int rotate(int* s, int x) { s[threadIdx.x] = x; __syncthreads(); return s[(threadIdx.x + 1) % 8]; }
""", """
        s = device.shared_array(32, int)
        out[i, 2] = lib.rotate(s, i)
        out[i, 3] = lib.sum_up(i)
        out[i, 0] = device.float32(device.int64(lib.who(i % 2)) & 255)
        out[i, 1] = 0
""", lambda i: [0xaa, 0, (i+1)%8, None], places=("emu:sm_90",))

header("printf", """
#include <cstdio>
__device__ inline int shout(int x) { if (x == 3) printf("three %d %.2f\\n", x, 0.5); return x; }
""", """
        out[i, 0] = lib.shout(i)
        out[i, 1] = 0
        out[i, 2] = 0
        out[i, 3] = 0
""", lambda i: [i, 0, 0, 0], places=("cpu", "emu:sm_90"))

header("cuda_std", """
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/bit>
__host__ __device__ inline float absq(float re, float im) { return cuda::std::norm(cuda::std::complex<float>(re, im)); }
__host__ __device__ inline int pop(unsigned x) { return cuda::std::popcount(x); }
__host__ __device__ inline cuda::std::array<int, 3> three(int x) { return {x, x + 1, x + 2}; }
""", """
        out[i, 0] = lib.absq(device.float32(i), 2.0)
        out[i, 1] = lib.pop(device.uint32(i))
        out[i, 2] = lib.three(i)[2]
        out[i, 3] = lib.three(i).size()
""", lambda i: [i*i+4, bin(i).count("1"), i+2, 3], places=("cpu", "emu:sm_90"), cuda=True)
