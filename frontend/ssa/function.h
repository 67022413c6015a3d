// The untyped graph of one Python function. Plain data; copies with `=`.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frontend/diag/diagnostic.h"
#include "frontend/snapshot/snapshot.h"
#include "frontend/ssa/ops.h"

namespace hetjit::ssa {

struct Inst {
  Op op;
  ValueId result;  // invalid for terminators
  SpanId where;
};

/// Parameters stand for phis; edges pass arguments. `param_locals` names the local variable a
/// parameter stands for (UINT32_MAX: an operand-stack slot or an iteration's position), for
/// messages.
struct Block {
  std::vector<ValueId> params;
  std::vector<uint32_t> param_locals;
  std::vector<Inst> insts;  // the last one, and only the last one, is a terminator
  /// Of a block that ends in a `for`'s question for more: which `for`, the same for all its copies
  /// (Reading::copies). The text leaves it out.
  uint32_t loop = UINT32_MAX;
};

/// An assignment to a parameter's name of a value that nothing reads: no instruction is left of it.
struct LostName {
  uint32_t local = 0;  // among the parameters
  Span where;
  std::vector<uint32_t> blocks;  // in which it stands, each a copy
};

struct Function {
  std::string name;
  uint32_t source = 0;        // index of its Snapshot in the Program
  std::vector<Block> blocks;  // blocks[0] is the entry; its params are the parameters
  std::vector<std::string> parameter_names;
  std::vector<std::string> local_names;
  std::vector<Name> names;  // what LoadName::name indexes
  std::vector<Span> spans;  // what SpanId indexes
  uint32_t value_count = 0;
  std::vector<LostName> lost_names;  // for a warning; the text leaves them out
};

std::span<const ValueId> operands(const Op& op);
std::span<ValueId> operands(Op& op);
bool is_terminator(const Op& op);
/// Outgoing edges of a terminator, in order (Branch: yes, no).
std::vector<const Edge*> edges(const Op& op);
std::vector<Edge*> edges(Op& op);

/// Where an instruction stands; a span without a line when it is not known.
Span span_of(const Function& function, SpanId where);
/// Target blocks per block, in the order of the edges: what Dominators takes.
std::vector<std::vector<uint32_t>> successors(const Function& function);

/// A function that may be called, with the reason when it cannot be compiled. Calling a function
/// that failed reports `problems`; never calling it costs nothing.
struct Built {
  std::optional<Function> function;
  Diagnostics problems;
};

/// What compile() takes: each function of a Program, read into the graph.
struct Module {
  std::shared_ptr<const Program> program;
  std::vector<Built> functions;  // parallel to Program::functions
};

}  // namespace hetjit::ssa
