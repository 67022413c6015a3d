// The arguments of a low-level launch, packed as a kernel reads them.
#include <algorithm>
#include <cstring>

#include "abi/layout.h"
#include "python/ext/adapters/pointer_object.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

struct Pack {
  Memory& to;
  size_t bytes = 0;

  // Places the next argument.
  bool put(const void* value, size_t size, size_t alignment) {
    bytes = (bytes + alignment - 1) / alignment * alignment;
    if (size > kMostArgumentBytes || bytes + size > kMostArgumentBytes)
      return fail(PyExc_ValueError, "arguments of a kernel have at most " +
                                        std::to_string(kMostArgumentBytes) + " bytes");
    std::memcpy(to.array.front().bytes + bytes, value, size);
    bytes += size;
    return true;
  }
};

// A value of ctypes, by its bytes. Numbers are aligned to their size, complex ones too.
bool put_c_value(State& state, Borrowed entry, Pack& pack) {
  Py_buffer view{};
  if (PyObject_GetBuffer(entry.get(), &view, PyBUF_SIMPLE) < 0) return false;
  const HeldBuffer held(new Py_buffer(view));
  const auto size = static_cast<size_t>(view.len);
  const size_t alignment = state.ctypes.is_simple(entry) ? size : state.ctypes.alignment(entry);
  return alignment && pack.put(view.buf, size, alignment);
}

// A scalar of NumPy's, as the number that it is.
bool put_number(Borrowed entry, Pack& pack) {
  const std::optional<Scalar> scalar =
      Numpy::scalar_of_type(reinterpret_cast<PyObject*>(Py_TYPE(entry.get())));
  if (!scalar) return fail(PyExc_TypeError, describe(entry) + " is no number that kernels know");
  const Layout lies = layout(scalar_type(*scalar));
  std::byte value[16];
  return Numpy::bytes_of(entry, value, lies.size) && pack.put(value, lies.size, lies.align);
}

bool put_entry(State& state, Borrowed entry, Pack& pack) {
  if (!state.ctypes.look() || !state.numpy.look()) return false;
  if (state.ctypes.is_value(entry)) return put_c_value(state, entry, pack);
  if (state.numpy.known() && state.numpy.is_scalar(entry)) return put_number(entry, pack);
  Memory& memory = pack.to.elements.emplace_back();
  return read_address(state, kAnyMemory, "a ctypes value, an address, nor does it have memory",
                      entry, memory) &&
         pack.put(&memory.address, sizeof memory.address, sizeof memory.address);
}

constexpr const char* kDoc =
    "The arguments of a launch, packed: of a list or tuple of ctypes values (also structures), "
    "NumPy's numbers, and what a\nPointer is made from, each at a multiple of its own alignment; "
    "of anything else its address. At most 4096 bytes.";

}  // namespace

bool read_pack(State& state, Borrowed from, Memory& to) {
  if (!PyList_Check(from.get()) && !PyTuple_Check(from.get()))
    return read_address(state, kAnyMemory, "a list, an address, nor does it have memory", from, to);
  to.owner = Handle::own(PySequence_Tuple(from.get()));
  if (!to.owner) return false;
  to.array.resize(kMostArgumentBytes / sizeof(Line));
  Pack pack{to};
  const Py_ssize_t count = PyTuple_Size(to.owner.get());
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!put_entry(state, held_item(to.owner.get(), i), pack))
      return fail_at("argument " + std::to_string(i));
  to.address = reinterpret_cast<runtime::Address>(to.array.data());
  to.bytes = pack.bytes;
  to.place = Memory::Place::Host;
  return true;
}

bool add_pack_type(Borrowed module, const State& state) {
  return add_adapter(module, state, "ArgumentPack", kDoc, initialise<read_pack>);
}

}  // namespace hetjit::python
