// Halves, and rounding modes: each operation sets the mode for itself alone.
#pragma once
typedef _Float16 __half;
typedef _Float16 __half2 __attribute__((ext_vector_type(2)));

// hwreg(HW_REG_MODE, first bit, 2): bits 0 and 1 are for float32, 2 and 3 for float64 and halves.
#define SET_MODE_32(mode) "s_setreg_imm32_b32 hwreg(1, 0, 2), " mode "\n"
#define SET_MODE_ALL(mode) \
  "s_setreg_imm32_b32 hwreg(1, 0, 4), (" mode ") * 5\n"  // what a conversion goes by is not said
#define SET_MODE_64(mode) "s_setreg_imm32_b32 hwreg(1, 2, 2), " mode "\n"
#define NEAREST "0"
#define UP "1"
#define DOWN "2"
#define TO_ZERO "3"
#define ROUNDED(name, T, width, mode, text)                                 \
  INLINE T name(T a, T b) {                                                 \
    T r;                                                                    \
    asm volatile(SET_MODE_##width(mode) text "\n" SET_MODE_##width(NEAREST) \
                 : "=v"(r)                                                  \
                 : "v"(a), "v"(b));                                         \
    return r;                                                               \
  }
#define CONVERTED(name, R, T, width, mode, text)                                                 \
  INLINE R name(T a) {                                                                           \
    R r;                                                                                         \
    asm volatile(SET_MODE_##width(mode) text "\n" SET_MODE_##width(NEAREST) : "=v"(r) : "v"(a)); \
    return r;                                                                                    \
  }
#define FUSED(name, T, width, mode, text)                                   \
  INLINE T name(T a, T b, T c) {                                            \
    T r;                                                                    \
    asm volatile(SET_MODE_##width(mode) text "\n" SET_MODE_##width(NEAREST) \
                 : "=v"(r)                                                  \
                 : "v"(a), "v"(b), "v"(c));                                 \
    return r;                                                               \
  }
ROUNDED(__fadd_rd, float, 32, DOWN, "v_add_f32 %0, %1, %2")
ROUNDED(__fmul_rz, float, 32, TO_ZERO, "v_mul_f32 %0, %1, %2")
ROUNDED(__dadd_ru, double, 64, UP, "v_add_f64 %0, %1, %2")
ROUNDED(__dmul_rd, double, 64, DOWN, "v_mul_f64 %0, %1, %2")
FUSED(__fmaf_rz, float, 32, TO_ZERO, "v_fma_f32 %0, %1, %2, %3")
FUSED(__fma_ru, double, 64, UP, "v_fma_f64 %0, %1, %2, %3")
CONVERTED(__double2float_rz, float, double, ALL, TO_ZERO, "v_cvt_f32_f64 %0, %1")
CONVERTED(__float2half_rz, __half, float, ALL, TO_ZERO, "v_cvt_f16_f32 %0, %1")
INLINE float __fadd_rn(float a, float b) { return a + b; }
INLINE float __fdiv_rn(float a, float b) { return a / b; }
INLINE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
INLINE float fabsf(float a) { return __builtin_fabsf(a); }
INLINE double fabs(double a) { return __builtin_fabs(a); }
INLINE float __saturatef(float a) { return __builtin_amdgcn_fmed3f(a, 0, 1); }
INLINE float fminf(float a, float b) { return __builtin_fminf(a, b); }
INLINE double fmax(double a, double b) { return __builtin_fmax(a, b); }
INLINE float copysignf(float a, float b) { return __builtin_copysignf(a, b); }
INLINE float rintf(float a) { return __builtin_rintf(a); }
INLINE float floorf(float a) { return __builtin_floorf(a); }
INLINE float ceilf(float a) { return __builtin_ceilf(a); }
INLINE float truncf(float a) { return __builtin_truncf(a); }
#define isnan(a) __builtin_isnan(a)
#define isinf(a) __builtin_isinf(a)
#define isfinite(a) __builtin_isfinite(a)
#define signbit(a) (__builtin_signbit(a) != 0)
INLINE float exp2f(float a) { return __builtin_exp2f(a); }
INLINE float __log2f(float a) { return __builtin_log2f(a); }
INLINE float rsqrtf(float a) { return __builtin_amdgcn_rsqf(a); }
INLINE unsigned __float2uint_rn(float a) {
  unsigned r;
  asm("v_rndne_f32 %0, %1\nv_cvt_u32_f32 %0, %0" : "=v"(r) : "v"(a));
  return r;
}
INLINE float __ll2float_rn(long a) { return a; }
INLINE __half __hadd_rn(__half a, __half b) { return a + b; }
INLINE __half __hfma(__half a, __half b, __half c) { return __builtin_fmaf16(a, b, c); }
INLINE __half __float2half_rn(float a) { return a; }
INLINE __half2 __hmul2_rn(__half2 a, __half2 b) { return a * b; }
INLINE __half __hmin(__half a, __half b) { return __builtin_fminf16(a, b); }

extern "C" __device__ double __ocml_sin_f64(double);
extern "C" __device__ double __ocml_pow_f64(double, double);
INLINE double sin(double a) { return __ocml_sin_f64(a); }
INLINE double pow(double a, double b) { return __ocml_pow_f64(a, b); }

// What OCML asks about the target.
#define CONTROL(name, T, value) extern "C" __constant__ const T name = value;
#if WAVE == 64
CONTROL(__oclc_ISA_version, int, 9402)
#else
CONTROL(__oclc_ISA_version, int, 11000)
#endif
CONTROL(__oclc_ABI_version, int, 500)
CONTROL(__oclc_wavefrontsize64, char, WAVE == 64)
CONTROL(__oclc_daz_opt, char, 0)
CONTROL(__oclc_finite_only_opt, char, 0)
CONTROL(__oclc_unsafe_math_opt, char, 0)
CONTROL(__oclc_correctly_rounded_sqrt32, char, 1)
