// Arguments that a launch passes as constants (functions, types, what ConstExpr asks for): a number
// for each that stands for it in the key of a specialisation.
#pragma once

#include <cstdint>
#include <vector>

#include "python/ext/handles/handle.h"
#include "python/ext/watches/weak.h"

namespace hetjit::python {

/// Numbers, strings and tuples of them count as the same when they are of one type and equal,
/// everything else by identity. Functions and types are not kept alive; no number is given twice.
class ConstantTable {
 public:
  uint32_t number_of(Borrowed object);
  /// The object of a number that the launch under way was given.
  Handle object(uint32_t number) const;
  /// Forgets all others.
  void keep(const std::vector<uint32_t>& numbers);
  int traverse(visitproc visit, void* arg) const;

 private:
  struct Entry {
    uint32_t number = 0;
    PyObject* object = nullptr;
    Kept held;  // empty: the object's end is heard of
    Ends ends;
  };
  std::vector<Entry> entries_;
  uint32_t next_ = 0;
};

}  // namespace hetjit::python
