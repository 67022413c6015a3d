#include "compiler/typing/kinds/wrapping_sums.h"

#include <algorithm>
#include <unordered_map>

#include "compiler/builtins/registry.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/source_text.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/bounded_numbers.h"
#include "compiler/typing/kinds/number_uses.h"

namespace hetjit::typing {
namespace {

using ssa::BinaryKind;

/// A Python int that is no constant.
bool is_python_int(const Instance& instance, ValueId id) {
  const NumberType* number = instance.type_of(id).as<NumberType>();
  return number && !number->literal && number->number == kInt;
}

/// Null: the value is made by something else than a sum, a difference or a product.
const ssa::Binary* arithmetic(const ssa::Inst* inst) {
  const auto* binary = inst ? std::get_if<ssa::Binary>(&inst->op) : nullptr;
  const bool grows =
      binary && (binary->kind == BinaryKind::Add || binary->kind == BinaryKind::Subtract ||
                 binary->kind == BinaryKind::Multiply);
  return grows ? binary : nullptr;
}

constexpr int kDeepest = 8;  // operations of one expression that are looked through

/// Whether there is a product of numbers that are known at run time alone in it, or a power of one.
bool has_product(const Instance& instance, ValueId id, int depth = 0) {
  const ssa::Inst* inst = maker_of(instance, id);
  const auto* binary = inst ? std::get_if<ssa::Binary>(&inst->op) : nullptr;
  if (!binary || !is_python_int(instance, id) || depth == kDeepest) return false;
  const bool first = is_python_int(instance, binary->in[0]),
             second = is_python_int(instance, binary->in[1]);
  if (binary->kind == BinaryKind::Power) return first;
  if (!arithmetic(inst)) return false;
  return (binary->kind == BinaryKind::Multiply && first && second) ||
         has_product(instance, binary->in[0], depth + 1) ||
         has_product(instance, binary->in[1], depth + 1);
}

/// Whether a number that is multiplied by this one becomes greater: not by a sign or a flag.
bool enlarges(const Instance& instance, ValueId factor) {
  if (std::optional<Integer> literal = integer_literal(instance.type_of(factor)))
    return *literal < -1 || *literal > 1;
  if (!is_python_int(instance, factor)) return false;
  const ssa::Inst* inst = maker_of(instance, factor);
  const auto* call = inst ? std::get_if<ssa::Call>(&inst->op) : nullptr;
  const NumberType* converted =
      call && call->in.size() == 2 ? instance.type_of(call->in[1]).as<NumberType>() : nullptr;
  return !converted || converted->number.scalar != Scalar::Bool;
}

struct Growth {
  const ssa::Inst* by = nullptr;  // null: it does not grow so
  ValueId what;                   // the operand that is not the number itself
};

/// How a block's parameter becomes itself times something, or itself and a product.
Growth growth_of(const Instance& instance, ValueId param) {
  Growth growth;
  auto look = [&](const ssa::Inst& inst, std::vector<ValueId>& waiting) -> const ssa::Inst* {
    const ssa::Binary* made = arithmetic(&inst);
    if (!made) return nullptr;
    for (size_t side : {0, 1}) {
      const ValueId other = made->in[1 - side];
      if (made->in[side] != param || other == param) continue;
      growth.what = other;
      if (made->kind == BinaryKind::Multiply ? enlarges(instance, other)
                                             : has_product(instance, other))
        return &inst;
    }
    waiting.insert(waiting.end(), made->in.begin(), made->in.end());
    return nullptr;
  };
  growth.by = find_behind(
      instance, param, [&](ValueId next) { return is_python_int(instance, next); }, look);
  return growth;
}

/// What makes a Python int, which has 32 bits, of a float64, and what has 64.
struct Conversion {
  std::string_view function;  // "": the type itself, int(x)
  std::string_view argument;  // of the type of 64 bits
  bool renamed;               // by another name of the function alone
};
constexpr Conversion kConversions[] = {
    {"", "x", true},
    {"math.trunc", "x", true},
    {"math.floor", "numpy.floor(x)", false},
    {"math.ceil", "numpy.ceil(x)", false},
    {"builtins.round", "numpy.rint(x)", false},
};

/// int(a)
bool makes_int(const Instance& instance, const ssa::Inst& inst) {
  const auto* call = std::get_if<ssa::Call>(&inst.op);
  return call && instance.type_of(call->in[0]).holds<TypeObject>();
}

bool is_remainder(const ssa::Inst* inst) {
  const auto* binary = inst ? std::get_if<ssa::Binary>(&inst->op) : nullptr;
  return binary && binary->kind == BinaryKind::Remainder;
}

/// The ints of which another one is that is as large: -a, a // b, a + b, int(a).
std::span<const ValueId> ints_of(const Instance& instance, const ssa::Inst* inst) {
  if (!inst) return {};
  const std::span<const ValueId> in = ssa::operands(inst->op);
  const auto* binary = std::get_if<ssa::Binary>(&inst->op);
  if (arithmetic(inst) || std::holds_alternative<ssa::Unary>(inst->op)) return in;
  if (binary && binary->kind == BinaryKind::FloorDivide) return in.first(1);
  return makes_int(instance, *inst) ? in.subspan(1) : in.first(0);
}

const Conversion* conversion_of(const Instance& instance, const ssa::Inst& inst) {
  const auto* call = std::get_if<ssa::Call>(&inst.op);
  if (!call || call->in.size() != 2 || !is_python_int(instance, inst.result)) return nullptr;
  const NumberType* from = instance.type_of(call->in[1]).as<NumberType>();
  if (!from || from->number.scalar != Scalar::Float64 || from->literal) return nullptr;
  if (is_remainder(maker_of(instance, call->in[1]))) return nullptr;
  const TypeValue& callee = instance.type_of(call->in[0]);
  const BuiltinType* builtin = callee.as<BuiltinType>();
  if (!builtin && !callee.holds<TypeObject>()) return nullptr;
  const std::string_view name = builtin ? std::string_view(builtin->builtin->name) : "";
  const auto* row = std::ranges::find(kConversions, name, &Conversion::function);
  return row == std::end(kConversions) ? nullptr : row;
}

/// A value of a function that is called.
struct Place {
  Instance* in = nullptr;
  ValueId id;
};

/// What the calls of a function of Python's may return: of the instances for such arguments.
std::vector<Place> returned_by(Specializer& whole, const Instance& instance,
                               const ssa::Call& call) {
  const FunctionType* function = instance.type_of(call.in[0]).as<FunctionType>();
  if (!function || is_own(whole.snapshot(function->function).source)) return {};
  auto takes = [&](const Instance* callee) {
    if (!call.keywords.empty() || !call.spread.empty()) return true;
    if (callee->key.size() < call.in.size() - 1) return false;
    for (size_t i = 1; i < call.in.size(); ++i)
      if (name_of(callee->key[i - 1]) != name_of(instance.type_of(call.in[i]))) return false;
    return true;
  };
  std::vector<Instance*> all = whole.instances_of(function->function);
  if (all.size() > 1) std::erase_if(all, [&](Instance* callee) { return !takes(callee); });
  std::vector<Place> places;
  for (Instance* callee : all)
    for (uint32_t block : callee->flow->blocks_in_order)
      if (const auto* last = std::get_if<ssa::Return>(&callee->code->blocks[block].insts.back().op);
          last && callee->live_blocks[block])
        places.push_back({callee, last->in[0]});
  return places;
}

/// Which item of a tuple an operation takes, and of which: t[1], a, b = t.
std::optional<std::pair<ValueId, size_t>> item_taken(const Instance& instance,
                                                     const ssa::Inst& inst) {
  if (const auto* unpack = std::get_if<ssa::UnpackItem>(&inst.op))
    return std::pair(unpack->in[0], size_t{unpack->index});
  const auto* item = std::get_if<ssa::GetItem>(&inst.op);
  if (!item || !instance.type_of(item->in[0]).holds<TupleType>()) return std::nullopt;
  const std::optional<Integer> index = integer_literal(instance.type_of(item->in[1]));
  if (!index) return std::nullopt;
  const auto count = Integer(instance.type_of(item->in[0]).as<TupleType>()->items.size());
  return std::pair(item->in[0], static_cast<size_t>(*index < 0 ? *index + count : *index));
}

/// The values of which an item of a tuple is one, where the tuple is put together.
void add_items(Specializer& whole, Place tuple, size_t index, std::vector<Place>& to,
               int depth = 0) {
  if (depth == kDeepest) return;
  const Instance& instance = *tuple.in;
  const ssa::Inst* inst = maker_of(instance, tuple.id);
  if (!inst) {
    std::vector<ValueId> brought;
    if (instance.flow->defined[tuple.id.index].first) add_brought(instance, tuple.id, brought);
    for (ValueId one : brought) add_items(whole, {tuple.in, one}, index, to, depth + 1);
  } else if (const auto* made = std::get_if<ssa::BuildTuple>(&inst->op)) {
    if (index < made->in.size()) to.push_back({tuple.in, made->in[index]});
  } else if (const auto* list = std::get_if<ssa::AsList>(&inst->op)) {
    add_items(whole, {tuple.in, list->in[0]}, index, to, depth + 1);
  } else if (const auto* call = std::get_if<ssa::Call>(&inst->op)) {
    for (Place one : returned_by(whole, instance, *call))
      add_items(whole, one, index, to, depth + 1);
  }
}

/// What an atomic operation brings to memory, and the format it has there.
std::optional<std::pair<ValueId, Scalar>> brought_by_atomic(const Instance& instance,
                                                            const ssa::Call& call) {
  constexpr std::string_view kNames[] = {"add", "sub", "max", "min", "exch", "store"};
  constexpr std::string_view kModule = "hetjit.device.atomic.";
  const size_t given = call.in.size() - call.keywords.size();
  const TypeValue& callee = instance.type_of(call.in[0]);
  if (const BuiltinType* builtin = callee.as<BuiltinType>()) {
    const std::string_view name = builtin->builtin->name;
    if (given != 4 || !name.starts_with(kModule) ||
        !std::ranges::count(kNames, name.substr(kModule.size())))
      return std::nullopt;
    const std::optional<Scalar> format = format_of_elements(instance, call.in[1]);
    return format ? std::optional(std::pair(call.in[3], *format)) : std::nullopt;
  }
  const MethodType* method = callee.as<MethodType>();
  if (!method || given != 2 || method->self.empty() || !std::ranges::count(kNames, method->name))
    return std::nullopt;
  const AtomicType* atomic = method->self[0].as<AtomicType>();
  return atomic ? std::optional(std::pair(call.in[1], atomic->number.scalar)) : std::nullopt;
}

class Stores {
 public:
  explicit Stores(Evaluation& at) : at_(at), instance_(at.instance()) {}

  void look_at(const ssa::Inst& inst) {
    if (const auto* call = std::get_if<ssa::Call>(&inst.op)) {
      converts(*call);
      if (const auto brought = brought_by_atomic(instance_, *call))
        keeps(brought->first, brought->second);
    }
    if (const auto* store = std::get_if<ssa::SetItem>(&inst.op))
      keeps(store->in[2], format_of_elements(instance_, store->in[0]).value_or(Scalar::Bool));
  }

 private:
  struct Known {
    explicit Known(size_t count) : seen(count), narrow(count), told(count) {}
    std::vector<bool> seen;    // by value
    std::vector<bool> narrow;  // by value: an int of 32 bits is made of it again, int(int(x))
    std::vector<bool> told;    // by value: of the operation that makes it
  };

  Known& known(Place place) {
    return known_.try_emplace(place.in, place.in->values.size()).first->second;
  }

  void keeps(ValueId value, Scalar format) {
    if (info(format).bits != 64 || is_complex(format)) return;
    std::vector<Place> stored = {{&instance_, value}};
    if (const ssa::Binary* made = arithmetic(maker_of(instance_, value)))
      for (ValueId operand : made->in) stored.push_back({&instance_, operand});  // `x[i] += total`
    stores(std::move(stored), format);
  }

  /// device.int64(int(x))
  void converts(const ssa::Call& call) {
    const auto* to = instance_.type_of(call.in[0]).as<TypeObject>();
    if (!to || call.in.size() != 2 || !is_scalar(to->type.type)) return;
    const Scalar format = type(to->type.type).scalar;
    if (is_integer(format) && info(format).bits == 64) stores({{&instance_, call.in[1]}}, format);
  }

  void stores(std::vector<Place> waiting, Scalar format) {
    while (!waiting.empty()) {
      const Place next = waiting.back();
      waiting.pop_back();
      const Instance& instance = *next.in;
      if (known(next).seen[next.id.index] || !is_python_int(instance, next.id)) continue;
      known(next).seen[next.id.index] = true;
      if (const ssa::Inst* inst = maker_of(instance, next.id))
        made_by(*inst, next, format, waiting);
      else if (instance.flow->defined[next.id.index].first)  // else it is an argument
        carried(next, format, waiting);
    }
  }

  void made_by(const ssa::Inst& inst, Place made, Scalar format, std::vector<Place>& waiting) {
    const Instance& instance = *made.in;
    const std::span<const ValueId> ints = ints_of(instance, &inst);
    for (size_t i = ints.size(); i-- > 0;) waiting.push_back({made.in, ints[i]});
    Known& all = known(made);
    const bool narrow = all.narrow[made.id.index] || makes_int(instance, inst);
    for (ValueId one : ints) all.narrow[one.index] = narrow;
    std::vector<Place> behind;
    if (const auto item = item_taken(instance, inst))
      add_items(at_.whole(), {made.in, item->first}, item->second, behind);
    if (const auto* call = std::get_if<ssa::Call>(&inst.op))
      behind = returned_by(at_.whole(), instance, *call);
    for (Place one : behind) known(one).narrow[one.id.index] = narrow;
    waiting.insert(waiting.end(), behind.begin(), behind.end());
    const Conversion* row = conversion_of(instance, inst);
    const bool bounded = row && (is_held_below(instance, made.id) ||
                                 is_held_below(instance, std::get<ssa::Call>(inst.op).in[1]));
    if (row && !bounded && is_integer(format))
      warn(made, inst, *row, format, !all.narrow[made.id.index]);
  }

  void carried(Place param, Scalar format, std::vector<Place>& waiting) {
    const Instance& instance = *param.in;
    if (const Growth growth = growth_of(instance, param.id); growth.by) {
      const BinaryKind kind = std::get<ssa::Binary>(growth.by->op).kind;
      if (!is_ordered(instance, param.id) && !is_ordered(instance, growth.by->result) &&
          !stays_small(instance, param.id, kind, growth.what))
        warn(param, growth, format);
    }
    std::vector<ValueId> brought;
    add_brought(instance, param.id, brought);
    for (ValueId one : brought) waiting.push_back({param.in, one});
  }

  bool tells(Place place, const ssa::Inst& inst) {
    const bool told = known(place).told[inst.result.index];
    known(place).told[inst.result.index] = true;
    return !told;
  }

  void warn(Place param, const Growth& growth, Scalar format) {
    if (!tells(param, *growth.by)) return;
    const Instance& instance = *param.in;
    const std::string name = local_name(instance, param.id);
    std::vector<Span> places;
    widen(instance, *growth.by, growth.what, places, 0);
    Evaluation at(at_.whole(), *param.in, at_.diags(), nullptr, true);
    at.enter(*growth.by);
    Diagnostics::Builder warning =
        at.error(Code::NarrowResult, {name.empty() ? "this" : "'" + name + "'", "int, of 32 bits",
                                      "becomes " + name_of(Number{format, false})});
    auto text = [&](const Span& place) { return text_at(at.whole().source_of(instance), place); };
    if (!places.empty() && std::all_of(places.begin(), places.end(),
                                       [&](const Span& place) { return !text(place).empty(); })) {
      warning.help("compute it in 64 bits: device.int64(" + text(places[0]) + ")" +
                   (places.size() > 1 ? " and so on" : ""));
      for (const Span& place : places) warning.enclose(place, "device.int64(", ")");
    }
    warning.report();
  }

  /// `widens`: whether all that is computed of it then has 64 bits.
  void warn(Place made, const ssa::Inst& inst, const Conversion& row, Scalar format, bool widens) {
    if (!tells(made, inst)) return;
    const Instance& instance = *made.in;
    const Source& source = at_.whole().source_of(instance);
    Evaluation at(at_.whole(), *made.in, at_.diags(), nullptr, true);
    at.enter(inst);
    const std::string text = text_at(source, at.where());
    Diagnostics::Builder warning =
        at.error(Code::NarrowConversion,
                 {text.empty() ? "this" : "'" + text + "'", name_of(Number{format, false})});
    const std::string argument = "(" + std::string(row.argument) + ")";
    const bool is_signed = format == Scalar::Int64;
    warning.help("device.int64" + argument + " has 64 bits" +
                 (is_signed ? "" : ", device.uint64" + argument + " of what is never negative"));
    const ValueId callee = std::get<ssa::Call>(inst.op).in[0];
    const Span place = operand_span(instance, source, inst, callee);
    if (row.renamed && widens && is_signed && place.known()) warning.edit(place, "device.int64");
    warning.report();
  }

  /// What of an operand has to have 64 bits, so that all its products have: of each product the
  /// first number, and what is a product itself.
  void widen(const Instance& instance, const ssa::Inst& user, ValueId id, std::vector<Span>& places,
             int depth) {
    const ssa::Inst* inst = maker_of(instance, id);
    if (depth == kDeepest || !has_product(instance, id))
      return places.push_back(operand_span(instance, at_.whole().source_of(instance), user, id));
    const auto& made = std::get<ssa::Binary>(inst->op);
    const bool product = made.kind == BinaryKind::Multiply || made.kind == BinaryKind::Power;
    const ValueId first = made.in[is_python_int(instance, made.in[0]) ? 0 : 1];
    if (product) widen(instance, *inst, first, places, depth + 1);
    for (ValueId operand : made.in)
      if ((!product || operand != first) && has_product(instance, operand))
        widen(instance, *inst, operand, places, depth + 1);
  }

  Evaluation& at_;
  Instance& instance_;
  std::unordered_map<const Instance*, Known> known_;
};

}  // namespace

void warn_of_wrapping_sums(Evaluation& at) {
  const Instance& instance = at.instance();
  Stores stores(at);
  for (uint32_t block : instance.flow->blocks_in_order)
    for (const ssa::Inst& inst : instance.code->blocks[block].insts)
      if (instance.live_blocks[block]) stores.look_at(inst);
}

}  // namespace hetjit::typing
