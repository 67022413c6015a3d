// Arguments that a launch passes as constants (functions, types, what ConstExpr asks for): a number
// for each that stands for it in the key of a specialisation.
#pragma once

#include <cstdint>
#include <vector>

#include "python/ext/handle.h"

namespace hetjit::python {

/// The objects are kept alive, so that no other can come to have their number. Numbers, strings and
/// tuples of them count as the same when they are of one type and equal, everything else by
/// identity.
class ConstantTable {
 public:
  uint32_t number_of(Borrowed object);
  Borrowed object(uint32_t number) const { return objects_[number]; }
  void clear() { objects_.clear(); }

 private:
  std::vector<Handle> objects_;
};

}  // namespace hetjit::python
