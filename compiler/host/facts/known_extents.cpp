#include "compiler/host/facts/known_extents.h"

#include <algorithm>

#include "abi/layout.h"
#include "compiler/host/facts/costs.h"
#include "compiler/ir/uses.h"
#include "compiler/passes/value_ranges.h"

namespace hetjit::host {
namespace {

using passes::Wide;

/// The largest index along each axis of each parameter that is an array in C order.
class Indices {
 public:
  explicit Indices(const ir::Function& kernel)
      : kernel_(kernel),
        definitions_(kernel),
        ranges_(kernel),
        largest_(kernel.blocks[0].params.size()) {
    for (size_t i = 0; i < largest_.size(); ++i) {
      const Type& array = type(kernel.type_of(kernel.blocks[0].params[i]));
      if (array.kind == TypeKind::Array && array.facts.order == Order::Contiguous)
        largest_[i].resize(array.rank, kNotIndexed);
    }
    for (uint32_t block = 0; block < kernel.blocks.size(); ++block)
      for (const ir::Inst& inst : kernel.blocks[block].insts) {
        if (const auto* element = std::get_if<ir::ElementAddress>(&inst.op)) add(*element, block);
        if (const auto* move = std::get_if<ir::MoveAddress>(&inst.op)) add(*move, block);
      }
  }

  KnownExtents suggested() const {
    KnownExtents made;
    for (uint32_t parameter = 0; parameter < largest_.size(); ++parameter) {
      const std::vector<Wide>& largest = largest_[parameter];
      for (size_t axis = largest.size(); axis-- > 1;) {
        if (largest[axis] < 1 || largest[axis] >= kMostKnown) break;
        made.push_back(
            {parameter, static_cast<uint8_t>(axis), static_cast<int64_t>(largest[axis]) + 1});
      }
    }
    return made;
  }

 private:
  static constexpr Wide kNotIndexed = -1;

  std::vector<Wide>* of(const ir::ElementAddress& element) {
    const std::vector<ValueId>& params = kernel_.blocks[0].params;
    const auto found = std::ranges::find(params, element.in[0]);
    return found == params.end() ? nullptr : &largest_[found - params.begin()];
  }
  void add(const ir::ElementAddress& element, uint32_t block) {
    std::vector<Wide>* largest = of(element);
    for (size_t axis = 0; largest && axis < largest->size(); ++axis) {
      const passes::Interval index = ranges_.interval(element.in[1 + axis], {block});
      Wide& most = (*largest)[axis];
      most = std::max(most, index.lo < 0 ? kMostKnown : index.hi);
    }
  }
  // Neighbours along the last axis have one address (passes/share_addresses.cpp).
  void add(const ir::MoveAddress& move, uint32_t block) {
    const auto* element = definitions_.made_by<ir::ElementAddress>(move.in[0]);
    const auto* bytes = definitions_.made_by<ir::ConstInt>(move.in[1]);
    std::vector<Wide>* largest = element ? of(*element) : nullptr;
    if (!largest || largest->empty()) return;
    const TypeId array = kernel_.type_of(element->in[0]);
    const auto size = static_cast<int64_t>(layout(type(array).element).stride());
    const Wide apart = bytes ? static_cast<int64_t>(bytes->bits) / size : kMostKnown;
    const Wide from = ranges_.interval(element->in.back(), {block}).hi;
    largest->back() = std::max(largest->back(), from + apart);
  }

  const ir::Function& kernel_;
  const ir::Definitions definitions_;
  const passes::ValueRanges ranges_;
  std::vector<std::vector<Wide>> largest_;  // by parameter, by axis
};

}  // namespace

KnownExtents suggested_extents(const ir::Function& kernel) { return Indices(kernel).suggested(); }

KnownExtents in_columns(const ir::Function& kernel) {
  KnownExtents made;
  const std::vector<ValueId>& params = kernel.blocks[0].params;
  for (uint32_t parameter = 0; parameter < params.size(); ++parameter) {
    const Type& array = type(kernel.type_of(params[parameter]));
    if (array.kind == TypeKind::Array && array.rank > 1 && array.facts.order == Order::Strided)
      made.push_back({parameter, 0, 1, /*is_stride=*/true});
  }
  return made;
}

namespace {

std::optional<int64_t> known(const KnownExtents& extents, const KnownExtent& wanted) {
  for (const KnownExtent& extent : extents)
    if (extent.parameter == wanted.parameter && extent.axis == wanted.axis &&
        extent.is_stride == wanted.is_stride)
      return extent.elements;
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> known_pitch(const KnownExtents& extents, uint32_t parameter,
                                   const Type& array, uint8_t axis) {
  if (array.facts.order == Order::Strided) return known(extents, {parameter, axis, 0, true});
  int64_t pitch = 1;
  for (auto behind = static_cast<uint8_t>(axis + 1); behind < array.rank; ++behind) {
    const std::optional<int64_t> elements = known(extents, {parameter, behind, 0, false});
    if (!elements) return std::nullopt;
    pitch *= *elements;
  }
  return pitch;
}

}  // namespace hetjit::host
