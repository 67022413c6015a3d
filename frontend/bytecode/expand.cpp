// The instructions whose meaning depends on the value of their argument, or on their neighbours.
#include "frontend/bytecode/decoder.h"

namespace hetjit::bytecode {

namespace {

// BINARY_OP's argument: the operators, then the same in place, then (3.14) the subscript.
constexpr uint32_t kOperators = 13, kInPlaceEnd = 26, kSubscript = 26;

// CALL_INTRINSIC_1's argument, as far as functions use it.
constexpr uint32_t kIntrinsicStopIteration = 3, kIntrinsicPositive = 5, kIntrinsicListToTuple = 6;

// LOAD_COMMON_CONSTANT's argument: builtins (kCommonNames in order), and from 3.15 on values.
struct CommonValue {
  NormalOp op;
  int32_t arg;
};
constexpr CommonValue kCommonValues[] = {
    {NormalOp::LoadNone, 0}, {NormalOp::LoadEmptyString, 0}, {NormalOp::LoadBool, 1},
    {NormalOp::LoadBool, 0}, {NormalOp::LoadInt, -1},
};
constexpr uint32_t kCommonNames3_14 = 5;

}  // namespace

Status expand_binary(Decoder& decoder, uint32_t arg) {
  if (arg < kOperators)
    decoder.emit(NormalOp::Binary, static_cast<int32_t>(arg));
  else if (arg < kInPlaceEnd)
    decoder.emit(NormalOp::BinaryInPlace, static_cast<int32_t>(arg - kOperators));
  else if (arg == kSubscript && decoder.version() >= Python::v3_14)
    decoder.emit(NormalOp::Subscript);
  else
    return decoder.malformed("an unknown binary operator");
  return ok();
}

Status expand_intrinsic(Decoder& decoder, uint32_t arg) {
  if (arg == kIntrinsicPositive)
    decoder.emit(NormalOp::Positive);
  else if (arg == kIntrinsicListToTuple)
    decoder.emit(NormalOp::ListToTuple);
  else if (arg == kIntrinsicStopIteration)  // only in the handler that guards a generator
    decoder.emit(NormalOp::Raise, 0);
  else
    decoder.emit_unsupported("the instruction CALL_INTRINSIC_1 " + std::to_string(arg));
  return ok();
}

Status expand_common_constant(Decoder& decoder, uint32_t arg) {
  const bool has_values = decoder.version() >= Python::v3_15;
  const uint32_t names = has_values ? kCommonNames.size() : kCommonNames3_14;
  if (arg < names) {
    decoder.emit(NormalOp::LoadCommon, static_cast<int32_t>(arg));
  } else if (has_values && arg - names < std::size(kCommonValues)) {
    const CommonValue& value = kCommonValues[arg - names];
    decoder.emit(value.op, value.arg);
  } else {
    return decoder.malformed("an unknown common constant");
  }
  return ok();
}

// arg & 3: conversion; arg & 4: a format specification lies above the value.
Status expand_format_value(Decoder& decoder, uint32_t arg) {
  const auto conversion = static_cast<int32_t>(arg & 3);
  const bool has_spec = arg & 4;
  if (conversion != 0) {
    if (has_spec) decoder.emit(NormalOp::Swap, 2);
    decoder.emit(NormalOp::Convert, conversion);
    if (has_spec) decoder.emit(NormalOp::Swap, 2);
  }
  decoder.emit(has_spec ? NormalOp::FormatWithSpec : NormalOp::FormatSimple);
  return ok();
}

Status expand_make_function(Decoder& decoder, uint32_t arg) {
  constexpr uint32_t kKnown = kDefaults | kKeywordDefaults | kAnnotations | kClosure;
  if (arg & ~kKnown) return decoder.malformed("an unknown function attribute");
  decoder.emit(NormalOp::MakeFunction, static_cast<int32_t>(arg));
  return ok();
}

// The order in which a function's optional words lie under its code object, top first. Each
// SET_FUNCTION_ATTRIBUTE takes the next one, so that the whole run is MakeFunction with flags.
Status expand_function_attribute(Decoder& decoder, uint32_t arg) {
  constexpr std::array kTopFirst = {kClosure, kAnnotations, kAnnotate, kKeywordDefaults, kDefaults};
  NormalInst* function = decoder.last();
  if (!function || function->op != NormalOp::MakeFunction)
    return decoder.malformed("SET_FUNCTION_ATTRIBUTE without a function");
  int32_t lower = 0;  // the words that must still be on the stack: below the one taken now
  for (size_t i = kTopFirst.size(); i-- > 0; lower |= kTopFirst[i]) {
    if (static_cast<uint32_t>(kTopFirst[i]) != arg) continue;
    if (function->arg & (lower | kTopFirst[i])) break;
    function->arg |= kTopFirst[i];
    return ok();
  }
  return decoder.malformed("a function attribute out of order");
}

Status expand_keyword_names(Decoder& decoder, uint32_t arg) {
  decoder.emit(NormalOp::LoadConst, static_cast<int32_t>(arg));
  decoder.expect_keyword_call();
  return ok();
}

Status expand_call(Decoder& decoder, uint32_t arg) {
  const bool keywords = decoder.take_keyword_call();
  decoder.emit(keywords ? NormalOp::CallKeywords : NormalOp::Call, static_cast<int32_t>(arg));
  return ok();
}

Status expand_loop_end(Decoder& decoder, uint32_t) { return decoder.skip_loop_end(); }

}  // namespace hetjit::bytecode
