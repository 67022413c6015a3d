// The normal instruction set: what the bytecode of five CPython versions becomes (decode.h). One
// stack machine, about fifty instructions. Which spelling of which version becomes what is the
// table in rules.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace hetjit::bytecode {

// NORMAL_OP(name, text, argument, pops, pushes)
//
// `argument` says what NormalInst::arg is (Arg below); pops and pushes are the stack effect towards
// the *next* instruction, in words; N stands for arg. Operands are listed in the comments from the
// bottom to the top of the stack, so `a b` means that b is on top. Only ForIter and ForIterPair
// have another effect when they jump.
// clang-format off
#define HETJIT_NORMAL_OPS(NORMAL_OP)                                                              \
  /* -- constants */                                                                              \
  /* The constant Snapshot::constants[N]. */                                                      \
  NORMAL_OP(LoadConst, "const", Constant, 0, 1)                                                   \
  /* The int N; arg is the value itself. */                                                       \
  NORMAL_OP(LoadInt, "int", Number, 0, 1)                                                         \
  NORMAL_OP(LoadNone, "none", Nothing, 0, 1)                                                      \
  NORMAL_OP(LoadBool, "bool", Number, 0, 1) /* False, True */                                     \
  NORMAL_OP(LoadEmptyString, "emptystring", Nothing, 0, 1)                                        \
  /* The builtin object common_name(N): AssertionError, tuple, any, …, whatever its name means    \
     in the module. */                                                                            \
  NORMAL_OP(LoadCommon, "common", Common, 0, 1)                                                   \
  /* -- the stack itself */                                                                       \
  /* The empty word that call sequences leave room for `self` with (see Call). */                 \
  NORMAL_OP(PushNull, "null", Nothing, 0, 1)                                                      \
  NORMAL_OP(Pop, "pop", Nothing, 1, 0)                                                            \
  NORMAL_OP(Copy, "copy", Number, N, N + 1) /* pushes the N-th word from the top; top is 1 */     \
  NORMAL_OP(Swap, "swap", Number, N, N)     /* exchanges the top with the N-th word */            \
  /* -- variables. Local indices count Snapshot::locals, then Snapshot::free_variables. */        \
  NORMAL_OP(LoadLocal, "load", Local, 0, 1) /* may be unbound */                                  \
  /* Pushes the local or, when unbound, a word that only StoreLocal may take; then unbinds it.    \
     Inlined comprehensions save the outer variable so. */                                        \
  NORMAL_OP(LoadLocalAndClear, "loadclear", Local, 0, 1)                                          \
  NORMAL_OP(StoreLocal, "store", Local, 1, 0)                                                     \
  NORMAL_OP(DeleteLocal, "delete", Local, 0, 0) /* unbound afterwards; must be bound */           \
  /* Local N lives in a cell from here on; its value, if bound, moves there. */                   \
  NORMAL_OP(MakeCell, "makecell", Local, 0, 0)                                                    \
  NORMAL_OP(LoadCell, "loadcell", Local, 0, 1)   /* what the cell or free variable holds */       \
  NORMAL_OP(StoreCell, "storecell", Local, 1, 0)                                                  \
  NORMAL_OP(LoadClosure, "closure", Local, 0, 1) /* the cell itself, for MakeFunction's tuple */  \
  /* The global or builtin Snapshot::attribute_names[N]. */                                       \
  NORMAL_OP(LoadGlobal, "global", Name, 0, 1)                                                     \
  /* -- operators */                                                                              \
  NORMAL_OP(Negative, "negative", Nothing, 1, 1)                                                  \
  NORMAL_OP(Positive, "positive", Nothing, 1, 1)                                                  \
  NORMAL_OP(Invert, "invert", Nothing, 1, 1)                                                      \
  NORMAL_OP(Not, "not", Nothing, 1, 1)                                                            \
  NORMAL_OP(ToBool, "tobool", Nothing, 1, 1)                                                      \
  NORMAL_OP(Binary, "binary", Binary, 2, 1)         /* a b: a op b; arg 0..12 is BinaryKind */    \
  NORMAL_OP(BinaryInPlace, "inplace", Binary, 2, 1) /* a b: a op= b; the same 0..12 */            \
  NORMAL_OP(Compare, "compare", Compare, 2, 1)      /* a b; arg 0..5 is CompareKind */            \
  NORMAL_OP(Is, "is", Number, 2, 1)                 /* a b; arg 1: `is not` */                    \
  NORMAL_OP(Contains, "contains", Number, 2, 1)     /* a b: a in b; arg 1: `not in` */            \
  /* -- data */                                                                                   \
  NORMAL_OP(LoadAttribute, "getattr", Name, 1, 1)                                                 \
  NORMAL_OP(StoreAttribute, "setattr", Name, 2, 0) /* value object */                             \
  NORMAL_OP(Subscript, "getitem", Nothing, 2, 1)   /* object key */                               \
  NORMAL_OP(StoreSubscript, "setitem", Nothing, 3, 0) /* value object key */                      \
  NORMAL_OP(BuildSlice, "slice", Number, N, 1)        /* start stop, or start stop step */        \
  NORMAL_OP(BuildTuple, "tuple", Number, N, 1)                                                    \
  /* Dicts, for `**` and keyword-only defaults of inner functions: key value … */                  \
  NORMAL_OP(BuildMap, "map", Number, 2 * N, 1)                                                   \
  NORMAL_OP(BuildNamedMap, "namedmap", Number, N + 1, 1) /* values, then a tuple of keys */       \
  NORMAL_OP(MapAdd, "mapadd", Number, N + 2, N)     /* … dict … key value: as ListAppend */       \
  NORMAL_OP(UpdateMap, "updatemap", Number, N + 1, N) /* the same; later values count */          \
  NORMAL_OP(MergeMap, "mergemap", Number, N + 1, N) /* … dict … dict: as ListExtend */           \
  NORMAL_OP(BuildList, "list", Number, N, 1)                                                      \
  /* … list … value: appends to, or extends, the list N words below the top *after* the value     \
     was taken (1: directly below it). */                                                         \
  NORMAL_OP(ListAppend, "listappend", Number, N + 1, N)                                           \
  NORMAL_OP(ListExtend, "listextend", Number, N + 1, N)                                           \
  NORMAL_OP(ListToTuple, "listtotuple", Nothing, 1, 1)                                            \
  NORMAL_OP(UnpackSequence, "unpack", Number, 1, N) /* the first item ends on top */              \
  /* The starred form: arg & 0xFF items before the star, arg >> 8 after it; the first item ends   \
     on top, the starred list among them. */                                                      \
  NORMAL_OP(UnpackStar, "unpackstar", Number, 1, (N & 0xFF) + 1 + (N >> 8))                       \
  NORMAL_OP(Convert, "convert", Number, 1, 1) /* f"{x!r}": 1 str, 2 repr, 3 ascii */              \
  NORMAL_OP(FormatSimple, "format", Nothing, 1, 1)                                                \
  NORMAL_OP(FormatWithSpec, "formatspec", Nothing, 2, 1) /* value spec */                         \
  NORMAL_OP(BuildString, "string", Number, N, 1)                                                  \
  /* -- calls and functions */                                                                    \
  /* p q a1 … aN. One rule for every version: p null: the callee is q; q null: the callee is p;   \
     neither: the callee is p and q is the first argument, before a1 (method calls, and the one   \
     argument of `assert x, "text"`). */                                                          \
  NORMAL_OP(Call, "call", Number, N + 2, 1)                                                       \
  /* p q a1 … aN names: as Call; the last len(names) arguments are keyword arguments. `names` is  \
     always the LoadConst of a tuple of strings directly before. */                               \
  NORMAL_OP(CallKeywords, "callkw", Number, N + 3, 1)                                             \
  /* p q arguments keywords: f(*arguments, **keywords); `keywords` is null when absent. */        \
  NORMAL_OP(CallSpread, "callspread", Nothing, 4, 1)                                              \
  /* [defaults] [keyword-defaults] [annotate] [annotations] [cells] code. Which optional words    \
     are there: arg & kDefaults etc. below; `code` is the LoadConst directly before. */           \
  NORMAL_OP(MakeFunction, "function", Number, 1 + bits(N), 1)                                     \
  /* -- iteration */                                                                              \
  NORMAL_OP(GetIter, "iter", Nothing, 1, 1) /* one word: the iterator */                          \
  /* 3.15: two words, the iterator and above it a word that nobody but ForIterPair looks at       \
     (stack arithmetic of that version counts it). */                                             \
  NORMAL_OP(GetIterPair, "iterpair", Nothing, 1, 2)                                               \
  /* iterator: pushes the next item, and leaves the iterator. When there is none: pops the        \
     iterator (Pair: both words) and jumps, already behind END_FOR and its pops. */               \
  NORMAL_OP(ForIter, "for", Target, 1, 2)                                                         \
  NORMAL_OP(ForIterPair, "forpair", Target, 2, 3)                                                 \
  /* -- matching (the subject stays on the stack) */                                              \
  NORMAL_OP(GetLength, "len", Nothing, 1, 2)                                                      \
  NORMAL_OP(MatchSequence, "issequence", Nothing, 1, 2)                                           \
  /* -- control. arg is the target. Branches pop the value they test. */                          \
  NORMAL_OP(Jump, "jump", Target, 0, 0)                                                           \
  NORMAL_OP(BranchIfTrue, "iftrue", Target, 1, 0)                                                 \
  NORMAL_OP(BranchIfFalse, "iffalse", Target, 1, 0)                                               \
  NORMAL_OP(BranchIfNone, "ifnone", Target, 1, 0)                                                 \
  NORMAL_OP(BranchIfNotNone, "ifnotnone", Target, 1, 0)                                           \
  NORMAL_OP(Yield, "yield", Nothing, 1, 1) /* value: what the generator is sent */               \
  NORMAL_OP(Return, "return", Nothing, 1, 0)                                                      \
  NORMAL_OP(Raise, "raise", Number, N, 0) /* arg 0: re-raise; 1: exception; 2: exception cause */ \
  /* Ends the path: Decoded::unsupported[N] names what the user wrote. An error when reached. */  \
  NORMAL_OP(Unsupported, "unsupported", Unsupported, 0, 0)
// clang-format on

enum class NormalOp : uint8_t {
#define NORMAL_OP(name, ...) name,
  HETJIT_NORMAL_OPS(NORMAL_OP)
#undef NORMAL_OP
};

/// What NormalInst::arg means.
enum class Arg : uint8_t {
  Nothing,      // 0
  Number,       // a count, a flag or an immediate value
  Constant,     // index into Snapshot::constants
  Local,        // index into Snapshot::locals, continued by Snapshot::free_variables
  Name,         // index into Snapshot::attribute_names
  Binary,       // 0..12, in the order of ssa::BinaryKind
  Compare,      // 0..5, in the order of ssa::CompareKind
  Common,       // index for common_name
  Target,       // index into Decoded::insts
  Unsupported,  // index into Decoded::unsupported
};

/// One normal instruction. decode() has checked that every index is in range, and that execution
/// cannot run past the end.
struct NormalInst {
  NormalOp op = NormalOp::Unsupported;
  int32_t arg = 0;
  uint32_t offset = 0;  // of the CPython instruction it came from, in code units
  friend bool operator==(const NormalInst&, const NormalInst&) = default;
};

struct NormalOpInfo {
  NormalOp op;
  std::string_view text;
  Arg arg;
};

inline constexpr std::array kNormalOps = {
#define NORMAL_OP(name, text, argument, ...) NormalOpInfo{NormalOp::name, text, Arg::argument},
    HETJIT_NORMAL_OPS(NORMAL_OP)
#undef NORMAL_OP
};

constexpr const NormalOpInfo& info(NormalOp op) { return kNormalOps[static_cast<size_t>(op)]; }

/// Has a target: control may go to insts[arg].
constexpr bool jumps(NormalOp op) { return info(op).arg == Arg::Target; }

/// Control may go to the next instruction.
constexpr bool falls_through(NormalOp op) {
  return op != NormalOp::Jump && op != NormalOp::Return && op != NormalOp::Raise &&
         op != NormalOp::Unsupported;
}

/// MakeFunction's flags: which optional words lie below the code object.
inline constexpr int32_t kDefaults = 1, kKeywordDefaults = 2, kAnnotations = 4, kClosure = 8,
                         kAnnotate = 16;

/// The builtin names that LoadCommon may push.
inline constexpr std::array<std::string_view, 7> kCommonNames = {
    "AssertionError", "NotImplementedError", "tuple", "all", "any", "list", "set"};
inline constexpr int32_t kFirstCommonType = 2;
constexpr std::string_view common_name(int32_t index) {
  return kCommonNames[static_cast<size_t>(index)];
}

}  // namespace hetjit::bytecode
