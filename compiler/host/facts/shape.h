// How a value spreads over the lanes of a warp, and where lanes part.
//
// A warp is W threads side by side along x. What is the same in all of them is kept once; what
// grows by the same step from lane to lane is kept as that of lane 0; only the rest is a vector.
// All of it is said of the lanes that are active where the value is made.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/host/facts/known_extents.h"
#include "compiler/host/facts/parting.h"
#include "compiler/host/facts/structure.h"
#include "compiler/passes/value_ranges.h"

namespace hetjit::host {

enum class Spread : uint8_t { Unknown, Uniform, Affine, Varying };  // each covers those before it

struct Shape {
  Spread spread = Spread::Unknown;
  int64_t stride = 0;  // Affine: from lane to lane; integers by value, addresses in bytes
  friend bool operator==(Shape, Shape) = default;
};
inline constexpr Shape kUniform{Spread::Uniform, 0};
inline constexpr Shape kVarying{Spread::Varying, 0};
/// Strides beyond it are not kept: products with the lane number must stay small.
inline constexpr int64_t kFarthestStride = 1 << 16;
/// No warp is wider.
inline constexpr int64_t kWidestWarp = 64;

Shape affine(int64_t stride);  // Uniform for 0, Varying beyond kFarthestStride
Shape join(Shape a, Shape b);

/// Integers of 32 bits and more: from the first lane's to the last one's the step fits.
bool may_step_far(TypeId id);
/// Are accesses of elements so many apart, from lane to lane, vectors and shuffles?
bool is_near(int64_t step);

/// Bytes from one lane's copy of a local variable to the next lane's.
int64_t local_stride(const ir::LocalMemory& op);

/// Which threads are looked at together: W side by side in a row of the block; W that follow one
/// another in it, from row to row; all of the block.
enum class View : uint8_t { Row, Linear, Block };

/// The lanes that shapes are asked of.
struct Lanes {
  View view = View::Row;
  /// At most so many; in a row, the first one's place along x is a multiple of it, but `anywhere`.
  unsigned width = kWidestWarp;
  unsigned extent_factor = 1;  // a power of two that divides the block's extent along x
  /// In a row of the grid, which runs on through blocks: its first one's place in the launch is a
  /// multiple of the width.
  bool of_grid = false;
  KnownExtents extents = {};  // of arrays
  /// They lie between two multiples of what the head of the kernel divides them by (periods.h): the
  /// code asks.
  bool in_one_period = false;
  bool anywhere = false;  // the first one may be any thread of the row, also of one of the grid
};

/// Elements along one axis of an array.
struct Row {
  uint8_t axis = 0;
  ValueId index;
  bool known = false;  // else they are neighbours where a launch's array has a stride of 1 there
};

class Shapes {
 public:
  Shapes(const ir::Function& function, const Structure& structure, Lanes lanes = {});

  /// The same of all values?
  bool operator==(const Shapes& other) const { return shapes_ == other.shapes_; }
  const Lanes& lanes() const { return lanes_; }
  /// Where it is made.
  Shape of(ValueId id) const { return shapes_[id.index]; }
  /// Where block `at` uses it: lanes may have left the loop that made it at different times.
  Shape of(ValueId id, uint32_t at) const;
  /// Is it a number of the program's text? Lanes that leave its loop in different turns have the
  /// same.
  bool is_constant(ValueId id) const;
  /// The step from lane to lane that an integer has in most warps, though not in all: of an index
  /// that is clamped to an array or counts from its end. None where nothing suggests one.
  std::optional<int64_t> likely_step(ValueId id, uint32_t at) const;
  /// Are they likely to be neighbours at an address, as of such an index?
  bool likely_neighbours(ValueId address) const;
  /// How many elements they are likely to be apart there, where elements of the array are known to
  /// follow one another along the axis of the one index that is not the same for all lanes.
  std::optional<int64_t> likely_apart(ValueId address) const;
  /// Are they, but where the index is at an end, which the first lane's number and the last one's
  /// show?
  bool is_row_between_ends(ValueId address) const;
  /// Is the one index that is not the same for all lanes one that steps evenly where it is not
  /// negative?
  bool counts_from_end(ValueId address) const;
  /// In elements, from each index along the axis of an array to the next, where it is known.
  std::optional<int64_t> pitch(ValueId array, uint8_t axis) const;
  /// The axis along which the elements of an array follow one another, where one is known.
  std::optional<uint8_t> unit_axis(ValueId array) const;
  /// Where only one index of an element is not the same for all lanes in block `at`, and elements
  /// of the array follow one another along its axis, or may.
  std::optional<Row> row_of(const ir::ElementAddress& element, uint32_t at) const;
  /// Do lanes go different ways at the end of this block?
  bool diverges(uint32_t block) const { return diverges_[block]; }
  /// Do lanes leave this loop at different times?
  bool leaves_apart(const Loop* loop) const;
  /// Apart, but only by its head, which asks whether a number that steps evenly is at its end: for
  /// a while all of them stay.
  bool leaves_in_steps(const Loop& loop) const;
  /// Is its shape that of lanes of one period (periods.h)?
  bool asks_for_period(ValueId id) const { return asks_for_period_[id.index]; }
  /// What makes values, and where.
  const ir::Definitions& definitions() const { return definitions_; }
  uint32_t home(ValueId id) const { return definitions_.home(id); }

 private:
  friend struct ShapeRules;
  friend struct LikelyStep;
  friend struct Factor;
  int64_t factor(ValueId id, int depth) const;
  bool may_have_rows(ValueId array) const;
  bool visit(uint32_t block);
  bool visit_params(uint32_t block);
  Shape in_one_period(const ir::Inst& inst, uint32_t block, Shape plain, bool in_head);
  void go_on(uint32_t block);
  bool raise(ValueId id, Shape shape);
  bool differ(uint32_t block, size_t param) const;
  void part(uint32_t block);

  const ir::Function& function_;
  const Structure& structure_;
  const Lanes lanes_;
  passes::ValueRanges ranges_;
  const ir::Definitions definitions_;
  const std::vector<std::vector<ir::Incoming>> incoming_;  // from blocks that are reached
  std::vector<Shape> shapes_;                              // by value
  std::vector<bool> diverges_;                             // by block
  std::vector<std::vector<Meeting>> meets_;  // by block: of lanes that went different ways
  std::vector<bool> apart_;                  // by loop
  std::vector<uint32_t> place_;              // by block: in reverse post-order
  std::vector<bool> head_;  // by block: of lanes of one period, the kernel's head (head.h)
  std::vector<bool> asks_for_period_, is_rest_;  // by value: of a division, in any type
};

}  // namespace hetjit::host
