// Owned references to Python objects. No other form of ownership exists in python/ext: a function
// returns a Handle, or a PyObject* only where the C API asks for one (then it is new, and null
// means that an exception is set). Arguments are Borrowed: not to be kept without dup().
//
// Counts change through the functions Py_IncRef and Py_DecRef, never the macros of 3.11's header:
// those do not know the immortal objects of later versions.
#pragma once

#include <utility>

#include "python/ext/python.h"

namespace hetjit::python {

class Handle {
 public:
  Handle() = default;
  /// Takes over a new reference, which may be null.
  static Handle own(PyObject* object) { return Handle(object); }
  /// One more reference to an object that someone else owns; may be null.
  static Handle share(PyObject* object) {
    Py_IncRef(object);
    return Handle(object);
  }
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() { Py_DecRef(object_); }

  Handle dup() const { return share(object_); }
  PyObject* get() const { return object_; }
  /// Gives the reference to the caller, as results of the C API are given.
  PyObject* release() { return std::exchange(object_, nullptr); }
  void close() { Py_DecRef(std::exchange(object_, nullptr)); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  explicit Handle(PyObject* object) : object_(object) {}
  PyObject* object_ = nullptr;
};

/// An argument: someone else keeps it alive for as long as the call lasts.
class Borrowed {
 public:
  Borrowed(PyObject* object) : object_(object) {}
  Borrowed(const Handle& handle) : object_(handle.get()) {}
  Borrowed(const Borrowed&) = default;
  Borrowed& operator=(const Borrowed&) = delete;
  PyObject* get() const { return object_; }
  operator PyObject*() const { return object_; }
  Handle dup() const { return Handle::share(object_); }

 private:
  PyObject* object_;
};

/// None as a function's result.
inline PyObject* new_none() {
  Py_IncRef(Py_None);
  return Py_None;
}

}  // namespace hetjit::python
