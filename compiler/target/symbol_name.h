// What the user's names become in machine code.
#pragma once

#include <string>
#include <string_view>

namespace hetjit::target {

/// A name that every assembler takes, of letters, digits and underscores ("<lambda>" is
/// "_lambda_"), and that is nobody else's: not LLVM's, not a library's, not ours.
std::string symbol_name(std::string_view python_name);

}  // namespace hetjit::target
