// Functions of C++, as far as types are concerned: whoever compiles C++ (compiler/cxx) answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abi/target_name.h"
#include "compiler/ir/ir.h"
#include "frontend/snapshot/snapshot.h"

namespace hetjit::typing {

/// What C++ is asked for: the value of an expression, by C++'s own rules.
struct ExternalCall {
  const CxxLibrary& library;
  std::string expression;     // as C++ writes it, of arguments: "app::norm<float, 4>(hetjit_a0)"
  std::vector<TypeId> named;  // types of ours that it names
  std::vector<TypeId> arguments;
  TargetName target;
};

/// How an expression names an argument.
std::string name_of_argument(size_t number);
/// The expression whose result stands for a type of C++'s: nothing is computed.
std::string expression_of_type(const std::string& spelling);

/// The function that computes it.
struct ExternalFunction {
  TypeId result;
  bool pure = false;  // looks at its arguments and at nothing else
  ir::External code;
};

/// What became of a call: the function, or what the C++ compiler says.
struct ExternalAnswer {
  std::optional<ExternalFunction> function;
  std::string problem;
  std::vector<std::string> notes, helps;
};

class ExternalFunctions {
 public:
  virtual ~ExternalFunctions() = default;
  virtual ExternalAnswer find(const ExternalCall& call) = 0;
};

/// Where nobody compiles C++.
ExternalFunctions& no_external_functions();

}  // namespace hetjit::typing
