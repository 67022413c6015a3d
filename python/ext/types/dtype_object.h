// device.float32 and its kin as Python objects: a name that stands for a type. The Python class
// (device/types.py) adds what they do on the host.
#pragma once

#include "abi/signature.h"
#include "python/ext/handles/handle.h"

namespace hetjit::python {

/// The type `DType` of a module. Empty: an exception is set.
Handle make_dtype_type(Borrowed module);

/// The type behind an instance of DType or of a subclass.
Parameter parameter_of_dtype(Borrowed dtype);

}  // namespace hetjit::python
