// Struct types that a program can come across: their defaults and methods. (HET-STR-12)
#include <algorithm>

#include "python/ext/capture/capturer.h"
#include "python/ext/launch/kernel_object.h"
#include "python/ext/types/type_object.h"

namespace hetjit::python {
namespace {

struct Found {
  MemberKind kind = MemberKind::Value;
  Handle object;
};

// What an entry of the class's dictionary is in compiled code.
Found member_of(const State& state, Borrowed value) {
  std::string kind = text_attribute(reinterpret_cast<PyObject*>(Py_TYPE(value.get())), "__name__");
  if (kind == "staticmethod") return {MemberKind::Value, find_attribute(value, "__func__")};
  if (kind == "classmethod") return {MemberKind::ClassMethod, find_attribute(value, "__func__")};
  if (kind == "property") return {MemberKind::Property, find_attribute(value, "fget")};
  bool function = is_instance(value, state.function_type) ||
                  (is_instance(value, state.kernel_type) && is_device_function(value));
  return {function ? MemberKind::Method : MemberKind::Value, value.dup()};
}

// Where in the source functions stand does not make them different.
void without_places(Program& program) {
  for (Snapshot& function : program.functions) {
    function.source = {};
    function.positions.clear();
  }
}

// The classes that python/hetjit makes keep what the user wrote as `underlying`.
bool is_method_name(const std::string& name, const Found& found) {
  return name.rfind("__", 0) != 0 || found.kind == MemberKind::Method;
}

}  // namespace

void add_struct_types(TypeId id, std::vector<TypeId>& to) {
  const Type& it = type(id);
  if (it.element.valid()) add_struct_types(it.element, to);
  if (it.kind == TypeKind::Struct) {
    if (std::find(to.begin(), to.end(), id) != to.end()) return;
    to.push_back(id);
  }
  for (const hetjit::Field& field : it.fields) add_struct_types(field.type, to);
}

// Records the struct types in a type, each once. NumPy's dtypes have no class and no record.
bool Capturer::add_structs(TypeId id) {
  std::vector<TypeId> found;
  add_struct_types(id, found);
  for (TypeId one : found) {
    std::vector<Handle> classes = state_.classes.of(one);
    if (program_.find_struct(one) || classes.empty()) continue;
    state_.classes.watch(state_.names, one, watches_);
    const bool chosen = chosen_ && chosen_->first == one;
    if (!add_struct(one, chosen ? chosen_->second : classes[0])) return false;
    if (!chosen_ && classes.size() > 1 && !compare(one, classes)) return false;
  }
  return true;
}

bool Capturer::add_struct(TypeId id, Borrowed cls) {
  // There before its members are read: a method may name the type.
  const size_t place = program_.structs.size();
  program_.structs.push_back({.type = id, .defaults = {}, .members = {}});
  StructRecord made{.type = id, .defaults = {}, .members = {}};
  if (!read_struct_defaults(cls, made) || !read_members(cls, made)) return false;
  program_.structs[place] = std::move(made);
  return true;
}

// Classes that were equal when they were made are one type, and any of them may stand for it. What
// their methods refer to can be rebound in one of them: then none can.
bool Capturer::compare(TypeId id, const std::vector<Handle>& classes) {
  std::optional<Program> first;
  for (const Handle& cls : classes) {
    Capturer alone(state_, version_, {});
    alone.chosen_ = {id, cls.dup()};
    if (!alone.add_structs(id) || !alone.run()) return false;
    without_places(alone.program_);
    if (!first)
      first = std::move(alone.program_);
    else if (*first != alone.program_)
      disagreement_ = "the struct '" + to_python(id) +
                      "' has several classes, which were equal when they were made; by now a "
                      "variable, a default or the code of a method was changed in one of them: "
                      "make its class again";
    watches_.add(std::move(alone.watches_));
  }
  return true;
}

bool Capturer::read_struct_defaults(Borrowed cls, StructRecord& to) {
  Handle defaults = find_attribute(cls, "_defaults");
  for (const hetjit::Field& field : type(to.type).fields) {
    Handle value =
        defaults && PyDict_Check(defaults.get()) ? find_item(defaults, field.name) : Handle();
    to.defaults.push_back(value ? std::optional(meaning(value)) : std::nullopt);
  }
  return !PyErr_Occurred();
}

bool Capturer::read_members(Borrowed cls, StructRecord& to) {
  Handle underlying = find_attribute(cls, "underlying");
  Handle names = underlying ? find_attribute(underlying, "__dict__") : Handle();
  Handle own = find_attribute(cls, "__dict__");
  Handle iterator = names && own ? Handle::own(PyObject_GetIter(names.get())) : Handle();
  if (!iterator) return !PyErr_Occurred();
  const std::vector<hetjit::Field>& fields = type(to.type).fields;
  while (Handle key = Handle::own(PyIter_Next(iterator.get()))) {
    std::string name = text_of(key);
    bool is_field = std::any_of(fields.begin(), fields.end(),
                                [&](const hetjit::Field& field) { return field.name == name; });
    Handle value = is_field ? Handle() : Handle::own(PyObject_GetItem(own.get(), key.get()));
    if (!value) {
      forget();
      continue;
    }
    Found found = member_of(state_, value);
    if (found.object && is_method_name(name, found))
      to.members.push_back({name, found.kind, meaning(found.object)});
  }
  return !PyErr_Occurred();
}

}  // namespace hetjit::python
