#include "compiler/typing/known/external_objects.h"

#include <algorithm>

#include "frontend/snapshot/fingerprint.h"

namespace hetjit::typing {
namespace {

/// "C++ 1f3a….std::pair<int, int>": which library, and the type as users see it.
constexpr std::string_view kMark = "C++ ";

std::string mark_of(const CxxLibrary& library) {
  return std::string(kMark) + to_text(fingerprint(key_of(library))) + ".";
}

Scalar word_of(uint32_t align) {
  constexpr Scalar kWords[] = {Scalar::UInt8, Scalar::UInt16, Scalar::UInt32, Scalar::UInt64};
  for (Scalar word : kWords)
    if (info(word).bytes() == std::min(align, 8u)) return word;
  fail_check("an alignment is a power of two", __FILE__, __LINE__);
}

}  // namespace

TypeId object_type(const CxxLibrary& library, const std::string& spelling, uint32_t size,
                   uint32_t align) {
  const Scalar word = word_of(align);
  std::vector<Field> words;
  for (uint32_t at = 0; at < size; at += info(word).bytes())
    words.push_back({"_" + std::to_string(words.size()), scalar_type(word)});
  return struct_type(mark_of(library) + spelling, words, align);
}

bool is_object(TypeId id) {
  return type(id).kind == TypeKind::Struct && type(id).name.starts_with(kMark);
}

std::string spelling_of_object(TypeId id) {
  const std::string& name = type(id).name;
  return name.substr(name.find('.') + 1);
}

std::optional<uint32_t> library_of_object(const Program& program, TypeId id) {
  for (uint32_t i = 0; i < program.libraries.size(); ++i)
    if (type(id).name.starts_with(mark_of(program.libraries[i]))) return i;
  return std::nullopt;
}

std::string key_of(const CxxLibrary& library) {
  std::string key = library.path;
  for (const std::string& option : library.options) key += "\n" + option;
  for (const CxxType& each : library.types) key += "\n" + to_text(each.type) + " " + each.spelling;
  return key + "\n" + library.source;
}

}  // namespace hetjit::typing
