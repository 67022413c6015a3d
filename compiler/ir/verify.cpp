// The structure of a graph: every block ends once, every edge fits, every value is defined once and
// before its uses. Types are verify_types.cpp's part.
#include "compiler/ir/text.h"
#include "compiler/ir/uses.h"
#include "compiler/ir/verify_types.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::ir {
namespace {

// Where a value is made: its block and its place there; parameters stand before place 0.
struct Definition {
  uint32_t block = UINT32_MAX;
  int64_t place = -1;
  bool found() const { return block != UINT32_MAX; }
};

class Verifier {
 public:
  Verifier(const Module& module, const Function& function)
      : module_(module), function_(function), definitions_(function.types.size()) {}

  // The order matters: each step relies on what the ones before it have checked.
  Status run() {
    HETJIT_TRY(check_entry());
    HETJIT_TRY(each_inst([&](const Inst& inst) { return check_structure(inst); }));
    for (block_ = 0; block_ < function_.blocks.size(); ++block_) HETJIT_TRY(define_values());
    HETJIT_TRY(each_inst([&](const Inst& inst) { return check_operands(inst); }));
    return check_dominance();
  }

 private:
  template <class Check>
  Status each_inst(Check check) {
    for (block_ = 0; block_ < function_.blocks.size(); ++block_) {
      const std::vector<Inst>& insts = function_.blocks[block_].insts;
      if (insts.empty()) return wrong("the block is empty");
      for (place_ = 0; place_ < insts.size(); ++place_) HETJIT_TRY(check(insts[place_]));
    }
    return {};
  }

  Status check_entry();
  Status check_structure(const Inst& inst);
  Status define_values();
  Status define(ValueId id, int64_t place);
  Status check_operands(const Inst& inst);
  Status check_defined(ValueId id);
  Status check_edge(const Edge& edge);
  Status check_dominance();
  bool dominates(const Definition& definition, const Dominators& tree) const;

  Error wrong(std::string what) const {
    return {ErrorCode::Invalid,
            "function " + name_text(function_.name) + ", b" + std::to_string(block_) + ": " + what};
  }
  Error wrong(const Inst& inst, std::string what) const {
    std::string name = inst.result.valid() ? "v" + std::to_string(inst.result.index) + " = " : "";
    return wrong(name + std::string(info(inst.op).text) + ": " + std::move(what));
  }
  std::string name(ValueId id) const {
    return id.valid() ? "v" + std::to_string(id.index) : "an invalid value";
  }

  const Module& module_;
  const Function& function_;
  std::vector<Definition> definitions_;
  uint32_t block_ = 0;  // what is being looked at, for messages
  size_t place_ = 0;
};

Status Verifier::check_entry() {
  if (function_.blocks.empty()) return wrong("there is no first block");
  if (!function_.result.valid()) return wrong("the function has no result type");
  if (function_.parameter_names.size() != function_.blocks[0].params.size())
    return wrong("there must be a name per parameter");
  return {};
}

Status Verifier::check_structure(const Inst& inst) {
  const OpInfo& facts = info(inst.op);
  bool last = place_ + 1 == function_.blocks[block_].insts.size();
  if (last && !(facts.effects & Ends)) return wrong("the block does not end with a terminator");
  if (!last && (facts.effects & Ends)) return wrong(inst, "a terminator inside a block");
  if (facts.gives_result() != inst.result.valid())
    return wrong(inst, facts.gives_result() ? "there must be a result" : "there must be no result");
  if (inst.where.valid() && inst.where.index >= function_.spans.size())
    return wrong(inst, "its place in the source does not exist");
  return {};
}

Status Verifier::define_values() {
  const Block& block = function_.blocks[block_];
  for (ValueId id : block.params) HETJIT_TRY(define(id, -1));
  for (size_t place = 0; place < block.insts.size(); ++place)
    if (block.insts[place].result.valid())
      HETJIT_TRY(define(block.insts[place].result, static_cast<int64_t>(place)));
  return {};
}

Status Verifier::define(ValueId id, int64_t place) {
  if (id.index >= definitions_.size() || !function_.type_of(id).valid())
    return wrong(name(id) + " has no type");
  Definition& definition = definitions_[id.index];
  if (definition.found()) return wrong(name(id) + " is defined twice");
  definition = {block_, place};
  return {};
}

Status Verifier::check_defined(ValueId id) {
  if (id.index < definitions_.size() && definitions_[id.index].found()) return {};
  return wrong(name(id) + " is used but never defined");
}

Status Verifier::check_operands(const Inst& inst) {
  for (ValueId id : operands(inst.op)) HETJIT_TRY(check_defined(id));
  for (const Edge* edge : edges(inst.op)) HETJIT_TRY(check_edge(*edge));
  std::string problem = check_types(module_, function_, inst);
  return problem.empty() ? Status{} : wrong(inst, problem);
}

Status Verifier::check_edge(const Edge& edge) {
  std::string to = "the edge to b" + std::to_string(edge.to.index);
  if (edge.to.index >= function_.blocks.size()) return wrong(to + " leads nowhere");
  if (edge.to.index == 0) return wrong("an edge leads to the first block");
  const std::vector<ValueId>& params = function_.blocks[edge.to.index].params;
  if (params.size() != edge.args.size())
    return wrong(to + " passes " + std::to_string(edge.args.size()) + " arguments for " +
                 std::to_string(params.size()) + " parameters");
  for (size_t i = 0; i < params.size(); ++i) {
    HETJIT_TRY(check_defined(edge.args[i]));
    TypeId given = function_.type_of(edge.args[i]), wanted = function_.type_of(params[i]);
    if (given != wanted)
      return wrong(to + " passes " + name(edge.args[i]) + " of type " + to_text(given) + " for " +
                   name(params[i]) + " of type " + to_text(wanted));
  }
  return {};
}

bool Verifier::dominates(const Definition& definition, const Dominators& tree) const {
  if (definition.block != block_) return tree.dominates(definition.block, block_);
  return definition.place < static_cast<int64_t>(place_);
}

// Blocks that cannot be reached may use anything: no thread will notice.
Status Verifier::check_dominance() {
  Dominators tree(successors(function_));
  return each_inst([&](const Inst& inst) -> Status {
    if (!tree.reachable(block_)) return {};
    auto check = [&](ValueId id) -> Status {
      if (dominates(definitions_[id.index], tree)) return {};
      return wrong(inst, name(id) + " is not defined on every path to this use");
    };
    for (ValueId id : operands(inst.op)) HETJIT_TRY(check(id));
    for (const Edge* edge : edges(inst.op))
      for (ValueId id : edge->args) HETJIT_TRY(check(id));
    return {};
  });
}

}  // namespace

Status verify(const Module& module) {
  if (module.functions.empty()) return Error{ErrorCode::Invalid, "there is no function"};
  for (const Function& function : module.functions) HETJIT_TRY(Verifier(module, function).run());
  return {};
}

}  // namespace hetjit::ir
