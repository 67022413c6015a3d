// The whole compiler.
#pragma once

#include <optional>

#include "abi/kernel_image.h"
#include "compiler/ir/ir.h"
#include "compiler/pipeline/options.h"
#include "frontend/diag/diagnostic.h"
#include "frontend/ssa/function.h"

namespace hetjit {

/// Untyped graph and options to an image. nullopt: diags says why.
std::optional<KernelImage> compile(const ssa::Module& code, const Options& options,
                                   Diagnostics& diags);

/// The same up to the optimised typed graph: what the interpreter runs.
std::optional<ir::Module> compile_to_ir(const ssa::Module& code, const Options& options,
                                        Diagnostics& diags);

/// How the kernel runs for these types on the target: each access of memory, branch and loop at its
/// place in the source. nullopt: diags says why.
std::optional<std::string> explain(const ssa::Module& code, const Options& options,
                                   Diagnostics& diags);

}  // namespace hetjit
