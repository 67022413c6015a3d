// The cache on disk, for hetjit/device/cache.py and `python -m hetjit cache`.
#include "compiler/cxx/kept_calls.h"
#include "compiler/images/image_store.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/tools.h"

namespace hetjit::python {
namespace {

// Paths are what the system says they are, which need be no UTF-8.
Handle text_of_path(const std::string& path) {
  return Handle::own(
      PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<Py_ssize_t>(path.size())));
}

// nullopt: an exception is set.
std::optional<std::string> path_of_text(Borrowed text) {
  PyObject* bytes = nullptr;
  if (!PyUnicode_FSConverter(text.get(), &bytes)) return std::nullopt;
  const Handle owned = Handle::own(bytes);
  return std::string(PyBytes_AsString(bytes), static_cast<size_t>(PyBytes_Size(bytes)));
}

PyObject* settings(PyObject*, PyObject*) {
  if (std::string wrong = storage::wrong_in_environment(); !wrong.empty())
    return fail(PyExc_ValueError, wrong);
  const storage::Settings now = storage::settings_from_environment();
  const Handle path = text_of_path(now.path), shared = text_of_path(now.shared);
  if (!path || !shared) return nullptr;
  return Py_BuildValue("{s:O,s:O,s:K,s:O,s:O}", "path", path.get(), "shared", shared.get(),
                       "most_bytes", static_cast<unsigned long long>(now.most_bytes), "reads",
                       now.reads ? Py_True : Py_False, "writes", now.writes ? Py_True : Py_False);
}

// What a file was made of; else why it is of no use.
std::pair<std::string, std::string> read(const storage::DiskCache& cache, const std::string& name) {
  Result<std::optional<storage::Bytes>> file = cache.find(name, storage::Use::Look);
  if (!file) return {"", file.error().text};
  if (!*file) return {"", "it is gone"};
  if (std::optional<std::string> made_of = cxx::kept_call_made_of(**file)) return {*made_of, ""};
  Result<std::string> ingredients = load_ingredients(**file);
  if (!ingredients) return {"", ingredients.error().text};
  Result<Compiled> whole = load_compiled(**file, name);
  return {*ingredients, whole ? "" : whole.error().text};
}

// (name, bytes, seconds since 1970, ingredients, what is wrong with it) of all files, the one used
// last first.
PyObject* files(PyObject*, PyObject* given) {
  const std::optional<std::string> path = path_of_text(given);
  if (!path) return nullptr;
  const storage::DiskCache cache(*path, storage::Owner::Anybody);
  Handle found = Handle::own(PyList_New(0));
  for (const storage::File& file : cache.files()) {
    const auto [ingredients, fault] = read(cache, file.name);
    Handle texts[] = {new_text(ingredients), new_text(fault)};
    if (!texts[0] || !texts[1]) return nullptr;
    Handle item = Handle::own(
        Py_BuildValue("(sKLOO)", file.name.c_str(), static_cast<unsigned long long>(file.bytes),
                      static_cast<long long>(file.used), texts[0].get(), texts[1].get()));
    if (!found || !item || PyList_Append(found.get(), item.get()) < 0) return nullptr;
  }
  return found.release();
}

PyObject* prune(PyObject*, PyObject* arguments) {
  PyObject* given = nullptr;
  unsigned long long most = 0;
  if (!PyArg_ParseTuple(arguments, "UK", &given, &most)) return nullptr;
  const std::optional<std::string> path = path_of_text(given);
  if (!path) return nullptr;
  return PyLong_FromSize_t(storage::DiskCache(*path, storage::Owner::Mine).prune(most));
}

// Why nothing is read from a folder, or "".
PyObject* fault(PyObject*, PyObject* given) {
  const std::optional<std::string> path = path_of_text(given);
  if (!path) return nullptr;
  const Status usable = storage::DiskCache(*path, storage::Owner::Mine).usable();
  return new_text(usable.ok() ? "" : usable.error().text).release();
}

PyObject* bytes_of(PyObject*, PyObject* size) {
  const char* text = PyUnicode_AsUTF8AndSize(size, nullptr);
  if (!text) return nullptr;
  if (std::optional<uint64_t> bytes = storage::parse_bytes(text))
    return PyLong_FromUnsignedLongLong(*bytes);
  return fail(PyExc_ValueError,
              std::string("'") + text + "' is no number of bytes, as 800M or 2G are");
}

}  // namespace

PyMethodDef cache_functions[] = {
    {"cache_settings", settings, METH_NOARGS, "What the environment says of the cache on disk."},
    {"cache_files", files, METH_O, "All files of a cache, and what they were made of."},
    {"cache_prune", prune, METH_VARARGS, "Lets files go until so many bytes are left."},
    {"cache_fault", fault, METH_O, "Why nothing is read from a folder, or an empty text."},
    {"cache_bytes", bytes_of, METH_O, "A size as text, \"2G\"."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
