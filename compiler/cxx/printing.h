// What is printed by functions of ours that C++ calls on NVIDIA's GPUs: a call of CUDA's printf.
// Private to this folder, but for who asks whether that can be.
#pragma once

#include <string>

#include "abi/messages.h"

namespace hetjit::cxx {

/// Why printf cannot print it, and what to do; "": it can.
std::string cannot_be_printed(const TextPieces& text);

/// The call, of the words in `what->numbers`.
std::string printf_call(const TextPieces& text);

/// A text as C++ writes it. All but letters, digits and blanks as octal numbers.
std::string literal(const std::string& text);

}  // namespace hetjit::cxx
