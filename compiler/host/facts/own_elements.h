// Arrays of which each thread uses elements of its own.
#pragma once

#include <cstdint>

#include "compiler/ir/uses.h"

namespace hetjit::host {

/// Which axes of the launch tell elements apart: bit 3 * position + axis where the index at that
/// position is the thread's place along the axis.
using PlaceSet = uint32_t;
inline constexpr PlaceSet kAnyPlace = UINT32_MAX;

class OwnElements {
 public:
  explicit OwnElements(const ir::Function& kernel);

  /// Of an address of an element of `array`; 0: of none, or nothing is known.
  PlaceSet places(ValueId address, ValueId array) const;
  /// The same in a block's memory, by a thread's place in its block. `array` is set to the one that
  /// the address is of an element of.
  PlaceSet places_in_block(ValueId address, ValueId& array) const;
  /// The axes of a set.
  static uint8_t axes(PlaceSet places);

 private:
  template <class AxisOf>
  static PlaceSet each_place(const ir::ElementAddress& element, AxisOf axis_of);
  bool is_whole(ValueId array) const;
  ValueId before_conversion(ValueId index) const;
  int axis_in_block(ValueId index) const;
  int axis_of(ValueId index) const;

  const ir::Function& kernel_;
  const ir::Definitions definitions_;
};

}  // namespace hetjit::host
