// An explanation (compiler/host/plan/explain.h) as text, with the lines of the source and the
// warnings. Private to pipeline/.
#pragma once

#include <string>

#include "compiler/host/plan/plan.h"
#include "compiler/pipeline/options.h"
#include "frontend/diag/diagnostic.h"
#include "frontend/ssa/function.h"

namespace hetjit {

std::string explanation_text(const ssa::Module& code, const ir::Module& module,
                             const std::optional<host::Plan>& plan, const Options& options,
                             const Diagnostics& diags);

}  // namespace hetjit
