#include "compiler/target/host_symbols.h"

#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "abi/small_floats.h"
#include "compiler/ir/accurate_math.h"

namespace hetjit::target {
namespace {

// Halves, where the CPU cannot convert them (before F16C). They travel in the low 16 bits of an SSE
// register, which is where a float argument or result has its low bits too.
float low_half(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits}); }
float extend_half(float half) {
  return from_float16(static_cast<uint16_t>(std::bit_cast<uint32_t>(half)));
}
float truncate_float(float value) { return low_half(to_float16(value)); }
float truncate_double(double value) { return low_half(to_float16(value)); }

template <class Function>
const void* address_of(Function* function) {
  return reinterpret_cast<const void*>(function);
}

// With a declared type the overload is chosen, and a name that is not libm's does not compile.
using F1 = float(float);
using F2 = float(float, float);
using F3 = float(float, float, float);
using D1 = double(double);
using D2 = double(double, double);
using D3 = double(double, double, double);
}  // namespace

// math.def names the functions in strings; dlsym would depend on what the process exports, so the
// addresses are taken here, with the names spelled once more for the compiler.
#define LIBM_1(name) \
  {#name "f", address_of<F1>(::name##f)}, { #name, address_of < D1>(::name) }
#define LIBM_2(name) \
  {#name "f", address_of<F2>(::name##f)}, { #name, address_of < D2>(::name) }
#define LIBM_3(name) \
  {#name "f", address_of<F3>(::name##f)}, { #name, address_of < D3>(::name) }

namespace {

const HostSymbol kSymbols[] = {
    LIBM_1(sqrt),
    LIBM_1(floor),
    LIBM_1(ceil),
    LIBM_1(trunc),
    LIBM_1(rint),
    LIBM_1(roundeven),
    LIBM_1(nearbyint),
    LIBM_1(fabs),
    LIBM_2(copysign),
    LIBM_1(sin),
    LIBM_1(cos),
    LIBM_1(tan),
    LIBM_1(asin),
    LIBM_1(acos),
    LIBM_1(atan),
    LIBM_2(atan2),
    LIBM_1(sinh),
    LIBM_1(cosh),
    LIBM_1(tanh),
    LIBM_1(asinh),
    LIBM_1(acosh),
    LIBM_1(atanh),
    LIBM_1(exp),
    LIBM_1(exp2),
    LIBM_1(expm1),
    LIBM_1(log),
    LIBM_1(log2),
    LIBM_1(log10),
    LIBM_1(log1p),
    LIBM_2(pow),
    LIBM_1(cbrt),
    LIBM_2(hypot),
    LIBM_2(fmod),
    LIBM_2(remainder),
    LIBM_1(erf),
    LIBM_1(erfc),
    LIBM_1(tgamma),
    LIBM_1(lgamma),
    LIBM_2(nextafter),
    LIBM_3(fma),
    {"hetjit_tgammaf", address_of<F1>(ir::accurate::tgammaf)},
    {"hetjit_rsqrtf", address_of<F1>(ir::accurate::rsqrtf)},
    {"hetjit_rsqrt", address_of<D1>(ir::accurate::rsqrt)},
    {"hetjit_sinh", address_of<D1>(ir::accurate::sinh)},
    {"hetjit_tanh", address_of<D1>(ir::accurate::tanh)},
    {"hetjit_cosh", address_of<D1>(ir::accurate::cosh)},
    {"hetjit_cbrt", address_of<D1>(ir::accurate::cbrt)},
    {"hetjit_log10", address_of<D1>(ir::accurate::log10)},
    {"__extendhfsf2", address_of(extend_half)},
    {"__gnu_h2f_ieee", address_of(extend_half)},
    {"__truncsfhf2", address_of(truncate_float)},
    {"__gnu_f2h_ieee", address_of(truncate_float)},
    {"__truncdfhf2", address_of(truncate_double)},
    {"memcpy", address_of<void*(void*, const void*, size_t)>(::memcpy)},
    {"memmove", address_of<void*(void*, const void*, size_t)>(::memmove)},
    {"memset", address_of<void*(void*, int, size_t)>(::memset)},
};

}  // namespace

std::span<const HostSymbol> host_symbols() { return kSymbols; }

bool host_provides(const char* symbol) {
  return std::ranges::any_of(
             kSymbols,
             [&](const HostSymbol& one) { return std::string_view(one.name) == symbol; }) ||
         dlsym(RTLD_DEFAULT, symbol);
}

}  // namespace hetjit::target
