// The bytecode of any supported CPython as normal instructions (normal_op.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "abi/status.h"
#include "frontend/bytecode/normal_op.h"
#include "frontend/snapshot/snapshot.h"

namespace hetjit::bytecode {

struct Decoded {
  std::vector<NormalInst> insts;
  /// What the Unsupported instructions stand for, in the user's words: "'import'", "a dict",
  /// "the instruction CHECK_EG_MATCH". They matter only when control can reach them: handler code
  /// is full of them.
  std::vector<std::string> unsupported;

  /// Index of the first instruction at or behind a code unit (HandlerRange counts units);
  /// insts.size() behind the last.
  size_t index_at(uint32_t unit) const;
};

/// Total: any bytes give a Decoded or an Error. Errors: ErrorCode::Invalid for code that no
/// CPython compiler writes (a jump into the middle of an instruction, an index out of range, an
/// end that control runs past); the text says what and at which code unit.
Result<Decoded> decode(const Snapshot& snapshot);

/// Words that an instruction takes from the stack and puts there.
struct StackEffect {
  uint32_t pops = 0, pushes = 0;
  friend bool operator==(const StackEffect&, const StackEffect&) = default;
};
StackEffect stack_effect(const NormalInst& inst);          // on the way to the next instruction
StackEffect stack_effect_of_jump(const NormalInst& inst);  // on the way to insts[arg]

/// Stack depth before each instruction; kUnreached where control never arrives (exception handlers
/// do not count as ways to arrive). Errors: ErrorCode::Invalid when the stack would underflow or
/// paths arrive with different depths, so that whoever walks the code after this need not check.
inline constexpr int32_t kUnreached = -1;
Result<std::vector<int32_t>> stack_depths(std::span<const NormalInst> insts);

/// The disassembly that `show --phase bytecode` prints.
std::string to_text(const Snapshot& snapshot);

}  // namespace hetjit::bytecode
