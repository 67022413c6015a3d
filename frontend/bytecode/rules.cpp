// The one place that knows how CPython versions differ. Numbers and cache sizes are generated
// (opcodes_3_1x.inc); what an instruction means is a row here; both are joined at compile time, and
// a row that names an instruction which a version it claims does not have does not build.
// An instruction without a row is not supported: the user is told so by construct_name().
#include "frontend/bytecode/rules.h"

namespace hetjit::bytecode {
namespace {

using enum NormalOp;
using enum Take;

constexpr Python v3_11 = Python::v3_11, v3_12 = Python::v3_12, v3_13 = Python::v3_13,
                 v3_14 = Python::v3_14, v3_15 = Python::v3_15;

struct Versions {
  Python first, last;
};
/// That one and those after it: a new Python needs rows only for what it changes.
constexpr Versions from(Python first) { return {first, kLastPython}; }
constexpr Versions only(Python one) { return {one, one}; }
constexpr Versions between(Python first, Python last) { return {first, last}; }

template <class... Steps>
constexpr Rule row(std::string_view name, Versions in, Steps... steps) {
  return {name, in.first, in.last, sizeof...(Steps), {steps...}};
}
constexpr Rule special(std::string_view name, Versions in, Expand expand) {
  return {name, in.first, in.last, 0, {}, expand};
}

constexpr Step when(When condition, Step step) { return {step.op, step.take, condition}; }
constexpr Step if_bit0(Step step) { return when(When::Bit0, step); }
constexpr Step unless_bit0(Step step) { return when(When::NoBit0, step); }
constexpr Step if_bit4(Step step) { return when(When::Bit4, step); }

constexpr Rule kRules[] = {
    // what only the interpreter needs
    row("NOP", from(v3_11)),
    row("RESUME", from(v3_11)),
    row("PRECALL", only(v3_11)),
    row("NOT_TAKEN", from(v3_14)),
    row("COPY_FREE_VARS", from(v3_11)),
    row("EXTENDED_ARG", from(v3_11)),

    // locals
    row("LOAD_FAST", from(v3_11), Step{LoadLocal, Whole}),
    row("LOAD_FAST_CHECK", from(v3_12), Step{LoadLocal, Whole}),
    row("LOAD_FAST_BORROW", from(v3_14), Step{LoadLocal, Whole}),
    row("LOAD_FAST_AND_CLEAR", from(v3_12), Step{LoadLocalAndClear, Whole}),
    row("LOAD_FAST_LOAD_FAST", from(v3_13), Step{LoadLocal, High4}, Step{LoadLocal, Low4}),
    row("LOAD_FAST_BORROW_LOAD_FAST_BORROW", from(v3_14), Step{LoadLocal, High4},
        Step{LoadLocal, Low4}),
    row("STORE_FAST", from(v3_11), Step{StoreLocal, Whole}),
    row("STORE_FAST_LOAD_FAST", from(v3_13), Step{StoreLocal, High4}, Step{LoadLocal, Low4}),
    row("STORE_FAST_STORE_FAST", from(v3_13), Step{StoreLocal, High4}, Step{StoreLocal, Low4}),
    row("DELETE_FAST", from(v3_11), Step{DeleteLocal, Whole}),

    // cells; from 3.13 on LOAD_FAST loads a cell, which decode() sees by its MAKE_CELL
    row("MAKE_CELL", from(v3_11), Step{MakeCell, Whole}),
    row("LOAD_CLOSURE", between(v3_11, v3_12), Step{LoadClosure, Whole}),
    row("LOAD_DEREF", from(v3_11), Step{LoadCell, Whole}),
    row("STORE_DEREF", from(v3_11), Step{StoreCell, Whole}),

    // constants
    row("LOAD_CONST", from(v3_11), Step{LoadConst, Whole}),
    row("LOAD_SMALL_INT", from(v3_14), Step{LoadInt, Whole}),
    row("LOAD_ASSERTION_ERROR", between(v3_11, v3_13), Step{LoadCommon, Zero}),
    special("LOAD_COMMON_CONSTANT", from(v3_14), expand_common_constant),

    // the stack
    row("PUSH_NULL", from(v3_11), Step{PushNull}),
    row("POP_TOP", from(v3_11), Step{Pop}),
    row("COPY", from(v3_11), Step{Copy, Whole}),
    row("SWAP", from(v3_11), Step{Swap, Whole}),

    // names and attributes; method loads become plain ones, bound by the call
    row("LOAD_GLOBAL", between(v3_11, v3_12), if_bit0({PushNull}), Step{LoadGlobal, Shift1}),
    row("LOAD_GLOBAL", from(v3_13), Step{LoadGlobal, Shift1}, if_bit0({PushNull})),
    row("LOAD_ATTR", only(v3_11), Step{LoadAttribute, Whole}),
    row("LOAD_ATTR", from(v3_12), Step{LoadAttribute, Shift1}, if_bit0({PushNull})),
    row("LOAD_METHOD", only(v3_11), Step{LoadAttribute, Whole}, Step{PushNull}),
    row("STORE_ATTR", from(v3_11), Step{StoreAttribute, Whole}),

    // operators
    row("UNARY_NEGATIVE", from(v3_11), Step{Negative}),
    row("UNARY_POSITIVE", only(v3_11), Step{Positive}),
    row("UNARY_INVERT", from(v3_11), Step{Invert}),
    row("UNARY_NOT", from(v3_11), Step{Not}),
    row("TO_BOOL", from(v3_13), Step{ToBool}),
    special("CALL_INTRINSIC_1", from(v3_12), expand_intrinsic),
    special("BINARY_OP", from(v3_11), expand_binary),
    row("COMPARE_OP", only(v3_11), Step{Compare, Whole}),
    row("COMPARE_OP", only(v3_12), Step{Compare, Shift4}),
    row("COMPARE_OP", from(v3_13), Step{Compare, Shift5}, if_bit4({ToBool})),
    row("IS_OP", from(v3_11), Step{Is, Whole}),
    row("CONTAINS_OP", from(v3_11), Step{Contains, Whole}),

    // subscripts
    row("BINARY_SUBSCR", between(v3_11, v3_13), Step{Subscript}),
    row("STORE_SUBSCR", from(v3_11), Step{StoreSubscript}),
    row("BUILD_SLICE", from(v3_11), Step{BuildSlice, Whole}),
    row("BINARY_SLICE", from(v3_12), Step{BuildSlice, Two}, Step{Subscript}),
    row("STORE_SLICE", from(v3_12), Step{BuildSlice, Two}, Step{StoreSubscript}),

    // tuples, lists, strings
    row("BUILD_TUPLE", from(v3_11), Step{BuildTuple, Whole}),
    row("BUILD_MAP", from(v3_11), Step{BuildMap, Whole}),
    row("BUILD_CONST_KEY_MAP", between(v3_11, v3_13), Step{BuildNamedMap, Whole}),
    row("MAP_ADD", from(v3_11), Step{MapAdd, Whole}),
    row("DICT_UPDATE", from(v3_11), Step{UpdateMap, Whole}),
    row("DICT_MERGE", from(v3_11), Step{MergeMap, Whole}),
    row("BUILD_LIST", from(v3_11), Step{BuildList, Whole}),
    row("LIST_APPEND", from(v3_11), Step{ListAppend, Whole}),
    row("LIST_EXTEND", from(v3_11), Step{ListExtend, Whole}),
    row("LIST_TO_TUPLE", only(v3_11), Step{ListToTuple}),
    row("UNPACK_SEQUENCE", from(v3_11), Step{UnpackSequence, Whole}),
    row("UNPACK_EX", from(v3_11), Step{UnpackStar, Whole}),
    special("FORMAT_VALUE", between(v3_11, v3_12), expand_format_value),
    row("CONVERT_VALUE", from(v3_13), Step{Convert, Whole}),
    row("FORMAT_SIMPLE", from(v3_13), Step{FormatSimple}),
    row("FORMAT_WITH_SPEC", from(v3_13), Step{FormatWithSpec}),
    row("BUILD_STRING", from(v3_11), Step{BuildString, Whole}),

    // calls and functions
    special("KW_NAMES", between(v3_11, v3_12), expand_keyword_names),
    special("CALL", from(v3_11), expand_call),
    row("CALL_KW", from(v3_13), Step{CallKeywords, Whole}),
    row("CALL_FUNCTION_EX", between(v3_11, v3_13), unless_bit0({PushNull}), Step{CallSpread}),
    row("CALL_FUNCTION_EX", from(v3_14), Step{CallSpread}),
    special("MAKE_FUNCTION", between(v3_11, v3_12), expand_make_function),
    row("MAKE_FUNCTION", from(v3_13), Step{MakeFunction, Zero}),
    special("SET_FUNCTION_ATTRIBUTE", from(v3_13), expand_function_attribute),

    // iteration
    row("GET_ITER", between(v3_11, v3_14), Step{GetIter}),
    row("GET_ITER", from(v3_15), Step{GetIterPair}),
    row("FOR_ITER", only(v3_11), Step{ForIter, Forward}),
    row("FOR_ITER", between(v3_12, v3_14), Step{ForIter, LoopEnd}),
    row("FOR_ITER", from(v3_15), Step{ForIterPair, LoopEnd}),
    special("END_FOR", from(v3_12), expand_loop_end),
    row("POP_ITER", only(v3_14), Step{Pop}),
    row("POP_ITER", from(v3_15), Step{Pop}, Step{Pop}),

    // matching
    row("GET_LEN", from(v3_11), Step{GetLength}),
    row("MATCH_SEQUENCE", from(v3_11), Step{MatchSequence}),

    // jumps
    row("JUMP_FORWARD", from(v3_11), Step{Jump, Forward}),
    row("JUMP_BACKWARD", from(v3_11), Step{Jump, Backward}),
    row("JUMP_BACKWARD_NO_INTERRUPT", from(v3_11), Step{Jump, Backward}),
    row("POP_JUMP_FORWARD_IF_TRUE", only(v3_11), Step{BranchIfTrue, Forward}),
    row("POP_JUMP_FORWARD_IF_FALSE", only(v3_11), Step{BranchIfFalse, Forward}),
    row("POP_JUMP_FORWARD_IF_NONE", only(v3_11), Step{BranchIfNone, Forward}),
    row("POP_JUMP_FORWARD_IF_NOT_NONE", only(v3_11), Step{BranchIfNotNone, Forward}),
    row("POP_JUMP_BACKWARD_IF_TRUE", only(v3_11), Step{BranchIfTrue, Backward}),
    row("POP_JUMP_BACKWARD_IF_FALSE", only(v3_11), Step{BranchIfFalse, Backward}),
    row("POP_JUMP_BACKWARD_IF_NONE", only(v3_11), Step{BranchIfNone, Backward}),
    row("POP_JUMP_BACKWARD_IF_NOT_NONE", only(v3_11), Step{BranchIfNotNone, Backward}),
    row("POP_JUMP_IF_TRUE", from(v3_12), Step{BranchIfTrue, Forward}),
    row("POP_JUMP_IF_FALSE", from(v3_12), Step{BranchIfFalse, Forward}),
    row("POP_JUMP_IF_NONE", from(v3_12), Step{BranchIfNone, Forward}),
    row("POP_JUMP_IF_NOT_NONE", from(v3_12), Step{BranchIfNotNone, Forward}),
    row("JUMP_IF_TRUE_OR_POP", only(v3_11), Step{Copy, One}, Step{BranchIfTrue, Forward},
        Step{Pop}),
    row("JUMP_IF_FALSE_OR_POP", only(v3_11), Step{Copy, One}, Step{BranchIfFalse, Forward},
        Step{Pop}),
    // generator expressions; what enters one is None
    row("RETURN_GENERATOR", from(v3_11), Step{LoadNone}),
    row("YIELD_VALUE", from(v3_11), Step{Yield}),
    row("RETURN_VALUE", from(v3_11), Step{Return}),
    row("RETURN_CONST", between(v3_12, v3_13), Step{LoadConst, Whole}, Step{Return}),
    row("RAISE_VARARGS", from(v3_11), Step{Raise, Whole}),
};

struct Opcode {
  uint8_t number, caches;
  std::string_view name;
};

#define MAGIC(number)
#define OPCODE(number, caches, name) {number, caches, #name},
constexpr Opcode kOpcodes_3_11[] = {
#include "frontend/bytecode/opcodes_3_11.inc"
};
constexpr Opcode kOpcodes_3_12[] = {
#include "frontend/bytecode/opcodes_3_12.inc"
};
constexpr Opcode kOpcodes_3_13[] = {
#include "frontend/bytecode/opcodes_3_13.inc"
};
constexpr Opcode kOpcodes_3_14[] = {
#include "frontend/bytecode/opcodes_3_14.inc"
};
constexpr Opcode kOpcodes_3_15[] = {
#include "frontend/bytecode/opcodes_3_15.inc"
};
#undef OPCODE
#undef MAGIC

constexpr const Rule* find_rule(std::string_view name, Python version) {
  for (const Rule& rule : kRules)
    if (rule.name == name && rule.since <= version && version <= rule.until) return &rule;
  return nullptr;
}

template <size_t N>
consteval Table make_table(const Opcode (&opcodes)[N], Python version) {
  Table table{};
  for (const Opcode& opcode : opcodes)
    table[opcode.number] = {opcode.name, opcode.caches, find_rule(opcode.name, version)};
  return table;
}

/// Every rule that claims this version names one of its instructions, and no two claim the same.
template <size_t N>
consteval bool every_rule_exists(const Opcode (&opcodes)[N], Python version) {
  for (const Rule& rule : kRules) {
    if (version < rule.since || rule.until < version) continue;
    bool found = false;
    for (const Opcode& opcode : opcodes) found = found || opcode.name == rule.name;
    if (!found || find_rule(rule.name, version) != &rule) return false;
  }
  return true;
}

static_assert(every_rule_exists(kOpcodes_3_11, v3_11));
static_assert(every_rule_exists(kOpcodes_3_12, v3_12));
static_assert(every_rule_exists(kOpcodes_3_13, v3_13));
static_assert(every_rule_exists(kOpcodes_3_14, v3_14));
static_assert(every_rule_exists(kOpcodes_3_15, v3_15));

constexpr Table kTables[] = {
    make_table(kOpcodes_3_11, v3_11), make_table(kOpcodes_3_12, v3_12),
    make_table(kOpcodes_3_13, v3_13), make_table(kOpcodes_3_14, v3_14),
    make_table(kOpcodes_3_15, v3_15),
};

constexpr std::array<std::string_view, 2> kLoopEnds[] = {
    {}, {"END_FOR"}, {"END_FOR", "POP_TOP"}, {"END_FOR", "POP_ITER"}, {"END_FOR", "POP_ITER"},
};

}  // namespace

const Table& table(Python version) { return kTables[static_cast<size_t>(version)]; }

std::array<std::string_view, 2> loop_end(Python version) {
  return kLoopEnds[static_cast<size_t>(version)];
}

}  // namespace hetjit::bytecode
