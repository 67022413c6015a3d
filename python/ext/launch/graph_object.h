// Graphs as Python objects. The Python class (hetjit/streams.py) adds what can be said in Python.
#pragma once

#include "python/ext/handles/handle.h"

namespace hetjit::python {

/// The type `Graph` of a module. Empty: an exception is set.
Handle make_graph_type(Borrowed module);

}  // namespace hetjit::python
