// Libraries of C++ and what they declare: objects of hetjit/device/libraries.py.
#include <algorithm>

#include "python/ext/capture/capturer.h"
#include "python/ext/types/type_object.h"

namespace hetjit::python {
namespace {

constexpr const char* kModule = "hetjit.device.libraries";

}  // namespace

// (path, source, options, ((type, its name in C++), …)). False: these are no such parts.
bool Capturer::read_library(Borrowed parts, CxxLibrary& to) {
  PyObject *path = nullptr, *source = nullptr, *options = nullptr, *types = nullptr;
  if (!PyArg_ParseTuple(parts.get(), "UUO!O!", &path, &source, &PyTuple_Type, &options,
                        &PyTuple_Type, &types))
    return false;
  to.path = text_of(path);
  to.source = text_of(source);
  to.options = texts_of(options);
  for (Py_ssize_t i = 0; i < PyTuple_Size(types); ++i) {
    PyObject *type = nullptr, *spelling = nullptr;
    if (!PyArg_ParseTuple(held_item(types, i).get(), "O!U", state_.type_type.get(), &type,
                          &spelling))
      return false;
    to.types.push_back({without_align(parameter_of_type(type).type), text_of(spelling)});
    if (!add_structs(to.types.back().type)) return false;
  }
  return true;
}

std::optional<Meaning> Capturer::meaning_in_cxx(Borrowed object) {
  if (text_attribute(reinterpret_cast<PyObject*>(Py_TYPE(object.get())), "__module__") != kModule)
    return std::nullopt;
  Handle parts = find_attribute(object, "__hetjit_library__");
  CxxLibrary library;
  if (!parts || !read_library(parts, library)) {
    forget();
    return std::nullopt;
  }
  auto& known = program_.libraries;
  auto found = std::find(known.begin(), known.end(), library);
  if (found == known.end()) found = known.insert(found, std::move(library));
  return CxxMeaning{static_cast<uint32_t>(found - known.begin()),
                    text_attribute(object, "__hetjit_name__")};
}

}  // namespace hetjit::python
