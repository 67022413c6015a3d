// Our types in C++, over interop.hpp: `hetjit::float32x3`,
// `hetjit::interoperable_array_descriptor<hetjit::int32, 2>`.
#pragma once

#include <string>

#include "abi/type.h"

namespace hetjit {

/// A tuple or struct has a name that follows from what it is, `hetjit_record_3f0a…`, which is for
/// cxx_definition to define.
std::string cxx_name(TypeId id);

/// A tuple or struct: its definition, with a static_assert for size, alignment and every offset.
/// Its parts must have been defined before.
std::string cxx_definition(TypeId record);

}  // namespace hetjit
