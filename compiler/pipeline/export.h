// Functions for C++ to call: code for its linker, and a header.
#pragma once

#include <optional>
#include <string>

#include "compiler/pipeline/options.h"
#include "compiler/target/target.h"
#include "frontend/diag/diagnostic.h"
#include "frontend/ssa/function.h"

namespace hetjit {

struct Export {
  std::string code, symbol, header;
};

/// functions[0] with the symbol and the convention of an `extern "C"` function of its name; of a
/// kernel, for GPUs, as a __global__ one.
/// nullopt: diags says why.
std::optional<Export> export_function(const ssa::Module& code, const Options& options,
                                      target::ExportForm form, Diagnostics& diags);

}  // namespace hetjit
