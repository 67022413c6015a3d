// What every host entry begins with: parameters and geometry read, a block's place found.
// Private to compiler/host.
#pragma once

#include "compiler/host/facts/flat_blocks.h"
#include "compiler/host/facts/known_extents.h"
#include "compiler/lower/lowering.h"

namespace hetjit::host {

/// Declares `void name(const std::byte* parameters, const Geometry* geometry, u64 first, u64
/// last)`.
llvm::Function& declare_entry(lower::ModuleLowering& module, const std::string& name);

struct Entry {
  /// Begins the function; parameters and geometry are its first two arguments.
  Entry(lower::ModuleLowering& module, llvm::Function& function);
  /// The same for a function that finds them elsewhere: `find` builds their addresses.
  using Find = llvm::function_ref<std::pair<llvm::Value*, llvm::Value*>(llvm::IRBuilder<>&)>;
  Entry(lower::ModuleLowering& module, llvm::Function& function, Find find);

  lower::ModuleLowering& module;
  llvm::Function& function;
  llvm::IRBuilder<> build;
  llvm::SmallVector<llvm::Value*, 32> arguments;  // the parameters' leaves, then the coordinates
  size_t first_coordinate = 0;
  llvm::Value* result_address = nullptr;
  llvm::Value* shared_bytes = nullptr;  // that the launch asked for, u32

  llvm::Value*& coordinate(lower::Coordinate kind, unsigned axis) {
    return arguments[first_coordinate + static_cast<unsigned>(kind) + axis];
  }
  /// The same as an i64.
  llvm::Value* wide(lower::Coordinate kind, unsigned axis) {
    return build.CreateZExt(coordinate(kind, axis), build.getInt64Ty());
  }
  /// What `block` of `blocks` begins with, of `count` that all of them share out; u64. Grows with
  /// the block, and is `count` for `blocks`: so each falls to one block, however numbers are
  /// rounded.
  llvm::Value* share(llvm::Value* block, llvm::Value* blocks, llvm::Value* count);
  /// An array's extent among the arguments, an i64.
  llvm::Value*& extent(const KnownExtent& of);
  /// Where a parameter's leaves begin among the arguments.
  size_t first_leaf(uint32_t parameter);
  /// How many elements an array has, an i64.
  llvm::Value* elements_of(uint32_t array);
  /// What these take; u64.
  llvm::Value* bytes_of(uint32_t array);
  /// Do these arrays, all contiguous, share no memory with any other one? i1.
  llvm::Value* lie_apart(const std::vector<uint32_t>& written);
  /// The launch is one of those that have these.
  void set_extents(const KnownExtents& extents);
  /// The kernel's axes in place of the launch's (plan/flat_blocks.h): before a block is split.
  void lay_blocks(const FlatBlocks& flat);
  /// linear = x + grid.x * (y + grid.y * z); of blocks that are one together: the first one's.
  void split_block(llvm::Value* linear);

 private:
  void read_parameters(llvm::Value* parameters);
  void read_geometry(llvm::Value* geometry);
  std::pair<llvm::Value*, llvm::Value*> memory_of(uint32_t array);

  unsigned blocks_together_ = 1;
};

/// A function of our graph that an entry asks something, taken in where it is called.
llvm::Function* write_question(lower::ModuleLowering& module, const ir::Function& asked);

/// An entry that only other entries of its kernel call.
void make_inner(lower::ModuleLowering& module, llvm::Function& entry);

/// The entry `name` of a kernel that has two: one for launches with these extents, in which the
/// arrays that are `written` share no memory with others, and one for all else.
llvm::Function* build_choice(lower::ModuleLowering& module, const std::string& name,
                             const KnownExtents& extents, const std::vector<uint32_t>& written,
                             llvm::Function& few, llvm::Function& any);

/// The entry `name` of a kernel that has two: `far` for launches in which these arrays are larger
/// than caches, and one for all else.
llvm::Function* build_sweeps_choice(lower::ModuleLowering& module, const std::string& name,
                                    const std::vector<uint32_t>& arrays, llvm::Function& far,
                                    llvm::Function& any);

/// The entry `name` of a kernel that has two: `many` for blocks side by side that are one together
/// (plan/block_lanes.h), numbered so, and one for all others.
llvm::Function* build_blocks_choice(lower::ModuleLowering& module, const std::string& name,
                                    const FlatBlocks& flat, llvm::Function& many,
                                    llvm::Function& any);

/// A loop from `from` to below `to` round what `body(index)` builds, whose result comes next: more
/// than `index`. Ends in the exit block. The result is the branch back, which carries what is known
/// of the loop.
template <class Body>
llvm::Instruction* stepping_loop(llvm::IRBuilder<>& build, llvm::Value* from, llvm::Value* to,
                                 const char* name, Body&& body) {
  llvm::LLVMContext& context = build.getContext();
  llvm::BasicBlock* before = build.GetInsertBlock();
  llvm::Function* function = before->getParent();
  auto* head = llvm::BasicBlock::Create(context, name, function);
  auto* exit = llvm::BasicBlock::Create(context, llvm::Twine(name) + ".done", function);
  build.CreateCondBr(build.CreateICmpULT(from, to), head, exit);
  build.SetInsertPoint(head);
  llvm::PHINode* index = build.CreatePHI(from->getType(), 2, name);
  index->addIncoming(from, before);
  llvm::Value* next = body(index);
  index->addIncoming(next, build.GetInsertBlock());
  llvm::Instruction* back = build.CreateCondBr(build.CreateICmpULT(next, to), head, exit);
  exit->moveAfter(build.GetInsertBlock());
  build.SetInsertPoint(exit);
  return back;
}

/// The same by steps of one.
template <class Body>
llvm::Instruction* counted_loop(llvm::IRBuilder<>& build, llvm::Value* from, llvm::Value* to,
                                const char* name, Body&& body) {
  return stepping_loop(build, from, to, name, [&](llvm::Value* index) {
    body(index);
    return build.CreateAdd(index, llvm::ConstantInt::get(index->getType(), 1), "",
                           /*NUW=*/true, /*NSW=*/false);
  });
}

}  // namespace hetjit::host
