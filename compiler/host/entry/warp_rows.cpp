#include "compiler/host/entry/warp_rows.h"

#include "compiler/host/warp/mask.h"

namespace hetjit::host {
namespace {

using llvm::Value;

struct ThreadRow {
  Entry& at;
  const WarpFunctions& forms;
  Value* from;
  Value* to;

  Value* number(uint64_t value) { return llvm::ConstantInt::get(from->getType(), value); }
  /// The threads of warp `index` come next; the first one's place.
  Value* begin_warp(Value* index) {
    llvm::IRBuilder<>& build = at.build;
    Value* first = build.CreateAdd(from, build.CreateMul(index, number(forms.width)));
    at.coordinate(lower::Coordinate::Thread, 0) = build.CreateTrunc(first, build.getInt32Ty());
    return first;
  }
  void call_with_mask(Value* first) {
    llvm::IRBuilder<>& build = at.build;
    llvm::SmallVector<Value*, 32> arguments = at.arguments;
    Value* left = build.CreateTrunc(build.CreateSub(to, first), build.getInt32Ty());
    Value* active = first_lanes(build, left, forms.width);
    arguments.insert(arguments.end() - lower::kCoordinates, active);
    build.CreateCall(forms.some, arguments);
  }
  void run() {
    llvm::IRBuilder<>& build = at.build;
    Value *count = build.CreateSub(to, from), *width = number(forms.width);
    Value *whole = build.CreateUDiv(count, width), *begun = number(0);
    Value* uneven = build.CreateIsNotNull(build.CreateURem(count, width));
    Value* every = build.CreateAdd(whole, build.CreateZExt(uneven, count->getType()));
    if (forms.whole_rows) whole = build.CreateSelect(uneven, begun, whole);
    if (forms.wide) {
      Value* by = number(forms.wide_by);
      Value* together = build.CreateUDiv(whole, by);
      counted_loop(build, begun, together, "wide", [&](Value* index) {
        begin_warp(build.CreateMul(index, by));
        build.CreateCall(forms.wide, at.arguments);
      });
      begun = build.CreateMul(together, by);
    }
    counted_loop(build, begun, whole, "warp", [&](Value* index) {
      begin_warp(index);
      build.CreateCall(forms.all, at.arguments);
    });
    counted_loop(build, whole, every, "rest",
                 [&](Value* index) { call_with_mask(begin_warp(index)); });
  }
};

}  // namespace

void loop_over_warps(Entry& at, const WarpFunctions& forms, Value* from, Value* to) {
  ThreadRow{at, forms, from, to}.run();
}

}  // namespace hetjit::host
