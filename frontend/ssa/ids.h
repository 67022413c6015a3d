// Ids instead of pointers. An Id<Tag> cannot be passed for another kind of id; dumps print v12, b3.
// Shared by frontend/ssa and compiler/ir.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace hetjit {

template <class Tag>
struct Id {
  uint32_t index = UINT32_MAX;
  constexpr bool valid() const { return index != UINT32_MAX; }
  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr auto operator<=>(Id, Id) = default;
};

using ValueId = Id<struct ValueTag>;
using BlockId = Id<struct BlockTag>;
using SpanId = Id<struct SpanTag>;  // index into a function's `spans`

}  // namespace hetjit

template <class Tag>
struct std::hash<hetjit::Id<Tag>> {
  size_t operator()(hetjit::Id<Tag> id) const noexcept { return id.index * 0x9E3779B97F4A7C15ull; }
};
