// What the printer and the parser of the text form agree on. Private to compiler/ir.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "abi/messages.h"
#include "abi/status.h"
#include "abi/type.h"
#include "compiler/ir/atomic_rules.h"
#include "compiler/ir/ir.h"

namespace hetjit::ir {

/// The words of an enum's values, in their order; `what` is what they are together.
template <class Enum>
struct Words;

template <>
struct Words<Comparison> {
  static constexpr std::string_view what = "a comparison";
  static constexpr std::string_view words[] = {"lt", "le", "eq", "ne", "gt", "ge"};
};
template <>
struct Words<MemoryOrder> {
  static constexpr std::string_view what = "a memory order";
  static constexpr std::span<const std::string_view> words = kMemoryOrders;
};
template <>
struct Words<MemoryScope> {
  static constexpr std::string_view what = "a memory scope";
  static constexpr std::span<const std::string_view> words = kMemoryScopes;
};
template <>
struct Words<AtomicOperation> {
  static constexpr std::string_view what = "an atomic operation";
  static constexpr std::span<const std::string_view> words = kAtomicOperations;
};
template <>
struct Words<AccessKind> {
  static constexpr std::string_view what = "a kind of access";
  static constexpr std::string_view words[] = {"read", "write", "atomic", "atomicstore",
                                               "afteratomic"};
};
template <>
struct Words<WatchFor> {
  static constexpr std::string_view what = "what an access is watched for";
  static constexpr std::string_view words[] = {"nothing", "order", "contents", "both"};
};
template <>
struct Words<WaitKind> {
  static constexpr std::string_view what = "a kind of wait";
  static constexpr std::string_view words[] = {"block", "warp", "warpafter", "gridbefore",
                                               "gridafter"};
};
template <>
struct Words<BarrierVote> {
  static constexpr std::string_view what = "a vote of a block";
  static constexpr std::string_view words[] = {"count", "and", "or"};
};
template <>
struct Words<DependencyStep> {
  static constexpr std::string_view what = "a step between launches";
  static constexpr std::string_view words[] = {"wait", "trigger"};
};
template <>
struct Words<WarpVote> {
  static constexpr std::string_view what = "a vote of a warp";
  static constexpr std::string_view words[] = {"all", "any", "equal"};
};
template <>
struct Words<ShuffleKind> {
  static constexpr std::string_view what = "a kind of shuffle";
  static constexpr std::string_view words[] = {"index", "up", "down", "xor"};
};
template <>
struct Words<KeptSpread> {
  static constexpr std::string_view what = "a spread over lanes";
  static constexpr std::string_view words[] = {"uniform", "affine", "varying"};
};
template <>
struct Words<MatchKind> {
  static constexpr std::string_view what = "a kind of match";
  static constexpr std::string_view words[] = {"any", "all"};
};

/// Characters a name may have without quotes: those of Python's qualified names.
constexpr bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '<' || c == '>' || static_cast<unsigned char>(c) >= 0x80;
}

std::string name_text(std::string_view name);  // quoted where it must be
std::string float_text(double value);          // shortest text that reads back the same
std::string type_text(TypeId id);              // "?" for an invalid id

/// A line per site: `site 0 raise ValueError at f "file.py" 12, "bad index ", i32 ""`.
std::string sites_text(const Sites& sites);
class LineReader;
/// Whether a line is a site's.
bool is_site_line(LineReader line);
Status read_site(LineReader& line, Sites& sites);

}  // namespace hetjit::ir
