// Grid, block, stream and shared memory of a launch, as the user writes them.
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/launch/bound_object.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

constexpr const char* kShape = "; a shape is an int or a tuple of one to three ints";

Raised bad_shape(const std::string& function, const char* what, Borrowed shape) {
  const bool fraction = PyFloat_Check(shape.get());
  return fail(PyExc_TypeError, function + "[grid, block]: " + what + " is " + describe(shape) +
                                   kShape +
                                   (fraction ? ": write int(n); '//' divides to an int" : ""));
}

bool read_extent(const std::string& function, const char* what, Borrowed object, uint32_t& to) {
  Handle number = Handle::own(PyNumber_Index(object.get()));
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
  Py_ssize_t rank = PySequence_Size(shape.get());
  if (rank < 0) return false;
  if (rank < 1 || rank > 3)
    return fail(PyExc_ValueError, function + "[grid, block]: " + what + " has " +
                                      std::to_string(rank) + " extents" + kShape);
  for (Py_ssize_t axis = 0; axis < rank; ++axis) {
    Handle extent = Handle::own(PySequence_GetItem(shape.get(), axis));
    if (!extent || !read_extent(function, what, extent, to[axis])) return false;
  }
  return true;
}

bool read_flag(const std::string& function, const char* what, Borrowed object, bool& to) {
  to = object.get() == Py_True;
  if (to || object.get() == Py_False) return true;
  return fail(PyExc_TypeError,
              function + "[grid, block]: " + what + " is " + describe(object) +
                  "; it is True or False. A grid or block of several axes is a tuple: " + function +
                  "[(8, 8), (16, 16)](…)");
}

// An attribute of a launch configuration; what it is when there is none.
Handle part_of(Borrowed config, const char* name, PyObject* otherwise) {
  Handle found;
  if (!look_up(config, name, found)) return Handle();
  return found && found.get() != Py_None ? std::move(found) : Handle::share(otherwise);
}

// A LaunchConfig of cuda.core, which has grid and block by name, as what would stand between the
// brackets in its place. That the next launch may begin early (programmatic serialization) allows
// more than is done. Empty without an exception: it is none.
Handle named_config(const std::string& function, Borrowed config, PyObject* stream) {
  Handle grid, block;
  if (!look_up(config, "grid", grid) || !look_up(config, "block", block) || !grid || !block)
    return Handle();
  const Handle cluster = part_of(config, "cluster", Py_None);
  if (cluster && cluster.get() != Py_None)
    return fail(PyExc_NotImplementedError,
                function + "[config]: blocks are not launched in clusters yet");
  const Handle zero = Handle::own(PyLong_FromLong(0));
  const Handle shared = part_of(config, "shmem_size", zero.get());
  const Handle before = part_of(config, "cooperative_launch", Py_False);
  const Handle together = before ? part_of(config, "is_cooperative", before.get()) : Handle();
  if (!cluster || !shared || !together) return Handle();
  return Handle::own(
      PyTuple_Pack(5, grid.get(), block.get(), stream, shared.get(), together.get()));
}

// `[config]` and `[config, stream]`.
Handle config_in(const std::string& function, Borrowed key) {
  if (!PyTuple_Check(key.get())) return named_config(function, key, Py_None);
  if (PyTuple_Size(key.get()) != 2) return Handle();
  const Borrowed first = held_item(key, 0);
  const bool is_shape =
      PyLong_Check(first.get()) || PyTuple_Check(first.get()) || PyList_Check(first.get());
  return is_shape ? Handle() : named_config(function, first, held_item(key, 1).get());
}

}  // namespace

bool read_config(State& state, const std::string& function, Borrowed key, LaunchConfig& to) {
  if (const Handle named = config_in(function, key)) return read_config(state, function, named, to);
  if (PyErr_Occurred()) return false;
  Py_ssize_t count = PyTuple_Check(key.get()) ? PyTuple_Size(key.get()) : 1;
  if (!PyTuple_Check(key.get()) || count < 2 || count > 5)
    return fail(PyExc_TypeError, function +
                                     "[...] takes grid, block and optionally stream, "
                                     "shared and cooperative, " +
                                     std::to_string(count) + (count == 1 ? " was" : " were") +
                                     " given; 8 blocks of 256 threads are " + function +
                                     "[8, 256](...)");
  if (!read_shape(function, "grid", held_item(key, 0), to.geometry.grid)) return false;
  if (!read_shape(function, "block", held_item(key, 1), to.geometry.block)) return false;
  if (count > 2 && !read_stream(state, held_item(key, 2), to.stream)) return false;
  if (count > 2) to.owner = tuple_item(key, 2);
  if (count > 3 && !read_extent(function, "shared", held_item(key, 3), to.geometry.shared_bytes))
    return false;
  return count < 5 ||
         read_flag(function, "cooperative", held_item(key, 4), to.geometry.cooperative);
}

}  // namespace hetjit::python
