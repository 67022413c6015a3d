// The bytes of a Python buffer, held as long as this lives.
#pragma once

#include <string>

#include "python/ext/handles/errors.h"

namespace hetjit::python {

class HostBytes {
 public:
  HostBytes() = default;
  HostBytes(const HostBytes&) = delete;
  HostBytes& operator=(const HostBytes&) = delete;
  ~HostBytes() {
    if (held_) PyBuffer_Release(&view_);
  }

  /// In C order, and of that many bytes. False: an exception is set.
  bool take(Borrowed from, int flags, size_t bytes) {
    if (PyObject_GetBuffer(from.get(), &view_, flags | PyBUF_C_CONTIGUOUS) < 0) return false;
    held_ = true;
    if (static_cast<size_t>(view_.len) == bytes) return true;
    return fail(PyExc_ValueError, "a buffer of " + std::to_string(view_.len) +
                                      " bytes for an array of " + std::to_string(bytes));
  }
  std::byte* data() const { return static_cast<std::byte*>(view_.buf); }
  bool writable() const { return !view_.readonly; }

 private:
  Py_buffer view_{};
  bool held_ = false;
};

}  // namespace hetjit::python
