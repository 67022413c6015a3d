// Of two numbers one, and of that and one of the two again: choices of floats that LLVM takes for
// maxima or minima.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

using Predicate = llvm::CmpInst::Predicate;

/// A select of `one` where it compares so with `other`, else of `other`.
struct Choice {
  llvm::Value *one, *other;
  Predicate takes_one;
};

/// Are they the same number to a comparison?
bool compare_alike(llvm::Value* a, llvm::Value* b) {
  using namespace llvm::PatternMatch;
  return a == b || (match(a, m_AnyZeroFP()) && match(b, m_AnyZeroFP()));
}

/// nullopt: it is no select of two floats that it compares.
std::optional<Choice> choice_of(llvm::Value* value) {
  auto* select = llvm::dyn_cast<llvm::SelectInst>(value);
  const auto* compare = select ? llvm::dyn_cast<llvm::FCmpInst>(select->getCondition()) : nullptr;
  if (!compare) return std::nullopt;
  llvm::Value *yes = select->getTrueValue(), *no = select->getFalseValue();
  llvm::Value *left = compare->getOperand(0), *right = compare->getOperand(1);
  if (compare_alike(left, yes) && compare_alike(right, no))
    return Choice{yes, no, compare->getPredicate()};
  if (compare_alike(left, no) && compare_alike(right, yes))
    return Choice{yes, no, compare->getSwappedPredicate()};
  return std::nullopt;
}

/// The same, said the other way round.
Choice turned(const Choice& choice) {
  const Predicate refuses = llvm::CmpInst::getInversePredicate(choice.takes_one);
  return {choice.other, choice.one, llvm::CmpInst::getSwappedPredicate(refuses)};
}

/// The choice between `again.other` and what was chosen before, as one between that and what the
/// first one had; nullopt: it is none.
std::optional<Choice> merged(const Choice& again) {
  const std::optional<Choice> first = choice_of(again.one);
  if (!first) return std::nullopt;
  for (const Choice& before : {*first, turned(*first)}) {
    const bool same_zero =
        before.other != again.other && !(again.takes_one & llvm::CmpInst::FCMP_OEQ);
    if (before.other != again.other && !(same_zero && compare_alike(before.other, again.other)))
      continue;
    // A predicate is the set of outcomes for which it holds.
    return Choice{before.one, again.other,
                  static_cast<Predicate>(before.takes_one & again.takes_one)};
  }
  return std::nullopt;
}

/// A choice between a number and a bound that is one of the program's text.
struct Clamp {
  llvm::SelectInst* select;
  llvm::Value* number;
  Predicate takes_number;
  llvm::APFloat bound;
};

bool is_extreme(Predicate takes_one) {
  const bool above = takes_one & llvm::CmpInst::FCMP_OGT;
  return above != static_cast<bool>(takes_one & llvm::CmpInst::FCMP_OLT);
}

std::optional<Clamp> clamp_of(llvm::Instruction& at) {
  using namespace llvm::PatternMatch;
  const std::optional<Choice> choice = choice_of(&at);
  if (!choice || !is_extreme(choice->takes_one)) return std::nullopt;
  const llvm::APFloat* bound = nullptr;
  for (const Choice& side : {*choice, turned(*choice)})
    if (match(side.other, m_APFloat(bound)) && !bound->isNaN())
      return Clamp{llvm::cast<llvm::SelectInst>(&at), side.one, side.takes_one, *bound};
  return std::nullopt;
}

/// What it makes of NaN, of the bound itself, and of the other zero.
unsigned form_of(const Clamp& clamp) {
  const unsigned answers = llvm::CmpInst::FCMP_UNO | llvm::CmpInst::FCMP_OEQ;
  return (clamp.takes_number & answers) << 1 | clamp.bound.isNegZero();
}

/// The same question about the number that is next to the bound, of which InstCombine makes
/// neither a maximum nor a minimum; false: there is none.
bool ask_the_next_number(const Clamp& clamp) {
  const bool above = clamp.takes_number & llvm::CmpInst::FCMP_OGT;
  const bool if_equal = clamp.takes_number & llvm::CmpInst::FCMP_OEQ;
  llvm::APFloat next = clamp.bound;
  next.next(/*nextDown=*/above == if_equal);
  if (next.bitwiseIsEqual(clamp.bound)) return false;  // beyond infinity
  auto takes = static_cast<Predicate>(clamp.takes_number ^ llvm::CmpInst::FCMP_OEQ);
  if (clamp.number != clamp.select->getTrueValue())
    takes = llvm::CmpInst::getInversePredicate(takes);
  llvm::IRBuilder<> build(clamp.select);
  llvm::Value* bound = llvm::ConstantFP::get(clamp.number->getType(), next);
  clamp.select->setCondition(build.CreateFCmp(takes, clamp.number, bound));
  return true;
}

/// May InstCombine turn a clamp round, by moving a negation out of it or into it?
bool negates(const llvm::Function& function) {
  using namespace llvm::PatternMatch;
  return std::ranges::any_of(llvm::instructions(function), [](const llvm::Instruction& at) {
    return at.getOpcode() == llvm::Instruction::FNeg ||
           match(&at, m_FSub(m_AnyZeroFP(), m_Value())) ||
           match(&at, m_FMul(m_Value(), m_SpecificFP(-1.0)));
  });
}

/// Clamps at one bound, whatever the format: all that InstCombine may bring together, as it drops
/// what stands between them.
uint64_t bound_key(llvm::APFloat bound, bool without_sign) {
  bool inexact = false;
  bound.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  if (without_sign || bound.isZero()) bound.clearSign();
  return bound.bitcastToAPInt().getZExtValue();
}

/// Where a function has clamps at one bound in several forms, all but those of the commonest form
/// ask for the next number.
bool tell_forms_apart(llvm::Function& function) {
  constexpr size_t kForms = 32;
  std::map<uint64_t, std::array<std::vector<Clamp>, kForms>> clamps;
  const bool without_sign = negates(function);
  for (llvm::Instruction& at : llvm::instructions(function))
    if (const std::optional<Clamp> clamp = clamp_of(at))
      clamps[bound_key(clamp->bound, without_sign)][form_of(*clamp)].push_back(*clamp);
  bool changed = false;
  for (auto& [key, forms] : clamps) {
    const auto common = std::ranges::max_element(forms, {}, &std::vector<Clamp>::size);
    for (auto form = forms.begin(); form != forms.end(); ++form)
      if (form != common)
        for (const Clamp& clamp : *form) changed |= ask_the_next_number(clamp);
  }
  return changed;
}

/// Is it a choice between a number and a zero that a maximum's or minimum's instruction makes
/// otherwise, as -0.0 is less than 0.0 to it?
bool is_other_zero(const Choice& choice) {
  using namespace llvm::PatternMatch;
  using Compare = llvm::CmpInst;
  if (!match(choice.other, m_AnyZeroFP())) return false;
  const bool above = choice.takes_one & Compare::FCMP_OGT;
  if (above == static_cast<bool>(choice.takes_one & Compare::FCMP_OLT)) return false;
  const bool if_equal = choice.takes_one & Compare::FCMP_OEQ;
  return (above == if_equal) != match(choice.other, m_NegZeroFP());
}

}  // namespace

bool merge_choices(llvm::Function& function) {
  bool changed = false;
  for (llvm::Instruction& at : llvm::make_early_inc_range(llvm::instructions(function))) {
    const std::optional<Choice> choice = choice_of(&at);
    if (!choice) continue;
    std::optional<Choice> made = merged(*choice);
    if (!made) made = merged(turned(*choice));
    if (!made) continue;
    llvm::IRBuilder<> build(&at);
    llvm::Value* takes = build.CreateFCmp(made->takes_one, made->one, made->other);
    at.replaceAllUsesWith(build.CreateSelect(takes, made->one, made->other));
    at.eraseFromParent();
    changed = true;
  }
  return tell_forms_apart(function) || changed;
}

void keep_choices_of_zero(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& at : llvm::make_early_inc_range(llvm::instructions(function))) {
      const std::optional<Choice> choice = choice_of(&at);
      if (!choice || at.hasNoSignedZeros()) continue;
      if (!is_other_zero(*choice) && !is_other_zero(turned(*choice))) continue;
      auto& select = llvm::cast<llvm::SelectInst>(at);
      llvm::IRBuilder<> build(&at);
      llvm::Type* bits =
          at.getType()->getWithNewType(build.getIntNTy(at.getType()->getScalarSizeInBits()));
      auto as_bits = [&](llvm::Value* value) { return build.CreateBitCast(value, bits); };
      llvm::Value* chosen = build.CreateSelect(
          select.getCondition(), as_bits(select.getTrueValue()), as_bits(select.getFalseValue()));
      at.replaceAllUsesWith(build.CreateBitCast(chosen, at.getType()));
      at.eraseFromParent();
    }
}

}  // namespace hetjit::target
