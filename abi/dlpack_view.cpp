#include "abi/dlpack_view.h"

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

// Elements of the array; Invalid when their bytes do not fit int64.
Result<int64_t> count_elements(const ArrayValue& value, uint32_t itemsize) {
  for (uint8_t axis = 0; axis < value.rank; ++axis)
    if (value.shape[axis] == 0) return int64_t{0};
  int64_t bytes = itemsize;
  for (uint8_t axis = 0; axis < value.rank; ++axis)
    if (__builtin_mul_overflow(bytes, value.shape[axis], &bytes))
      return invalid("a tensor has more than 2^63 bytes");
  return bytes / itemsize;
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

}  // namespace

Result<TypeId> element_of(DLDataType type) {
  for (const ScalarInfo& row : kScalars) {
    if (row.dlpack_code != type.code || row.dlpack_bits != type.bits) continue;
    if (type.lanes == 1) return scalar_type(row.scalar);
    if (type.lanes >= 2 && type.lanes <= 4 && vectors_of(row.scalar))
      return vector_type(row.scalar, static_cast<uint8_t>(type.lanes));
  }
  return unsupported(describe(type) + " has no counterpart here");
}

TypeId element_at(TypeId element, uintptr_t address) {
  const uintptr_t lies = address & -address;
  if (address % layout(element).align == 0) return element;
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

Result<DlpackView> view_of(const DLTensor& tensor) {
  Result<TypeId> element = element_of(tensor.dtype);
  HETJIT_TRY(element);
  DlpackView view{.element = *element, .device = tensor.device};
  ArrayValue& value = view.value;
  HETJIT_TRY(read_shape(tensor, value));
  read_strides(tensor, value);
  Layout item = layout(*element);
  Result<int64_t> count = count_elements(value, item.size);
  HETJIT_TRY(count);
  auto address = reinterpret_cast<uintptr_t>(tensor.data) + tensor.byte_offset;
  // Of an array without elements the address means nothing; producers disagree about it.
  if (*count == 0) return view;
  if (!tensor.data) return invalid("a tensor has elements but no data");
  HETJIT_TRY(check_offsets(value, item.size));
  view.element = element_at(*element, address);
  value.data = reinterpret_cast<void*>(address);
  return view;
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
