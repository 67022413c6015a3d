// `Memory`: memory of a library, as an object that releases it once, or never.
#pragma once

#include "abi/library.hpp"
#include "python/ext/handles/handle.h"

namespace hetjit::python {

/// The type `Memory` of the module. Empty: an exception is set.
Handle make_memory_type(Borrowed module);

/// Whether what an array looks at is there: false, and an exception is set, where it is memory of a
/// library that has been released.
bool check_memory_of(Borrowed array, const Handle& memory_type);

/// Where it lies. False: it has been released, and an exception is set.
bool address_of_memory(Borrowed memory, void*& to);

}  // namespace hetjit::python
