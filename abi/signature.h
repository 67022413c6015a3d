// What a kernel or device function is specialised for: the types of its arguments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "abi/status.h"
#include "abi/type.h"

namespace hetjit {

/// One parameter. A builtin Python number is *weak*: `int` is a weak i32, `float` a weak f32,
/// `bool` a weak bool; weak operands take the format of what they meet (AMB-7, HET-PROM-5).
struct Parameter {
  TypeId type;
  bool weak = false;
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

struct Signature {
  std::vector<Parameter> parameters;
  friend bool operator==(const Signature&, const Signature&) = default;

  std::vector<TypeId> types() const;
  uint64_t hash() const;  // stable across processes: computed from the text form
};

/// `(float32[:, ::1], int, float64)`: builtin names are weak, all else is a type (abi/type.h),
/// printed in Python's spelling where that says everything and else as to_text does. `weak T` is
/// any other weak parameter (a tuple of builtins: `weak (i32, f32)`); `bool_` is a bool that is not
/// weak. What is printed parses back to the same signature.
std::string to_text(const Signature& signature);
std::string to_text(const Parameter& parameter);
Result<Signature> parse_signature(std::string_view text);

}  // namespace hetjit
