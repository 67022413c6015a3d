// Constants and operators.
#include "frontend/build/readers.h"

namespace hetjit::reader {
namespace {

using enum bytecode::NormalOp;

void unary(Builder& at, ssa::UnaryKind kind) {
  at.push(at.emit(ssa::Unary{{at.pop_value()}, kind}));
}

/// The two operands, in the order of the source.
std::array<ValueId, 2> operands(Builder& at) {
  ValueId right = at.pop_value(), left = at.pop_value();
  return {left, right};
}

void binary(Builder& at, int32_t kind, bool in_place) {
  at.push(at.emit(ssa::Binary{{operands(at)}, static_cast<ssa::BinaryKind>(kind), in_place}));
}

}  // namespace

template <>
void read<LoadConst>(Builder& at, int32_t arg) {
  const Constant& constant = at.snapshot().constants[static_cast<size_t>(arg)];
  Word word{.value = at.constant(constant)};
  if (const auto* text = std::get_if<std::string>(&constant.value)) word.text = *text;
  at.push(std::move(word));
}
template <>
void read<LoadInt>(Builder& at, int32_t arg) {
  bool negative = arg < 0;
  auto magnitude = static_cast<uint64_t>(negative ? -int64_t{arg} : int64_t{arg});
  at.push(at.constant({IntConstant{negative, magnitude}}));
}
template <>
void read<LoadNone>(Builder& at, int32_t) {
  at.push(at.none());
}
template <>
void read<LoadBool>(Builder& at, int32_t arg) {
  at.push(at.constant({arg != 0}));
}
template <>
void read<LoadEmptyString>(Builder& at, int32_t) {
  at.push(at.constant({std::string()}));
}
template <>
void read<LoadCommon>(Builder& at, int32_t arg) {
  // `tuple`, `all`, `any`, … are only asked for to see whether a call of one with a generator may
  // be written out as a loop (3.14 on). The call says more than the loop: the answer is no.
  if (arg >= bytecode::kFirstCommonType) return at.push(at.none());
  at.push(at.builtin("builtins." + std::string(bytecode::common_name(arg))));
}

template <>
void read<Negative>(Builder& at, int32_t) {
  unary(at, ssa::UnaryKind::Negative);
}
template <>
void read<Positive>(Builder& at, int32_t) {
  unary(at, ssa::UnaryKind::Positive);
}
template <>
void read<Invert>(Builder& at, int32_t) {
  unary(at, ssa::UnaryKind::Invert);
}
template <>
void read<Not>(Builder& at, int32_t) {
  at.push(at.emit(ssa::Unary{{at.without_bool(at.pop_value())}, ssa::UnaryKind::Not}));
}
template <>
void read<ToBool>(Builder& at, int32_t) {
  at.push(at.emit(ssa::ToBool{{at.pop_value()}}));
}

template <>
void read<Binary>(Builder& at, int32_t arg) {
  binary(at, arg, false);
}
template <>
void read<BinaryInPlace>(Builder& at, int32_t arg) {
  binary(at, arg, true);
}
template <>
void read<Compare>(Builder& at, int32_t arg) {
  at.push(at.emit(ssa::Compare{{operands(at)}, static_cast<ssa::CompareKind>(arg)}));
}
template <>
void read<Is>(Builder& at, int32_t arg) {
  at.push(at.emit(ssa::Is{{operands(at)}, arg != 0}));
}
template <>
void read<Contains>(Builder& at, int32_t arg) {
  at.push(at.emit(ssa::Contains{{operands(at)}, arg != 0}));
}

}  // namespace hetjit::reader
