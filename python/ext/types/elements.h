// What the elements of NumPy arrays are, where they are not plain numbers: vectors, tuples,
// structs, by device.numpy_dtype or by a structured dtype of the user's own.
#pragma once

#include <optional>
#include <unordered_map>

#include "abi/type.h"
#include "python/ext/handles/handle.h"

namespace hetjit::python {

struct State;

struct Element {
  TypeId type;
  uint32_t bytes = 0;  // from one to the next
  uint32_t align = 1;
};

/// The answers by dtype object; those are kept alive, so that no other can come to lie at the same
/// address. Not so dtypes of struct classes, which live as long as the program wants them to: of
/// these the answers by type are kept. (HET-ARR-12, HET-ARR-13)
class Elements {
 public:
  /// Null: no kernel can read such elements. No exception is set.
  const Element* find(const State& state, Borrowed dtype);
  void clear() { known_.clear(); }

 private:
  /// A dtype, or one of its fields', whose fields have names, which NumPy lets one change in place.
  struct Named {
    Kept dtype, names;
  };
  struct Known {
    Kept dtype;
    Element element;
    std::vector<Named> named;
  };
  static void add_named(const State& state, Borrowed dtype, std::vector<Named>& to);
  static bool is_named_so(const State& state, const Named& named);
  std::unordered_map<PyObject*, Known> known_;
  std::unordered_map<uint32_t, Element> of_classes_;  // by the number of a TypeId
};

}  // namespace hetjit::python
