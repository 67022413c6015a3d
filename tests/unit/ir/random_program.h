// Random well-formed functions, the same for the same seed: scalars of every type, branches that
// join, loops that end.
#pragma once

#include <random>
#include <vector>

#include "compiler/ir/build.h"

namespace hetjit::ir {

class RandomProgram {
 public:
  explicit RandomProgram(uint32_t seed) : random_(seed), build_(function_) {}

  /// One parameter of each type in parameter_types(); the result is a tuple.
  Module make();

  static std::vector<TypeId> parameter_types();

 private:
  size_t below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
  bool one_in(size_t n) { return below(n) == 0; }
  Scalar scalar(ValueId id) const { return type(function_.type_of(id)).scalar; }

  ValueId any();                  // a value in scope
  ValueId any_of(Scalar scalar);  // the same, converted where need be
  Scalar any_scalar(bool (*is)(Scalar));
  ValueId constant(Scalar scalar);
  void add_instruction();
  ValueId add_integer_op();
  ValueId add_float_op();
  ValueId add_bool_op();
  void add_branch(int depth);
  void add_loop(int depth);
  void add_body(int depth);

  std::mt19937 random_;
  Function function_;
  Builder build_;
  std::vector<ValueId> scope_;
};

}  // namespace hetjit::ir
