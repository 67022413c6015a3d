#include "python/ext/types/same_memory.h"

#include <vector>

#include "abi/layout.h"

namespace hetjit::python {
namespace {

std::string quoted(const std::string& path) {
  return path.empty() ? "an element " : "field '" + path + "' ";
}

bool has_parts(const Type& it) {
  return it.kind == TypeKind::Vector || it.kind == TypeKind::Tuple || it.kind == TypeKind::Struct;
}

bool is_gap(TypeId id) {
  const Type& it = type(id);
  if (it.kind != TypeKind::Tuple || it.fields.empty()) return false;
  const Type& item = type(it.fields.front().type);
  return item.kind == TypeKind::Tuple && item.fields.empty();
}

struct Part {
  std::string name;  // what NumPy's records call it (device.numpy_dtype)
  TypeId type;
  uint32_t offset;
};

std::vector<Part> parts_of(TypeId id) {
  const Type& it = type(id);
  const Layout lies = layout(id);
  std::vector<Part> parts;
  for (size_t i = 0; i < lies.offsets.size(); ++i) {
    if (it.kind == TypeKind::Vector) {
      parts.push_back({std::string(1, "xyzw"[i]), scalar_type(it.scalar), lies.offsets[i]});
      continue;
    }
    const bool named = it.kind == TypeKind::Struct;
    if (!is_gap(it.fields[i].type))
      parts.push_back({named ? it.fields[i].name : "f" + std::to_string(i),
                       without_align(it.fields[i].type), lies.offsets[i]});
  }
  return parts;
}

std::string compare(TypeId found, TypeId wanted, const std::string& path);

std::string compare_parts(TypeId found, TypeId wanted, const std::string& path) {
  const std::vector<Part> is = parts_of(found), as = parts_of(wanted);
  if (is.size() != as.size())
    return quoted(path) + "has " + std::to_string(is.size()) + " parts, not the " +
           std::to_string(as.size()) + " of " + to_python(wanted);
  const bool named = type(found).kind == TypeKind::Struct;  // the items of subarrays are not
  if (!named && type(wanted).kind == TypeKind::Struct)
    return quoted(path) + "is " + to_python(found) + ", not " + to_python(wanted);
  for (size_t i = 0; i < is.size(); ++i) {
    const std::string inner = path.empty() ? as[i].name : path + "." + as[i].name;
    if (named && is[i].name != as[i].name)
      return "a field is called '" + is[i].name + "' where " + to_python(wanted) + " has '" +
             as[i].name + "'";
    std::string differs = compare(is[i].type, as[i].type, inner);
    if (!differs.empty()) return differs;
    if (is[i].offset != as[i].offset)
      return quoted(inner) + "is at byte " + std::to_string(is[i].offset) + ", not " +
             std::to_string(as[i].offset);
  }
  return "";
}

std::string compare(TypeId found, TypeId wanted, const std::string& path) {
  if (found == wanted) return "";
  if (is_atomic(wanted) && is_scalar(found)) return compare(found, parts_of(wanted)[0].type, path);
  if (!has_parts(type(found)) || !has_parts(type(wanted)))
    return quoted(path) + "is " + to_python(found) + ", not " + to_python(wanted);
  return compare_parts(found, wanted, path);
}

}  // namespace

TypeId gap_type(uint32_t bytes) {
  return tuple_type(std::vector<TypeId>(bytes, tuple_type(std::span<const TypeId>())));
}

std::string difference(TypeId found, TypeId wanted) {
  std::string differs = compare(without_align(found), without_align(wanted), "");
  const uint32_t is = layout(found).stride(), should = layout(wanted).stride();
  if (!differs.empty() || is == should) return differs;
  return "an element takes " + std::to_string(is) + " bytes, not " + std::to_string(should);
}

}  // namespace hetjit::python
