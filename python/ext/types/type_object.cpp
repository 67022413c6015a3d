#include "python/ext/types/type_object.h"

#include "abi/layout.h"
#include "abi/text_reader.h"
#include "python/ext/capture/capturer.h"
#include "python/ext/handles/builder.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/handles/structs.h"

namespace hetjit::python {
namespace {

struct TypeObject {
  PyObject_HEAD Parameter parameter;
  Kept classes;  // of the structs in it, a list: the methods of arrays that have it; or empty.
                 // Of several that are one type only that which it was made of.
};

const Parameter& self_of(Borrowed object) { return as_struct<TypeObject>(object).parameter; }
const Type& shape_of(Borrowed object) { return type(self_of(object).type); }

using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);

void append(Handle& list, Borrowed cls) {
  if (!list) list = Handle::own(PyList_New(0));
  if (list) PyList_Append(list.get(), cls.get());
}

// The classes that a hint names, a Type keeps, or that are in a tuple of such.
void add_classes(const State& state, Borrowed from, Handle& to) {
  if (PyTuple_Check(from.get())) {
    for (Py_ssize_t i = 0; i < PyTuple_Size(from.get()); ++i)
      add_classes(state, held_item(from, i), to);
  } else if (is_instance(from, state.type_type)) {
    const Handle& kept = as_struct<TypeObject>(from).classes;
    for (Py_ssize_t i = 0; kept && i < PyList_Size(kept.get()); ++i) append(to, list_item(kept, i));
  } else if (PyType_Check(from.get())) {
    Handle its = find_attribute(from, "__hetjit_type__");
    if (!its || !is_instance(its, state.type_type)) return;
    append(to, from);
    add_classes(state, its, to);
  } else if (Handle items = find_attribute(from, "__args__"); items && PyTuple_Check(items.get())) {
    add_classes(state, items, to);
  }
}

// A class for each struct in a type that is all there is to know: the oldest.
void add_oldest_classes(const State& state, TypeId type, Handle& to) {
  std::vector<TypeId> structs;
  add_struct_types(type, structs);
  for (TypeId one : structs)
    if (std::vector<Handle> classes = state.classes.of(one); !classes.empty())
      append(to, classes.front());
}

PyObject* make(PyTypeObject* type, Parameter parameter, Borrowed from) {
  State* state = state_of(type);
  auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* made = state ? allocate(type, 0) : nullptr;
  if (!made) return nullptr;
  auto* self = reinterpret_cast<TypeObject*>(made);
  self->parameter = parameter;
  Handle classes;
  if (from.get())
    add_classes(*state, from, classes);
  else
    add_oldest_classes(*state, parameter.type, classes);
  PyErr_Clear();
  self->classes = std::move(classes);
  return made;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(reinterpret_cast<PyObject*>(Py_TYPE(self)));
  Py_VISIT(reinterpret_cast<TypeObject*>(self)->classes.get());
  return 0;
}

int clear(PyObject* self) {
  as_struct<TypeObject>(self).classes = Handle();
  return 0;
}

// Of a hint, or of a type's text.
PyObject* create(PyTypeObject* cls, PyObject* arguments, PyObject* keywords) {
  PyObject* hint = nullptr;
  const char* const names[] = {"hint", nullptr};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O", const_cast<char**>(names), &hint))
    return nullptr;
  State* state = state_of(cls);
  if (!state || !state->numpy.look()) return nullptr;
  if (PyUnicode_Check(hint)) {
    Result<Signature> parsed = parse_signature("(" + text_of(hint) + ")");
    if (!parsed) return fail(parsed.error());
    if (parsed->parameters.size() != 1) return fail(PyExc_ValueError, "one type is needed");
    return make(cls, parsed->parameters[0], nullptr);
  }
  std::optional<Parameter> found = parameter_of_hint(*state, hint);
  if (!found)
    return fail(PyExc_TypeError,
                (PyType_Check(hint) ? text_attribute(hint, "__qualname__") : describe(hint)) +
                    " is no type that device code has: use bool, int, float, complex, None, a "
                    "type of device or of numpy, a vector, a struct, tuple[...], an array like "
                    "device.float32[:, :]");
  return make(cls, *found, hint);
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

PyObject* compare(PyObject* one, PyObject* other, int operation) {
  State* state = state_of(Py_TYPE(one));
  if (!state) return nullptr;
  if ((operation != Py_EQ && operation != Py_NE) || !is_instance(other, state->type_type)) {
    return Handle::share(Py_NotImplemented).release();
  }
  return PyBool_FromLong((self_of(one) == self_of(other)) == (operation == Py_EQ));
}

Py_hash_t hash(PyObject* self) {
  return static_cast<Py_hash_t>(self_of(self).type.index) * 2 + self_of(self).weak;
}

PyObject* get_text(PyObject* self, void*) { return new_text(to_text(self_of(self))).release(); }
PyObject* get_name(PyObject* self, void*) {
  return new_text(to_python(self_of(self).type)).release();
}
PyObject* get_kind(PyObject* self, void*) {
  constexpr const char* kKinds[] = {"none",  "scalar", "vector", "pointer",
                                    "array", "tuple",  "struct", "aligned"};
  return PyUnicode_FromString(kKinds[static_cast<size_t>(shape_of(self).kind)]);
}
PyObject* get_weak(PyObject* self, void*) { return PyBool_FromLong(self_of(self).weak); }
PyObject* get_size(PyObject* self, void*) {
  return PyLong_FromUnsignedLong(layout(self_of(self).type).size);
}
PyObject* get_align(PyObject* self, void*) {
  return PyLong_FromUnsignedLong(layout(self_of(self).type).align);
}
PyObject* get_stride(PyObject* self, void*) {
  return PyLong_FromUnsignedLong(layout(self_of(self).type).stride());
}
PyObject* get_rank(PyObject* self, void*) { return PyLong_FromLong(shape_of(self).rank); }
PyObject* get_lanes(PyObject* self, void*) { return PyLong_FromLong(shape_of(self).lanes); }
PyObject* get_scalar(PyObject* self, void*) {
  return new_text(info(shape_of(self).scalar).python_name).release();
}

PyObject* get_element(PyObject* self, void*) {
  TypeId element = shape_of(self).element;
  return element.valid() ? make(Py_TYPE(self), {element, false}, self) : new_none();
}

// (name, offset, type, least alignment) of each part of a vector, tuple or struct.
PyObject* get_fields(PyObject* self, void*) {
  const Type& shape = type(without_align(self_of(self).type));
  const bool weak = self_of(self).weak;
  Layout lies = layout(self_of(self).type);
  const size_t count = shape.kind == TypeKind::Vector ? shape.lanes : shape.fields.size();
  TupleBuilder fields(count);
  for (size_t i = 0; fields && i < count; ++i) {
    hetjit::Field field{.name = std::string(1, "xyzw"[i & 3]), .type = scalar_type(shape.scalar)};
    if (shape.kind != TypeKind::Vector) field = shape.fields[i];
    bool builtin = shape.kind == TypeKind::Struct ? field.weak : weak;
    Handle part = Handle::own(make(Py_TYPE(self), {field.type, builtin}, self));
    Handle name = new_text(field.name);
    if (!part || !name) return nullptr;
    fields.set(i, Handle::own(Py_BuildValue("(OIOI)", name.get(), lies.offsets[i], part.get(),
                                            field.align)));
  }
  return fields.build().release();
}

PyObject* repr(PyObject* self) {
  return new_text("<device type " + to_text(self_of(self)) + ">").release();
}

PyObject* reduce(PyObject* self, PyObject*) {
  return Py_BuildValue("(O(s))", Py_TYPE(self), to_text(self_of(self)).c_str());
}

PyGetSetDef attributes[] = {
    {"text", get_text, nullptr, "All about it, so that Type(text) is the same.", nullptr},
    {"name", get_name, nullptr, "As the user would write it: 'float32x3'.", nullptr},
    {"kind", get_kind, nullptr, "'scalar', 'vector', 'tuple', 'struct', …", nullptr},
    {"weak", get_weak, nullptr, "Whether its numbers are Python's own.", nullptr},
    {"size", get_size, nullptr, "Bytes of a value.", nullptr},
    {"align", get_align, nullptr, "Alignment in bytes.", nullptr},
    {"stride", get_stride, nullptr, "Bytes from one element of an array to the next.", nullptr},
    {"rank", get_rank, nullptr, "Axes of an array.", nullptr},
    {"lanes", get_lanes, nullptr, "Elements of a vector.", nullptr},
    {"scalar", get_scalar, nullptr, "Format of a scalar or of a vector's elements.", nullptr},
    {"element", get_element, nullptr, "The type in an array, or behind an alignment.", nullptr},
    {"fields", get_fields, nullptr, "(name, offset, type, align) of each part.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, "Pickles by its text."},
                         {nullptr, nullptr, 0, nullptr}};

PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(ended<create>)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                       {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear)},
                       {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
                       {Py_tp_hash, reinterpret_cast<void*>(hash)},
                       {Py_tp_repr, reinterpret_cast<void*>(repr)},
                       {Py_tp_getset, attributes},
                       {Py_tp_methods, methods},
                       {Py_tp_doc, const_cast<char*>("A type of device code, of a hint.")},
                       {0, nullptr}};

PyType_Spec spec = {"hetjit._core.Type", sizeof(TypeObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};

}  // namespace

Handle make_type_type(Borrowed module) { return make_type<TypeObject>(module, spec); }

Handle type_object(const State& state, Parameter parameter, Borrowed from) {
  return Handle::own(make(reinterpret_cast<PyTypeObject*>(state.type_type.get()), parameter, from));
}

Parameter parameter_of_type(Borrowed object) { return self_of(object); }

Handle class_of_type(const State& state, Borrowed object) {
  const Handle& kept = as_struct<TypeObject>(object).classes;
  for (Py_ssize_t i = 0; kept && i < PyList_Size(kept.get()); ++i)
    if (Handle cls = list_item(kept, i); type_of_class(state, cls) == self_of(object).type)
      return cls;
  return Handle();
}

}  // namespace hetjit::python
