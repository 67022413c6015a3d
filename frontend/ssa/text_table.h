// Op names and their structs: what the printer and the parser share. Private to this folder.
#pragma once

#include <string_view>
#include <utility>
#include <variant>

#include "frontend/ssa/ops.h"

namespace hetjit::ssa {

/// Puts a default-made op of the struct that is called `text` into `op`; false: there is none.
template <size_t I = 0>
bool make_op(std::string_view text, Op& op) {
  if constexpr (I == std::variant_size_v<AllOps>) {
    return false;
  } else {
    if (text != std::variant_alternative_t<I, AllOps>::text) return make_op<I + 1>(text, op);
    op.emplace<I>();
    return true;
  }
}

}  // namespace hetjit::ssa
