#include "compiler/host/facts/own_elements.h"

#include "abi/layout.h"
#include "abi/type.h"

namespace hetjit::host {

OwnElements::OwnElements(const ir::Function& kernel) : kernel_(kernel), definitions_(kernel) {}

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
  const ir::ElementAddress* found = ir::element_of(definitions_, address);
  if (!found || found->in[0].index != array.index) return 0;
  return each_place(*found, [&](ValueId index) { return axis_of(index); });
}

PlaceSet OwnElements::places_in_block(ValueId address, ValueId& array) const {
  const ir::ElementAddress* found = ir::element_of(definitions_, address);
  if (!found || !is_whole(found->in[0])) return 0;
  array = found->in[0];
  return each_place(*found, [&](ValueId index) { return axis_in_block(index); });
}

// Views may begin elsewhere for each thread, and in each turn of a loop.
bool OwnElements::is_whole(ValueId array) const {
  auto* made = definitions_.made_by<ir::MakeArray>(array);
  const Type& whole = type(kernel_.type_of(array));
  if (!made || whole.facts.order != Order::Contiguous) return false;
  for (size_t i = 1; whole.rank > 1 && i < made->in.size(); ++i)
    if (!definitions_.made_by<ir::ConstInt>(made->in[i])) return false;
  return definitions_.made_by<ir::SharedMemory>(made->in[0]) ||
         definitions_.made_by<ir::DynamicSharedMemory>(made->in[0]);
}

// What is narrower than a thread's place comes again.
ValueId OwnElements::before_conversion(ValueId index) const {
  while (auto* convert = definitions_.made_by<ir::Convert>(index)) {
    TypeId to = kernel_.type_of(index);
    if (!is_scalar(to) || !is_integer(type(to).scalar) || layout(to).size < 4) return index;
    index = convert->in[0];
  }
  return index;
}

int OwnElements::axis_in_block(ValueId index) const {
  auto* thread = definitions_.made_by<ir::ThreadIndex>(before_conversion(index));
  return thread ? thread->axis : -1;
}

uint8_t OwnElements::axes(PlaceSet places) {
  uint8_t found = 0;
  for (; places; places >>= 3) found |= places & 7;
  return found;
}

int OwnElements::axis_of(ValueId index) const {
  std::optional<uint8_t> axis = ir::axis_of_place(definitions_, before_conversion(index));
  return axis ? *axis : -1;
}

}  // namespace hetjit::host
