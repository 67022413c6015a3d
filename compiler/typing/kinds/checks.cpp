#include "compiler/typing/kinds/checks.h"

#include <algorithm>

#include "abi/layout.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/source_text.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/arrays.h"
#include "compiler/typing/kinds/operators.h"
#include "compiler/typing/kinds/texts.h"
#include "compiler/typing/known/target_facts.h"

namespace hetjit::typing {
namespace {

bool wanted(Evaluation& at, Check check) {
  return at.code().on() && at.whole().checks().has(check);
}

/// A message in the making: its text, and the numbers in it.
struct Message {
  Evaluation& at;
  Text text{};

  Message& operator<<(std::string_view constant) {
    text.add(constant);
    return *this;
  }
  Message& number(Leaf leaf, Scalar scalar) {
    text.pieces.push_back({"", scalar, false});
    text.leaves.push_back(leaf);
    return *this;
  }
  Message& number(const Value& value) {
    Scalar scalar = value.as<NumberType>()->number.scalar;
    Scalar wide = is_unsigned(scalar) ? Scalar::UInt64 : Scalar::Int64;
    return number(at.convert(value, {wide, false}), wide);
  }
  /// As Python writes a tuple of them.
  Message& numbers(const std::vector<Leaf>& leaves, Scalar scalar) {
    *this << "(";
    for (size_t i = 0; i < leaves.size(); ++i) {
      if (i) *this << ", ";
      number(leaves[i], scalar);
    }
    return *this << (leaves.size() == 1 ? ",)" : ")");
  }
  Message& shape(const Value& array) {
    std::vector<Leaf> extents;
    for (uint8_t axis = 0; axis < array_of(array).rank; ++axis)
      extents.push_back(at.code().extent(array.leaf(), axis));
    return numbers(extents, Scalar::Int64);
  }
  /// The expression that the user wrote for a value.
  Message& name(const Value& value, std::string_view otherwise) {
    const Source& source = at.whole().source_of(at.instance());
    std::string written;
    if (value.origin.valid()) {
      written = text_at(source, operand_span(at.instance(), source, at.inst(), value.origin));
      if (written.empty()) written = local_name(at.instance(), value.origin);
      // The receiver of a method that is called: what stands before its name.
      auto* call = std::get_if<ssa::Call>(&at.inst().op);
      size_t dot = written.rfind('.');
      if (call && call->in[0] == value.origin && dot != std::string::npos) written.resize(dot);
    }
    return *this << (written.empty() ? std::string(otherwise) : "'" + written + "'");
  }
};

void check_below(Evaluation& at, Leaf number, Leaf limit, uint32_t site, const Message& message) {
  ir::CheckBelow check;
  check.in = {number, limit};
  check.in.insert(check.in.end(), message.text.leaves.begin(), message.text.leaves.end());
  check.site = site;
  at.code().builder().emit(std::move(check));
}

uint32_t site_of(const Message& message, std::string exception) {
  return site_here(message.at,
                   {SiteKind::Raise, std::move(exception), true, message.text.pieces, "", "", 0});
}

// Wide enough for the index as it is written and for the extent.
Scalar checked_type(const Value& index, unsigned extent_bits) {
  const NumberType& number = *index.as<NumberType>();
  bool wide = extent_bits == 64 || info(number.number.scalar).bits == 64;
  if (number.literal) wide |= !fits(*number.literal, Scalar::Int32);
  if (!number.literal && is_unsigned(number.number.scalar))
    return wide ? Scalar::UInt64 : Scalar::UInt32;
  return wide ? Scalar::Int64 : Scalar::Int32;
}

void check_axis(Evaluation& at, const Value& index, Leaf extent, unsigned extent_bits,
                uint32_t site, const Message& message) {
  Scalar as = checked_type(index, extent_bits);
  Leaf limit = at.code().convert(extent, as), place = at.convert(index, {as, false});
  if (!is_nonnegative(*index.as<NumberType>()))
    place = at.code().binary<ir::WrapIndex>(place, limit);
  check_below(at, place, limit, site, message);
}

}  // namespace

void check_indices(Evaluation& at, const Value& array, const Subscripts& subscripts) {
  if (!wanted(at, Check::Bounds)) return;
  Message message{at};
  std::vector<const Subscript*> items;
  for (const Subscript& item : subscripts.items)
    if (item.kind != Subscript::Kind::NewAxis) items.push_back(&item);
  while (!items.empty() && items.back()->kind == Subscript::Kind::Slice) items.pop_back();
  if (items.empty()) return;
  message << (items.size() == 1 ? "index " : "index (");
  for (size_t i = 0; i < items.size(); ++i) {
    if (i) message << ", ";
    if (items[i]->kind == Subscript::Kind::Slice)
      message << ":";
    else
      message.number(items[i]->value);
  }
  message << (items.size() == 1 ? " is out of bounds for " : ") is out of bounds for ");
  message.name(array, "an array") << " of shape ";
  message.shape(array);
  static_assert(2 * kMaxRank <= kMostWords);
  uint32_t site = site_of(message, "BoundsError");
  for (const Subscript* item : items)
    if (item->kind == Subscript::Kind::Index)
      check_axis(at, item->value, at.code().extent(array.leaf(), item->axis),
                 array_of(array).facts.index_bits, site, message);
}

void check_same_shape(Evaluation& at, const Value& target, const Value& array) {
  if (!wanted(at, Check::Bounds)) return;
  Message message{at};
  message << "shapes differ: cannot store ";
  message.name(array, "an array") << " of shape ";
  message.shape(array) << " in a view of shape ";
  message.shape(target);
  static_assert(2 * kMaxRank <= kMostWords);
  uint32_t site = site_of(message, "BoundsError");
  uint8_t rank = array_of(array).rank, missing = static_cast<uint8_t>(array_of(target).rank - rank);
  Leaf one = at.code().constant(1, Scalar::Int64);
  for (uint8_t axis = 0; axis < rank; ++axis) {
    Leaf extent = at.code().extent(array.leaf(), axis);
    Leaf wanted_extent = at.code().extent(target.leaf(), static_cast<uint8_t>(missing + axis));
    Leaf repeats = at.code().compare(ssa::CompareKind::Eq, extent, one);
    Leaf fitting = at.code().select(repeats, extent, wanted_extent);
    Leaf difference = at.code().binary<ir::Sub>(extent, fitting);
    check_below(at, difference, one, site, message);  // 0, and only 0, is below 1
  }
}

void check_position(Evaluation& at, const Value& whole, const Value& index, size_t count) {
  if (!wanted(at, Check::Bounds)) return;
  Message message{at};
  message << "index ";
  message.number(index) << " is out of bounds for ";
  message.name(whole, "a value") << " of " << std::to_string(count) << " items";
  Leaf extent = at.code().constant(static_cast<int64_t>(count), Scalar::Int64);
  check_axis(at, index, extent, 32, site_of(message, "BoundsError"), message);
}

void check_reshape(Evaluation& at, const Value& array, Leaf old_size, Leaf new_size,
                   const std::vector<Leaf>& extents) {
  if (!wanted(at, Check::Bounds)) return;
  Message message{at};
  message << "cannot reshape ";
  message.name(array, "an array") << " of shape ";
  message.shape(array) << " to ";
  message.numbers(extents, Scalar::Int64);
  Leaf one = at.code().constant(1, Scalar::Int64);
  Leaf difference = at.code().binary<ir::Sub>(old_size, new_size);
  check_below(at, difference, one, site_of(message, "BoundsError"), message);
}

void check_divisor(Evaluation& at, ssa::BinaryKind kind, Scalar type, Leaf dividend, Leaf divisor) {
  bool divides = kind == ssa::BinaryKind::FloorDivide || kind == ssa::BinaryKind::Remainder;
  if (!divides || !is_integer(type) || !wanted(at, Check::Arith)) return;
  Message message{at};
  message << "integer division or modulo by zero: ";
  message.number(dividend, type) << " " << symbol(kind) << " 0";
  Leaf zero = at.code().constant(0, type);
  check_below(at, zero, divisor, site_of(message, "ZeroDivisionError"), message);
}

namespace {

bool is_watched(Evaluation& at, Check check) {
  return wanted(at, check) && target_facts(at.whole().target().kind).is_watched;
}

/// Has a value of the type bytes that storing its parts does not write?
bool has_gaps(TypeId id) {
  const Type& it = type(without_align(id));
  if (it.kind != TypeKind::Tuple && it.kind != TypeKind::Struct) return false;
  uint64_t parts = 0;
  for (const Field& field : it.fields) {
    if (has_gaps(field.type)) return true;
    parts += layout(field.type).size;
  }
  return parts != layout(id).size;
}

/// What is asked of an access; 0: nothing.
WatchFor watch_for(Evaluation& at, AccessKind kind, TypeId type) {
  int order = is_watched(at, Check::Race) ? static_cast<int>(WatchFor::Order) : 0;
  bool contents = kind != AccessKind::AfterAtomic && is_watched(at, Check::Init) &&
                  !(kind == AccessKind::Read && has_gaps(type));
  return static_cast<WatchFor>(order | (contents ? static_cast<int>(WatchFor::Contents) : 0));
}

// What the runtime finds is about another thread: these words are its own.
Message& other_thread(Message& message) {
  Message& m = message;
  auto word = [&](std::string_view before) {
    m << before;
    m.text.pieces.push_back({"", Scalar::Int64, false});
  };
  word("line ");
  m << ", where ";
  word("block (");
  word(", ");
  word(", ");
  word("), thread (");
  word(", ");
  word(", ");
  return m << ")";
}

constexpr std::string_view kUses[] = {"is read", "is written", "is used by an atomic operation",
                                      "is written by an atomic operation", ""};

}  // namespace

namespace {

/// Writes the check, whose operands are in place; `element` adds what is used to a message.
template <class Element>
void finish(Evaluation& at, ir::CheckAccess check, Element element) {
  Message race{at}, unwritten{at};
  race << "nothing orders this access and the one in ";
  element(other_thread(race) << " uses the same memory: ");
  race << " " << kUses[static_cast<size_t>(check.kind)] << " here";
  element(unwritten);
  unwritten << " is read before anything was written there";
  check.site = site_of(race, "RaceError");
  check.unwritten = site_of(unwritten, "CheckError");
  at.code().builder().emit(std::move(check));
}

}  // namespace

void check_access(Evaluation& at, AccessKind kind, const Value& array, Leaf address,
                  const std::vector<Leaf>& indices) {
  ir::CheckAccess check;
  check.watch = watch_for(at, kind, array_of(array).element);
  if (check.watch == WatchFor{}) return;
  check.in = {address};
  for (Leaf index : indices) check.in.push_back(at.code().convert(index, Scalar::Int64));
  std::vector<Leaf> numbers(check.in.begin() + 1, check.in.end());
  check.kind = kind;
  check.bytes = layout(array_of(array).element).size;
  finish(at, std::move(check), [&](Message& message) {
    message.name(array, "an array") << "[";
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (i) message << ", ";
      message.number(numbers[i], Scalar::Int64);
    }
    message << "]";
  });
}

void check_memory(Evaluation& at, AccessKind kind, const Value& name, Leaf address, TypeId type) {
  ir::CheckAccess check;
  check.watch = watch_for(at, kind, type);
  if (check.watch == WatchFor{}) return;
  check.in = {address};
  check.kind = kind;
  check.bytes = layout(type).size;
  finish(at, std::move(check), [&](Message& message) { message.name(name, "a number"); });
}

void check_wait(Evaluation& at, WaitKind kind) {
  if (!is_watched(at, Check::Race)) return;
  Message message{at};
  message << "threads of a block wait for each other at different places: here, and in ";
  other_thread(message);
  ir::CheckBarrier check;
  check.kind = kind;
  check.site = site_of(message, "BarrierError");
  at.code().builder().emit(std::move(check));
}

}  // namespace hetjit::typing
