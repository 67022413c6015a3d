// Arrays and memory. An array value is a descriptor: data pointer, extents, strides in elements.
#pragma once

#include "compiler/ir/ops_base.h"

namespace hetjit::ir {

/// Extent of array in[0] along `axis`, i64, never negative.
struct Extent : Operands<1> {
  static constexpr OpInfo info = kind::value("extent", Cost::Plain, Ranged);
  uint8_t axis = 0;
  auto attributes() { return std::tie(axis); }
};

/// Stride of array in[0] along `axis` in elements, i64. For a contiguous array it follows from the
/// shape.
struct Stride : Operands<1> {
  static constexpr OpInfo info = kind::value("stride", Cost::Plain, TypeOnly);
  uint8_t axis = 0;
  auto attributes() { return std::tie(axis); }
};

/// Python's index rule: in[0] >= 0 ? in[0] : in[0] + in[1]. in[0] is a signed integer, in[1] the
/// extent (of the same type). Nothing is checked. Where in[0] cannot be negative, simplify removes
/// the op.
struct WrapIndex : Operands<2> {
  static constexpr OpInfo info = kind::scalar("wrapindex", Cost::Index, Ranged | Stepped);
};

/// Address of element (in[1], …, in[rank]) of array in[0]. Indices are integers, already wrapped,
/// all of one type: i64/u64, or i32/u32 when the array's index_bits is 32. Result: pointer to the
/// element type. Outside the array: an address that must not be read or written.
struct ElementAddress : ManyOperands {
  static constexpr OpInfo info = kind::value("element", Cost::Index, TypeOnly);
};

/// Address of part `index` of the tuple, vector or struct at address in[0]. Result: pointer to the
/// part's type, aligned as it lies there.
struct FieldAddress : Operands<1> {
  static constexpr OpInfo info = kind::value("field", Cost::Index, TypeOnly);
  uint32_t index = 0;
  auto attributes() { return std::tie(index); }
};

/// An array of the result's type: in[0] is the address of its first element, then follow its
/// extents and, unless the type is contiguous, its strides in elements; all i64. Extents are not
/// negative.
struct MakeArray : ManyOperands {
  static constexpr OpInfo info = kind::value("makearray", Cost::Plain, TypeOnly);
};

/// Address of element (0, …, 0) of array in[0].
struct ArrayData : Operands<1> {
  static constexpr OpInfo info = kind::value("arraydata", Cost::Plain, TypeOnly);
};

/// Address in[0] moved by in[1] bytes (i64), as a pointer to the type that the result points to.
struct MoveAddress : Operands<2> {
  static constexpr OpInfo info = kind::value("moveaddress", Cost::Index, TypeOnly);
};

/// The value at address in[0].
struct Load : Operands<1> {
  static constexpr OpInfo info = kind::access("load", Loads, Gives::ByRule);
};

/// Writes in[1] to address in[0]. No result.
struct Store : Operands<2> {
  static constexpr OpInfo info = kind::access("store", Stores, Gives::Nothing);
};

/// Address of variable `variable` in the block's shared memory, `bytes` long: one for all threads
/// of a block, with undefined contents at its start. Result: pointer, aligned to `align`. Ops of
/// the same variable have the same attributes.
struct SharedMemory : Operands<0> {
  static constexpr OpInfo info = kind::memory("sharedmemory", Points::Shared, Gives::PerBlock);
  uint32_t variable = 0, bytes = 0, align = 1;
  auto attributes() { return std::tie(variable, bytes, align); }
};

/// Address of the shared memory that the launch asked for, behind all variables. Result: pointer,
/// aligned to 16.
struct DynamicSharedMemory : Operands<0> {
  static constexpr OpInfo info = kind::memory("dynamicshared", Points::Dynamic, Gives::PerBlock);
};

/// How many bytes of it the launch asked for, u32.
struct DynamicSharedBytes : Operands<0> {
  static constexpr OpInfo info =
      kind::place("dynamicsharedbytes", Needs::Memory, Gives::PerBlock, TypeOnly);
};

/// Address of variable `variable` of the thread's own, `bytes` long, with undefined contents where
/// the function begins. Result: pointer, aligned to `align`. One per op and call of its function.
struct LocalMemory : Operands<0> {
  static constexpr OpInfo info = kind::memory("localmemory", Points::Local, Gives::ByRule);
  uint32_t variable = 0, bytes = 0, align = 1;
  auto attributes() { return std::tie(variable, bytes, align); }
};

using MemoryOps = OpList<Extent, Stride, WrapIndex, ElementAddress, FieldAddress, MakeArray,
                         ArrayData, MoveAddress, Load, Store, SharedMemory, DynamicSharedMemory,
                         DynamicSharedBytes, LocalMemory>;

}  // namespace hetjit::ir
