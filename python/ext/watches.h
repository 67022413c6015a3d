// What a compiled kernel depends on and a user can rebind, compared by identity at every launch.
#pragma once

#include <string>
#include <vector>

#include "python/ext/fields.h"
#include "python/ext/handle.h"
#include "python/ext/weak.h"

namespace hetjit::python {

/// A name in a dictionary (a module's, of keyword defaults), what a closure cell holds, a
/// function's code or defaults.
struct Watch {
  PyObject* at = nullptr;        // a dict, a cell or a function
  Handle holder;                 // keeps `at` alive; empty of a function, whose end is heard of
  Handle name;                   // the dict's key
  const Field* field = nullptr;  // of a cell or function
  Handle value;                  // what it held; empty when nothing

  bool same_place(const Watch& other) const {
    return at == other.at && name.get() == other.name.get() && field == other.field;
  }
};

class Watches {
 public:
  /// Whether everything is still as it was. False with an exception set when a look-up failed.
  bool hold() const {
    if (ends_.any()) return false;
    for (const Watch& watch : list_)
      if (watch.name ? !holds_item(watch) : !watch.field->holds(watch.at, watch.value.get()))
        return false;
    return true;
  }
  /// Whether an object has ended, so that it will never again be as it was.
  bool ended() const { return ends_.any(); }

  /// The item of a dict, there or not, with its value now.
  void add_item(Borrowed dict, const std::string& key, Borrowed value);
  void add_cell(Borrowed cell, const Field& content, Borrowed value);
  /// Code and defaults of a function, which is not kept alive.
  void add_function(Borrowed function, const Fields& fields);
  /// The values of a function's keyword-only parameters of these names.
  void add_keyword_defaults(Borrowed function, const Fields& fields,
                            const std::vector<std::string>& names);
  void add(Watches&& others);

  int traverse(visitproc visit, void* arg) const;

 private:
  static bool holds_item(const Watch& watch);
  void add(Watch made);

  std::vector<Watch> list_;
  Ends ends_;
};

}  // namespace hetjit::python
