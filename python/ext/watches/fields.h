// Fields of Python's own objects that every launch compares: what a cell holds, a function's code
// and defaults. The limited API hides where they lie, so that is found out by looking at objects
// whose content is known.
#pragma once

#include <cstddef>
#include <cstdint>

#include "python/ext/handles/handle.h"

namespace hetjit::python {

struct Field {
  const char* attribute;
  size_t offset = 0;  // bytes from the object's start; 0: not found, then the attribute is read

  /// The content, or an empty Handle when there is none. No exception is set.
  Handle read(Borrowed object) const;
  /// The word that refers to it; null where that could not be found out.
  const uint64_t* word(Borrowed object) const;
  /// Whether the content is what read() gave.
  bool holds(Borrowed object, PyObject* content) const;
};

struct Fields {
  Field cell_content{"cell_contents"};
  Field base_order{"__mro__"};  // of a class
  Field proxied{"mapping"};     // the dict behind a class's `__dict__`
  Field code{"__code__"}, defaults{"__defaults__"}, keyword_defaults{"__kwdefaults__"};
  /// Where they lie. What cannot be found out stays an attribute.
  void find(Borrowed cell_type, Borrowed function_type);

 private:
  void find_of_classes();
};

}  // namespace hetjit::python
