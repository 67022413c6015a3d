// Memory that several threads touch at a time: atomic operations and fences. (HETX-AT, ORD, SCO)
#pragma once

#include "compiler/ir/ops_base.h"

namespace hetjit::ir {

/// What an atomic operation orders, as in C++. Consume is Acquire. SeqCst operations are in one
/// order that all threads of the scope agree on.
enum class MemoryOrder : uint8_t { Relaxed, Consume, Acquire, Release, AcquireRelease, SeqCst };

/// Among whom: all threads of the machine, the host's too; those of the device; those of the block;
/// the thread alone.
enum class MemoryScope : uint8_t { System, Device, Block, Thread };

enum class AtomicOperation : uint8_t {
  Exchange,
  Add,
  Sub,
  And,
  Or,
  Xor,
  Max,     // of floats: NaN where either is NaN
  Min,     // the same
  NanMax,  // of floats: the other where one is NaN
  NanMin,  // the same
};

/// The value at address in[0], read as a whole. Its type has 1, 2, 4, 8 or 16 bytes and is aligned
/// to its size.
struct AtomicLoad : Operands<1> {
  static constexpr OpInfo info = kind::access("atomicload", Loads | Atomic, Gives::ByRule);
  MemoryOrder order = MemoryOrder::SeqCst;
  MemoryScope scope = MemoryScope::System;
  auto attributes() { return std::tie(order, scope); }
};

/// Writes in[1] to address in[0] as a whole. The value as for AtomicLoad. No result.
struct AtomicStore : Operands<2> {
  static constexpr OpInfo info = kind::access("atomicstore", Stores | Atomic, Gives::Nothing);
  MemoryOrder order = MemoryOrder::SeqCst;
  MemoryScope scope = MemoryScope::System;
  auto attributes() { return std::tie(order, scope); }
};

/// Replaces the value at address in[0] by that of the operation on it and in[1]; the result is the
/// value from before. Scalars of at most 8 bytes: Exchange of any, And Or Xor of integers, the
/// others of integers and floats with arithmetic. Integers wrap.
struct AtomicUpdate : Operands<2> {
  static constexpr OpInfo info =
      kind::access("atomicupdate", Loads | Stores | Atomic, Gives::PerThread);
  AtomicOperation operation = AtomicOperation::Add;
  MemoryOrder order = MemoryOrder::SeqCst;
  MemoryScope scope = MemoryScope::System;
  auto attributes() { return std::tie(operation, order, scope); }
};

/// Writes in[2] to address in[0] if the bits there are those of in[1]; the result is the value from
/// before. Scalars of at most 8 bytes.
struct AtomicCompareExchange : Operands<3> {
  static constexpr OpInfo info =
      kind::access("atomiccas", Loads | Stores | Atomic | IfExpected, Gives::PerThread);
  MemoryOrder order = MemoryOrder::SeqCst;
  MemoryScope scope = MemoryScope::System;
  auto attributes() { return std::tie(order, scope); }
};

/// Orders the thread's accesses before it and after it.
struct Fence : Operands<0> {
  static constexpr OpInfo info =
      kind::event("fence", Reads | Writes, Needs::Nothing, Gives::Nothing, Vectors::Yes);
  MemoryOrder order = MemoryOrder::SeqCst;
  MemoryScope scope = MemoryScope::System;
  auto attributes() { return std::tie(order, scope); }
};

/// Inside a loop that waits for another thread: the others may go on first. No meaning beside that.
struct Pause : Operands<0> {
  static constexpr OpInfo info =
      kind::event("pause", Reads | Writes, Needs::Turn, Gives::Nothing, Vectors::No);
};

using AtomicOps =
    OpList<AtomicLoad, AtomicStore, AtomicUpdate, AtomicCompareExchange, Fence, Pause>;

}  // namespace hetjit::ir
