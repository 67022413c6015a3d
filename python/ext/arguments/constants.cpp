#include "python/ext/arguments/constants.h"

#include <algorithm>

#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/handles/python.h"

namespace hetjit::python {
namespace {

bool equal_floats(Borrowed a, Borrowed b) {  // -0.0 is not 0.0, and a NaN is itself
  Handle one = Handle::own(PyObject_Repr(a.get())), other = Handle::own(PyObject_Repr(b.get()));
  return one && other && PyObject_RichCompareBool(one.get(), other.get(), Py_EQ) == 1;
}

// How many parts are compared. Larger ones (tuples that share parts may be, too) are the same only
// when they are one object.
constexpr int kMostCompared = 1 << 16, kMostNested = 64;

// Exact types only: a subclass may compare as it likes.
bool same(Borrowed a, Borrowed b, int depth, int& compared) {
  if (a.get() == b.get()) return true;
  if (depth == kMostNested || ++compared > kMostCompared) return false;
  PyTypeObject* type = Py_TYPE(a.get());
  if (type != Py_TYPE(b.get())) return false;
  if (type == &PyLong_Type || type == &PyUnicode_Type)
    return PyObject_RichCompareBool(a.get(), b.get(), Py_EQ) == 1;
  if (type == &PyFloat_Type || type == &PyComplex_Type) return equal_floats(a, b);
  if (type != &PyTuple_Type || PyTuple_Size(a.get()) != PyTuple_Size(b.get())) return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(a.get()); ++i)
    if (!same(held_item(a, i), held_item(b, i), depth + 1, compared)) return false;
  return true;
}

bool same(Borrowed a, Borrowed b) {
  int compared = 0;
  return same(a, b, 0, compared);
}

}  // namespace

uint32_t ConstantTable::number_of(Borrowed object) {
  for (const Entry& known : entries_)
    if (!known.ends.any() && same(known.object, object)) return known.number;
  forget();
  Entry made{next_++, object.get(), Handle(), {}};
  if (!made.ends.add(object)) made.held = object.dup();
  entries_.push_back(std::move(made));
  return entries_.back().number;
}

Handle ConstantTable::object(uint32_t number) const {
  for (const Entry& known : entries_)
    if (known.number == number && !known.ends.any()) return Handle::share(known.object);
  return Handle();
}

void ConstantTable::keep(const std::vector<uint32_t>& numbers) {
  std::vector<Entry> kept;
  for (Entry& known : entries_)
    if (std::find(numbers.begin(), numbers.end(), known.number) != numbers.end())
      kept.push_back(std::move(known));
  entries_.swap(kept);  // what is forgotten ends when nobody looks at the table any more
}

int ConstantTable::traverse(visitproc visit, void* arg) const {
  for (const Entry& known : entries_) Py_VISIT(known.held.get());
  return 0;
}

}  // namespace hetjit::python
