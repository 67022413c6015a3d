// Numbers between Python and the slots of a library's functions.
#pragma once

#include "abi/library.hpp"
#include "abi/type.h"
#include "python/ext/handles/handle.h"

namespace hetjit::python {

/// What a parameter takes as it is, and what comes back.
enum class Kind : char {
  Signed = 'i',
  Unsigned = 'u',
  Float = 'f',
  Bool = 'b',
  Array = 'a',     // of NumPy, in C order
  Argument = 'r',  // a result: the argument of that number
  Pointer = 'p',   // of a callback
  Nothing = 'n',
};

struct Item {
  Kind kind = Kind::Nothing;
  int bytes = 0;   // of a number; of Argument, its number
  TypeId element;  // Array
  int rank = 0;    // Array
  bool written = false;
};

/// From Python: ("a", scalar type, rank, written) or (kind, bytes). False: an exception is set.
bool read_item(Borrowed given, Item& to);

/// An int or float that is one, and that the item's type has. No exception is set where it is not.
bool read_integer(Borrowed object, const Item& item, library::Slot& to);
bool read_float(Borrowed object, const Item& item, library::Slot& to);

/// A result as Python's object; `arguments`: what the function was called with.
PyObject* result_of(const Item& item, uint64_t word, PyObject* const* arguments);

}  // namespace hetjit::python
