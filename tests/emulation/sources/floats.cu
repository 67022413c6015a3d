// Floating-point arithmetic with every rounding mode, comparisons, conversions, small formats.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cstdint>
#define KERNEL(name, R, A, B) extern "C" __global__ void name(R* out, const A* a, const B* b, int n)
#define AT                                       \
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return

KERNEL(add_nearest, float, float, float) {
  AT;
  out[i] = __fadd_rn(a[i], b[i]);
}
KERNEL(add_down, float, float, float) {
  AT;
  out[i] = __fadd_rd(a[i], b[i]);
}
KERNEL(add_up_double, double, double, double) {
  AT;
  out[i] = __dadd_ru(a[i], b[i]);
}
KERNEL(multiply_to_zero, float, float, float) {
  AT;
  out[i] = __fmul_rz(a[i], b[i]);
}
KERNEL(multiply_down_double, double, double, double) {
  AT;
  out[i] = __dmul_rd(a[i], b[i]);
}
KERNEL(divide_nearest, float, float, float) {
  AT;
  out[i] = __fdiv_rn(a[i], b[i]);
}
#ifndef __HIP__  // NVIDIA's alone
KERNEL(divide_up, float, float, float) {
  AT;
  out[i] = __fdiv_ru(a[i], b[i]);
}
KERNEL(divide_to_zero_double, double, double, double) {
  AT;
  out[i] = __ddiv_rz(a[i], b[i]);
}
KERNEL(reciprocal_down, float, float, float) {
  AT;
  out[i] = __frcp_rd(a[i]);
}
KERNEL(root_up, float, float, float) {
  AT;
  out[i] = __fsqrt_ru(fabsf(a[i]));
}
KERNEL(root_down_double, double, double, double) {
  AT;
  out[i] = __dsqrt_rd(fabs(a[i]));
}
#endif
KERNEL(fused, float, float, float) {
  AT;
  out[i] = fmaf(a[i], b[i], -a[i]);
}
KERNEL(fused_double, double, double, double) {
  AT;
  out[i] = fma(a[i], b[i], -a[i]);
}
KERNEL(fused_to_zero, float, float, float) {
  AT;
  out[i] = __fmaf_rz(a[i], b[i], b[i]);
}
KERNEL(fused_up_double, double, double, double) {
  AT;
  out[i] = __fma_ru(a[i], b[i], b[i]);
}
#ifndef __HIP__  // NVIDIA's alone
KERNEL(flushed, float, float, float) {
  AT;
  float r;
  asm("mul.rn.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]));
  out[i] = r;
}
#endif
KERNEL(saturated, float, float, float) {
  AT;
  out[i] = __saturatef(a[i] + b[i]);
}
KERNEL(least, float, float, float) {
  AT;
  out[i] = fminf(a[i], b[i]);
}
KERNEL(most_double, double, double, double) {
  AT;
  out[i] = fmax(a[i], b[i]);
}
#ifndef __HIP__  // NVIDIA's alone
KERNEL(least_or_nan, float, float, float) {
  AT;
  float r;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a[i]), "f"(b[i]));
  out[i] = r;
}
#endif
KERNEL(signs, float, float, float) {
  AT;
  out[i] = copysignf(a[i], b[i]) + -fabsf(b[i]);
}
KERNEL(compared, uint32_t, float, float) {
  AT;
  out[i] = (a[i] < b[i]) | (a[i] <= b[i]) << 1 | (a[i] == b[i]) << 2 | (a[i] != b[i]) << 3 |
           (a[i] >= b[i]) << 4 | (a[i] > b[i]) << 5 | !(a[i] < b[i]) << 6 | !(a[i] >= b[i]) << 7 |
           (isnan(a[i]) | isnan(b[i])) << 8;
}
KERNEL(classified, uint32_t, float, double) {
  AT;
  out[i] = isfinite(a[i]) | isinf(a[i]) << 1 | isnan(b[i]) << 2 | isfinite(b[i]) << 3 |
           signbit(a[i]) << 4;
}
#ifndef __HIP__  // NVIDIA's alone
KERNEL(approximate_sine, float, float, float) {
  AT;
  out[i] = __sinf(a[i]);
}
#endif
KERNEL(approximate_exponential, float, float, float) {
  AT;
  out[i] = exp2f(a[i]);
}
KERNEL(approximate_logarithm, float, float, float) {
  AT;
  out[i] = __log2f(fabsf(a[i]));
}
KERNEL(approximate_root, float, float, float) {
  AT;
  out[i] = rsqrtf(fabsf(a[i]));
}
KERNEL(library_sine, double, double, double) {
  AT;
  out[i] = sin(a[i]);
}
KERNEL(library_power, double, double, double) {
  AT;
  out[i] = pow(fabs(a[i]), b[i]);
}

KERNEL(to_int, int32_t, float, float) {
  AT;
  out[i] = (int32_t)a[i];
}
KERNEL(to_unsigned_nearest, uint32_t, float, float) {
  AT;
  out[i] = __float2uint_rn(a[i]);
}
#ifndef __HIP__  // NVIDIA's alone
KERNEL(to_long_up, int64_t, double, double) {
  AT;
  out[i] = __double2ll_ru(a[i]);
}
KERNEL(to_unsigned_long_down, uint64_t, float, float) {
  AT;
  out[i] = __float2ull_rd(a[i]);
}
#endif
#ifndef __HIP__  // NVIDIA's alone
KERNEL(to_char, int32_t, float, float) {
  AT;
  int r, s;
  asm("{.reg .b16 t; cvt.rzi.s8.f32 t, %1; cvt.s32.s8 %0, t;}" : "=r"(r) : "f"(a[i]));
  asm("{.reg .b16 t; cvt.rni.u16.f32 t, %1; cvt.u32.u16 %0, t;}" : "=r"(s) : "f"(a[i]));
  out[i] = r * 65536 + s;
}
#endif
KERNEL(from_long, float, int64_t, int64_t) {
  AT;
  out[i] = __ll2float_rn(a[i]);
}
#ifndef __HIP__  // NVIDIA's alone
KERNEL(from_long_down, float, int64_t, int64_t) {
  AT;
  out[i] = __ll2float_rd(a[i]);
}
KERNEL(from_unsigned_long_up, double, uint64_t, uint64_t) {
  AT;
  out[i] = __ull2double_ru(a[i]);
}
#endif
KERNEL(narrowed, float, double, double) {
  AT;
  out[i] = (float)a[i];
}
KERNEL(narrowed_to_zero, float, double, double) {
  AT;
  out[i] = __double2float_rz(a[i]);
}
KERNEL(rounded_four_ways, float, float, float) {
  AT;
  out[i] = rintf(a[i]) + floorf(b[i]) * 4 + ceilf(a[i]) * 2 + truncf(b[i]);
}
#ifndef __HIP__  // NVIDIA's alone
KERNEL(int_saturated, int32_t, int32_t, int64_t) {
  AT;
  int r, s;
  asm("{.reg .b16 t; cvt.sat.s8.s32 t, %1; cvt.s32.s8 %0, t;}" : "=r"(r) : "r"(a[i]));
  asm("cvt.sat.u32.s64 %0, %1;" : "=r"(s) : "l"(b[i]));
  out[i] = r ^ s;
}
#endif

KERNEL(half_sum, __half, __half, __half) {
  AT;
  out[i] = __hadd_rn(a[i], b[i]);
}
KERNEL(half_fused, __half, __half, __half) {
  AT;
  out[i] = __hfma(a[i], b[i], a[i]);
}
KERNEL(half_from_float, __half, float, float) {
  AT;
  out[i] = __float2half_rn(a[i]);
}
KERNEL(half_to_zero, __half, float, float) {
  AT;
  out[i] = __float2half_rz(a[i]);
}
KERNEL(half_pairs, __half2, __half2, __half2) {
  AT;
  out[i] = __hmul2_rn(a[i], b[i]);
}
KERNEL(half_least, __half, __half, __half) {
  AT;
  out[i] = __hmin(a[i], b[i]);
}
#ifndef __HIP__  // NVIDIA's alone
KERNEL(brain_fused, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16) {
  AT;
  out[i] = __hfma(a[i], b[i], b[i]);
}
#endif
KERNEL(brain_from_float, __nv_bfloat16, float, float) {
  AT;
  out[i] = __float2bfloat16_rn(a[i]);
}
#ifndef __HIP__  // NVIDIA's alone
KERNEL(tiny_e4m3, uint8_t, float, float) {
  AT;
  out[i] = __nv_cvt_float_to_fp8(a[i], __NV_SATFINITE, __NV_E4M3);
}
KERNEL(tiny_e5m2, uint8_t, float, float) {
  AT;
  out[i] = __nv_cvt_float_to_fp8(a[i], __NV_SATFINITE, __NV_E5M2);
}
KERNEL(tiny_to_half, __half, uint8_t, uint8_t) {
  AT;
  out[i] = __half(__nv_cvt_fp8_to_halfraw(a[i], __NV_E4M3));
}
#endif
