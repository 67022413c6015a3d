#include "compiler/typing/kinds/lanes_left.h"

namespace hetjit::typing {
namespace {

constexpr uint32_t kMostThreads = 1024;  // of a block, on every target
constexpr uint32_t kBytes = kMostThreads / 8, kAlign = 8;
constexpr uint32_t kLanesOfByte = 3;  // as a shift

/// The number of the warp's first thread in its block.
ValueId first_thread(ir::Builder& builder) {
  const TypeId word = scalar_type(Scalar::UInt32);
  ValueId place = builder.const_int(word, 0);
  for (uint8_t axis : {2, 1, 0}) {
    ir::BlockDimension extent;
    ir::ThreadIndex index;
    extent.axis = index.axis = axis;
    place = builder.binary<ir::Mul>(place, builder.emit(extent, word));
    place = builder.binary<ir::Add>(place, builder.emit(index, word));
  }
  return builder.binary<ir::Sub>(place, builder.emit(ir::LaneIndex{}, word));
}

}  // namespace

// No place in the source makes it.
uint32_t lanes_left_variable(Specializer& whole) {
  return whole.shared().number_of({}, scalar_type(Scalar::UInt64), kBytes, kAlign);
}

ValueId lanes_left_address(ir::Builder& builder, uint32_t variable, Scalar bits) {
  ir::SharedMemory words;
  words.variable = variable;
  words.bytes = kBytes;
  words.align = kAlign;
  const TypeId pointer = pointer_type(scalar_type(bits));
  ValueId first = first_thread(builder);
  ValueId by = builder.binary<ir::ShiftRight>(
      first, builder.const_int(builder.type_of(first), kLanesOfByte));
  return builder.move_address(builder.emit(words, pointer),
                              builder.convert(by, scalar_type(Scalar::Int64)), pointer);
}

// An atomic load would look like a loop that waits, where there is a loop round it. The fence keeps
// compilers from reading it once for all of that loop's turns.
ValueId lanes_left(ir::Builder& builder, uint32_t variable, Scalar bits) {
  ValueId address = lanes_left_address(builder, variable, bits);
  ir::Fence fence;
  fence.order = ir::MemoryOrder::AcquireRelease;
  fence.scope = ir::MemoryScope::Block;
  builder.emit(fence);
  return builder.load(address);
}

}  // namespace hetjit::typing
