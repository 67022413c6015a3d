#include "abi/dlpack_view.h"

#include <array>
#include <bit>

#include "abi/layout.h"

namespace hetjit {
namespace {

Error unsupported(std::string text) { return {ErrorCode::Unsupported, std::move(text)}; }
Error invalid(std::string text) { return {ErrorCode::Invalid, std::move(text)}; }

std::string describe(DLDataType type) {
  return "DLPack's type of code " + std::to_string(type.code) + " with " +
         std::to_string(type.bits) + " bits and " + std::to_string(type.lanes) + " lanes";
}

bool vectors_of(Scalar scalar) { return is_integer(scalar) || is_floating(scalar); }

// By DLPack's code and the number of bits, a power of two: the row of kScalars, 0 for none, else
// one more.
constexpr unsigned kCodes = 32, kWidths = 8;
constexpr auto kRows = [] {
  std::array<uint8_t, kCodes * kWidths> rows{};
  for (size_t i = 0; i < kScalars.size(); ++i) {
    const ScalarInfo& row = kScalars[i];
    if (row.dlpack_bits == 0 || row.dlpack_code >= kCodes) continue;
    uint8_t& first = rows[row.dlpack_code * kWidths + std::countr_zero(row.dlpack_bits)];
    if (!first) first = static_cast<uint8_t>(i + 1);
  }
  return rows;
}();

const ScalarInfo* row_of(DLDataType type) {
  if (!std::has_single_bit(type.bits) || type.code >= kCodes) return nullptr;
  const uint8_t found = kRows[type.code * kWidths + std::countr_zero(type.bits)];
  return found ? &kScalars[found - 1u] : nullptr;
}

Status find_element(DLDataType type, TypeId& to) {
  const ScalarInfo* row = row_of(type);
  const bool alone = type.lanes == 1;
  if (!row || !(alone || (type.lanes >= 2 && type.lanes <= 4 && vectors_of(row->scalar))))
    return unsupported(describe(type) + " has no counterpart here");
  to =
      alone ? scalar_type(row->scalar) : vector_type(row->scalar, static_cast<uint8_t>(type.lanes));
  return ok();
}

Status read_shape(const DLTensor& tensor, ArrayValue& value) {
  if (tensor.ndim < 0) return invalid("a tensor has a negative number of axes");
  if (tensor.ndim > kMaxRank) {
    return unsupported("an array of " + std::to_string(tensor.ndim) + " axes; the limit is " +
                       std::to_string(kMaxRank));
  }
  value.rank = static_cast<uint8_t>(tensor.ndim);
  if (value.rank > 0 && !tensor.shape) return invalid("a tensor has axes but no shape");
  for (uint8_t axis = 0; axis < value.rank; ++axis) {
    value.shape[axis] = tensor.shape[axis];
    if (tensor.shape[axis] < 0)
      return invalid("axis " + std::to_string(axis) + " of a tensor has a negative extent");
  }
  return ok();
}

void read_strides(const DLTensor& tensor, ArrayValue& value) {
  int64_t next = 1;
  for (int axis = value.rank - 1; axis >= 0; --axis) {
    value.strides[axis] = tensor.strides ? tensor.strides[axis] : next;
    // Its product with what came before fits (check_size), except past an extent of 0.
    next = static_cast<int64_t>(static_cast<uint64_t>(next) *
                                static_cast<uint64_t>(value.shape[axis]));
  }
}

bool has_elements(const ArrayValue& value) {
  for (uint8_t axis = 0; axis < value.rank; ++axis)
    if (value.shape[axis] == 0) return false;
  return true;
}

Status check_bytes(const ArrayValue& value, uint32_t itemsize) {
  int64_t bytes = itemsize;
  for (uint8_t axis = 0; axis < value.rank; ++axis)
    if (__builtin_mul_overflow(bytes, value.shape[axis], &bytes))
      return invalid("a tensor has more than 2^63 bytes");
  return ok();
}

// The bytes between the first and the last element must be addressable.
Status check_offsets(const ArrayValue& value, uint32_t itemsize) {
  int64_t first = 0, last = 0;
  for (uint8_t axis = 0; axis < value.rank; ++axis) {
    if (value.shape[axis] <= 1) continue;
    int64_t reach = 0;
    int64_t& end = value.strides[axis] < 0 ? first : last;
    if (__builtin_mul_overflow(value.strides[axis], value.shape[axis] - 1, &reach) ||
        __builtin_mul_overflow(reach, int64_t{itemsize}, &reach) ||
        __builtin_add_overflow(end, reach, &end))
      return invalid("the strides of a tensor reach beyond the address space");
  }
  return ok();
}

Status read_tensor(const DLTensor& tensor, DlpackView& view) {
  HETJIT_TRY(find_element(tensor.dtype, view.element));
  view.device = tensor.device;
  ArrayValue& value = view.value;
  HETJIT_TRY(read_shape(tensor, value));
  read_strides(tensor, value);
  // Of an array without elements the address means nothing; producers disagree about it.
  if (!has_elements(value)) return ok();
  const uint32_t itemsize = layout(view.element).size;
  HETJIT_TRY(check_bytes(value, itemsize));
  if (!tensor.data) return invalid("a tensor has elements but no data");
  HETJIT_TRY(check_offsets(value, itemsize));
  const auto address = reinterpret_cast<uintptr_t>(tensor.data) + tensor.byte_offset;
  view.element = element_at(view.element, address);
  value.data = reinterpret_cast<void*>(address);
  return ok();
}

}  // namespace

Result<TypeId> element_of(DLDataType type) {
  TypeId element;
  const Status found = find_element(type, element);
  if (!found.ok()) return found.error();
  return element;
}

TypeId element_at(TypeId element, uintptr_t address) {
  const uintptr_t lies = address & -address, within = layout(element).align - 1u;
  if ((address & within) == 0) return element;
  return aligned_type(without_align(element), static_cast<uint32_t>(lies));
}

Result<DLDataType> dlpack_type(TypeId element) {
  const Type& it = type(without_align(element));
  bool is_vector = it.kind == TypeKind::Vector;
  if (it.kind != TypeKind::Scalar && !(is_vector && vectors_of(it.scalar)))
    return unsupported("DLPack has no type for elements of " + to_python(element));
  const ScalarInfo& row = info(it.scalar);
  auto lanes = static_cast<uint16_t>(is_vector ? it.lanes : 1);
  return DLDataType{row.dlpack_code, row.dlpack_bits, lanes};
}

// Made where it stays: on the way of every launch, and it is large.
Result<DlpackView> view_of(const DLTensor& tensor) {
  Result<DlpackView> made(std::in_place);
  if (const Status read = read_tensor(tensor, *made); !read.ok()) made = read.error();
  return made;
}

Result<DlpackView> view_of(const DLManagedTensorVersioned& managed) {
  if (managed.version.major != DLPACK_MAJOR_VERSION) {
    return unsupported("a tensor of DLPack version " + std::to_string(managed.version.major) +
                       "; this library reads version " + std::to_string(DLPACK_MAJOR_VERSION));
  }
  Result<DlpackView> view = view_of(managed.dl_tensor);
  if (view.ok()) view->writable = !(managed.flags & DLPACK_FLAG_BITMASK_READ_ONLY);
  return view;
}

TypeId type_of(const DlpackView& view) {
  return array_type(view.element, view.value.rank, facts_of(view.value, view.writable));
}

Result<DLTensor> tensor_of(DlpackView& view) {
  Result<DLDataType> dtype = dlpack_type(view.element);
  HETJIT_TRY(dtype);
  return DLTensor{.data = view.value.data,
                  .device = view.device,
                  .ndim = view.value.rank,
                  .dtype = *dtype,
                  .shape = view.value.rank ? view.value.shape : nullptr,
                  .strides = view.value.rank ? view.value.strides : nullptr,
                  .byte_offset = 0};
}

}  // namespace hetjit
