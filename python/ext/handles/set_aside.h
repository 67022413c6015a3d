// The exception that is set, put aside round what may run Python code while something is released:
// a DLPack deleter, the driver of a machine that stands in for a GPU.
#pragma once

#include "python/ext/handles/python.h"

namespace hetjit::python {

/// Set again when this ends. What was raised meanwhile and is nobody's answer is told, not raised.
class SetAside {
 public:
  SetAside() { PyErr_Fetch(&type_, &value_, &trace_); }
  ~SetAside() {
    if (PyErr_Occurred()) PyErr_WriteUnraisable(nullptr);
    PyErr_Restore(type_, value_, trace_);
  }
  SetAside(const SetAside&) = delete;
  SetAside& operator=(const SetAside&) = delete;

 private:
  PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

}  // namespace hetjit::python
