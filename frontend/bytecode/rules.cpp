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

template <class... Steps>
constexpr Rule row(std::string_view name, Python since, Python until, Steps... steps) {
  return {name, since, until, sizeof...(Steps), {steps...}};
}
constexpr Rule special(std::string_view name, Python since, Python until, Expand expand) {
  return {name, since, until, 0, {}, expand};
}

constexpr Step when(When condition, Step step) { return {step.op, step.take, condition}; }
constexpr Step if_bit0(Step step) { return when(When::Bit0, step); }
constexpr Step unless_bit0(Step step) { return when(When::NoBit0, step); }
constexpr Step if_bit4(Step step) { return when(When::Bit4, step); }

constexpr Rule kRules[] = {
    // what only the interpreter needs
    row("NOP", v3_11, v3_15),
    row("RESUME", v3_11, v3_15),
    row("PRECALL", v3_11, v3_11),
    row("NOT_TAKEN", v3_14, v3_15),
    row("COPY_FREE_VARS", v3_11, v3_15),
    row("EXTENDED_ARG", v3_11, v3_15),

    // locals
    row("LOAD_FAST", v3_11, v3_15, Step{LoadLocal, Whole}),
    row("LOAD_FAST_CHECK", v3_12, v3_15, Step{LoadLocal, Whole}),
    row("LOAD_FAST_BORROW", v3_14, v3_15, Step{LoadLocal, Whole}),
    row("LOAD_FAST_AND_CLEAR", v3_12, v3_15, Step{LoadLocalAndClear, Whole}),
    row("LOAD_FAST_LOAD_FAST", v3_13, v3_15, Step{LoadLocal, High4}, Step{LoadLocal, Low4}),
    row("LOAD_FAST_BORROW_LOAD_FAST_BORROW", v3_14, v3_15, Step{LoadLocal, High4},
        Step{LoadLocal, Low4}),
    row("STORE_FAST", v3_11, v3_15, Step{StoreLocal, Whole}),
    row("STORE_FAST_LOAD_FAST", v3_13, v3_15, Step{StoreLocal, High4}, Step{LoadLocal, Low4}),
    row("STORE_FAST_STORE_FAST", v3_13, v3_15, Step{StoreLocal, High4}, Step{StoreLocal, Low4}),
    row("DELETE_FAST", v3_11, v3_15, Step{DeleteLocal, Whole}),

    // cells; from 3.13 on LOAD_FAST loads a cell, which decode() sees by its MAKE_CELL
    row("MAKE_CELL", v3_11, v3_15, Step{MakeCell, Whole}),
    row("LOAD_CLOSURE", v3_11, v3_12, Step{LoadClosure, Whole}),
    row("LOAD_DEREF", v3_11, v3_15, Step{LoadCell, Whole}),
    row("STORE_DEREF", v3_11, v3_15, Step{StoreCell, Whole}),

    // constants
    row("LOAD_CONST", v3_11, v3_15, Step{LoadConst, Whole}),
    row("LOAD_SMALL_INT", v3_14, v3_15, Step{LoadInt, Whole}),
    row("LOAD_ASSERTION_ERROR", v3_11, v3_13, Step{LoadCommon, Zero}),
    special("LOAD_COMMON_CONSTANT", v3_14, v3_15, expand_common_constant),

    // the stack
    row("PUSH_NULL", v3_11, v3_15, Step{PushNull}),
    row("POP_TOP", v3_11, v3_15, Step{Pop}),
    row("COPY", v3_11, v3_15, Step{Copy, Whole}),
    row("SWAP", v3_11, v3_15, Step{Swap, Whole}),

    // names and attributes; method loads become plain ones, bound by the call
    row("LOAD_GLOBAL", v3_11, v3_12, if_bit0({PushNull}), Step{LoadGlobal, Shift1}),
    row("LOAD_GLOBAL", v3_13, v3_15, Step{LoadGlobal, Shift1}, if_bit0({PushNull})),
    row("LOAD_ATTR", v3_11, v3_11, Step{LoadAttribute, Whole}),
    row("LOAD_ATTR", v3_12, v3_15, Step{LoadAttribute, Shift1}, if_bit0({PushNull})),
    row("LOAD_METHOD", v3_11, v3_11, Step{LoadAttribute, Whole}, Step{PushNull}),
    row("STORE_ATTR", v3_11, v3_15, Step{StoreAttribute, Whole}),

    // operators
    row("UNARY_NEGATIVE", v3_11, v3_15, Step{Negative}),
    row("UNARY_POSITIVE", v3_11, v3_11, Step{Positive}),
    row("UNARY_INVERT", v3_11, v3_15, Step{Invert}),
    row("UNARY_NOT", v3_11, v3_15, Step{Not}),
    row("TO_BOOL", v3_13, v3_15, Step{ToBool}),
    special("CALL_INTRINSIC_1", v3_12, v3_15, expand_intrinsic),
    special("BINARY_OP", v3_11, v3_15, expand_binary),
    row("COMPARE_OP", v3_11, v3_11, Step{Compare, Whole}),
    row("COMPARE_OP", v3_12, v3_12, Step{Compare, Shift4}),
    row("COMPARE_OP", v3_13, v3_15, Step{Compare, Shift5}, if_bit4({ToBool})),
    row("IS_OP", v3_11, v3_15, Step{Is, Whole}),
    row("CONTAINS_OP", v3_11, v3_15, Step{Contains, Whole}),

    // subscripts
    row("BINARY_SUBSCR", v3_11, v3_13, Step{Subscript}),
    row("STORE_SUBSCR", v3_11, v3_15, Step{StoreSubscript}),
    row("BUILD_SLICE", v3_11, v3_15, Step{BuildSlice, Whole}),
    row("BINARY_SLICE", v3_12, v3_15, Step{BuildSlice, Two}, Step{Subscript}),
    row("STORE_SLICE", v3_12, v3_15, Step{BuildSlice, Two}, Step{StoreSubscript}),

    // tuples, lists, strings
    row("BUILD_TUPLE", v3_11, v3_15, Step{BuildTuple, Whole}),
    row("BUILD_MAP", v3_11, v3_15, Step{BuildMap, Whole}),
    row("BUILD_CONST_KEY_MAP", v3_11, v3_13, Step{BuildNamedMap, Whole}),
    row("MAP_ADD", v3_11, v3_15, Step{MapAdd, Whole}),
    row("DICT_UPDATE", v3_11, v3_15, Step{UpdateMap, Whole}),
    row("DICT_MERGE", v3_11, v3_15, Step{MergeMap, Whole}),
    row("BUILD_LIST", v3_11, v3_15, Step{BuildList, Whole}),
    row("LIST_APPEND", v3_11, v3_15, Step{ListAppend, Whole}),
    row("LIST_EXTEND", v3_11, v3_15, Step{ListExtend, Whole}),
    row("LIST_TO_TUPLE", v3_11, v3_11, Step{ListToTuple}),
    row("UNPACK_SEQUENCE", v3_11, v3_15, Step{UnpackSequence, Whole}),
    row("UNPACK_EX", v3_11, v3_15, Step{UnpackStar, Whole}),
    special("FORMAT_VALUE", v3_11, v3_12, expand_format_value),
    row("CONVERT_VALUE", v3_13, v3_15, Step{Convert, Whole}),
    row("FORMAT_SIMPLE", v3_13, v3_15, Step{FormatSimple}),
    row("FORMAT_WITH_SPEC", v3_13, v3_15, Step{FormatWithSpec}),
    row("BUILD_STRING", v3_11, v3_15, Step{BuildString, Whole}),

    // calls and functions
    special("KW_NAMES", v3_11, v3_12, expand_keyword_names),
    special("CALL", v3_11, v3_15, expand_call),
    row("CALL_KW", v3_13, v3_15, Step{CallKeywords, Whole}),
    row("CALL_FUNCTION_EX", v3_11, v3_13, unless_bit0({PushNull}), Step{CallSpread}),
    row("CALL_FUNCTION_EX", v3_14, v3_15, Step{CallSpread}),
    special("MAKE_FUNCTION", v3_11, v3_12, expand_make_function),
    row("MAKE_FUNCTION", v3_13, v3_15, Step{MakeFunction, Zero}),
    special("SET_FUNCTION_ATTRIBUTE", v3_13, v3_15, expand_function_attribute),

    // iteration
    row("GET_ITER", v3_11, v3_14, Step{GetIter}),
    row("GET_ITER", v3_15, v3_15, Step{GetIterPair}),
    row("FOR_ITER", v3_11, v3_11, Step{ForIter, Forward}),
    row("FOR_ITER", v3_12, v3_14, Step{ForIter, LoopEnd}),
    row("FOR_ITER", v3_15, v3_15, Step{ForIterPair, LoopEnd}),
    special("END_FOR", v3_12, v3_15, expand_loop_end),
    row("POP_ITER", v3_14, v3_14, Step{Pop}),
    row("POP_ITER", v3_15, v3_15, Step{Pop}, Step{Pop}),

    // matching
    row("GET_LEN", v3_11, v3_15, Step{GetLength}),
    row("MATCH_SEQUENCE", v3_11, v3_15, Step{MatchSequence}),

    // jumps
    row("JUMP_FORWARD", v3_11, v3_15, Step{Jump, Forward}),
    row("JUMP_BACKWARD", v3_11, v3_15, Step{Jump, Backward}),
    row("JUMP_BACKWARD_NO_INTERRUPT", v3_11, v3_15, Step{Jump, Backward}),
    row("POP_JUMP_FORWARD_IF_TRUE", v3_11, v3_11, Step{BranchIfTrue, Forward}),
    row("POP_JUMP_FORWARD_IF_FALSE", v3_11, v3_11, Step{BranchIfFalse, Forward}),
    row("POP_JUMP_FORWARD_IF_NONE", v3_11, v3_11, Step{BranchIfNone, Forward}),
    row("POP_JUMP_FORWARD_IF_NOT_NONE", v3_11, v3_11, Step{BranchIfNotNone, Forward}),
    row("POP_JUMP_BACKWARD_IF_TRUE", v3_11, v3_11, Step{BranchIfTrue, Backward}),
    row("POP_JUMP_BACKWARD_IF_FALSE", v3_11, v3_11, Step{BranchIfFalse, Backward}),
    row("POP_JUMP_BACKWARD_IF_NONE", v3_11, v3_11, Step{BranchIfNone, Backward}),
    row("POP_JUMP_BACKWARD_IF_NOT_NONE", v3_11, v3_11, Step{BranchIfNotNone, Backward}),
    row("POP_JUMP_IF_TRUE", v3_12, v3_15, Step{BranchIfTrue, Forward}),
    row("POP_JUMP_IF_FALSE", v3_12, v3_15, Step{BranchIfFalse, Forward}),
    row("POP_JUMP_IF_NONE", v3_12, v3_15, Step{BranchIfNone, Forward}),
    row("POP_JUMP_IF_NOT_NONE", v3_12, v3_15, Step{BranchIfNotNone, Forward}),
    row("JUMP_IF_TRUE_OR_POP", v3_11, v3_11, Step{Copy, One}, Step{BranchIfTrue, Forward},
        Step{Pop}),
    row("JUMP_IF_FALSE_OR_POP", v3_11, v3_11, Step{Copy, One}, Step{BranchIfFalse, Forward},
        Step{Pop}),
    // generator expressions; what enters one is None
    row("RETURN_GENERATOR", v3_11, v3_15, Step{LoadNone}),
    row("YIELD_VALUE", v3_11, v3_15, Step{Yield}),
    row("RETURN_VALUE", v3_11, v3_15, Step{Return}),
    row("RETURN_CONST", v3_12, v3_13, Step{LoadConst, Whole}, Step{Return}),
    row("RAISE_VARARGS", v3_11, v3_15, Step{Raise, Whole}),
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
