// What the machine's libm does not have; and where it is further from the exact result than what
// CUDA documents for its own functions (glibc 2.36: docs/math.md), a wider format does the work and
// is rounded once. The interpreter and compiled host code call the same functions. math.def names
// them `hetjit_…`.
#pragma once

namespace hetjit::ir::accurate {

float tgammaf(float x);
float rsqrtf(float x);
double rsqrt(double x);
double sinh(double x);
double tanh(double x);
double cosh(double x);
double cbrt(double x);
double log10(double x);

}  // namespace hetjit::ir::accurate
