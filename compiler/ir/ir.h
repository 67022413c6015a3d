// The typed graph: machine operations, one function per signature. Plain data in vectors; a
// function copies with `=`. How to read a dump and how to add an op: README.md.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "abi/messages.h"
#include "abi/type.h"
#include "compiler/ir/ops_aggregate.h"
#include "compiler/ir/ops_arith.h"
#include "compiler/ir/ops_atomic.h"
#include "compiler/ir/ops_bits.h"
#include "compiler/ir/ops_checks.h"
#include "compiler/ir/ops_complex.h"
#include "compiler/ir/ops_control.h"
#include "compiler/ir/ops_device.h"
#include "compiler/ir/ops_group.h"
#include "compiler/ir/ops_memory.h"
#include "compiler/ir/ops_phase.h"
#include "frontend/diag/span.h"

namespace hetjit::ir {

/// The whole set: the lists at the end of each ops_*.h, one after another.
using AllOps = Joined<ArithmeticOps, BitOps, MemoryOps, ControlOps, CheckOps, DeviceOps,
                      AggregateOps, ComplexOps, AtomicOps, GroupOps, PhaseOps>;

/// Any op. Made, copied and destroyed by code that is compiled once: in each file that sees an
/// instruction, a variant of so many types would cost a second for each of that.
class Op : public AllOps::Variant {
 public:
  template <class AnyOp>
  requires(AllOps::has<AnyOp>) Op(AnyOp op) : Op(of(std::move(op))) {}
  Op();
  Op(const Op&);
  Op(Op&&) noexcept;
  Op& operator=(const Op&);
  Op& operator=(Op&&) noexcept;
  ~Op();

 private:
  /// Defined in ir.cpp, which has one of them for each op.
  template <class AnyOp>
  static Op of(AnyOp op);
  template <class AnyOp>
  Op(std::in_place_type_t<AnyOp> type, AnyOp&& op) : variant(type, std::move(op)) {}
  template <class... Ops>
  friend auto makers(OpList<Ops...>);
};

struct Inst {
  Op op;
  ValueId result;  // invalid for ops that produce nothing (stores, terminators)
  SpanId where;    // every instruction knows its source
};

struct Block {
  std::vector<ValueId> params;
  std::vector<Inst> insts;  // the last one, and only the last one, has effect Ends
};

struct Function {
  std::string name;
  std::vector<Block> blocks;  // blocks[0] is the entry; its params are the parameters
  std::vector<std::string> parameter_names;  // parallel to blocks[0].params
  TypeId result;                             // none_type() for kernels
  std::vector<TypeId> types;                 // by ValueId
  std::vector<Span> spans;                   // by SpanId

  TypeId type_of(ValueId id) const { return types[id.index]; }
};

/// Numbers and vectors of them are no addresses; all else may be one, or have one among its parts.
bool may_hold_addresses(TypeId id);

/// The type of part `index` of a tuple, vector or struct; invalid when it has no such part.
TypeId item_type(TypeId whole, uint32_t index);

/// LLVM bitcode of a function that external calls name, and of all that it needs. What functions of
/// one library have in common, they share. The text form leaves it out.
struct External {
  std::string symbol;
  std::string library;
  std::shared_ptr<const std::string> bitcode;
};

/// functions[0] is the entry; the others are called from it.
struct Module {
  std::vector<Function> functions;
  Sites sites;                      // what Raise, Print and checks name
  std::vector<External> externals;  // what external calls name, each once
};

const OpInfo& info(const Op& op);
std::span<ValueId> operands(Op& op);
std::span<const ValueId> operands(const Op& op);
/// Outgoing edges of a terminator, in order (Branch: yes, no); none for other ops.
std::vector<Edge*> edges(Op& op);
std::vector<const Edge*> edges(const Op& op);

/// By function: whether it, or one that it calls, may raise.
std::vector<bool> may_raise(const Module& module);

/// Whether a function calls itself, maybe by way of others; whether some function does.
bool calls_itself(const Module& module, uint32_t function);
bool is_recursive(const Module& module);

/// Drops the sites that no op names any more.
void remove_unused_sites(Module& module);

/// Text form, round-tripping. With spans each line ends in `line:column-column`.
std::string to_text(const Function& function, bool with_spans = true);
std::string to_text(const Module& module, bool with_spans = true);
Result<Module> parse(std::string_view text);

/// Types and structure: what is wrong, or success. Runs after every pass in checked builds.
Status verify(const Module& module);

}  // namespace hetjit::ir
