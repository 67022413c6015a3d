#include "compiler/ir/accurate_math.h"

#include <cmath>

namespace hetjit::ir::accurate {

float tgammaf(float x) { return static_cast<float>(::tgamma(static_cast<double>(x))); }
float rsqrtf(float x) { return 1.0f / ::sqrtf(x); }
double rsqrt(double x) { return static_cast<double>(1.0L / ::sqrtl(x)); }
double sinh(double x) { return static_cast<double>(::sinhl(x)); }
double tanh(double x) { return static_cast<double>(::tanhl(x)); }
double cosh(double x) { return static_cast<double>(::coshl(x)); }
double cbrt(double x) { return static_cast<double>(::cbrtl(x)); }
double log10(double x) { return static_cast<double>(::log10l(x)); }

}  // namespace hetjit::ir::accurate
