// What is asked of Python's objects, as references of our own. CPython has functions that lend a
// reference in place of giving one; they are called in objects.cpp and nowhere else.
//
// The exception that is set stays set where a function says so; "no exception" means that a missing
// thing is no failure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "python/ext/handles/handle.h"

namespace hetjit::python {

/// An item of a tuple or list. Empty with IndexError or SystemError set: there is none.
Handle tuple_item(Borrowed tuple, size_t index);
Handle list_item(Borrowed list, size_t index);
/// What a dict has under a key. Empty: nothing, or with an exception set a key that cannot be one.
Handle dict_item(Borrowed dict, Borrowed key);
/// The same; no exception is set.
Handle find_item(Borrowed dict, const std::string& key);
/// `sys.name`, `sys.modules`, a module's `__dict__`. Empty: there is none.
Handle system_object(const char* name);
Handle loaded_modules();
Handle names_of_module(Borrowed module);

/// An item of a tuple, a value of keywords: arguments, as what they are in is one, or is held by
/// the caller. Tuples do not change, nor does anybody else have the keywords of a call.
Borrowed held_item(Borrowed tuple, size_t index);
Borrowed held_value(Borrowed keywords, Borrowed name);

/// Calls with each key and value of a dict, which are arguments: what is called changes no dict and
/// runs no Python.
template <class Each>
void for_each_item(Borrowed dict, Each each) {
  PyObject *key = nullptr, *value = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(dict.get(), &at, &key, &value)) each(Borrowed(key), Borrowed(value));
}

/// An attribute, or an empty Handle with no exception set.
Handle find_attribute(Borrowed object, const char* name);
/// Its text; "" when there is none.
std::string text_attribute(Borrowed object, const char* name);

/// A tuple of objects that somebody else owns.
Handle new_tuple(PyObject* const* items, size_t count);
/// A str; bytes that are no UTF-8 as Python's file names have them.
Handle new_text(std::string_view text);
/// The strings of a tuple.
std::vector<std::string> texts_of(Borrowed tuple);

/// The text of a str for as long as the handle is open; null with an exception set: it has none.
const char* characters_of(const Handle& text, size_t& size);

}  // namespace hetjit::python
