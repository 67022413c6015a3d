// `Entry`: a function of a library as Python calls it. Arguments that are exactly what the library
// takes are handed over here; for all others there is a function in Python.
#pragma once

#include "python/ext/handles/handle.h"

namespace hetjit::python {

/// The type `Entry` of the module. Empty: an exception is set.
Handle make_entry_type(Borrowed module);

}  // namespace hetjit::python
