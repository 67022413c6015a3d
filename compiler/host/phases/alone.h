// A kernel whose calls are taken in, so that a wait in what it calls is one of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/ir.h"

namespace hetjit::host {

/// The kernel by itself, a result stored where the last parameter says. Calls are taken in, if all
/// together are not too large and call each other in no circle; else calls of functions in which
/// threads wait, and the others stay. nullopt: not even that can be done (why_not_alone).
std::optional<ir::Function> alone(const ir::Module& module);
/// What the user is told where threads wait and there is no alone(): what to do, and where it is.
struct NotAlone {
  std::string why, remedy;
  Span where;
};
/// Of a module without alone(), in which something may wait.
NotAlone why_not_alone(const ir::Module& module);
bool has_calls(const ir::Function& function);
/// What such a kernel calls still: the module's functions at their numbers, without blocks those
/// that nobody calls. Empty: nothing.
std::vector<ir::Function> called_functions(const ir::Function& kernel, const ir::Module& module);

}  // namespace hetjit::host
