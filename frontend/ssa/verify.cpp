#include "frontend/ssa/verify.h"

#include "frontend/ssa/dominators.h"

namespace hetjit::ssa {
namespace {

std::string block_text(size_t block) { return "b" + std::to_string(block); }
std::string value_text(ValueId value) {
  return value.valid() ? "v" + std::to_string(value.index) : "an invalid value";
}

class Verifier {
 public:
  explicit Verifier(const Function& function)
      : function_(function), places_(function.value_count) {}

  std::vector<std::string> run() {
    if (function_.blocks.empty()) return {"there is no entry block"};
    for (size_t block = 0; block < function_.blocks.size(); ++block) check_shape(block);
    check_entry();
    if (!problems_.empty()) return problems_;  // what follows relies on the shape

    auto next = successors(function_);
    Dominators dominators(next);
    for (uint32_t block = 0; block < function_.blocks.size(); ++block) {
      if (!dominators.reachable(block)) complain(block, "cannot be reached");
      define_values(block);
    }
    for (uint32_t block = 0; block < function_.blocks.size(); ++block) {
      const Block& here = function_.blocks[block];
      for (uint32_t i = 0; i < here.insts.size(); ++i) {
        check_uses(dominators, block, i, operands(here.insts[i].op));
        for (const Edge* edge : edges(here.insts[i].op))
          check_uses(dominators, block, i, edge->args);
        std::visit([&](const auto& op) { check_op(block, op); }, here.insts[i].op);
      }
    }
    return problems_;
  }

 private:
  struct Place {
    uint32_t block = UINT32_MAX;
    int64_t inst = -1;  // -1: a parameter
  };

  void complain(size_t block, std::string what) {
    problems_.push_back(block_text(block) + ": " + std::move(what));
  }

  void check_shape(size_t index) {
    const Block& block = function_.blocks[index];
    if (block.params.size() != block.param_locals.size())
      complain(index, "params and param_locals differ in length");
    for (uint32_t local : block.param_locals)
      if (local != UINT32_MAX) check_index(index, local, function_.local_names.size(), "local");
    if (block.insts.empty()) return complain(index, "is empty");
    for (size_t i = 0; i < block.insts.size(); ++i) {
      const Inst& inst = block.insts[i];
      bool last = i + 1 == block.insts.size();
      if (is_terminator(inst.op) != last)
        complain(index, last ? "does not end with a terminator" : "has a terminator inside");
      if (is_terminator(inst.op) == inst.result.valid())
        complain(index, "an op with a result must have one, a terminator must not");
      if (inst.where.valid()) check_index(index, inst.where.index, function_.spans.size(), "span");
      for (const Edge* edge : edges(inst.op)) check_edge(index, *edge);
    }
  }

  void check_edge(size_t from, const Edge& edge) {
    if (edge.to.index >= function_.blocks.size())
      return complain(from, "jumps to a block that does not exist");
    if (edge.to.index == 0) complain(from, "jumps to the entry block");
    if (edge.args.size() != function_.blocks[edge.to.index].params.size())
      complain(from, "passes " + std::to_string(edge.args.size()) + " arguments to " +
                         block_text(edge.to.index));
  }

  void check_entry() {
    if (function_.blocks[0].params.size() != function_.parameter_names.size())
      complain(0, "has another number of parameters than the function");
  }

  void define_values(uint32_t block) {
    for (ValueId param : function_.blocks[block].params) define(param, {block, -1});
    const auto& insts = function_.blocks[block].insts;
    for (size_t i = 0; i + 1 < insts.size(); ++i)
      define(insts[i].result, {block, static_cast<int64_t>(i)});
  }
  void define(ValueId value, Place place) {
    if (value.index >= places_.size())
      return complain(place.block, value_text(value) + " is not below value_count");
    if (places_[value.index].block != UINT32_MAX)
      complain(place.block, value_text(value) + " is defined twice");
    places_[value.index] = place;
  }

  void check_uses(const Dominators& dominators, uint32_t block, uint32_t inst,
                  std::span<const ValueId> values) {
    for (ValueId value : values) {
      Place place = value.index < places_.size() ? places_[value.index] : Place{};
      if (place.block == UINT32_MAX) {
        complain(block, "uses " + value_text(value) + ", which is not defined");
        continue;
      }
      bool before = place.block == block ? place.inst < static_cast<int64_t>(inst)
                                         : dominators.dominates(place.block, block);
      if (!before) complain(block, "uses " + value_text(value) + " where it may not be defined");
    }
  }

  // What an op says beside its operands.
  template <class AnyOp>
  void check_op(size_t, const AnyOp&) {}
  void check_op(size_t block, const LoadName& op) {
    check_index(block, op.name, function_.names.size(), "name");
  }
  void check_op(size_t block, const Undefined& op) {
    check_index(block, op.local, function_.local_names.size(), "local");
  }
  void check_op(size_t block, const StoreCell& op) {
    check_index(block, op.local, function_.local_names.size(), "local");
  }
  void check_op(size_t block, const SetAttribute& op) { check_written(block, op.local); }
  void check_op(size_t block, const SetItem& op) { check_written(block, op.local); }
  void check_op(size_t block, const UnpackItem& op) {
    check_index(block, op.index, op.count, "unpack");
  }
  void check_op(size_t block, const MakeFunction& op) {
    if (op.default_count + op.captures.size() != op.in.size())
      complain(block, "function: operands are not defaults and captures");
  }
  void check_op(size_t block, const Call& op) {
    if (op.in.empty() || op.keywords.size() >= op.in.size())
      return complain(block, "call: too few operands");
    for (uint32_t spread : op.spread)
      if (spread == 0 || spread >= op.in.size() - op.keywords.size())
        complain(block, "call: only positional arguments can be spread");
  }

  void check_written(size_t block, uint32_t local) {
    if (local != UINT32_MAX) check_index(block, local, function_.local_names.size(), "local");
  }
  void check_index(size_t block, size_t index, size_t size, const char* what) {
    if (index >= size) complain(block, std::string(what) + " index out of range");
  }

  const Function& function_;
  std::vector<Place> places_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> verify(const Function& function) { return Verifier(function).run(); }

}  // namespace hetjit::ssa
