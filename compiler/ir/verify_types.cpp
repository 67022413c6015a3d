// The comments of ops_*.h, as far as they speak of types, one overload per op. Each answers with
// what it expected, or with nothing.
#include "compiler/ir/verify_types.h"

#include <cmath>

#include "abi/layout.h"
#include "compiler/ir/atomic_rules.h"
#include "compiler/ir/numbers.h"
#include "compiler/ir/type_rules.h"

namespace hetjit::ir {
namespace {

// ---- arithmetic

Problem check(const Types& types, const ConstInt& op) {
  if (!is_logical(types.result)) return "the result must be an integer or bool";
  bool fits = wrap_bits(type(types.result).scalar, op.bits) == op.bits;
  return fits ? nullptr : "the bits do not fit the type";
}
Problem check(const Types& types, const ConstFloat& op) {
  if (!is_scalar(types.result) || !is_floating(type(types.result).scalar))
    return "the result must be a float";
  bool exact = std::isnan(op.value) || round_to(type(types.result).scalar, op.value) == op.value;
  return exact ? nullptr : "the value is not exact in its type";
}
Problem check(const Types& types, const ConstNone&) {
  return types.result == none_type() ? nullptr : "the result must be none";
}
template <OneOf<Add, Sub, Mul, FloorDiv, Mod, Neg, Abs> AnyOp>
Problem check(const Types& types, const AnyOp& op) {
  return numbers(types, op);
}
Problem check(const Types& types, const Div& op) { return floats(types, op); }
Problem check(const Types& types, const Fma& op) { return floats(types, op); }
template <OneOf<BitAnd, BitOr, BitXor, BitNot> AnyOp>
Problem check(const Types& types, const AnyOp& op) {
  return logical(types, op);
}
template <OneOf<ShiftLeft, ShiftRight, CountOnes, ReverseBits, LeadingZeros, TrailingZeros, MulHigh>
              AnyOp>
Problem check(const Types& types, const AnyOp& op) {
  return integers(types, op);
}

Problem check(const Types& types, const Compare& op) {
  TypeId operand = types.of(op.in[0]);
  if (!is_real(operand) || types.of(op.in[1]) != operand)
    return "operands must be scalars of one type, not complex";
  return is_scalar(types.result, Scalar::Bool) ? nullptr : "the result must be bool";
}
Problem check(const Types& types, const Select& op) {
  if (!is_scalar(types.of(op.in[0]), Scalar::Bool)) return "the condition must be bool";
  bool same = types.of(op.in[1]) == types.result && types.of(op.in[2]) == types.result;
  return same ? nullptr : "both choices must have the result's type";
}
Problem check(const Types& types, const Convert& op) {
  bool scalars = is_real(types.of(op.in[0])) && is_real(types.result);
  return scalars ? nullptr : "operand and result must be scalars, not complex";
}
Problem check(const Types& types, const Reinterpret& op) {
  TypeId from = types.of(op.in[0]), to = types.result;
  if (!has_all_bits(from) || !has_all_bits(to)) return "both types must be integers or floats";
  bool same_size = info(type(from).scalar).bits == info(type(to).scalar).bits;
  return same_size ? nullptr : "both types must have the same size";
}
Problem check(const Types& types, const Math& op) {
  if (op.in.size() != info(op.function).arity) return "this math function has another arity";
  if (!is_scalar(types.result, Scalar::Float32) && !is_scalar(types.result, Scalar::Float64))
    return "the result must be f32 or f64";
  return floats(types, op);
}

// ---- arrays and memory

template <OneOf<Extent, Stride> AnyOp>
Problem check(const Types& types, const AnyOp& op) {
  TypeId array = types.of(op.in[0]);
  if (!is_array(array)) return "the operand must be an array";
  if (op.axis >= type(array).rank) return "the array has fewer axes";
  return is_scalar(types.result, Scalar::Int64) ? nullptr : "the result must be i64";
}
Problem check(const Types& types, const WrapIndex& op) {
  if (is_scalar(types.result) && !is_signed_integer(type(types.result).scalar))
    return "the type must be a signed integer";
  return integers(types, op);
}
bool is_index_type(TypeId id, const Type& array) {
  if (!is_integer_type(id)) return false;
  unsigned bits = info(type(id).scalar).bits;
  return bits == 64 || (bits == 32 && array.facts.index_bits == 32);
}
Problem check(const Types& types, const ElementAddress& op) {
  if (op.in.empty() || !is_array(types.of(op.in[0]))) return "the first operand must be an array";
  const Type& array = type(types.of(op.in[0]));
  if (op.in.size() != array.rank + 1u) return "there must be an index per axis";
  for (size_t i = 1; i < op.in.size(); ++i)
    if (types.of(op.in[i]) != types.of(op.in[1]) || !is_index_type(types.of(op.in[i]), array))
      return "indices must all be i64 or u64, or i32 or u32 where the array has index32";
  return types.result == pointer_type(array.element) ? nullptr
                                                     : "the result must point to the element type";
}
Problem check(const Types& types, const MakeArray& op) {
  if (!is_array(types.result)) return "the result must be an array";
  const Type& array = type(types.result);
  size_t words = array.facts.order == Order::Contiguous ? array.rank : 2u * array.rank;
  if (op.in.size() != 1 + words) return "there must be an address, extents and strides";
  if (types.of(op.in[0]) != pointer_type(array.element))
    return "the first operand must point to the element type";
  for (size_t i = 1; i < op.in.size(); ++i)
    if (!is_scalar(types.of(op.in[i]), Scalar::Int64)) return "extents and strides must be i64";
  return nullptr;
}
Problem check(const Types& types, const ArrayData& op) {
  TypeId array = types.of(op.in[0]);
  if (!is_array(array)) return "the operand must be an array";
  return types.result == pointer_type(type(array).element)
             ? nullptr
             : "the result must point to the element type";
}
Problem check(const Types& types, const MoveAddress& op) {
  if (type(types.of(op.in[0])).kind != TypeKind::Pointer)
    return "the first operand must be a pointer";
  if (!is_scalar(types.of(op.in[1]), Scalar::Int64)) return "the offset must be i64";
  return type(types.result).kind == TypeKind::Pointer ? nullptr : "the result must be a pointer";
}
Problem check_pointee(TypeId pointer, TypeId value) {
  if (type(pointer).kind != TypeKind::Pointer) return "the first operand must be a pointer";
  return without_align(type(pointer).element) == value ? nullptr : "the pointer is to another type";
}
Problem check(const Types& types, const FieldAddress& op) {
  const Type& pointer = type(types.of(op.in[0]));
  if (pointer.kind != TypeKind::Pointer) return "the operand must be a pointer";
  if (!item_type(without_align(pointer.element), op.index).valid())
    return "what the operand points to has no such part";
  return types.result == pointer_type(part_type(pointer.element, op.index))
             ? nullptr
             : "the result must point to the part's type";
}
Problem check(const Types& types, const Load& op) {
  return check_pointee(types.of(op.in[0]), types.result);
}
Problem check(const Types& types, const Store& op) {
  return check_pointee(types.of(op.in[0]), types.of(op.in[1]));
}

// ---- control

Problem check(const Types&, const Jump&) { return nullptr; }
Problem check(const Types& types, const Branch& op) {
  return is_scalar(types.of(op.in[0]), Scalar::Bool) ? nullptr : "the condition must be bool";
}
Problem check(const Types& types, const Return& op) {
  return types.of(op.in[0]) == types.function.result ? nullptr
                                                     : "the function has another result type";
}
Problem check(const Types&, const Unreachable&) { return nullptr; }
Problem check(const Types& types, const Call& op) {
  if (op.function >= types.module.functions.size()) return "there is no such function";
  const Function& callee = types.module.functions[op.function];
  if (callee.blocks.empty() || callee.blocks[0].params.size() != op.in.size())
    return "the function has another number of parameters";
  for (size_t i = 0; i < op.in.size(); ++i) {
    ValueId param = callee.blocks[0].params[i];
    // The callee may be broken itself, and be looked at later.
    if (param.index >= callee.types.size() || callee.type_of(param) != types.of(op.in[i]))
      return "an argument has another type than the parameter";
  }
  return callee.result == types.result ? nullptr : "the function has another result type";
}

template <OneOf<ExternalCall, ExternalValue> AnyOp>
Problem check(const Types& types, const AnyOp& op) {
  if (op.symbol.empty()) return "an external function has a name";
  return types.result.valid() ? nullptr : "the call must have a result, which may be none";
}

// ---- messages

Problem check_message(const Types& types, uint32_t site, std::span<const ValueId> numbers,
                      SiteKind kind) {
  const Sites& sites = types.module.sites;
  if (site >= sites.size() || sites[site].kind != kind) return "there is no such site";
  size_t next = 0;
  for (const TextPiece& piece : sites[site].text) {
    for (size_t words = word_count(piece); words; --words)
      if (next == numbers.size() || !is_scalar(types.of(numbers[next++]), word_scalar(piece)))
        return "the operands must be the numbers of the site's text";
  }
  if (next > kMostWords) return "the text has too many numbers";
  return next == numbers.size() ? nullptr : "the operands must be the numbers of the site's text";
}
Problem check(const Types& types, const Raise& op) {
  return check_message(types, op.site, op.in, SiteKind::Raise);
}
Problem check(const Types& types, const CheckBelow& op) {
  if (op.in.size() < 2 || !is_integer_type(types.of(op.in[0])) ||
      types.of(op.in[0]) != types.of(op.in[1]))
    return "the first two operands must be of one integer type";
  return check_message(types, op.site, std::span(op.in).subspan(2), SiteKind::Raise);
}
// The words of the other thread come first; the runtime has them.
Problem check_found(const Types& types, uint32_t site, std::span<const ValueId> numbers) {
  if (site >= types.module.sites.size()) return "there is no such site";
  size_t words = kOtherWords;
  for (const TextPiece& piece : types.module.sites[site].text)
    if (words && piece.number && *piece.number != Scalar::Int64)
      return "what is said of the other thread is i64";
    else if (words && piece.number)
      --words;
  if (words) return "the site's text does not name the other thread";
  if (word_count(types.module.sites[site].text) != kOtherWords + numbers.size())
    return "the operands must be the numbers of the site's text";
  for (ValueId id : numbers)
    if (!is_scalar(types.of(id), Scalar::Int64)) return "the numbers must be i64";
  return nullptr;
}
Problem check(const Types& types, const CheckAccess& op) {
  if (op.in.empty() || type(types.of(op.in[0])).kind != TypeKind::Pointer)
    return "the first operand must be a pointer";
  if (op.bytes == 0) return "there must be bytes";
  if (op.in.size() < 1 + op.guards) return "there must be as many bools as guards";
  for (ValueId guard : std::span(op.in).subspan(1, op.guards))
    if (!is_scalar(types.of(guard), Scalar::Bool)) return "guards must be bools";
  std::span<const ValueId> numbers = std::span(op.in).subspan(1 + op.guards);
  if (Problem found = check_message(types, op.unwritten, numbers, SiteKind::Raise)) return found;
  return check_found(types, op.site, numbers);
}
Problem check(const Types& types, const Apart& op) {
  if (!is_array(types.of(op.in[0])) || !is_array(types.of(op.in[1])))
    return "the operands must be arrays";
  return is_scalar(types.result, Scalar::Bool) ? nullptr : "the result must be bool";
}
Problem check(const Types& types, const CheckBarrier& op) {
  return check_found(types, op.site, op.in);
}
Problem check(const Types& types, const Print& op) {
  return check_message(types, op.site, op.in, SiteKind::Print);
}

// ---- threads

template <class AnyOp>
Problem check_place(const Types& types, const AnyOp& op) {
  if (op.axis > 2) return "the axis must be 0, 1 or 2";
  return is_scalar(types.result, Scalar::UInt32) ? nullptr : "the result must be u32";
}
Problem check(const Types& types, const ThreadIndex& op) { return check_place(types, op); }
Problem check(const Types& types, const BlockIndex& op) { return check_place(types, op); }
Problem check(const Types& types, const BlockDimension& op) { return check_place(types, op); }
Problem check(const Types& types, const GridDimension& op) { return check_place(types, op); }
Problem check(const Types& types, const Clock&) {
  return is_scalar(types.result, Scalar::Int64) ? nullptr : "the result must be i64";
}

// ---- shared and local memory

template <class AnyOp>
Problem check_variable(const Types& types, const AnyOp& op) {
  if (!is_pointer(types.result)) return "the result must be a pointer";
  return op.align != 0 && (op.align & (op.align - 1)) == 0 ? nullptr
                                                           : "the alignment must be a power of two";
}
Problem check(const Types& types, const SharedMemory& op) { return check_variable(types, op); }
Problem check(const Types& types, const LocalMemory& op) { return check_variable(types, op); }
Problem check(const Types& types, const DynamicSharedMemory&) {
  return is_pointer(types.result) ? nullptr : "the result must be a pointer";
}
Problem check(const Types& types, const DynamicSharedBytes&) {
  return is_scalar(types.result, Scalar::UInt32) ? nullptr : "the result must be u32";
}

// ---- atomic operations

Problem check_atomic_size(TypeId value, uint32_t most) {
  Layout lies = layout(value);
  bool fits = lies.size != 0 && (lies.size & (lies.size - 1)) == 0 && lies.size <= most;
  return fits ? nullptr : "the value has no size of 1, 2, 4, 8 (or, loads and stores, 16) bytes";
}
Problem check_word(const Types& types, TypeId pointer) {
  if (!is_real(types.result)) return "the value must be a scalar, not complex";
  if (Problem problem = check_pointee(pointer, types.result)) return problem;
  return check_atomic_size(types.result, 8);
}
Problem check(const Types& types, const AtomicLoad& op) {
  if (Problem problem = check_pointee(types.of(op.in[0]), types.result)) return problem;
  return check_atomic_size(types.result, 16);
}
Problem check(const Types& types, const AtomicStore& op) {
  if (Problem problem = check_pointee(types.of(op.in[0]), types.of(op.in[1]))) return problem;
  return check_atomic_size(types.of(op.in[1]), 16);
}
Problem check(const Types& types, const AtomicUpdate& op) {
  if (Problem problem = check_word(types, types.of(op.in[0]))) return problem;
  if (types.of(op.in[1]) != types.result) return "the operand must have the result's type";
  bool good = formats_of(op.operation, type(types.result).scalar).empty();
  return good ? nullptr : "the operation is not for numbers of this type";
}
Problem check(const Types& types, const AtomicCompareExchange& op) {
  if (Problem problem = check_word(types, types.of(op.in[0]))) return problem;
  bool same = types.of(op.in[1]) == types.result && types.of(op.in[2]) == types.result;
  return same ? nullptr : "both values must have the result's type";
}
Problem check(const Types&, const Fence&) { return nullptr; }
Problem check(const Types&, const Pause&) { return nullptr; }

// ---- blocks and warps

constexpr Problem kNeedsMask = "the mask must be u32 or u64";

Problem check(const Types&, const Barrier&) { return nullptr; }
Problem check(const Types&, const GridBarrier&) { return nullptr; }
Problem check(const Types&, const GridDependency&) { return nullptr; }
Problem check(const Types& types, const BarrierReduce& op) {
  if (!is_bool(types.of(op.in[0]))) return "the operand must be bool";
  Scalar wanted = op.vote == BarrierVote::Count ? Scalar::Int32 : Scalar::Bool;
  return is_scalar(types.result, wanted) ? nullptr : "the result must be i32 (count), or bool";
}
Problem check(const Types& types, const LaneIndex&) {
  return is_scalar(types.result, Scalar::UInt32) ? nullptr : "the result must be u32";
}
Problem check(const Types& types, const ActiveMask&) {
  return is_mask(types.result) ? nullptr : kNeedsMask;
}
Problem check(const Types& types, const WarpBarrier& op) {
  return is_mask(types.of(op.in[0])) ? nullptr : kNeedsMask;
}
Problem check(const Types& types, const Vote& op) {
  if (!is_mask(types.of(op.in[0]))) return kNeedsMask;
  bool bools = is_bool(types.of(op.in[1])) && is_bool(types.result);
  return bools ? nullptr : "vote and result must be bool";
}
Problem check(const Types& types, const Ballot& op) {
  if (!is_mask(types.of(op.in[0])) || types.result != types.of(op.in[0])) return kNeedsMask;
  return is_bool(types.of(op.in[1])) ? nullptr : "the vote must be bool";
}
Problem check(const Types& types, const Shuffle& op) {
  if (!is_mask(types.of(op.in[0]))) return kNeedsMask;
  if (!is_real(types.result) || types.of(op.in[1]) != types.result)
    return "the value must be a scalar of the result's type, not complex";
  return is_scalar(types.of(op.in[2]), Scalar::Int32) ? nullptr : "the lane must be i32";
}
Problem check(const Types& types, const Match& op) {
  if (!is_mask(types.of(op.in[0])) || types.result != types.of(op.in[0])) return kNeedsMask;
  return is_word(types.of(op.in[1])) ? nullptr : "the value must be an integer of 4 or 8 bytes";
}

// ---- phases

template <OneOf<Keep, Take> AnyOp>
Problem check(const Types&, const AnyOp&) {
  return nullptr;
}
Problem check(const Types& types, const Prefetch& op) {
  return type(types.of(op.in[0])).kind == TypeKind::Pointer ? nullptr
                                                            : "the operand must be an address";
}
Problem check(const Types& types, const CastVote& op) {
  return is_bool(types.of(op.in[0])) ? nullptr : "the operand must be bool";
}
Problem check(const Types& types, const TakeVote& op) {
  Scalar wanted = op.vote == BarrierVote::Count ? Scalar::Int32 : Scalar::Bool;
  return is_scalar(types.result, wanted) ? nullptr : "the result must be i32 (count), or bool";
}
Problem check(const Types& types, const Post& op) {
  return is_scalar(types.of(op.in[0]), Scalar::UInt64) ? nullptr : "the operand must be u64";
}
Problem check(const Types& types, const Posted& op) {
  if (!is_scalar(types.of(op.in[0]), Scalar::Int32)) return "the lane must be i32";
  return is_scalar(types.result, Scalar::UInt64) ? nullptr : "the result must be u64";
}
Problem check(const Types& types, const PostedEqual& op) {
  if (!is_mask(types.of(op.in[0])) || types.result != types.of(op.in[0])) return kNeedsMask;
  return is_scalar(types.of(op.in[1]), Scalar::UInt64) ? nullptr : "the operand must be u64";
}

// ---- aggregates

Problem check(const Types& types, const MakeTuple& op) {
  if (!has_parts(types.result)) return "the result must be a tuple, vector or struct";
  const Type& whole = type(types.result);
  size_t count = whole.kind == TypeKind::Vector ? whole.lanes : whole.fields.size();
  if (count != op.in.size()) return "the result must have a part per operand";
  for (uint32_t i = 0; i < count; ++i)
    if (item_type(types.result, i) != types.of(op.in[i]))
      return "a part has another type than its operand";
  return nullptr;
}
Problem check(const Types& types, const Extract& op) {
  TypeId part = item_type(types.of(op.in[0]), op.index);
  if (!part.valid()) return "the operand has no such part";
  return part == types.result ? nullptr : "the part has another type than the result";
}

Problem check(const Types& types, const TableItem& op) {
  if (!is_real(types.result)) return "the result must be a scalar, not complex";
  if (!op.table || op.table->empty()) return "the table must have numbers";
  for (uint64_t bits : *op.table)
    if (wrap_bits(type(types.result).scalar, bits) != bits)
      return "a number's bits do not fit the type";
  return is_word(types.of(op.in[0])) ? nullptr : "the position must be an integer of 4 or 8 bytes";
}

// ---- complex numbers

TypeId part_type(TypeId complex) { return scalar_type(part_of(type(complex).scalar)); }

Problem check(const Types& types, const MakeComplex& op) {
  if (!is_complex_type(types.result)) return "the result must be complex";
  TypeId part = part_type(types.result);
  bool parts = types.of(op.in[0]) == part && types.of(op.in[1]) == part;
  return parts ? nullptr : "the parts must be floats of half the result's size";
}
template <OneOf<RealPart, ImaginaryPart> AnyOp>
Problem check(const Types& types, const AnyOp& op) {
  if (!is_complex_type(types.of(op.in[0]))) return "the operand must be complex";
  bool part = types.result == part_type(types.of(op.in[0]));
  return part ? nullptr : "the result must be a float of half the operand's size";
}
Problem check(const Types& types, const MultiplyComplex& op) {
  if (op.fused > 1) return "fused is 0 or 1";
  return complex_numbers(types, op);
}
Problem check(const Types& types, const DivideComplex& op) { return complex_numbers(types, op); }

}  // namespace

std::string check_types(const Module& module, const Function& function, const Inst& inst) {
  TypeId result = inst.result.valid() ? function.type_of(inst.result) : TypeId{};
  Types types{module, function, result};
  Problem problem = std::visit([&](const auto& op) { return check(types, op); }, inst.op);
  return problem ? problem : "";
}

}  // namespace hetjit::ir
