#include "python/ext/arguments/read_arguments.h"

#include "abi/index_width.h"
#include "abi/layout.h"
#include "python/ext/arguments/reader.h"
#include "python/ext/arrays/array_object.h"
#include "python/ext/libraries/library_memory.h"

namespace hetjit::python {
namespace {

constexpr uint32_t round_up(uint32_t offset, uint32_t align) {
  return (offset + align - 1) & ~(align - 1);
}

// fits_index32 for arrays in C order: the last offset is the number of elements less one.
bool compact_fits_index32(const Py_ssize_t* extents, int rank) {
  constexpr uint64_t kMost = kMostIndex32;
  uint64_t count = 1;
  bool empty = false;
  for (int axis = 0; axis < rank; ++axis) {
    auto extent = static_cast<uint64_t>(extents[axis]);
    if (extent > kMost) return false;
    empty = empty || extent == 0;
    count = count > kMost ? count : count * extent;
  }
  return empty || count <= kMost;
}

}  // namespace

bool may_lie_anywhere(TypeId element) {
  return type(element).kind != TypeKind::Aligned && !holds_atomic(element);
}

Parameter parameter_of_word(uint64_t word) {
  if (is_constant_word(word)) return {none_type(), false};
  TypeId type{static_cast<uint32_t>(word >> 32)};
  if ((word & 3) != Word::Array) return {type, (word & 3) == Word::WeakValue};
  ArrayFacts facts{.order = word & Word::kContiguous ? Order::Contiguous : Order::Strided,
                   .index_bits = static_cast<uint8_t>(word & Word::kIndex32 ? 32 : 64),
                   .writable = (word & Word::kWritable) != 0};
  return {array_type(type, static_cast<uint8_t>(word >> 8 & 15), facts), false};
}

uint64_t array_word(const ArrayValue& value, TypeId element, bool writable) {
  return Word::array(element, value.rank,
                     (is_contiguous(value) ? Word::kContiguous : 0) |
                         (fits_index32(value) ? Word::kIndex32 : 0) |
                         (writable ? Word::kWritable : 0));
}

bool read_arguments(State& state, const Parameters& parameters, PyObject* const* arguments,
                    const LaunchPlace& place, Arguments& to) {
  Reader reader(state, parameters, place, to);
  to.parameters = &parameters;
  to.count = parameters.count();
  for (size_t i = 0; i < to.count; ++i)
    if (!reader.read(i, arguments[i])) return false;
  for (uint32_t i : parameters.read_only)
    if (!reader.only_read(i, arguments[i])) return false;
  return true;
}

// Of an array that is only read nobody needs to know whether it could be written.
bool Reader::only_read(size_t index, Borrowed argument) {
  uint64_t& word = to_.words[index];
  if ((word & 3) != Word::Array)
    return fail(PyExc_TypeError, name(index) + " is " + describe(argument) +
                                     "; it is annotated device.readonly, which arrays are");
  word &= ~uint64_t{Word::kWritable};
  return true;
}

bool Reader::read(size_t index, Borrowed argument) {
  PyTypeObject* type = Py_TYPE(argument.get());
  const Annotation& annotation = parameters_.annotations[index];
  if (annotation.asks() && !part_) return annotated(index, argument, annotation);
  if (type == state_.numpy.readable_array()) return numpy_array(index, argument);
  if (type == &PyLong_Type) return weak_int(index, argument);
  if (type == &PyFloat_Type) return weak_float(index, argument);
  const ArgumentType found = way_of(argument);
  return found.type ? read_way(found, index, argument) : false;
}

bool Reader::annotated(size_t index, Borrowed argument, const Annotation& annotation) {
  return annotation.constant ? constant(index, argument) : fixed(index, argument, annotation.type);
}

// A copy: reading may run Python code, and that may make the table grow.
ArgumentType Reader::way_of(Borrowed argument) {
  const ArgumentType* known = state_.argument_types.find(Py_TYPE(argument.get()));
  return known ? *known : classify(state_, argument);
}

bool Reader::read_way(const ArgumentType& type, size_t index, Borrowed argument) {
  switch (type.way) {
    case Way::NumpyArray:  // of a subclass: it may be a library's memory
      return check_memory_of(argument, state_.memory_type) && numpy_array(index, argument);
    case Way::DeviceArray:
      return device_array(index, argument);
    case Way::ExchangeApi:
      return exchange(type, index, argument);
    case Way::Dlpack:
      return dlpack(type, index, argument);
    case Way::CudaInterface:
      return cuda_interface(index, argument);
    case Way::Writable:
      return writable_array(index, argument);
    case Way::NumpyScalar:
    case Way::NumpyScalarSlow:
      return numpy_scalar(type, index, argument);
    case Way::Int:
      return weak_int(index, argument);
    case Way::Float:
      return weak_float(index, argument);
    case Way::Complex:
      return weak_complex(index, argument);
    case Way::None:
      return none(index);
    case Way::Tuple:
      return tuple(index, argument);
    case Way::Record:
      return fixed(index, argument, type.record);
    case Way::NumpyRecord:
      return numpy_record(index, argument);
    case Way::Constant:
      if (!part_) return constant(index, argument);
      break;
    case Way::Bool:
      return put(index, Word::weak(scalar_type(Scalar::Bool)), argument.get() == Py_True);
    case Way::Unknown:
    case Way::Unusable:
      break;
  }
  return unusable(index, argument);
}

bool Reader::put(size_t index, uint64_t word, const void* bytes, uint32_t size, uint32_t align) {
  uint32_t offset = round_up(to_.size, align);
  if (offset + size > kMostBlockBytes) return too_large();
  to_.words[index] = word;
  std::memcpy(to_.block.data() + offset, bytes, size);
  to_.size = offset + size;
  return true;
}

template <class Number>
bool Reader::put(size_t index, uint64_t word, Number number) {
  const uint32_t offset = round_up(to_.size, sizeof number);
  if (offset + sizeof number > kMostBlockBytes) return too_large();
  to_.words[index] = word;
  write_scalar(to_.block.data() + offset, number);
  to_.size = offset + static_cast<uint32_t>(sizeof number);
  return true;
}

bool Reader::place_anew(size_t index, DLDevice device) {
  if (is_host_memory(device)) device = {kDLCPU, 0};
  if (device.device_type == kDLCUDAManaged) device.device_type = kDLCUDA;
  if (to_.array < 0) {
    to_.array = static_cast<int32_t>(index);
    to_.device = device;
    return true;
  }
  bool same =
      device.device_type == to_.device.device_type && device.device_id == to_.device.device_id;
  return same || place_.anywhere || mixed(index, device);
}

bool Reader::put_array(size_t index, const ArrayValue& value, uint64_t word) {
  uint32_t offset = round_up(to_.size, 8), bytes = descriptor_bytes(value.rank);
  if (offset + bytes > kMostBlockBytes) return too_large();
  to_.words[index] = word;
  write_array(to_.block.data() + offset, value);
  to_.size = offset + bytes;
  return true;
}

bool Reader::numpy_array(size_t index, Borrowed argument) {
  const auto& head = *reinterpret_cast<const ArrayHead*>(argument.get());
  NumberFormat format =
      state_.numpy.format_of_head(*reinterpret_cast<const DtypeHead*>(head.descr));
  if (!format.type.valid()) return record_array(index, argument);
  if (head.rank > kMaxRank) return bad_layout(index, argument);
  const auto address = reinterpret_cast<uintptr_t>(head.data);
  if (address & ((1u << format.shift) - 1)) format.type = element_at(format.type, address);
  if (!place(index, {kDLCPU, 0})) return false;
  if (head.flags & kNumpyCOrder) return compact_array(index, head, format);
  return spread_array(index, argument, format);
}

// Straight from NumPy's array into the block: strides that say nothing new need not be compared.
bool Reader::compact_array(size_t index, const ArrayHead& head, NumberFormat format) {
  const auto rank = static_cast<uint8_t>(head.rank);
  const uint32_t offset = round_up(to_.size, 8), size = descriptor_bytes(rank);
  if (offset + size > kMostBlockBytes) return too_large();
  const uint64_t facts = Word::kContiguous | (head.flags & kNumpyWriteable ? Word::kWritable : 0) |
                         (compact_fits_index32(head.extents, rank) ? Word::kIndex32 : 0);
  to_.words[index] = Word::array(format.type, rank, facts);
  std::byte* at = to_.block.data() + offset;
  write_scalar(at, head.data);
  for (int axis = 0; axis < rank; ++axis) {
    write_scalar(at + 8 + 8 * axis, static_cast<int64_t>(head.extents[axis]));
    write_scalar(at + 8 + 8 * (rank + axis),
                 static_cast<int64_t>(head.strides[axis] >> format.shift));
  }
  to_.size = offset + size;
  return true;
}

bool Reader::spread_array(size_t index, Borrowed argument, NumberFormat format) {
  const auto& head = *reinterpret_cast<const ArrayHead*>(argument.get());
  const uintptr_t inside = (1u << format.shift) - 1;
  ArrayValue value{.data = head.data, .rank = static_cast<uint8_t>(head.rank)};
  for (int axis = 0; axis < head.rank; ++axis) {
    if ((static_cast<uintptr_t>(head.strides[axis]) & inside) && head.extents[axis] > 1)
      return bad_layout(index, argument);
    value.shape[axis] = head.extents[axis];
    value.strides[axis] = head.strides[axis] >> format.shift;
  }
  return put_array(index, value, array_word(value, format.type, head.flags & kNumpyWriteable));
}

// Elements with parts, by the cache of dtypes; else as above.
bool Reader::record_array(size_t index, Borrowed argument) {
  const auto* head = reinterpret_cast<const ArrayHead*>(argument.get());
  const Element* element = state_.elements.find(state_, head->descr);
  if (!element) return bad_dtype(index, argument);
  const auto address = reinterpret_cast<uintptr_t>(head->data);
  const bool aligned = address % element->align == 0;
  if (head->rank > kMaxRank || (!aligned && !may_lie_anywhere(element->type)))
    return bad_layout(index, argument);
  ArrayValue value{.data = head->data, .rank = static_cast<uint8_t>(head->rank)};
  const auto bytes = static_cast<Py_ssize_t>(element->bytes);
  for (int axis = 0; axis < head->rank; ++axis) {
    if (head->strides[axis] % bytes && head->extents[axis] > 1) return bad_layout(index, argument);
    value.shape[axis] = head->extents[axis];
    value.strides[axis] = head->strides[axis] / bytes;
  }
  const TypeId type = aligned ? element->type : element_at(element->type, address);
  return place(index, {kDLCPU, 0}) &&
         put_array(index, value, array_word(value, type, head->flags & kNumpyWriteable));
}

bool Reader::device_array(size_t index, Borrowed argument) {
  const DeviceArray& array = array_of(argument);
  if (!place(index, array.place) || !put_array(index, array.value, array.word)) return false;
  if (!is_host_memory(array.place)) borrow(owner_of(argument), array.bytes());
  return true;
}

bool Reader::weak_int(size_t index, Borrowed argument) {
  int overflow = 0;
  long value = PyLong_AsLongAndOverflow(argument.get(), &overflow);
  auto narrow = static_cast<int32_t>(value);
  if (overflow || narrow != value) return does_not_fit(index, argument, Scalar::Int32);
  return put(index, Word::weak(scalar_type(Scalar::Int32)), narrow);
}

bool Reader::weak_float(size_t index, Borrowed argument) {
  double value = PyFloat_AsDouble(argument.get());
  auto narrow = static_cast<float>(value);
  if (__builtin_isinf(narrow) && !__builtin_isinf(value))
    return does_not_fit(index, argument, Scalar::Float32);
  return put(index, Word::weak(scalar_type(Scalar::Float32)), narrow);
}

bool Reader::weak_complex(size_t index, Borrowed argument) {
  const double wide[2] = {PyComplex_RealAsDouble(argument.get()),
                          PyComplex_ImagAsDouble(argument.get())};
  const float parts[2] = {static_cast<float>(wide[0]), static_cast<float>(wide[1])};
  for (int i = 0; i < 2; ++i)
    if (__builtin_isinf(parts[i]) && !__builtin_isinf(wide[i]))
      return does_not_fit(index, argument, Scalar::Complex64);
  TypeId type = scalar_type(Scalar::Complex64);
  return put(index, Word::weak(type), parts, sizeof parts, layout(type).align);
}

bool Reader::numpy_scalar(const ArgumentType& type, size_t index, Borrowed argument) {
  std::byte slow[16];
  const std::byte* bytes = reinterpret_cast<const ScalarHead*>(argument.get())->value;
  const uint32_t size = info(type.scalar).bytes();
  if (type.way == Way::NumpyScalarSlow) {
    if (!Numpy::bytes_of(argument, slow, size)) return false;
    bytes = slow;
  }
  return put(index, Word::value(scalar_type(type.scalar)), bytes, size, size);
}

bool Reader::none(size_t index) { return put(index, Word::value(none_type()), uint64_t{0}); }

// It takes the room of a None, so that all launches of a kernel look alike.
bool Reader::constant(size_t index, Borrowed argument) {
  return put(index, Word::constant(parameters_.objects->number_of(argument)), uint64_t{0});
}

}  // namespace hetjit::python
