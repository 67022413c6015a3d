#include "abi/layout.h"

#include <algorithm>

namespace hetjit {
namespace {

constexpr uint32_t kPointerBytes = 8;

uint32_t round_up(uint32_t value, uint32_t align) { return (value + align - 1) & ~(align - 1); }

Layout scalar_layout(Scalar scalar) { return {info(scalar).bytes(), info(scalar).bytes(), {}}; }

// CUDA's built-in vectors: two and four lanes are aligned as a whole, up to 16 bytes.
Layout vector_layout(const Type& vector) {
  uint32_t element = info(vector.scalar).bytes();
  uint32_t align = vector.lanes % 2 ? element : std::min(element * vector.lanes, 16u);
  Layout layout{element * vector.lanes, std::max(element, align), {}};
  for (uint32_t lane = 0; lane < vector.lanes; ++lane) layout.offsets.push_back(lane * element);
  return layout;
}

Layout array_layout(uint32_t rank) {
  if (rank == 0) return {kPointerBytes, kPointerBytes, {0}};
  return {8 + 16 * rank, kPointerBytes, {0, 8, 8 + 8 * rank}};
}

Layout record_layout(const Type& record) {
  Layout out{0, 1, {}};
  for (const Field& field : record.fields) {
    Layout inner = layout(field.type);
    uint32_t align = std::max(record.packed ? 1 : inner.align, field.align);
    out.offsets.push_back(round_up(out.size, align));
    out.size = out.offsets.back() + inner.size;
    out.align = std::max(out.align, align);
  }
  out.align = std::max(out.align, record.align);
  out.size = round_up(std::max(out.size, 1u), out.align);
  return out;
}

Layout aligned_layout(const Type& aligned) {
  Layout out = layout(aligned.element);
  const Type& element = type(aligned.element);
  out.align = aligned.align;
  if (element.kind == TypeKind::Tuple || element.kind == TypeKind::Struct) out.size = out.stride();
  return out;
}

}  // namespace

Layout layout(TypeId id) {
  const Type& it = type(id);
  switch (it.kind) {
    case TypeKind::Scalar:
      return scalar_layout(it.scalar);
    case TypeKind::Vector:
      return vector_layout(it);
    case TypeKind::Array:
      return array_layout(it.rank);
    case TypeKind::Tuple:
    case TypeKind::Struct:
      return record_layout(it);
    case TypeKind::Aligned:
      return aligned_layout(it);
    case TypeKind::None:
    case TypeKind::Pointer:
      return {kPointerBytes, kPointerBytes, {}};
  }
  HETJIT_CHECK(false);
}

TypeId part_type(TypeId whole, uint32_t index) {
  const Type& it = type(without_align(whole));
  const Layout lies = layout(whole);
  HETJIT_CHECK(index < lies.offsets.size());
  TypeId part = it.kind == TypeKind::Vector ? scalar_type(it.scalar) : it.fields[index].type;
  const uint32_t offset = lies.offsets[index], lowest = offset & -offset;
  const uint32_t known = offset && lowest < lies.align ? lowest : lies.align;
  return known < layout(part).align ? aligned_type(part, known) : part;
}

BlockLayout parameter_block(std::span<const TypeId> parameters) {
  BlockLayout block;
  for (TypeId parameter : parameters) {
    Layout inner = layout(parameter);
    block.offsets.push_back(round_up(block.size, inner.align));
    block.size = block.offsets.back() + inner.size;
    block.align = std::max(block.align, inner.align);
  }
  return block;
}

}  // namespace hetjit
