// A row and a column made of a place: `i // d` and `i % d`, `i >> k` and `i & (d - 1)`, of what
// steps evenly from lane to lane. In most warps all lanes lie between two multiples of d: then the
// quotient is the same for all, and the rest steps as i does. Others come in parts that lie so.
#pragma once

#include <optional>

#include "compiler/host/facts/shape.h"

namespace hetjit::host {

struct Period {
  /// The period is the number; two to the power of it; it and one, a power of two.
  enum class By : uint8_t { Number, Shift, Mask };
  ValueId number;  // steps evenly; what is divided, or that before it was made wider
  ValueId by;      // the same for all lanes, of the result's type
  By how;
  bool rest;  // else the quotient
};

/// What the op in `block` divides so. Constants that `width` lanes seldom lie between are left out.
std::optional<Period> period_of(const ir::Function& function, const Shapes& shapes,
                                const ir::Op& op, uint32_t block, unsigned width);

/// Is anything in it divided so, whatever it is?
bool divides(const ir::Function& function);

/// Do some accesses of a kernel have neighbours, or one place for all lanes, by `shapes` and not by
/// `before`? Where an index may count from the end: but there.
bool gains_neighbours(const ir::Function& function, const Shapes& before, const Shapes& shapes);

/// Does a kernel that gains go through its loops once for each part of a vector that lies in one
/// period, rather than once for all? Not where what it does in loops gains nothing.
bool goes_in_parts(const ir::Function& function, const Structure& structure, const Shapes& before,
                   const Shapes& shapes);

}  // namespace hetjit::host
