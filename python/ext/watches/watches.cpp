#include "python/ext/watches/watches.h"
#include "python/ext/handles/objects.h"

#include <algorithm>
#include <utility>

namespace hetjit::python {
namespace {

Handle interned(const std::string& text) {
  PyObject* made = PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
  if (made) PyUnicode_InternInPlace(&made);
  return Handle::own(made);
}

}  // namespace

bool Watch::holds() const {
  if (field) return field->holds(at, value.get());
  Handle found = dict_item(at, name);
  return found.get() == value.get() && (found || !PyErr_Occurred());
}

// What is rebound while this looks, by a key's own comparison, has another number or word: so those
// are read first. Words of what has ended are not touched.
bool Watches::look() const {
  const uint64_t now = rebindings.load(std::memory_order_relaxed);
  seen_ = 0;
  if (ends_.any()) return false;
  for (Word& word : words_) word.value = *word.at;
  for (const Watch& watch : list_)
    if (!watch.holds()) return false;
  if (all_heard_) seen_ = now;
  return true;
}

void Watches::add(Watch made) {
  seen_ = 0;
  if (std::none_of(list_.begin(), list_.end(),
                   [&](const Watch& known) { return known.same_place(made); }))
    list_.push_back(std::move(made));
}

void Watches::add(const uint64_t* word) {
  all_heard_ = all_heard_ && word;
  if (word && std::none_of(words_.begin(), words_.end(),
                           [&](const Word& known) { return known.at == word; }))
    words_.push_back({word, 0});
}

void Watches::add_item(NameWatcher& names, Borrowed dict, const std::string& key, Borrowed value) {
  Handle name = interned(key);
  WatchedName heard(names, dict, name);
  if (!heard.is_heard_of()) add(names.version_of(dict));
  add({dict.get(), dict.dup(), std::move(name), nullptr, value.dup(), std::move(heard)});
}

void Watches::add_cell(Borrowed cell, const Field& content, Borrowed value) {
  add(content.word(cell));
  add({cell.get(), cell.dup(), Handle(), &content, value.dup(), {}});
}

void Watches::add_function(Borrowed function, const Fields& fields) {
  const bool heard = ends_.add(function);
  for (const Field* field : {&fields.code, &fields.defaults, &fields.keyword_defaults}) {
    add(field->word(function));
    add({function.get(),
         heard ? Handle() : function.dup(),
         Handle(),
         field,
         field->read(function),
         {}});
  }
}

void Watches::add_keyword_defaults(NameWatcher& names, Borrowed function, const Fields& fields,
                                   const std::vector<std::string>& keys) {
  Handle all = fields.keyword_defaults.read(function);
  if (!all || !PyDict_Check(all.get())) return;
  for (const std::string& key : keys) add_item(names, all, key, find_item(all, key));
  PyErr_Clear();
}

void Watches::add(Watches&& others) {
  for (Watch& watch : others.list_) {
    if (!watch.holder) ends_.add(watch.at);
    add(std::move(watch));
  }
  for (const Word& word : others.words_) add(word.at);
  all_heard_ = all_heard_ && others.all_heard_;
}

int Watches::traverse(visitproc visit, void* arg) const {
  for (const Watch& watch : list_) {
    Py_VISIT(watch.holder.get());
    Py_VISIT(watch.value.get());
  }
  return 0;
}

}  // namespace hetjit::python
