// Which kernels have a form as vectors: every thread of a warp a lane.
#pragma once

#include <optional>
#include <string>

#include "compiler/ir/ir.h"

namespace hetjit::host {

/// Why a kernel has to run thread by thread.
struct NoVectorForm {
  std::string why;
  SpanId where;  // of the op that vectors do not have; invalid: it is about the whole kernel
};

/// Calls taken in, and blocks merged. nullopt: functions call each other in a circle, or are too
/// large together.
std::optional<ir::Function> flattened(const ir::Module& module);

/// Of a kernel that calls nothing. nullopt: it has a vector form.
std::optional<NoVectorForm> why_no_vector_form(const ir::Function& function);

}  // namespace hetjit::host
