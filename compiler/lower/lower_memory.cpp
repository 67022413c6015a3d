// Arrays and memory. An array's leaves: data, extents, and, when it is not contiguous, strides.
#include "abi/index_width.h"
#include "abi/layout.h"
#include "compiler/lower/device_ops.h"
#include "compiler/target/words.h"

namespace hetjit::lower {
namespace {

using llvm::Value;

Value* place(llvm::IRBuilder<>& build, Value* address, uint64_t offset) {
  if (offset == 0) return address;
  return build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), address, offset);
}

/// Stride of an axis in elements, i64: read, or for a contiguous array the product of the extents
/// behind it.
Value* stride(Lowering& at, const Leaves& array, const Type& it, unsigned axis) {
  if (it.facts.order == Order::Strided) return array[1 + it.rank + axis];
  Value* product = at.constant(at.i64(), 1);
  for (unsigned behind = axis + 1; behind < it.rank; ++behind)
    product = at.build.CreateMul(product, array[1 + behind]);
  return product;
}

}  // namespace

Leaves load_value(llvm::IRBuilder<>& build, Types& types, TypeId id, Value* address,
                  bool invariant) {
  Leaves leaves;
  for (const Leaf& leaf : types.leaves(id)) {
    Value* from = place(build, address, leaf.offset);
    auto* load = build.CreateAlignedLoad(leaf.stored, from, llvm::Align(leaf.align));
    if (invariant)
      load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                        llvm::MDNode::get(build.getContext(), {}));
    leaves.push_back(leaf.type == leaf.stored ? load : build.CreateIsNotNull(load));
  }
  return leaves;
}

namespace {

/// What a value's memory holds beside its leaves: the null pointer of a None, the strides of a
/// contiguous array. `next` walks over the leaves.
void store_rest(llvm::IRBuilder<>& build, Types& types, TypeId id, Value* address,
                Value* const*& next) {
  const Type& it = type(without_align(id));
  if (it.kind == TypeKind::None)
    build.CreateAlignedStore(build.getInt64(0), address, llvm::Align(1));
  if (it.kind == TypeKind::Tuple || it.kind == TypeKind::Struct) {
    Layout lay = layout(without_align(id));
    for (size_t i = 0; i < it.fields.size(); ++i)
      store_rest(build, types, it.fields[i].type, place(build, address, lay.offsets[i]), next);
    return;
  }
  if (it.kind == TypeKind::Array && it.facts.order == Order::Contiguous) {
    Value* product = build.getInt64(1);
    for (int axis = it.rank - 1; axis >= 0; --axis) {
      build.CreateAlignedStore(product, place(build, address, 8 + 8 * (it.rank + axis)),
                               llvm::Align(types.leaves(id).front().align));
      product = build.CreateMul(product, next[1 + axis]);
    }
  }
  next += types.leaves(id).size();
}

}  // namespace

void store_value(llvm::IRBuilder<>& build, Types& types, TypeId id, Value* address,
                 llvm::ArrayRef<Value*> leaves) {
  Value* const* next = leaves.data();
  for (const Leaf& leaf : types.leaves(id)) {
    Value* value = *next++;
    if (leaf.type != leaf.stored) value = build.CreateZExt(value, leaf.stored);
    build.CreateAlignedStore(value, place(build, address, leaf.offset), llvm::Align(leaf.align));
  }
  if (type(id).kind == TypeKind::Scalar) return;
  next = leaves.data();
  store_rest(build, types, id, address, next);
}

template <>
Leaves lower(Lowering& at, const ir::Extent& op) {
  return at.leaves(op.in[0])[1 + op.axis];
}

template <>
Leaves lower(Lowering& at, const ir::Stride& op) {
  return stride(at, at.leaves(op.in[0]), type(at.type_of(op.in[0])), op.axis);
}

template <>
Leaves lower(Lowering& at, const ir::WrapIndex& op) {
  Value *index = at(op.in[0]), *extent = at(op.in[1]);
  Value* from_end = at.build.CreateAdd(index, extent);
  // Outside the array any number will do. Of those inside, read as unsigned, a negative one is the
  // greater of the two, any other the smaller. No machine has that for 64 bits.
  bool narrow = index->getType()->isIntegerTy(32);
  if (narrow && at.integers && at.integers->is_index(at.result))
    return at.build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, index, from_end, nullptr,
                                          "wrapped");
  Value* negative = at.build.CreateICmpSLT(index, at.constant(index->getType(), 0));
  return at.build.CreateSelect(negative, from_end, index, "wrapped");
}

namespace {

/// Sum of index times stride. Inside the array an index is never negative and the offset of every
/// element, so every partial sum, fits `type`; outside, the op is undefined.
Value* strided_offset(Lowering& at, const ir::ElementAddress& op, const Type& array,
                      llvm::Type* type) {
  auto& build = at.build;
  Value* offset = nullptr;
  for (unsigned axis = 0; axis < array.rank; ++axis) {
    Value* index = build.CreateZExtOrTrunc(at(op.in[1 + axis]), type);
    Value* step = build.CreateZExtOrTrunc(stride(at, at.leaves(op.in[0]), array, axis), type);
    Value* part = build.CreateNSWMul(index, step);
    offset = offset ? build.CreateNSWAdd(offset, part) : part;
  }
  return offset;
}

/// The same by Horner's rule with the extents; nothing here can be negative.
Value* contiguous_offset(Lowering& at, const ir::ElementAddress& op, const Type& array,
                         llvm::Type* type) {
  auto& build = at.build;
  const Leaves& leaves = at.leaves(op.in[0]);
  Value* offset = nullptr;
  for (unsigned axis = 0; axis < array.rank; ++axis) {
    Value* index = build.CreateZExtOrTrunc(at(op.in[1 + axis]), type);
    if (!offset) {
      offset = index;
      continue;
    }
    Value* extent = build.CreateZExtOrTrunc(leaves[1 + axis], type);
    Value* row = build.CreateMul(offset, extent, "", /*NUW=*/true, /*NSW=*/true);
    offset = build.CreateAdd(row, index, "", true, true);
  }
  return offset;
}

}  // namespace

template <>
Leaves lower(Lowering& at, const ir::ElementAddress& op) {
  auto& build = at.build;
  const Type& array = type(at.type_of(op.in[0]));
  Value* data = at.leaves(op.in[0])[0];
  if (array.rank == 0) return data;
  bool narrow = array.facts.index_bits == 32 && at.module.device.prefers_narrow_offsets();
  llvm::Type* type = narrow ? at.i32() : at.i64();
  bool contiguous = array.facts.order == Order::Contiguous;
  Value* offset =
      contiguous ? contiguous_offset(at, op, array, type) : strided_offset(at, op, array, type);
  const uint64_t size = layout(array.element).stride();
  Value* bytes = nullptr;
  const bool as_word = narrow && contiguous && at.module.device.adds_unsigned_words();
  if (as_word && size > 1 && size <= kMostWordSize) {
    Value* word = build.CreateMul(offset, at.constant(at.i32(), size), "", /*NUW=*/true);
    bytes = build.CreateZExt(word, at.i64());
    target::mark_word(*bytes, kMostWordSize * kBeyondIndex32);
  } else {
    if (narrow)  // a contiguous offset is never negative, and an unsigned one is addressed for free
      offset = contiguous ? build.CreateZExt(offset, at.i64(), "", /*IsNonNeg=*/true)
                          : build.CreateSExt(offset, at.i64());
    bytes = build.CreateMul(offset, at.constant(at.i64(), size), "",
                            /*NUW=*/contiguous, /*NSW=*/true);
  }
  return build.CreateInBoundsGEP(build.getInt8Ty(), data, bytes, "element");
}

template <>
Leaves lower(Lowering& at, const ir::FieldAddress& op) {
  Layout lies = layout(type(at.type_of(op.in[0])).element);
  return place(at.build, at(op.in[0]), lies.offsets[op.index]);
}

template <>
Leaves lower(Lowering& at, const ir::MakeArray& op) {
  Leaves leaves;
  for (ValueId id : op.in) leaves.push_back(at(id));
  return leaves;
}

template <>
Leaves lower(Lowering& at, const ir::ArrayData& op) {
  return at.leaves(op.in[0])[0];
}

template <>
Leaves lower(Lowering& at, const ir::MoveAddress& op) {
  return at.build.CreateGEP(at.build.getInt8Ty(), at(op.in[0]), at(op.in[1]), "moved");
}

template <>
Leaves lower(Lowering& at, const ir::Load& op) {
  TypeId pointee = type(at.type_of(op.in[0])).element;  // says how it is aligned
  return load_value(at.build, at.module.types, pointee, at(op.in[0]));
}

template <>
Leaves lower(Lowering& at, const ir::Store& op) {
  TypeId pointee = type(at.type_of(op.in[0])).element;
  store_value(at.build, at.module.types, pointee, at(op.in[0]), at.leaves(op.in[1]));
  return {};
}

namespace {

/// Where the elements of an array begin and end; meaningless where it has none.
std::pair<Value*, Value*> bytes_of(Lowering& at, ValueId array) {
  auto& build = at.build;
  const Type& of = type(at.type_of(array));
  Value* size = build.getInt64(layout(of.element).size);
  Value* begin = build.CreatePtrToInt(at.leaves(array)[0], build.getInt64Ty());
  Value* end = build.CreateAdd(begin, size);
  for (uint8_t axis = 0; axis < of.rank; ++axis) {
    Value* extent = lower(at, ir::Extent{{array}, axis})[0];
    Value* stride = lower(at, ir::Stride{{array}, axis})[0];
    Value* last = build.CreateSub(extent, build.getInt64(1));
    Value* way = build.CreateMul(build.CreateMul(last, stride), size);
    Value* back = build.CreateICmpSLT(way, build.getInt64(0));
    begin = build.CreateAdd(begin, build.CreateSelect(back, way, build.getInt64(0)));
    end = build.CreateAdd(end, build.CreateSelect(back, build.getInt64(0), way));
  }
  return {begin, end};
}

}  // namespace

template <>
Leaves lower(Lowering& at, const ir::Apart& op) {
  auto [begin, end] = bytes_of(at, op.in[0]);
  auto [other_begin, other_end] = bytes_of(at, op.in[1]);
  return at.build.CreateOr(at.build.CreateICmpULE(end, other_begin),
                           at.build.CreateICmpULE(other_end, begin));
}

}  // namespace hetjit::lower
