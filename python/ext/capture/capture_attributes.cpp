// What attributes of outside names mean: of modules, of classes, of enumerations' members and of
// named tuples. What can be assigned is watched; members' values, which nobody assigns, are not.
#include <algorithm>
#include <array>

#include "python/ext/capture/capturer.h"
#include "python/ext/types/type_object.h"

namespace hetjit::python {
namespace {

// Modules whose attributes are as fixed as the language: nobody rebinds math.pi.
bool is_settled(const std::string& module) {
  constexpr std::array<std::string_view, 6> kSettled = {"math",   "cmath",    "numpy",
                                                        "hetjit", "builtins", "operator"};
  std::string_view root = std::string_view(module).substr(0, module.find('.'));
  return std::find(kSettled.begin(), kSettled.end(), root) != kSettled.end();
}

std::string type_name(Borrowed object) {
  PyObject* type = reinterpret_cast<PyObject*>(Py_TYPE(object.get()));
  return text_attribute(type, "__module__") + "." + text_attribute(type, "__name__");
}

bool is_enumeration(Borrowed cls) { return type_name(cls) == "enum.EnumType"; }

// One whose metaclass may be somebody's own.
bool is_kind_of_enumeration(Borrowed cls) {
  Handle order = find_attribute(reinterpret_cast<PyObject*>(Py_TYPE(cls.get())), "__mro__");
  for (Py_ssize_t i = 0; order && i < PyTuple_Size(order.get()); ++i) {
    PyObject* type = held_item(order, i).get();
    if (text_attribute(type, "__module__") != "enum") continue;
    if (text_attribute(type, "__name__") == "EnumType") return true;
  }
  return false;
}

// Whether a class has its attributes from itself and its bases: no metaclass adds any.
bool is_plain_class(Borrowed cls) {
  return Py_TYPE(cls.get()) == &PyType_Type || type_name(cls) == "abc.ABCMeta";
}

// Whether reading it of a class gives the very object: it is no property, no class method.
bool is_read_as_it_is(Borrowed object) {
  return !find_attribute(reinterpret_cast<PyObject*>(Py_TYPE(object.get())), "__get__");
}

}  // namespace

bool is_flag(Borrowed object) {
  if (Py_TYPE(object.get()) == &PyLong_Type) return false;
  Handle type = Handle::share(reinterpret_cast<PyObject*>(Py_TYPE(object.get())));
  Handle boundary = is_kind_of_enumeration(type) ? find_attribute(type, "_boundary_") : Handle();
  return boundary && boundary.get() != Py_None;
}

std::string member_of_enumeration(Borrowed object) {
  Handle type = Handle::share(reinterpret_cast<PyObject*>(Py_TYPE(object.get())));
  if (!is_kind_of_enumeration(type)) return "";
  return (is_flag(object) ? "a flag of '" : "a member of '") + text_attribute(type, "__name__") +
         "'";
}

void Capturer::add_attributes(Snapshot& to, const std::string& path, Borrowed object,
                              const Asked& attributes, int depth) {
  if (is_instance(object, state_.module_type)) {
    add_of_module(to, path, object, attributes, depth);
  } else if (PyType_Check(object.get())) {
    if (std::holds_alternative<OpaqueMeaning>(to.names.back().meaning))
      add_of_class(to, path, object, attributes, depth);
  } else if (PyTuple_Check(object.get())) {  // structs have their fields by themselves
    PyObject* type = reinterpret_cast<PyObject*>(Py_TYPE(object.get()));
    if (!type_of_class(state_, type)) add_of_named_tuple(to, path, object, attributes);
  } else if (is_enumeration(reinterpret_cast<PyObject*>(Py_TYPE(object.get())))) {
    add_of_member(to, path, object, attributes);
  }
}

void Capturer::add_of_module(Snapshot& to, const std::string& path, Borrowed module,
                             const Asked& attributes, int depth) {
  Handle dict = names_of_module(module);
  bool settled = is_settled(text_attribute(module, "__name__"));
  for (const std::string& attribute : attributes) {
    Handle value = find_item(dict, attribute);
    if (!value && settled) value = find_attribute(module, attribute.c_str());  // made on demand
    if (!value) continue;
    if (!settled) watches_.add_item(state_.names, dict, attribute, value);
    add_name(to, path + "." + attribute, value, attributes, depth - 1);
  }
}

void Capturer::add_of_class(Snapshot& to, const std::string& path, Borrowed cls,
                            const Asked& attributes, int depth) {
  const bool enumeration = is_enumeration(cls);
  if (!enumeration && !is_plain_class(cls)) return;
  for (const std::string& attribute : attributes) {
    Handle value = class_attribute(cls, attribute);
    if (value && enumeration) value = find_attribute(cls, attribute.c_str());
    const bool function = value && (is_instance(value, state_.function_type) ||
                                    type_name(value) == "builtins.staticmethod");
    const bool itself = value && is_read_as_it_is(value) &&
                        find_attribute(cls, attribute.c_str()).get() == value.get();
    if (function || itself) add_name(to, path + "." + attribute, value, attributes, depth - 1);
  }
}

// Where the class, or the first of its bases that has it, keeps an attribute; empty: nowhere.
Handle Capturer::class_attribute(Borrowed cls, const std::string& attribute) {
  Handle order = state_.fields.base_order.read(cls);
  watches_.add_cell(cls, state_.fields.base_order, order);
  for (Py_ssize_t i = 0; order && i < PyTuple_Size(order.get()); ++i) {
    Handle proxy = find_attribute(held_item(order, i), "__dict__");
    Handle dict = proxy ? state_.fields.proxied.read(proxy) : Handle();
    if (!dict || !PyDict_Check(dict.get())) return {};
    Handle value = find_item(dict, attribute);
    watches_.add_item(state_.names, dict, attribute, value);
    if (value) return value;
  }
  return {};
}

// Fields that the class does not read otherwise. A tuple does not change, its class may.
void Capturer::add_of_named_tuple(Snapshot& to, const std::string& path, Borrowed tuple,
                                  const Asked& attributes) {
  std::vector<std::string> fields;
  if (Handle names = find_attribute(tuple, "_fields"); names && PyTuple_Check(names.get()))
    fields = texts_of(names);
  for (size_t i = 0; i < fields.size() && i < static_cast<size_t>(PyTuple_Size(tuple.get())); ++i) {
    if (std::find(attributes.begin(), attributes.end(), fields[i]) == attributes.end()) continue;
    class_attribute(reinterpret_cast<PyObject*>(Py_TYPE(tuple.get())), fields[i]);
    Handle value = find_attribute(tuple, fields[i].c_str());
    if (is(value, held_item(tuple, i))) add_name(to, path + "." + fields[i], value, attributes, 0);
  }
}

void Capturer::add_of_member(Snapshot& to, const std::string& path, Borrowed member,
                             const Asked& attributes) {
  for (const char* attribute : {"name", "value"}) {
    if (std::find(attributes.begin(), attributes.end(), attribute) == attributes.end()) continue;
    Handle kept = find_attribute(member, (std::string("_") + attribute + "_").c_str());
    Handle value = find_attribute(member, attribute);
    if (value && value.get() == kept.get())
      add_name(to, path + "." + attribute, value, attributes, 0);
  }
}

}  // namespace hetjit::python
