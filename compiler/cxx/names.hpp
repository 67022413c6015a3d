// Before the user's source, on every target: CUDA's words for where a function runs mean nothing on
// the host, and what waits for other threads is not there. And before functions of ours that C++
// calls.
#pragma once

#if !defined(__CUDA__) && !defined(__HIP__)
#define __device__
#define __host__
#define __global__
#define __forceinline__ inline __attribute__((always_inline))
#define __constant__ static const
#define HETJIT_WAITS                                                           \
  __attribute__((                                                              \
      unavailable("it waits for other threads, which C++ cannot on the host; " \
                  "do that in Python and pass what comes of it")))
extern "C++" {
HETJIT_WAITS void __syncthreads();
HETJIT_WAITS void __syncwarp(unsigned mask = 0xFFFFFFFF);
HETJIT_WAITS int __syncthreads_count(int predicate);
HETJIT_WAITS int __syncthreads_and(int predicate);
HETJIT_WAITS int __syncthreads_or(int predicate);
HETJIT_WAITS unsigned __ballot_sync(unsigned mask, int predicate);
HETJIT_WAITS int __any_sync(unsigned mask, int predicate);
HETJIT_WAITS int __all_sync(unsigned mask, int predicate);
template <class Value>
HETJIT_WAITS Value __shfl_sync(unsigned mask, Value value, int lane, int width = 32);
template <class Value>
HETJIT_WAITS Value __shfl_up_sync(unsigned mask, Value value, unsigned delta, int width = 32);
template <class Value>
HETJIT_WAITS Value __shfl_down_sync(unsigned mask, Value value, unsigned delta, int width = 32);
template <class Value>
HETJIT_WAITS Value __shfl_xor_sync(unsigned mask, Value value, int lanes, int width = 32);
}
#undef HETJIT_WAITS
#if !defined(__CUDACC__)
#define HETJIT_PLACE                                                           \
  __attribute__((                                                              \
      unavailable("on the host only Python knows where a thread is; pass the " \
                  "place: device.thread_idx.x and its like")))
namespace hetjit::shim {
struct three {
  unsigned x, y, z;
};
}  // namespace hetjit::shim
HETJIT_PLACE extern const hetjit::shim::three threadIdx, blockIdx, blockDim, gridDim;
HETJIT_PLACE extern const int warpSize;
#undef HETJIT_PLACE
#endif
#endif

// HIP has it in a header of its own.
#if defined(__HIP__) && !defined(__forceinline__)
#define __forceinline__ inline __attribute__((always_inline))
#endif

namespace hetjit::shim {
/// How a parameter of a type is declared, so that C++ compilers agree: for NVIDIA clang passes the
/// bytes of whatever there is, where nvcc passes the address of what has a copy constructor, as the
/// Itanium ABI says.
template <class Type, bool plain = __is_trivially_copyable(Type)>
struct passed {
  using type = Type;
};
#if defined(__CUDA__) && defined(__clang__)
template <class Type>
struct passed<Type, false> {
  using type = const Type&;
};
#endif
}  // namespace hetjit::shim

// HIP's headers of 5.x count on words that clang has no longer.
#if defined(__HIP__)
#if !defined(__AMDGCN_WAVEFRONT_SIZE)
#if defined(__GFX9__)
#define __AMDGCN_WAVEFRONT_SIZE 64
#else
#define __AMDGCN_WAVEFRONT_SIZE 32
#endif
#endif
#define __llvm_amdgcn_rcp_f16 __builtin_amdgcn_rcph
typedef _Float16 hetjit_two_halves __attribute__((ext_vector_type(2)));
static inline __attribute__((device)) hetjit_two_halves __llvm_amdgcn_rcp_2f16(
    hetjit_two_halves x) {
  return {(_Float16)__builtin_amdgcn_rcph((__fp16)x.x),
          (_Float16)__builtin_amdgcn_rcph((__fp16)x.y)};
}
#endif
