#include "compiler/host/facts/own_elements.h"

#include "abi/layout.h"
#include "abi/type.h"

namespace hetjit::host {

OwnElements::OwnElements(const ir::Function& kernel)
    : kernel_(kernel), definitions_(kernel.types.size()) {
  for (const ir::Block& block : kernel.blocks)
    for (const ir::Inst& inst : block.insts)
      if (inst.result.valid()) definitions_[inst.result.index] = &inst.op;
}

const ir::ElementAddress* OwnElements::element(ValueId address) const {
  while (auto* field = made_by<ir::FieldAddress>(address)) address = field->in[0];
  return made_by<ir::ElementAddress>(address);
}

template <class AxisOf>
PlaceSet OwnElements::each_place(const ir::ElementAddress& element, AxisOf axis_of) {
  PlaceSet found = 0;
  for (size_t position = 0; position + 1 < element.in.size() && position < 8; ++position)
    if (int axis = axis_of(element.in[position + 1]); axis >= 0)
      found |= PlaceSet{1} << (3 * position + static_cast<size_t>(axis));
  return found;
}

// Elements of a contiguous array whose indices differ are not the same bytes.
PlaceSet OwnElements::places(ValueId address, ValueId array) const {
  const ir::ElementAddress* found = element(address);
  if (!found || found->in[0].index != array.index) return 0;
  return each_place(*found, [&](ValueId index) { return axis_of(index); });
}

PlaceSet OwnElements::places_in_block(ValueId address, ValueId& array) const {
  const ir::ElementAddress* found = element(address);
  if (!found || !is_whole(found->in[0])) return 0;
  array = found->in[0];
  return each_place(*found, [&](ValueId index) { return axis_in_block(index); });
}

// Views may begin elsewhere for each thread, and in each turn of a loop.
bool OwnElements::is_whole(ValueId array) const {
  auto* made = made_by<ir::MakeArray>(array);
  const Type& whole = type(kernel_.type_of(array));
  if (!made || whole.facts.order != Order::Contiguous) return false;
  for (size_t i = 1; whole.rank > 1 && i < made->in.size(); ++i)
    if (!made_by<ir::ConstInt>(made->in[i])) return false;
  return made_by<ir::SharedMemory>(made->in[0]) || made_by<ir::DynamicSharedMemory>(made->in[0]);
}

// What is narrower than a thread's place comes again.
ValueId OwnElements::before_conversion(ValueId index) const {
  while (auto* convert = made_by<ir::Convert>(index)) {
    TypeId to = kernel_.type_of(index);
    if (!is_scalar(to) || !is_integer(type(to).scalar) || layout(to).size < 4) return index;
    index = convert->in[0];
  }
  return index;
}

int OwnElements::axis_in_block(ValueId index) const {
  auto* thread = made_by<ir::ThreadIndex>(before_conversion(index));
  return thread ? thread->axis : -1;
}

uint8_t OwnElements::axes(PlaceSet places) {
  uint8_t found = 0;
  for (; places; places >>= 3) found |= places & 7;
  return found;
}

// block * size of a block + thread, all along one axis.
int OwnElements::axis_of(ValueId index) const {
  auto* sum = made_by<ir::Add>(before_conversion(index));
  if (!sum) return -1;
  for (int side : {0, 1}) {
    auto* thread = made_by<ir::ThreadIndex>(sum->in[1 - side]);
    auto* product = made_by<ir::Mul>(sum->in[side]);
    if (!thread || !product) continue;
    for (int first : {0, 1}) {
      auto* block = made_by<ir::BlockIndex>(product->in[first]);
      auto* size = made_by<ir::BlockDimension>(product->in[1 - first]);
      if (block && size && block->axis == thread->axis && size->axis == thread->axis)
        return thread->axis;
    }
  }
  return -1;
}

}  // namespace hetjit::host
