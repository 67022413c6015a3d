// Atomic operations, fences, and what they are made on. (HETX-AT, ORD, SCO)
#include <bit>

#include "abi/layout.h"
#include "compiler/builtins/functions.h"
#include "compiler/ir/atomic_rules.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/arrays.h"
#include "compiler/typing/kinds/checks.h"
#include "compiler/typing/kinds/memory.h"
#include "compiler/typing/kinds/references.h"
#include "compiler/typing/known/target_facts.h"

namespace hetjit::builtins {

using typing::ArrayType;
using typing::AtomicType;
using typing::Leaf;
using typing::Literal;
using typing::none_value;
using typing::Number;
using typing::static_value;
using typing::TypeObject;

namespace {

std::string listed(std::span<const std::string_view> words, unsigned allowed) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i)
    if (allowed >> i & 1) text += (text.empty() ? "'" : ", '") + std::string(words[i]) + "'";
  return text;
}

// Which of the words an argument is; nullopt: reported.
std::optional<size_t> word_of(Evaluation& at, const Builtin& self, const Values& values,
                              size_t index, const char* parameter,
                              std::span<const std::string_view> words, unsigned allowed) {
  const typing::StringType* text = values[index].as<typing::StringType>();
  for (size_t i = 0; text && i < words.size(); ++i)
    if (text->text == words[i] && allowed >> i & 1) return i;
  at.error(Code::ArgumentType,
           {"'" + std::string(parameter) + "' of " + quoted(self), listed(words, allowed),
            text ? "'" + text->text + "'" : name_of(values[index].type)},
           {&values[index]})
      .report();
  return std::nullopt;
}

}  // namespace

std::optional<Ordering> ordering(Evaluation& at, const Builtin& self, const Values& values,
                                 size_t first, Ordering otherwise) {
  Ordering result = otherwise;
  if (!is_absent(values, first)) {
    auto order = word_of(at, self, values, first, "memory", ir::kMemoryOrders,
                         ir::orders_of(self.short_name()));
    if (!order) return std::nullopt;
    result.order = static_cast<ir::MemoryOrder>(*order);
  }
  if (!is_absent(values, first + 1)) {
    auto scope = word_of(at, self, values, first + 1, "scope", ir::kMemoryScopes, 0b1111);
    if (!scope) return std::nullopt;
    result.scope = static_cast<ir::MemoryScope>(*scope);
  }
  return result;
}

Value thread_fence(Evaluation& at, const Builtin& self, const Values& values) {
  std::optional<Ordering> asked = ordering(at, self, values, 0);
  if (!asked) return {};
  ir::Fence op;
  op.order = asked->order;
  op.scope = asked->scope;
  if (op.order != ir::MemoryOrder::Relaxed) emit(at, op);  // which orders nothing
  return none_value();
}

// ---- what is operated on

Value atomic_of(Evaluation& at, const Builtin& self, const Values& values) {
  const TypeObject* object = values[0].as<TypeObject>();
  if (!object || !is_scalar(object->type.type))
    return at
        .error(Code::ArgumentType, {quoted(self), "a number's type", name_of(values[0].type)},
               {&values[0]})
        .report();
  TypeId made = atomic_type(type(object->type.type).scalar, object->type.weak);
  if (is_absent(values, 1)) return static_value({TypeObject{{made, false}}});
  std::optional<typing::Integer> align = typing::integer_literal(values[1].type);
  bool good =
      align && *align > 0 && *align <= 4096 && std::has_single_bit(static_cast<uint64_t>(*align));
  if (!good)
    return at
        .error(Code::ArgumentType,
               {"'align' of " + quoted(self), "a power of two up to 4096",
                align ? to_text(Literal{*align}) : name_of(values[1].type)},
               {&values[1]})
        .report();
  uint32_t least = std::max(static_cast<uint32_t>(*align), layout(made).align);
  return static_value({TypeObject{{aligned_type(made, least), false}}});
}

namespace {

Value atomic_in(Evaluation& at, const Builtin& self, const Value& array, const Value& index) {
  const ArrayType* it = array.as<ArrayType>();
  TypeId element = it ? without_align(type(it->type).element) : none_type();
  if (!it || (!is_scalar(element) && !is_atomic(element))) {
    auto error = at.error(Code::ArgumentType,
                          {quoted(self), "an array of numbers", name_of(array.type)}, {&array});
    if (array.as<typing::NumberType>() && typing::is_argument(at, array))
      error.help(
          "a number is a copy of each thread's own: pass an array of one, numpy.zeros(1, "
          "numpy.int32)");
    return error.report();
  }
  const TypeId lies = type(it->type).element;
  if (const uint32_t whole = layout(element).align; layout(lies).align < whole)
    return at
        .error(Code::ArgumentType,
               {quoted(self), "an array at a multiple of " + std::to_string(whole) + " bytes",
                name_of(array.type)},
               {&array})
        .help(
            "pass a copy of the array: its elements are not aligned, so no other thread would see "
            "one change as a whole")
        .report();
  bool reads = self.short_name() == "load" || self.short_name() == "wait";
  if (!reads && !type(it->type).facts.writable)
    return at.error(Code::ReadOnlyArray, {}, {&array}).report();
  std::optional<Leaf> address = typing::element_address(at, array, index);
  if (!address) return {};
  if (is_atomic(element)) return typing::refer_to(at, *address, type(it->type).element);
  return typing::atomic_at(at, *address, {type(element).scalar, false});
}

/// A call of an operation, read.
struct Operation {
  Value place;    // an AtomicType
  Values values;  // in its format
  Ordering ordering;

  Number number() const { return place.as<AtomicType>()->number; }
  TypeId type() const { return scalar_type(number().scalar); }
};

// add(array, index, values…, memory, scope), or the same of an atomic that is the first argument.
std::optional<Operation> read(Evaluation& at, const Builtin& self, const Values& arguments) {
  const bool of_array = self.name.starts_with("hetjit.");
  const size_t first = of_array ? 2 : 1, last = self.least;
  Operation made;
  made.place = of_array ? atomic_in(at, self, arguments[0], arguments[1]) : arguments[0];
  if (made.place.erroneous()) return std::nullopt;
  for (size_t i = first; i < last; ++i) {
    made.values.push_back(typing::as_element(at, arguments[i], made.type()));
    if (made.values.back().erroneous()) return std::nullopt;
  }
  std::optional<Ordering> asked =
      ordering(at, self, arguments, last, of_array ? kOfFunctions : Ordering{});
  if (!asked) return std::nullopt;
  made.ordering = *asked;
  return made;
}

Failed wrong_format(Evaluation& at, const Builtin& self, const Operation& it,
                    std::string_view formats) {
  return at
      .error(Code::AtomicFormat, {self.short_name(), formats, name_of(it.number())}, {&it.place})
      .report();
}

/// For a program that watches itself: an operation is done, or was. Makes what it gives.
template <class Make>
Leaf watched(Evaluation& at, const Values& arguments, const Operation& it, Make make,
             AccessKind kind = AccessKind::Atomic) {
  auto check = [&](AccessKind kind) {
    typing::check_memory(at, kind, arguments[0], it.place.leaf(), it.type());
  };
  check(kind);
  Leaf made = make();
  check(AccessKind::AfterAtomic);
  return made;
}

template <class Op>
Op ordered(Op op, const Operation& it) {
  op.order = it.ordering.order;
  op.scope = it.ordering.scope;
  return op;
}

Leaf leaf_of(Evaluation& at, const Operation& it, size_t value) {
  return at.convert(it.values[value], it.number());
}

// ---- complex64 in exch and cas: its eight bytes as one integer

bool as_bits(const Operation& it) { return is_complex(it.number().scalar); }

Leaf word_address(Evaluation& at, const Operation& it) {
  if (!as_bits(it) || !at.code().on()) return it.place.leaf();
  Leaf zero = at.code().constant(0, Scalar::Int64);
  return at.code().builder().move_address(it.place.leaf(), zero,
                                          pointer_type(scalar_type(Scalar::UInt64)));
}

Leaf to_word(Evaluation& at, const Operation& it, Leaf value) {
  if (!as_bits(it)) return value;
  typing::Emitter& code = at.code();
  auto bits = [&](Leaf part) {
    return code.convert(code.reinterpret(part, Scalar::UInt32), Scalar::UInt64);
  };
  Leaf high = code.binary<ir::ShiftLeft>(bits(code.imaginary_part(value)),
                                         code.constant(32, Scalar::UInt64));
  return code.binary<ir::BitOr>(high, bits(code.real_part(value)));
}

Value from_word(Evaluation& at, const Operation& it, Leaf word) {
  if (!as_bits(it)) return at.number(it.number(), word);
  typing::Emitter& code = at.code();
  auto part = [&](Leaf bits) {
    return code.reinterpret(code.convert(bits, Scalar::UInt32), Scalar::Float32);
  };
  Leaf high = code.binary<ir::ShiftRight>(word, code.constant(32, Scalar::UInt64));
  return at.number(it.number(), code.make_complex(part(word), part(high), Scalar::Complex64));
}

TypeId word_type(const Operation& it) {
  return as_bits(it) ? scalar_type(Scalar::UInt64) : it.type();
}

// What a number must be to be exchanged; "": it is.
std::string_view formats_of_words(const Operation& it) {
  return ir::formats_of(ir::AtomicOperation::Exchange, it.number().scalar);
}

// Whether the target reads and writes so many bytes as a whole; reported when not.
bool is_whole(Evaluation& at, const Builtin& self, const Operation& it) {
  const typing::TargetFacts& facts = typing::target_facts(at.whole().target().kind);
  std::string_view wrong = formats_of_words(it);
  if (wrong.empty() || facts.has_wide_accesses) return true;
  return wrong_format(at, self, it, std::string(wrong) + " on " + std::string(facts.name));
}

}  // namespace

Value atomic_reference(Evaluation& at, const Builtin& self, const Values& values) {
  return atomic_in(at, self, values[0], values[1]);
}

// ---- operations

Value atomic_load(Evaluation& at, const Builtin& self, const Values& arguments) {
  std::optional<Operation> it = read(at, self, arguments);
  if (!it || !is_whole(at, self, *it)) return {};
  Leaf now = watched(at, arguments, *it, [&] {
    return emit(at, ordered(ir::AtomicLoad{}, *it), {it->place.leaf()}, it->type());
  });
  return at.number(it->number(), now);
}

Value atomic_store(Evaluation& at, const Builtin& self, const Values& arguments) {
  std::optional<Operation> it = read(at, self, arguments);
  if (!it || !is_whole(at, self, *it)) return {};
  auto store = [&] {
    emit(at, ordered(ir::AtomicStore{}, *it), {it->place.leaf(), leaf_of(at, *it, 0)});
    return Leaf{};
  };
  watched(at, arguments, *it, store, AccessKind::AtomicStore);
  return none_value();
}

Value atomic_update(Evaluation& at, const Builtin& self, const Values& arguments) {
  std::optional<Operation> it = read(at, self, arguments);
  if (!it) return {};
  ir::AtomicUpdate op;
  op.operation = static_cast<ir::AtomicOperation>(self.detail);
  std::string_view wrong = ir::formats_of(op.operation, it->number().scalar);
  if (!wrong.empty()) return wrong_format(at, self, *it, wrong);
  Leaf value = to_word(at, *it, leaf_of(at, *it, 0));
  Leaf old = watched(at, arguments, *it, [&] {
    return emit(at, ordered(op, *it), {word_address(at, *it), value}, word_type(*it));
  });
  return from_word(at, *it, old);
}

Value atomic_compare_exchange(Evaluation& at, const Builtin& self, const Values& arguments) {
  std::optional<Operation> it = read(at, self, arguments);
  if (!it) return {};
  if (auto wrong = formats_of_words(*it); !wrong.empty()) return wrong_format(at, self, *it, wrong);
  Leaf expected = to_word(at, *it, leaf_of(at, *it, 0));
  Leaf desired = to_word(at, *it, leaf_of(at, *it, 1));
  Leaf old = watched(at, arguments, *it, [&] {
    return emit(at, ordered(ir::AtomicCompareExchange{}, *it),
                {word_address(at, *it), expected, desired}, word_type(*it));
  });
  return from_word(at, *it, old);
}

namespace {

// Whether two numbers have the same bits: NaN is NaN, and -0.0 is not 0.0.
Leaf same_bits(Evaluation& at, Leaf a, Leaf b, Scalar scalar) {
  typing::Emitter& code = at.code();
  if (is_complex(scalar)) {
    const Scalar part = hetjit::part_of(scalar);
    Leaf real = same_bits(at, code.real_part(a), code.real_part(b), part);
    Leaf imag = same_bits(at, code.imaginary_part(a), code.imaginary_part(b), part);
    return code.binary<ir::BitAnd>(real, imag);
  }
  if (is_floating(scalar)) {
    constexpr Scalar kOfBytes[] = {Scalar::UInt8, Scalar::UInt16, Scalar::UInt32, Scalar::UInt64};
    const Scalar bits = kOfBytes[std::countr_zero(info(scalar).bytes())];
    a = code.reinterpret(a, bits);
    b = code.reinterpret(b, bits);
  }
  return code.compare(ssa::CompareKind::Eq, a, b);
}

}  // namespace

// while load() == old: pause
Value atomic_wait(Evaluation& at, const Builtin& self, const Values& arguments) {
  std::optional<Operation> it = read(at, self, arguments);
  if (!it || !is_whole(at, self, *it)) return {};
  if (!at.code().on()) return none_value();
  ir::Builder& build = at.code().builder();
  Leaf old = leaf_of(at, *it, 0);
  BlockId look = build.new_block(), again = build.new_block(), done = build.new_block();
  build.jump(look);
  build.set_block(look);
  Leaf now = watched(at, arguments, *it, [&] {
    return emit(at, ordered(ir::AtomicLoad{}, *it), {it->place.leaf()}, it->type());
  });
  build.branch(same_bits(at, now, old, it->number().scalar), {again, {}}, {done, {}});
  build.set_block(again);
  emit(at, ir::Pause{});
  build.jump(look);
  build.set_block(done);
  return none_value();
}

// Who waits looks again by itself.
Value atomic_notify(Evaluation& at, const Builtin& self, const Values& arguments) {
  return read(at, self, arguments) ? none_value() : Value{};
}

}  // namespace hetjit::builtins
