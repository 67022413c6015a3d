// Arrays and memory: addresses, loads and stores, and how values lie in memory.
#include <algorithm>

#include "abi/layout.h"
#include "compiler/ir/interpret_values.h"

namespace hetjit::ir {
namespace {

void add_leaves(TypeId id, uint32_t offset, std::vector<Leaf>& to);

void add_parts(const Type& whole, const Layout& lies, uint32_t offset, std::vector<Leaf>& to) {
  for (size_t i = 0; i < whole.fields.size(); ++i)
    add_leaves(whole.fields[i].type, offset + lies.offsets[i], to);
}

void add_scalar(Scalar scalar, uint32_t offset, std::vector<Leaf>& to) {
  uint32_t bytes = info(scalar).bytes();
  if (!is_complex(scalar)) {
    to.push_back({offset, bytes});
    return;
  }
  to.push_back({offset, bytes / 2});
  to.push_back({offset + bytes / 2, bytes / 2});
}

void add_leaves(TypeId id, uint32_t offset, std::vector<Leaf>& to) {
  const Type& it = type(id);
  switch (it.kind) {
    case TypeKind::None:
      return;
    case TypeKind::Scalar:
      return add_scalar(it.scalar, offset, to);
    case TypeKind::Vector:
      for (uint32_t lane = 0; lane < it.lanes; ++lane)
        add_scalar(it.scalar, offset + lane * info(it.scalar).bytes(), to);
      return;
    case TypeKind::Pointer:
      to.push_back({offset, 8});
      return;
    case TypeKind::Array:
      for (uint32_t field = 0; field < 1u + 2u * it.rank; ++field)
        to.push_back({offset + 8 * field, 8});
      return;
    case TypeKind::Tuple:
    case TypeKind::Struct:
      return add_parts(it, layout(id), offset, to);
    case TypeKind::Aligned:
      return add_leaves(it.element, offset, to);
  }
}

std::byte* address(uint64_t bits) { return reinterpret_cast<std::byte*>(bits); }

}  // namespace

std::vector<Leaf> leaves(TypeId id) {
  std::vector<Leaf> all;
  add_leaves(id, 0, all);
  return all;
}

// The array's slots: data, extents, strides. Wrapping multiplication: what does not fit is outside
// the array, and that is not ours to judge.
const Step* run_element(Machine& machine, const Step& step) {
  const Detail& detail = *step.detail;
  const uint64_t* array = machine.slots + step.a;
  uint64_t offset = 0;
  for (uint32_t axis = 0; axis < detail.rank; ++axis) {
    uint64_t index = machine.slots[detail.slots[axis]] << detail.index_unused_bits;
    index = detail.index_signed
                ? static_cast<uint64_t>(static_cast<int64_t>(index) >> detail.index_unused_bits)
                : index >> detail.index_unused_bits;
    // C order, no gaps: Horner's scheme over the extents.
    offset = detail.contiguous ? offset * array[1 + axis] + index
                               : offset + index * array[1 + detail.rank + axis];
  }
  machine.slots[step.result] = array[0] + offset * detail.element_bytes;
  return &step + 1;
}

const Step* run_contiguous_stride(Machine& machine, const Step& step) {
  const uint64_t* extents = machine.slots + step.a + 1;
  uint64_t stride = 1;
  for (uint32_t axis = step.detail->rank - 1u; axis > step.immediate; --axis)
    stride *= extents[axis];
  machine.slots[step.result] = stride;
  return &step + 1;
}

const Step* run_field(Machine& machine, const Step& step) {
  machine.slots[step.result] = machine.slots[step.a] + step.immediate;
  return &step + 1;
}

const Step* run_move_address(Machine& machine, const Step& step) {
  machine.slots[step.result] = machine.slots[step.a] + machine.slots[step.b];
  return &step + 1;
}

// The strides of a contiguous array of `immediate` axes: its descriptor has them too.
const Step* run_fill_strides(Machine& machine, const Step& step) {
  uint64_t *extents = machine.slots + step.result + 1, *strides = extents + step.immediate;
  uint64_t stride = 1;
  for (uint64_t axis = step.immediate; axis-- > 0; stride *= extents[axis]) strides[axis] = stride;
  return &step + 1;
}

const Step* run_load(Machine& machine, const Step& step) {
  const std::byte* from = address(machine.slots[step.a]);
  uint64_t* to = machine.slots + step.result;
  for (Leaf leaf : step.detail->leaves) *to++ = read_leaf(from, leaf);
  return &step + 1;
}

const Step* run_store(Machine& machine, const Step& step) {
  std::byte* to = address(machine.slots[step.a]);
  const uint64_t* from = machine.slots + step.b;
  for (Leaf leaf : step.detail->leaves) write_leaf(to, leaf, *from++);
  return &step + 1;
}

const Step* run_table_item(Machine& machine, const Step& step) {
  const std::vector<uint64_t>& table = *step.detail->table;
  const uint64_t last = table.size() - 1;
  machine.slots[step.result] = table[std::min(machine.slots[step.a], last)];
  return &step + 1;
}

// ---- shared and local memory

uint32_t Variables::place(uint32_t variable, uint32_t bytes, uint32_t align) {
  auto [known, is_new] = offsets_.try_emplace(variable, (bytes_ + align - 1) / align * align);
  if (is_new) bytes_ = known->second + bytes;
  align_ = std::max(align_, align);
  return known->second;
}

uint32_t dynamic_shared_offset(const Variables& shared) { return (shared.bytes() + 15) / 16 * 16; }

PoisonedMemory::PoisonedMemory(size_t bytes, size_t align)
    : owned_(new std::byte[bytes + align]), bytes_(bytes) {
  void* start = owned_.get();
  size_t space = bytes + align;
  start_ = static_cast<std::byte*>(std::align(align, bytes, start, space));
  poison();
}

void PoisonedMemory::poison() { std::fill_n(start_, bytes_, kPoison); }

const Step* run_shared_memory(Machine& machine, const Step& step) {
  machine.slots[step.result] = reinterpret_cast<uint64_t>(machine.shared + step.immediate);
  return &step + 1;
}

const Step* run_dynamic_shared_bytes(Machine& machine, const Step& step) {
  machine.slots[step.result] = machine.geometry.shared_bytes;
  return &step + 1;
}

const Step* run_local_memory(Machine& machine, const Step& step) {
  machine.slots[step.result] = reinterpret_cast<uint64_t>(machine.local() + step.immediate);
  return &step + 1;
}

}  // namespace hetjit::ir
