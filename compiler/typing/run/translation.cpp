// Code for an instance: its live blocks in order, each instruction evaluated with an emitter, edges
// and results brought to the types that inference found.
#include "compiler/typing/core/evaluation.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/memory.h"
#include "compiler/typing/kinds/texts.h"

namespace hetjit::typing {
namespace {

class Translation {
 public:
  Translation(Specializer& whole, Instance& instance, const Signature* entry)
      : instance_(instance),
        flow_(*instance.flow),
        entry_(entry),
        builder_(function_),
        at_(whole, instance, nothing_, &builder_),
        blocks_(instance.code->blocks.size()) {}

  ir::Function translate() {
    function_.name = instance_.code->name;
    function_.result = entry_ ? whole_type(instance_.result) : result_type(instance_.result);
    BlockId first = builder_.new_block();
    builder_.set_block(first);
    make_parameters(first);
    first = guarded(first);
    bool entry_has_edges = !flow_.incoming[0].empty();
    blocks_[0] = first;
    make_blocks(entry_has_edges);
    if (entry_has_edges) leave_entry();
    for (uint32_t block : flow_.blocks_in_order)
      if (instance_.live_blocks[block]) translate_block(block);
    HETJIT_CHECK(nothing_.empty());  // what is wrong was found before
    return std::move(function_);
  }

 private:
  // ---- parameters

  void make_parameters(BlockId first) {
    const std::vector<ValueId>& params = instance_.code->blocks[0].params;
    for (size_t i = 0; i < params.size(); ++i) {
      const std::string& name = instance_.code->parameter_names[i];
      Value value = static_value(instance_.parameters[i]);
      joined_.push_back(instance_.type_of(params[i]));
      if (entry_) {
        function_.parameter_names.push_back(name);
        Leaf whole = builder_.add_param(first, entry_->parameters[i].type);
        take_apart(at_.code(), whole, value.type, value.leaves);
      } else {
        value.leaves = leaf_parameters(first, value.type, name);
      }
      at_.define(params[i], std::move(value));
    }
    instance_.captured_leaves.clear();
    for (size_t i = 0; i < instance_.closure.captured.size(); ++i) {
      std::vector<Leaf> leaves =
          leaf_parameters(first, instance_.closure.captured[i], instance_.closure.captures[i]);
      instance_.captured_leaves.insert(instance_.captured_leaves.end(), leaves.begin(),
                                       leaves.end());
    }
    instance_.depth = {};
    if (!instance_.recursive || entry_) return;
    function_.parameter_names.push_back("depth");
    instance_.depth = builder_.add_param(first, scalar_type(Scalar::UInt32));
  }

  // A recursive function begins with a check of how deep it is. The result is where it goes on.
  BlockId guarded(BlockId first) {
    if (!instance_.depth.valid()) return first;
    at_.enter_function();
    BlockId too_deep = builder_.new_block(), begin = builder_.new_block();
    ValueId most = builder_.const_int(scalar_type(Scalar::UInt32), kMaxRecursion);
    ValueId deep = builder_.compare(ir::Comparison::Ge, instance_.depth, most);
    builder_.branch(deep, {too_deep, {}}, {begin, {}});
    builder_.set_block(too_deep);
    ir::Raise raise;
    raise.site = site_here(at_, {SiteKind::Raise,
                                 "RecursionError",
                                 true,
                                 {{"maximum recursion depth exceeded", {}, false}},
                                 "",
                                 "",
                                 0});
    builder_.emit(std::move(raise));
    builder_.set_block(begin);
    return begin;
  }

  std::vector<Leaf> leaf_parameters(BlockId first, const TypeValue& type, const std::string& name) {
    std::vector<TypeId> types;
    append_leaves(type, types);
    std::vector<Leaf> leaves;
    for (size_t i = 0; i < types.size(); ++i) {
      function_.parameter_names.push_back(types.size() == 1 ? name
                                                            : name + "." + std::to_string(i));
      leaves.push_back(builder_.add_param(first, types[i]));
    }
    return leaves;
  }

  // ---- blocks

  void make_blocks(bool also_first) {
    for (uint32_t block : flow_.blocks_in_order) {
      if (!instance_.live_blocks[block] || (block == 0 && !also_first)) continue;
      blocks_[block] = builder_.new_block();
      for (ValueId param : instance_.code->blocks[block].params) {
        if (block == 0) continue;
        Value value = static_value(instance_.type_of(param));
        value.leaves = block_parameters(blocks_[block], value.type);
        at_.define(param, std::move(value));
      }
    }
  }

  std::vector<Leaf> block_parameters(BlockId block, const TypeValue& type) {
    std::vector<TypeId> types;
    append_leaves(type, types);
    std::vector<Leaf> leaves;
    for (TypeId leaf : types) leaves.push_back(builder_.add_param(block, leaf));
    return leaves;
  }

  // The untyped entry is the target of a jump, which a typed one cannot be.
  void leave_entry() {
    std::vector<Leaf> arguments;
    const std::vector<ValueId>& params = instance_.code->blocks[0].params;
    std::vector<Value> entered;
    for (size_t i = 0; i < params.size(); ++i) {
      const TypeValue& joined = joined_[i];
      std::vector<Leaf> leaves = at_.coerce(at_.carried(params[i]), joined);
      arguments.insert(arguments.end(), leaves.begin(), leaves.end());
      Value value = static_value(joined);
      value.leaves = block_parameters(blocks_[0], joined);
      entered.push_back(std::move(value));
    }
    builder_.jump(blocks_[0], std::move(arguments));
    for (size_t i = 0; i < params.size(); ++i) at_.define(params[i], std::move(entered[i]));
  }

  void translate_block(uint32_t block) {
    builder_.set_block(blocks_[block]);
    const std::vector<ssa::Inst>& insts = instance_.code->blocks[block].insts;
    for (size_t i = 0; i + 1 < insts.size(); ++i) {
      Value value = at_.evaluated(insts[i]);
      if (!insts[i].result.valid()) continue;
      HETJIT_CHECK(value.type == instance_.type_of(insts[i].result));
      at_.define(insts[i].result, std::move(value));
    }
    at_.enter(insts.back());
    std::visit([&](const auto& op) { finish(block, op); }, insts.back().op);
  }

  ir::Edge translated(const FlowEdge& edge) {
    uint32_t to = edge.edge->to.index;
    const std::vector<ValueId>& params = instance_.code->blocks[to].params;
    ir::Edge result{blocks_[to], {}};
    for (size_t i = 0; i < params.size(); ++i) {
      std::vector<Leaf> leaves =
          at_.coerce(at_.carried(edge.edge->args[i]), instance_.type_of(params[i]));
      result.args.insert(result.args.end(), leaves.begin(), leaves.end());
    }
    return result;
  }

  void jump(const FlowEdge& edge) {
    ir::Edge to = translated(edge);
    builder_.jump(to.to, std::move(to.args));
  }

  // ---- terminators

  template <class T>
  void finish(uint32_t, const T&) {
    builder_.emit(ir::Unreachable{});
  }
  void finish(uint32_t block, const ssa::Jump&) { jump(flow_.outgoing[block][0]); }
  void finish(uint32_t block, const ssa::Branch& op) {
    const FlowEdge &yes = flow_.outgoing[block][0], &no = flow_.outgoing[block][1];
    bool yes_live = instance_.live_edges[yes.number], no_live = instance_.live_edges[no.number];
    if (yes_live != no_live) return jump(yes_live ? yes : no);
    Leaf leaf = condition(at_, truth(at_, at_.carried(op.in[0])));
    ir::Edge first = translated(yes), second = translated(no);
    builder_.branch(leaf, std::move(first), std::move(second));
  }
  void finish(uint32_t, const ssa::Raise& op) {
    std::optional<Thrown> is = thrown(at_, op);
    ir::Raise raise;
    raise.site = is->site;
    raise.in = std::move(is->leaves);
    builder_.emit(std::move(raise));
  }
  void finish(uint32_t, const ssa::Return& op) {
    std::vector<Leaf> leaves = at_.coerce(at_.carried(op.in[0]), instance_.result);
    if (entry_) {
      builder_.ret(
          put_together(at_.code(), {instance_.result, std::move(leaves), {}}, function_.result));
    } else if (leaves.empty()) {
      builder_.ret(builder_.none());
    } else {
      builder_.ret(leaves.size() == 1 ? leaves[0] : builder_.tuple(leaves));
    }
  }

  Instance& instance_;
  const Flow& flow_;
  const Signature* entry_;
  ir::Function function_;
  ir::Builder builder_;
  Diagnostics nothing_;
  Evaluation at_;
  std::vector<BlockId> blocks_;  // by untyped block
  TypeValues joined_;            // types of the entry's parameters where edges lead back to it
};

}  // namespace

TypeId result_type(const TypeValue& result) {
  std::vector<TypeId> leaves;
  append_leaves(result, leaves);
  if (leaves.empty()) return none_type();
  return leaves.size() == 1 ? leaves[0] : tuple_type(leaves);
}

ir::Function translate_instance(Specializer& whole, Instance& instance, const Signature* entry) {
  return Translation(whole, instance, entry).translate();
}

}  // namespace hetjit::typing
