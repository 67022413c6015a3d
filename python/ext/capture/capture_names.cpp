// What names outside a function mean: globals, builtins, closure cells, attributes of modules.
#include <algorithm>
#include <array>

#include "frontend/bytecode/decode.h"
#include "python/ext/capture/capturer.h"
#include "python/ext/launch/kernel_object.h"
#include "python/ext/types/dtype_object.h"
#include "python/ext/types/type_object.h"

namespace hetjit::python {
namespace {

constexpr int kModuleDepth = 4;  // package.module.submodule.name
constexpr const char* kLanguage = "hetjit.device.lang";
// Whose functions are the host's: they make arrays, ask for devices, decorate. In compiled code
// their names are there no more than any name that device does not have.
constexpr std::string_view kOfHost[] = {"hetjit.arrays",          "hetjit.device.decorators",
                                        "hetjit.device.emission", "hetjit.device.exports",
                                        "hetjit.device.layouts",  "hetjit.device.libraries",
                                        "hetjit.device.records",  "hetjit.device.types",
                                        "hetjit.device.vectors",  "hetjit.device.cache",
                                        "hetjit.device.memory",   "hetjit.devices",
                                        "hetjit.lenders",         "hetjit.streams"};

bool begins(const std::string& text, std::string_view with) { return text.rfind(with, 0) == 0; }

void add_once(std::vector<std::string>& to, const std::string& text) {
  if (std::find(to.begin(), to.end(), text) == to.end()) to.push_back(text);
}

std::optional<Parameter> weak_type(Borrowed type) {
  auto* object = reinterpret_cast<PyTypeObject*>(type.get());
  if (object == &PyBool_Type) return Parameter{scalar_type(Scalar::Bool), true};
  if (object == &PyLong_Type) return Parameter{scalar_type(Scalar::Int32), true};
  if (object == &PyFloat_Type) return Parameter{scalar_type(Scalar::Float32), true};
  if (object == &PyComplex_Type) return Parameter{scalar_type(Scalar::Complex64), true};
  return std::nullopt;
}

// What python/hetjit says that an object of its own is in compiled code:
// "hetjit.device.syncthreads"; "" of any other.
std::string builtin_name(Borrowed object) { return text_attribute(object, "__hetjit_builtin__"); }

// The function that a decorator of ours, or staticmethod, wrapped; null when there is none.
Handle unwrapped(const State& state, Borrowed object) {
  if (is_instance(object, state.kernel_type) && is_device_function(object))
    return find_attribute(object, "underlying");
  if (text_attribute(reinterpret_cast<PyObject*>(Py_TYPE(object.get())), "__name__") ==
      "staticmethod")
    return find_attribute(object, "__func__");
  return Handle();
}

}  // namespace

// numpy.float32, device.float32, int, range, ValueError, a class of the user's.
Meaning Capturer::meaning_of_type(Borrowed type) {
  if (std::optional<Parameter> weak = weak_type(type)) return TypeMeaning{*weak};
  if (std::optional<Scalar> scalar = Numpy::scalar_of_type(type))
    return TypeMeaning{{scalar_type(*scalar), false}};
  if (std::optional<TypeId> ours = type_of_class(state_, type)) {
    if (!add_structs(*ours)) forget();
    return TypeMeaning{{*ours, false}};
  }
  if (std::string ours = builtin_name(type); !ours.empty()) return BuiltinMeaning{ours};
  std::string name = text_attribute(type, "__qualname__");
  if (text_attribute(type, "__module__") == "builtins") return BuiltinMeaning{"builtins." + name};
  const bool raised = PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(type.get()),
                                       reinterpret_cast<PyTypeObject*>(PyExc_BaseException));
  return OpaqueMeaning{(raised ? "the exception '" : "the class '") + name + "'"};
}

Handle Capturer::from_library(const std::string& name) {
  if (!library_) {
    Handle module = Handle::own(PyImport_ImportModule("hetjit.library"));
    if (module) library_ = find_attribute(module, "FUNCTIONS");
    forget();
  }
  return library_ ? find_item(library_, name) : Handle();
}

// What python/hetjit/library has under a name is compiled like any function.
Meaning Capturer::meaning_of_builtin(const std::string& name) {
  if (Handle function = from_library(name)) return meaning(function);
  return BuiltinMeaning{name};
}

Meaning Capturer::meaning_of_callable(Borrowed object) {
  std::string module = text_attribute(object, "__module__");
  std::string name = text_attribute(object, "__name__");
  if (state_.numpy.is_ufunc(object)) return meaning_of_builtin("numpy." + name);
  if (module == "_operator") module = "operator";
  if (module == "math.integer") module = "math";  // where 3.15 keeps gcd, isqrt, factorial, …
  if (is_instance(object, state_.builtin_type)) return meaning_of_builtin(module + "." + name);
  if (begins(module, "numpy") && !name.empty()) return meaning_of_builtin("numpy." + name);
  if (std::string ours = builtin_name(object); !ours.empty()) return BuiltinMeaning{ours};
  if (module == kLanguage) return meaning_of_builtin("hetjit.device." + name);
  if (!is_instance(object, state_.function_type)) return OpaqueMeaning{describe(object)};
  if (std::ranges::find(kOfHost, module) != std::end(kOfHost))
    return BuiltinMeaning{"hetjit.device." + name};
  uint32_t index = index_of_function(object);
  if (index == UINT32_MAX) return OpaqueMeaning{"a function of a program that is too large"};
  return FunctionMeaning{index};
}

Meaning Capturer::meaning(Borrowed object) {
  if (object.get() == Py_None) return Constant{NoneConstant{}};
  if (object.get() == Py_Ellipsis) return Constant{EllipsisConstant{}};
  if (is_instance(object, state_.module_type))
    return ModuleMeaning{text_attribute(object, "__name__")};
  if (std::optional<Constant> found = number(object)) return *found;
  if (Py_TYPE(object.get()) == &PyUnicode_Type || PyTuple_Check(object.get()) ||
      Py_TYPE(object.get()) == &PySlice_Type) {
    if (std::string wrong = wrong_with_constant(object); !wrong.empty())
      return OpaqueMeaning{std::move(wrong)};
    return bounded_constant(object, nullptr);
  }
  if (std::string member = member_of_enumeration(object); !member.empty())
    return OpaqueMeaning{std::move(member)};
  if (is_instance(object, state_.dtype_type)) return TypeMeaning{parameter_of_dtype(object)};
  if (is_instance(object, state_.type_type)) {
    Parameter found = parameter_of_type(object);
    if (!add_structs(found.type)) forget();
    return TypeMeaning{{without_align(found.type), found.weak}};
  }
  if (PyType_Check(object.get())) return meaning_of_type(object);
  if (state_.numpy.is_dtype(object)) {
    std::optional<Scalar> scalar = state_.numpy.scalar_of_dtype(object);
    if (scalar) return TypeMeaning{{scalar_type(*scalar), false}};
    return OpaqueMeaning{"the dtype '" + text_of(object) + "'"};
  }
  if (Handle function = unwrapped(state_, object)) return meaning(function);
  if (std::optional<Meaning> external = meaning_in_cxx(object)) return *external;
  if (is_instance(object, state_.kernel_type))
    return OpaqueMeaning{"the kernel '" + text_attribute(object, "__name__") + "'"};
  return meaning_of_callable(object);
}

// A builtin of the compiler's may call a function of the library: `pow` with a modulus.
void Capturer::add_companion(Snapshot& to, const BuiltinMeaning& of) {
  std::string path = "<" + of.name + ">";
  Handle function = from_library(path);
  if (!function) return;
  for (const Name& name : to.names)
    if (name.path == path) return;
  to.names.push_back({std::move(path), meaning(function)});
}

void Capturer::add_companions(Snapshot& to, const Constant& of) {
  if (const auto* builtin = std::get_if<BuiltinMeaning>(&of.value)) add_companion(to, *builtin);
  if (const auto* tuple = std::get_if<TupleConstant>(&of.value))
    for (const Constant& item : tuple->items) add_companions(to, item);
}

void Capturer::add_companions(Snapshot& to, const Meaning& of) {
  if (const auto* builtin = std::get_if<BuiltinMeaning>(&of)) add_companion(to, *builtin);
  if (const auto* constant = std::get_if<Constant>(&of)) add_companions(to, *constant);
}

// Records a name, and each attribute of it that the function's code could ask for.
void Capturer::add_name(Snapshot& to, std::string path, Borrowed object,
                        const std::vector<std::string>& attributes, int depth) {
  const Meaning known = object.get() ? meaning(object) : Meaning{UnboundMeaning{}};
  to.names.push_back({path, known});
  add_companions(to, known);
  if (object.get() && depth) add_attributes(to, path, object, attributes, depth);
}

bool Capturer::read_globals(Snapshot& to, const Scope& scope, const std::vector<std::string>& asked,
                            const std::vector<std::string>& attributes) {
  for (const std::string& name : asked) {
    Handle value = find_item(scope.globals, name);
    watches_.add_item(state_.names, scope.globals, name, value);
    if (!value && scope.builtins) {
      value = find_item(scope.builtins, name);
      watches_.add_item(state_.names, scope.builtins, name, value);
    }
    add_name(to, name, value, attributes, kModuleDepth);
  }
  return !PyErr_Occurred();
}

bool Capturer::read_closure(Snapshot& to, Borrowed function,
                            const std::vector<std::string>& attributes) {
  Handle closure = find_attribute(function, "__closure__");
  if (!closure || closure.get() == Py_None) return true;
  for (size_t i = 0; i < to.free_variables.size(); ++i) {
    const Borrowed cell = held_item(closure, static_cast<Py_ssize_t>(i));
    if (!cell) return false;
    const Field& content = state_.fields.cell_content;
    Handle value = content.read(cell);
    watches_.add_cell(cell, content, value);
    add_name(to, to.free_variables[i], value, attributes, kModuleDepth);
  }
  return true;
}

// Which names the code asks for is read from its instructions: co_names alone cannot tell a global
// from an attribute.
bool Capturer::read_names(Snapshot& to, const Pending& pending) {
  Result<bytecode::Decoded> decoded = bytecode::decode(to);
  if (!decoded) return true;  // the builder says so again, to the user
  std::vector<std::string> globals, attributes;
  for (const bytecode::NormalInst& inst : decoded->insts) {
    if (inst.op == bytecode::NormalOp::LoadGlobal)
      add_once(globals, to.attribute_names[static_cast<size_t>(inst.arg)]);
    if (inst.op == bytecode::NormalOp::LoadAttribute)
      add_once(attributes, to.attribute_names[static_cast<size_t>(inst.arg)]);
  }
  if (!read_globals(to, *pending.scope, globals, attributes)) return false;
  return !pending.function || read_closure(to, pending.function, attributes);
}

}  // namespace hetjit::python
