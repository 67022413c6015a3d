#include "python/ext/watches.h"

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

bool Watches::holds_item(const Watch& watch) {
  PyObject* value = PyDict_GetItemWithError(watch.at, watch.name.get());
  return value == watch.value.get() && (value || !PyErr_Occurred());
}

void Watches::add(Watch made) {
  if (std::none_of(list_.begin(), list_.end(),
                   [&](const Watch& known) { return known.same_place(made); }))
    list_.push_back(std::move(made));
}

void Watches::add_item(Borrowed dict, const std::string& key, Borrowed value) {
  add({dict, dict.dup(), interned(key), nullptr, value.dup()});
}

void Watches::add_cell(Borrowed cell, const Field& content, Borrowed value) {
  add({cell, cell.dup(), Handle(), &content, value.dup()});
}

void Watches::add_function(Borrowed function, const Fields& fields) {
  const bool heard = ends_.add(function);
  for (const Field* field : {&fields.code, &fields.defaults, &fields.keyword_defaults})
    add({function, heard ? Handle() : function.dup(), Handle(), field, field->read(function)});
}

void Watches::add_keyword_defaults(Borrowed function, const Fields& fields,
                                   const std::vector<std::string>& names) {
  Handle all = fields.keyword_defaults.read(function);
  if (!all || !PyDict_Check(all.get())) return;
  for (const std::string& name : names) {
    Handle key = interned(name);
    add({all.get(), all.dup(), key.dup(), nullptr,
         Handle::share(PyDict_GetItemWithError(all.get(), key.get()))});
  }
  PyErr_Clear();
}

void Watches::add(Watches&& others) {
  for (Watch& watch : others.list_) {
    if (!watch.holder) ends_.add(watch.at);
    add(std::move(watch));
  }
}

int Watches::traverse(visitproc visit, void* arg) const {
  for (const Watch& watch : list_) {
    Py_VISIT(watch.holder.get());
    Py_VISIT(watch.value.get());
  }
  return 0;
}

}  // namespace hetjit::python
