// What every typed op is made of.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "compiler/ir/op_info.h"
#include "frontend/ssa/ids.h"

namespace hetjit::ir {

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

/// The number of a text in Module::sites, among an op's attributes.
struct SiteId {
  uint32_t index;
  constexpr SiteId(uint32_t index = 0) : index(index) {}
  constexpr operator uint32_t() const { return index; }
};

/// The ops of a file, or of several.
template <class... Ops>
struct OpList {
  using Variant = std::variant<Ops...>;
  template <class AnyOp>
  static constexpr bool has = (std::is_same_v<AnyOp, Ops> || ...);
};
template <class... Ops, class... More>
OpList<Ops..., More...> operator+(OpList<Ops...>, OpList<More...>);
template <class... Lists>
using Joined = decltype((Lists{} + ...));

/// An op of one of these kinds.
template <class AnyOp, class... Ops>
concept OneOf = (std::is_same_v<AnyOp, Ops> || ...);

struct Edge {
  BlockId to;
  std::vector<ValueId> args;
};

}  // namespace hetjit::ir
