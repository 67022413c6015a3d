// Annotations of parameters: `n: device.int64` fixes a parameter's type.
#include "python/ext/capture/capturer.h"
#include "python/ext/handles/versions.h"
#include "python/ext/types/type_object.h"

namespace hetjit::python {
namespace {

// From 3.14 on annotations are evaluated when asked for, and names may not be there yet.
Handle annotations_of(Borrowed function) {
  if (running_minor() < 14) return find_attribute(function, "__annotations__");
  Handle module = Handle::own(PyImport_ImportModule("annotationlib"));
  Handle formats = module ? find_attribute(module, "Format") : Handle();
  Handle forward = formats ? find_attribute(formats, "FORWARDREF") : Handle();
  Handle get = module ? find_attribute(module, "get_annotations") : Handle();
  Handle keywords =
      forward ? Handle::own(Py_BuildValue("{s:O}", "format", forward.get())) : Handle();
  Handle arguments = Handle::own(PyTuple_Pack(1, function.get()));
  Handle found = get && keywords && arguments
                     ? Handle::own(PyObject_Call(get.get(), arguments.get(), keywords.get()))
                     : Handle();
  forget();
  return found;
}

constexpr Py_ssize_t kDecorated = 4;  // frames up from here stands who decorates

// Why the text of an annotation says nothing. `warns`: where a kernel is decorated, once.
void tell_of_text(const std::string& parameter, Borrowed text, bool is_expression, bool warns) {
  const bool of_attribute = PyErr_ExceptionMatches(PyExc_AttributeError);
  const Handle raised = take_exception();
  const std::string which = "the annotation of '" + parameter + "', '" + text_of(text) + "', ";
  if (!is_expression) {
    const std::string why = which + "is no type and says nothing: an array is device.float32[:]";
    if (warns) (void)PyErr_WarnEx(PyExc_UserWarning, why.c_str(), kDecorated);
  } else if (of_attribute) {
    const Handle asked = find_attribute(raised, "obj");  // modules of others may not be whole yet
    if (asked && text_attribute(asked, "__name__").starts_with("hetjit"))
      fail(PyExc_TypeError, which + "is no type: " + text_of(raised));
  }  // others are names that are there for type checkers alone
}

// `from __future__ import annotations` leaves source text; what it means is asked of the function's
// globals. Empty without an exception: it says nothing.
Handle evaluated(const std::string& parameter, Borrowed annotation, Borrowed function, bool warns) {
  if (!PyUnicode_Check(annotation.get())) return annotation.dup();
  Handle globals = find_attribute(function, "__globals__");
  Handle code =
      Handle::own(Py_CompileString(text_of(annotation).c_str(), "<annotation>", Py_eval_input));
  Handle value = globals && code
                     ? Handle::own(PyEval_EvalCode(code.get(), globals.get(), globals.get()))
                     : Handle();
  if (!value) tell_of_text(parameter, annotation, static_cast<bool>(code), warns);
  return value;
}

bool is_number(const State& state, Borrowed object) {
  return PyLong_Check(object.get()) || PyFloat_Check(object.get()) ||
         PyComplex_Check(object.get()) || state.numpy.is_scalar(object);
}

// device.readonly
bool is_read_only(Borrowed annotation) {
  Handle mark = find_attribute(annotation, "_hetjit_read_only");
  return mark && mark.get() == Py_True;
}

// A builtin type says nothing that the argument does not.
std::optional<Parameter> parameter_of(const State& state, Borrowed annotation) {
  if (annotation.get() == Py_None) return std::nullopt;
  std::optional<Parameter> found = parameter_of_hint(state, annotation);
  if (!found || found->weak) return std::nullopt;
  return Parameter{without_align(found->type), false};
}

// device.ConstExpr itself, or ConstExpr[type].
bool is_constexpr(Borrowed annotation) {
  Handle type = PyType_Check(annotation.get())
                    ? annotation.dup()
                    : Handle::share(reinterpret_cast<PyObject*>(Py_TYPE(annotation.get())));
  return text_attribute(type, "__qualname__") == "ConstExpr" &&
         text_attribute(type, "__module__") == "hetjit.device.constants";
}

// A tuple or list of types, which Python takes for an annotation as it takes anything: nobody would
// hear that it says nothing. Of other objects than types it may be whatever the user's tools read.
std::optional<std::string> types_in(const State& state, Borrowed annotation) {
  if (!PyTuple_Check(annotation.get()) && !PyList_Check(annotation.get())) return std::nullopt;
  std::string items;
  bool ours = false;
  for (Py_ssize_t i = 0; i < PySequence_Size(annotation.get()); ++i) {
    Handle item = Handle::own(PySequence_GetItem(annotation.get(), i));
    std::optional<Parameter> found = item ? parameter_of_hint(state, item) : std::nullopt;
    if (!found) return std::nullopt;
    const bool is_none = item.get() == Py_None;
    ours = ours || (!found->weak && !is_none);
    const std::string name = to_python(found->type);
    const TypeKind kind = type(found->type).kind;
    const bool of_device =
        kind == TypeKind::Scalar || kind == TypeKind::Vector || kind == TypeKind::Array;
    items += (i ? ", " : "") + (found->weak ? text_attribute(item, "__name__")
                                            : (of_device ? "device." + name : name));
  }
  if (!ours) return std::nullopt;
  return "tuple[" + items + "]";
}

}  // namespace

bool read_annotations(State& state, Borrowed function, const std::vector<std::string>& parameters,
                      std::vector<std::optional<Parameter>>& to, std::vector<uint32_t>& constants,
                      std::vector<bool>* read_only) {
  to.assign(parameters.size(), std::nullopt);
  if (read_only) read_only->assign(parameters.size(), false);
  Handle all = annotations_of(function);
  if (!all || !PyDict_Check(all.get()) || PyDict_Size(all.get()) == 0) return true;
  if (!state.numpy.look()) return false;
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    Handle found = find_item(all, parameters[i]);
    Handle annotation = found ? evaluated(parameters[i], found, function, read_only) : Handle();
    if (PyErr_Occurred()) return false;
    if (annotation && is_number(state, annotation))
      return fail(PyExc_TypeError, "the annotation of '" + parameters[i] + "' is the number " +
                                       text_of(annotation) +
                                       ", no type: write device.float32, or of an array "
                                       "device.float32[:]");
    if (annotation && is_constexpr(annotation)) {
      constants.push_back(i);
      annotation = PyType_Check(annotation.get()) ? Handle() : find_attribute(annotation, "type");
    }
    if (!annotation) continue;
    to[i] = parameter_of(state, annotation);
    if (std::optional<std::string> meant = types_in(state, annotation))
      return fail(PyExc_TypeError, "the annotation of '" + parameters[i] + "' is " +
                                       describe(annotation) + ", no type: write " + *meant);
    if (read_only) (*read_only)[i] = is_read_only(annotation);
  }
  return true;
}

}  // namespace hetjit::python
