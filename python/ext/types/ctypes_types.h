// What we know of ctypes: its types, found out when a user's program has imported it. An object can
// be one of theirs only then.
#pragma once

#include "python/ext/handles/handle.h"

namespace hetjit::python {

class Ctypes {
 public:
  /// Looks whether ctypes has been imported, and learns it. False: an exception is set.
  bool look();

  bool is_void_pointer(Borrowed object) const { return is(object, void_pointer_); }
  bool is_text(Borrowed object) const { return is(object, text_); }  // c_char_p
  bool is_function(Borrowed object) const { return is(object, function_); }
  /// A number, text or address.
  bool is_simple(Borrowed object) const { return is(object, simple_); }
  /// Anything that has a value in C, structures too.
  bool is_value(Borrowed object) const { return is(object, value_); }
  /// A variable that holds an address, other than c_void_p: is it meant, or what it points to?
  bool is_ambiguous(Borrowed object) const;

  /// How many bytes a value's address is a multiple of; 0: an exception is set.
  size_t alignment(Borrowed value) const;
  int traverse(visitproc visit, void* arg) const;

 private:
  static bool is(Borrowed object, const Handle& type);

  Kept value_, simple_, void_pointer_, text_, wide_text_, object_, pointer_, function_;
  Kept alignment_;
};

}  // namespace hetjit::python
