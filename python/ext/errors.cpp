#include "python/ext/errors.h"

#include "frontend/diag/render.h"

namespace hetjit::python {
namespace {

Handle text_object(const std::string& text) {
  return Handle::own(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

std::string path_of(const Program& program, uint32_t source) {
  return source < program.functions.size() ? program.functions[source].source.path : "";
}

// (path, line, column, end line, end column), or None; hetjit.errors makes a Span of it.
Handle span_object(const Span& span, const Program& program) {
  if (!span.known()) return Handle::own(new_none());
  Handle path = text_object(path_of(program, span.source));
  if (!path) return Handle();
  return Handle::own(
      Py_BuildValue("(OIIII)", path.get(), span.line, span.column, span.end_line, span.end_column));
}

bool append(Borrowed list, const Handle& item) {
  return item && PyList_Append(list, item.get()) == 0;
}

// What stands beside the message: labels, notes and helps, as text.
Handle notes_object(const Diagnostic& diagnostic) {
  Handle notes = Handle::own(PyList_New(0));
  if (!notes) return Handle();
  for (const Label& label : diagnostic.labels)
    if (!append(notes, text_object(label.text))) return Handle();
  for (const std::string& note : diagnostic.notes)
    if (!append(notes, text_object(note))) return Handle();
  for (const std::string& help : diagnostic.helps)
    if (!append(notes, text_object(help))) return Handle();
  return Handle::own(PyList_AsTuple(notes.get()));
}

bool vowel(char c) { return std::string_view("aeioAEIO").find(c) != std::string_view::npos; }

}  // namespace

Raised fail(PyObject* exception, const std::string& text) {
  Handle message = text_object(text);
  if (message) PyErr_SetObject(exception, message.get());
  return {};
}

Handle error_class(const char* name) {
  Handle module = Handle::own(PyImport_ImportModule("hetjit.errors"));
  if (!module) return Handle();
  return Handle::own(PyObject_GetAttrString(module.get(), name));
}

Raised fail(const Error& error) {
  if (error.code == ErrorCode::Invalid) return fail(PyExc_ValueError, error.text);
  Handle type = error_class("DeviceError");
  if (type) fail(type.get(), error.text);
  return {};
}

Raised fail(const Diagnostics& diagnostics, const Program& program) {
  if (diagnostics.empty())
    return fail(PyExc_SystemError, "hetjit bug: the compiler failed and did not say why");
  const Diagnostic& first = diagnostics.all().front();
  bool read_only = code_name(first.code) == "ReadOnlyArray";
  Handle type = error_class(read_only ? "ReadOnlyError" : "CompileError");
  std::vector<Source> sources = program.sources();
  Handle text = text_object(render(diagnostics, sources));
  Handle span = span_object(first.where, program);
  Handle notes = notes_object(first);
  if (!type || !text || !span || !notes) return {};
  Handle error = Handle::own(PyObject_CallFunction(
      type.get(), "OsOO", text.get(), code_text(first.code).c_str(), span.get(), notes.get()));
  if (error) PyErr_SetObject(type.get(), error.get());
  return {};
}

std::string text_of(Borrowed object) {
  Handle text = object.get() ? Handle::own(PyObject_Str(object)) : Handle();
  Py_ssize_t size = 0;
  const char* data = text ? PyUnicode_AsUTF8AndSize(text.get(), &size) : nullptr;
  if (data) return std::string(data, static_cast<size_t>(size));
  PyErr_Clear();
  return "?";
}

std::string describe(Borrowed object) {
  if (object.get() == Py_None) return "None";
  PyObject* type = reinterpret_cast<PyObject*>(Py_TYPE(object.get()));
  Handle name = Handle::own(PyObject_GetAttrString(type, "__qualname__"));
  Handle module = Handle::own(PyObject_GetAttrString(type, "__module__"));
  PyErr_Clear();
  std::string text = name ? text_of(name) : "?", from = module ? text_of(module) : "builtins";
  if (from != "builtins" && from != "__main__") text = from + "." + text;
  if (text == "ellipsis" || text == "NotImplementedType") return text;
  return (vowel(text[0]) ? "an " : "a ") + text;
}

}  // namespace hetjit::python
