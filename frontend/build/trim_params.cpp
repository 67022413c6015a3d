#include "frontend/build/trim_params.h"

#include <algorithm>

namespace hetjit::reader {
namespace {

using ssa::Block;
using ssa::Edge;
using ssa::Function;

class Trimmer {
 public:
  explicit Trimmer(Function& function)
      : function_(function), params_(function.value_count), stands_for_(function.value_count) {
    for (uint32_t v = 0; v < function.value_count; ++v) stands_for_[v] = {v};
  }

  void run() {
    collect();
    find_constant_params();
    find_used_params();
    rewrite();
    remove_unused_undefined();
  }

 private:
  /// What is known of a value that is a parameter (not of the entry block).
  struct Param {
    bool is_param = false, used = false;
    std::vector<ValueId> args;    // one per incoming edge
    std::vector<ValueId> passed;  // the parameters that it is an argument of
  };

  void collect() {
    for (size_t block = 1; block < function_.blocks.size(); ++block)
      for (ValueId param : function_.blocks[block].params) params_[param.index].is_param = true;
    for_edges([this](Edge& edge) {
      const auto& targets = function_.blocks[edge.to.index].params;
      for (size_t i = 0; i < targets.size(); ++i) {
        params_[targets[i].index].args.push_back(edge.args[i]);
        params_[edge.args[i].index].passed.push_back(targets[i]);
      }
    });
  }

  template <class Visit>
  void for_edges(Visit visit) {
    for (Block& block : function_.blocks)
      for (Edge* edge : ssa::edges(block.insts.back().op)) visit(*edge);
  }

  ValueId resolve(ValueId value) {
    ValueId root = value;
    while (stands_for_[root.index] != root) root = stands_for_[root.index];
    while (stands_for_[value.index] != root)  // shorten the way for the next one
      value = std::exchange(stands_for_[value.index], root);
    return root;
  }

  /// A parameter that only ever gets one value, or itself, is that value. Removing one may make
  /// those it is passed to removable.
  void find_constant_params() {
    std::vector<ValueId> work;
    for (size_t block = function_.blocks.size(); block-- > 1;) {
      const auto& params = function_.blocks[block].params;
      work.insert(work.end(), params.rbegin(), params.rend());
    }
    while (!work.empty()) {
      ValueId param = work.back();
      work.pop_back();
      if (resolve(param) != param) continue;
      ValueId only;
      bool several = false;
      for (ValueId arg : params_[param.index].args) {
        ValueId value = resolve(arg);
        if (value == param || value == only) continue;
        several |= only.valid();
        only = value;
      }
      if (several || !only.valid()) continue;
      stands_for_[param.index] = only;
      auto& passed = params_[param.index].passed;
      work.insert(work.end(), passed.begin(), passed.end());
      // From now on `only` is what those get.
      auto& known = params_[only.index].passed;
      known.insert(known.end(), passed.begin(), passed.end());
    }
  }

  void find_used_params() {
    std::vector<ValueId> work;
    auto use = [&](ValueId value) {
      Param& param = params_[resolve(value).index];
      if (!param.is_param || std::exchange(param.used, true)) return;
      work.push_back(resolve(value));
    };
    for (const Block& block : function_.blocks)
      for (const ssa::Inst& inst : block.insts)
        for (ValueId value : ssa::operands(inst.op)) use(value);
    while (!work.empty()) {
      ValueId param = work.back();
      work.pop_back();
      for (ValueId arg : params_[param.index].args) use(arg);
    }
  }

  bool stays(ValueId param) { return resolve(param) == param && params_[param.index].used; }

  void rewrite() {
    for (Block& block : function_.blocks)
      for (ssa::Inst& inst : block.insts)
        for (ValueId& value : ssa::operands(inst.op)) value = resolve(value);
    for_edges([this](Edge& edge) {
      const auto& targets = function_.blocks[edge.to.index].params;
      std::vector<ValueId> args;
      for (size_t i = 0; i < targets.size(); ++i)
        if (stays(targets[i])) args.push_back(resolve(edge.args[i]));
      edge.args = std::move(args);
    });
    for (size_t index = 1; index < function_.blocks.size(); ++index) {
      Block& block = function_.blocks[index];
      std::vector<ValueId> params;
      std::vector<uint32_t> locals;
      for (size_t i = 0; i < block.params.size(); ++i) {
        if (!stays(block.params[i])) continue;
        params.push_back(block.params[i]);
        locals.push_back(block.param_locals[i]);
      }
      block.params = std::move(params);
      block.param_locals = std::move(locals);
    }
  }

  void remove_unused_undefined() {
    std::vector<bool> used(function_.value_count, false);
    for (const Block& block : function_.blocks)
      for (const ssa::Inst& inst : block.insts)
        for (ValueId value : ssa::operands(inst.op)) used[value.index] = true;
    for_edges([&](Edge& edge) {
      for (ValueId value : edge.args) used[value.index] = true;
    });
    for (Block& block : function_.blocks)
      std::erase_if(block.insts, [&](const ssa::Inst& inst) {
        return std::holds_alternative<ssa::Undefined>(inst.op) && !used[inst.result.index];
      });
  }

  Function& function_;
  std::vector<Param> params_;
  std::vector<ValueId> stands_for_;  // itself, or a step towards the value that replaces it
};

}  // namespace

void trim_params(Function& function) { Trimmer(function).run(); }

void renumber(Function& function) {
  std::vector<ValueId> next(function.value_count);
  uint32_t count = 0;
  auto define = [&](ValueId& value) { value = next[value.index] = {count++}; };
  for (Block& block : function.blocks) {
    for (ValueId& param : block.params) define(param);
    for (ssa::Inst& inst : block.insts)
      if (inst.result.valid()) define(inst.result);
  }
  for (Block& block : function.blocks)
    for (ssa::Inst& inst : block.insts) {
      for (ValueId& value : ssa::operands(inst.op)) value = next[value.index];
      for (Edge* edge : ssa::edges(inst.op))
        for (ValueId& value : edge->args) value = next[value.index];
    }
  function.value_count = count;
}

}  // namespace hetjit::reader
