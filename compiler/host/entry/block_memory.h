// A block's warps and their memory, as both entries with phases see them. Private to compiler/host.
#pragma once

#include "compiler/host/entry/entry.h"
#include "compiler/host/entry/phase_functions.h"

namespace hetjit::host {

struct BlockMemory {
  llvm::Value* block = nullptr;     // the block's part (frame.h)
  llvm::Value* contexts = nullptr;  // the first warp's
  uint64_t context_bytes = 0;

  llvm::Value* context_of(llvm::IRBuilder<>& build, llvm::Value* warp) const;
};

/// Memory for one block with that many warps, from the thread that runs it.
BlockMemory take_memory(Entry& at, const PhasedCode& code, llvm::Value* warps);

/// A warp of the block at hand.
struct WarpPlace {
  llvm::Value* index = nullptr;   // u32
  llvm::Value* thread[3] = {};    // of its first lane, u32
  llvm::Value* lanes = nullptr;   // which of its lanes are threads, bits of a u64
  llvm::Value* in_row = nullptr;  // whether they lie as the form for all of them has it; null: yes
  bool some = false;              // the form with a mask runs them, whatever they are
};

/// The warps of a block: those of each row (along x), or, for kernels that know warps, where rows
/// are no multiple of them, 32 threads in the block's order.
struct BlockWarps {
  unsigned width = 1;
  bool knows_linear = false;
  bool beyond_x = true;     // does any thread ask for its y or z?
  bool whole_rows = false;  // ByPhases::whole_rows
  llvm::Value *count = nullptr, *linear = nullptr, *threads = nullptr;
  llvm::Value* whole = nullptr;  // all lanes of all warps are threads

  static BlockWarps of(Entry& at, const PhasedCode& code);
  /// Any one of them.
  WarpPlace find(Entry& at, llvm::Value* index) const;
  /// All of them.
  template <class Body>
  void for_each(Entry& at, Body body) const {
    if (knows_linear) return for_some(at, at.build.getInt32(0), count, body);
    llvm::IRBuilder<>& build = at.build;
    llvm::Value *zero = build.getInt32(0), *place[3];
    for (llvm::Value*& axis : place) axis = begin_at_zero(at);
    const Row row = row_of(at);
    counted_loop(build, zero, row.count, "row", [&](llvm::Value* index) {
      llvm::Value* first = build.CreateMul(index, row.warps, "", /*NUW=*/true);
      auto run = [&](llvm::Value* in_row, bool whole) {
        WarpPlace warp = read(at, build.CreateAdd(first, in_row), place);
        warp.thread[0] = build.CreateMul(in_row, build.getInt32(width), "", /*NUW=*/true);
        warp.some = !whole;
        warp.lanes = whole ? all_lanes(at) : first_lanes(at, left_in_row(at, warp.thread[0]));
        body(warp);
      };
      counted_loop(build, zero, row.whole, "warp", [&](llvm::Value* in_row) { run(in_row, true); });
      counted_loop(build, row.whole, row.warps, "rest",
                   [&](llvm::Value* in_row) { run(in_row, false); });
      next_row(at, read(at, first, place), build.getTrue(), place);
    });
  }
  /// Those from `first`, which is of the first row, to before `end`; u32.
  template <class Body>
  void for_some(Entry& at, llvm::Value* first, llvm::Value* end, Body body) const {
    llvm::IRBuilder<>& build = at.build;
    llvm::Value* place[3];
    for (llvm::Value*& axis : place) axis = begin_at_zero(at);
    build.CreateStore(build.CreateMul(first, build.getInt32(width)), place[0]);
    for_rest(at, first, end, place, body);
  }
  /// The same, all of the first row and whole.
  template <class Body>
  void for_whole(Entry& at, llvm::Value* first, llvm::Value* end, Body body) const {
    llvm::IRBuilder<>& build = at.build;
    llvm::Value* zero = build.getInt32(0);
    counted_loop(build, first, end, "settled", [&](llvm::Value* index) {
      body({index,
            {build.CreateMul(index, build.getInt32(width), "", true), zero, zero},
            all_lanes(at)});
    });
  }
  /// The same; where each row is one whole warp, several follow one another without a branch.
  template <class Body>
  void for_each_by_rows(Entry& at, unsigned rows, Body body) const {
    llvm::IRBuilder<>& build = at.build;
    llvm::Value* place[3];
    for (llvm::Value*& axis : place) axis = begin_at_zero(at);
    llvm::Value* groups = groups_of_rows(at, rows);
    counted_loop(build, build.getInt32(0), groups, "rows", [&](llvm::Value* group) {
      llvm::Value* first = build.CreateMul(group, build.getInt32(rows), "", /*NUW=*/true);
      for (unsigned row = 0; row < rows; ++row) {
        WarpPlace warp = read(at, build.CreateAdd(first, build.getInt32(row)), place);
        warp.thread[0] = build.getInt32(0);
        warp.lanes = all_lanes(at);
        body(warp);
        next_row(at, warp, build.getTrue(), place);
      }
    });
    for_rest(at, build.CreateMul(groups, build.getInt32(rows)), count, place, body);
  }

 private:
  template <class Body>
  void for_rest(Entry& at, llvm::Value* first, llvm::Value* end, llvm::Value* (&place)[3],
                Body body) const {
    counted_loop(at.build, first, end, "warp", [&](llvm::Value* index) {
      WarpPlace warp = read(at, index, place);
      look_at(at, warp);
      body(warp);
      advance(at, warp, place);
    });
  }
  /// Of each: how many there are, their warps, and how many of those the form for all lanes is for.
  struct Row {
    llvm::Value *count, *warps, *whole;
  };
  Row row_of(Entry& at) const;
  llvm::Value* left_in_row(Entry& at, llvm::Value* x) const;
  llvm::Value* first_lanes(Entry& at, llvm::Value* threads) const;
  static llvm::Value* begin_at_zero(Entry& at);
  static WarpPlace read(Entry& at, llvm::Value* index, llvm::Value* (&place)[3]);
  llvm::Value* all_lanes(Entry& at) const;
  llvm::Value* groups_of_rows(Entry& at, unsigned rows) const;
  void next_row(Entry& at, const WarpPlace& warp, llvm::Value* row_ends,
                llvm::Value* (&place)[3]) const;
  void look_at(Entry& at, WarpPlace& warp) const;
  void advance(Entry& at, const WarpPlace& warp, llvm::Value* (&place)[3]) const;
};

/// One call of a phase for one warp: the form for all lanes of a row, or the one that is given a
/// mask, or neither when no lane is left; a constant of lanes is all of them, in a row. The result
/// is the phase that is next, 0 for done. `whole`: known before anything is looked at; null: it is
/// not.
struct WarpCall {
  Entry& at;
  llvm::ArrayRef<llvm::Value*> arguments;  // the kernel's, then the coordinates
  const WarpPlace& warp;
  llvm::ArrayRef<llvm::Value*> slots;
  llvm::Value* lanes;
  const BlockMemory& memory;
  llvm::Value* context;
  unsigned width;
  llvm::Value* whole = nullptr;

  llvm::Value* run(const WarpFunctions& forms);

 private:
  llvm::Value* call(llvm::Function* form, bool with_mask);
  llvm::Value* run_some(const WarpFunctions& forms);
};

bool uses_votes(const PhasedCode& code);
void clear_votes(llvm::IRBuilder<>& build, llvm::Value* block);
/// The votes so far are those of the wait before; the next ones begin at none.
void end_votes(llvm::IRBuilder<>& build, llvm::Value* block);

/// A variable of the function, for mem2reg.
llvm::Value* at_entry(llvm::Function& function, llvm::Type* type);

}  // namespace hetjit::host
