// Tuples in the making.
#pragma once

#include "python/ext/handles/handle.h"

namespace hetjit::python {

/// A tuple of so many items. Each is set once, then build() gives the whole. What fails on the way
/// (no memory, an item that is empty as it could not be made) makes this false and what build()
/// gives empty; the exception is set. Using it otherwise is a fault of ours: a SystemError, and
/// told where handles are noted.
class TupleBuilder {
 public:
  explicit TupleBuilder(size_t size)
      : made_(Handle::own(PyTuple_New(static_cast<Py_ssize_t>(size)))), left_(size) {}

  void set(size_t index, Handle item, Place where = Place::current()) {
    if (!made_) return misused_unless_failed("set after build, or of no tuple", where);
    if (!item) return made_.close();
    if (left_ == 0 || PyTuple_GetItem(made_.get(), static_cast<Py_ssize_t>(index)))
      return misused("an item set twice", where);
    if (PyTuple_SetItem(made_.get(), static_cast<Py_ssize_t>(index), item.release()) < 0)
      return misused("an item out of range", where);
    --left_;
  }

  explicit operator bool() const { return static_cast<bool>(made_); }

  [[nodiscard]] Handle build(Place where = Place::current()) {
    if (!made_)
      misused_unless_failed("built twice", where);
    else if (left_ > 0)
      misused("items left unset", where);
    return std::move(made_);
  }

 private:
  void misused_unless_failed(const char* how, const Place& where) {
    if (!PyErr_Occurred()) misused(how, where);
  }
  void misused(const char* how, const Place& where) {
    made_ = Handle();
    ledger::misused("Invalid usage of a builder", how, where);
    PyErr_Format(PyExc_SystemError, "a tuple with %s", how);
  }

  Handle made_;
  size_t left_;
};

}  // namespace hetjit::python
