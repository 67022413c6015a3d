// A kernel's parameters, and calls matched to them as Python does.
#include <algorithm>

#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/launch/kernel_object.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

constexpr long kVarargs = 0x4, kVarkeywords = 0x8;

long number_of(Borrowed code, const char* name) {
  Handle value = find_attribute(code, name);
  return value ? PyLong_AsLong(value.get()) : 0;
}

std::string plural(size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void add_name(Parameters& to, const std::string& name) {
  PyObject* interned = new_text(name).release();
  PyUnicode_InternInPlace(&interned);
  to.names.push_back(Handle::own(interned));
  to.texts.push_back(name);
}

void read_defaults(Borrowed function, Parameters& to) {
  to.defaults.resize(to.count());
  Handle positional = find_attribute(function, "__defaults__");
  Py_ssize_t count =
      positional && PyTuple_Check(positional.get()) ? PyTuple_Size(positional.get()) : 0;
  for (Py_ssize_t i = 0; i < count && count <= to.positional; ++i)
    to.defaults[to.positional - count + i] = tuple_item(positional, i);
  Handle keyword = find_attribute(function, "__kwdefaults__");
  if (!keyword || !PyDict_Check(keyword.get())) return;
  for (size_t i = to.positional; i < to.count(); ++i)
    to.defaults[i] = find_item(keyword, to.texts[i]);
}

Raised too_many(const Parameters& parameters, size_t given) {
  std::string named;  // those that are given by name only
  for (size_t i = parameters.positional; i < parameters.count(); ++i)
    named += (named.empty() ? ": write " : ", ") + parameters.texts[i] + "=…";
  return fail(PyExc_TypeError, parameters.function + "() takes " +
                                   plural(parameters.positional, "argument") + " by position, " +
                                   std::to_string(given) + " were given" + named);
}

// Which parameters have no value, by name.
Raised missing(const Parameters& parameters, PyObject* const* ordered) {
  std::string names;
  size_t count = 0;
  for (size_t i = 0; i < parameters.count(); ++i) {
    if (ordered[i]) continue;
    names += (count++ ? ", '" : "'") + parameters.texts[i] + "'";
  }
  const bool method = parameters.count() > 0 && parameters.texts[0] == "self";
  return fail(PyExc_TypeError,
              parameters.function + "() is missing " + plural(count, "argument") + ": " + names +
                  (method ? "; a kernel gets no 'self': define it outside of the class, and pass "
                            "what it needs"
                          : ""));
}

// The parameter of that name; count() when there is none. Identity first: names are interned.
size_t find_name(const Parameters& parameters, Borrowed name) {
  for (size_t i = parameters.positional_only; i < parameters.count(); ++i)
    if (is(parameters.names[i], name)) return i;
  const std::string text = text_of(name);
  for (size_t i = parameters.positional_only; i < parameters.count(); ++i)
    if (parameters.texts[i] == text) return i;
  return parameters.count();
}

Raised unknown_keyword(const Parameters& parameters, Borrowed name) {
  std::string known;
  for (size_t i = parameters.positional_only; i < parameters.count(); ++i)
    known += (known.empty() ? "" : ", ") + parameters.texts[i];
  return fail(PyExc_TypeError, parameters.function + "() has no parameter '" + text_of(name) +
                                   "'; its parameters are " + (known.empty() ? "none" : known));
}

}  // namespace

bool read_parameters(State& state, Borrowed function, Parameters& to) {
  to.watches.add_function(function, state.fields);
  Handle code = Handle::own(PyObject_GetAttrString(function.get(), "__code__"));
  if (!code) return false;
  to.function = text_attribute(function, "__name__");
  to.positional = static_cast<uint32_t>(number_of(code, "co_argcount"));
  to.positional_only = static_cast<uint32_t>(number_of(code, "co_posonlyargcount"));
  size_t count = to.positional + static_cast<size_t>(number_of(code, "co_kwonlyargcount"));
  if (number_of(code, "co_flags") & (kVarargs | kVarkeywords))
    return fail(PyExc_TypeError, to.function +
                                     "(): a kernel cannot take *args or **kwargs: the "
                                     "number of its parameters is fixed; " +
                                     (find_attribute(function, "__wrapped__")
                                          ? "this is another decorator's wrapper: leave that out"
                                          : "name each, or let one be a tuple of arrays: " +
                                                to.function + "[grid, block]((x, y))"));
  if (count > kMostParameters)
    return fail(PyExc_TypeError,
                to.function + "(): a kernel has at most " + plural(kMostParameters, "parameter") +
                    ", not " + std::to_string(count) +
                    ": numbers that belong together are a tuple or a @device.struct");
  std::vector<std::string> names =
      texts_of(Handle::own(PyObject_GetAttrString(code.get(), "co_varnames")));
  names.resize(count);
  for (const std::string& name : names) add_name(to, name);
  read_defaults(function, to);
  to.watches.add_keyword_defaults(state.names, function, state.fields,
                                  {names.begin() + to.positional, names.end()});
  std::vector<std::optional<Parameter>> annotations;
  std::vector<bool> read_only;
  std::vector<uint32_t> constants;
  if (!read_annotations(state, function, names, annotations, constants, &read_only)) return false;
  to.annotations.resize(count);
  for (uint32_t index : constants) to.annotations[index].constant = true;
  for (uint32_t i = 0; i < count; ++i) {
    if (annotations[i]) to.annotations[i].type = annotations[i]->type;
    if (read_only[i]) to.read_only.push_back(i);
  }
  return !interrupted() && !PyErr_Occurred();
}

bool order_arguments(const Parameters& parameters, PyObject* const* arguments, size_t count,
                     Borrowed keywords, PyObject** ordered) {
  if (count > parameters.positional) return too_many(parameters, count);
  std::copy(arguments, arguments + count, ordered);
  std::fill(ordered + count, ordered + parameters.count(), nullptr);
  const Py_ssize_t named = keywords ? PyTuple_Size(keywords.get()) : 0;
  for (Py_ssize_t k = 0; k < named; ++k) {
    const Borrowed name = held_item(keywords, k);
    size_t index = find_name(parameters, name);
    if (index == parameters.count()) return unknown_keyword(parameters, name);
    if (ordered[index])
      return fail(PyExc_TypeError, parameters.function + "() got two values for argument '" +
                                       parameters.texts[index] + "'");
    ordered[index] = arguments[count + static_cast<size_t>(k)];
  }
  bool complete = true;
  for (size_t i = 0; i < parameters.count(); ++i) {
    if (!ordered[i]) ordered[i] = parameters.defaults[i].get();
    complete = complete && ordered[i];
  }
  return complete || missing(parameters, ordered);
}

}  // namespace hetjit::python
