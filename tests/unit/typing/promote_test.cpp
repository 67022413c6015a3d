// The promotion table, written out: an independent copy of AMB-7, pair by pair.
#include <gtest/gtest.h>

#include <sstream>

#include "compiler/typing/known/promote.h"

namespace hetjit::typing {
namespace {

// Rows and columns in the order of the first line; "-" means that the two do not mix.
constexpr const char* kTable = R"(
      bool i8   i16  i32  i64  u8   u16  u32  u64  f16  bf16 f32  f64  c64  c128
bool  bool i8   i16  i32  i64  u8   u16  u32  u64  f16  bf16 f32  f64  c64  c128
i8    i8   i8   i16  i32  i64  i16  i32  i64  -    f16  bf16 f32  f64  c64  c128
i16   i16  i16  i16  i32  i64  i16  i32  i64  -    f16  bf16 f32  f64  c64  c128
i32   i32  i32  i32  i32  i64  i32  i32  i64  -    f16  bf16 f32  f64  c64  c128
i64   i64  i64  i64  i64  i64  i64  i64  i64  -    f16  bf16 f32  f64  c64  c128
u8    u8   i16  i16  i32  i64  u8   u16  u32  u64  f16  bf16 f32  f64  c64  c128
u16   u16  i32  i32  i32  i64  u16  u16  u32  u64  f16  bf16 f32  f64  c64  c128
u32   u32  i64  i64  i64  i64  u32  u32  u32  u64  f16  bf16 f32  f64  c64  c128
u64   u64  -    -    -    -    u64  u64  u64  u64  f16  bf16 f32  f64  c64  c128
f16   f16  f16  f16  f16  f16  f16  f16  f16  f16  f16  f32  f32  f64  c64  c128
bf16  bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 f32  bf16 f32  f64  c64  c128
f32   f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f64  c64  c128
f64   f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  c128 c128
c64   c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c128 c64  c128
c128  c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128
)";

// A builtin (row) with a fixed-format number (column).
constexpr const char* kWeakTable = R"(
        bool i8   i16  i32  i64  u8   u16  u32  u64  f16  bf16 f32  f64  c64  c128
bool    bool i8   i16  i32  i64  u8   u16  u32  u64  f16  bf16 f32  f64  c64  c128
int     i32  i8   i16  i32  i64  u8   u16  u32  u64  f16  bf16 f32  f64  c64  c128
long    i64  i8   i16  i32  i64  u8   u16  u32  u64  f16  bf16 f32  f64  c64  c128
float   f32  f32  f32  f32  f32  f32  f32  f32  f32  f16  bf16 f32  f64  c64  c128
complex c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c128 c64  c128
)";

struct Row {
  std::string name;
  std::vector<std::string> cells;
};

std::vector<Row> rows_of(const char* table, std::vector<std::string>& columns) {
  std::istringstream lines(table);
  std::vector<Row> rows;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> found;
    for (std::string word; words >> word;) found.push_back(word);
    if (found.empty()) continue;
    if (columns.empty())
      columns = found;
    else
      rows.push_back({found[0], {found.begin() + 1, found.end()}});
  }
  return rows;
}

std::string text(std::optional<Scalar> scalar) {
  return scalar ? std::string(info(*scalar).text) : "-";
}

TEST(Promote, FixedWithFixed_HET_PROM_1_HET_PROM_2_HET_PROM_3_HET_PROM_4) {
  std::vector<std::string> columns;
  std::vector<Row> rows = rows_of(kTable, columns);
  ASSERT_EQ(rows.size(), 15u);
  for (const Row& row : rows) {
    ASSERT_EQ(row.cells.size(), columns.size());
    for (size_t i = 0; i < columns.size(); ++i) {
      Scalar a = *find_scalar(row.name), b = *find_scalar(columns[i]);
      EXPECT_EQ(text(promote(a, b)), row.cells[i]) << row.name << " with " << columns[i];
      std::optional<Number> numbers = promote(Number{a, false}, Number{b, false});
      EXPECT_EQ(numbers ? text(numbers->scalar) : "-", row.cells[i]);
      EXPECT_FALSE(numbers && numbers->weak);
    }
  }
}

TEST(Promote, BuiltinWithFixed_HET_PROM_5) {
  const std::pair<std::string, Number> builtins[] = {{"bool", {Scalar::Bool, true}},
                                                     {"int", {Scalar::Int32, true}},
                                                     {"long", {Scalar::Int64, true}},
                                                     {"float", {Scalar::Float32, true}},
                                                     {"complex", {Scalar::Complex64, true}}};
  std::vector<std::string> columns;
  std::vector<Row> rows = rows_of(kWeakTable, columns);
  ASSERT_EQ(rows.size(), std::size(builtins));
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t i = 0; i < columns.size(); ++i) {
      ASSERT_EQ(rows[row].name, builtins[row].first);
      Number fixed{*find_scalar(columns[i]), false};
      for (auto result :
           {promote(builtins[row].second, fixed), promote(fixed, builtins[row].second)}) {
        EXPECT_EQ(result ? text(result->scalar) : "-", rows[row].cells[i])
            << rows[row].name << " with " << columns[i];
        EXPECT_FALSE(result && result->weak);
      }
    }
}

TEST(Promote, BuiltinWithBuiltin_HET_PROM_9) {
  const Scalar order[] = {Scalar::Bool, Scalar::Int32, Scalar::Int64, Scalar::Float32,
                          Scalar::Complex64};
  for (size_t a = 0; a < std::size(order); ++a)
    for (size_t b = 0; b < std::size(order); ++b) {
      std::optional<Number> result = promote(Number{order[a], true}, Number{order[b], true});
      EXPECT_EQ(result, (Number{order[std::max(a, b)], true}));
    }
}

TEST(Promote, Float8MixesWithNothing_HET_PROM_8) {
  for (Scalar small : {Scalar::Float8E4M3, Scalar::Float8E5M2})
    for (const ScalarInfo& row : kScalars) {
      EXPECT_FALSE(promote(small, row.scalar)) << row.text;
      EXPECT_FALSE(promote(row.scalar, small)) << row.text;
      EXPECT_FALSE(promote(Number{row.scalar, true}, Number{small, false})) << row.text;
    }
}

TEST(Promote, OrderAndGroupingDoNotMatter_HET_PROM_7) {
  for (const ScalarInfo& a : kScalars)
    for (const ScalarInfo& b : kScalars) {
      EXPECT_EQ(promote(a.scalar, b.scalar), promote(b.scalar, a.scalar));
      for (const ScalarInfo& c : kScalars) {
        auto ab = promote(a.scalar, b.scalar), bc = promote(b.scalar, c.scalar);
        if (!ab || !bc) continue;
        auto left = promote(*ab, c.scalar), right = promote(a.scalar, *bc);
        EXPECT_TRUE(!left || !right || left == right) << a.text << " " << b.text << " " << c.text;
      }
    }
}

}  // namespace
}  // namespace hetjit::typing
