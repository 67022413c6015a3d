#include "compiler/ir/ir.h"

#include <array>

namespace hetjit::ir {
namespace {

constexpr MathInfo kMath[] = {
#define MATH(name, arity, native, libm32, libm64, libdevice32, libdevice64, ocml32, ocml64) \
  MathInfo{#name, arity, native, {libm32, libm64}, {libdevice32, libdevice64}, {ocml32, ocml64}},
#include "compiler/ir/math.def"
#undef MATH
};

// The lists are short and most ops have none, so a vector of pointers is simple and cheap enough.
template <class AnyOp, class AnyEdge>
std::vector<AnyEdge*> edges_of(AnyOp& op) {
  if (auto* jump = std::get_if<Jump>(&op)) return {&jump->to};
  if (auto* branch = std::get_if<Branch>(&op)) return {&branch->yes, &branch->no};
  return {};
}

bool raises(const Function& function, const std::vector<bool>& known) {
  for (const Block& block : function.blocks)
    for (const Inst& inst : block.insts) {
      const Call* call = std::get_if<Call>(&inst.op);
      if (info(inst.op).raises) return true;
      if (call && known[call->function]) return true;
    }
  return false;
}

}  // namespace

bool may_hold_addresses(TypeId id) {
  const TypeKind kind = type(id).kind;
  return kind != TypeKind::Scalar && kind != TypeKind::Vector;
}

TypeId item_type(TypeId whole, uint32_t index) {
  const Type& it = type(whole);
  if (it.kind == TypeKind::Vector) return index < it.lanes ? scalar_type(it.scalar) : TypeId{};
  bool record = it.kind == TypeKind::Tuple || it.kind == TypeKind::Struct;
  return record && index < it.fields.size() ? it.fields[index].type : TypeId{};
}

std::vector<bool> may_raise(const Module& module) {
  std::vector<bool> known(module.functions.size());
  if (module.sites.empty()) return known;
  // Callees come after their callers but for recursion, so one round is usually enough.
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = known.size(); i-- > 0;)
      if (!known[i] && raises(module.functions[i], known)) changed = known[i] = true;
  }
  return known;
}

// Along callees, whether a path comes back to its start.
bool calls_itself(const Module& module, uint32_t start) {
  std::vector<bool> seen(module.functions.size());
  std::vector<uint32_t> waiting{start};
  while (!waiting.empty()) {
    const Function& function = module.functions[waiting.back()];
    waiting.pop_back();
    for (const Block& block : function.blocks)
      for (const Inst& inst : block.insts) {
        const Call* call = std::get_if<Call>(&inst.op);
        if (!call || seen[call->function]) continue;
        if (call->function == start) return true;
        seen[call->function] = true;
        waiting.push_back(call->function);
      }
  }
  return false;
}

bool is_recursive(const Module& module) {
  if (module.sites.empty()) return false;  // recursion has one: too deep
  for (uint32_t i = 0; i < module.functions.size(); ++i)
    if (calls_itself(module, i)) return true;
  return false;
}

namespace {

template <class Visit>
void each_site(Module& module, Visit visit) {
  auto look_at = [&]<class Attribute>(Attribute& attribute) {
    if constexpr (std::is_same_v<Attribute, SiteId>) visit(attribute);
  };
  auto each_attribute = [&](auto& op) {
    std::apply([&](auto&... attributes) { (look_at(attributes), ...); }, op.attributes());
  };
  for (Function& function : module.functions)
    for (Block& block : function.blocks)
      for (Inst& inst : block.insts) std::visit(each_attribute, inst.op);
}

}  // namespace

void remove_unused_sites(Module& module) {
  std::vector<bool> used(module.sites.size());
  each_site(module, [&](SiteId site) { used[site] = true; });
  std::vector<uint32_t> moved(module.sites.size());
  Sites kept;
  for (size_t i = 0; i < used.size(); ++i) {
    moved[i] = static_cast<uint32_t>(kept.size());
    if (used[i]) kept.push_back(std::move(module.sites[i]));
  }
  module.sites = std::move(kept);
  each_site(module, [&](SiteId& site) { site = moved[site]; });
}

Op::Op() = default;
Op::Op(const Op&) = default;
Op::Op(Op&&) noexcept = default;
Op& Op::operator=(const Op&) = default;
Op& Op::operator=(Op&&) noexcept = default;
Op::~Op() = default;

template <class AnyOp>
Op Op::of(AnyOp op) {
  return Op(std::in_place_type<AnyOp>, std::move(op));
}

/// Asked for, so that they are there for other files.
template <class... Ops>
auto makers(OpList<Ops...>) {
  return std::array{reinterpret_cast<void (*)()>(&Op::of<Ops>)...};
}
[[gnu::used]] static const auto kMakers = makers(AllOps());

const OpInfo& info(const Op& op) {
  return std::visit([](const auto& of) -> const OpInfo& { return of.info; }, op);
}
std::span<ValueId> operands(Op& op) {
  return std::visit([](auto& of) { return std::span<ValueId>(of.in); }, op);
}
std::span<const ValueId> operands(const Op& op) {
  return std::visit([](const auto& of) { return std::span<const ValueId>(of.in); }, op);
}

const MathInfo& info(MathFunction function) { return kMath[static_cast<size_t>(function)]; }

std::vector<Edge*> edges(Op& op) { return edges_of<Op, Edge>(op); }
std::vector<const Edge*> edges(const Op& op) { return edges_of<const Op, const Edge>(op); }

}  // namespace hetjit::ir
