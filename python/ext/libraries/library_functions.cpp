// Libraries of the host, for hetjit/interop: opened; what was written for them, kept on disk.
#include <dlfcn.h>

#include "compiler/cxx/clang.h"
#include "compiler/storage/disk_cache.h"
#include "compiler/storage/settings.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/tools.h"

namespace hetjit::python {
namespace {

// Never closed: nobody knows who still has what of it.
PyObject* open(PyObject*, PyObject* path) {
  PyObject* bytes = nullptr;
  if (!PyUnicode_FSConverter(path, &bytes)) return nullptr;
  const Handle owned = Handle::own(bytes);
  void* handle = dlopen(PyBytes_AsString(bytes), RTLD_NOW | RTLD_LOCAL);
  return handle ? PyLong_FromVoidPtr(handle) : fail(PyExc_OSError, dlerror());
}

// 0: there is none of that name.
PyObject* find(PyObject*, PyObject* arguments) {
  unsigned long long handle = 0;
  const char* name = nullptr;
  if (!PyArg_ParseTuple(arguments, "Ks", &handle, &name)) return nullptr;
  return PyLong_FromVoidPtr(dlsym(reinterpret_cast<void*>(handle), name));
}

PyObject* clang(PyObject*, PyObject*) {
  Result<std::string> found = cxx::find_clang();
  return found ? new_text(*found).release() : fail(found.error());
}

// ---- kept on disk, in a folder of the cache of their own

storage::DiskCache kept_on_disk(const storage::Settings& settings) {
  return {settings.path + "/libraries", storage::Owner::Mine, settings.most_bytes};
}

// None: nothing of that name is kept that may be used.
PyObject* kept(PyObject*, PyObject* name) {
  const char* text = PyUnicode_AsUTF8AndSize(name, nullptr);
  if (!text) return nullptr;
  const storage::Settings settings = storage::settings_from_environment();
  if (!settings.reads || settings.path.empty()) return new_none();
  Result<std::optional<storage::Bytes>> found = kept_on_disk(settings).find(text);
  if (!found && !warn_of_cache({found.error().text})) return nullptr;
  if (!found || !*found) return new_none();
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>((*found)->data()),
                                   static_cast<Py_ssize_t>((*found)->size()));
}

PyObject* keep(PyObject*, PyObject* arguments) {
  const char *name = nullptr, *data = nullptr;
  Py_ssize_t size = 0;
  if (!PyArg_ParseTuple(arguments, "sy#", &name, &data, &size)) return nullptr;
  const storage::Settings settings = storage::settings_from_environment();
  if (!settings.writes || settings.path.empty()) return new_none();
  const Status done = kept_on_disk(settings).keep(
      name, {reinterpret_cast<const std::byte*>(data), static_cast<size_t>(size)});
  if (!done.ok() && settings.chosen && !warn_of_cache({done.error().text})) return nullptr;
  return new_none();
}

}  // namespace

PyMethodDef library_functions[] = {
    {"library_open", open, METH_O, "Loads a shared library: its handle."},
    {"library_find", find, METH_VARARGS, "Where a symbol of it lies, or 0."},
    {"library_kept", kept, METH_O, "What is kept on disk under a name, or None."},
    {"library_keep", keep, METH_VARARGS, "Keeps bytes on disk under a name."},
    {"clang", clang, METH_NOARGS, "Path of clang 22, which compiles C++."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
