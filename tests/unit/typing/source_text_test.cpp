// Operands and operators found in the text of an expression.
#include "compiler/typing/core/source_text.h"

#include <gtest/gtest.h>

namespace hetjit::typing {
namespace {

// One line of source; `span_of` marks a piece of it.
struct Line {
  Source source{"k.py", 7, {}};
  std::string text;

  explicit Line(std::string line) : text(std::move(line)) { source.lines = {text}; }
  Span whole() const { return {0, 7, 0, 7, static_cast<uint32_t>(text.size())}; }
  Span part(std::string_view piece) const {
    auto at = static_cast<uint32_t>(text.find(piece));
    return {0, 7, at, 7, at + static_cast<uint32_t>(piece.size())};
  }
  std::string at(const Span& span) const {
    return span.known() ? text.substr(span.column, span.end_column - span.column) : "";
  }
  std::string operand(const ssa::Op& op, size_t index) const {
    return at(find_operand(source, whole(), op, index));
  }
  std::string operation(const ssa::Op& op) const { return at(find_operator(source, whole(), op)); }
};

ssa::Binary binary(ssa::BinaryKind kind, bool in_place = false) {
  ssa::Binary op;
  op.kind = kind;
  op.in_place = in_place;
  return op;
}
ssa::Compare compare(ssa::CompareKind kind) {
  ssa::Compare op;
  op.kind = kind;
  return op;
}

TEST(SourceText, SidesOfAnOperator) {
  struct {
    const char* text;
    ssa::Op op;
    const char *left, *symbol, *right;
  } cases[] = {
      {"a @ n", binary(ssa::BinaryKind::MatrixMultiply), "a", "@", "n"},
      {"a - b - c", binary(ssa::BinaryKind::Subtract), "a - b", "-", "c"},
      {"a - -b", binary(ssa::BinaryKind::Subtract), "a", "-", "-b"},
      {"(a + b) + f(c + d)", binary(ssa::BinaryKind::Add), "(a + b)", "+", "f(c + d)"},
      {"a ** b ** c", binary(ssa::BinaryKind::Power), "a", "**", "b ** c"},
      {"a ** b * c", binary(ssa::BinaryKind::Multiply), "a ** b", "*", "c"},
      {"a // b / c", binary(ssa::BinaryKind::TrueDivide), "a // b", "/", "c"},
      {"a << 2", binary(ssa::BinaryKind::LeftShift), "a", "<<", "2"},
      {"x['+'] + y", binary(ssa::BinaryKind::Add), "x['+']", "+", "y"},
      {"total += a[i]", binary(ssa::BinaryKind::Add, true), "total", "+=", "a[i]"},
      {"a << 1 < b", compare(ssa::CompareKind::Lt), "a << 1", "<", "b"},
      {"a <= b", compare(ssa::CompareKind::Le), "a", "<=", "b"},
      {"a < b < c", compare(ssa::CompareKind::Lt), "", "", ""},  // which one is not certain
      {"a * b", binary(ssa::BinaryKind::Add), "", "", ""},
  };
  for (const auto& one : cases) {
    Line line(one.text);
    EXPECT_EQ(line.operand(one.op, 0), one.left) << one.text;
    EXPECT_EQ(line.operand(one.op, 1), one.right) << one.text;
    EXPECT_EQ(line.operation(one.op), one.symbol) << one.text;
  }
}

TEST(SourceText, WordOperators) {
  ssa::Is is;
  is.negated = true;
  EXPECT_EQ(Line("a.is_x is not None").operand(is, 0), "a.is_x");
  EXPECT_EQ(Line("a.is_x is not None").operand(is, 1), "None");
  EXPECT_EQ(Line("x in index").operand(ssa::Contains{}, 1), "index");
}

TEST(SourceText, ArgumentsOfACall) {
  Line line("f(x)(a, g(b, c), key=d == e)");
  EXPECT_EQ(line.operand(ssa::Call{}, 0), "f(x)");
  EXPECT_EQ(line.operand(ssa::Call{}, 1), "a");
  EXPECT_EQ(line.operand(ssa::Call{}, 2), "g(b, c)");
  EXPECT_EQ(line.operand(ssa::Call{}, 3), "d == e");
  EXPECT_EQ(line.operand(ssa::Call{}, 4), "");
  EXPECT_EQ(Line("f(a == b)").operand(ssa::Call{}, 1), "a == b");
}

TEST(SourceText, Subscripts) {
  Line line("m[k][i, j]");
  EXPECT_EQ(line.operand(ssa::GetItem{}, 0), "m[k]");
  EXPECT_EQ(line.operand(ssa::GetItem{}, 1), "i, j");
  EXPECT_EQ(Line("[a]").operand(ssa::GetItem{}, 1), "");
}

TEST(SourceText, TheValueOfAnAssignment) {
  Line line("    a[i] = b + 1  # why");
  EXPECT_EQ(line.at(find_operand(line.source, line.part("a[i]"), ssa::SetItem{}, 2)), "b + 1");
  EXPECT_EQ(line.at(find_operand(line.source, line.part("a[i]"), ssa::SetItem{}, 1)), "i");
}

TEST(SourceText, AttributesAndStatements) {
  ssa::GetAttribute attribute;
  attribute.attribute = "shape";
  EXPECT_EQ(Line("a.b.shape").operand(attribute, 0), "a.b");
  EXPECT_EQ(Line("if x[a:b]: y = 1").operand(ssa::Branch{}, 0), "x[a:b]");
  EXPECT_EQ(Line("while x:").operand(ssa::Branch{}, 0), "x");
  EXPECT_EQ(Line("for i, j in f(n): g(i)").operand(ssa::Iter{}, 0), "f(n)");
  EXPECT_EQ(Line("not x").operand(ssa::Unary{{}, ssa::UnaryKind::Not}, 0), "x");
}

TEST(SourceText, WhatCannotBeReadIsUnknown) {
  ssa::Op op = binary(ssa::BinaryKind::Add);
  Source none{"k.py", 7, {}};
  EXPECT_FALSE(find_operand(none, {0, 7, 0, 7, 5}, op, 0).known());
  Line line("a + b");
  EXPECT_FALSE(find_operand(line.source, {0, 8, 0, 8, 5}, op, 0).known());
  EXPECT_FALSE(find_operand(line.source, {0, 7, 0, 7, 50}, op, 0).known());
  EXPECT_FALSE(find_operand(line.source, {0, 7, 0, 8, 2}, op, 0).known());
  EXPECT_FALSE(find_operand(line.source, {0, 3, 0, 3, 5}, op, 0).known());
}

}  // namespace
}  // namespace hetjit::typing
