// Which lanes of a warp are active in a block.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <deque>
#include <vector>

namespace hetjit::host {

/// Active is a lane where `lanes` is true, as long as `flag` is. Masks remember of what they are a
/// part, so that where all parts of a whole meet, the whole is known without a computation.
struct Mask {
  llvm::Value* flag = nullptr;   // i1; null: true
  llvm::Value* lanes = nullptr;  // <W x i1>; null: all
  const Mask* whole = nullptr;   // null: not a part
  const void* split = nullptr;   // what divided the whole: a branch, a loop with several exits
  unsigned parts = 0;            // into how many
  bool carried = false;          // a loop collects its lanes from turn to turn
};

/// <W x i1>: the first `count` lanes, i32; or all, where there are no more.
llvm::Value* first_lanes(llvm::IRBuilder<>& build, llvm::Value* count, unsigned width);

class Masks {
 public:
  Masks(llvm::IRBuilder<>& build, unsigned width) : build_(build), width_(width) {}

  const Mask* add(Mask mask) { return &masks_.emplace_back(mask); }
  /// From here on only those of its lanes are active. It is a part of nothing any more:
  /// where parts meet, their whole would bring the others back.
  void narrow(const Mask& mask, llvm::Value* lanes);
  /// The lanes that are in any of these; no mask is in the list twice.
  const Mask* unite(std::vector<const Mask*> masks);

  /// All as <W x i1>.
  llvm::Value* lanes_of(const Mask& mask);
  /// Is any lane active? i1; null: certainly, as far as the mask itself says.
  llvm::Value* any_of(const Mask& mask);
  llvm::Value* any(llvm::Value* lanes);
  /// a && b, where b may be anything when a is false.
  llvm::Value* both(llvm::Value* a, llvm::Value* b);
  llvm::Constant* all_lanes() const;
  llvm::Constant* no_lanes() const { return llvm::Constant::getNullValue(all_lanes()->getType()); }

 private:
  bool unite_parts(std::vector<const Mask*>& masks) const;

  llvm::IRBuilder<>& build_;
  unsigned width_;
  std::deque<Mask> masks_;
};

}  // namespace hetjit::host
