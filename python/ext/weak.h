// Hearing of the end of Python objects that are looked at but not kept alive.
#pragma once

#include <memory>
#include <vector>

#include "python/ext/handle.h"

namespace hetjit::python {

/// Called once with the reference, while the object ends.
using AtEnd = void (*)(void* context, PyObject* reference);

/// A weak reference. While it is held, the end of its object is told. Empty, with no exception set:
/// objects of that type have no weak references.
Handle watch_end(Borrowed object, AtEnd tell, void* context);

/// The object of a weak reference; empty when it has ended.
Handle object_of(Borrowed reference);

/// Whether one of several objects has ended.
class Ends {
 public:
  /// False: the object's end cannot be heard of.
  bool add(Borrowed object);
  bool any() const { return *any_; }

 private:
  std::unique_ptr<bool> any_ = std::make_unique<bool>(false);  // first: references tell it
  std::vector<Handle> references_;
};

}  // namespace hetjit::python
