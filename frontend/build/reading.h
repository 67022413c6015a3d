// How a function is read beyond what its bytecode says. Typing asks for it: it knows how often a
// loop runs and who takes what a generator yields.
#pragma once

#include <cstdint>
#include <map>

namespace hetjit {

/// What becomes of the values that a generator expression yields: all of them as a tuple, their
/// sum (from a start value, a parameter of its own), or whether any or all are true.
enum class Yields : uint8_t { Tuple, Sum, Any, All };

struct Reading {
  /// Of the `for` at this instruction (ssa::Block::loop): so many copies of its body come before
  /// the loop itself, so that values and types may differ from one to the next.
  std::map<uint32_t, uint32_t> copies;
  Yields yields = Yields::Tuple;
  friend bool operator==(const Reading&, const Reading&) = default;
};

/// A function whose loops make more blocks than this is not read.
inline constexpr uint32_t kMostBlocks = 8192;

}  // namespace hetjit
