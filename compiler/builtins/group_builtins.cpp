// What the threads of a block or a warp do together: barriers, votes, shuffles, matches. (HETX-BS,
// HETX-WS)
#include <bit>

#include "compiler/builtins/functions.h"
#include "compiler/typing/core/python_floats.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/checks.h"
#include "compiler/typing/kinds/lane_checks.h"
#include "compiler/typing/kinds/number_attributes.h"

namespace hetjit::builtins {

using typing::Leaf;
using typing::Literal;
using typing::none_value;
using typing::NumberType;
using typing::static_value;
using typing::StructType;
using typing::TupleType;
using typing::TypeValue;
using typing::TypeValues;

namespace {

// ---- masks: bits without a sign in the typed graph, the int that Python has of them outside

unsigned lanes(Evaluation& at) { return warp_size(at.whole().target()); }
Scalar mask_bits(Evaluation& at) { return lanes(at) == 64 ? Scalar::UInt64 : Scalar::UInt32; }
Scalar mask_format(Evaluation& at) { return lanes(at) == 64 ? Scalar::Int64 : Scalar::Int32; }

Value mask_of(Evaluation& at, Leaf bits) {
  Leaf number = at.code().convert(bits, mask_format(at));
  return typing::as_mask(at.number({mask_format(at), false}, number));
}

bool is_mask(Evaluation& at, const Builtin& self, const Value& mask) {
  const NumberType* number = mask.as<NumberType>();
  if (number && is_integer(number->number.scalar)) {
    std::optional<typing::Integer> known = typing::integer_literal(mask.type);
    const typing::Integer full = (typing::Integer{1} << lanes(at)) - 1;
    if (!known || (*known >= -full / 2 - 1 && *known <= full)) return true;
    return at
        .error(Code::LiteralTooLarge,
               {to_text(Literal{*known}), "a mask of " + std::to_string(lanes(at)) + " lanes"},
               {&mask})
        .help("a mask has a bit for each lane of a warp")
        .report();
  }
  return at.error(Code::ArgumentType, {quoted(self), "a WarpMask", name_of(mask.type)}, {&mask})
      .report();
}

// A mask that is known, without a sign: 0xFFFFFFFF and -1 are the same.
std::optional<typing::Integer> known_mask(Evaluation& at, const Value& mask) {
  std::optional<typing::Integer> known = typing::integer_literal(mask.type);
  if (known && *known < 0) *known += typing::Integer{1} << lanes(at);
  return known;
}

// The bits of a mask that is_mask let pass.
Leaf bits_of_mask(Evaluation& at, const Value& mask) {
  if (std::optional<typing::Integer> known = known_mask(at, mask))
    return at.code().constant(Literal{*known}, mask_bits(at));
  return at.code().convert(mask.leaf(), mask_bits(at));
}

typing::Integer all_lanes(Evaluation& at) { return (typing::Integer{1} << lanes(at)) - 1; }

/// The mask that is passed to a function, which must name this lane.
struct OwnMask {
  Leaf bits;
  Leaf here;  // those of its lanes that have come; invalid where nobody asks
};

OwnMask own_mask(Evaluation& at, const Builtin& self, const Value& mask) {
  Leaf bits = bits_of_mask(at, mask);
  if (known_mask(at, mask) != all_lanes(at)) typing::check_caller(at, quoted(self), bits);
  return {bits, typing::check_all_come(at, quoted(self), bits)};
}

TypeId mask_type(Evaluation& at) { return scalar_type(mask_bits(at)); }

// ---- predicates

// A bool or an integer, or what is called for it without arguments.
Value predicate(Evaluation& at, const Builtin& self, const Value& given) {
  bool called = given.as<typing::FunctionType>() || given.as<typing::BuiltinType>() ||
                given.as<typing::MethodType>();
  Value value = called ? typing::call(at, given, {}) : given;
  if (value.erroneous()) return value;
  const NumberType* number = value.as<NumberType>();
  if (number && (number->number.scalar == Scalar::Bool || is_integer(number->number.scalar)))
    return typing::truth(at, value);
  at.error(Code::ArgumentType,
           {quoted(self), "a bool, an integer or a function that gives one", name_of(value.type)},
           {&given})
      .report();
  return {};
}

}  // namespace

// ---- the block

Value block_barrier(Evaluation& at, const Builtin&, const Values&) {
  typing::check_wait(at, WaitKind::Block);
  emit(at, ir::Barrier{});
  return none_value();
}

Value grid_barrier(Evaluation& at, const Builtin&, const Values&) {
  typing::check_wait(at, WaitKind::GridBefore);
  emit(at, ir::GridBarrier{});
  typing::check_wait(at, WaitKind::GridAfter);
  return none_value();
}

Value grid_dependency(Evaluation& at, const Builtin& self, const Values&) {
  ir::GridDependency op;
  op.step = static_cast<ir::DependencyStep>(self.detail);
  emit(at, op);
  return none_value();
}

Value block_vote(Evaluation& at, const Builtin& self, const Values& values) {
  Value vote = predicate(at, self, values[0]);
  if (vote.erroneous()) return {};
  ir::BarrierReduce op;
  op.vote = static_cast<ir::BarrierVote>(self.detail);
  bool counts = op.vote == ir::BarrierVote::Count;
  typing::Number format = counts ? typing::Number{Scalar::Int32, false} : typing::kBool;
  typing::check_wait(at, WaitKind::Block);
  Leaf result = emit(at, op, {typing::condition(at, vote)}, scalar_type(format.scalar));
  return at.number(format, result, counts);
}

// ---- the warp

Value warp_mask(Evaluation& at, const Builtin& self, const Values& values) {
  Value value = values.empty() ? static_value(typing::int_value(0)) : values[0];
  if (!is_mask(at, self, value)) return {};
  return mask_of(at, bits_of_mask(at, value));
}

Value active_mask(Evaluation& at, const Builtin&, const Values&) {
  return mask_of(at, emit(at, ir::ActiveMask{}, {}, mask_type(at)));
}

Value lower_lanes(Evaluation& at, const Builtin&, const Values&) {
  Leaf lane =
      at.code().convert(emit(at, ir::LaneIndex{}, {}, scalar_type(Scalar::UInt32)), mask_bits(at));
  Leaf one = at.code().constant(1, mask_bits(at));
  return mask_of(at, at.code().binary<ir::Sub>(at.code().binary<ir::ShiftLeft>(one, lane), one));
}

Value warp_barrier(Evaluation& at, const Builtin& self, const Values& values) {
  const Value mask =
      is_absent(values, 0) ? static_value(typing::int_value(-1)) : values[0];
  if (!is_mask(at, self, mask)) return {};
  typing::check_wait(at, WaitKind::Warp);
  emit(at, ir::WarpBarrier{}, {own_mask(at, self, mask).bits});
  typing::check_wait(at, WaitKind::WarpAfter);
  return none_value();
}

Value warp_vote(Evaluation& at, const Builtin& self, const Values& values) {
  if (!is_mask(at, self, values[0])) return {};
  Value vote = predicate(at, self, values[1]);
  if (vote.erroneous()) return {};
  ir::Vote op;
  op.vote = static_cast<ir::WarpVote>(self.detail);
  Leaf mask = own_mask(at, self, values[0]).bits;
  Leaf result = emit(at, op, {mask, typing::condition(at, vote)}, scalar_type(Scalar::Bool));
  return at.number(typing::kBool, result);
}

Value warp_ballot(Evaluation& at, const Builtin& self, const Values& values) {
  if (!is_mask(at, self, values[0])) return {};
  Value vote = predicate(at, self, values[1]);
  if (vote.erroneous()) return {};
  Leaf mask = own_mask(at, self, values[0]).bits;
  return mask_of(at, emit(at, ir::Ballot{}, {mask, typing::condition(at, vote)}, mask_type(at)));
}

namespace {

// What a value is made of: an object of C++ is words.
std::optional<TypeValues> parts_to_move(const TypeValue& type) {
  return type.holds<StructType>() ? typing::parts_in(type) : typing::items_of(type);
}

// Reported when a value is not made of numbers alone.
bool has_numbers_only(Evaluation& at, const Builtin& self, const Value& value,
                      const TypeValue& part) {
  if (part.holds<NumberType>() || part.holds<typing::NoneType>()) return true;
  if (std::optional<TypeValues> items = parts_to_move(part))
    return std::all_of(items->begin(), items->end(), [&](const TypeValue& item) {
      return has_numbers_only(at, self, value, item);
    });
  return at
      .error(
          Code::ArgumentType,
          {quoted(self), "a number, or a vector, struct or tuple of numbers", name_of(value.type)},
          {&value})
      .report();
}

// The numbers of a value, each a leaf; of complex ones the parts.
void append_words(Evaluation& at, const Value& value, std::vector<Leaf>& words) {
  if (std::optional<TypeValues> items = parts_to_move(value.type)) {
    for (const Value& part : parts_of(value, *items)) append_words(at, part, words);
  } else if (const NumberType* number = value.as<NumberType>()) {
    Leaf leaf = at.convert(value, number->number);
    if (!is_complex(number->number.scalar)) {
      words.push_back(leaf);
      return;
    }
    words.push_back(at.code().real_part(leaf));
    words.push_back(at.code().imaginary_part(leaf));
  }
}

// The value of that type whose numbers are the words, which are taken away.
Value from_words(Evaluation& at, const TypeValue& type, std::vector<Leaf>& words) {
  Value value = static_value(type);
  auto take = [&] {
    Leaf first = words.front();
    words.erase(words.begin());
    return first;
  };
  if (std::optional<TypeValues> items = parts_to_move(type)) {
    for (const TypeValue& item : *items) {
      Value part = from_words(at, item, words);
      value.leaves.insert(value.leaves.end(), part.leaves.begin(), part.leaves.end());
    }
  } else if (const NumberType* number = type.as<NumberType>()) {
    if (!is_complex(number->number.scalar)) {
      value.leaves = {take()};
    } else {
      Leaf real = take(), imag = take();
      value.leaves = {at.code().make_complex(real, imag, number->number.scalar)};
    }
  }
  return value;
}

// Another lane's numbers: nothing is known of them but their formats.
TypeValue of_formats(const TypeValue& type) {
  TypeValue result = typing::without_literals(type);
  if (NumberType* number = std::get_if<NumberType>(&result.is)) number->nonnegative = false;
  if (TupleType* tuple = std::get_if<TupleType>(&result.is))
    for (TypeValue& item : tuple->items) item = of_formats(item);
  if (StructType* record = std::get_if<StructType>(&result.is))
    for (TypeValue& item : record->items) item = of_formats(item);
  return result;
}

bool is_lane(Evaluation& at, const Builtin& self, const Value& lane) {
  const NumberType* number = lane.as<NumberType>();
  if (number && is_integer(number->number.scalar)) return at.fits(lane, {Scalar::Int32, true});
  return at.error(Code::ArgumentType, {quoted(self), "an integer", name_of(lane.type)}, {&lane})
      .report();
}

Value shuffled(Evaluation& at, const Builtin& self, const Values& values) {
  const Value& value = values[1];
  if (!is_mask(at, self, values[0]) || !has_numbers_only(at, self, value, value.type) ||
      !is_lane(at, self, values[2]))
    return {};
  TypeValue type = of_formats(value.type);
  if (!at.code().on()) return static_value(type);
  const OwnMask mask = own_mask(at, self, values[0]);
  Leaf lane = at.convert(values[2], {Scalar::Int32, false});
  ir::Shuffle op;
  op.kind = static_cast<ir::ShuffleKind>(self.detail);
  if (op.kind == ir::ShuffleKind::Index) typing::check_lane(at, quoted(self), lane);
  if (known_mask(at, values[0]) != all_lanes(at))
    typing::check_source(at, quoted(self), op.kind, mask.bits, lane);
  typing::check_source_is_here(at, quoted(self), op.kind, mask.here, lane);
  lane = typing::source_that_is(at, op.kind, lane);
  std::vector<Leaf> words;
  append_words(at, value, words);
  for (Leaf& word : words)
    word = emit(at, op, {mask.bits, word, lane}, at.code().builder().type_of(word));
  return from_words(at, type, words);
}

}  // namespace

Value warp_shuffle(Evaluation& at, const Builtin& self, const Values& values) {
  Value result = shuffled(at, self, values);
  const NumberType* number = values[1].as<NumberType>();
  if (!number || !number->exact || result.erroneous()) return result;
  Value wide = shuffled(at, self, {values[0], typing::in_float64(at, values[1]), values[2]});
  return typing::of_two_forms(at, std::move(result), wide);
}

namespace {

// A number as the integer of 4 or 8 bytes that has its bits.
Leaf bits_of_word(Evaluation& at, Leaf word) {
  const Scalar scalar = type(at.code().builder().type_of(word)).scalar;
  const unsigned bits = info(scalar).bits;
  const Scalar as = bits == 64 ? Scalar::UInt64 : Scalar::UInt32;
  if (!is_floating(scalar)) return at.code().convert(word, as);
  constexpr Scalar kOfBytes[] = {Scalar::UInt8, Scalar::UInt16, Scalar::UInt32, Scalar::UInt64};
  Leaf same = at.code().reinterpret(word, kOfBytes[std::countr_zero(bits / 8)]);
  return at.code().convert(same, as);
}

// Lanes that have the same are those that have the same in every word.
Leaf matching(Evaluation& at, const Builtin& self, const Values& values) {
  if (!at.code().on()) return {};
  std::vector<Leaf> words;
  append_words(at, values[1], words);
  Leaf mask = own_mask(at, self, values[0]).bits, found = mask;
  ir::Match op;
  op.kind = static_cast<ir::MatchKind>(self.detail);
  for (size_t i = 0; i < words.size(); ++i) {
    Leaf here = emit(at, op, {mask, bits_of_word(at, words[i])}, mask_type(at));
    found = i == 0 ? here : at.code().binary<ir::BitAnd>(found, here);
  }
  return found;
}

}  // namespace

// The specification's third parameter, `flag`, says nothing.
Value warp_match(Evaluation& at, const Builtin& self, const Values& values) {
  if (!is_mask(at, self, values[0]) || !has_numbers_only(at, self, values[1], values[1].type))
    return {};
  Leaf found = matching(at, self, values);
  if (static_cast<ir::MatchKind>(self.detail) == ir::MatchKind::Any) return mask_of(at, found);
  Leaf none = at.code().constant(0, mask_bits(at));
  Leaf all = at.code().compare(ssa::CompareKind::Ne, found, none);
  return typing::made_of<TupleType>({mask_of(at, found), at.number(typing::kBool, all)});
}

}  // namespace hetjit::builtins
