// The verifier catches each thing that can be wrong. Every case is a good function with one fault.
#include <gtest/gtest.h>

#include "compiler/ir/build.h"

namespace hetjit::ir {
namespace {

struct Case {
  const char* name;
  const char* body;  // of f(a: i32, x: f32, c: bool, m: array[f32, 2, index32]) -> i32, v0 to v3
  const char* says;
};

constexpr Case kCases[] = {
    {"Fine", "  return v0", ""},
    {"NoTerminator", "  v4: i32 = neg v0", "does not end with a terminator"},
    {"TerminatorInside", "  return v0\n  return v0", "terminator inside a block"},
    {"EmptyBlock", "  jump b1\nb1():", "the block is empty"},
    {"Undefined", "  return v9", "v9 is used but never defined"},
    {"UseBeforeDefinition", "  v4: i32 = neg v5\n  v5: i32 = neg v0\n  return v4",
     "v5 is not defined on every path to this use"},
    {"UseBesideDefinition",
     "  branch v2, b1, b2\nb1():\n  v4: i32 = neg v0\n  jump b2\nb2():\n  return v4",
     "v4 is not defined on every path"},
    {"ArgumentBesideDefinition",
     "  branch v2, b1, b2(v4)\nb1():\n  v4: i32 = neg v0\n  jump b2(v4)\nb2(v5: i32):\n  return v5",
     "v4 is not defined on every path"},
    {"LoopUse",
     "  jump b1(v0)\nb1(v4: i32):\n  v5: i32 = neg v4\n  branch v2, b1(v5), b2\nb2():\n"
     "  return v5",
     ""},
    {"UnreachableUse", "  return v0\nb1():\n  v4: i32 = neg v4\n  return v4", ""},
    {"EdgeToNowhere", "  jump b7", "the edge to b7 leads nowhere"},
    {"EdgeToEntry", "  jump b1\nb1():\n  jump b0(v0, v1, v2, v3)", "leads to the first block"},
    {"EdgeCount", "  jump b1(v0, v0)\nb1(v4: i32):\n  return v4", "2 arguments for 1 parameters"},
    {"EdgeType", "  jump b1(v1)\nb1(v4: i32):\n  return v4",
     "passes v1 of type f32 for v4 of type i32"},
    {"BranchCondition", "  branch v0, b1, b1\nb1():\n  return v0", "condition must be bool"},
    {"ReturnType", "  return v1", "another result type"},
    {"MissingResult", "  add v0, v0\n  return v0", "there must be a result"},
    {"ResultOfReturn", "  v4: i32 = return v0", "there must be no result"},
    {"MixedOperands", "  v4: i32 = add v0, v1\n  return v4", "numbers of one type"},
    {"ResultOfAnotherType", "  v4: f32 = add v0, v0\n  return v0", "numbers of one type"},
    {"BoolArithmetic", "  v4: bool = add v2, v2\n  return v0", "numbers of one type"},
    {"IntegerDiv", "  v4: i32 = div v0, v0\n  return v0", "floats of one type"},
    {"FloatShift", "  v4: f32 = shl v1, v1\n  return v0", "integers of one type"},
    {"FloatAnd", "  v4: f32 = and v1, v1\n  return v0", "integers of one type, or bools"},
    {"IntegerFma", "  v4: i32 = fma v0, v0, v0\n  return v0", "floats of one type"},
    {"TinyFloatArithmetic", "  v4: f8e4m3 = convert v1\n  v5: f8e4m3 = add v4, v4\n  return v0",
     "numbers of one type"},
    {"CompareMixed", "  v4: bool = compare lt v0, v1\n  return v0", "scalars of one type"},
    {"CompareResult", "  v4: i32 = compare lt v0, v0\n  return v0", "result must be bool"},
    {"SelectCondition", "  v4: i32 = select v0, v0, v0\n  return v0", "condition must be bool"},
    {"SelectTypes", "  v4: i32 = select v2, v0, v1\n  return v0", "the result's type"},
    {"ConvertArray", "  v4: i32 = convert v3\n  return v0", "must be scalars"},
    {"MathOfInteger", "  v4: i32 = math Sin v0\n  return v0", "must be f32 or f64"},
    {"MathArity", "  v4: f32 = math Sin v1, v1\n  return v0", "another arity"},
    {"TablePlace", "  v4: i8 = convert v0\n  v5: i32 = tableitem (1, 2) v4\n  return v5",
     "integer of 4 or 8 bytes"},
    {"ExtentOfScalar", "  v4: i64 = extent 0 v0\n  return v0", "must be an array"},
    {"ExtentAxis", "  v4: i64 = extent 2 v3\n  return v0", "fewer axes"},
    {"ExtentType", "  v4: i32 = extent 0 v3\n  return v0", "must be i64"},
    {"StrideType", "  v4: i32 = stride 0 v3\n  return v0", "must be i64"},
    {"WrapUnsigned", "  v4: u32 = convert v0\n  v5: u32 = wrapindex v4, v4\n  return v0",
     "must be a signed integer"},
    {"ElementIndexCount", "  v4: ptr[f32] = element v3, v0\n  return v0", "an index per axis"},
    {"ElementIndexTypes",
     "  v4: i64 = convert v0\n  v5: ptr[f32] = element v3, v0, v4\n  return v0",
     "indices must all be"},
    {"ElementSmallIndex",
     "  v4: i16 = convert v0\n  v5: ptr[f32] = element v3, v4, v4\n  return v0",
     "indices must all be"},
    {"ElementResult", "  v4: ptr[f64] = element v3, v0, v0\n  return v0", "the element type"},
    {"FieldOfScalar", "  v4: ptr[f32] = field 0 v0\n  return v0", "must be a pointer"},
    {"FieldIndex", "  v4: ptr[f32] = element v3, v0, v0\n  v5: ptr[f32] = field 0 v4\n  return v0",
     "no such part"},
    {"LoadOfScalar", "  v4: i32 = load v0\n  return v0", "must be a pointer"},
    {"ArrayParts",
     "  v4: ptr[f32] = arraydata v3\n  v5: i64 = extent 0 v3\n"
     "  v6: array[f32, 1] = makearray v4, v5\n  return v0",
     "an address, extents and strides"},
    {"ArrayOfParts",
     "  v4: ptr[f32] = arraydata v3\n  v5: i64 = extent 0 v3\n"
     "  v6: array[f32, 1, contiguous] = makearray v4, v5\n"
     "  v7: array[f32, 1, readonly] = makearray v4, v5, v5\n  return v0",
     ""},
    {"ArrayExtents",
     "  v4: ptr[f32] = arraydata v3\n  v5: array[f32, 1, contiguous] = makearray v4, v0\n"
     "  return v0",
     "extents and strides must be i64"},
    {"ArrayElement",
     "  v4: ptr[f32] = arraydata v3\n  v5: i64 = extent 0 v3\n"
     "  v6: array[f64, 1, contiguous] = makearray v4, v5\n  return v0",
     "must point to the element type"},
    {"ArrayDataType", "  v4: ptr[i32] = arraydata v3\n  return v0", "the element type"},
    {"ArrayDataOperand", "  v4: ptr[i32] = arraydata v0\n  return v0", "must be an array"},
    {"MovedBytes", "  v4: ptr[f32] = arraydata v3\n  v5: ptr[i8] = moveaddress v4, v0\n  return v0",
     "the offset must be i64"},
    {"MovedValue", "  v4: i64 = extent 0 v3\n  v5: ptr[i8] = moveaddress v0, v4\n  return v0",
     "the first operand must be a pointer"},
    {"LoadType", "  v4: ptr[f32] = element v3, v0, v0\n  v5: i32 = load v4\n  return v0",
     "to another type"},
    {"StoreType", "  v4: ptr[f32] = element v3, v0, v0\n  store v4, v0\n  return v0",
     "to another type"},
    {"CallNobody", "  v4: i32 = call 3 v0\n  return v0", "no such function"},
    {"CallCount", "  v4: i32 = call 0 v0\n  return v0", "another number of parameters"},
    {"CallType", "  v4: i32 = call 0 v0, v0, v2, v3\n  return v0", "than the parameter"},
    {"CallResult", "  v4: f32 = call 0 v0, v1, v2, v3\n  return v0", "another result type"},
    {"ThreadAxis", "  v4: u32 = threadindex 3\n  return v0", "must be 0, 1 or 2"},
    {"ThreadType", "  v4: i32 = threadindex 0\n  return v0", "must be u32"},
    {"TupleType", "  v4: (f32, i32) = tuple v0, v1\n  return v0", "another type than its operand"},
    {"TupleCount", "  v4: (i32,) = tuple v0, v1\n  return v0", "a part per operand"},
    {"TupleResult", "  v4: i32 = tuple v0\n  return v0", "must be a tuple"},
    {"VectorCount", "  v4: f32x2 = tuple v1\n  return v0", "a part per operand"},
    {"VectorType", "  v4: f32x2 = tuple v1, v0\n  return v0", "another type than its operand"},
    {"ExtractIndex", "  v4: (i32,) = tuple v0\n  v5: i32 = extract 1 v4\n  return v0",
     "no such part"},
    {"ExtractType", "  v4: (i32,) = tuple v0\n  v5: f32 = extract 0 v4\n  return v0",
     "another type than the result"},
    {"ExtractOfScalar", "  v4: i32 = extract 0 v0\n  return v0", "no such part"},
    {"NoneType", "  v4: i32 = none\n  return v0", "must be none"},
};

class Verify : public testing::TestWithParam<Case> {};

TEST_P(Verify, Says) {
  const Case& it = GetParam();
  std::string text =
      "f(a: i32, x: f32, c: bool, m: array[f32, 2, index32]) -> i32\n"
      "b0(v0: i32, v1: f32, v2: bool, v3: array[f32, 2, index32]):\n";
  text += it.body;
  auto module = parse(text);
  ASSERT_TRUE(module.ok()) << module.error().text;
  Status status = verify(*module);
  if (*it.says == '\0') {
    EXPECT_TRUE(status.ok()) << status.error().text;
    return;
  }
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().text.find(it.says), std::string::npos) << status.error().text;
  EXPECT_EQ(status.error().text.find("function f, b"), 0u) << status.error().text;
}

INSTANTIATE_TEST_SUITE_P(Cases, Verify, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

// Faults that text cannot have.
class VerifyGraph : public testing::Test {
 protected:
  VerifyGraph() {
    function_.name = "f";
    function_.result = none_type();
    Builder build(function_);
    build.set_block(build.new_block());
    build.ret(build.none());
  }
  std::string problem() {
    Status status = verify(Module{{function_}});
    return status.ok() ? "" : status.error().text;
  }
  bool says(std::string_view what) { return problem().find(what) != std::string::npos; }
  Inst& first() { return function_.blocks[0].insts[0]; }

  Function function_;
};

TEST_F(VerifyGraph, FineAsItIs) { EXPECT_EQ(problem(), ""); }
TEST_F(VerifyGraph, NoFunction) { EXPECT_FALSE(verify(Module{}).ok()); }
TEST_F(VerifyGraph, NoBlock) {
  function_.blocks.clear();
  EXPECT_TRUE(says("there is no first block"));
}
TEST_F(VerifyGraph, NoResultType) {
  function_.result = {};
  EXPECT_TRUE(says("no result type"));
}
TEST_F(VerifyGraph, ParameterWithoutName) {
  Builder(function_).add_param({0}, none_type());
  EXPECT_TRUE(says("a name per parameter"));
}
TEST_F(VerifyGraph, SpanOutOfRange) {
  first().where = {7};
  EXPECT_TRUE(says("place in the source does not exist"));
}
TEST_F(VerifyGraph, ValueWithoutType) {
  function_.types[0] = {};
  EXPECT_TRUE(says("v0 has no type"));
}
TEST_F(VerifyGraph, ValueOutOfRange) {
  first().result = {99};
  EXPECT_TRUE(says("v99 has no type"));
}
TEST_F(VerifyGraph, DefinedTwice) {
  function_.blocks[0].insts.insert(function_.blocks[0].insts.begin(), first());
  EXPECT_TRUE(says("v0 is defined twice"));
}
TEST_F(VerifyGraph, InvalidOperand) {
  std::get<Return>(function_.blocks[0].insts[1].op).in[0] = {};
  EXPECT_TRUE(says("an invalid value is used"));
}
TEST_F(VerifyGraph, InvalidEdge) {
  function_.blocks[0].insts[1].op = Jump{};
  EXPECT_TRUE(says("leads nowhere"));
}
TEST_F(VerifyGraph, BitsBeyondTheType) {
  ConstInt op;
  op.bits = 256;
  function_.blocks[0].insts.insert(function_.blocks[0].insts.begin(), {op, {1}, {}});
  function_.types.push_back(scalar_type(Scalar::UInt8));
  EXPECT_TRUE(says("bits do not fit"));
  function_.types[1] = scalar_type(Scalar::Int16);
  EXPECT_EQ(problem(), "");
}
TEST_F(VerifyGraph, FloatNotOfTheType) {
  ConstFloat op;
  op.value = 0.1;
  function_.blocks[0].insts.insert(function_.blocks[0].insts.begin(), {op, {1}, {}});
  function_.types.push_back(scalar_type(Scalar::Float32));
  EXPECT_TRUE(says("not exact in its type"));
  function_.types[1] = scalar_type(Scalar::Float64);
  EXPECT_EQ(problem(), "");
}

}  // namespace
}  // namespace hetjit::ir
