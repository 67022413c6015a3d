// What may be asked of atomic operations, in one place: the words for orders and scopes, which
// orders suit an operation, which numbers it is for. Typing and the verifier read it, and so does
// Python's own Atomic (hetjit/device/atomics.py).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "abi/scalar.h"
#include "compiler/ir/ops_atomic.h"

namespace hetjit::ir {

inline constexpr std::string_view kMemoryOrders[] = {"relaxed", "consume", "acquire",
                                                     "release", "acq_rel", "seq_cst"};
inline constexpr std::string_view kMemoryScopes[] = {"system", "device", "block", "thread"};
inline constexpr std::string_view kAtomicOperations[] = {"exch", "add", "sub", "and",    "or",
                                                         "xor",  "max", "min", "nanmax", "nanmin"};

/// Bit i: kMemoryOrders[i] suits an operation of that name: what only reads releases nothing, and
/// what only writes acquires nothing.
constexpr unsigned orders_of(std::string_view operation) {
  if (operation == "load" || operation == "wait") return 0b100111;
  return operation == "store" ? 0b101001 : 0b111111;
}

/// What a number must be for an operation; "": it is.
constexpr std::string_view formats_of(AtomicOperation operation, Scalar scalar) {
  using enum AtomicOperation;
  if (operation == Exchange) return info(scalar).bits <= 64 ? "" : "numbers of up to 8 bytes";
  if (operation == And || operation == Or || operation == Xor)
    return is_integer(scalar) ? "" : "integers";
  bool has_arithmetic = is_integer(scalar) || (is_floating(scalar) && info(scalar).bits > 8);
  return has_arithmetic ? "" : "integers and floats of 16 bits or more";
}

}  // namespace hetjit::ir
