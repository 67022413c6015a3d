#include "compiler/typing/kinds/array_views.h"

#include <algorithm>

#include "abi/index_width.h"
#include "abi/layout.h"
#include "compiler/typing/kinds/arrays.h"
#include "compiler/typing/kinds/checks.h"
#include "compiler/typing/kinds/operators.h"

namespace hetjit::typing {
namespace {

using Kind = Subscript::Kind;

bool is_contiguous(const Value& array) { return array_of(array).facts.order == Order::Contiguous; }

/// What a view is made of. Strides count only where the view is not contiguous.
struct Parts {
  Leaf data;
  std::vector<Leaf> extents, strides;
};

// Without axes there is one element, which lies without gaps.
TypeId view_type(TypeId element, size_t rank, ArrayFacts facts, bool contiguous) {
  facts.order = contiguous || rank == 0 ? Order::Contiguous : Order::Strided;
  return array_type(element, static_cast<uint8_t>(rank), facts);
}

Leaf make_array(Evaluation& at, TypeId type_id, const Parts& parts) {
  std::vector<Leaf> operands = {parts.data};
  operands.insert(operands.end(), parts.extents.begin(), parts.extents.end());
  if (type(type_id).facts.order == Order::Strided)
    operands.insert(operands.end(), parts.strides.begin(), parts.strides.end());
  return at.code().builder().array(type_id, std::move(operands));
}

Value made_array(Evaluation& at, TypeId type_id, const Parts& parts) {
  Value view = static_value({ArrayType{type_id}});
  if (at.code().on()) view.leaves = {make_array(at, type_id, parts)};
  return view;
}

bool few_axes(Evaluation& at, size_t rank) {
  if (rank <= kMaxRank) return true;
  return at.error(Code::TooManyDimensions, {std::to_string(rank)}).report();
}

// Elements lie one after another in an array without gaps when the first axes are fixed, one has a
// stretch picked of it, and the others are whole.
bool keeps_order(const Subscripts& subscripts) {
  bool rest_is_whole = false;
  for (const Subscript& item : subscripts.items) {
    if (item.kind == Kind::NewAxis) continue;
    if (item.kind == Kind::Index) {
      if (rest_is_whole) return false;
      continue;
    }
    if (!(rest_is_whole ? is_whole(item.value) : is_consecutive(item.value))) return false;
    rest_is_whole = true;
  }
  return true;
}

// Follows the subscripts from axis to axis. `strided`: strides are wanted.
class Walk {
 public:
  Walk(Evaluation& at, const Value& array, const Subscripts& subscripts, bool strided)
      : at_(at), array_(array), as_(index_type(array, subscripts)), strided_(strided) {
    for (const Subscript& item : subscripts.items) take(item);
    parts.data = moved_ ? at.code().element(array.leaf(), first_)
                        : at.code().builder().array_data(array.leaf());
  }

  Parts parts;

 private:
  void take(const Subscript& item) {
    if (item.kind == Kind::Index) {
      first_.push_back(wrapped_index(at_, array_, item, as_));
      moved_ = true;
    } else if (item.kind == Kind::NewAxis) {
      parts.extents.push_back(at_.code().constant(1, Scalar::Int64));
      if (strided_) parts.strides.push_back(at_.code().constant(0, Scalar::Int64));
    } else {
      take_slice(item);
    }
  }

  void take_slice(const Subscript& item) {
    Leaf extent = at_.code().extent(array_.leaf(), item.axis);
    if (is_whole(item.value)) {
      first_.push_back(at_.code().constant(0, as_));
      parts.extents.push_back(extent);
      if (strided_) parts.strides.push_back(at_.code().stride(array_.leaf(), item.axis));
      return;
    }
    moved_ = true;
    Picked picked = pick(at_, item.value, extent);
    first_.push_back(at_.code().convert(picked.first, as_));
    parts.extents.push_back(picked.count);
    if (!strided_) return;
    Leaf stride = at_.code().stride(array_.leaf(), item.axis);
    bool same = is_consecutive(item.value);
    parts.strides.push_back(same ? stride : at_.code().binary<ir::Mul>(stride, picked.step));
  }

  Evaluation& at_;
  const Value& array_;
  Scalar as_;
  bool strided_;
  bool moved_ = false;
  std::vector<Leaf> first_;  // the index of the view's first element
};

}  // namespace

Value view_at(Evaluation& at, const Value& array, const Subscripts& subscripts) {
  size_t rank = 0;
  for (const Subscript& item : subscripts.items) rank += item.kind != Kind::Index;
  if (!few_axes(at, rank)) return {};
  const Type& from = array_of(array);
  bool contiguous = is_contiguous(array) && keeps_order(subscripts);
  TypeId result = view_type(from.element, rank, from.facts, contiguous);
  if (!at.code().on()) return static_value({ArrayType{result}});
  check_indices(at, array, subscripts);
  bool strided = type(result).facts.order == Order::Strided;
  return made_array(at, result, Walk(at, array, subscripts, strided).parts);
}

Value row_at(Evaluation& at, const Value& array, Leaf position, Scalar as) {
  const Type& from = array_of(array);
  TypeId result = view_type(from.element, from.rank - 1u, from.facts, is_contiguous(array));
  if (!at.code().on()) return static_value({ArrayType{result}});
  std::vector<Leaf> first = {position};
  Parts parts;
  for (uint8_t axis = 1; axis < from.rank; ++axis) {
    first.push_back(at.code().constant(0, as));
    parts.extents.push_back(at.code().extent(array.leaf(), axis));
    if (!is_contiguous(array)) parts.strides.push_back(at.code().stride(array.leaf(), axis));
  }
  parts.data = at.code().element(array.leaf(), first);
  return made_array(at, result, parts);
}

Value transposed(Evaluation& at, const Value& array, const std::vector<uint8_t>& axes) {
  if (std::is_sorted(axes.begin(), axes.end())) return array;
  const Type& from = array_of(array);
  TypeId result = view_type(from.element, from.rank, from.facts, false);
  if (!at.code().on()) return static_value({ArrayType{result}});
  Parts parts{at.code().builder().array_data(array.leaf()), {}, {}};
  for (uint8_t axis : axes) parts.extents.push_back(at.code().extent(array.leaf(), axis));
  for (uint8_t axis : axes) parts.strides.push_back(at.code().stride(array.leaf(), axis));
  return made_array(at, result, parts);
}

Leaf as_array(Evaluation& at, const Value& array, const ArrayType& to) {
  const Type& target = type(to.type);
  Parts parts{at.code().builder().array_data(array.leaf()), {}, {}};
  for (uint8_t axis = 0; axis < target.rank; ++axis)
    parts.extents.push_back(at.code().extent(array.leaf(), axis));
  for (uint8_t axis = 0; target.facts.order == Order::Strided && axis < target.rank; ++axis)
    parts.strides.push_back(at.code().stride(array.leaf(), axis));
  return make_array(at, to.type, parts);
}

namespace {

Leaf product(Evaluation& at, const std::vector<Leaf>& factors) {
  Leaf result = at.code().constant(1, Scalar::Int64);
  for (size_t i = 0; i < factors.size(); ++i)
    result = i == 0 ? factors[0] : at.code().binary<ir::Mul>(result, factors[i]);
  return result;
}

// An extent of a new shape, never negative.
Leaf new_extent(Evaluation& at, const Value& extent) {
  Leaf leaf = at.convert(extent, {Scalar::Int64, true});
  if (is_nonnegative(*extent.as<NumberType>())) return leaf;
  Leaf zero = at.code().constant(0, Scalar::Int64);
  Leaf positive = at.code().compare(ssa::CompareKind::Lt, zero, leaf);
  return at.code().select(positive, leaf, zero);
}

// The one extent that is left open, or none; nullopt: reported.
std::optional<std::optional<size_t>> open_extent(Evaluation& at,
                                                 const std::vector<Value>& extents) {
  std::optional<size_t> open;
  for (size_t i = 0; i < extents.size(); ++i) {
    std::optional<Integer> known = integer_literal(extents[i].type);
    if (!known || *known >= 0) continue;
    if (*known != -1 || open) {
      at.error(Code::ArgumentType, {"'reshape'", "extents of which one may be -1",
                                    open ? "two of -1" : to_text(Literal{*known})})
          .report();
      return std::nullopt;
    }
    open = i;
  }
  return std::optional<std::optional<size_t>>(open);
}

// Does no new extent go beyond what indices of 32 bits are for? Of an array without elements the
// others may be any numbers, where one is 0.
bool stays_narrow(const std::vector<Value>& extents) {
  size_t unsure = 0;
  for (const Value& extent : extents) {
    std::optional<Integer> known = integer_literal(extent.type);
    if (known && *known > kMostIndex32) return false;
    unsure += !known || *known <= 0;
  }
  return unsure <= 1;
}

bool check_extents(Evaluation& at, const std::vector<Value>& extents) {
  for (const Value& extent : extents) {
    const NumberType* number = extent.as<NumberType>();
    bool whole = number && is_integer(number->number.scalar);
    if (!whole)
      return at
          .error(Code::ArgumentType,
                 {"'reshape'", "integers, or a tuple of them", name_of(extent.type)}, {&extent})
          .report();
    if (!at.fits(extent, {Scalar::Int64, true})) return false;
  }
  return true;
}

}  // namespace

Value reshaped(Evaluation& at, const Value& array, const std::vector<Value>& extents) {
  if (!check_extents(at, extents) || !few_axes(at, extents.size())) return {};
  auto open = open_extent(at, extents);
  if (!open) return {};
  const Type& from = array_of(array);
  if (!is_contiguous(array))
    return at.error(Code::NeedsCopy, {"reshape", name_of(array.type)}, {&array})
        .help("only an array known to be contiguous is reshaped in place; index this one as it is")
        .report();
  ArrayFacts facts = from.facts;
  if (!stays_narrow(extents)) facts.index_bits = 64;
  TypeId result = view_type(from.element, extents.size(), facts, true);
  if (!at.code().on()) return static_value({ArrayType{result}});
  Parts parts{at.code().builder().array_data(array.leaf()), {}, {}};
  std::vector<Leaf> known;
  for (size_t i = 0; i < extents.size(); ++i)
    if (*open != i) known.push_back(new_extent(at, extents[i]));
  parts.extents = known;
  std::vector<Leaf> old;
  for (uint8_t axis = 0; axis < from.rank; ++axis)
    old.push_back(at.code().extent(array.leaf(), axis));
  Leaf all = product(at, old);
  if (*open) {
    Leaf rest = product(at, known);
    Leaf left = known.empty() ? all : at.code().binary<ir::FloorDiv>(all, rest);
    parts.extents.insert(parts.extents.begin() + static_cast<ptrdiff_t>(**open), left);
  }
  check_reshape(at, array, all, product(at, parts.extents), parts.extents);
  return made_array(at, result, parts);
}

namespace {

// Why an array's elements cannot be seen as ones of another size; "": they can.
std::string cannot_resize(const Value& array, uint32_t old_size, uint32_t new_size) {
  if (array_of(array).rank == 0) return "an array of 0 dimensions keeps the size of its element";
  if (!is_contiguous(array))
    return "their sizes differ and the array is not known to be contiguous";
  bool divides = old_size > new_size ? old_size % new_size == 0 : new_size % old_size == 0;
  return divides ? "" : "neither size is a multiple of the other";
}

// The elements of a view of an array: what lies at less than its own alignment does so under every
// type.
TypeId lying_as(TypeId element, TypeId whole) {
  const uint32_t known = layout(whole).align;
  const bool less = known < layout(without_align(whole)).align;
  return less && known < layout(element).align ? aligned_type(element, known) : element;
}

}  // namespace

Value viewed_as(Evaluation& at, const Value& array, TypeId element) {
  const Type& from = array_of(array);
  element = lying_as(element, from.element);
  if (element == from.element) return array;
  uint32_t old_size = layout(from.element).size, new_size = layout(element).size;
  if (old_size != new_size)
    if (std::string why = cannot_resize(array, old_size, new_size); !why.empty())
      return at.error(Code::CannotView, {name_of(array.type), to_python(element), why}, {&array})
          .report();
  ArrayFacts facts = from.facts;
  if (new_size < old_size) facts.index_bits = 64;  // more elements than before
  TypeId result = view_type(element, from.rank, facts, is_contiguous(array));
  if (!at.code().on()) return static_value({ArrayType{result}});
  Leaf data = at.code().builder().array_data(array.leaf());
  Leaf zero = at.code().constant(0, Scalar::Int64);
  Parts parts{at.code().builder().move_address(data, zero, pointer_type(element)), {}, {}};
  for (uint8_t axis = 0; axis < from.rank; ++axis) {
    parts.extents.push_back(at.code().extent(array.leaf(), axis));
    if (!is_contiguous(array)) parts.strides.push_back(at.code().stride(array.leaf(), axis));
  }
  if (old_size == new_size) return made_array(at, result, parts);
  bool finer = new_size < old_size;
  Leaf factor =
      at.code().constant(finer ? old_size / new_size : new_size / old_size, Scalar::Int64);
  Leaf& last = parts.extents.back();
  last = finer ? at.code().binary<ir::Mul>(last, factor)
               : at.code().binary<ir::FloorDiv>(last, factor);
  return made_array(at, result, parts);
}

namespace {

// Strides count elements, so the records of a field's view are a whole number of fields.
Value field_apart(Evaluation& at, const Value& array, const Field& field, uint32_t size) {
  const uint32_t part = layout(field.type).size;
  return at
      .error(Code::CannotView,
             {name_of(array.type), to_python(without_align(field.type)),
              "the field '" + field.name + "' of " + std::to_string(part) +
                  " bytes is in records of " + std::to_string(size) +
                  ", and no whole number of such fields apart"},
             {&array})
      .help("go by way of an element: a[i]['" + field.name + "'] reads it, a[i] = a[i].replace(" +
            field.name +
            "=value) writes it; numpy.dtype(fields, align=True) lays most fields of "
            "numbers a whole number of them apart")
      .report();
}

}  // namespace

Value field_view(Evaluation& at, const Value& array, const std::string& name) {
  const Type& from = array_of(array);
  const Type& record = type(without_align(from.element));
  auto found = std::find_if(record.fields.begin(), record.fields.end(),
                            [&](const Field& field) { return field.name == name; });
  if (record.kind != TypeKind::Struct || found == record.fields.end()) {
    Diagnostics::Builder error = at.error(Code::NoAttribute, {name_of(array.type), name}, {&array});
    std::string fields;
    for (const Field& field : record.fields) fields += (fields.empty() ? "" : ", ") + field.name;
    if (!fields.empty()) error.help("its records have the fields " + fields);
    return error.report();
  }
  auto index = static_cast<uint32_t>(found - record.fields.begin());
  const TypeId plain = without_align(found->type);
  const uint32_t known = layout(part_type(from.element, index)).align;
  const TypeId element = known < layout(plain).align ? aligned_type(plain, known) : plain;
  const uint32_t offset_bytes = layout(from.element).offsets[index];
  const uint32_t size = layout(from.element).size, part = layout(element).size;
  if (size % part != 0) return field_apart(at, array, *found, size);
  const uint32_t apart = size / part;
  ArrayFacts facts = from.facts;
  if (apart > 1) facts.index_bits = 64;
  TypeId result = view_type(element, from.rank, facts, is_contiguous(array) && apart == 1);
  if (!at.code().on()) return static_value({ArrayType{result}});
  ir::Builder& build = at.code().builder();
  Leaf offset = at.code().constant(offset_bytes, Scalar::Int64);
  Leaf data = build.array_data(array.leaf());
  Parts parts{build.move_address(data, offset, pointer_type(element)), {}, {}};
  Leaf factor = at.code().constant(apart, Scalar::Int64);
  for (uint8_t axis = 0; axis < from.rank; ++axis) {
    parts.extents.push_back(at.code().extent(array.leaf(), axis));
    Leaf stride = at.code().stride(array.leaf(), axis);
    parts.strides.push_back(at.code().binary<ir::Mul>(stride, factor));
  }
  return made_array(at, result, parts);
}

}  // namespace hetjit::typing
