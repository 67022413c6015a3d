// CUDA's names by clang's builtins for AMD, as far as the sources use them, with warps of 32
// threads on any wave. WAVE: 32 or 64. Nothing of ROCm is included.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define INLINE __device__ static inline __attribute__((always_inline))

typedef __SIZE_TYPE__ size_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef unsigned char uchar4 __attribute__((ext_vector_type(4)));
INLINE float2 make_float2(float x, float y) { return float2{x, y}; }
INLINE uchar4 make_uchar4(int x, int y, int z, int w) {
  return uchar4{(uint8_t)x, (uint8_t)y, (uint8_t)z, (uint8_t)w};
}

// ---- places: block sizes from the hidden arguments, grid sizes from the dispatch packet, but for
// z

typedef const unsigned __attribute__((address_space(4))) * HiddenArguments;
#define AXES(name, X, Y, Z)                       \
  struct name {                                   \
    __declspec(property(get = get_x)) unsigned x; \
    __declspec(property(get = get_y)) unsigned y; \
    __declspec(property(get = get_z)) unsigned z; \
    INLINE unsigned get_x() { return X; }         \
    INLINE unsigned get_y() { return Y; }         \
    INLINE unsigned get_z() { return Z; }         \
  };
AXES(ThreadIndex, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
     __builtin_amdgcn_workitem_id_z())
AXES(BlockIndex, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
     __builtin_amdgcn_workgroup_id_z())
AXES(BlockSize, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
     __builtin_amdgcn_workgroup_size_z())
AXES(GridSize, __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(),
     __builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y(),
     ((HiddenArguments)__builtin_amdgcn_implicitarg_ptr())[2])
#define threadIdx ThreadIndex()
#define blockIdx BlockIndex()
#define blockDim BlockSize()
#define gridDim GridSize()

// ---- integers

INLINE int min(int a, int b) { return a < b ? a : b; }
INLINE int max(int a, int b) { return a > b ? a : b; }
INLINE int abs(int a) { return a < 0 ? (int)-(unsigned)a : a; }
INLINE int __mulhi(int a, int b) { return (long)a * b >> 32; }
INLINE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned long)a * b >> 32; }
INLINE long __mul64hi(long a, long b) { return (__int128)a * b >> 64; }
INLINE unsigned long __umul64hi(unsigned long a, unsigned long b) {
  return (unsigned __int128)a * b >> 64;
}
INLINE int __mul24(int a, int b) {
  return (int)((unsigned)(a << 8 >> 8) * (unsigned)(b << 8 >> 8));
}
INLINE unsigned __sad(int a, int b, unsigned c) {
  return (a < b ? (unsigned)b - a : (unsigned)a - b) + c;
}
INLINE int __popc(unsigned a) { return __builtin_popcount(a); }
INLINE int __popcll(unsigned long a) { return __builtin_popcountl(a); }
INLINE int __clz(unsigned a) { return a ? __builtin_clz(a) : 32; }
INLINE int __clzll(unsigned long a) { return a ? __builtin_clzl(a) : 64; }
INLINE int __ffs(int a) { return __builtin_ffs(a); }
INLINE int __ffsll(long a) { return __builtin_ffsl(a); }
INLINE unsigned __brev(unsigned a) { return __builtin_bitreverse32(a); }
INLINE unsigned long __brevll(unsigned long a) { return __builtin_bitreverse64(a); }
INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  unsigned bytes = 0;
  for (int k = 0; k < 4; ++k) bytes |= (selector >> 4 * k & 7) << 8 * k;
  return __builtin_amdgcn_perm(b, a, bytes);
}
INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
  return (((unsigned long)high << 32 | low) << (by & 31)) >> 32;
}
INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) {
  return by >= 32 ? high : __builtin_amdgcn_alignbit(high, low, by);
}
INLINE int __dp4a(int a, int b, int c) {
  for (int k = 0; k < 32; k += 8) c += (a << (24 - k) >> 24) * (b << (24 - k) >> 24);
  return c;
}
INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int k = 0; k < 32; k += 8) c += (a >> k & 255) * (b >> k & 255);
  return c;
}
INLINE unsigned __uhadd(unsigned a, unsigned b) { return ((unsigned long)a + b) >> 1; }
INLINE int __rhadd(int a, int b) { return ((long)a + b + 1) >> 1; }

// ---- threads together

INLINE unsigned lane_of() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
INLINE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
INLINE void __syncwarp() { __builtin_amdgcn_wave_barrier(); }
INLINE void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
INLINE unsigned half_of_wave(unsigned long ballot) { return ballot >> (lane_of() & 32); }
#if WAVE == 64
INLINE unsigned __ballot_sync(unsigned, bool p) {
  return half_of_wave(__builtin_amdgcn_ballot_w64(p));
}
#else
INLINE unsigned __ballot_sync(unsigned, bool p) { return __builtin_amdgcn_ballot_w32(p); }
#endif
INLINE unsigned __activemask() { return __ballot_sync(~0u, true); }
INLINE int __any_sync(unsigned mask, bool p) { return __ballot_sync(mask, p) != 0; }
INLINE int __all_sync(unsigned mask, bool p) { return __ballot_sync(mask, !p) == 0; }
INLINE int from_lane(unsigned lane, int x) {
  return __builtin_amdgcn_ds_bpermute((lane_of() & ~31u | lane) << 2, x);
}
INLINE int __shfl_sync(unsigned, int x, unsigned from, unsigned width = 32) {
  return from_lane((lane_of() & 31 & ~(width - 1)) | from % width, x);
}
INLINE int __shfl_xor_sync(unsigned, int x, unsigned by) {
  return from_lane((lane_of() & 31) ^ by, x);
}
INLINE int __shfl_up_sync(unsigned, int x, unsigned by, unsigned width = 32) {
  unsigned lane = lane_of() & 31;
  return from_lane((lane & (width - 1)) >= by ? lane - by : lane, x);
}
INLINE int __shfl_down_sync(unsigned, int x, unsigned by, unsigned width = 32) {
  unsigned lane = lane_of() & 31;
  return from_lane((lane & (width - 1)) + by < width ? lane + by : lane, x);
}
INLINE unsigned __match_any_sync(unsigned mask, int x) {
  for (;;) {
    const bool same = x == __builtin_amdgcn_readfirstlane(x);
    const unsigned who = __ballot_sync(mask, same);
    if (same) return who;
  }
}
INLINE unsigned __match_all_sync(unsigned mask, int x, int* all) {
  *all = __all_sync(mask, x == from_lane(0, x));
  return *all ? mask : 0;
}
#define REDUCED(name, T, op)                                                   \
  INLINE T name(unsigned, T x) {                                               \
    x = op(x, (T)__builtin_amdgcn_update_dpp(0, (int)x, 0xB1, 15, 15, true));  \
    x = op(x, (T)__builtin_amdgcn_update_dpp(0, (int)x, 0x4E, 15, 15, true));  \
    x = op(x, (T)__builtin_amdgcn_update_dpp(0, (int)x, 0x141, 15, 15, true)); \
    x = op(x, (T)__builtin_amdgcn_update_dpp(0, (int)x, 0x140, 15, 15, true)); \
    return op(x, (T)__builtin_amdgcn_ds_swizzle((int)x, 0x401F));              \
  }
INLINE int sum_of(int a, int b) { return a + b; }
INLINE unsigned union_of(unsigned a, unsigned b) { return a | b; }
REDUCED(__reduce_add_sync, int, sum_of)
REDUCED(__reduce_min_sync, int, min)
REDUCED(__reduce_or_sync, unsigned, union_of)
INLINE int __syncthreads_count(bool p) {
  __shared__ int count;
  __syncthreads();
  count = 0;
  __syncthreads();
  __hip_atomic_fetch_add(&count, (int)p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __syncthreads();
  return count;
}
INLINE int __syncthreads_or(bool p) { return __syncthreads_count(p) != 0; }
INLINE int __syncthreads_and(bool p) { return __syncthreads_count(!p) == 0; }

// ---- atomics

#define ATOMIC(name, function)                                                        \
  template <class T>                                                                  \
  INLINE T name(T* p, T v) {                                                          \
    return __hip_atomic_##function(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
  }
ATOMIC(atomicAdd, fetch_add)
ATOMIC(atomicMin, fetch_min)
ATOMIC(atomicMax, fetch_max)
ATOMIC(atomicAnd, fetch_and)
ATOMIC(atomicOr, fetch_or)
ATOMIC(atomicXor, fetch_xor)
ATOMIC(atomicExch, exchange)
INLINE double atomicAdd(double* p, double v) {
  return __hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
INLINE unsigned atomicInc(unsigned* p, unsigned last) {
  return __builtin_amdgcn_atomic_inc32(p, last, __ATOMIC_RELAXED, "agent");
}
INLINE unsigned atomicDec(unsigned* p, unsigned last) {
  return __builtin_amdgcn_atomic_dec32(p, last, __ATOMIC_RELAXED, "agent");
}
template <class T>
INLINE T atomicCAS(T* p, T expected, T wanted) {
  __hip_atomic_compare_exchange_strong(p, &expected, wanted, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  return expected;
}
#define printf(...)
