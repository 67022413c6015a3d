// Runs untyped graphs on plain values, for tests: does the graph mean what the bytecode meant?
// Knows ints of 64 bits, floats, strings, tuples, lists (shared, as arrays are) and vectors
// (immutable).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "frontend/ssa/function.h"

namespace hetjit::ssa::evaluation {

struct Value;
using Values = std::vector<Value>;

struct None {};
struct Unbound {};
struct Builtin {
  std::string name;
};
struct Closure {
  uint32_t function = 0;
  std::string self;
  std::shared_ptr<Values> defaults;
  std::shared_ptr<std::map<std::string, Value>> captures;
};
struct Slice {
  std::shared_ptr<Values> parts;
};
struct Sequence {
  enum class Kind { Tuple, List, Vector } kind = Kind::Tuple;
  std::shared_ptr<Values> items;
};

struct Value {
  std::variant<None, bool, int64_t, double, std::string, Sequence, Slice, Builtin, Closure, Unbound>
      is;
};

/// Constants as values and back as text. A tuple that begins with "list" or "vector" stands for
/// one.
Value value_of(const Constant& constant);
std::string to_text(const Value& value);

struct Outcome {
  Value value;
  std::string problem;  // "AssertionError", "unbound 'x'", …; empty: none
};

class Evaluator {
 public:
  explicit Evaluator(const Module& module) : module_(module) {}

  Outcome call(uint32_t function, Values arguments);

 private:
  friend struct Step;
  Value call_value(const Value& callee, Values positional, std::map<std::string, Value> keywords);
  Value run(const Function& function, Values arguments, const Closure& closure);
  Value fail(std::string problem);

  const Module& module_;
  std::string problem_;
  uint64_t steps_ = 0, depth_ = 0;
};

// build_evaluator_values.cpp: what operators and builtins do. nullopt or a problem's text: they
// cannot.
bool truth(const Value& value);
bool equal(const Value& a, const Value& b);
std::optional<Value> unary(UnaryKind kind, const Value& value);
std::optional<Value> binary(BinaryKind kind, const Value& a, const Value& b);
std::optional<Value> compare(CompareKind kind, const Value& a, const Value& b);
std::optional<Value> get_item(const Value& whole, const Value& key);
std::optional<Value> set_item(const Value& whole, const Value& key, const Value& item);
std::optional<Value> call_builtin(const std::string& name, const Values& arguments);
Value make(Sequence::Kind kind, Values items);

}  // namespace hetjit::ssa::evaluation
