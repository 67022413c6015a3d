// Integer arithmetic, bits and shifts. Every kernel: out[i] from a[i] and b[i].
#include <cstdint>
#define KERNEL(name, R, A, B) extern "C" __global__ void name(R* out, const A* a, const B* b, int n)
#define AT                                       \
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return

KERNEL(add_signed, int32_t, int32_t, int32_t) {
  AT;
  out[i] = (int32_t)((uint32_t)a[i] + (uint32_t)b[i]);
}
KERNEL(sub_short, int16_t, int16_t, int16_t) {
  AT;
  out[i] = a[i] - b[i];
}
KERNEL(multiply_long, uint64_t, uint64_t, uint64_t) {
  AT;
  out[i] = a[i] * b[i];
}
KERNEL(multiply_wide, int64_t, int32_t, int32_t) {
  AT;
  out[i] = (int64_t)a[i] * b[i];
}
KERNEL(multiply_high, int32_t, int32_t, int32_t) {
  AT;
  out[i] = __mulhi(a[i], b[i]);
}
KERNEL(multiply_high_unsigned, uint32_t, uint32_t, uint32_t) {
  AT;
  out[i] = __umulhi(a[i], b[i]);
}
KERNEL(multiply_high_long, int64_t, int64_t, int64_t) {
  AT;
  out[i] = __mul64hi(a[i], b[i]);
}
KERNEL(multiply_high_unsigned_long, uint64_t, uint64_t, uint64_t) {
  AT;
  out[i] = __umul64hi(a[i], b[i]);
}
KERNEL(multiply_24, int32_t, int32_t, int32_t) {
  AT;
  out[i] = __mul24(a[i], b[i]);
}
KERNEL(divide, int32_t, int32_t, int32_t) {
  AT;
  out[i] = a[i] / b[i];
}
KERNEL(divide_unsigned_long, uint64_t, uint64_t, uint64_t) {
  AT;
  out[i] = a[i] / b[i];
}
KERNEL(remainder_long, int64_t, int64_t, int64_t) {
  AT;
  out[i] = a[i] % b[i];
}
KERNEL(remainder_by_seven, uint32_t, uint32_t, uint32_t) {
  AT;
  out[i] = a[i] % 7u + b[i] / 10u;
}
KERNEL(smallest, int32_t, int32_t, int32_t) {
  AT;
  out[i] = min(a[i], b[i]) ^ max(a[i], b[i]) ^ abs(a[i]);
}
KERNEL(absolute_difference, uint32_t, int32_t, int32_t) {
  AT;
  out[i] = __sad(a[i], b[i], 5u);
}
KERNEL(count_bits, int32_t, uint32_t, uint64_t) {
  AT;
  out[i] = __popc(a[i]) + 100 * __popcll(b[i]) + 10000 * __clz(a[i]) + 1000000 * __clzll(b[i]);
}
KERNEL(first_bit, int32_t, int32_t, int64_t) {
  AT;
  out[i] = __ffs(a[i]) * 100 + __ffsll(b[i]);
}
KERNEL(reverse_bits, uint64_t, uint32_t, uint64_t) {
  AT;
  out[i] = __brev(a[i]) ^ __brevll(b[i]);
}
KERNEL(permute_bytes, uint32_t, uint32_t, uint32_t) {
  AT;
  out[i] = __byte_perm(a[i], b[i], a[i] ^ (b[i] >> 3));
}
KERNEL(shift_left, uint32_t, uint32_t, uint32_t) {
  AT;
  out[i] = a[i] << (b[i] & 31);
}
KERNEL(shift_right_signed, int64_t, int64_t, uint32_t) {
  AT;
  out[i] = a[i] >> (b[i] & 63);
}
KERNEL(funnel, uint32_t, uint32_t, uint32_t) {
  AT;
  out[i] = __funnelshift_l(a[i], b[i], b[i]) ^ __funnelshift_rc(a[i], b[i], b[i] & 63);
}
KERNEL(dot_bytes, int32_t, int32_t, int32_t) {
  AT;
  out[i] = __dp4a(a[i], b[i], 7);
}
KERNEL(dot_unsigned, uint32_t, uint32_t, uint32_t) {
  AT;
  out[i] = __dp4a(a[i], b[i], 7u);
}
KERNEL(halving_average, uint32_t, uint32_t, uint32_t) {
  AT;
  out[i] = __uhadd(a[i], b[i]) + (uint32_t)__rhadd((int)a[i], (int)b[i]);
}

// What C has no word for.
KERNEL(add_128, uint64_t, uint64_t, uint64_t) {
  AT;
  unsigned __int128 x = ((unsigned __int128)a[i] << 64) | b[i],
                    y = ((unsigned __int128)b[i] << 64) | a[i];
  x = x + y * 3 - (x >> 7);
  out[i] = (uint64_t)(x >> 64) ^ (uint64_t)x;
}
#ifndef __HIP__  // NVIDIA's alone
KERNEL(carries, uint32_t, uint32_t, uint32_t) {
  AT;
  uint32_t low, high;
  asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, 0, 0;"
      : "=r"(low), "=r"(high)
      : "r"(a[i]), "r"(b[i]));
  out[i] = low * 2 + high;
}
KERNEL(borrows, uint32_t, uint32_t, uint32_t) {
  AT;
  uint32_t low, high;
  asm("sub.cc.u32 %0, %2, %3;\n\tsubc.u32 %1, 5, 0;"
      : "=r"(low), "=r"(high)
      : "r"(a[i]), "r"(b[i]));
  out[i] = low * 8 + high;
}
KERNEL(add_saturated, int32_t, int32_t, int32_t) {
  AT;
  asm("add.sat.s32 %0, %1, %2;" : "=r"(out[i]) : "r"(a[i]), "r"(b[i]));
}
KERNEL(bit_field, uint32_t, uint32_t, uint32_t) {
  AT;
  uint32_t start = b[i] & 31, length = (b[i] >> 8) & 31, x, y;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(x) : "r"(a[i]), "r"(start), "r"(length));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(y) : "r"(a[i]), "r"(start), "r"(length));
  out[i] = x * 31 + y;
}
KERNEL(bit_insert, uint32_t, uint32_t, uint32_t) {
  AT;
  uint32_t start = b[i] & 31, length = (b[i] >> 8) & 31;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(out[i]) : "r"(a[i]), "r"(b[i]), "r"(start), "r"(length));
}
KERNEL(find_top, uint32_t, int32_t, uint32_t) {
  AT;
  uint32_t x, y;
  asm("bfind.s32 %0, %1;" : "=r"(x) : "r"(a[i]));
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(y) : "r"(b[i]));
  out[i] = x * 64 + y;
}
KERNEL(any_logic, uint32_t, uint32_t, uint32_t) {
  AT;
  uint32_t x, y;
  asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(x) : "r"(a[i]), "r"(b[i]), "r"(i));
  asm("lop3.b32 %0, %1, %2, %3, 0x1D;" : "=r"(y) : "r"(a[i]), "r"(b[i]), "r"(i));
  out[i] = x + 3 * y;
}
KERNEL(extend_bits, int32_t, int32_t, uint32_t) {
  AT;
  uint32_t width = b[i] & 31;
  asm("szext.wrap.s32 %0, %1, %2;" : "=r"(out[i]) : "r"(a[i]), "r"(width));
}
KERNEL(shifts_too_far, uint64_t, uint64_t, uint32_t) {
  AT;
  uint64_t x, y;
  uint32_t by = b[i] % 100;
  asm("shl.b64 %0, %1, %2;" : "=l"(x) : "l"(a[i]), "r"(by));
  asm("shr.u64 %0, %1, %2;" : "=l"(y) : "l"(a[i]), "r"(by));
  out[i] = x ^ y;
}
#endif
