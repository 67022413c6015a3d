// Hearing of the end of Python objects that are looked at but not kept alive.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "python/ext/handles/handle.h"

namespace hetjit::python {

/// Called once with the reference, while the object ends.
using AtEnd = std::function<void(PyObject* reference)>;

/// A weak reference. While it lives, the end of its object is told: for as long as we hold it, and
/// longer where others found it (weakref.getweakrefs). So `tell` owns what it writes to. Empty,
/// with no exception set: objects of that type have no weak references.
Handle watch_end(Borrowed object, AtEnd tell);

/// The object of a weak reference; empty when it has ended.
Handle object_of(Borrowed reference);

/// Whether one of several objects has ended.
class Ends {
 public:
  /// False: the object's end cannot be heard of.
  bool add(Borrowed object);
  bool any() const { return *any_; }

 private:
  std::shared_ptr<bool> any_ = std::make_shared<bool>(false);  // the references' too
  std::vector<Kept> references_;
};

}  // namespace hetjit::python
