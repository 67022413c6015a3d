#include "python/ext/handles/errors.h"

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
  return item && PyList_Append(list.get(), item.get()) == 0;
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

// ((span, text), …), the first help as a change of the source.
Handle edits_object(const Diagnostic& diagnostic, const Program& program) {
  Handle edits = Handle::own(PyList_New(0));
  if (!edits) return Handle();
  for (const Edit& edit : diagnostic.edits) {
    Handle where = span_object(edit.where, program), text = text_object(edit.text);
    if (!where || !text) return Handle();
    if (!append(edits, Handle::own(PyTuple_Pack(2, where.get(), text.get())))) return Handle();
  }
  return Handle::own(PyList_AsTuple(edits.get()));
}

// callable(text, code, span, notes, edits); empty when an exception is set instead.
Handle called_with(const Handle& callable, const Diagnostic& diagnostic, const std::string& text,
                   const Program& program) {
  Handle whole = text_object(text), span = span_object(diagnostic.where, program);
  Handle notes = notes_object(diagnostic), edits = edits_object(diagnostic, program);
  if (!callable || !whole || !span || !notes || !edits) return Handle();
  return Handle::own(PyObject_CallFunction(callable.get(), "OsOOO", whole.get(),
                                           code_text(diagnostic.code).c_str(), span.get(),
                                           notes.get(), edits.get()));
}

// Kept by keep(); owned.
thread_local PyObject* interruption = nullptr;

void raise(Borrowed exception) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.get())), exception.get());
}

// DeviceError.reason, in the order of ErrorCode.
constexpr const char* kReasons[] = {"unavailable",   "unsupported", "out_of_memory", "invalid",
                                    "driver_failed", "interrupted", "internal"};

bool vowel(char c) { return std::string_view("aeioAEIO").find(c) != std::string_view::npos; }

}  // namespace

std::atomic<uint32_t> interruptions{0};

Handle take_exception() {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (value && trace) PyException_SetTraceback(value, trace);
  Py_DecRef(type);
  Py_DecRef(trace);
  return Handle::own(value);
}

void forget() {
  if (!PyErr_Occurred()) return;
  if (PyErr_ExceptionMatches(PyExc_Exception)) return PyErr_Clear();
  keep();
}

void keep() {
  Handle met = take_exception();
  if (interruption || !met) return;
  interruption = met.release();
  ++interruptions;
}

bool interrupted() {
  if (!interruption) return false;
  --interruptions;
  raise(Handle::own(std::exchange(interruption, nullptr)));
  return true;
}

PyObject* raised_at_end(PyObject* result) {
  if (!interruption) return result;
  Py_DecRef(result);
  interrupted();
  return nullptr;
}

bool is_about_a_value() {
  return PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_ValueError) ||
         PyErr_ExceptionMatches(PyExc_OverflowError);
}

bool look_up(Borrowed object, const char* name, Handle& to) {
  to = Handle::own(PyObject_GetAttrString(object.get(), name));
  if (to || !PyErr_ExceptionMatches(PyExc_AttributeError)) return static_cast<bool>(to);
  PyErr_Clear();
  return true;
}

Cause::Cause() : met_(take_exception()) {}

Cause::~Cause() {
  Handle raised = met_ ? take_exception() : Handle();
  if (!raised) return;
  PyException_SetCause(raised.get(), met_.release());
  raise(raised);
}

Raised fail(PyObject* exception, const std::string& text) {
  if (interrupted()) return {};
  Handle message = text_object(text);
  if (message) PyErr_SetObject(exception, message.get());
  return {};
}

Handle error_class(const char* name) {
  Handle module = Handle::own(PyImport_ImportModule("hetjit.errors"));
  if (!module) return Handle();
  return Handle::own(PyObject_GetAttrString(module.get(), name));
}

Raised fail_at(const std::string& place) {
  const Handle met = take_exception();
  if (!met) return {};
  auto* type = reinterpret_cast<PyObject*>(Py_TYPE(met.get()));
  for (PyObject* plain :
       {PyExc_TypeError, PyExc_ValueError, PyExc_OverflowError, PyExc_BufferError})
    if (type == plain) return fail(plain, place + ": " + text_of(met));
  const Handle noted = Handle::own(PyObject_CallMethod(met.get(), "add_note", "s", place.c_str()));
  if (!noted) PyErr_Clear();
  raise(met);
  return {};
}

Raised fail(const Error& error) {
  if (error.code == ErrorCode::Invalid) return fail(PyExc_ValueError, error.text);
  Handle type =
      error_class(error.code == ErrorCode::OutOfMemory ? "OutOfMemoryError" : "DeviceError");
  if (!type) return {};
  fail(type.get(), error.text);
  const Handle raised = take_exception();
  const char* reason = kReasons[static_cast<size_t>(error.code)];
  Handle text = raised ? Handle::own(PyUnicode_FromString(reason)) : Handle();
  if (text && PyObject_SetAttrString(raised.get(), "reason", text.get()) == 0) raise(raised);
  return {};
}

Raised fail(const Diagnostics& diagnostics, const Program& program) {
  if (interrupted()) return {};
  const Diagnostics errors = diagnostics.errors();
  if (errors.empty())
    return fail(PyExc_SystemError, "hetjit bug: the compiler failed and did not say why");
  const Diagnostic& first = errors.all().front();
  bool read_only = code_name(first.code) == "ReadOnlyArray";
  Handle type = error_class(read_only ? "ReadOnlyError" : "CompileError");
  Handle error = called_with(type, first, render(errors, program.sources()), program);
  if (error) PyErr_SetObject(type.get(), error.get());
  return {};
}

bool warn(const Diagnostics& diagnostics, const Program& program) {
  const Diagnostics warnings = diagnostics.warnings();
  if (warnings.empty()) return true;
  Handle function = error_class("warn");
  for (const Diagnostic& warning : warnings.all())
    if (!called_with(function, warning, render(warning, program.sources()), program)) return false;
  return true;
}

bool warn_of_cache(const std::vector<std::string>& faults) {
  if (faults.empty()) return true;
  Handle function = error_class("warn_of_cache");
  for (const std::string& fault : faults) {
    Handle text = function ? text_object(fault) : Handle();
    if (!text || !Handle::own(PyObject_CallFunctionObjArgs(function.get(), text.get(), nullptr)))
      return false;
  }
  return true;
}

std::string text_of(Borrowed object) {
  Handle text = object ? Handle::own(PyObject_Str(object.get())) : Handle();
  Py_ssize_t size = 0;
  const char* data = text ? PyUnicode_AsUTF8AndSize(text.get(), &size) : nullptr;
  if (data) return std::string(data, static_cast<size_t>(size));
  forget();
  return "?";
}

std::string describe(Borrowed object) {
  if (object.get() == Py_None) return "None";
  PyObject* type = reinterpret_cast<PyObject*>(Py_TYPE(object.get()));
  Handle name = Handle::own(PyObject_GetAttrString(type, "__qualname__"));
  Handle module = Handle::own(PyObject_GetAttrString(type, "__module__"));
  forget();
  std::string text = name ? text_of(name) : "?", from = module ? text_of(module) : "builtins";
  if (from != "builtins" && from != "__main__") text = from + "." + text;
  if (text == "ellipsis" || text == "NotImplementedType") return text;
  return (vowel(text[0]) ? "an " : "a ") + text;
}

}  // namespace hetjit::python
