// Text with run-time numbers in it: what `print` and the message of an exception are made of. A
// constant text is a StringType, one with numbers a TextType with a leaf per number; only the host
// ever makes characters of them (abi/messages.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

struct Text {
  TextPieces pieces;
  std::vector<Leaf> leaves;  // of the numbers; empty while only types are inferred

  void add(std::string_view constant);
  void add(const Text& other);
};

/// What str(value) gives, or repr(value). nullopt: reported.
std::optional<Text> text_of(Evaluation& at, const Value& value, bool repr = false);
/// What format(value, specification) gives.
std::optional<Text> formatted(Evaluation& at, const Value& value, const Value& specification);

/// Whether a text is of a length that a program may have; reported when not.
bool is_short(Evaluation& at, const Text& text);
/// A StringType when the text is constant.
Value text_value(Text text);

/// An operator on two values of which at least one is a text.
bool is_text(const Value& value);
Value binary_texts(Evaluation& at, ssa::BinaryKind kind, const Value& a, const Value& b);
Value compare_texts(Evaluation& at, ssa::CompareKind kind, const Value& a, const Value& b);
Value text_item(Evaluation& at, const Value& text, const Value& index);

/// What `raise` ends a thread with: its site and the numbers of its message. nullopt: reported.
struct Thrown {
  uint32_t site = 0;
  std::vector<Leaf> leaves;
};
std::optional<Thrown> thrown(Evaluation& at, const ssa::Raise& op);
/// The site of a message at the instruction at hand; only while code is made.
uint32_t site_here(Evaluation& at, Site site);
/// Whether a message can carry so many numbers; reported when not.
bool few_numbers(Evaluation& at, const TextPieces& pieces);

}  // namespace hetjit::typing
