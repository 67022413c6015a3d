// An array in a device's memory that we own, so that a GPU can be used without any other library.
// The Python class (hetjit/arrays.py) adds conversions; this part holds the memory and is read in
// place by launches.
#pragma once

#include "abi/dlpack.h"
#include "abi/param_buffer.h"
#include "abi/type.h"
#include "python/ext/handle.h"
#include "runtime/handles.h"

namespace hetjit::python {

struct DeviceArray {
  runtime::Buffer buffer;
  ArrayValue value;  // in C order
  TypeId element;
  DLDevice place{kDLCPU, 0};
  uint64_t word;  // what it is to a launch's key
};

/// The type `DeviceArray` of a module. Empty: an exception is set.
Handle make_array_type(Borrowed module);

/// What an instance of it, or of a subclass, holds.
const DeviceArray& array_of(Borrowed object);

}  // namespace hetjit::python
