// Failures as Python exceptions. All of these set the exception and return null or false, so that
// a function can end with `return fail(…)`.
#pragma once

#include <memory>
#include <string>

#include "abi/status.h"
#include "frontend/diag/diagnostic.h"
#include "frontend/snapshot/snapshot.h"
#include "python/ext/handle.h"

namespace hetjit::python {

/// Converts to what a failing function of this room returns: null, false, an empty Handle.
struct Raised {
  template <class T>
  operator T*() const {
    return nullptr;
  }
  operator bool() const { return false; }
  operator Handle() const { return Handle(); }
};

Raised fail(PyObject* exception, const std::string& text);

/// The machine's condition: Invalid is a ValueError, the rest device.DeviceError.
Raised fail(const Error& error);

/// The user's mistakes: device.CompileError with the rendered text. A store to a read-only array is
/// a BufferError as well.
Raised fail(const Diagnostics& diagnostics, const Program& program);

/// Warnings of a program that compiles, by way of Python's `warnings`. False: an exception is set,
/// for a filter may turn one into an error.
bool warn(const Diagnostics& diagnostics, const Program& program);

/// What hetjit.errors has under a name, a class as a rule; empty when an exception is set instead.
Handle error_class(const char* name);

/// "a list", "an int", "a numpy.matrix": an object of this type, for messages.
std::string describe(Borrowed object);

/// The text of a Python str, or of what str() makes of the object; "?" when that fails.
std::string text_of(Borrowed object);

}  // namespace hetjit::python
