// Every arithmetic op over every type: what the host target computes must be, bit for bit, what the
// interpreter says, for all pairs of edge values. The kernels are loops over arrays, so the
// vectorised code is what is tested. (HET-NUM: one meaning on all targets)
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/ir/numbers.h"
#include "tests/unit/backend/compiled.h"
#include "tests/unit/ir/run_text.h"

namespace hetjit {
namespace {

using Values = std::vector<uint64_t>;  // bits, as compiler/ir/numbers.h has them

std::string name(Scalar scalar) { return std::string(info(scalar).text); }

Values integer_edges(Scalar scalar) {
  Values values;
  for (int64_t value : {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 63, 64, 100, 127, 128, 255, 1000})
    for (int64_t sign : {1, -1}) values.push_back(ir::wrap_bits(scalar, uint64_t(sign * value)));
  uint64_t top = 1ull << (info(scalar).bits - 1);
  for (uint64_t value : {top, top - 1, top + 1, top | top >> 1, uint64_t{~0ull / 3}})
    values.push_back(ir::wrap_bits(scalar, value));
  for (int shift : {24, 25, 31, 32, 53, 54, 62})  // where conversions to floats begin to round
    for (int64_t extra : {-1, 0, 1})
      values.push_back(ir::wrap_bits(scalar, (1ull << shift) + uint64_t(extra)));
  return values;
}

Values float_edges(Scalar scalar) {
  Values values;
  constexpr double kMin = 2.2250738585072014e-308;
  for (double value : {0.0,
                       1.0,
                       0.5,
                       1.5,
                       2.5,
                       3.0,
                       7.0,
                       0.1,
                       0.3,
                       1.0 / 3,
                       10.0,
                       1e-3,
                       100.7,
                       127.5,
                       255.5,
                       448.0,
                       480.0,
                       1e3,
                       32767.6,
                       65504.0,
                       65520.0,
                       1e5,
                       2147483647.0,
                       2147483648.0,
                       4294967296.0,
                       1e15,
                       9.223372036854775807e18,
                       1.8446744073709552e19,
                       3.4e38,
                       1e300,
                       6e-8,
                       1e-7,
                       1.2e-38,
                       1e-45,
                       1e-310,
                       kMin,
                       0x1.ffep-15,
                       0x1.002p0,
                       0x1.006p0,
                       0x1.01p0,
                       0x1.03p0,
                       0x1.0000010000001p0,
                       double(INFINITY),
                       std::numeric_limits<double>::quiet_NaN()})
    for (double sign : {1.0, -1.0}) values.push_back(ir::float_to_bits(scalar, sign * value));
  return values;
}

Values edges(Scalar scalar) {
  if (scalar == Scalar::Bool) return {0, 1};
  Values values = is_integer(scalar) ? integer_edges(scalar) : float_edges(scalar);
  if (info(scalar).bits == 8 && is_floating(scalar)) {
    values.clear();
    for (uint64_t bits = 0; bits < 256; ++bits) values.push_back(bits);  // all there are
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Bits of one type, next to each other in memory.
struct Column {
  Scalar scalar;
  std::vector<std::byte> bytes;
  Column(Scalar scalar, size_t count) : scalar(scalar), bytes(count * info(scalar).bytes()) {}
  uint64_t get(size_t i) const {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * info(scalar).bytes(), info(scalar).bytes());
    return bits;
  }
  void set(size_t i, uint64_t bits) {
    std::memcpy(bytes.data() + i * info(scalar).bytes(), &bits, info(scalar).bytes());
  }
  ArrayValue array(size_t count) {
    ArrayValue value;
    value.data = bytes.data();
    value.rank = 1;
    value.shape[0] = static_cast<int64_t>(count);
    value.strides[0] = 1;
    return value;
  }
};

/// out[i] = op(in0[i], in1[i], …) with one thread per i. `op` is the instruction's text with its
/// operands left out: "add", "compare lt".
std::string kernel_text(const std::string& op, const std::vector<Scalar>& in, Scalar out) {
  std::string header = "k(", params, body, operands;
  auto array = [](Scalar s) { return "array[" + name(s) + ", 1, contiguous]"; };
  std::vector<Scalar> all = in;
  all.push_back(out);
  size_t next = all.size() + 2;
  std::string index = "v" + std::to_string(all.size() + 1);
  for (size_t i = 0; i < all.size(); ++i) {
    header += (i ? ", p" : "p") + std::to_string(i) + ": " + array(all[i]);
    params += (i ? ", v" : "v") + std::to_string(i) + ": " + array(all[i]);
  }
  auto value = [&](const std::string& type, const std::string& text) {
    std::string made = "v" + std::to_string(next++);
    body += "  " + made + ": " + type + " = " + text + "\n";
    return made;
  };
  for (size_t i = 0; i < in.size(); ++i) {
    std::string from =
        value("ptr[" + name(in[i]) + "]", "element v" + std::to_string(i) + ", " + index);
    operands += (i ? ", " : " ") + value(name(in[i]), "load " + from);
  }
  std::string result = value(name(out), op + operands);
  std::string to =
      value("ptr[" + name(out) + "]", "element v" + std::to_string(in.size()) + ", " + index);
  body += "  store " + to + ", " + result + "\n";
  std::string none = value("none", "none");
  std::string thread = "v" + std::to_string(all.size());
  return header + ") -> none\nb0(" + params + "):\n  " + thread + ": u32 = threadindex 0\n  " +
         index + ": i64 = convert " + thread + "\n" + body + "  return " + none + "\n";
}

bool same(Scalar scalar, uint64_t a, uint64_t b) {
  if (a == b) return true;
  if (!is_floating(scalar)) return false;
  return std::isnan(ir::bits_to_float(scalar, a)) && std::isnan(ir::bits_to_float(scalar, b));
}

/// Every combination of the inputs' values, in columns.
std::vector<Column> combine(const std::vector<Scalar>& in, const std::vector<Values>& values) {
  size_t count = 1;
  for (const Values& list : values) count *= list.size();
  std::vector<Column> columns;
  size_t period = 1;
  for (size_t i = 0; i < in.size(); ++i) {
    columns.emplace_back(in[i], count);
    for (size_t row = 0; row < count; ++row)
      columns[i].set(row, values[i][row / period % values[i].size()]);
    period *= values[i].size();
  }
  return columns;
}

void check(const std::string& op, const std::vector<Scalar>& in, Scalar out,
           const std::vector<Values>& values, const char* target = "cpu:native") {
  SCOPED_TRACE(op + " " + name(in[0]) + " -> " + name(out) + " on " + target);
  ir::Module module = ir::parsed(kernel_text(op, in, out));
  ASSERT_FALSE(module.functions.empty());
  std::vector<Column> columns = combine(in, values);
  size_t count = columns[0].bytes.size() / info(in[0]).bytes();
  Column expected(out, count), computed(out, count);
  Geometry geometry;
  geometry.block[0] = static_cast<uint32_t>(count);
  auto block = [&](Column& to) {
    ir::Arguments arguments(module);
    for (Column& column : columns) arguments.put(column.array(count));
    arguments.put(to.array(count));
    return arguments;
  };
  ASSERT_TRUE(ir::interpret_kernel(module, block(expected).bytes(), geometry).ok());
  HostKernel kernel(module, target);
  ASSERT_TRUE(kernel.ok());
  kernel.run(block(computed).bytes(), geometry);
  int shown = 0;
  for (size_t i = 0; i < count && shown < 5; ++i) {
    if (same(out, expected.get(i), computed.get(i))) continue;
    ++shown;
    std::string operands;
    for (Column& column : columns) operands += " 0x" + std::to_string(column.get(i));
    ADD_FAILURE() << "operands" << operands << ": interpreter " << expected.get(i) << ", host "
                  << computed.get(i);
  }
}

constexpr Scalar kIntegers[] = {Scalar::Int8,  Scalar::Int16,  Scalar::Int32,  Scalar::Int64,
                                Scalar::UInt8, Scalar::UInt16, Scalar::UInt32, Scalar::UInt64};
constexpr Scalar kFloats[] = {Scalar::Float16, Scalar::BFloat16, Scalar::Float32, Scalar::Float64};
constexpr Scalar kReal[] = {Scalar::Bool,    Scalar::Int8,       Scalar::Int16,     Scalar::Int32,
                            Scalar::Int64,   Scalar::UInt8,      Scalar::UInt16,    Scalar::UInt32,
                            Scalar::UInt64,  Scalar::Float16,    Scalar::BFloat16,  Scalar::Float32,
                            Scalar::Float64, Scalar::Float8E4M3, Scalar::Float8E5M2};

class IntegerOps : public ::testing::TestWithParam<Scalar> {};
class FloatOps : public ::testing::TestWithParam<Scalar> {};
class AllScalars : public ::testing::TestWithParam<Scalar> {};
std::string scalar_name(const ::testing::TestParamInfo<Scalar>& param) { return name(param.param); }
INSTANTIATE_TEST_SUITE_P(Host, IntegerOps, ::testing::ValuesIn(kIntegers), scalar_name);
INSTANTIATE_TEST_SUITE_P(Host, FloatOps, ::testing::ValuesIn(kFloats), scalar_name);
INSTANTIATE_TEST_SUITE_P(Host, AllScalars, ::testing::ValuesIn(kReal), scalar_name);

TEST_P(IntegerOps, Binary) {
  Values values = edges(GetParam());
  for (const char* op : {"add", "sub", "mul", "floordiv", "mod", "and", "or", "xor", "shl", "shr"})
    check(op, {GetParam(), GetParam()}, GetParam(), {values, values});
  if (is_signed_integer(GetParam()))
    check("wrapindex", {GetParam(), GetParam()}, GetParam(), {values, values});
}

TEST_P(IntegerOps, Unary) {
  for (const char* op : {"neg", "abs", "not"})
    check(op, {GetParam()}, GetParam(), {edges(GetParam())});
}

TEST_P(FloatOps, Binary) {
  Values values = edges(GetParam());
  for (const char* op : {"add", "sub", "mul", "div", "floordiv", "mod"})
    check(op, {GetParam(), GetParam()}, GetParam(), {values, values});
}

TEST_P(FloatOps, Unary) {
  for (const char* op : {"neg", "abs"}) check(op, {GetParam()}, GetParam(), {edges(GetParam())});
}

TEST_P(FloatOps, FmaRoundsOnce) {
  Values values = edges(GetParam()), some;
  for (size_t i = 0; i < values.size(); i += 2) some.push_back(values[i]);
  check("fma", {GetParam(), GetParam(), GetParam()}, GetParam(), {values, some, values});
}

TEST(BoolOps, All) {
  for (const char* op : {"and", "or", "xor"})
    check(op, {Scalar::Bool, Scalar::Bool}, Scalar::Bool, {{0, 1}, {0, 1}});
  check("not", {Scalar::Bool}, Scalar::Bool, {{0, 1}});
}

TEST_P(AllScalars, Compare) {
  Values values = edges(GetParam());
  if (values.size() > 100) values.resize(140);
  for (const char* kind : {"lt", "le", "eq", "ne", "gt", "ge"})
    check(std::string("compare ") + kind, {GetParam(), GetParam()}, Scalar::Bool, {values, values});
}

TEST_P(AllScalars, ConvertToEveryOther) {
  for (Scalar to : kReal)
    if (to != GetParam()) check("convert", {GetParam()}, to, {edges(GetParam())});
}

TEST_P(AllScalars, Select) {
  Values values = edges(GetParam());
  if (values.size() > 100) values.resize(100);
  check("select", {Scalar::Bool, GetParam(), GetParam()}, GetParam(), {{0, 1}, values, values});
}

// Without AVX, F16C or FMA other code, and helper calls, compute the same.
TEST(OldCpu, SameBits) {
  for (Scalar scalar : kFloats) {
    Values values = edges(scalar);
    for (const char* op : {"add", "mul", "div", "floordiv"})
      check(op, {scalar, scalar}, scalar, {values, values}, "cpu:x86-64");
    check("fma", {scalar, scalar, scalar}, scalar, {values, {values[3], values[9]}, values},
          "cpu:x86-64");
    for (Scalar to : kReal) check("convert", {scalar}, to, {values}, "cpu:x86-64");
  }
  for (Scalar scalar : kIntegers)
    for (Scalar to : kFloats) check("convert", {scalar}, to, {edges(scalar)}, "cpu:x86-64-v2");
}

TEST(MathOps, EveryRowIsLibm) {
  for (Scalar scalar : {Scalar::Float32, Scalar::Float64})
    for (size_t i = 0; i <= static_cast<size_t>(ir::MathFunction::NextAfter); ++i) {
      const ir::MathInfo& row = ir::info(static_cast<ir::MathFunction>(i));
      std::vector<Scalar> in(row.arity, scalar);
      std::vector<Values> values(row.arity, edges(scalar));
      check("math " + std::string(row.name), in, scalar, values);
    }
}

}  // namespace
}  // namespace hetjit
