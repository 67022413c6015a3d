#include "python/ext/launch/asked_launch.h"

#include <algorithm>

#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/launch/compiling.h"
#include "python/ext/state.h"
#include "python/ext/types/type_object.h"

namespace hetjit::python {
namespace {

// What the arguments were called with, in the order of the parameters.
struct Call {
  PyObject* ordered[kMostParameters] = {};
  bool read(const Parameters& parameters, Borrowed positional, Borrowed keywords);
};

bool Call::read(const Parameters& parameters, Borrowed positional, Borrowed keywords) {
  std::vector<PyObject*> given;
  for (Py_ssize_t i = 0; i < PyTuple_Size(positional.get()); ++i)
    given.push_back(held_item(positional, i).get());
  const size_t count = given.size();
  Handle keys = Handle::own(PyDict_Keys(keywords.get()));
  Handle names = keys ? Handle::own(PyList_AsTuple(keys.get())) : Handle();
  if (!names) return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(names.get()); ++i)
    given.push_back(held_value(keywords, held_item(names, i)).get());
  return order_arguments(parameters, given.data(), count, names.get(), ordered);
}

// ---- types in place of arguments

// Of a type itself, or of a number, vector or struct.
std::optional<Parameter> type_of(const State& state, Borrowed given) {
  if (std::optional<Parameter> hint = parameter_of_hint(state, given)) return hint;
  return parameter_of_hint(state, reinterpret_cast<PyObject*>(Py_TYPE(given.get())));
}

// Whether what is given are types, with values and constants among them: an array is an argument.
bool are_types(const State& state, const Parameters& parameters, PyObject* const* ordered) {
  bool any = false;
  for (size_t i = 0; i < parameters.count(); ++i) {
    if (parameters.annotations[i].constant) continue;
    if (!type_of(state, ordered[i])) return false;
    any = any || parameter_of_hint(state, ordered[i]);
  }
  return any;
}

// A type of an array is no argument of a launch: beside one, what is no type is named. False: an
// exception is set.
bool are_arguments(const State& state, const Parameters& parameters, PyObject* const* ordered) {
  bool types = false;
  size_t other = parameters.count();
  for (size_t i = 0; i < parameters.count(); ++i) {
    if (parameters.annotations[i].constant) continue;
    const std::optional<Parameter> hint = parameter_of_hint(state, ordered[i]);
    types = types || (hint && is_array(hint->type));
    if (!type_of(state, ordered[i])) other = std::min(other, i);
  }
  if (!types || other == parameters.count()) return true;
  return fail(PyExc_TypeError, parameters.function + "(): argument '" + parameters.texts[other] +
                                   "' is " + describe(ordered[other]) +
                                   ", and others are types: beside types of arrays stand types, "
                                   "numbers and structs, as in (device.float32[:], int)");
}

// An array of that type as launches bring them: its extents fit 32 bits.
uint64_t word_of_array(const Type& array, bool read_only) {
  uint64_t facts = Word::kIndex32;
  if (array.facts.order == Order::Contiguous) facts |= Word::kContiguous;
  if (array.facts.writable && !read_only) facts |= Word::kWritable;
  return Word::array(array.element, array.rank, facts);
}

uint64_t word_of(const State& state, const Parameters& parameters, size_t i, Borrowed given) {
  if (parameters.annotations[i].constant)
    return Word::constant(parameters.objects->number_of(given));
  const Parameter known = *type_of(state, given);
  const auto& marked = parameters.read_only;
  if (is_array(known.type))
    return word_of_array(type(known.type),
                         std::find(marked.begin(), marked.end(), i) != marked.end());
  if (parameters.annotations[i].type.valid()) return Word::value(parameters.annotations[i].type);
  return known.weak ? Word::weak(known.type) : Word::value(known.type);
}

// The target asked for, else that of the device where the launch would go. nullopt: an exception
// is set.
std::optional<TargetName> target_for(KernelData& kernel, const Arguments& arguments,
                                     const char* asked) {
  if (asked) {
    Result<TargetName> name = parse_target(asked);
    if (name) return *name;
    fail(name.error());
    return std::nullopt;
  }
  runtime::Device* device =
      kernel.runs_anywhere() ? kernel.options.on : device_for(kernel, arguments);
  if (!device) return std::nullopt;
  return device->info().target;
}

}  // namespace

bool AskedLaunch::read_arguments_or_types(Given given, Borrowed positional, Borrowed keywords,
                                          const LaunchPlace& place) {
  Call call;
  parameters = parameters_now(kernel);
  if (!parameters || !call.read(*parameters, positional, keywords)) return false;
  if (given == Given::Arguments || !are_types(state_, *parameters, call.ordered))
    return (given == Given::Arguments || are_arguments(state_, *parameters, call.ordered)) &&
           read_arguments(state_, *parameters, call.ordered, place, arguments);
  arguments.parameters = parameters;
  arguments.count = parameters->count();
  for (size_t i = 0; i < arguments.count; ++i)
    arguments.words[i] = word_of(state_, *parameters, i, call.ordered[i]);
  return !PyErr_Occurred();
}

bool AskedLaunch::read(Given given, Borrowed positional, Borrowed keywords, const char* target) {
  LaunchPlace place = kernel.place();
  place.anywhere |= target != nullptr;
  if (!read_arguments_or_types(given, positional, keywords, place)) return false;
  std::optional<TargetName> name = target_for(kernel, arguments, target);
  if (!name || !with_memory([&] { generation = current_generation(kernel, arguments); }) ||
      !generation)
    return false;
  options = options_for(kernel, arguments, *name);
  return true;
}

}  // namespace hetjit::python
