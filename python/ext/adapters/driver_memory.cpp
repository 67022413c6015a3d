// Memory for hetjit.driver: allocated, released, copied and filled where adapters say.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "python/ext/adapters/pointer_object.h"
#include "python/ext/arrays/stream_choice.h"
#include "python/ext/arrays/stream_object.h"
#include "python/ext/handles/errors.h"
#include "python/ext/state.h"
#include "python/ext/tools.h"

namespace hetjit::python {
namespace {

using Place = Memory::Place;

bool is_gpu(const runtime::Device& device) {
  return device.info().kind == runtime::DeviceKind::Gpu;
}

// An instance of the class of DeviceArrays, which does not own the memory that `allocate` gives.
template <class Allocate>
Handle allocated(State& state, const runtime::Device& device, Py_ssize_t bytes, Borrowed type,
                 Place place, Allocate allocate) {
  if (bytes < 0) return fail(PyExc_ValueError, "memory has at least 0 bytes");
  Handle made = Handle::own(PyObject_CallNoArgs(type.get()));
  if (!made) return {};
  state.loans.collect();
  Result<runtime::Address> address = allocate(static_cast<size_t>(bytes));
  if (!address) return fail(address.error());
  Memory& memory = memory_of_pointer(made);
  memory.address = *address;
  memory.bytes = static_cast<size_t>(bytes);
  memory.place = is_gpu(device) ? place : Place::Host;
  return made;
}

struct NamedKind {
  std::string_view name;
  std::optional<runtime::MemoryKind> kind;  // of memory that is not the device's alone
  Place place;
};
constexpr NamedKind kKinds[] = {
    {"default", std::nullopt, Place::Device},
    {"fine_grained", runtime::MemoryKind::FineGrained, Place::Device},
    {"uncached", runtime::MemoryKind::Uncached, Place::Device},
    {"managed", runtime::MemoryKind::Managed, Place::Both},
    {"pinned", runtime::MemoryKind::Pinned, Place::Both},
};

// allocate(device, bytes, class, kind)
PyObject* allocate(PyObject* module, PyObject* arguments) {
  const char *where = nullptr, *name = nullptr;
  Py_ssize_t bytes = 0;
  PyObject* type = nullptr;
  State* state = state_of_module(module);
  if (!state || !PyArg_ParseTuple(arguments, "snOs", &where, &bytes, &type, &name)) return nullptr;
  runtime::Device* device = Devices::open(where);
  if (!device) return nullptr;
  const auto* kind = std::ranges::find(kKinds, name, &NamedKind::name);
  if (kind == std::end(kKinds))
    return fail(PyExc_ValueError, std::string("there is no kind of memory '") + name + "'");
  return allocated(*state, *device, bytes, type, kind->place,
                   [&](size_t count) {
                     return kind->kind ? device->allocate_as(*kind->kind, count)
                                       : device->allocate(count);
                   })
      .release();
}

// What an argument means as memory, when so many bytes of it are used.
bool read_memory(State& state, Borrowed from, size_t bytes, bool written, Memory& to) {
  if (!read_pointer(state, from, to)) return false;
  if (bytes == 0) return true;
  if (to.address == 0) return fail(PyExc_ValueError, "there is no memory at NULL");
  if (to.bytes < bytes)
    return fail(PyExc_ValueError, describe(from) + " has " + std::to_string(to.bytes) +
                                      " bytes, not " + std::to_string(bytes));
  if (written && !to.writable) return fail(PyExc_BufferError, describe(from) + " may only be read");
  return true;
}

// Whether nobody keeps the memory who gives it back himself, nor has a buffer of any part of it.
// False: an exception is set.
bool is_free_to_go(State& state, Borrowed object, const Memory& memory) {
  const Memory* last = &memory;
  while (last->owner && is_instance(Borrowed(last->owner), state.pointer_type)) {
    const PointerObject& pointer = pointer_of(Borrowed(last->owner));
    if (!check_not_exported(pointer)) return false;
    last = &pointer.memory;
  }
  const bool is_kept =
      last->buffer || (last->owner && !state.ctypes.is_void_pointer(Borrowed(last->owner)));
  return !is_kept || fail(PyExc_ValueError, "the memory of " + describe(object) +
                                                " goes with its owner: what malloc() gave can be "
                                                "given back, and nothing else");
}

// A stream that memory is had of or given back on. False: an exception is set.
bool read_order(State& state, const runtime::Device& device, Borrowed stream, StreamChoice& to) {
  if (!read_stream(state, stream, to)) return false;
  const Status open = check_stream(to, device);
  return open.ok() || fail(open.error());
}

// Where no stream was given all is done when the call returns. False: an exception is set.
bool in_order(State& state, runtime::Device& device, const StreamChoice& stream) {
  return stream.given || finish_stream(state, device, nullptr);
}

runtime::Handle pool_at(unsigned long long handle) {
  return reinterpret_cast<runtime::Handle>(static_cast<uintptr_t>(handle));
}

// allocate_on(device, bytes, class, stream, pool): 0 is the device's own pool.
PyObject* allocate_on(PyObject* module, PyObject* arguments) {
  const char* where = nullptr;
  Py_ssize_t bytes = 0;
  PyObject *type = nullptr, *stream = nullptr;
  unsigned long long pool = 0;
  State* state = state_of_module(module);
  if (!state || !PyArg_ParseTuple(arguments, "snOOK", &where, &bytes, &type, &stream, &pool))
    return nullptr;
  runtime::Device* device = Devices::open(where);
  StreamChoice choice;
  if (!device || !read_order(*state, *device, stream, choice)) return nullptr;
  Handle made = allocated(*state, *device, bytes, type, Place::Device, [&](size_t count) {
    return device->allocate_on(choice.handle, pool_at(pool), count);
  });
  return made && in_order(*state, *device, choice) ? made.release() : nullptr;
}

// make_pool(device): its number.
PyObject* make_pool(PyObject*, PyObject* name) {
  runtime::Device* device = Devices::named(name);
  if (!device) return nullptr;
  Result<runtime::Handle> pool = device->make_pool();
  if (!pool) return fail(pool.error());
  return PyLong_FromVoidPtr(*pool);
}

// trim_pool(device, pool, bytes)
PyObject* trim_pool(PyObject*, PyObject* arguments) {
  const char* where = nullptr;
  unsigned long long pool = 0;
  Py_ssize_t bytes = 0;
  if (!PyArg_ParseTuple(arguments, "sKn", &where, &pool, &bytes)) return nullptr;
  runtime::Device* device = Devices::open(where);
  if (!device) return nullptr;
  if (bytes < 0) return fail(PyExc_ValueError, "a pool keeps at least 0 bytes");
  const Status done = device->trim_pool(pool_at(pool), static_cast<size_t>(bytes));
  return done.ok() ? new_none() : fail(done.error());
}

// destroy_pool(device, pool)
PyObject* destroy_pool(PyObject*, PyObject* arguments) {
  const char* where = nullptr;
  unsigned long long pool = 0;
  if (!PyArg_ParseTuple(arguments, "sK", &where, &pool)) return nullptr;
  runtime::Device* device = Devices::open(where);
  if (!device) return nullptr;
  const Status done = device->destroy_pool(pool_at(pool));
  return done.ok() ? new_none() : fail(done.error());
}

// release(device, memory[, stream]): the adapter is NULL afterwards. With a stream, also None, when
// the stream's work so far is done.
PyObject* release(PyObject* module, PyObject* arguments) {
  const char* where = nullptr;
  PyObject *object = nullptr, *stream = nullptr;
  State* state = state_of_module(module);
  if (!state || !PyArg_ParseTuple(arguments, "sO|O", &where, &object, &stream)) return nullptr;
  runtime::Device* device = Devices::open(where);
  Memory memory;
  if (!device || !read_pointer(*state, object, memory) || !is_free_to_go(*state, object, memory))
    return nullptr;
  const bool ours = is_instance(object, state->pointer_type);
  StreamChoice choice;
  if (stream && !read_order(*state, *device, stream, choice)) return nullptr;
  const Status done =
      stream ? device->release_on(choice.handle, memory.address) : device->release(memory.address);
  if (!done.ok()) return fail(done.error());
  if (ours) std::swap(memory_of_pointer(object), memory = Memory());
  return !stream || in_order(*state, *device, choice) ? new_none() : nullptr;
}

// Whether memory is the device's own, for a GPU. Where nobody says, the driver knows.
bool is_on_device(runtime::Device& device, const Memory& memory) {
  if (memory.place == Place::Unknown) return device.owner_of(memory.address).ok();
  return memory.place == Place::Device;
}

constexpr char kHost = 'h', kDevice = 'd', kEither = '?';

// 'h', 'd' or '?': where the caller says that the memory is. False: it is not, and an exception is
// set.
bool settle(runtime::Device& device, char said, const char* what, Memory& memory) {
  if (memory.place == Place::Both) return memory.place = Place::Device, true;
  if (memory.place == Place::Unknown && said != kEither)
    memory.place = said == kDevice ? Place::Device : Place::Host;
  const bool there = is_on_device(device, memory);
  if (said == kEither || (said == kDevice) == there)
    return memory.place = there ? Place::Device : Place::Host, true;
  return fail(PyExc_ValueError, std::string("the ") + what + " is memory of " +
                                    (there ? device.name() : "the host") + ", not of " +
                                    (there ? "the host" : device.name()));
}

Status copy(runtime::Device& device, const Memory& to, const Memory& from, size_t bytes,
            runtime::Handle stream) {
  const auto host = [](const Memory& memory) { return reinterpret_cast<void*>(memory.address); };
  if (to.place == Place::Device && from.place == Place::Device)
    return device.copy_within(to.address, from.address, bytes, stream);
  if (to.place == Place::Device) return device.copy_in(to.address, host(from), bytes, stream);
  if (from.place == Place::Device) return device.copy_out(host(to), from.address, bytes, stream);
  if (bytes) std::memmove(host(to), host(from), bytes);
  return ok();
}

// Work on a stream: done when this returns where no stream was given, else the memory that it uses
// is kept until the stream has passed it.
template <class Work>
PyObject* enqueue(State& state, runtime::Device& device, PyObject* stream, Memory used, Work work) {
  StreamChoice choice;
  if (!read_stream(state, stream, choice)) return nullptr;
  Status done = check_stream(choice, device);
  if (done.ok()) {
    Py_BEGIN_ALLOW_THREADS;
    done = work(choice.handle);
    Py_END_ALLOW_THREADS;
  }
  if (!done.ok()) return fail(done.error());
  if (!choice.given) return finish_stream(state, device, nullptr) ? new_none() : nullptr;
  if (!is_gpu(device)) return new_none();
  Handle kept = new_pointer(state, std::move(used));
  if (!kept) return nullptr;
  Loaned loaned;
  loaned.loans.push_back({.object = kept.release()});
  done = state.loans.keep(device, choice.handle, choice.lasting, loaned);
  return done.ok() ? new_none() : fail(done.error());
}

// On devices whose memory is the host's all directions are one.
bool settle_both(runtime::Device& device, const char* kind, Memory& to, Memory& from) {
  if (!is_gpu(device)) {
    to.place = from.place = Place::Device;
    return true;
  }
  return settle(device, kind[0], "destination", to) && settle(device, kind[1], "source", from);
}

// Two devices by their names. False: an exception is set.
bool read_pair(PyObject* arguments, runtime::Device*& device, runtime::Device*& other) {
  const char *where = nullptr, *there = nullptr;
  if (!PyArg_ParseTuple(arguments, "ss", &where, &there)) return false;
  device = Devices::open(where);
  other = device ? Devices::open(there) : nullptr;
  return other != nullptr;
}

// reaches(device, other): whether its kernels can be let use the other's memory.
PyObject* reaches(PyObject*, PyObject* arguments) {
  runtime::Device *device = nullptr, *other = nullptr;
  if (!read_pair(arguments, device, other)) return nullptr;
  const Result<bool> told = device->reaches(*other);
  return told.ok() ? PyBool_FromLong(told.value()) : fail(told.error());
}

// reach(device, other): they can.
PyObject* reach(PyObject*, PyObject* arguments) {
  runtime::Device *device = nullptr, *other = nullptr;
  if (!read_pair(arguments, device, other)) return nullptr;
  const Status done = device->reach(*other);
  return done.ok() ? new_none() : fail(done.error());
}

// copy(device, to, from, bytes, kind, stream). `kind`: where both are, "dh" to the device from the
// host.
PyObject* copy_memory(PyObject* module, PyObject* arguments) {
  const char *where = nullptr, *kind = nullptr;
  PyObject *destination = nullptr, *source = nullptr, *stream = nullptr;
  Py_ssize_t bytes = 0;
  State* state = state_of_module(module);
  if (!state ||
      !PyArg_ParseTuple(arguments, "sOOnsO", &where, &destination, &source, &bytes, &kind, &stream))
    return nullptr;
  runtime::Device* device = Devices::open(where);
  if (!device) return nullptr;
  if (bytes < 0) return fail(PyExc_ValueError, "at least 0 bytes are copied");
  const auto count = static_cast<size_t>(bytes);
  Memory used;
  used.elements.resize(2);
  Memory &to = used.elements[0], &from = used.elements[1];
  if (!read_memory(*state, destination, count, true, to) ||
      !read_memory(*state, source, count, false, from) || !settle_both(*device, kind, to, from))
    return nullptr;
  return enqueue(*state, *device, stream, std::move(used),
                 [&](runtime::Handle on) { return copy(*device, to, from, count, on); });
}

// fill(device, to, value, bytes, stream)
PyObject* fill_memory(PyObject* module, PyObject* arguments) {
  const char* where = nullptr;
  PyObject *destination = nullptr, *stream = nullptr;
  unsigned char value = 0;
  Py_ssize_t bytes = 0;
  State* state = state_of_module(module);
  if (!state ||
      !PyArg_ParseTuple(arguments, "sObnO", &where, &destination, &value, &bytes, &stream))
    return nullptr;
  runtime::Device* device = Devices::open(where);
  if (!device) return nullptr;
  if (bytes < 0) return fail(PyExc_ValueError, "at least 0 bytes are filled");
  const auto count = static_cast<size_t>(bytes);
  Memory to;
  if (!read_memory(*state, destination, count, true, to)) return nullptr;
  if (is_gpu(*device) && !settle(*device, kDevice, "destination", to)) return nullptr;
  return enqueue(*state, *device, stream, std::move(to),
                 [&, address = to.address](runtime::Handle on) {
                   return device->fill(address, value, count, on);
                 });
}

}  // namespace

PyMethodDef driver_functions[] = {
    {"allocate", ended<allocate>, METH_VARARGS, "Memory of a device, as an instance of a class."},
    {"allocate_on", ended<allocate_on>, METH_VARARGS, "The same in the order of a stream."},
    {"release", ended<release>, METH_VARARGS, "Gives memory back to a device."},
    {"make_pool", ended<make_pool>, METH_O, "A pool of a device's memory, by its number."},
    {"trim_pool", ended<trim_pool>, METH_VARARGS, "Gives back what a pool keeps."},
    {"destroy_pool", ended<destroy_pool>, METH_VARARGS, "Ends a pool."},
    {"reaches", ended<reaches>, METH_VARARGS, "Whether a device can use another's memory."},
    {"reach", ended<reach>, METH_VARARGS, "Lets a device use another's memory."},
    {"copy", ended<copy_memory>, METH_VARARGS, "Copies bytes to, from and within a device."},
    {"fill", ended<fill_memory>, METH_VARARGS, "Sets each byte of a device's memory."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
