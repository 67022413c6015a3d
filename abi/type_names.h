// Types in the user's words, where one message names two of them.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "abi/type.h"

namespace hetjit {

/// Structs of one name with their fields as well, where these differ; else as to_python has them.
std::pair<std::string, std::string> to_python_apart(TypeId a, TypeId b);

/// The builtin number of that kind: `float`.
std::string_view builtin_name(Scalar scalar);

}  // namespace hetjit
