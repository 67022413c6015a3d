// Words: places in arrays as unsigned numbers of 32 bits, in bytes, which a target adds to an
// address (lower/device_ops.h: adds_unsigned_words). For lower/ and target/ only: it shows LLVM.
#pragma once

#include <llvm/IR/Value.h>

namespace hetjit::target {

/// constant_offsets.cpp: the widened number, if it is no constant, is a word, and so it would be if
/// it were more by `room`. LLVM's passes may lose the mark, which costs code only.
void mark_word(llvm::Value& widened, int64_t room);

}  // namespace hetjit::target
