// Each value has a set per array in its type: the arguments that this array, or address, may come
// from. The sets grow until nothing changes, through all functions at a time. Arrays that are kept
// in memory (a tuple that a variable indexes) become one set for all of memory.
#include "compiler/passes/stored_arrays.h"

namespace hetjit::passes {
namespace {

using Sets = std::vector<ArraySet>;  // one per array in a type, in the type's order

class Origins {
 public:
  explicit Origins(const ir::Module& module);
  ArraySet stored() const;

 private:
  friend struct OriginRules;
  void visit(uint32_t function, const ir::Inst& inst);
  void hand_over(uint32_t function, const std::vector<ValueId>& from,
                 const std::vector<ValueId>& to, uint32_t target);
  void grow(Sets& to, const Sets& from);
  Sets& of(uint32_t function, ValueId id) { return sets_[function][id.index]; }

  const ir::Module& module_;
  std::vector<std::vector<Sets>> sets_;  // by function and value
  std::vector<Sets> results_;            // by function
  ArraySet memory_;                      // arrays that were stored somewhere
  bool changed_ = false;
};

ArraySet united(const Sets& sets) {
  ArraySet all;
  for (ArraySet one : sets) all.add(one);
  return all;
}

// The sets of an op's result.
struct OriginRules {
  Origins& all;
  uint32_t function;
  TypeId type;

  Sets of(ValueId id) const { return all.of(function, id); }

  template <class Op>
  requires(Op::info.points == ir::Points::Anywhere) Sets operator()(const Op&) const {
    return Sets(arrays_in(type), all.memory_);
  }
  // Any array of the result may be any of the operands'.
  template <class Op>
  requires(Op::info.points != ir::Points::Anywhere) Sets operator()(const Op& op) const {
    ArraySet from;
    for (ValueId id : op.in) from.add(united(of(id)));
    return Sets(arrays_in(type), from);
  }
  Sets operator()(const ir::MakeTuple& op) const {
    Sets made;
    for (ValueId id : op.in) {
      Sets part = of(id);
      made.insert(made.end(), part.begin(), part.end());
    }
    return made;
  }
  Sets operator()(const ir::Extract& op) const {
    Sets whole = of(op.in[0]);
    const uint32_t count = arrays_in(type);
    if (!count) return {};
    const TypeId from = all.module_.functions[function].type_of(op.in[0]);
    auto first = whole.begin() + arrays_before(from, op.index);
    return Sets(first, first + count);
  }
  Sets operator()(const ir::Select& op) const {
    Sets made = of(op.in[1]), other = of(op.in[2]);
    for (size_t i = 0; i < made.size(); ++i) made[i].add(other[i]);
    return made;
  }
  Sets operator()(const ir::Call& op) const { return all.results_[op.function]; }
  // It may give what it was given, or what it finds in memory.
  Sets operator()(const ir::ExternalCall& op) const {
    ArraySet from = all.memory_;
    for (ValueId id : op.in) from.add(united(of(id)));
    return Sets(arrays_in(type), from);
  }
};

Origins::Origins(const ir::Module& module) : module_(module), results_(module.functions.size()) {
  for (const ir::Function& function : module.functions) {
    sets_.emplace_back();
    for (TypeId type : function.types)
      sets_.back().emplace_back(type.valid() ? arrays_in(type) : 0);
  }
  for (size_t i = 0; i < results_.size(); ++i)
    results_[i].resize(arrays_in(module.functions[i].result));
  uint32_t number = 0;
  for (ValueId id : module.functions[0].blocks[0].params)
    for (ArraySet& one : of(0, id)) one = ArraySet::of(number++);
  do {
    changed_ = false;
    for (uint32_t i = 0; i < module.functions.size(); ++i)
      for (const ir::Block& block : module.functions[i].blocks)
        for (const ir::Inst& inst : block.insts) visit(i, inst);
  } while (changed_);
}

void Origins::visit(uint32_t function, const ir::Inst& inst) {
  const ir::Function& within = module_.functions[function];
  if (inst.result.valid() && !of(function, inst.result).empty())
    grow(of(function, inst.result),
         std::visit(OriginRules{*this, function, within.type_of(inst.result)}, inst.op));
  if (const auto* call = std::get_if<ir::Call>(&inst.op))
    hand_over(function, call->in, module_.functions[call->function].blocks[0].params,
              call->function);
  if (const auto* leave = std::get_if<ir::Return>(&inst.op))
    grow(results_[function], of(function, leave->in[0]));
  if (const auto* store = std::get_if<ir::Store>(&inst.op))
    changed_ |= memory_.add(united(of(function, store->in[1])));
  for (const ir::Edge* edge : ir::edges(inst.op))
    hand_over(function, edge->args, within.blocks[edge->to.index].params, function);
}

void Origins::hand_over(uint32_t function, const std::vector<ValueId>& from,
                        const std::vector<ValueId>& to, uint32_t target) {
  for (size_t i = 0; i < to.size(); ++i) grow(of(target, to[i]), of(function, from[i]));
}

void Origins::grow(Sets& to, const Sets& from) {
  HETJIT_CHECK(to.size() == from.size());
  for (size_t i = 0; i < to.size(); ++i) changed_ |= to[i].add(from[i]);
}

// The addresses that an op writes to, and the arrays.
std::span<const ValueId> written(const ir::Op& op) {
  if (std::holds_alternative<ir::ExternalCall>(op)) return ir::operands(op);
  return ir::operands(op).first(ir::info(op).access & ir::Stores ? 1 : 0);
}

// An array that is only read stays as it is, whoever gets it.
bool may_store(TypeId id) { return !is_array(id) || type(id).facts.writable; }

ArraySet Origins::stored() const {
  ArraySet all;
  for (size_t i = 0; i < sets_.size(); ++i)
    for (const ir::Block& block : module_.functions[i].blocks)
      for (const ir::Inst& inst : block.insts)
        for (ValueId to : written(inst.op))
          if (may_store(module_.functions[i].type_of(to))) all.add(united(sets_[i][to.index]));
  return all;
}

}  // namespace

ArraySet stored_arrays(const ir::Module& module) { return Origins(module).stored(); }

}  // namespace hetjit::passes
