// Memory of the block and of the thread: shared_array, local_array, dynamic_shared_array.
// (HETX-MEM)
#include <bit>

#include "abi/layout.h"
#include "compiler/builtins/functions.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/core/specializer.h"

namespace hetjit::builtins {

using typing::ArrayType;
using typing::Leaf;
using typing::Literal;
using typing::static_value;
using typing::TupleType;

namespace {

constexpr typing::Integer kMostElements = 1 << 30;
constexpr typing::Integer kMostAlign = 4096;
constexpr uint32_t kDynamicAlign = 16;
constexpr uint32_t kMostLocal = 128 << 10;  // bytes of a thread that every target has

/// What an array is asked to be.
struct Wanted {
  std::vector<uint32_t> extents;
  TypeId element;
  bool fortran = false;
  uint32_t align = 1;

  uint64_t bytes() const {
    uint64_t size = layout(element).stride();
    for (uint32_t extent : extents) size *= extent;
    return size;
  }
  /// F order of several axes: the first one's elements follow one another.
  bool strided() const { return fortran && extents.size() > 1; }
  TypeId type() const {
    ArrayFacts facts{.order = strided() ? Order::Strided : Order::Contiguous, .index_bits = 32};
    return array_type(element, static_cast<uint8_t>(extents.size()), facts);
  }
};

bool read_extent(Evaluation& at, const Builtin& self, const Value& shape, const Value& extent,
                 std::vector<uint32_t>& to) {
  const Value& marked = extent.origin.valid() ? extent : shape;
  const typing::NumberType* number = extent.as<typing::NumberType>();
  if (!number || !is_integer(number->number.scalar)) {
    Diagnostics::Builder error = at.error(
        Code::ArgumentType,
        {"the shape of " + quoted(self), "an int or a tuple of ints", name_of(extent.type)},
        {&marked});
    if (number && is_floating(number->number.scalar) && extent.origin.valid())
      typing::convert_to_integer(error, at, extent, "int");
    return error.report();
  }
  std::optional<typing::Integer> known = typing::integer_literal(extent.type);
  if (!known)
    return typing::not_constant(
        at, marked, "the shape", quoted(self),
        self.short_name() == "shared_array"
            ? "write a literal, or a global; of a size that the launch gives, s = "
              "device.dynamic_shared_array(device.float32), with its bytes: kernel[grid, block, "
              "stream, bytes](…)"
            : "write a literal, or a global: as much as is needed at most, of which n are used");
  if (*known < 1)
    return at.error(Code::ArrayExtent, {quoted(self), to_text(Literal{*known})}, {&marked})
        .report();
  to.push_back(static_cast<uint32_t>(std::min(*known, kMostElements)));
  return true;
}

bool read_shape(Evaluation& at, const Builtin& self, const Value& shape, Wanted& to) {
  std::vector<Value> extents = {shape};
  if (const TupleType* tuple = shape.as<TupleType>()) extents = parts_of(shape, tuple->items);
  if (extents.size() > kMaxRank)
    return at.error(Code::TooManyDimensions, {std::to_string(extents.size())}, {&shape}).report();
  for (const Value& extent : extents)
    if (!read_extent(at, self, shape, extent, to.extents)) return false;
  return true;
}

bool read_order(Evaluation& at, const Builtin& self, const Value& order, Wanted& to) {
  const typing::StringType* text = order.as<typing::StringType>();
  if (text && (text->text == "C" || text->text == "F")) {
    to.fortran = text->text == "F";
    return true;
  }
  std::string given = text ? "'" + text->text + "'" : name_of(order.type);
  return at.error(Code::ArgumentType, {"'order' of " + quoted(self), "'C' or 'F'", given}, {&order})
      .report();
}

bool read_align(Evaluation& at, const Builtin& self, const Value& align, uint32_t& to) {
  std::optional<typing::Integer> known = typing::integer_literal(align.type);
  if (known && *known > 0 && *known <= kMostAlign &&
      std::has_single_bit(static_cast<uint64_t>(*known))) {
    to = std::max(to, static_cast<uint32_t>(*known));
    return true;
  }
  std::string given = known ? to_text(Literal{*known}) : name_of(align.type);
  return at
      .error(Code::ArgumentType, {"'align' of " + quoted(self), "a power of two up to 4096", given},
             {&align})
      .report();
}

std::optional<Wanted> wanted(Evaluation& at, const Builtin& self, const Values& values) {
  Wanted array;
  std::optional<TypeId> element = element_named(at, self, values[1]);
  if (!element || !read_shape(at, self, values[0], array)) return std::nullopt;
  array.element = *element;
  array.align = layout(*element).align;
  if (!is_absent(values, 2) && !read_order(at, self, values[2], array)) return std::nullopt;
  if (!is_absent(values, 3) && !read_align(at, self, values[3], array.align)) return std::nullopt;
  return array;
}

Failed too_large(Evaluation& at, const std::string& what, const char* needs, uint64_t bytes,
                 const std::string& owner, uint32_t most) {
  return at
      .error(Code::MemoryTooLarge,
             {what, needs, std::to_string(bytes), owner, std::to_string(most)})
      .report();
}

std::vector<uint32_t> strides_of(const Wanted& array) {
  std::vector<uint32_t> strides;
  uint32_t next = 1;
  for (uint32_t extent : array.extents) {
    strides.push_back(next);
    next *= extent;
  }
  return strides;
}

// The array of `wanted` at an address.
Value array_at(Evaluation& at, const Wanted& wanted, Leaf data) {
  Value array = static_value({ArrayType{wanted.type()}});
  if (!at.code().on()) return array;
  std::vector<Leaf> operands = {data};
  for (uint32_t extent : wanted.extents)
    operands.push_back(at.code().constant(extent, Scalar::Int64));
  if (wanted.strided())
    for (uint32_t stride : strides_of(wanted))
      operands.push_back(at.code().constant(stride, Scalar::Int64));
  array.leaves = {at.code().builder().array(wanted.type(), std::move(operands))};
  return array;
}

template <class Memory>
Leaf memory(Evaluation& at, const Wanted& array, uint32_t variable) {
  Memory op;
  op.variable = variable;
  op.bytes = static_cast<uint32_t>(array.bytes());
  op.align = array.align;
  return emit(at, op, {}, pointer_type(array.element));
}

}  // namespace

Value shared_array(Evaluation& at, const Builtin& self, const Values& values) {
  std::optional<Wanted> array = wanted(at, self, values);
  if (!array) return {};
  typing::SharedVariables& shared = at.whole().shared();
  std::string owner = "a block of " + to_text(at.whole().target());
  if (array->bytes() > shared.most())
    return too_large(at, quoted(self), "has", array->bytes(), owner, shared.most());
  if (!at.reporting() && !at.code().on()) return array_at(at, *array, {});
  uint32_t variable = shared.number_of({at.where(), &at.inst()}, array->element,
                                       static_cast<uint32_t>(array->bytes()), array->align);
  if (at.reporting() && shared.total() > shared.most())
    return too_large(at, "the shared arrays up to this one", "have", shared.total(), owner,
                     shared.most());
  return array_at(at, *array, memory<ir::SharedMemory>(at, *array, variable));
}

Value local_array(Evaluation& at, const Builtin& self, const Values& values) {
  std::optional<Wanted> array = wanted(at, self, values);
  if (!array) return {};
  if (array->bytes() > kMostLocal)
    return too_large(at, quoted(self), "has", array->bytes(), "a thread", kMostLocal);
  uint32_t variable = at.code().on() ? at.whole().next_local() : 0;
  return array_at(at, *array, memory<ir::LocalMemory>(at, *array, variable));
}

Value dynamic_shared_array(Evaluation& at, const Builtin& self, const Values& values) {
  TypeId element = scalar_type(Scalar::UInt8);
  if (!is_absent(values, 0)) {
    std::optional<TypeId> named = element_named(at, self, values[0]);
    if (!named) return {};
    element = *named;
  }
  const Layout lies = layout(element);
  if (lies.align > kDynamicAlign)
    return at
        .error(Code::ArgumentType,
               {quoted(self), "elements aligned to at most 16 bytes", to_python(element)},
               {&values[0]})
        .report();
  TypeId type = array_type(element, 1, {.order = Order::Contiguous, .index_bits = 32});
  Value array = static_value({ArrayType{type}});
  if (!at.code().on()) return array;
  Leaf data = emit(at, ir::DynamicSharedMemory{}, {}, pointer_type(element));
  Leaf bytes = emit(at, ir::DynamicSharedBytes{}, {}, scalar_type(Scalar::UInt32));
  if (lies.stride() != 1) {
    Leaf size = at.code().constant(lies.stride(), Scalar::UInt32);
    bytes = at.code().binary<ir::FloorDiv>(bytes, size);
  }
  array.leaves = {at.code().builder().array(type, {data, at.code().convert(bytes, Scalar::Int64)})};
  return array;
}

}  // namespace hetjit::builtins
