// The classes of struct types. A type has several where a class was made again as it was
// (hetjit/device/identity.py).
#pragma once

#include <vector>

#include "abi/type.h"
#include "python/ext/handles/handle.h"
#include "python/ext/watches/watches.h"

namespace hetjit::python {

class StructClasses {
 public:
  /// False: an exception is set.
  bool start() { return bool(classes_ = Handle::own(PyDict_New())); }
  /// False: an exception is set.
  bool add(TypeId type, Borrowed cls);
  /// Those that there are, the oldest first. No exception is set.
  std::vector<Handle> of(TypeId type) const;
  /// Notices when a class is added.
  void watch(NameWatcher& names, TypeId type, Watches& to) const;
  int traverse(visitproc visit, void* arg) const;

 private:
  void forget_ended();

  Kept classes_;  // a dict: by the number of a TypeId a tuple of weak references
  Py_ssize_t most_ = 64;
};

}  // namespace hetjit::python
