// Adapters that make a C array of a list: ListOfBytes and its kin, and texts (CStr).
#include <cstring>
#include <limits>

#include "python/ext/adapters/pointer_object.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

bool put_bytes(State&, Borrowed element, std::byte* to, Memory&) {
  if (!PyBytes_Check(element.get()))
    return fail(PyExc_TypeError, describe(element) + " is not a bytes object");
  const char* text = PyBytes_AsString(element.get());
  std::memcpy(to, &text, sizeof text);
  return true;
}

bool put_pointer(State& state, Borrowed element, std::byte* to, Memory& memory) {
  if (!read_pointer(state, element, memory)) return false;
  std::memcpy(to, &memory.address, sizeof memory.address);
  return true;
}

// Of an int, or of a number of ctypes.
Handle index_of(State& state, Borrowed element) {
  if (PyIndex_Check(element.get())) return Handle::own(PyNumber_Index(element.get()));
  if (!state.ctypes.look()) return Handle();
  Handle value = state.ctypes.is_simple(element)
                     ? Handle::own(PyObject_GetAttrString(element.get(), "value"))
                     : element.dup();
  if (!value) return Handle();
  if (PyIndex_Check(value.get())) return Handle::own(PyNumber_Index(value.get()));
  return fail(PyExc_TypeError, describe(element) + " is not an int");
}

template <class Number>
bool put_number(State& state, Borrowed element, std::byte* to, Memory&) {
  Handle index = index_of(state, element);
  if (!index) return false;
  using Limits = std::numeric_limits<Number>;
  const auto wide = [&] {
    if constexpr (Limits::is_signed)
      return PyLong_AsLongLong(index.get());
    else
      return PyLong_AsUnsignedLongLong(index.get());
  }();
  const bool fits = !PyErr_Occurred() && wide >= Limits::min() && wide <= Limits::max();
  if (!fits) {
    PyErr_Clear();
    return fail(PyExc_OverflowError, text_of(index) + " is not from " +
                                         std::to_string(Limits::min()) + " to " +
                                         std::to_string(Limits::max()));
  }
  const auto number = static_cast<Number>(wide);
  std::memcpy(to, &number, sizeof number);
  return true;
}

struct ListKind {
  const char* name;
  const char* doc;
  size_t bytes;  // of an element
  bool (*put)(State& state, Borrowed element, std::byte* to, Memory& memory);
};

constexpr ListKind kBytes{"ListOfBytes",
                          "`const char*[n]` of a list or tuple of bytes, each ending in a NUL; of "
                          "anything else its address.",
                          8, put_bytes};
constexpr ListKind kPointers{"ListOfPointer",
                             "`void*[n]` of a list or tuple of what a Pointer is made from, which "
                             "it keeps; of anything else its address.",
                             8, put_pointer};
constexpr ListKind kInts{"ListOfInt",
                         "`int[n]` of a list or tuple of ints or ctypes integers of 32 bits; of "
                         "anything else its address.",
                         4, put_number<int32_t>};
constexpr ListKind kUnsigneds{"ListOfUnsigned",
                              "`unsigned[n]` of a list or tuple of ints or ctypes integers from 0 "
                              "to 2**32 - 1; of anything else its address.",
                              4, put_number<uint32_t>};
constexpr ListKind kUnsignedLongs{"ListOfUnsignedLong",
                                  "`unsigned long[n]` of a list or tuple of ints or ctypes "
                                  "integers from 0 to 2**64 - 1; of anything else its address.",
                                  8, put_number<uint64_t>};

template <const ListKind& kind>
bool read_list(State& state, Borrowed from, Memory& to) {
  if (!PyList_Check(from.get()) && !PyTuple_Check(from.get()))
    return read_address(state, kAnyMemory, "a list, an address, nor does it have memory", from, to);
  to.owner = Handle::own(PySequence_Tuple(from.get()));  // the list may change while this is in use
  if (!to.owner) return false;
  const Py_ssize_t count = PyTuple_Size(to.owner.get());
  to.bytes = static_cast<size_t>(count) * kind.bytes;
  to.place = Memory::Place::Host;
  to.array.resize(to.bytes / sizeof(Line) + 1);
  if (kind.put == put_pointer) to.elements.resize(static_cast<size_t>(count));
  Memory nothing;
  for (Py_ssize_t i = 0; i < count; ++i) {
    std::byte* place = to.array.front().bytes + static_cast<size_t>(i) * kind.bytes;
    Memory& memory = to.elements.empty() ? nothing : to.elements[static_cast<size_t>(i)];
    if (!kind.put(state, held_item(to.owner.get(), i), place, memory))
      return fail_at(std::string(kind.name) + ": element " + std::to_string(i));
  }
  to.address = reinterpret_cast<runtime::Address>(to.array.data());
  return true;
}

// The list that it was made from, as a tuple. Empty: an exception is set.
Handle list_of(PyObject* self) {
  const Memory& memory = memory_of_pointer(self);
  if (!memory.array.empty()) return memory.owner.dup();
  return fail(PyExc_TypeError,
              "an address was given, and no list: how many elements there are "
              "is not known");
}

Py_ssize_t length(PyObject* self) {
  const Handle list = list_of(self);
  return list ? PyTuple_Size(list.get()) : -1;
}

PyObject* item(PyObject* self, Py_ssize_t index) {
  const Handle list = list_of(self);
  return list ? tuple_item(list, index).release() : nullptr;
}

template <const ListKind& kind>
bool add_list(Borrowed module, const State& state) {
  return add_adapter(module, state, kind.name, kind.doc, initialise<read_list<kind>>,
                     {{Py_sq_length, reinterpret_cast<void*>(length)},
                      {Py_sq_item, reinterpret_cast<void*>(item)}});
}

// ---- texts

constexpr const char* kTextDoc =
    "`const char*` of a str (as UTF-8), of bytes or of a ctypes.c_char_p; of None, a Pointer, an "
    "int or a ctypes.c_void_p\ntheir address.";

bool read_characters(Borrowed text, Memory& to) {
  Py_ssize_t size = 0;
  const char* characters = nullptr;
  if (PyUnicode_Check(text.get()))
    characters = PyUnicode_AsUTF8AndSize(text.get(), &size);
  else if (char* found = nullptr; PyBytes_AsStringAndSize(text.get(), &found, &size) == 0)
    characters = found;
  if (!characters) return false;
  if (std::strlen(characters) != static_cast<size_t>(size))
    return fail(PyExc_ValueError, "a text for C ends at its first NUL, and this one goes on");
  to.address = reinterpret_cast<runtime::Address>(characters);
  to.bytes = static_cast<size_t>(size) + 1;
  to.place = Memory::Place::Host;
  to.writable = false;
  to.owner = text.dup();
  return true;
}

bool read_text(State& state, Borrowed from, Memory& to) {
  if (PyUnicode_Check(from.get()) || PyBytes_Check(from.get())) return read_characters(from, to);
  if (!state.ctypes.look()) return false;
  if (!state.ctypes.is_text(from)) return read_address(state, kNoMemory, "a text", from, to);
  Handle value = Handle::own(PyObject_GetAttrString(from.get(), "value"));
  return value && (value.get() == Py_None || read_characters(value, to));
}

}  // namespace

bool add_list_types(Borrowed module, const State& state) {
  return add_list<kBytes>(module, state) && add_list<kPointers>(module, state) &&
         add_list<kInts>(module, state) && add_list<kUnsigneds>(module, state) &&
         add_list<kUnsignedLongs>(module, state) &&
         add_adapter(module, state, "CStr", kTextDoc, initialise<read_text>);
}

}  // namespace hetjit::python
