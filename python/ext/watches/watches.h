// What a compiled kernel depends on and a user can rebind, compared by identity at every launch.
#pragma once

#include <string>
#include <vector>

#include "python/ext/handles/handle.h"
#include "python/ext/watches/fields.h"
#include "python/ext/watches/watched_names.h"
#include "python/ext/watches/weak.h"

namespace hetjit::python {

/// A name in a dictionary (a module's, of keyword defaults), what a closure cell holds, a
/// function's code or defaults.
struct Watch {
  PyObject* at = nullptr;        // a dict, a cell or a function
  Kept holder;                   // keeps `at` alive; empty of a function, whose end is heard of
  Kept name;                     // the dict's key
  const Field* field = nullptr;  // of a cell or function
  Kept value;                    // what it held; empty when nothing
  WatchedName heard;             // the dict's key

  bool same_place(const Watch& other) const {
    return at == other.at && name.get() == other.name.get() && field == other.field;
  }
  bool holds() const;
};

class Watches {
 public:
  /// Whether everything is still as it was. False with an exception set when a look-up failed.
  bool hold() const {
    return seen_ == rebindings.load(std::memory_order_relaxed) && same_words() ? true : look();
  }
  /// Whether an object has ended, so that it will never again be as it was.
  bool ended() const { return ends_.any(); }

  /// The item of a dict, there or not, with its value now.
  void add_item(NameWatcher& names, Borrowed dict, const std::string& key, Borrowed value);
  void add_cell(Borrowed cell, const Field& content, Borrowed value);
  /// Code and defaults of a function, which is not kept alive.
  void add_function(Borrowed function, const Fields& fields);
  /// The values of a function's keyword-only parameters of these names.
  void add_keyword_defaults(NameWatcher& names, Borrowed function, const Fields& fields,
                            const std::vector<std::string>& keys);
  void add(Watches&& others);

  int traverse(visitproc visit, void* arg) const;

 private:
  /// A word of memory that is another when what it belongs to has changed.
  struct Word {
    const uint64_t* at;
    uint64_t value;
  };
  bool same_words() const {
    for (const Word& word : words_)
      if (*word.at != word.value) return false;
    return true;
  }
  bool look() const;
  void add(Watch made);
  /// Another word changes with what was added; null: none does.
  void add(const uint64_t* word);

  std::vector<Watch> list_;
  Ends ends_;
  mutable std::vector<Word> words_;  // fields of functions and cells, versions of dicts
  bool all_heard_ = true;            // `rebindings` and `words_` tell of every change
  mutable uint64_t seen_ = 0;  // `rebindings` when all was as it was; 0: it has to be looked at
};

}  // namespace hetjit::python
