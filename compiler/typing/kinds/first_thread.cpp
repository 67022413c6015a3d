#include "compiler/typing/kinds/first_thread.h"

#include <algorithm>

#include "compiler/builtins/registry.h"
#include "compiler/typing/kinds/operators.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::typing {
namespace {

using ssa::BinaryKind;
using ssa::CompareKind;

constexpr Number kExact{Scalar::Int64, true};

const builtins::Builtin* builtin_of(const Instance& instance, ValueId id) {
  const BuiltinType* named = instance.type_of(id).as<BuiltinType>();
  return named ? named->builtin : nullptr;
}

bool is_integer_number(const TypeValue& type) {
  const NumberType* number = type.as<NumberType>();
  return number && (is_integer(number->number.scalar) || number->number.scalar == Scalar::Bool);
}

/// The name that an op reads, with its modules; empty: it reads none.
std::string path_of(const Instance& instance, const ssa::Op& op) {
  if (const auto* name = std::get_if<ssa::LoadName>(&op))
    return instance.code->names[name->name].path;
  const auto* attribute = std::get_if<ssa::GetAttribute>(&op);
  const ModuleType* module =
      attribute ? instance.type_of(attribute->in[0]).as<ModuleType>() : nullptr;
  return module ? module->path + "." + attribute->attribute : "";
}

bool is_lane(const Instance& instance, const ssa::Op& op) {
  const std::string path = path_of(instance, op);
  return !path.empty() &&
         std::any_of(instance.code->names.begin(), instance.code->names.end(),
                     [&](const Name& name) {
                       const auto* means = std::get_if<BuiltinMeaning>(&name.meaning);
                       return name.path == path && means && means->name == "hetjit.device.lane_id";
                     });
}

/// thread_idx.x, block_idx[0], tid(1), lane_id.
bool is_index(const Instance& instance, const ssa::Op& op) {
  if (is_lane(instance, op)) return true;
  std::span<const ValueId> in = ssa::operands(op);
  const builtins::Builtin* builtin = in.empty() ? nullptr : builtin_of(instance, in[0]);
  if (!builtin) return false;
  if (std::holds_alternative<ssa::Call>(op)) return builtin->name == "hetjit.device.tid";
  return builtin->name == "hetjit.device.thread_idx" || builtin->name == "hetjit.device.block_idx";
}

/// The same for all threads: dimensions of the launch.
bool is_shared(const Instance& instance, const ssa::Op& op) {
  std::span<const ValueId> in = ssa::operands(op);
  const builtins::Builtin* builtin = in.empty() ? nullptr : builtin_of(instance, in[0]);
  if (!builtin) return false;
  std::string_view name = builtin->name;
  return name == "hetjit.device.block_dim" || name == "hetjit.device.grid_dim" ||
         name == "hetjit.device.grid_size" || name == "builtins.len" || name == "builtins.range" ||
         name == "builtins.min" || name == "builtins.max";
}

}  // namespace

FirstThread::FirstThread(const Instance& instance)
    : instance_(instance),
      values_(instance.values.size()),
      reached_(instance.code->blocks.size(), Reach::Never),
      edges_(instance.flow->edge_count, false) {
  Dominators dominators(ssa::successors(*instance.code));
  for (uint32_t block = 0; block < reached_.size(); ++block)
    loop_headers_.push_back(dominators.is_loop_header(block));
  run();
}

std::optional<Integer> FirstThread::value(ValueId id) const { return operand(id); }

void FirstThread::run() {
  for (ValueId id : instance_.code->blocks[0].params) set(id, {Known::Any});
  reached_[0] = Reach::Open;
  waiting_ = {0};
  while (!waiting_.empty()) {
    uint32_t block = waiting_.back();
    waiting_.pop_back();
    visit(block);
  }
}

void FirstThread::visit(uint32_t block) {
  const ssa::Block& code = instance_.code->blocks[block];
  for (size_t i = 0; block != 0 && i < code.params.size(); ++i)
    set(code.params[i], parameter(block, i));
  for (const ssa::Inst& inst : code.insts)
    if (inst.result.valid()) set(inst.result, made_by(inst));
  leave(block);
}

void FirstThread::leave(uint32_t block) {
  const ssa::Op& last = instance_.code->blocks[block].insts.back().op;
  const auto* branch = std::get_if<ssa::Branch>(&last);
  for (const FlowEdge& edge : instance_.flow->outgoing[block]) {
    if (!instance_.live_edges[edge.number]) continue;
    Reach reach = branch ? behind(*branch, edge.index == 0) : Reach::Open;
    // A `for` ends sometime, however often it runs.
    bool ends = instance_.code->blocks[block].loop != UINT32_MAX && edge.index == 1;
    if (ends && reach == Reach::Guarded) reach = Reach::Open;
    take(edge, std::min(reach, reached_[block]));
  }
}

void FirstThread::take(const FlowEdge& edge, Reach reach) {
  if (reach == Reach::Never) return;
  uint32_t to = edge.edge->to.index;
  bool news = !edges_[edge.number] || reached_[to] < reach;
  edges_[edge.number] = true;
  reached_[to] = std::max(reached_[to], reach);
  if (news) waiting_.push_back(to);
}

FirstThread::Reach FirstThread::behind(const ssa::Branch& op, bool taken) const {
  if (std::optional<bool> known = truth_of(op.in[0]))
    return *known == taken ? Reach::Open : Reach::Never;
  if (values_[op.in[0].index].what == Known::Nothing) return Reach::Never;
  bool open = !values_[op.in[0].index].own || lets_small_indices_pass(op, taken);
  return open ? Reach::Open : Reach::Guarded;
}

const ssa::Compare* FirstThread::comparison(ValueId id) const {
  auto [block, place] = instance_.flow->defined[id.index];
  if (place == Flow::kParameter) return nullptr;
  return std::get_if<ssa::Compare>(&instance_.code->blocks[block].insts[place].op);
}

// `i < n` with an index and a number that all threads have: the least index is let in by it.
bool FirstThread::lets_small_indices_pass(const ssa::Branch& op, bool taken) const {
  const ssa::Compare* compare = comparison(op.in[0]);
  if (!compare) return false;
  bool index_first = operand(compare->in[0]).has_value();
  ValueId index = compare->in[index_first ? 0 : 1], other = compare->in[index_first ? 1 : 0];
  std::optional<Integer> least = operand(index);
  if (!least || *least < 0 || operand(other) || values_[other.index].own) return false;
  bool below = compare->kind == CompareKind::Lt || compare->kind == CompareKind::Le;
  bool above = compare->kind == CompareKind::Gt || compare->kind == CompareKind::Ge;
  return (below || above) && (below == index_first) == taken;
}

void FirstThread::set(ValueId id, const Known& known) {
  if (values_[id.index] == known) return;
  values_[id.index] = known;
  for (uint32_t user : instance_.flow->users[id.index])
    if (reached_[user] != Reach::Never) waiting_.push_back(user);
}

std::optional<Integer> FirstThread::operand(ValueId id) const {
  if (std::optional<Integer> literal = integer_literal(instance_.type_of(id))) return literal;
  const Known& known = values_[id.index];
  return known.what == Known::One ? std::optional<Integer>(known.value) : std::nullopt;
}

// `x - 1 < n` is how some ask for both ends of an unsigned range at once.
std::optional<Integer> FirstThread::as_it_runs(ValueId id) const {
  std::optional<Integer> known = operand(id);
  const NumberType* number = instance_.type_of(id).as<NumberType>();
  if (!known || *known >= 0 || !number || !is_unsigned(number->number.scalar)) return known;
  return *known + greatest(number->number.scalar) + 1;
}

std::optional<bool> FirstThread::truth_of(ValueId id) const {
  if (std::optional<bool> known = known_truth(instance_.type_of(id))) return known;
  std::optional<Integer> number = operand(id);
  return number ? std::optional<bool>(*number != 0) : std::nullopt;
}

// Where paths meet that different threads may take, so may the values.
FirstThread::Known FirstThread::parameter(uint32_t block, size_t index) const {
  ValueId id = instance_.code->blocks[block].params[index];
  Known joined, before = values_[id.index];
  bool several = false;
  for (const FlowEdge& edge : instance_.flow->incoming[block]) {
    if (!edges_[edge.number]) continue;
    ValueId from = edge.edge->args[index];
    Known known = values_[from.index];
    if (std::optional<Integer> number = operand(from)) known = {Known::One, *number, known.own};
    if (known.what == Known::Nothing) continue;
    several |= joined.what != Known::Nothing && joined.value != known.value;
    several |= known.what == Known::Any;
    joined = {Known::One, known.value, joined.own || known.own};
  }
  if (several) joined = {Known::Any, 0, joined.own || !loop_headers_[block]};
  if (before.what == Known::Any) joined = {Known::Any, 0, joined.own || before.own};
  return joined;
}

FirstThread::Known FirstThread::made_by(const ssa::Inst& inst) const {
  if (is_index(instance_, inst.op)) return {Known::One, 0, true};
  Known made = computed(inst);
  if (made.what == Known::Nothing) return made;
  bool pure = !std::holds_alternative<ssa::Call>(inst.op) || is_shared(instance_, inst.op);
  const Known& before = values_[inst.result.index];
  if (before.what == Known::Any) made = {Known::Any, 0, before.own};
  made.own |= !pure;
  for (ValueId id : ssa::operands(inst.op)) made.own |= values_[id.index].own;
  return made;
}

FirstThread::Known FirstThread::computed(const ssa::Inst& inst) const {
  constexpr Known kAny{Known::Any};
  std::span<const ValueId> in = ssa::operands(inst.op);
  for (ValueId id : in)
    if (values_[id.index].what == Known::Nothing) return {};
  if (const auto* compare = std::get_if<ssa::Compare>(&inst.op)) {
    std::optional<Integer> a = as_it_runs(in[0]), b = as_it_runs(in[1]);
    return a && b ? Known{Known::One, fold(compare->kind, Literal{*a}, Literal{*b})} : kAny;
  }
  if (!is_integer_number(instance_.type_of(inst.result))) return kAny;
  if (const auto* binary = std::get_if<ssa::Binary>(&inst.op)) {
    if (!is_integer_number(instance_.type_of(in[0]))) return kAny;
    if (!is_integer_number(instance_.type_of(in[1]))) return kAny;
    std::optional<Integer> a = operand(in[0]), b = operand(in[1]);
    if (binary->kind == BinaryKind::Multiply && (a == Integer{0} || b == Integer{0}))
      return {Known::One, 0};
    if (!a || !b) return kAny;
    std::optional<Literal> result = fold(binary->kind, kExact, Literal{*a}, Literal{*b});
    const Integer* whole = result ? std::get_if<Integer>(&*result) : nullptr;
    return whole ? Known{Known::One, *whole} : kAny;
  }
  const auto* call = std::get_if<ssa::Call>(&inst.op);
  bool cast = call && in.size() == 2 && call->keywords.empty() && call->spread.empty() &&
              instance_.type_of(in[0]).holds<TypeObject>();
  if (cast && is_integer_number(instance_.type_of(in[1])))
    if (std::optional<Integer> number = operand(in[1])) {
      Scalar to = instance_.type_of(inst.result).as<NumberType>()->number.scalar;
      if (fits(*number, to)) return {Known::One, *number};
    }
  return kAny;
}

}  // namespace hetjit::typing
