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
        made.push_back({parameter, static_cast<uint8_t>(axis),
                        static_cast<int64_t>(largest[axis]) + 1});
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

int64_t known_pitch(const KnownExtents& extents, uint32_t parameter, uint8_t rank, uint8_t axis) {
  int64_t pitch = 1;
  for (unsigned behind = axis + 1u; behind < rank; ++behind) {
    const auto known = std::ranges::find_if(extents, [&](const KnownExtent& extent) {
      return extent.parameter == parameter && extent.axis == behind;
    });
    if (known == extents.end()) return 0;
    pitch *= known->elements;
  }
  return pitch;
}

}  // namespace hetjit::host
