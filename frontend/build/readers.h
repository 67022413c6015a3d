// One function per normal instruction, and the table that finds it. Private to frontend/build.
// Each specialisation stands in one of read_*.cpp; one that is missing does not link.
#pragma once

#include <array>

#include "frontend/build/builder.h"

namespace hetjit::reader {

/// Reads one instruction; `arg` is NormalInst::arg. Jump targets are not looked at: the block
/// knows where it leads (CodeBlock::next).
template <bytecode::NormalOp op>
void read(Builder& at, int32_t arg);

#define NORMAL_OP(name, ...) \
  template <>                \
  void read<bytecode::NormalOp::name>(Builder & at, int32_t arg);
HETJIT_NORMAL_OPS(NORMAL_OP)
#undef NORMAL_OP

using Reader = void (*)(Builder&, int32_t);
inline constexpr std::array kReaders = {
#define NORMAL_OP(name, ...) Reader(read<bytecode::NormalOp::name>),
    HETJIT_NORMAL_OPS(NORMAL_OP)
#undef NORMAL_OP
};

/// The constant that was just loaded; null when the word is anything else.
const Constant* constant_of(Builder& at, const Word& word);

}  // namespace hetjit::reader
