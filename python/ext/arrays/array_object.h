// An array in a device's memory, so that a GPU can be used without any other library. The Python
// class (hetjit/arrays.py) adds conversions; this part holds the memory and is read in place by
// launches.
#pragma once

#include <memory>

#include "abi/dlpack.h"
#include "abi/param_buffer.h"
#include "abi/type.h"
#include "python/ext/arrays/allocations.h"
#include "python/ext/arrays/host_bytes.h"
#include "python/ext/handles/handle.h"

namespace hetjit::python {

struct DeviceArray {
  runtime::Device* device;
  TypeId element;
  DLDevice place{kDLCPU, 0};
  ArrayValue value;
  uint64_t word;  // what it is to a launch's key
  size_t size;    // bytes of the elements; new_array counts them
  // Whose memory it is, one of three: its own; a buffer's, of the host; another object's.
  ArrayMemory memory;
  std::unique_ptr<HostBytes> lent;
  Kept base;

  size_t stride() const;  // bytes from one element to the next
  size_t bytes() const { return size; }
  bool writable() const;
};

/// The type `DeviceArray` of a module. Empty: an exception is set.
Handle make_array_type(Borrowed module);

/// What an instance of it, or of a subclass, holds.
const DeviceArray& array_of(Borrowed object);

/// Others are told where the memory is (ArrayMemory::share).
void share(Borrowed array);

/// The array that keeps the memory: launches that use any view of it use this one.
Borrowed owner_of(Borrowed array);

/// A tuple of extents as those of an array in C order, whose elements have so many bytes. What all
/// have together; -1: an exception is set.
int64_t read_shape(Borrowed shape, int64_t bytes, ArrayValue& to);

/// `array.part(offset, shape, strides)`: a view, all in elements.
PyObject* array_part(PyObject* self, PyObject* arguments);
/// `array.lend(versioned)`: a DLPack capsule.
PyObject* array_lend(PyObject* self, PyObject* versioned);
/// The buffer protocol, where the host can read the memory.
int array_get_buffer(PyObject* self, Py_buffer* view, int flags);
void array_release_buffer(PyObject* self, Py_buffer* view);

/// A new object of that type, or of a subclass, that holds the array. Null: an exception is set.
PyObject* new_array(PyTypeObject* type, DeviceArray array);

}  // namespace hetjit::python
