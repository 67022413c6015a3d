// Functions of C++, as far as types are concerned: whoever compiles C++ (compiler/cxx) answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abi/target_name.h"
#include "compiler/ir/ir.h"
#include "frontend/snapshot/snapshot.h"

namespace hetjit::typing {

/// A call of C++, whose own rules choose the function.
struct ExternalCall {
  const CxxLibrary& library;
  std::string callee;         // as C++ writes it: "app::norm<float, 4>"
  std::vector<TypeId> named;  // types of ours that the callee names
  std::vector<TypeId> arguments;
  TargetName target;
};

/// The function that is called.
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
