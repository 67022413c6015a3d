// Arrays that are written as lists of numbers.
#include <utility>

#include "abi/layout.h"
#include "python/ext/arguments/reader.h"

namespace hetjit::python {

bool Reader::lists(Borrowed argument, std::span<const int64_t> shape, const ListElement& element,
                   std::byte*& to) {
  if (!shape.empty()) return list(argument, shape, element, to);
  std::memset(to, 0, element.bytes);
  return value(0, argument, element.type, std::exchange(to, to + element.bytes));
}

bool Reader::list(Borrowed argument, std::span<const int64_t> shape, const ListElement& element,
                  std::byte*& to) {
  if (!PyList_Check(argument.get()) && !PyTuple_Check(argument.get()))
    return fail(PyExc_ValueError, name(0) + " is " + describe(argument) + " where a list of " +
                                      std::to_string(shape.front()) + " is needed");
  const Py_ssize_t count = PySequence_Size(argument.get());
  if (count != shape.front())
    return fail(PyExc_ValueError, name(0) + " has " + std::to_string(count) + " items where " +
                                      std::to_string(shape.front()) + " are needed");
  Part part{part_, {}, 0};
  part_ = &part;
  bool done = true;
  for (Py_ssize_t i = 0; done && i < count; ++i) {
    part.item = static_cast<size_t>(i);
    const Handle item =
        Handle::own(PySequence_GetItem(argument.get(), i));  // may be shorter by now
    done = item && lists(item, shape.subspan(1), element, to);
  }
  part_ = part.outer;
  return done;
}

bool read_lists(State& state, Borrowed lists, std::span<const int64_t> shape, TypeId element,
                std::byte* to) {
  Parameters parameters;
  parameters.texts = {"value"};  // of array(), fill() and x[...] = value alike
  parameters.annotations = {{element, false}};
  TypeId written = without_align(element);
  if (is_atomic(written)) written = type(written).fields.front().type;
  if (holds_atomic(written))
    return fail(PyExc_TypeError, "elements of " + to_python(element) +
                                     " have atomic numbers inside, which lists cannot give");
  Arguments unused;
  return Reader(state, parameters, {}, unused)
      .lists(lists, shape, {written, layout(element).stride()}, to);
}

}  // namespace hetjit::python
