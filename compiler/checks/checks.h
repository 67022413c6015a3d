// What a program is asked to watch itself for. The checks are instructions of the typed graph:
// typing writes them (typing/kinds/checks.h), which knows what the user wrote.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hetjit {

/// A set of kinds of faults; `assert` and `raise` in a program are never off.
enum class Check : uint8_t {
  Bounds = 1,  // indices outside of arrays, vectors and tuples
  Race = 2,    // memory that threads share without order; barriers that they do not share
  Arith = 4,   // integers divided by zero
  Init = 8,    // shared and local memory that is read before it is written
  Warp = 16,   // warp functions that not all lanes of their mask come to
};
class Checks {
 public:
  constexpr Checks() = default;
  constexpr Checks(Check one) : bits_(static_cast<uint8_t>(one)) {}  // implicit: a set of one
  constexpr bool has(Check one) const { return bits_ & static_cast<uint8_t>(one); }
  constexpr bool any() const { return bits_ != 0; }
  constexpr Checks operator|(Checks other) const { return Checks(bits_ | other.bits_); }
  constexpr Checks without(Checks other) const { return Checks(bits_ & ~other.bits_); }
  friend constexpr bool operator==(Checks, Checks) = default;

 private:
  explicit constexpr Checks(int bits) : bits_(static_cast<uint8_t>(bits)) {}
  uint8_t bits_ = 0;
};

/// "bounds", "race", "init", "arith", "warp", "assert", "all", several with commas between;
/// nullopt: something else.
std::optional<Checks> parse_checks(std::string_view text);
/// Such a text; "" for none.
std::string to_text(Checks checks);

}  // namespace hetjit
