#include "frontend/snapshot/snapshot.h"

#include <array>
#include <bit>

namespace hetjit {
namespace {

constexpr std::array<std::string_view, 5> kVersions = {"3.11", "3.12", "3.13", "3.14", "3.15"};

// As constants, 0.0 and -0.0 differ and a NaN equals itself.
bool same_bits(double left, double right) {
  return std::bit_cast<uint64_t>(left) == std::bit_cast<uint64_t>(right);
}

}  // namespace

std::string_view to_text(Python version) { return kVersions[static_cast<size_t>(version)]; }

std::optional<Python> find_python(std::string_view text) {
  for (size_t i = 0; i < kVersions.size(); ++i)
    if (kVersions[i] == text) return static_cast<Python>(i);
  return std::nullopt;
}

bool operator==(const ComplexConstant& left, const ComplexConstant& right) {
  return same_bits(left.real, right.real) && same_bits(left.imag, right.imag);
}

bool operator==(const TupleConstant& left, const TupleConstant& right) {
  return left.items == right.items;
}

bool operator==(const SliceConstant& left, const SliceConstant& right) {
  return left.parts == right.parts;
}

bool operator==(const RecordConstant& left, const RecordConstant& right) {
  return left.type == right.type && left.items == right.items;
}

bool operator==(const Constant& left, const Constant& right) {
  const double* number = std::get_if<double>(&left.value);
  const double* other = std::get_if<double>(&right.value);
  if (number && other) return same_bits(*number, *other);
  return left.value == right.value;
}

const Meaning& Snapshot::meaning(const std::string& path) const {
  static const Meaning unbound = UnboundMeaning{};
  for (const Name& name : names)
    if (name.path == path) return name.meaning;
  return unbound;
}

std::vector<Source> Program::sources() const {
  std::vector<Source> sources;
  sources.reserve(functions.size());
  for (const Snapshot& function : functions) sources.push_back(function.source);
  return sources;
}

const StructRecord* Program::find_struct(TypeId type) const {
  for (const StructRecord& record : structs)
    if (record.type == type) return &record;
  return nullptr;
}

}  // namespace hetjit
