// Grid, block, stream and what else a launch has, as the user writes them.
#include <iterator>

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

bool read_priority(const std::string& function, Borrowed object, Schedule& to) {
  if (object.get() == Py_None) return true;
  Handle number = Handle::own(PyNumber_Index(object.get()));
  if (!number) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return false;
    const Cause cause;
    return fail(PyExc_TypeError, function + "[grid, block]: priority is " + describe(object) +
                                     "; it is an int, the lower the sooner, or None");
  }
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
  if (overflow || value < INT32_MIN || value > INT32_MAX)
    return fail(PyExc_ValueError, function + "[grid, block]: priority is " + text_of(number) +
                                      "; GPUs have a few levels round 0");
  to.has_priority = true;
  to.priority = static_cast<int32_t>(value);
  return true;
}

// What stands between the brackets, in its order.
constexpr const char* kOptions[] = {"grid",        "block",   "stream",   "shared",
                                    "cooperative", "cluster", "priority", "programmatic"};
constexpr Py_ssize_t kMostOptions = std::size(kOptions);

// The last ones, behind the stream.
bool read_options(const std::string& function, Borrowed key, Geometry& to) {
  const Py_ssize_t count = PyTuple_Size(key.get());
  return (count < 4 || read_extent(function, "shared", held_item(key, 3), to.shared_bytes)) &&
         (count < 5 || read_flag(function, "cooperative", held_item(key, 4), to.cooperative)) &&
         (count < 6 || held_item(key, 5).get() == Py_None ||
          read_shape(function, "cluster", held_item(key, 5), to.schedule.cluster)) &&
         (count < 7 || read_priority(function, held_item(key, 6), to.schedule)) &&
         (count < 8 ||
          read_flag(function, "programmatic", held_item(key, 7), to.schedule.programmatic));
}

// cuda.core counts clusters where there are some, CUDA C++ and we count blocks.
bool count_blocks(const std::string& function, Geometry& geometry) {
  for (int axis = 0; axis < 3; ++axis) {
    uint32_t& blocks = geometry.grid[axis];
    if (geometry.schedule.cluster[axis] == 0) continue;  // which the launch refuses
    if (__builtin_mul_overflow(blocks, geometry.schedule.cluster[axis], &blocks))
      return fail(PyExc_ValueError, function +
                                        "[config]: its clusters have more blocks than fit "
                                        "32 bits");
  }
  return true;
}

// A LaunchConfig of cuda.core, which has grid and block by name, as what would stand between the
// brackets in its place. Empty without an exception: it is none.
Handle named_config(Borrowed config, PyObject* stream) {
  Handle grid, block;
  if (!look_up(config, "grid", grid) || !look_up(config, "block", block) || !grid || !block)
    return Handle();
  const Handle zero = Handle::own(PyLong_FromLong(0));
  const Handle shared = part_of(config, "shmem_size", zero.get());
  const Handle before = part_of(config, "cooperative_launch", Py_False);
  const Handle together = before ? part_of(config, "is_cooperative", before.get()) : Handle();
  const Handle cluster = part_of(config, "cluster", Py_None);
  const Handle early = part_of(config, "programmatic_stream_serialization", Py_False);
  if (!shared || !together || !cluster || !early) return Handle();
  return Handle::own(PyTuple_Pack(kMostOptions, grid.get(), block.get(), stream, shared.get(),
                                  together.get(), cluster.get(), Py_None, early.get()));
}

// `[config]` and `[config, stream]`.
Handle config_in(Borrowed key) {
  if (!PyTuple_Check(key.get())) return named_config(key, Py_None);
  if (PyTuple_Size(key.get()) != 2) return Handle();
  const Borrowed first = held_item(key, 0);
  const bool is_shape =
      PyLong_Check(first.get()) || PyTuple_Check(first.get()) || PyList_Check(first.get());
  return is_shape ? Handle() : named_config(first, held_item(key, 1).get());
}

std::string names_of_options() {
  std::string all;
  for (Py_ssize_t i = 2; i < kMostOptions; ++i)
    all += (i == 2 ? "" : i + 1 < kMostOptions ? ", " : " and ") + std::string(kOptions[i]);
  return all;
}

}  // namespace

bool read_config(State& state, const std::string& function, Borrowed key, LaunchConfig& to) {
  if (const Handle named = config_in(key))
    return read_config(state, function, named, to) && count_blocks(function, to.geometry);
  if (PyErr_Occurred()) return false;
  Py_ssize_t count = PyTuple_Check(key.get()) ? PyTuple_Size(key.get()) : 1;
  if (!PyTuple_Check(key.get()) || count < 2 || count > kMostOptions)
    return fail(PyExc_TypeError,
                function + "[...] takes grid, block and optionally " + names_of_options() + ", " +
                    std::to_string(count) + (count == 1 ? " was" : " were") +
                    " given; 8 blocks of 256 threads are " + function + "[8, 256](...)");
  if (!read_shape(function, "grid", held_item(key, 0), to.geometry.grid)) return false;
  if (!read_shape(function, "block", held_item(key, 1), to.geometry.block)) return false;
  if (count > 2 && !read_stream(state, held_item(key, 2), to.stream)) return false;
  if (count > 2) to.owner = tuple_item(key, 2);
  return read_options(function, key, to.geometry);
}

}  // namespace hetjit::python
