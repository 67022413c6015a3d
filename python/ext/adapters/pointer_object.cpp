#include "python/ext/adapters/pointer_object.h"

#include <cinttypes>
#include <cstdio>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "python/ext/handles/errors.h"
#include "python/ext/handles/set_aside.h"
#include "python/ext/launch/compiling.h"
#include "python/ext/state.h"
#include "python/ext/tools.h"

namespace hetjit::python {
namespace {

using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);

// Null until __init__ has read what it is made from: a subclass may do that as it likes.
PyObject* create(PyTypeObject* type, PyObject*, PyObject*) { return null_of(type).release(); }

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(reinterpret_cast<PyObject*>(Py_TYPE(self)));
  return memory_of_pointer(self).traverse(visit, arg);
}

// One of which somebody has a buffer ends after that buffer, which is in the cycle too.
int clear(PyObject* self) {
  if (pointer_of(self).exports > 0) return 0;
  const SetAside raised;
  const Memory gone = std::exchange(memory_of_pointer(self), Memory());
  return 0;
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  {
    const SetAside raised;
    std::destroy_at(&pointer_of(self).memory);
    std::destroy_at(&pointer_of(self).shape);
  }
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

PyObject* as_int(PyObject* self) {
  return PyLong_FromUnsignedLongLong(memory_of_pointer(self).address);
}

int is_not_null(PyObject* self) { return memory_of_pointer(self).address != 0; }

PyObject* represent(PyObject* self) {
  Handle name =
      Handle::own(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(self)), "__name__"));
  char address[19];
  std::snprintf(address, sizeof address, "%#" PRIx64, memory_of_pointer(self).address);
  return name ? PyUnicode_FromFormat("<%U %s>", name.get(), address) : nullptr;
}

// ctypes lets go what it was given before it calls: the number itself has to keep the memory.
PyObject* as_c_void_p(PyObject* self, PyObject*) {
  Handle module = Handle::own(PyImport_ImportModule("ctypes"));
  Handle made = module ? Handle::own(PyObject_CallMethod(module.get(), "c_void_p", "K",
                                                         memory_of_pointer(self).address))
                       : Handle();
  if (!made || PyObject_SetAttrString(made.get(), "pointer", self) < 0) return nullptr;
  return made.release();
}

PyObject* get_parameter(PyObject* self, void*) { return as_c_void_p(self, nullptr); }

PyObject* get_read_only(PyObject* self, void*) {
  return PyBool_FromLong(!memory_of_pointer(self).writable);
}

PyObject* get_on_host(PyObject* self, void*) {
  return PyBool_FromLong(is_on_host(memory_of_pointer(self)));
}

PyObject* get_nbytes(PyObject* self, void*) {
  const size_t bytes = memory_of_pointer(self).bytes;
  return bytes == Memory::kUnknown ? new_none() : PyLong_FromSize_t(bytes);
}

// What functions of ctypes with such a parameter do with an argument.
PyObject* from_param(PyObject* type, PyObject* object) {
  State* state = state_of(reinterpret_cast<PyTypeObject*>(type));
  if (!state) return nullptr;
  if (is_instance(object, state->pointer_type)) return Handle::share(object).release();
  return PyObject_CallFunctionObjArgs(type, object, nullptr);
}

PyMethodDef methods[] = {
    {"as_c_void_p", as_c_void_p, METH_NOARGS,
     "The address as a ctypes.c_void_p, which keeps the memory."},
    {"from_param", ended<from_param>, METH_O | METH_CLASS,
     "For `argtypes` of ctypes: any Pointer as it is, else one made from the argument."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef attributes[] = {
    {"nbytes", get_nbytes, nullptr, "How many bytes of memory there are; None: nobody knows.",
     nullptr},
    {"read_only", get_read_only, nullptr, "Whether the memory may only be read.", nullptr},
    {"on_host", get_on_host, nullptr, "Whether the host is known to reach the memory.", nullptr},
    {"_as_parameter_", get_parameter, nullptr, "For functions of ctypes.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

constexpr const char* kPointerDoc =
    "An address. Made from the first of these that an object is: None (0), a Pointer (its "
    "address), an int, a\nctypes.c_void_p (its value), an object with __cuda_array_interface__ "
    "(its data), one with a buffer (contiguous\nmemory, held until this ends). Anything else is a "
    "TypeError. `int()` is the address.";

bool read_record(State& state, Borrowed from, Memory& to) {
  return read_address(state, kRecord, "an address, nor does it have memory", from, to);
}

bool read_function(State& state, Borrowed from, Memory& to) {
  return read_address(state, kNoMemory, "the address of a function", from, to);
}

bool add_type(Borrowed module, const char* name, PyType_Slot* slots, Borrowed base, Kept& to) {
  const std::string whole = std::string("hetjit.types.") + name;
  PyType_Spec spec = {whole.c_str(), sizeof(PointerObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  to = make_type<PointerObject>(module, spec, base);
  return to && PyModule_AddObjectRef(module.get(), name, to.get()) == 0;
}

}  // namespace

Handle null_of(PyTypeObject* type) {
  auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(type, Py_tp_alloc));
  Handle made = Handle::own(allocate(type, 0));
  if (!made) return made;
  PointerObject& pointer = pointer_of(made);
  new (&pointer.memory) Memory;
  new (&pointer.shape) std::unique_ptr<BufferShape>;
  return made;
}

Handle new_pointer(const State& state, Memory memory) {
  Handle made = Handle::own(PyObject_CallNoArgs(state.pointer_type.get()));
  if (made) std::swap(memory_of_pointer(made), memory);
  return made;
}

// Whoever has asked for the address meanwhile gets the new one; the old memory goes at the end.
PyObject* read_anew(PyObject* self, PyObject* arguments, PyObject* keywords, ReadMemory read) {
  PyObject* from = Py_None;
  State* state = state_of(Py_TYPE(self));
  if (keywords && PyDict_Size(keywords) > 0)
    return fail(PyExc_TypeError, "an adapter is made from one object, given by position");
  if (!state || !PyArg_ParseTuple(arguments, "|O", &from)) return nullptr;
  Memory memory;
  bool done = false;
  if (!with_memory([&] { done = read(*state, from, memory); }) || !done ||
      !check_not_exported(pointer_of(self)))
    return nullptr;
  pointer_of(self).shape.reset();
  std::swap(memory_of_pointer(self), memory);
  return self;
}

bool add_adapter(Borrowed module, const State& state, const char* name, const char* doc,
                 initproc init, std::initializer_list<PyType_Slot> more) {
  std::vector<PyType_Slot> slots = more;
  slots.insert(slots.end(), {{Py_tp_doc, const_cast<char*>(doc)},
                             {Py_tp_init, reinterpret_cast<void*>(init)},
                             {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                             {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                             {Py_tp_clear, reinterpret_cast<void*>(clear)},
                             {0, nullptr}});
  Kept made;
  return add_type(module, name, slots.data(), state.pointer_type, made);
}

bool add_pointer_types(Borrowed module, State& state) {
  PyType_Slot slots[] = {{Py_tp_doc, const_cast<char*>(kPointerDoc)},
                         {Py_tp_new, reinterpret_cast<void*>(create)},
                         {Py_tp_init, reinterpret_cast<void*>(initialise<read_pointer>)},
                         {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                         {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                         {Py_tp_clear, reinterpret_cast<void*>(clear)},
                         {Py_tp_repr, reinterpret_cast<void*>(represent)},
                         {Py_tp_methods, methods},
                         {Py_tp_getset, attributes},
                         {Py_nb_int, reinterpret_cast<void*>(as_int)},
                         {Py_nb_bool, reinterpret_cast<void*>(is_not_null)},
                         {0, nullptr}};
  return add_type(module, "Pointer", slots, nullptr, state.pointer_type) &&
         add_list_types(module, state) && add_pack_type(module, state) &&
         add_memory_type(module, state) && add_pointer_table(module) &&
         add_adapter(module, state, "RecordPointer", "The address of a record.",
                     initialise<read_record>) &&
         add_adapter(module, state, "CodePointer", "The address of a function.",
                     initialise<read_function>);
}

}  // namespace hetjit::python
