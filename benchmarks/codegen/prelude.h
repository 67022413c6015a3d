// What the kernels of this folder need of CUDA, for clang -x hip without ROCm's headers; and arrays
// that carry their extents, as Python's do. Indices are int or unsigned, as in the Python kernels.
#pragma once

template <class T>
struct Line {
  T* data;
  int size;
  template <class I>
  __attribute__((device)) T& operator[](I i) const { return data[i]; }
};

template <class T>
struct Plane {
  T* data;
  int rows, columns;
  template <class I, class J>
  __attribute__((device)) T& operator()(I i, J j) const { return data[i * columns + j]; }
};

template <class T>
struct Volume {
  T* data;
  int layers, rows, columns;
  __attribute__((device)) T& operator()(int i, int j, int k) const {
    return data[(i * rows + j) * columns + k];
  }
};

// Keeps ptxas from unrolling a loop of unknown length, as codegen.py keeps it from doing with ours.
// For AMD the same LLVM unrolls both.
#ifdef __HIP__
#define ROLLED
#else
#define ROLLED _Pragma("unroll 1")
#endif

#ifdef __HIP__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))

// Coordinates: dimension by dimension, read when they are used.
#define HETJIT_COORDINATE(NAME, READ)                                    \
  struct NAME##_t {                                                      \
    struct X { __device__ operator int() const { return READ(x); } } x;  \
    struct Y { __device__ operator int() const { return READ(y); } } y;  \
    struct Z { __device__ operator int() const { return READ(z); } } z;  \
  };                                                                     \
  static const __device__ __constant__ NAME##_t NAME = {};
#define HETJIT_THREAD(d) __builtin_amdgcn_workitem_id_##d()
#define HETJIT_BLOCK(d) __builtin_amdgcn_workgroup_id_##d()
#define HETJIT_SIZE(d) __builtin_amdgcn_workgroup_size_##d()
HETJIT_COORDINATE(threadIdx, HETJIT_THREAD)
HETJIT_COORDINATE(blockIdx, HETJIT_BLOCK)
HETJIT_COORDINATE(blockDim, HETJIT_SIZE)
#define HETJIT_COUNT(d) (__builtin_amdgcn_grid_size_##d() / __builtin_amdgcn_workgroup_size_##d())
HETJIT_COORDINATE(gridDim, HETJIT_COUNT)

extern "C" {
__device__ float __ocml_exp_f32(float);
__device__ float __ocml_log_f32(float);
__device__ float __ocml_erf_f32(float);
__device__ float __ocml_sin_f32(float);
__device__ float __ocml_cos_f32(float);
}
__device__ inline float expf(float x) { return __ocml_exp_f32(x); }
__device__ inline float logf(float x) { return __ocml_log_f32(x); }
__device__ inline float erff(float x) { return __ocml_erf_f32(x); }
__device__ inline float sinf(float x) { return __ocml_sin_f32(x); }
__device__ inline float cosf(float x) { return __ocml_cos_f32(x); }
__device__ inline float sqrtf(float x) { return __builtin_sqrtf(x); }
__device__ inline int min(int a, int b) { return a < b ? a : b; }
__device__ inline int max(int a, int b) { return a > b ? a : b; }

#ifdef __GFX9__
constexpr int kWarp = 64;
#else
constexpr int kWarp = 32;
#endif
__device__ inline void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ inline int lane() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
__device__ inline float shuffle_down(float value, int distance) {
  int own = lane(), from = own + distance;
  from = (own & (kWarp - 1)) + distance >= kWarp ? own : from;
  return __builtin_bit_cast(
      float, __builtin_amdgcn_ds_bpermute(from << 2, __builtin_bit_cast(int, value)));
}
__device__ inline int shuffle_up(int value, int distance) {
  int own = lane(), from = own - distance;
  from = (own & (kWarp - 1)) < distance ? own : from;
  return __builtin_amdgcn_ds_bpermute(from << 2, value);
}
__device__ inline unsigned swap_device(unsigned* at, unsigned expected, unsigned wanted) {
  __hip_atomic_compare_exchange_strong(at, &expected, wanted, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  return expected;
}
__device__ inline void add_block(int* to, int value) {
  __hip_atomic_fetch_add(to, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
__device__ inline void add_device(int* to, int value) {
  __hip_atomic_fetch_add(to, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
#else
constexpr int kWarp = 32;
__device__ inline float shuffle_down(float value, int distance) {
  return __shfl_down_sync(0xffffffffu, value, distance);
}
__device__ inline int lane() { return threadIdx.x % kWarp; }
__device__ inline int shuffle_up(int value, int distance) {
  return __shfl_up_sync(0xffffffffu, value, distance);
}
__device__ inline unsigned swap_device(unsigned* at, unsigned expected, unsigned wanted) {
  return atomicCAS(at, expected, wanted);
}
__device__ inline void add_block(int* to, int value) { atomicAdd_block(to, value); }
__device__ inline void add_device(int* to, int value) { atomicAdd(to, value); }
#endif

__device__ inline int tid_x() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline int tid_y() { return blockIdx.y * blockDim.y + threadIdx.y; }
__device__ inline int tid_z() { return blockIdx.z * blockDim.z + threadIdx.z; }
