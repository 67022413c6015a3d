// All instances of one specialisation: which function for which types, each inferred once.
#pragma once

#include <memory>
#include <vector>

#include "abi/signature.h"
#include "abi/target_name.h"
#include "compiler/checks/checks.h"
#include "compiler/ir/ir.h"
#include "compiler/typing/core/instance.h"
#include "compiler/typing/core/shared_variables.h"
#include "compiler/typing/known/external_functions.h"
#include "frontend/diag/diagnostic.h"

namespace hetjit::typing {

class Evaluation;

/// Instances of one function on the way to the one being inferred; more are taken for endless
/// recursion.
constexpr size_t kMaxWorking = 64;
/// Calls that are followed on one stack; then a new one begins.
constexpr size_t kCallsPerStack = 32;
/// How deep recursive functions may call themselves and each other at run time. Deeper is a
/// RecursionError. GPUs reserve the stack for it (pipeline, stack_bytes).
constexpr uint32_t kMaxRecursion = 128;

class Specializer {
 public:
  Specializer(const ssa::Module& program, const TargetName& target, Checks checks,
              ExternalFunctions& externals)
      : program_(program),
        target_(target),
        checks_(checks),
        externals_(externals),
        shared_(target),
        told_(program.functions.size()),
        endless_(program.functions.size()) {}

  /// What is compiled for.
  const TargetName& target() const { return target_; }
  /// What the program is to watch itself for.
  Checks checks() const { return checks_; }
  const ssa::Module& program() const { return program_; }
  const Snapshot& snapshot(uint32_t function) const {
    return program_.program->functions[function];
  }
  const Source& source_of(const Instance& instance) const;
  size_t libraries() const { return program_.program->libraries.size(); }
  const CxxLibrary& library(uint32_t index) const { return program_.program->libraries[index]; }
  /// Who knows what a call of C++ is.
  ExternalFunctions& externals() { return externals_; }
  /// Code that the module calls; what is there already is not added again.
  void add_external(const ir::External& code);

  /// The instance of the program's first function, inferred.
  Instance& entry(TypeValues parameters);
  /// The instance of a function for these parameter types, inferred. One that is being inferred (it
  /// calls itself) has the result that is known so far. Null when it calls itself with ever new
  /// types.
  /// `exact`: one whose result has a second form (python_floats.h).
  Instance* instance(const FunctionType& function, TypeValues parameters, bool exact = false);

  /// Those of a function that there are by now.
  std::vector<Instance*> instances_of(uint32_t function) const;

  /// Gives an instance its function's code, read in that way, and forgets what was inferred. False:
  /// it cannot be read so, and nothing changed.
  bool read_as(Instance& instance, const Reading& reading);

  /// Tells the user what is wrong in an instance, once. True: nothing is.
  bool report(Instance& instance, Diagnostics& diags);
  /// The same for a function called at an instruction, which its messages then name.
  bool report_callee(Instance& callee, Evaluation& at);
  /// True the first time it is asked about a function: what cannot be read is reported once.
  bool first_report(uint32_t function);

  SharedVariables& shared() { return shared_; }
  /// A number for a variable of a thread's own.
  uint32_t next_local() { return locals_++; }
  /// The number of a site; equal ones are one.
  uint32_t add_site(Site site);
  /// The typed function that an instance becomes; translate() makes it.
  uint32_t ir_function(Instance& instance);
  /// Translates an entry and whatever it calls.
  ir::Module translate(Instance& entry, const Signature& signature);

 private:
  struct Code {  // a function read in a certain way
    uint32_t function = 0;
    Reading reading;
    std::optional<ssa::Function> read;  // unless it is the program's own
    const ssa::Function* code = nullptr;
    std::shared_ptr<const Flow> flow;
  };

  Instance& make(const FunctionType& function, TypeValues parameters);
  const Code& code_for(uint32_t function, const Reading& reading);
  void settle(Instance& instance);
  void settle_callee(Instance& instance);
  bool is_endless(uint32_t function) const;
  bool infer_once(Instance& instance, size_t place);
  void depend_on(size_t place);

  const ssa::Module& program_;
  const TargetName target_;
  const Checks checks_;
  ExternalFunctions& externals_;
  std::vector<ir::External> external_code_;
  SharedVariables shared_;
  uint32_t locals_ = 0;
  std::vector<std::unique_ptr<Instance>> instances_;
  std::vector<std::unique_ptr<Code>> codes_;
  std::vector<bool> told_;             // by function
  std::vector<bool> endless_;          // by function: calls itself with ever new types
  std::vector<Instance*> translated_;  // by typed function
  Sites sites_;
  std::vector<Instance*> working_;  // each called by the one before it
  size_t reporting_ = 0;            // calls on the way to the function being reported
};

/// Runs an instance to its fixed point.
void infer(Specializer& whole, Instance& instance);

/// The one type of the values that a typed function returns: none, the leaf's, or a flat tuple.
TypeId result_type(const TypeValue& result);

/// Code of an instance. `entry`: the signature whose parameters it keeps whole, or null.
ir::Function translate_instance(Specializer& whole, Instance& instance, const Signature* entry);

}  // namespace hetjit::typing
