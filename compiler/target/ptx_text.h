// PTX of others as text: what it defines, what a function does with addresses, and how it becomes
// part of ours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hetjit::target {

/// A variable or function at the top level.
struct PtxSymbol {
  std::string name;
  std::string text;  // the whole of it, with what it ends with
  bool is_function = false;
  bool is_extern = false;  // only declared
};

std::vector<PtxSymbol> symbols_of_ptx(std::string_view ptx);

/// The value of an integer variable; what nothing was written to is 0.
int64_t number_in(const PtxSymbol& variable);
/// The bytes of a variable, up to the first zero.
std::string text_in(const PtxSymbol& variable);

/// What a function of addresses may do with each of them, as far as can be seen.
struct PtxAddresses {
  std::vector<bool> kept, changed;
};
PtxAddresses addresses_in(const PtxSymbol& function, size_t count);

/// Definitions of a library, of which nobody else sees anything but these functions: other names
/// begin with `prefix`.
std::string made_internal(std::string_view ptx, const std::vector<std::string>& functions,
                          const std::string& prefix);

/// A module that calls them, with them in it.
std::string with_definitions(std::string ptx, std::string_view definitions,
                             const std::vector<std::string>& functions);

/// "9.0"; of two the newer.
std::string ptx_version(std::string_view ptx);

}  // namespace hetjit::target
