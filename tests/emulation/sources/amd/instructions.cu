// What C++ seldom makes of itself: instructions of AMD's by their builtins and names. Every kernel:
// out[i] from a[i] and b[i].
#include <cuda_fp16.h>
#define KERNEL(name, R, A, B) extern "C" __global__ void name(R* out, const A* a, const B* b, int n)
#define AT                                       \
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return
#define BUILTIN(name) __builtin_amdgcn_##name
#if WAVE == 64
#define CARRY "vcc"
#else
#define CARRY "vcc_lo"
#endif

// ---- integers

KERNEL(bit_fields, uint32_t, uint32_t, uint32_t) {
  AT;
  out[i] = BUILTIN(ubfe)(a[i], b[i] & 31, 7) * 31 +
           (uint32_t)BUILTIN(sbfe)((int)a[i], b[i] >> 5 & 31, b[i] >> 10 & 15);
}
KERNEL(bit_mask_chosen, uint32_t, uint32_t, uint32_t) {
  AT;
  out[i] = (a[i] & b[i]) | (~a[i] & (uint32_t)i * 77u);
}
KERNEL(three_operands, uint32_t, uint32_t, uint32_t) {
  AT;
  uint32_t x = a[i], y = b[i], z = i * 0x01234567u;
  out[i] = (x + y + z) ^ ((x << 5) + y) ^ ((x + y) << 3) ^ ((x | y) | z) ^ ((x & y) | z) ^
           (x ^ y ^ z) ^ ((x << 7) | y);
}
KERNEL(permuted, uint32_t, uint32_t, uint32_t) {
  AT;
  out[i] = BUILTIN(perm)(a[i], b[i], 0x0d0c0a00u ^ (i & 7) * 0x01010101u);
}
KERNEL(aligned_bytes, uint32_t, uint32_t, uint32_t) {
  AT;
  out[i] = BUILTIN(alignbyte)(a[i], b[i], i & 3) + BUILTIN(alignbit)(a[i], b[i], i & 31);
}
KERNEL(sums_of_differences, uint32_t, uint32_t, uint32_t) {
  AT;
  out[i] = BUILTIN(sad_u8)(a[i], b[i], 1000u) + 3 * BUILTIN(sad_u16)(a[i], b[i], 0u) +
           5 * BUILTIN(sad_hi_u8)(a[i], b[i], 9u) + 7 * BUILTIN(msad_u8)(a[i], b[i], 1u);
}
KERNEL(lerped, uint32_t, uint32_t, uint32_t) {
  AT;
  out[i] = BUILTIN(lerp)(a[i], b[i], a[i] ^ b[i]);
}
KERNEL(medians, int32_t, int32_t, int32_t) {
  AT;
  int x = a[i], y = b[i], z = i * 1000003;
  int low = min(x, y), high = max(x, y);
  out[i] = min(max(low, z), high) + 3 * min(low, z) + 5 * max(high, z);
}
KERNEL(wide_products, uint64_t, uint32_t, uint32_t) {
  AT;
  uint64_t x;
  int64_t y;
  asm("v_mad_u64_u32 %0, " CARRY ", %1, %2, %3"
      : "=&v"(x)
      : "v"(a[i]), "v"(b[i]), "v"((uint64_t)a[i] << 20)
      : "vcc");
  asm("v_mad_i64_i32 %0, " CARRY ", %1, %2, %3" : "=&v"(y) : "v"(a[i]), "v"(b[i]), "v"(x) : "vcc");
  out[i] = x * 3 + y;
}
KERNEL(carried, uint64_t, uint32_t, uint32_t) {
  AT;
  uint32_t low = a[i], high = b[i];
  uint64_t sum = ((uint64_t)low << 32 | high) + ((uint64_t)high << 32 | low);
  uint64_t difference = ((uint64_t)low << 31 | high) - ((uint64_t)high << 32 | low);
  out[i] = sum ^ difference * 3;
}
KERNEL(counted, int32_t, int32_t, uint32_t) {
  AT;
  out[i] = __builtin_clrsb(a[i]) * 1000 + __builtin_popcount(b[i]) +
           (int)(__builtin_bitreverse32(b[i]) >> 20);
}
KERNEL(packed_shorts, uint32_t, uint32_t, uint32_t) {
  AT;
  typedef unsigned short ushort2 __attribute__((ext_vector_type(2)));
  typedef short short2 __attribute__((ext_vector_type(2)));
  ushort2 x = __builtin_bit_cast(ushort2, a[i]), y = __builtin_bit_cast(ushort2, b[i]);
  short2 s = __builtin_bit_cast(short2, a[i]), t = __builtin_bit_cast(short2, b[i]);
  ushort2 r = (x + y) * (x - y) + (x << (y & (unsigned short)15)) + (x >> (y & (unsigned short)15));
  short2 q =
      __builtin_elementwise_min(s, t) + __builtin_elementwise_max(s, -t) + (s >> (t & (short)15));
  out[i] = __builtin_bit_cast(uint32_t, r) ^ __builtin_bit_cast(uint32_t, q);
}
KERNEL(saturated_sums, uint32_t, int32_t, int32_t) {
  AT;
  out[i] = (uint32_t)__builtin_elementwise_add_sat(a[i], b[i]) ^
           (uint32_t)__builtin_elementwise_sub_sat((uint32_t)a[i], (uint32_t)b[i]) ^
           (uint32_t)__builtin_elementwise_sub_sat((short)a[i], (short)b[i]) * 5u;
}
KERNEL(dot_products, int32_t, int32_t, int32_t) {
  AT;
  int r;
#if WAVE == 64
  asm("v_dot4_i32_i8 %0, %1, %2, %3" : "=v"(r) : "v"(a[i]), "v"(b[i]), "v"(i));
#else
  asm("v_dot4_i32_iu8 %0, %1, %2, %3 neg_lo:[1,1,0]" : "=v"(r) : "v"(a[i]), "v"(b[i]), "v"(i));
#endif
  out[i] = r;
}
KERNEL(scalars, uint64_t, uint32_t, uint32_t) {
  AT;
  uint64_t x = (uint64_t)BUILTIN(readfirstlane)(a[blockIdx.x * blockDim.x]) << 20;
  uint32_t y = b[blockIdx.x];
  uint64_t r = (x >> (y & 63)) + __builtin_popcountl(x) + (x * y) + __builtin_ctzl(x | 1ul << 50) +
               ((int64_t)x >> 7);
  uint32_t q = (y << (y & 31)) ^ __builtin_clz(y | 1) ^ (uint32_t)((int)y >> 3) ^
               (uint32_t)min((int)y, 1000) ^ (y * 77u) ^ ~(y & 0xF0F0u);
  out[i] = r ^ q;
}

// ---- floats

KERNEL(three_floats, float, float, float) {
  AT;
  float x = a[i], y = b[i], z = i * 0.25f - 20;
  float low = __builtin_fminf(x, y), high = __builtin_fmaxf(x, y);
  out[i] = BUILTIN(fmed3f)(x, y, z) + (__builtin_fminf(low, z) - __builtin_fmaxf(high, z)) * 0.5f;
}
KERNEL(modified, float, float, float) {
  AT;
  out[i] = -__builtin_fabsf(a[i]) * -b[i] + __builtin_fmaf(-a[i], __builtin_fabsf(b[i]), -2.0f);
}
KERNEL(clamped, float, float, float) {
  AT;
  float r;
  asm("v_mul_f32_e64 %0, %1, -|%2| clamp" : "=v"(r) : "v"(a[i]), "v"(b[i]));
  out[i] = r + 0.0f;
}
KERNEL(taken_apart, double, double, float) {
  AT;
  out[i] = BUILTIN(frexp_mant)(a[i]) + BUILTIN(frexp_exp)(a[i]) * 4 +
           BUILTIN(frexp_mantf)(b[i]) * 1024 + BUILTIN(frexp_expf)(b[i]) * 65536.0;
}
KERNEL(scaled, double, double, int32_t) {
  AT;
  out[i] = __builtin_ldexp(a[i], b[i] % 1100);
}
KERNEL(scaled_float, float, float, int32_t) {
  AT;
  out[i] = __builtin_ldexpf(a[i], b[i] % 160);
}
KERNEL(fractions, double, double, float) {
  AT;
  out[i] = BUILTIN(fract)(__builtin_fabs(a[i])) + BUILTIN(fractf)(__builtin_fabsf(b[i])) * 4;
}
KERNEL(classes, uint32_t, double, float) {
  AT;
  out[i] = 0;
  for (int k = 0; k < 10; ++k)
    out[i] |= (uint32_t)BUILTIN(class)(a[i], 1 << k) << k | (uint32_t)BUILTIN(classf)(b[i], 1 << k)
                                                                << (k + 16);
}
KERNEL(rounded_doubles, double, double, double) {
  AT;
  out[i] = __builtin_rint(a[i]) + 4 * __builtin_floor(b[i]) + 2 * __builtin_ceil(a[i]) +
           __builtin_trunc(b[i]);
}
KERNEL(divided_doubles, double, double, double) {
  AT;
  out[i] = a[i] / b[i];
}
KERNEL(roots_of_doubles, double, double, double) {
  AT;
  out[i] = __builtin_sqrt(__builtin_fabs(a[i]));
}
KERNEL(roots_of_floats, float, float, float) {
  AT;
  out[i] = __builtin_sqrtf(__builtin_fabsf(a[i]));
}
KERNEL(to_halves, uint32_t, float, float) {
  AT;
  float x = __builtin_isnan(a[i]) ? 0 : a[i], y = __builtin_isnan(b[i]) ? 1 : b[i];
  out[i] = __builtin_bit_cast(uint32_t, BUILTIN(cvt_pkrtz)(x, y));
}
KERNEL(packed_halves, __half2, __half2, __half2) {
  AT;
  out[i] = __builtin_elementwise_fma(a[i], b[i], a[i]) - b[i] * (__half2)(_Float16)0.5;
}
KERNEL(mixed_halves, float, __half, float) {
  AT;
  out[i] = __builtin_fmaf((float)a[i], b[i], (float)a[i]);
}
KERNEL(bytes_to_floats, float, uint32_t, uint32_t) {
  AT;
  out[i] = (float)(a[i] & 255) + (float)(a[i] >> 8 & 255) * 256 + (float)(a[i] >> 16 & 255) * 0.5f +
           (float)(a[i] >> 24) * 0.001953125f;
}
#if WAVE == 64
KERNEL(pairs_of_floats, float2, float2, float2) {
  AT;
  float2 r, q;
  asm("v_pk_fma_f32 %0, %1, %2, %1 op_sel_hi:[1,0,1]" : "=v"(r) : "v"(a[i]), "v"(b[i]));
  asm("v_pk_mul_f32 %0, %1, %2 op_sel:[0,1] op_sel_hi:[1,0]" : "=v"(q) : "v"(a[i]), "v"(b[i]));
  out[i] = r - q;
}
KERNEL(parts_of_words, uint32_t, uint32_t, uint32_t) {
  AT;
  uint32_t x, y;
  asm("v_add_u32_sdwa %0, %1, sext(%2) dst_sel:DWORD src0_sel:BYTE_1 src1_sel:WORD_1"
      : "=v"(x)
      : "v"(a[i]), "v"(b[i]));
  y = a[i];
  asm("v_mul_u32_u24_sdwa %0, %1, %2 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 "
      "src1_sel:BYTE_0"
      : "+v"(y)
      : "v"(a[i]), "v"(b[i]));
  out[i] = x + y;
}
#endif

// ---- lanes

KERNEL(rows_moved, int32_t, int32_t, int32_t) {
  AT;
  int x = a[i];
  out[i] = BUILTIN(update_dpp)(b[i], x, 0x111, 15, 15, false) +
           3 * BUILTIN(update_dpp)(7, x, 0x102, 15, 15, true) +
           5 * BUILTIN(update_dpp)(0, x, 0x121, 15, 15, true) +
           7 * BUILTIN(update_dpp)(b[i], x, 0x1B, 5, 3, false);
}
KERNEL(swizzled, int32_t, int32_t, int32_t) {
  AT;
  out[i] = BUILTIN(ds_swizzle)(a[i], 0x8000 | 0x1B) + 3 * BUILTIN(ds_swizzle)(a[i], 0x041F) +
           5 * BUILTIN(ds_swizzle)(a[i], 7 | 8 << 5 | 4 << 10);
}
KERNEL(sent_to_lanes, int32_t, int32_t, int32_t) {
  AT;
  out[i] = BUILTIN(ds_permute)((lane_of() ^ 3) << 2, a[i]) +
           3 * BUILTIN(ds_bpermute)((lane_of() + 5) << 2, a[i]);
}
KERNEL(one_lane, int32_t, int32_t, int32_t) {
  AT;
  int y = b[i];
  asm("v_writelane_b32 %0, %1, 9" : "+v"(y) : "s"(77));
  out[i] = BUILTIN(readlane)(a[i], 5) + 3 * BUILTIN(readfirstlane)(a[i]) + y;
}

// ---- memory

KERNEL(narrow_accesses, int64_t, int8_t, uint16_t) {
  AT;
  const int16_t* s = (const int16_t*)a;
  out[i] = a[i] + 1000l * ((const uint8_t*)a)[i ^ 1] + 1000000l * s[i / 2] + 1000000000l * b[i];
}
typedef uint32_t uint3 __attribute__((ext_vector_type(3)));
typedef uint32_t uint4 __attribute__((ext_vector_type(4)));
KERNEL(wide_accesses, uint4, uint4, uint4) {
  __shared__ uint4 four[64];
  __shared__ uint32_t three[3 * 64];
  AT;
  four[threadIdx.x] = a[i];
  uint4 x = b[i];
  for (int k = 0; k < 3; ++k) three[3 * threadIdx.x + k] = x[k];
  __syncthreads();
  uint4 y = four[threadIdx.x ^ 1];
  uint32_t* z = three + 3 * (threadIdx.x ^ 2);
  out[i] = uint4{y.x + z[0], y.y ^ z[1], y.z - z[2], y.w};
}
KERNEL(shared_shorts, int32_t, int16_t, uint8_t) {
  __shared__ int16_t shorts[64];
  __shared__ uint8_t small[64];
  AT;
  shorts[threadIdx.x] = a[i];
  small[threadIdx.x] = b[i];
  __syncthreads();
  out[i] = shorts[63 - threadIdx.x] * 256 + small[threadIdx.x ^ 7];
}
KERNEL(shared_atomics, uint32_t, uint32_t, uint32_t) {
  __shared__ uint32_t box[8];
  __shared__ uint64_t wide[2];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 8) box[threadIdx.x] = threadIdx.x == 1 ? ~0u : 0;
  if (threadIdx.x < 2) wide[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&box[0], a[i]);
  atomicMin(&box[1], a[i]);
  atomicMax(&box[2], b[i]);
  atomicOr(&box[3], a[i] & b[i]);
  atomicXor(&box[4], b[i]);
  atomicInc(&box[5], 40);
  atomicMax((int*)&box[6], (int)a[i]);
  __hip_atomic_fetch_add(&wide[0], (uint64_t)a[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_fetch_max(&wide[1], (uint64_t)a[i] << 20 | b[i], __ATOMIC_RELAXED,
                         __HIP_MEMORY_SCOPE_WORKGROUP);
  __syncthreads();
  if (threadIdx.x < 8) out[blockIdx.x * 12 + threadIdx.x] = box[threadIdx.x];
  if (threadIdx.x < 4)
    out[blockIdx.x * 12 + 8 + threadIdx.x] = wide[threadIdx.x / 2] >> 32 * (threadIdx.x & 1);
}
KERNEL(wide_atomics, uint64_t, uint64_t, uint64_t) {
  AT;
  atomicAdd(&out[0], a[i]);
  atomicMin(&out[1], a[i]);
  atomicMax((int64_t*)&out[2], (int64_t)b[i]);
  atomicAnd(&out[3], a[i] | 0xFFFF);
  atomicXor(&out[4], b[i]);
}
