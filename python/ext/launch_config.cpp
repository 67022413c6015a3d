// Grid, block, stream and shared memory of a launch, as the user writes them.
#include "python/ext/bound_object.h"
#include "python/ext/capturer.h"
#include "python/ext/errors.h"

namespace hetjit::python {
namespace {

constexpr const char* kShape = "; a shape is an int or a tuple of one to three ints";

Raised bad_shape(const std::string& function, const char* what, Borrowed shape) {
  return fail(PyExc_TypeError,
              function + "[grid, block]: " + what + " is " + describe(shape) + kShape);
}

bool read_extent(const std::string& function, const char* what, Borrowed object, uint32_t& to) {
  Handle number = Handle::own(PyNumber_Index(object));
  if (!number) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return false;
    const Cause cause;
    return bad_shape(function, what, object);
  }
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
  to = static_cast<uint32_t>(value);
  if (!overflow && value >= 0 && value <= UINT32_MAX) return true;
  return fail(PyExc_ValueError, function + "[grid, block]: " + what + " has an extent of " +
                                    text_of(number) + "; extents are positive and fit 32 bits");
}

// x first: it is the fastest axis.
bool read_shape(const std::string& function, const char* what, Borrowed shape, uint32_t* to) {
  if (!PyTuple_Check(shape.get()) && !PyList_Check(shape.get()))
    return read_extent(function, what, shape, to[0]);
  Py_ssize_t rank = PySequence_Size(shape);
  if (rank < 0) return false;
  if (rank < 1 || rank > 3)
    return fail(PyExc_ValueError, function + "[grid, block]: " + what + " has " +
                                      std::to_string(rank) + " extents" + kShape);
  for (Py_ssize_t axis = 0; axis < rank; ++axis) {
    Handle extent = Handle::own(PySequence_GetItem(shape, axis));
    if (!extent || !read_extent(function, what, extent, to[axis])) return false;
  }
  return true;
}

bool read_flag(const std::string& function, const char* what, Borrowed object, bool& to) {
  to = object == Py_True;
  if (to || object == Py_False) return true;
  return fail(PyExc_TypeError, function + "[grid, block]: " + what + " is " + describe(object) +
                                   "; it is True or False");
}

}  // namespace

bool read_config(State& state, const std::string& function, Borrowed key, LaunchConfig& to) {
  Py_ssize_t count = PyTuple_Check(key.get()) ? PyTuple_Size(key) : 1;
  if (!PyTuple_Check(key.get()) || count < 2 || count > 5)
    return fail(PyExc_TypeError, function +
                                     "[...] takes grid, block and optionally stream, "
                                     "shared and cooperative, " +
                                     std::to_string(count) + (count == 1 ? " was" : " were") +
                                     " given");
  if (!read_shape(function, "grid", PyTuple_GetItem(key, 0), to.geometry.grid)) return false;
  if (!read_shape(function, "block", PyTuple_GetItem(key, 1), to.geometry.block)) return false;
  if (count > 2 && !read_stream(state, PyTuple_GetItem(key, 2), to.stream)) return false;
  if (count > 2) to.owner = Handle::share(PyTuple_GetItem(key, 2));
  if (count > 3 &&
      !read_extent(function, "shared", PyTuple_GetItem(key, 3), to.geometry.shared_bytes))
    return false;
  return count < 5 ||
         read_flag(function, "cooperative", PyTuple_GetItem(key, 4), to.geometry.cooperative);
}

}  // namespace hetjit::python
