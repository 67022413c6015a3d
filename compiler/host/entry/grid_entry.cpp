// void entry(const std::byte* parameters, const Geometry* geometry, u64 first, u64 last)
//
//   for tile in [share(first), share(last)):   linear, x fastest: through the whole grid
//     for y in the tile:
//       warps along x, to the end of the tiles that follow in the row
//
// Rows that are one piece of code (rows_as_one.h) come several at a time, as far as there are as
// many, in pieces of some vectors; what is left along x, and of the rows, goes as above.
//
// Axes are the kernel's, which need not be the launch's (grid_rows.h). A tile has about as many
// threads as a block, so that it is no more to do and no less to steal.
#include "compiler/host/entry/grid_entry.h"

#include "compiler/host/entry/warp_rows.h"
#include "compiler/target/host_attention.h"

namespace hetjit::host {
namespace {

using llvm::Value;
using lower::Coordinate;

struct GridEntry : Entry {
  GridEntry(lower::ModuleLowering& module, const std::string& name, const GridRows& grid,
            const WarpFunctions& warps, const KnownExtents& extents)
      : Entry(module, declare_entry(module, name)), grid(grid), warps(warps) {
    set_extents(extents);
  }
  void run();

 private:
  void turn_axes();
  void lay_tiles();
  Value* run_tiles(Value* tile, Value* end);
  void run_rows(Value* top, Value* bottom, Value* from, Value* to);
  Value* run_as_one(Value* top, Value* from, Value* to);
  void set_row(Value* y) {
    coordinate(Coordinate::Thread, 1) = build.CreateTrunc(y, build.getInt32Ty());
  }
  Value* whole_up(Value* count, Value* of);
  Value* least(Value* a, Value* b) {
    return build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
  }

  const GridRows& grid;
  const WarpFunctions& warps;
  Value* blocks = nullptr;  // of the launch
  Value* extents[3] = {};   // threads of the launch along each axis
  Value* width = nullptr;   // of a tile
  Value *columns = nullptr, *bands = nullptr, *tiles = nullptr;  // of tiles in a row, of rows; all
};

/// What the kernel takes for its axes. Where its block begins is added to each place.
void GridEntry::turn_axes() {
  for (Coordinate kind : {Coordinate::BlockDimension, Coordinate::GridDimension}) {
    std::array<Value*, 3> before;
    for (unsigned axis = 0; axis < 3; ++axis) before[axis] = coordinate(kind, axis);
    for (unsigned axis = 0; axis < 3; ++axis) coordinate(kind, axis) = before[grid.axes[axis]];
  }
  for (unsigned axis = 0; axis < 3; ++axis) coordinate(Coordinate::Block, axis) = build.getInt32(0);
}

Value* GridEntry::whole_up(Value* count, Value* of) {
  Value* more = build.CreateSub(build.CreateAdd(count, of), build.getInt64(1));
  return build.CreateUDiv(more, of);
}

void GridEntry::lay_tiles() {
  Value* threads = blocks = build.getInt64(1);  // of a block
  for (unsigned axis = 0; axis < 3; ++axis) {
    Value* own = wide(Coordinate::BlockDimension, axis);
    Value* along = wide(Coordinate::GridDimension, axis);
    threads = build.CreateMul(threads, own);
    blocks = build.CreateMul(blocks, along);
    extents[axis] = build.CreateMul(along, own);
  }
  width = build.getInt64(uint64_t{warps.width} * warps.wide_by * grid.vectors);
  if (grid.rows == 1) width = build.CreateMul(whole_up(threads, width), width);
  columns = whole_up(extents[0], width);
  bands = whole_up(extents[1], build.getInt64(grid.rows));
  tiles = build.CreateMul(build.CreateMul(columns, bands), extents[2]);
}

/// From the one that is next on, what goes through the same rows; the next one then.
Value* GridEntry::run_tiles(Value* tile, Value* end) {
  Value* column = build.CreateURem(tile, columns);
  Value* above = build.CreateUDiv(tile, columns);
  Value* band = build.CreateURem(above, bands);
  Value* many = build.getInt64(1);
  if (grid.rows == 1) many = least(build.CreateSub(end, tile), build.CreateSub(columns, column));
  Value* from = build.CreateMul(column, width);
  Value* to = least(extents[0], build.CreateAdd(from, build.CreateMul(many, width)));
  Value* top = build.CreateMul(band, build.getInt64(grid.rows));
  Value* bottom = least(extents[1], build.CreateAdd(top, build.getInt64(grid.rows)));
  llvm::Type* u32 = build.getInt32Ty();
  coordinate(Coordinate::Thread, 2) = build.CreateTrunc(build.CreateUDiv(above, bands), u32);
  if (warps.rows) {
    Value* count = build.getInt64(warps.rows_count);
    target::mark_counted(*stepping_loop(build, top, bottom, "rows", [&](Value* y) {
      Value* next = build.CreateAdd(y, count);
      Value* several = build.CreateICmpULE(next, bottom);
      Value* behind = run_as_one(y, from, build.CreateSelect(several, to, from));
      run_rows(y, least(next, bottom), behind, to);
      return next;
    }));
  } else {
    run_rows(top, bottom, from, to);
  }
  return build.CreateAdd(tile, many);
}

void GridEntry::run_rows(Value* top, Value* bottom, Value* from, Value* to) {
  counted_loop(build, top, bottom, "row", [&](Value* y) {
    set_row(y);
    loop_over_warps(*this, warps, from, to);
  });
}

/// Whole pieces of several rows, from that one on; where along x they end.
Value* GridEntry::run_as_one(Value* top, Value* from, Value* to) {
  Value* piece = build.getInt64(uint64_t{warps.width} * warps.rows_wide_by);
  Value* count = build.CreateUDiv(build.CreateSub(to, from), piece);
  set_row(top);
  counted_loop(build, build.getInt64(0), count, "piece", [&](Value* index) {
    Value* x = build.CreateAdd(from, build.CreateMul(index, piece));
    coordinate(Coordinate::Thread, 0) = build.CreateTrunc(x, build.getInt32Ty());
    build.CreateCall(warps.rows, arguments);
  });
  return build.CreateAdd(from, build.CreateMul(count, piece));
}

void GridEntry::run() {
  turn_axes();
  lay_tiles();
  Value* begin = share(function.getArg(2), blocks, tiles);
  Value* end = share(function.getArg(3), blocks, tiles);
  target::mark_counted(*stepping_loop(build, begin, end, "tiles",
                                      [&](Value* tile) { return run_tiles(tile, end); }));
  build.CreateRetVoid();
}

}  // namespace

llvm::Function* build_grid_entry(lower::ModuleLowering& module, const std::string& name,
                                 const GridRows& grid, const WarpFunctions& warps,
                                 const KnownExtents& extents) {
  GridEntry at(module, name, grid, warps, extents);
  at.run();
  return &at.function;
}

}  // namespace hetjit::host
