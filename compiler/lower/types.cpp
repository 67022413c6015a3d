// Our types as lists of LLVM scalars with their places in memory, from abi/layout.
#include "abi/layout.h"
#include "compiler/lower/lowering.h"

namespace hetjit::lower {
namespace {

/// The alignment of `offset` bytes into something aligned to `align`.
uint32_t align_at(uint32_t align, uint32_t offset) {
  uint32_t lowest = offset & -offset;
  return offset == 0 || lowest > align ? align : lowest;
}

}  // namespace

llvm::Type* Types::stored_type(Scalar scalar) {
  if (scalar == Scalar::Float16) return llvm::Type::getHalfTy(context_);
  if (scalar == Scalar::Float32) return llvm::Type::getFloatTy(context_);
  if (scalar == Scalar::Float64) return llvm::Type::getDoubleTy(context_);
  return llvm::Type::getIntNTy(context_, info(scalar).bits);
}

llvm::Type* Types::value_type(Scalar scalar) {
  return scalar == Scalar::Bool ? llvm::Type::getInt1Ty(context_) : stored_type(scalar);
}

// A Leaf for every scalar in the type. Extents and strides of arrays are i64; those of a contiguous
// array have no strides, they follow from its shape.
void Types::append(TypeId id, uint32_t offset, uint32_t align, llvm::SmallVectorImpl<Leaf>& to) {
  const Type& it = type(id);
  auto add = [&](llvm::Type* value, llvm::Type* stored, uint32_t at) {
    to.push_back({value, stored, at, align_at(align, at)});
  };
  auto add_scalar = [&](Scalar scalar, uint32_t at) {
    add(value_type(scalar), stored_type(scalar), at);
  };
  llvm::Type* pointer = llvm::PointerType::get(context_, 0);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context_);
  if (it.kind == TypeKind::Pointer) return add(pointer, pointer, offset);
  if (it.kind == TypeKind::None) return;
  if (it.kind == TypeKind::Scalar && is_complex(it.scalar)) {
    add_scalar(hetjit::part_of(it.scalar), offset);
    return add_scalar(hetjit::part_of(it.scalar), offset + info(it.scalar).bytes() / 2);
  }
  if (it.kind == TypeKind::Scalar) return add_scalar(it.scalar, offset);
  if (it.kind == TypeKind::Aligned) return append(it.element, offset, align, to);
  Layout lay = layout(id);
  if (it.kind == TypeKind::Vector) {
    for (uint32_t at : lay.offsets) add_scalar(it.scalar, offset + at);
  } else if (it.kind == TypeKind::Array) {
    add(pointer, pointer, offset);
    unsigned words = it.facts.order == Order::Contiguous ? it.rank : 2u * it.rank;
    for (unsigned i = 0; i < words; ++i) add(i64, i64, offset + 8 + 8 * i);
  } else {
    for (size_t i = 0; i < it.fields.size(); ++i)
      append(it.fields[i].type, offset + lay.offsets[i], align, to);
  }
}

llvm::ArrayRef<Leaf> Types::leaves(TypeId id) {
  auto [found, added] = known_.try_emplace(id.index);
  if (added) {
    llvm::SmallVector<Leaf, 4> made;
    append(id, 0, layout(id).align, made);
    found->second = std::move(made);
  }
  return found->second;
}

uint32_t Types::leaves_before(TypeId id, uint32_t index) {
  const Type& it = type(id);
  if (it.kind == TypeKind::Vector || it.kind == TypeKind::Scalar) return index;
  uint32_t count = 0;
  for (uint32_t i = 0; i < index; ++i) count += leaves(it.fields[i].type).size();
  return count;
}

}  // namespace hetjit::lower
