// What a kernel may call that is not a Python function: qualified name -> builtin. A builtin is one
// function that states type and code together (compiler/typing/core/evaluation.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/typing/core/evaluation.h"

namespace hetjit::builtins {

using typing::Arguments;
using typing::Evaluation;
using typing::Value;
struct Builtin;

/// A call after its arguments were matched: `values` are as many as `parameters` names were given,
/// None where one that may be left out was, before another.
using CallFunction = Value (*)(Evaluation& at, const Builtin& self,
                               const std::vector<Value>& values);

struct Builtin {
  std::string_view name;        // "numpy.sqrt"
  CallFunction call = nullptr;  // null: cannot be called
  /// Instead of `call`: gets the arguments as they were written.
  Value (*call_as_written)(Evaluation& at, const Builtin& self,
                           const Arguments& arguments) = nullptr;
  uint8_t least = 0, most = 0;  // how many arguments
  uint16_t detail = 0;          // which function of a family: a MathFunction, an operator, …
  std::string_view parameters;  // names for keyword arguments, with a blank between
  bool arithmetic = false;      // computes a number of numbers, and does nothing else
  /// Attribute and item of something that is no function: thread_idx.x, thread_idx[0].
  Value (*attribute)(Evaluation& at, const Builtin& self, std::string_view name) = nullptr;
  Value (*item)(Evaluation& at, const Builtin& self, const Value& index) = nullptr;
  /// What it is where it is used as a value: thread_idx as a whole is a uint32x3.
  Value (*value)(Evaluation& at, const Builtin& self) = nullptr;

  std::string_view short_name() const { return name.substr(name.rfind('.') + 1); }
};

constexpr uint8_t kAnyCount = 255;

/// The builtin of that qualified name, or null.
const Builtin* find(std::string_view name);

/// Names of the builtins of a module ("math"), for suggestions.
std::vector<std::string_view> names_of(std::string_view module);

/// Checks count and keywords and calls.
Value call(Evaluation& at, const Builtin& builtin, const Arguments& arguments);

}  // namespace hetjit::builtins
