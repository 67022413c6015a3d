// Where multiply-add fuses: the one rule, for every target and the interpreter.
//
// A floating product fuses with the sum or difference that it feeds when
//   - the product is used exactly once, and
//   - that use is an addition or subtraction of the same block;
// when both operands are such products, the left one fuses. Then
//     a * b + c   is   fma(a, b, c)           c + a * b   is   fma(a, b, c)
//     a * b - c   is   fma(a, b, -c)          c - a * b   is   fma(-a, b, c)
// rounded once. Negation is exact, so only the product's own rounding is lost. What is written
// decides and nothing else: no target, no optimisation level. `contract=False` turns the pass off.
#include "compiler/ir/edit.h"
#include "compiler/ir/uses.h"
#include "compiler/passes/passes.h"

namespace hetjit::passes {
namespace {

class Contraction {
 public:
  Contraction(ir::Function& function) : uses_(ir::count_uses(function)), at_(function) {}

  bool run() {
    return at_.run([&](ir::Inst& inst) -> std::optional<ValueId> {
      // Instructions of this block are those since it was entered.
      if (auto* add = std::get_if<ir::Add>(&inst.op)) return fuse_sum(*add, inst.result);
      if (auto* sub = std::get_if<ir::Sub>(&inst.op)) return fuse_difference(*sub, inst.result);
      if (auto* product = std::get_if<ir::MultiplyComplex>(&inst.op)) fuse_parts(*product);
      remember(inst);
      return std::nullopt;
    });
  }

 private:
  // The product behind an operand, if it may fuse here.
  const ir::Mul* product(ValueId id) const {
    if (id.index >= product_block_.size() || product_block_[id.index] != at_.block())
      return nullptr;
    return at_.made_by<ir::Mul>(id);
  }
  void remember(const ir::Inst& inst) {
    if (!std::holds_alternative<ir::Mul>(inst.op) || uses_[inst.result.index] != 1) return;
    if (!is_floating(type(at_.type_of(inst.result)).scalar)) return;
    product_block_.resize(std::max<size_t>(product_block_.size(), inst.result.index + 1));
    product_block_[inst.result.index] = at_.block();
  }
  ValueId negate(ValueId id) { return at_.make<ir::Neg>(at_.type_of(id), id); }
  ValueId fma(ValueId a, ValueId b, ValueId c, ValueId result) {
    return at_.make<ir::Fma>(at_.type_of(result), a, b, c);
  }
  std::optional<ValueId> fuse_sum(const ir::Add& add, ValueId result) {
    for (size_t side : {0, 1})
      if (const ir::Mul* mul = product(add.in[side]))
        return fma(mul->in[0], mul->in[1], add.in[1 - side], result);
    return std::nullopt;
  }
  std::optional<ValueId> fuse_difference(const ir::Sub& sub, ValueId result) {
    if (const ir::Mul* mul = product(sub.in[0])) {
      ValueId a = mul->in[0], b = mul->in[1];
      return fma(a, b, negate(sub.in[1]), result);
    }
    if (const ir::Mul* mul = product(sub.in[1])) {
      ValueId a = mul->in[0], b = mul->in[1];
      return fma(negate(a), b, sub.in[0], result);
    }
    return std::nullopt;
  }

  // The sums inside a complex product follow the same rule.
  void fuse_parts(ir::MultiplyComplex& product) {
    if (!product.fused) at_.mark_changed();
    product.fused = 1;
  }

  std::vector<uint32_t> uses_;
  std::vector<BlockId> product_block_;  // by value: the block of a product used once
  ir::Editor at_;
};

}  // namespace

bool contract(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions) changed |= Contraction(function).run();
  return changed;
}

}  // namespace hetjit::passes
