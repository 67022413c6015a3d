// The untyped graph's operations: what Python does, before any type is known. A struct per op; the
// comment is its specification. `in` are operands; every op but the terminators has one result.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "frontend/snapshot/snapshot.h"
#include "frontend/ssa/ids.h"

namespace hetjit::ssa {

template <size_t N>
struct Operands {
  std::array<ValueId, N> in{};
};
struct ManyOperands {
  std::vector<ValueId> in;
};

/// Where control goes and what the target block's parameters get: our phis.
struct Edge {
  BlockId to;
  std::vector<ValueId> args;
};

enum class UnaryKind : uint8_t { Negative, Positive, Invert, Not };
enum class BinaryKind : uint8_t {  // in the order of CPython's BINARY_OP argument
  Add,
  And,
  FloorDivide,
  LeftShift,
  MatrixMultiply,
  Multiply,
  Remainder,
  Or,
  Power,
  RightShift,
  Subtract,
  TrueDivide,
  Xor,
};
enum class CompareKind : uint8_t { Lt, Le, Eq, Ne, Gt, Ge };

/// As the user writes them: for messages and dumps. `in place` adds `=`.
inline constexpr std::array<std::string_view, 4> kUnarySymbols = {"-", "+", "~", "not"};
inline constexpr std::array<std::string_view, 13> kBinarySymbols = {
    "+", "&", "//", "<<", "@", "*", "%", "|", "**", ">>", "-", "/", "^"};
inline constexpr std::array<std::string_view, 6> kCompareSymbols = {
    "<", "<=", "==", "!=", ">", ">="};
constexpr std::string_view symbol(UnaryKind kind) { return kUnarySymbols[size_t(kind)]; }
constexpr std::string_view symbol(BinaryKind kind) { return kBinarySymbols[size_t(kind)]; }
constexpr std::string_view symbol(CompareKind kind) { return kCompareSymbols[size_t(kind)]; }

// ---- values from outside

/// A literal.
struct Const : Operands<0> {
  static constexpr const char* text = "const";
  Constant value;
};
/// A global, builtin or closure name: what it meant at capture is Function::names[name].
struct LoadName : Operands<0> {
  static constexpr const char* text = "name";
  uint32_t name = 0;
};
/// A local that no path has assigned yet. Using it is an error, carrying it through a join is not.
struct Undefined : Operands<0> {
  static constexpr const char* text = "undefined";
  uint32_t local = 0;  // index into Function::local_names
};
/// A function made here (`def` or `lambda` inside): in = default values, then captured variables,
/// as listed. Captures are by value: typing refuses a function that is used after a variable it
/// captured got another value (Code::CapturedChanges), so that nobody can see the difference.
struct MakeFunction : ManyOperands {
  static constexpr const char* text = "function";
  uint32_t function = 0;  // index into the Program
  /// Names of the captured variables, then with a `*` before them the keyword-only parameters that
  /// have a default here; the last operands.
  std::vector<std::string> captures;
  uint32_t default_count = 0;  // positional defaults: the first operands
  /// The name by which the function calls itself ("" when it does not): a captured variable that
  /// holds this very function. It is not among `captures`.
  std::string self;
};
/// The local variable `local`, which inner functions capture, gets the value in[0]. Those made
/// before have the old one.
struct StoreCell : Operands<1> {
  static constexpr const char* text = "cell";
  uint32_t local = 0;
};

/// An expression statement that only names something: `x`, `device.syncthreads`. Python drops it.
struct Ignore : Operands<1> {
  static constexpr const char* text = "ignore";
};

// ---- operators

struct Unary : Operands<1> {
  static constexpr const char* text = "unary";
  UnaryKind kind{};
};
/// `in_place`: written as `a += b`. On numbers the same; on arrays it is an error with its own
/// message.
struct Binary : Operands<2> {
  static constexpr const char* text = "binary";
  BinaryKind kind{};
  bool in_place = false;
};
struct Compare : Operands<2> {
  static constexpr const char* text = "compare";
  CompareKind kind{};
};
/// `is` / `is not`.
struct Is : Operands<2> {
  static constexpr const char* text = "is";
  bool negated = false;
};
/// `in[0] in in[1]` / `not in`.
struct Contains : Operands<2> {
  static constexpr const char* text = "contains";
  bool negated = false;
};
/// Truth value.
struct ToBool : Operands<1> {
  static constexpr const char* text = "bool";
};

// ---- data

/// in[0].attribute
struct GetAttribute : Operands<1> {
  static constexpr const char* text = "getattr";
  std::string attribute;
};
/// The value of `in[0].attribute = in[1]`: in[0] with that attribute replaced (values are
/// immutable; the builder writes the result back to the local that in[0] came from, or `local` is
/// UINT32_MAX and in[0] is not a local's value: then only something with an identity, an array,
/// can be meant). Of an array the result is in[0] itself, so that writing back is always right.
struct SetAttribute : Operands<2> {
  static constexpr const char* text = "setattr";
  std::string attribute;
  uint32_t local = UINT32_MAX;
};
/// in[0][in[1]]
struct GetItem : Operands<2> {
  static constexpr const char* text = "getitem";
};
/// in[0][in[1]] = in[2]. On an array a store, and the result is in[0] itself; on a vector or struct
/// the result is the changed value. The builder writes the result back to local `local`, as for
/// SetAttribute.
struct SetItem : Operands<3> {
  static constexpr const char* text = "setitem";
  uint32_t local = UINT32_MAX;
};
/// slice(in[0], in[1], in[2]); a missing part is a None constant.
struct BuildSlice : Operands<3> {
  static constexpr const char* text = "slice";
};
struct BuildTuple : ManyOperands {
  static constexpr const char* text = "tuple";
};
/// in[0], a tuple, where Python has a list of the same items.
struct AsList : Operands<1> {
  static constexpr const char* text = "list";
};
/// Element `index` of in[0] unpacked into exactly `count` targets.
struct UnpackItem : Operands<1> {
  static constexpr const char* text = "unpack";
  uint32_t index = 0, count = 0;
};
/// Elements [before, n - after) of in[0], as a tuple: of `f(*t)`, and of the starred target, behind
/// which follows an AsList.
struct UnpackStar : Operands<1> {
  static constexpr const char* text = "unpackstar";
  uint32_t before = 0, after = 0;
};

// ---- calls

/// in[0](in[1], …); the last `keywords.size()` operands are keyword arguments. `spread` marks
/// operands that are tuples to be spread (`f(*t)`), by operand index.
struct Call : ManyOperands {
  static constexpr const char* text = "call";
  std::vector<std::string> keywords;
  std::vector<uint32_t> spread;
};

// ---- iteration, as pure functions of an immutable iterable and a position that is an ordinary
// value. `for x in e` is:  it = iter e; p = iterstart it;  loop(p): if iterhas it p: x = iteritem
// it p; p' = iternext it p. A position is an unsigned count of elements already taken.

struct Iter : Operands<1> {
  static constexpr const char* text = "iter";
};
struct IterStart : Operands<1> {
  static constexpr const char* text = "iterstart";
};
struct IterHas : Operands<2> {
  static constexpr const char* text = "iterhas";
};
struct IterItem : Operands<2> {
  static constexpr const char* text = "iteritem";
};
struct IterNext : Operands<2> {
  static constexpr const char* text = "iternext";
};

// ---- terminators: the last instruction of every block, and only there

struct Jump : Operands<0> {
  static constexpr const char* text = "jump";
  Edge to;
};
/// Continues at `yes` when in[0] is true, else at `no`. in[0] may be any value: its truth is meant.
struct Branch : Operands<1> {
  static constexpr const char* text = "branch";
  Edge yes, no;
};
struct Return : Operands<1> {
  static constexpr const char* text = "return";
};
/// `raise in[0]`, or a failed `assert` (the builder cannot tell and need not).
struct Raise : ManyOperands {
  static constexpr const char* text = "raise";
};

using AllOps =
    std::variant<Const, LoadName, Undefined, MakeFunction, StoreCell, Ignore, Unary, Binary,
                 Compare, Is, Contains, ToBool, GetAttribute, SetAttribute, GetItem, SetItem,
                 BuildSlice, BuildTuple, AsList, UnpackItem, UnpackStar, Call, Iter, IterStart,
                 IterHas, IterItem, IterNext, Jump, Branch, Return, Raise>;

/// Any op. Copied and destroyed by code that is compiled once, not in each file that sees one.
class Op : public AllOps {
 public:
  template <class AnyOp>
  requires(!std::is_same_v<AnyOp, Op>) Op(AnyOp op)
      : variant(std::in_place_type<AnyOp>, std::move(op)) {}
  Op();
  Op(const Op&);
  Op(Op&&) noexcept;
  Op& operator=(const Op&);
  Op& operator=(Op&&) noexcept;
  ~Op();
};

}  // namespace hetjit::ssa
