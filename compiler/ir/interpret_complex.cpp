// Products and quotients of complex numbers, exactly as the comments of ops_complex.h say.
#include <bit>
#include <cmath>
#include <limits>

#include "compiler/ir/interpret_values.h"
#include "compiler/ir/number_types.h"

namespace hetjit::ir {
namespace {

template <class T>
struct Parts {
  T real, imag;
};

template <class T>
constexpr T kInfinity = std::numeric_limits<T>::infinity();

// 1 or 0 with its own sign: all that is left of a number beside an infinity.
template <class T>
T unit(T x) {
  return std::copysign(std::isinf(x) ? T{1} : T{0}, x);
}
template <class T>
Parts<T> units(Parts<T> z) {
  return {unit(z.real), unit(z.imag)};
}
template <class T>
T zero_if_nan(T x) {
  return std::isnan(x) ? std::copysign(T{0}, x) : x;
}
template <class T>
Parts<T> without_nan(Parts<T> z) {
  return {zero_if_nan(z.real), zero_if_nan(z.imag)};
}
template <class T>
bool infinite(Parts<T> z) {
  return std::isinf(z.real) || std::isinf(z.imag);
}
template <class T>
bool finite(Parts<T> z) {
  return std::isfinite(z.real) && std::isfinite(z.imag);
}

template <class T>
Parts<T> repaired_product(Parts<T> plain, Parts<T> x, Parts<T> y) {
  bool overflowed = std::isinf(x.real * y.real) || std::isinf(x.imag * y.imag) ||
                    std::isinf(x.real * y.imag) || std::isinf(x.imag * y.real);
  bool x_infinite = infinite(x), y_infinite = infinite(y);
  if (!x_infinite && !y_infinite && !overflowed) return plain;
  x = x_infinite ? units(x) : without_nan(x);
  y = y_infinite ? units(y) : without_nan(y);
  return {kInfinity<T> * (x.real * y.real - x.imag * y.imag),
          kInfinity<T> * (x.real * y.imag + x.imag * y.real)};
}

template <class T>
Parts<T> product(Parts<T> x, Parts<T> y, bool fused) {
  T low = x.imag * y.imag, high = x.imag * y.real;
  Parts<T> plain = fused ? Parts<T>{std::fma(x.real, y.real, -low), std::fma(x.real, y.imag, high)}
                         : Parts<T>{x.real * y.real - low, x.real * y.imag + high};
  bool both_nan = std::isnan(plain.real) && std::isnan(plain.imag);
  return both_nan ? repaired_product(plain, x, y) : plain;
}

template <class T>
Parts<T> repaired_quotient(Parts<T> plain, Parts<T> x, Parts<T> y) {
  T scale = 1;
  if (y.real == 0 && y.imag == 0) {
    scale = std::copysign(kInfinity<T>, y.real);
    return {scale * x.real, scale * x.imag};
  }
  if (infinite(x) && finite(y)) {
    x = units(x);
    scale = kInfinity<T>;
  } else if (finite(x) && infinite(y)) {
    y = units(y);
    scale = 0;
  } else {
    return plain;
  }
  return {scale * (x.real * y.real + x.imag * y.imag), scale * (x.imag * y.real - x.real * y.imag)};
}

template <class T>
Parts<T> quotient(Parts<T> x, Parts<T> y) {
  Parts<T> plain;
  if (std::abs(y.real) >= std::abs(y.imag)) {
    T ratio = y.imag / y.real, whole = y.real + y.imag * ratio;
    plain = {(x.real + x.imag * ratio) / whole, (x.imag - x.real * ratio) / whole};
  } else {
    T ratio = y.real / y.imag, whole = y.real * ratio + y.imag;
    plain = {(x.real * ratio + x.imag) / whole, (x.imag * ratio - x.real) / whole};
  }
  bool both_nan = std::isnan(plain.real) && std::isnan(plain.imag);
  return both_nan ? repaired_quotient(plain, x, y) : plain;
}

template <Scalar Part>
Parts<Compute<Part>> read(const uint64_t* slots) {
  return {decode<Part>(slots[0]), decode<Part>(slots[1])};
}
template <Scalar Part>
void write(uint64_t* slots, Parts<Compute<Part>> value) {
  slots[0] = encode<Part>(value.real);
  slots[1] = encode<Part>(value.imag);
}

template <Scalar Part>
const Step* run_product(Machine& machine, const Step& step) {
  uint64_t* slots = machine.slots;
  write<Part>(slots + step.result,
              product(read<Part>(slots + step.a), read<Part>(slots + step.b), step.immediate != 0));
  return &step + 1;
}
template <Scalar Part>
const Step* run_quotient(Machine& machine, const Step& step) {
  uint64_t* slots = machine.slots;
  write<Part>(slots + step.result,
              quotient(read<Part>(slots + step.a), read<Part>(slots + step.b)));
  return &step + 1;
}

}  // namespace

StepFunction complex_product(Scalar complex) {
  return complex == Scalar::Complex64 ? run_product<Scalar::Float32> : run_product<Scalar::Float64>;
}
StepFunction complex_quotient(Scalar complex) {
  return complex == Scalar::Complex64 ? run_quotient<Scalar::Float32>
                                      : run_quotient<Scalar::Float64>;
}

}  // namespace hetjit::ir
