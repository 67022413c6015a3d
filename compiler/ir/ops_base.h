// What every typed op is made of.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "frontend/ssa/ids.h"

namespace hetjit::ir {

enum Effects : uint8_t {
  Pure = 0,
  Reads = 1,   // memory
  Writes = 2,  // memory, or something else that must not vanish
  Ends = 4,    // a terminator: the last instruction of a block, and only there
  Calls = 8,   // whatever the callee does
  // Several threads do it together: it stays where its control is, not copied, not behind a branch.
  Together = 16,
};

struct OpInfo {
  std::string_view text;  // the mnemonic in dumps
  bool commutes = false;  // in[0] and in[1] may change places
  uint8_t effects = Pure;
  bool gives_result = false;  // though it writes
};

template <size_t N>
struct Operands {
  std::array<ValueId, N> in{};
  /// Members beside the operands, for the generic printer and parser; ops that have some hide this.
  auto attributes() { return std::tie(); }
};
struct ManyOperands {
  std::vector<ValueId> in;
  auto attributes() { return std::tie(); }
};

/// Numbers of one scalar type, as bits (numbers.h). Shared: a function is copied often.
using Table = std::shared_ptr<const std::vector<uint64_t>>;

/// An op of one of these kinds.
template <class AnyOp, class... Ops>
concept OneOf = (std::is_same_v<AnyOp, Ops> || ...);

struct Edge {
  BlockId to;
  std::vector<ValueId> args;
};

}  // namespace hetjit::ir
