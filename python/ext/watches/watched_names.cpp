#include "python/ext/watches/watched_names.h"

#include <dlfcn.h>

#include <array>
#include <cstring>

#include "python/ext/handles/python.h"

namespace hetjit::python {
namespace {

// CPython's functions, in the forms that they have had since 3.12. Events are numbers to us: what
// matters is the key, which is null, or no string, when the whole dict changes.
struct WatcherApi {
  using Callback = int (*)(int event, PyObject* dict, PyObject* key, PyObject* value);
  int (*add)(Callback callback) = nullptr;
  int (*clear)(int id) = nullptr;
  int (*watch)(int id, PyObject* dict) = nullptr;
  int (*unwatch)(int id, PyObject* dict) = nullptr;
};

template <class Function>
bool find(const char* name, Function& to) {
  to = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
  return to != nullptr;
}

const WatcherApi* watcher_api() {
  static const WatcherApi found = [] {
    WatcherApi api;
    const bool whole = find("PyDict_AddWatcher", api.add) &&
                       find("PyDict_ClearWatcher", api.clear) && find("PyDict_Watch", api.watch) &&
                       find("PyDict_Unwatch", api.unwatch);
    return whole ? api : WatcherApi();
  }();
  return found.add ? &found : nullptr;
}

// A callback is not told whose it is, so that the process has one table. Names that share a place
// cost a launch a look, never a wrong answer.
constexpr size_t kPlaces = 4096;
std::array<std::atomic<uint32_t>, kPlaces> watched;

// Called with the GIL before the dict changes; nothing of Python runs between the two.
int at_change(int, PyObject* dict, PyObject* key, PyObject*) {
  const bool other = !key || Py_TYPE(key) != &PyUnicode_Type ||
                     watched[NameWatcher::place_of(dict, key)].load(std::memory_order_relaxed);
  if (other) rebindings.fetch_add(1, std::memory_order_relaxed);
  return 0;
}

}  // namespace

// The hash of a str is kept in it.
size_t NameWatcher::place_of(PyObject* dict, PyObject* name) {
  const uint64_t mixed =
      static_cast<uint64_t>(PyObject_Hash(name)) ^ reinterpret_cast<uintptr_t>(dict) >> 4;
  return mixed * 0x9E3779B97F4A7C15ull >> 52;
}

namespace {

// 3.11 has a version in each dict, behind the head and the number of items (PEP 509). It is there
// when it changes as it should.
constexpr size_t kVersionOffset = sizeof(PyObject) + sizeof(Py_ssize_t);

uint64_t word_at(Borrowed object, size_t offset) {
  uint64_t word;
  std::memcpy(&word, reinterpret_cast<const std::byte*>(object.get()) + offset, sizeof word);
  return word;
}

bool has_versions() {
  Handle dict = Handle::own(PyDict_New()), name = Handle::own(PyUnicode_InternFromString("name"));
  uint64_t seen[4] = {};
  PyObject* const values[] = {Py_None, Py_True, Py_None};
  for (size_t i = 0; dict && name && i < 3; ++i) {
    if (PyDict_SetItem(dict.get(), name.get(), values[i]) < 0) return false;
    seen[i] = word_at(dict, kVersionOffset);
    if (i && seen[i] <= seen[i - 1]) return false;
  }
  return seen[0] != 0;
}

}  // namespace

void NameWatcher::start() {
  if (const WatcherApi* api = watcher_api()) id_ = api->add(at_change);
  if (id_ < 0 && has_versions()) version_offset_ = kVersionOffset;
  PyErr_Clear();  // other users may have taken all eight watchers
}

NameWatcher::~NameWatcher() {
  if (id_ >= 0 && watcher_api()->clear(id_) < 0) PyErr_Clear();
}

bool NameWatcher::watch(Borrowed dict, size_t place) {
  if (id_ < 0) return false;
  if (watcher_api()->watch(id_, dict.get()) < 0) {
    PyErr_Clear();
    return false;
  }
  ++dicts_[dict.get()];
  ++watched[place];
  return true;
}

void NameWatcher::forget(Borrowed dict, size_t place) {
  --watched[place];
  const auto found = dicts_.find(dict.get());
  if (--found->second) return;
  dicts_.erase(found);
  if (watcher_api()->unwatch(id_, dict.get()) < 0) PyErr_Clear();
}

const uint64_t* NameWatcher::version_of(Borrowed dict) const {
  if (!version_offset_) return nullptr;
  return reinterpret_cast<const uint64_t*>(reinterpret_cast<const std::byte*>(dict.get()) +
                                           version_offset_);
}

}  // namespace hetjit::python
