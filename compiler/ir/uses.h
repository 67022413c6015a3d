// One view of a function's graph, for all that ask: what makes a value and who uses it, where
// control comes from and goes to, and the forms that analyses look for.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/ir.h"

namespace hetjit::ir {

/// What makes each value, and where. Of a function that stays as it is.
class Definitions {
 public:
  explicit Definitions(const Function& function);

  /// Null: a block's parameter, or nothing.
  const Op* of(ValueId id) const { return ops_[id.index]; }
  template <class AnyOp>
  const AnyOp* made_by(ValueId id) const {
    const Op* op = of(id);
    return op ? std::get_if<AnyOp>(op) : nullptr;
  }
  /// The block in which it is made.
  uint32_t home(ValueId id) const { return homes_[id.index]; }

 private:
  std::vector<const Op*> ops_;   // by value
  std::vector<uint32_t> homes_;  // by value
};

/// How often each value is used, edges' arguments included.
std::vector<uint32_t> count_uses(const Function& function);

// ---- blocks

using BlockLists = std::vector<std::vector<uint32_t>>;  // by block
/// Targets of each block's terminator, for Dominators and reverse_post_order.
BlockLists successors(const Function& function);

/// An edge into a block.
template <class AnyEdge>
struct IncomingEdge {
  uint32_t from;
  AnyEdge* edge;
};
using Incoming = IncomingEdge<const Edge>;
/// By block: the edges into it that leave one of `blocks`, in their order.
std::vector<std::vector<Incoming>> incoming(const Function& function,
                                            const std::vector<uint32_t>& blocks);
/// The same of all blocks, to be changed.
std::vector<std::vector<IncomingEdge<Edge>>> incoming(Function& function);

/// What a branch has found out.
struct Known {
  ValueId condition;
  bool truth = false;
};
/// Where control came by this edge; nullopt: nothing.
std::optional<Known> known_on(const Function& function, const Incoming& edge);

// ---- forms

/// The element that an address is of, or of a part of which; null: it is some other address.
const ElementAddress* element_of(const Definitions& definitions, ValueId address);

/// How many elements lie from each index along an axis of an array to the next, where it is known:
/// 1 along the last axis in C order; a number in the graph, of a view that is made here.
std::optional<int64_t> known_stride(const Function& function, const Definitions& definitions,
                                    ValueId array, uint8_t axis);
/// The axis along which its elements follow one another; nullopt: none is known.
std::optional<uint8_t> unit_axis(const Function& function, const Definitions& definitions,
                                 ValueId array);

/// Does an op tell something of where a thread is, along its axis?
template <class AnyOp>
inline constexpr bool kTellsPlace =
    std::is_same_v<AnyOp, ThreadIndex> || std::is_same_v<AnyOp, BlockIndex> ||
    std::is_same_v<AnyOp, BlockDimension> || std::is_same_v<AnyOp, GridDimension>;
/// The axis along which it does; nullopt: the op does not.
std::optional<uint8_t> axis_asked(const Op& op);
/// Does it tell threads of a launch apart?
bool tells_threads_apart(const Op& op);

/// The axis along which a value is block index * block dimension, where the block's threads begin.
std::optional<uint8_t> axis_of_first_thread(const Definitions& definitions, ValueId id);
/// The axis along which it is grid dimension * block dimension, the threads of the launch.
std::optional<uint8_t> axis_of_all_threads(const Definitions& definitions, ValueId id);
/// The axis along which it is the thread's place in the launch, where its block's threads begin +
/// thread index.
std::optional<uint8_t> axis_of_place(const Definitions& definitions, ValueId id);

/// b ? a instead of a ? b.
Comparison mirrored(Comparison kind);
/// not (a ? b); of floats only where it is Eq or Ne.
Comparison opposite(Comparison kind);

}  // namespace hetjit::ir
