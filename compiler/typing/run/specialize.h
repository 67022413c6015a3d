// A signature makes it concrete: untyped graph + argument types -> typed graph.
#pragma once

#include <optional>

#include "abi/signature.h"
#include "abi/target_name.h"
#include "compiler/checks/checks.h"
#include "compiler/ir/ir.h"
#include "compiler/typing/known/external_functions.h"
#include "frontend/diag/diagnostic.h"
#include "frontend/ssa/function.h"

namespace hetjit::typing {

/// Infers the types of functions[0] for the signature, and of every device function it calls, then
/// translates. `target` decides what device.target() and its kin say; `checks` are written into the
/// code; `externals` says what calls of C++ are. `kernel`: the entry must return None. nullopt: the
/// user has been told why in diags.
std::optional<ir::Module> specialize(const ssa::Module& program, const Signature& signature,
                                     bool kernel, Diagnostics& diags, const TargetName& target = {},
                                     Checks checks = {},
                                     ExternalFunctions& externals = no_external_functions());

}  // namespace hetjit::typing
