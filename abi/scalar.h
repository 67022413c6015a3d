// The scalar types and their facts, generated from scalars.def.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hetjit {

enum class Scalar : uint8_t {
#define SCALAR(name, ...) name,
#include "abi/scalars.def"
#undef SCALAR
};

/// Promotion order (AMB-7): the higher category wins.
enum class Category : uint8_t { Bool, Integer, Floating, Complex };

/// Which patterns of a float are no numbers.
enum class Specials : uint8_t {
  None,         // it is no float
  Ieee,         // an exponent of all ones: infinity, and NaN with any mantissa
  OneNan,       // all ones but for the sign is NaN, and there is no infinity (OCP's "fn")
  NoMinusZero,  // what would be -0 is NaN; no infinity, a bias of one more (AMD's "fnuz")
};

struct ScalarInfo {
  Scalar scalar;
  std::string_view text;         // "f32": dumps and type text
  std::string_view python_name;  // "float32": what the user writes
  Category category;
  Specials specials;
  uint16_t bits;  // of the stored value; bool is 8
  bool is_signed;
  uint8_t dlpack_code;
  uint8_t dlpack_bits;
  int8_t numpy_type;                     // NumPy type number, -1: none
  uint8_t exponent_bits, mantissa_bits;  // of a float; else 0
  std::string_view ml_dtypes_name;       // where NumPy has no such scalar; else ""

  constexpr uint32_t bytes() const { return bits / 8u; }
};

inline constexpr std::array kScalars = {
#define SCALAR(name, text, python, category, specials, ...) \
  ScalarInfo{Scalar::name, text, python, Category::category, Specials::specials, __VA_ARGS__},
#include "abi/scalars.def"
#undef SCALAR
};

constexpr const ScalarInfo& info(Scalar scalar) { return kScalars[static_cast<size_t>(scalar)]; }
constexpr bool is_integer(Scalar s) { return info(s).category == Category::Integer; }
constexpr bool is_floating(Scalar s) { return info(s).category == Category::Floating; }
/// Floats that are stored and converted, and have no arithmetic.
constexpr bool is_tiny_float(Scalar s) { return is_floating(s) && info(s).bits == 8; }
constexpr bool is_complex(Scalar s) { return info(s).category == Category::Complex; }
constexpr bool is_signed_integer(Scalar s) { return is_integer(s) && info(s).is_signed; }

/// What the parts of a complex number are.
constexpr Scalar part_of(Scalar complex) {
  return complex == Scalar::Complex64 ? Scalar::Float32 : Scalar::Float64;
}

/// Finds a scalar by its dump text ("f32") or Python name ("float32").
constexpr std::optional<Scalar> find_scalar(std::string_view name) {
  for (const ScalarInfo& row : kScalars)
    if (row.text == name || row.python_name == name) return row.scalar;
  return std::nullopt;
}

}  // namespace hetjit
