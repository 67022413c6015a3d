// `Memory`: memory of a library, as an object that releases it once, or never.
#pragma once

#include "abi/library.hpp"
#include "python/ext/handle.h"

namespace hetjit::python {

/// The type `Memory` of the module. Empty: an exception is set.
Handle make_memory_type(Borrowed module);

/// Where it lies. False: it has been released, and an exception is set.
bool address_of_memory(Borrowed memory, void*& to);

}  // namespace hetjit::python
