#include "compiler/host/warp/mask.h"

#include <algorithm>

namespace hetjit::host {

using llvm::Value;

// Lanes are counted in bytes: what compares them is one vector.
Value* first_lanes(llvm::IRBuilder<>& build, Value* count, unsigned width) {
  auto* each = llvm::FixedVectorType::get(build.getInt8Ty(), width);
  count = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count, build.getInt32(width));
  Value* bytes = build.CreateVectorSplat(width, build.CreateTrunc(count, build.getInt8Ty()));
  return build.CreateICmpULT(build.CreateStepVector(each), bytes);
}

llvm::Constant* Masks::all_lanes() const {
  return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(width_), build_.getTrue());
}

// `a ? b : false`, because what skipped code left in b may be undefined.
Value* Masks::both(Value* a, Value* b) {
  if (!a) return b;
  if (!b) return a;
  return build_.CreateSelect(a, b, llvm::Constant::getNullValue(b->getType()));
}

Value* Masks::lanes_of(const Mask& mask) {
  Value* lanes = mask.lanes ? mask.lanes : all_lanes();
  return mask.flag ? both(mask.flag, lanes) : lanes;
}

Value* Masks::any(Value* lanes) { return build_.CreateOrReduce(lanes); }

Value* Masks::any_of(const Mask& mask) {
  return mask.lanes ? both(mask.flag, any(mask.lanes)) : mask.flag;
}

void Masks::narrow(const Mask& mask, Value* lanes) {
  const auto own = std::ranges::find(masks_, &mask, [](const Mask& each) { return &each; });
  *own = {mask.flag, both(mask.lanes, lanes)};
}

// Replaces all parts of a whole by the whole.
bool Masks::unite_parts(std::vector<const Mask*>& masks) const {
  for (const Mask* one : masks) {
    if (!one->whole) continue;
    auto is_sibling = [&](const Mask* other) {
      return other->whole == one->whole && other->split == one->split;
    };
    if (std::count_if(masks.begin(), masks.end(), is_sibling) != one->parts) continue;
    const Mask* whole = one->whole;
    std::erase_if(masks, is_sibling);
    masks.push_back(whole);
    return true;
  }
  return false;
}

const Mask* Masks::unite(std::vector<const Mask*> masks) {
  while (unite_parts(masks)) {
  }
  if (masks.size() == 1) return masks[0];
  bool same_lanes = std::all_of(masks.begin(), masks.end(),
                                [&](const Mask* mask) { return mask->lanes == masks[0]->lanes; });
  Mask all;
  if (same_lanes) all.lanes = masks[0]->lanes;
  for (const Mask* mask : masks) {
    Value* part = same_lanes ? mask->flag : lanes_of(*mask);
    if (same_lanes && !part) return add({nullptr, all.lanes});  // it is all of them already
    Value*& sum = same_lanes ? all.flag : all.lanes;
    sum = sum ? build_.CreateOr(sum, part) : part;
  }
  return add(all);
}

}  // namespace hetjit::host
