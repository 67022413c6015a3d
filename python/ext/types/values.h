// Values in memory as Python's own objects.
#pragma once

#include <cstddef>

#include "abi/type.h"
#include "python/ext/handles/handle.h"

namespace hetjit::python {

/// The value of a type that lies at an address: a number exactly, of an atomic one what it holds;
/// vectors, tuples and structs as plain tuples. Empty: an exception is set.
Handle value_object(TypeId type, const std::byte* from);

}  // namespace hetjit::python
