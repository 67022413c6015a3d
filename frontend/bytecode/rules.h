// Private to this folder: the table that says what each CPython instruction becomes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "abi/status.h"
#include "frontend/bytecode/normal_op.h"
#include "frontend/snapshot/snapshot.h"

namespace hetjit::bytecode {

class Decoder;

/// Which part of CPython's argument a normal instruction's argument is.
enum class Take : uint8_t {
  Zero,
  One,
  Two,
  Whole,
  Shift1,
  Shift4,
  Shift5,
  High4,
  Low4,
  Forward,   // a jump target behind the instruction and its caches
  Backward,  // … and before
  LoopEnd,   // as Forward, behind the instructions that take an exhausted iterator off the stack
};

/// When a step applies.
enum class When : uint8_t { Always, Bit0, NoBit0, Bit4 };

struct Step {
  NormalOp op = NormalOp::Unsupported;
  Take take = Take::Zero;
  When when = When::Always;
};

/// For the few instructions whose meaning is not a list of steps.
using Expand = Status (*)(Decoder& decoder, uint32_t arg);

struct Rule {
  std::string_view name;  // CPython's
  Python since, until;
  uint8_t step_count = 0;
  std::array<Step, 4> steps{};
  Expand expand = nullptr;
};

/// One row of the joined table. No name: no such instruction. No rule: not supported.
struct Entry {
  std::string_view name;
  uint8_t caches = 0;
  const Rule* rule = nullptr;
};
using Table = std::array<Entry, 256>;

const Table& table(Python version);

/// The instructions that end a `for`, from END_FOR on; FOR_ITER jumps to the first of them.
std::array<std::string_view, 2> loop_end(Python version);

/// What the user wrote to get this instruction, for the message that it is not supported.
std::string_view construct_name(std::string_view instruction);

// expand.cpp
Status expand_binary(Decoder& decoder, uint32_t arg);
Status expand_intrinsic(Decoder& decoder, uint32_t arg);
Status expand_common_constant(Decoder& decoder, uint32_t arg);
Status expand_format_value(Decoder& decoder, uint32_t arg);
Status expand_make_function(Decoder& decoder, uint32_t arg);
Status expand_function_attribute(Decoder& decoder, uint32_t arg);
Status expand_keyword_names(Decoder& decoder, uint32_t arg);
Status expand_call(Decoder& decoder, uint32_t arg);
Status expand_loop_end(Decoder& decoder, uint32_t arg);

}  // namespace hetjit::bytecode
