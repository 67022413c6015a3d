#include "abi/cxx_names.h"

#include <algorithm>

#include "abi/bytes.h"
#include "abi/layout.h"

namespace hetjit {
namespace {

/// Ours is a least alignment; C++ refuses one that is below the natural one.
std::string alignas_text(uint32_t align, uint32_t natural) {
  return align > natural ? "alignas(" + std::to_string(align) + ") " : "";
}

uint32_t natural_align(const Type& record) {
  uint32_t natural = 1;
  for (const Field& field : record.fields)
    natural = std::max({natural, record.packed ? 1 : layout(field.type).align, field.align});
  return natural;
}

std::string require(const std::string& what, uint32_t is) {
  return "static_assert(" + what + " == " + std::to_string(is) + ", \"\");\n";
}

}  // namespace

std::string cxx_name(TypeId id) {
  const Type& it = type(id);
  switch (it.kind) {
    case TypeKind::None:
      return "void*";
    case TypeKind::Scalar:
      return it.scalar == Scalar::Bool ? "bool"
                                       : "hetjit::" + std::string(info(it.scalar).python_name);
    case TypeKind::Vector:
      return "hetjit::" + to_python(id);
    case TypeKind::Pointer:
      return cxx_name(it.element) + "*";
    case TypeKind::Array:
      return "hetjit::interoperable_array_descriptor<" +
             std::string(it.facts.writable ? "" : "const ") + cxx_name(it.element) + ", " +
             std::to_string(it.rank) + ">";
    case TypeKind::Tuple:
    case TypeKind::Struct:
      return "hetjit_record_" + std::to_string(checksum(to_text(id)));
    case TypeKind::Aligned:
      return cxx_name(it.element);  // the alignment stands on the member
  }
  return "";
}

std::string cxx_definition(TypeId record) {
  const Type& it = type(record);
  const Layout lies = layout(record);
  const std::string name = cxx_name(record);
  std::string text = "struct " + std::string(it.packed ? "__attribute__((packed)) " : "") +
                     alignas_text(it.align, natural_align(it)) + name + " {\n";
  std::string asserts = require("sizeof(" + name + ")", lies.size);
  asserts += require("alignof(" + name + ")", lies.align);
  for (size_t i = 0; i < it.fields.size(); ++i) {
    const Field& field = it.fields[i];
    const std::string member = field.name.empty() ? "m" + std::to_string(i) : field.name;
    text += "  " + alignas_text(field.align, it.packed ? 1 : layout(field.type).align) +
            cxx_name(field.type) + " " + member + ";\n";
    asserts += require("__builtin_offsetof(" + name + ", " + member + ")", lies.offsets[i]);
  }
  return text + "};\n" + asserts;
}

}  // namespace hetjit
