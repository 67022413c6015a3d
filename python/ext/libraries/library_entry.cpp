#include "python/ext/libraries/library_entry.h"

#include <array>
#include <new>
#include <string>
#include <vector>

#include "abi/library.hpp"
#include "python/ext/handles/builder.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/handles/structs.h"
#include "python/ext/libraries/library_memory.h"
#include "python/ext/libraries/library_values.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

constexpr size_t kMostSlots = 64;

struct Plan {
  library::Call call = nullptr;
  library::Release release = nullptr;
  std::vector<Item> items;
  Item result;
  Kept otherwise;  // called with the same arguments
  Kept failed;     // called with what went wrong; raises
  State* state = nullptr;
};

struct EntryObject {
  PyObject_HEAD Vectorcall vectorcall;
  PyObject* attributes;  // its __dict__: name, documentation
  Plan plan;
};

EntryObject& self_of(Borrowed object) { return as_struct<EntryObject>(object); }

using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);

// ---- arguments that fit as they are

// No exception is set where the answer is no.
bool read_array(State& state, Borrowed object, const Item& item, library::Array& to,
                library::Slot& slot) {
  PyTypeObject* readable = state.numpy.readable_array();
  if (!readable || Py_TYPE(object.get()) != readable) return false;
  const auto& head = *reinterpret_cast<const ArrayHead*>(object.get());
  const int wanted = kNumpyCOrder | (item.written ? kNumpyWriteable : 0);
  if ((head.flags & wanted) != wanted || head.rank != item.rank) return false;
  const auto& dtype = *reinterpret_cast<const DtypeHead*>(head.descr);
  const NumberFormat format = state.numpy.format_of_head(dtype);
  const size_t bytes = size_t{1} << format.shift;
  if (format.type != item.element || reinterpret_cast<uintptr_t>(head.data) % bytes) return false;
  to.base_addr = head.data;
  to.elem_len = bytes;
  to.rank = head.rank;
  to.size = 1;
  for (int axis = 0; axis < head.rank; ++axis) {
    to.shape[axis] = head.extents[axis];
    to.size *= static_cast<size_t>(head.extents[axis]);
  }
  slot.array = &to;
  return true;
}

bool read(State& state, Borrowed object, const Item& item, library::Array& array,
          library::Slot& to) {
  switch (item.kind) {
    case Kind::Signed:
    case Kind::Unsigned:
      return read_integer(object, item, to);
    case Kind::Float:
      return read_float(object, item, to);
    case Kind::Bool:
      to.word = object.get() == Py_True;
      return object.get() == Py_True || object.get() == Py_False;
    default:
      return read_array(state, object, item, array, to);
  }
}

// What the function in Python raises, or an error that it forgot.
PyObject* raise_failed(const Plan& plan, const char* what) {
  Handle text =
      Handle::own(PyUnicode_DecodeUTF8(what, static_cast<Py_ssize_t>(strlen(what)), "replace"));
  if (!text) return nullptr;
  Handle::own(PyObject_CallFunctionObjArgs(plan.failed.get(), text.get(), nullptr));
  if (!PyErr_Occurred()) fail(PyExc_SystemError, "a failed call raised nothing");
  return nullptr;
}

PyObject* call_otherwise(const Plan& plan, PyObject* const* arguments, size_t count,
                         PyObject* names) {
  const Handle given = new_tuple(arguments, count);
  const Handle keywords = Handle::own(names ? PyDict_New() : nullptr);
  if (!given || (names && !keywords)) return nullptr;
  for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); ++i)
    if (PyDict_SetItem(keywords.get(), held_item(names, i).get(), arguments[count + i]) < 0)
      return nullptr;
  return PyObject_Call(plan.otherwise.get(), given.get(), keywords.get());
}

PyObject* call(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* keywords) {
  const Plan& plan = self_of(self).plan;
  const size_t count = positional_count(flags);
  std::array<library::Slot, kMostSlots> slots;
  std::array<library::Array, 8> arrays;
  size_t used = 0;
  bool fits = plan.result.kind != Kind::Array && count == plan.items.size() && !keywords;
  for (size_t i = 0; fits && i < count; ++i) {
    const Item& item = plan.items[i];
    fits = read(*plan.state, arguments[i], item, arrays[used], slots[i]);
    used += item.kind == Kind::Array;
  }
  if (!fits) return call_otherwise(plan, arguments, count, keywords);
  uint64_t word = 0;
  library::Slot result;
  result.pointer = &word;
  if (const char* wrong = plan.call(slots.data(), &result)) return raise_failed(plan, wrong);
  return result_of(plan.result, word, arguments);
}

// tp_call: PyVectorcall_Call is not in the limited API of 3.11.
PyObject* call_with_tuple(PyObject* self, PyObject* arguments, PyObject* keywords) {
  if (keywords && PyDict_Size(keywords))
    return PyObject_Call(self_of(self).plan.otherwise.get(), arguments, keywords);
  std::vector<PyObject*> all;
  for (Py_ssize_t i = 0; i < PyTuple_Size(arguments); ++i)
    all.push_back(held_item(arguments, i).get());
  return call(self, all.data(), all.size(), nullptr);
}

// ---- functions that a library calls back

// A pointer is an int, or None.
Handle argument_of(const Item& item, uint64_t word) {
  if (item.kind != Kind::Pointer) return Handle::own(result_of(item, word, nullptr));
  return word ? Handle::own(PyLong_FromUnsignedLongLong(word)) : Handle::own(new_none());
}

// What a function of Python's returned. False: an exception is set.
bool read_returned(Borrowed object, const Item& item, library::Slot& to) {
  if (item.kind == Kind::Nothing) return true;
  if (item.kind == Kind::Float) {
    const double value = PyFloat_AsDouble(object.get());
    const Handle number = Handle::own(PyErr_Occurred() ? nullptr : PyFloat_FromDouble(value));
    if (!number) return false;
    return read_float(number, item, to) ||
           fail(PyExc_OverflowError, "more than a float holds");
  }
  if (item.kind == Kind::Bool) {
    const int truth = PyObject_IsTrue(object.get());
    to.word = truth > 0;
    return truth >= 0;
  }
  if (item.kind == Kind::Pointer && object.get() == Py_None) return true;  // null: it is zero
  const Handle number = Handle::own(PyNumber_Index(object.get()));
  if (!number) return false;
  return read_integer(number, item, to) ||
         fail(PyExc_OverflowError, "a number that the type does not have");
}

// Says of what was returned that it is no such value; other exceptions are the user's.
void name_returned(Borrowed object, Borrowed wanted) {
  for (PyObject* type : {PyExc_TypeError, PyExc_OverflowError})
    if (PyErr_ExceptionMatches(type)) {
      PyErr_Format(type, "%U, and it returned %.80R", wanted.get(), object.get());
      return;
    }
}

struct PythonCallback : library::Callback {
  PythonCallback(Borrowed function, std::vector<Item> taken, Borrowed wanted)
      : Callback{call_python, false},
        callable(function.dup()),
        returns(wanted.dup()),
        items(std::move(taken)) {}

  // The items: of the arguments, then of the result.
  static bool call_python(Callback* self, const library::Slot* arguments, library::Slot* result) {
    auto& callback = *static_cast<PythonCallback*>(self);
    const size_t count = callback.items.size() - 1;
    TupleBuilder building(count);
    for (size_t i = 0; building && i < count; ++i)
      building.set(i, argument_of(callback.items[i], arguments[i].word));
    const Handle given = building.build();
    const Handle returned =
        Handle::own(given ? PyObject_Call(callback.callable.get(), given.get(), nullptr) : nullptr);
    if (returned) {
      if (read_returned(returned, callback.items.back(), *result)) return true;
      name_returned(returned, callback.returns);
    }
    callback.raised = take_exception();
    callback.failed = true;
    return false;
  }

  Handle callable, raised;
  Handle returns;  // how messages about what it returned begin
  std::vector<Item> items;
};

// ---- arguments that Python has prepared

// Buffers that are held while a call uses them.
class Buffers {
 public:
  Buffers() = default;
  Buffers(const Buffers&) = delete;
  ~Buffers() {
    for (Py_buffer& view : views_) PyBuffer_Release(&view);
  }
  // Room for all of them, since slots point into it.
  void reserve(size_t count) {
    views_.reserve(count);
    arrays_.reserve(count);
    callbacks_.reserve(count);
  }
  void take(Borrowed function, std::vector<Item> items, Borrowed wanted, library::Slot& to) {
    to.callback = &callbacks_.emplace_back(function, std::move(items), wanted);
  }
  // Raises what a callback raised. False: none did.
  bool raise() {
    for (PythonCallback& each : callbacks_)
      if (each.raised) {
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(each.raised.get())), each.raised.get());
        return true;
      }
    return false;
  }
  bool take(Borrowed object, library::Slot& to) {
    Py_buffer view{};
    if (PyObject_GetBuffer(object.get(), &view, PyBUF_ND) < 0) return false;
    views_.push_back(view);
    if (view.ndim > library::kMostAxes)
      return fail(PyExc_ValueError, "a library's array has at most 7 dimensions");
    library::Array& array = arrays_.emplace_back();
    array = {view.buf, library::kUnknown, static_cast<size_t>(view.itemsize), 1, view.ndim, {}};
    for (int axis = 0; axis < view.ndim; ++axis) {
      array.shape[axis] = view.shape[axis];
      array.size *= static_cast<size_t>(view.shape[axis]);
    }
    to.array = &array;
    return true;
  }

 private:
  std::vector<Py_buffer> views_;
  std::vector<library::Array> arrays_;
  std::vector<PythonCallback> callbacks_;
};

// (function, items, what it returns).
bool take_callback(Borrowed tuple, Buffers& buffers, library::Slot& to) {
  PyObject *function = nullptr, *kinds = nullptr, *wanted = nullptr;
  if (!PyArg_ParseTuple(tuple.get(), "OO!U", &function, &PyTuple_Type, &kinds, &wanted))
    return false;
  std::vector<Item> items(static_cast<size_t>(PyTuple_Size(kinds)));
  for (size_t i = 0; i < items.size(); ++i)
    if (!read_item(held_item(kinds, i), items[i])) return false;
  buffers.take(function, std::move(items), wanted, to);
  return true;
}

constexpr library::Array kNoArray{};

// int: a word; None: an array that is none; Memory: where it lies; a tuple: a callback; else a
// buffer.
bool prepare(State& state, Borrowed object, Buffers& buffers, library::Slot& to) {
  if (object.get() == Py_None) {
    to.array = &kNoArray;
    return true;
  }
  if (PyObject_TypeCheck(object.get(), &PyLong_Type)) {
    to.word = PyLong_AsUnsignedLongLongMask(object.get());
    return !PyErr_Occurred();
  }
  if (PyObject_TypeCheck(object.get(), &PyTuple_Type)) return take_callback(object, buffers, to);
  if (!is_instance(object, state.memory_type)) return buffers.take(object, to);
  return address_of_memory(object, to.pointer);
}

Handle taken(const library::Given& given) {
  const auto rank = static_cast<size_t>(given.array.rank);
  TupleBuilder extents(rank);
  for (size_t axis = 0; extents && axis < rank; ++axis)
    extents.set(axis, Handle::own(PyLong_FromLongLong(given.array.shape[axis])));
  const Handle shape = extents.build();
  if (!shape) return {};
  auto address = [](void* at) { return static_cast<unsigned long long>(uintptr_t(at)); };
  return Handle::own(Py_BuildValue("(KnOKi)", address(given.array.base_addr),
                                   static_cast<Py_ssize_t>(given.array.elem_len), shape.get(),
                                   address(given.memory.addr), given.memory.idtor));
}

// One letter for each result, "w" a word and "g" what is given.
PyObject* results_of(const char* kinds, const std::vector<library::Given>& given) {
  TupleBuilder results(given.size());
  for (size_t i = 0; results && i < given.size(); ++i) {
    uint64_t word;
    std::memcpy(&word, &given[i], sizeof word);
    results.set(i,
                kinds[i] == 'w' ? Handle::own(PyLong_FromUnsignedLongLong(word)) : taken(given[i]));
  }
  return results.build().release();
}

PyObject* invoke(PyObject* self, PyObject* arguments) {
  const Plan& plan = self_of(self).plan;
  PyObject* prepared = nullptr;
  const char* kinds = nullptr;
  if (!PyArg_ParseTuple(arguments, "O!s", &PyList_Type, &prepared, &kinds)) return nullptr;
  const auto count = static_cast<size_t>(PyList_Size(prepared));
  std::vector<library::Slot> in(count + 1), out(strlen(kinds) + 1);
  std::vector<library::Given> given(strlen(kinds));
  Buffers buffers;
  buffers.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const Handle item = list_item(prepared, i);
    if (!prepare(*plan.state, item, buffers, in[i])) return nullptr;
  }
  for (size_t i = 0; i < given.size(); ++i) out[i].given = &given[i];
  if (const char* wrong = plan.call(in.data(), out.data())) {
    for (library::Given& each : given)
      if (plan.release) plan.release(&each.memory);
    return buffers.raise() ? nullptr : raise_failed(plan, wrong);
  }
  return results_of(kinds, given);
}

// ---- the type

bool read_plan(Borrowed items, Borrowed result, Plan& to) {
  // None: nothing fits as it is.
  to.result.kind = Kind::Array;
  if (items.get() == Py_None) return true;
  for (Py_ssize_t i = 0; i < PyTuple_Size(items.get()); ++i)
    if (!read_item(held_item(items, i), to.items.emplace_back())) return false;
  return read_item(result, to.result);
}

PyObject* create(PyTypeObject* type, PyObject* arguments, PyObject*) {
  unsigned long long address = 0, release = 0;
  PyObject *items = nullptr, *result = nullptr, *otherwise = nullptr, *failed = nullptr;
  if (!PyArg_ParseTuple(arguments, "KKOOOO", &address, &release, &items, &result, &otherwise,
                        &failed))
    return nullptr;
  Plan plan;
  plan.state = state_of(type);
  plan.call = reinterpret_cast<library::Call>(address);
  plan.release = reinterpret_cast<library::Release>(release);
  if (!plan.state || !plan.state->numpy.require() || !read_plan(items, result, plan))
    return nullptr;
  plan.otherwise = Handle::share(otherwise);
  plan.failed = Handle::share(failed);
  auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* made = allocate(type, 0);
  if (!made) return nullptr;
  new (&self_of(made).plan) Plan(std::move(plan));
  self_of(made).vectorcall = call;
  return made;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(self_of(self).attributes);
  Py_VISIT(self_of(self).plan.otherwise.get());
  Py_VISIT(self_of(self).plan.failed.get());
  return 0;
}

int clear(PyObject* self) {
  Handle::own(std::exchange(self_of(self).attributes, nullptr));
  self_of(self).plan.otherwise = Handle();
  self_of(self).plan.failed = Handle();
  return 0;
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  self_of(self).plan.~Plan();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

PyObject* represent(PyObject* self) {
  const Handle name = Handle::own(PyObject_GetAttrString(self, "__name__"));
  return name ? PyUnicode_FromFormat("<%U() of a library>", name.get()) : nullptr;
}

PyMethodDef methods[] = {
    {"invoke", ended<invoke>, METH_VARARGS, "Calls with prepared arguments; the results' words."},
    {nullptr, nullptr, 0, nullptr}};

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(EntryObject, vectorcall), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(EntryObject, attributes), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyGetSetDef attributes[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(create)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                       {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear)},
                       {Py_tp_call, reinterpret_cast<void*>(call_with_tuple)},
                       {Py_tp_repr, reinterpret_cast<void*>(represent)},
                       {Py_tp_methods, methods},
                       {Py_tp_members, members},
                       {Py_tp_getset, attributes},
                       {Py_tp_doc, const_cast<char*>("A function of a library.")},
                       {0, nullptr}};

PyType_Spec spec = {"hetjit._core.Entry", sizeof(EntryObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE | kHasVectorcall,
                    slots};

}  // namespace

Handle make_entry_type(Borrowed module) { return make_type<EntryObject>(module, spec); }

}  // namespace hetjit::python
