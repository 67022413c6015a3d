// Vectors of the machine's width, and exp, log and erf of them, branch-free and to about one unit
// in the last place over the arguments of the benchmark. The polynomials are least-maximum fits.
#pragma once
#include <cstdint>
#include <cstring>

#ifdef __AVX512F__
constexpr int kLanes = 16;
#else
constexpr int kLanes = 8;
#endif
using Floats = float __attribute__((ext_vector_type(kLanes)));
using Ints = int32_t __attribute__((ext_vector_type(kLanes)));

inline Floats load(const float* from) {
  Floats v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store(float* to, Floats v) { std::memcpy(to, &v, sizeof v); }
inline Floats fma(Floats a, Floats b, Floats c) { return __builtin_elementwise_fma(a, b, c); }
inline Floats select(Ints mask, Floats yes, Floats no) {
  return __builtin_bit_cast(
      Floats, (mask & __builtin_bit_cast(Ints, yes)) | (~mask & __builtin_bit_cast(Ints, no)));
}
inline Ints bits(Floats v) { return __builtin_bit_cast(Ints, v); }
inline Floats floats(Ints v) { return __builtin_bit_cast(Floats, v); }

template <int N>
Floats polynomial(Floats x, const float (&c)[N]) {
  Floats sum = c[N - 1];
  for (int i = N - 2; i >= 0; i--) sum = fma(sum, x, c[i]);
  return sum;
}

inline Floats exp(Floats x) {
  x = __builtin_elementwise_max(__builtin_elementwise_min(x, Floats(88.0f)), Floats(-87.0f));
  Floats n = __builtin_elementwise_rint(x * 1.44269504f);
  Floats r = fma(n, -1.42860677e-6f, fma(n, -0.693145752f, x));  // x - n log 2, in two steps
  Floats p = polynomial(r, {5.000000078e-1f, 1.666666686e-1f, 4.166626983e-2f, 8.333265530e-3f,
                            1.394607636e-3f, 1.991777028e-4f});
  Floats power = fma(r * r, p, r) + 1.0f;
  return power * floats((__builtin_convertvector(n, Ints) + 127) << 23);
}

inline Floats log(Floats x) {  // of normal numbers
  Ints exponent = (bits(x) - 0x3f3504f3) >> 23;
  Floats f = floats(bits(x) - (exponent << 23)) - 1.0f;  // in [sqrt(1/2) - 1, sqrt(2) - 1]
  Floats e = __builtin_convertvector(exponent, Floats);
  Floats p = polynomial(
      f, {3.333331044e-1f, -2.499998660e-1f, 2.000222661e-1f, -1.666925081e-1f, 1.421865807e-1f,
          -1.238434865e-1f, 1.187297664e-1f, -1.178980679e-1f, 6.915366229e-2f});
  Floats square = f * f;
  Floats tail = fma(square * f, p, fma(square, -0.5f, e * 1.42860677e-6f));
  return fma(e, 0.693145752f, f + tail);
}

inline Floats erf(Floats x) {
  Floats size = floats(bits(x) & 0x7fffffff), square = x * x;
  Floats near = x * polynomial(square, {1.128379148e0f, -3.761248529e-1f, 1.128172673e-1f,
                                        -2.676332941e-2f, 4.988306394e-3f, -5.965797549e-4f});
  Floats t = __builtin_elementwise_min(size, Floats(4.0f));
  Floats far = 1.0f - exp(polynomial(t, {1.758745830e-4f, -1.129520823e0f, -6.333346528e-1f,
                                         -1.082939469e-1f, 2.512862477e-2f, -4.174643092e-3f,
                                         4.352189014e-4f, -2.116190790e-5f}));
  far = floats(bits(far) | (bits(x) & int32_t(0x80000000)));
  return select(size < 0.92f, near, far);
}
