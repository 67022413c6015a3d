#include "compiler/typing/ops/lazy_values.h"

#include <algorithm>

#include "compiler/builtins/registry.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/specializer.h"

namespace hetjit::typing {
namespace {

using ssa::Inst;

/// Whether `is` holds of a type or of anything that a value of it has inside.
template <class Is>
bool any_part(const TypeValue& type, Is is) {
  if (is(type)) return true;
  const TypeValues parts = parts_in(type);
  return std::any_of(parts.begin(), parts.end(), [&](auto& part) { return any_part(part, is); });
}

bool has_iterator(const TypeValue& type) {
  return any_part(type, [](const TypeValue& part) { return part.holds<IterableType>(); });
}

bool is_memory(const TypeValue& type) {
  return type.holds<ArrayType>() || type.holds<ReferenceType>() || type.holds<AtomicType>();
}

bool is_quiet_callee(const Specializer& whole, const TypeValue& callee) {
  if (callee.holds<TypeObject>()) return true;
  if (const BuiltinType* builtin = callee.as<BuiltinType>()) {
    constexpr std::string_view kOthers[] = {"range", "len",       "min", "max",      "abs",
                                            "round", "enumerate", "zip", "reversed", "tuple"};
    const builtins::Builtin& called = *builtin->builtin;
    return called.arithmetic || std::find(std::begin(kOthers), std::end(kOthers),
                                          called.short_name()) != std::end(kOthers);
  }
  const FunctionType* function = callee.as<FunctionType>();
  if (!function) return false;
  const std::string& path = whole.snapshot(function->function).source.path;
  return path.find("/hetjit/library/") != std::string::npos;
}

// Of iterables made of the user's functions, as map's, each element is a call; so may be what is
// done to a struct, but for reading its fields.
bool may_call(const Specializer& whole, const Inst& inst, const TypeValue& operand) {
  const bool reads_field = std::holds_alternative<ssa::GetAttribute>(inst.op);
  return any_part(operand, [&](const TypeValue& part) {
    return (part.holds<FunctionType>() && !is_quiet_callee(whole, part)) ||
           (part.holds<StructType>() && !reads_field);
  });
}

}  // namespace

bool evaluates_later(const TypeValue& type) {
  return any_part(type, [](const TypeValue& part) {
    const auto* function = part.as<FunctionType>();
    return part.holds<IterableType>() || (function && !function->captured.empty());
  });
}

bool computes_only(const Specializer& whole, const Instance& instance) {
  auto quiet = [&](const Inst& inst) {
    std::span<const ValueId> in = ssa::operands(inst.op);
    if (std::holds_alternative<ssa::Raise>(inst.op)) return false;
    if (std::holds_alternative<ssa::Call>(inst.op) &&
        !is_quiet_callee(whole, instance.type_of(in[0])))
      return false;
    return std::none_of(in.begin(), in.end(), [&](ValueId operand) {
      const TypeValue& type = instance.type_of(operand);
      return any_part(type, is_memory) || may_call(whole, inst, type);
    });
  };
  for (uint32_t block = 0; block < instance.code->blocks.size(); ++block) {
    const std::vector<Inst>& insts = instance.code->blocks[block].insts;
    if (instance.live_blocks[block] && !std::all_of(insts.begin(), insts.end(), quiet))
      return false;
  }
  return true;
}

namespace {

/// One iterator, or the argument or captured variable that has some inside, and what becomes of it.
class OneIterator {
 public:
  /// `made`: the instruction that makes it, null for what comes from outside as these values.
  OneIterator(const Instance& instance, const Inst* made, std::vector<ValueId> values)
      : instance_(instance), made_(made), is_it_(instance.values.size(), false) {
    for (ValueId value : values) is_it_[value.index] = true;
    while (find_more()) {
    }
  }

  /// Where it may be gone through for the second time, and where for the first.
  struct Again {
    const Inst* second = nullptr;
    const Inst* first = nullptr;
  };
  std::optional<Again> again() const {
    const std::vector<uint32_t>& order = instance_.flow->blocks_in_order;
    std::vector<const Inst*> spent(instance_.code->blocks.size(), nullptr);  // by, at its entry
    for (bool learned = true; learned;) {
      learned = false;
      for (uint32_t block : order) {
        if (!instance_.live_blocks[block]) continue;
        const Inst* by = spent[block];
        for (const Inst& inst : instance_.code->blocks[block].insts) {
          if (&inst == made_) by = nullptr;
          size_t times = uses(inst);
          if (times > 1 || (times && by)) return Again{&inst, by ? by : &inst};
          if (times && goes_through(inst)) by = &inst;
        }
        for (const FlowEdge& edge : instance_.flow->outgoing[block]) {
          const Inst*& next = spent[edge.edge->to.index];
          if (!by || next || !instance_.live_edges[edge.number]) continue;
          next = by;
          learned = true;
        }
      }
    }
    return std::nullopt;
  }

 private:
  bool find_more() {
    bool more = false;
    auto add = [&](ValueId value) {
      more |= !is_it_[value.index];
      is_it_[value.index] = true;
    };
    for (const ssa::Block& block : instance_.code->blocks)
      for (const Inst& inst : block.insts) {
        std::span<const ValueId> in = ssa::operands(inst.op);
        bool has = std::any_of(in.begin(), in.end(), [&](ValueId v) { return is_it_[v.index]; });
        if (has && inst.result.valid() && has_iterator(instance_.type_of(inst.result)))
          add(inst.result);
        for (const ssa::Edge* edge : ssa::edges(inst.op))
          for (size_t i = 0; i < edge->args.size(); ++i)
            if (is_it_[edge->args[i].index]) add(instance_.code->blocks[edge->to.index].params[i]);
      }
    return more;
  }

  /// How many of its operands an instruction goes through, or takes to go through them later.
  size_t uses(const Inst& inst) const {
    std::span<const ValueId> in = ssa::operands(inst.op);
    auto counts = [&](ValueId value) { return is_it_[value.index]; };
    if (std::holds_alternative<ssa::Call>(inst.op))
      return size_t(std::count_if(in.begin(), in.end(), counts));
    return goes_through(inst) && counts(in[0]);
  }

  bool goes_through(const Inst& inst) const {
    std::span<const ValueId> in = ssa::operands(inst.op);
    if (const auto* call = std::get_if<ssa::Call>(&inst.op))
      return !has_iterator(instance_.type_of(inst.result)) || !call->spread.empty();
    if (std::holds_alternative<ssa::IterStart>(inst.op)) {
      const auto* iterator = instance_.type_of(in[0]).as<IteratorType>();
      return iterator && iterator->parts[0].holds<IterableType>() && is_used(inst.result);
    }
    const auto* item = std::get_if<ssa::UnpackItem>(&inst.op);  // the first one asks for all
    const bool unpacks =
        (item && item->index == 0) || std::holds_alternative<ssa::UnpackStar>(inst.op);
    return unpacks && instance_.type_of(in[0]).holds<IterableType>();
  }

  bool is_used(ValueId value) const {
    for (const ssa::Block& block : instance_.code->blocks)
      for (const Inst& inst : block.insts) {
        std::span<const ValueId> in = ssa::operands(inst.op);
        if (std::find(in.begin(), in.end(), value) != in.end()) return true;
        for (const ssa::Edge* edge : ssa::edges(inst.op))
          if (std::find(edge->args.begin(), edge->args.end(), value) != edge->args.end())
            return true;
      }
    return false;
  }

  const Instance& instance_;
  const Inst* made_;
  std::vector<bool> is_it_;  // by value
};

void report(Evaluation& at, const OneIterator::Again& again) {
  const ssa::Function& function = at.function();
  at.enter(*again.second);
  Diagnostics::Builder error = at.error(Code::IteratorSpent);
  if (again.first != again.second)
    error.label(span_of(function, again.first->where), "its elements are taken here");
  error.help("make it anew each time, or keep its elements: tuple(...)").report();
}

}  // namespace

void report_spent_iterators(Evaluation& at) {
  const Instance& instance = at.instance();
  auto look = [&](const Inst* made, std::vector<ValueId> values) {
    if (auto again = OneIterator(instance, made, std::move(values)).again()) report(at, *again);
  };
  for (ValueId parameter : instance.code->blocks[0].params)
    if (has_iterator(instance.type_of(parameter))) look(nullptr, {parameter});
  std::vector<std::vector<ValueId>> named(instance.code->names.size());
  for (uint32_t block : instance.flow->blocks_in_order)
    for (const Inst& inst : instance.code->blocks[block].insts) {
      if (!instance.live_blocks[block]) break;
      if (!inst.result.valid() || !has_iterator(instance.type_of(inst.result))) continue;
      std::span<const ValueId> in = ssa::operands(inst.op);
      const bool made = std::none_of(in.begin(), in.end(), [&](ValueId operand) {
        return has_iterator(instance.type_of(operand));
      });
      if (const auto* name = std::get_if<ssa::LoadName>(&inst.op))
        named[name->name].push_back(inst.result);
      else if (made)
        look(&inst, {inst.result});
    }
  for (std::vector<ValueId>& values : named)
    if (!values.empty()) look(nullptr, std::move(values));
}

}  // namespace hetjit::typing
