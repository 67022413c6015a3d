// Elements of 8 and 16 bits, each lane's at an address of its own. Private to compiler/host.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace hetjit::host {

/// Are these elements better read by the word? x86 gathers nothing smaller.
bool lie_in_words(llvm::Type* element, llvm::Align align);

/// A vector of `element`s at a vector of addresses, 0 where the mask (a vector of i1) is not set:
/// the aligned 32-bit words that they lie in, shifted. A word is within one page, so what is beside
/// an element can be read wherever the element can.
llvm::Value* gather_by_words(llvm::IRBuilder<>& build, llvm::Type* element, llvm::Value* addresses,
                             llvm::Value* mask);

}  // namespace hetjit::host
