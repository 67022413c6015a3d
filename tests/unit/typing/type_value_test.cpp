// The lattice: joins, leaves, names.
#include <gtest/gtest.h>

#include <cmath>

#include "abi/type.h"
#include "compiler/typing/known/type_value.h"

namespace hetjit::typing {

void PrintTo(const TypeValue& value, std::ostream* out) { *out << name_of(value); }

namespace {

TypeValue fixed(Scalar scalar) { return number_value({scalar, false}); }
TypeValue tuple_of(TypeValues items) { return {TupleType{std::move(items)}}; }
TypeValue float_value(double value) { return literal_value(kFloat, Literal{value}); }

std::vector<TypeValue> samples() {
  std::vector<TypeValue> all = {{},
                                {Unassigned{}},
                                {Unassigned{true}},
                                {Disagreement{}},
                                {NoneType{}},
                                int_value(0),
                                int_value(-3),
                                number_value(kInt),
                                number_value(kInt, true),
                                number_value(kLong),
                                float_value(0.5),
                                number_value(kFloat),
                                bool_value(true),
                                fixed(Scalar::Int8),
                                fixed(Scalar::UInt64),
                                fixed(Scalar::Float32),
                                fixed(Scalar::Float64),
                                fixed(Scalar::Float8E4M3),
                                {StringType{"a"}},
                                {StringType{"b"}},
                                {ArrayType{array_type(scalar_type(Scalar::Int8), 1)}},
                                {TypeObject{{scalar_type(Scalar::Int8), false}}}};
  all.push_back(tuple_of({int_value(1), fixed(Scalar::Float32)}));
  all.push_back(tuple_of({number_value(kFloat), fixed(Scalar::Float32)}));
  all.push_back(tuple_of({int_value(1)}));
  FunctionType function;
  function.captures = {"k"};
  function.captured = {int_value(1)};
  all.push_back({function});
  function.captured = {number_value(kFloat)};
  all.push_back({function});
  return all;
}

TEST(Join, IsCommutativeAndIdempotent) {
  for (const TypeValue& a : samples()) {
    EXPECT_EQ(join(a, a), a) << name_of(a);
    for (const TypeValue& b : samples())
      EXPECT_EQ(join(a, b), join(b, a)) << name_of(a) << ", " << name_of(b);
  }
}

// What the fixed point's end rests on: joining never goes back down. (A builtin float raises a
// fixed integer to float32, which then disagrees with other integers: that is the top, too.)
TEST(Join, OnlyGrows) {
  for (const TypeValue& a : samples())
    for (const TypeValue& b : samples()) {
      TypeValue joined = join(a, b);
      for (const TypeValue& again : {join(joined, a), join(joined, b)})
        EXPECT_TRUE(again == joined || again.holds<Disagreement>())
            << name_of(a) << ", " << name_of(b);
    }
}

TEST(Join, OrderOfPathsDoesNotMatter) {
  std::vector<TypeValue> all = samples();
  for (size_t a = 0; a < all.size(); ++a)
    for (size_t b = 0; b < all.size(); ++b)
      for (size_t c = 0; c < all.size(); c += 3) {
        TypeValue joined = join({all[a], all[b], all[c]});
        EXPECT_EQ(joined, join({all[c], all[a], all[b]})) << a << " " << b << " " << c;
        EXPECT_EQ(joined, join({all[b], all[a], all[c]})) << a << " " << b << " " << c;
      }
  EXPECT_EQ(join({fixed(Scalar::Int8), float_value(1), fixed(Scalar::Int8)}),
            fixed(Scalar::Float32));
}

TEST(Join, Numbers) {
  EXPECT_EQ(join(int_value(1), int_value(2)), number_value(kInt, true));
  EXPECT_EQ(join(int_value(1), int_value(-2)), number_value(kInt));
  EXPECT_EQ(join(int_value(1), number_value(kLong)), number_value(kLong));
  EXPECT_EQ(join(int_value(1), float_value(2)), number_value(kFloat));
  EXPECT_EQ(join(float_value(1), fixed(Scalar::Float64)), fixed(Scalar::Float64));
  EXPECT_EQ(join(int_value(1), fixed(Scalar::Int8)), fixed(Scalar::Int8));
  EXPECT_EQ(join(number_value(kFloat), fixed(Scalar::Int8)), fixed(Scalar::Float32));
  EXPECT_EQ(join(fixed(Scalar::Int8), fixed(Scalar::Int16)), TypeValue{Disagreement{}});
  EXPECT_EQ(join(fixed(Scalar::Float32), fixed(Scalar::Float64)), TypeValue{Disagreement{}});
  EXPECT_EQ(join(int_value(0), {NoneType{}}), TypeValue{Disagreement{}});
  EXPECT_EQ(join(int_value(0), {}), int_value(0));
  EXPECT_EQ(join(int_value(0), {Unassigned{}}), TypeValue{Unassigned{true}});
}

TEST(Join, LiteralsAreComparedBitByBit) {
  EXPECT_EQ(join(float_value(NAN), float_value(NAN)), float_value(NAN));
  EXPECT_EQ(join(float_value(0.0), float_value(-0.0)), number_value(kFloat));
}

TEST(Join, TuplesItemByItem) {
  TypeValue a = tuple_of({int_value(1), int_value(2)}),
            b = tuple_of({float_value(1), int_value(2)});
  EXPECT_EQ(join(a, b), tuple_of({number_value(kFloat), int_value(2)}));
  EXPECT_EQ(join(a, tuple_of({int_value(1)})), TypeValue{Disagreement{}});
  EXPECT_EQ(join(a, tuple_of({int_value(1), {NoneType{}}})), TypeValue{Disagreement{}});
}

TEST(Leaves, KnownNumbersHaveNone) {
  EXPECT_EQ(leaf_count(int_value(1)), 0u);
  EXPECT_EQ(leaf_count(number_value(kInt)), 1u);
  EXPECT_EQ(
      leaf_count(tuple_of({int_value(1), fixed(Scalar::Int8), tuple_of({number_value(kInt)})})),
      2u);
  EXPECT_EQ(leaf_count(without_literals(tuple_of({int_value(1), int_value(2)}))), 2u);
  EXPECT_EQ(leaf_count({NoneType{}}), 0u);
}

TEST(Parts, OfEveryKindThatHasSome) {
  const TypeValue run_time = number_value(kInt);
  const TypeValues three = {
      run_time, int_value(1), {ArrayType{array_type(scalar_type(Scalar::Int8), 1)}}};
  FunctionType function;
  function.defaults = {three[0], three[1]};
  function.captured = {three[2]};
  const TypeValue of_three[] = {tuple_of(three),
                                {StructType{*parse_type("struct A {x: i32}"), three}},
                                {RangeType{three}},
                                {IteratorType{three}},
                                {IterableType{IterableType::Kind::Zip, three}},
                                {SliceType{three}},
                                {MethodType{"m", three}},
                                {std::move(function)}};
  for (const TypeValue& value : of_three) {
    SCOPED_TRACE(name_of(value));
    EXPECT_EQ(parts_in(value), three);
    EXPECT_EQ(leaf_count(value), 2u);
    EXPECT_EQ(part_count(value), 4u);
    EXPECT_EQ(part_count(tuple_of({value, value})), 9u);
  }
  EXPECT_EQ(part_count({VectorType{Scalar::Float32, 4}}), 5u);
  EXPECT_EQ(parts_in(run_time), TypeValues{});
  EXPECT_EQ(parts_in(three[2]), TypeValues{});
}

TEST(Names, AreTheUsers) {
  EXPECT_EQ(name_of(number_value(kInt)), "int");
  EXPECT_EQ(name_of(number_value(kLong)), "int");
  EXPECT_EQ(name_of(number_value(kFloat)), "float");
  EXPECT_EQ(name_of(fixed(Scalar::Float32)), "float32");
  EXPECT_EQ(name_of(tuple_of({int_value(1), fixed(Scalar::Float64)})), "tuple[int, float64]");
  EXPECT_EQ(name_of(tuple_of({})), "tuple[()]");
  EXPECT_EQ(name_of({ArrayType{array_type(scalar_type(Scalar::Int8), 2)}}), "int8[:, :]");
}

}  // namespace
}  // namespace hetjit::typing
