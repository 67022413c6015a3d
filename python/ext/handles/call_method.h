// A method of an object, called without a tuple or a dict of arguments.
#pragma once

#include "python/ext/handles/handle.h"

namespace hetjit::python {

/// `given[0].name(…)`: given[1] and what follows by position, as many as `positional` says with
/// given[0] among them, then one for each of the names of the tuple `keywords`, which may be null.
/// Empty: an exception is set.
Handle call_method(Borrowed name, PyObject* const* given, size_t positional, PyObject* keywords);

}  // namespace hetjit::python
