#include "compiler/ir/ir.h"

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

}  // namespace

TypeId item_type(TypeId whole, uint32_t index) {
  const Type& it = type(whole);
  if (it.kind == TypeKind::Vector) return index < it.lanes ? scalar_type(it.scalar) : TypeId{};
  bool record = it.kind == TypeKind::Tuple || it.kind == TypeKind::Struct;
  return record && index < it.fields.size() ? it.fields[index].type : TypeId{};
}

const MathInfo& info(MathFunction function) { return kMath[static_cast<size_t>(function)]; }

std::vector<Edge*> edges(Op& op) { return edges_of<Op, Edge>(op); }
std::vector<const Edge*> edges(const Op& op) { return edges_of<const Op, const Edge>(op); }

}  // namespace hetjit::ir
