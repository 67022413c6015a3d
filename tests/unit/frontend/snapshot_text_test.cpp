// The `.snap` form is lossless, total, and the same in Python (tests/snapshots/snap.py) and here.
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "tests/source_dir.h"
#include "tests/unit/frontend/snapshot_recordings.h"

namespace hetjit {
namespace {

using namespace std::string_literals;

Constant tuple(std::vector<Constant> items) { return {TupleConstant{std::move(items)}}; }

std::vector<Constant> hostile_constants() {
  return {
      {NoneConstant{}},
      {true},
      {false},
      {EllipsisConstant{}},
      {IntConstant{false, 0}},
      {IntConstant{true, 0}},
      {IntConstant{true, UINT64_MAX}},
      {IntConstant{true, 1, true}},
      {HugeConstant{"18446744073709551616"}},
      {HugeConstant{"-100000000000000000000000000000000000000"}},
      {HugeConstant{"7"}},
      {HugeConstant{""}},
      {HugeConstant{"-"}},
      {HugeConstant{"not digits\n\"at all\""}},
      {0.0},
      {-0.0},
      {0.1},
      {1e300},
      {123456789012345680.0},
      {std::numeric_limits<double>::denorm_min()},
      {std::numeric_limits<double>::max()},
      {std::numeric_limits<double>::infinity()},
      {-std::numeric_limits<double>::infinity()},
      {std::numeric_limits<double>::quiet_NaN()},
      {std::bit_cast<double>(0x7FF8000000000001u)},
      {std::bit_cast<double>(0xFFFFFFFFFFFFFFFFu)},
      {ComplexConstant{-0.0, std::numeric_limits<double>::quiet_NaN()}},
      {FixedConstant{Scalar::Float32, {0x3F800000, 0}}},
      {FixedConstant{Scalar::Complex128, {UINT64_MAX, 1}}},
      {std::string()},
      {std::string("None")},
      {"two\nlines\r\t\"quoted\" \\ # | \0 \xFF\xC3\xA9"s},
      tuple({}),
      tuple({{IntConstant{false, 1}}}),
      tuple({tuple({tuple({})}), {std::string(",)")}}),
      {SliceConstant{}},
      {SliceConstant{{{NoneConstant{}}, {IntConstant{true, 3}}, tuple({})}}},
      {RecordConstant{vector_type(Scalar::Int8, 2), {{IntConstant{}}, {0.5}}}},
      {RecordConstant{struct_type("a \"b\"", {}), {}}},
      {CodeConstant{UINT32_MAX}},
      tuple({{FunctionMeaning{3}}, {BuiltinMeaning{"math.sqrt"}}}),
      tuple({{TypeMeaning{{scalar_type(Scalar::Int8), false}}}, {FunctionMeaning{0}}}),
      {OtherConstant{"frozen set\n"}},
  };
}

TEST(SnapshotText, ConstantsRoundTrip) {
  for (const Constant& constant : hostile_constants()) {
    const std::string text = to_text(constant);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    Result<Constant> back = parse_constant(text);
    ASSERT_TRUE(back.ok()) << text << ": " << back.error().text;
    EXPECT_EQ(*back, constant) << text;
  }
}

TEST(SnapshotText, ConstantsThatDifferAreNotEqual) {
  const std::vector<Constant> all = hostile_constants();
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < all.size(); ++j) EXPECT_EQ(all[i] == all[j], i == j) << i << " " << j;
}

std::vector<Meaning> every_kind_of_meaning() {
  const Field fields[] = {{"pos", vector_type(Scalar::Float32, 3)},
                          {"mass", scalar_type(Scalar::Float64)}};
  return {
      UnboundMeaning{},
      ModuleMeaning{"numpy.linalg"},
      ModuleMeaning{"odd name"},
      FunctionMeaning{3},
      BuiltinMeaning{"hetjit.device.atomic.add"},
      TypeMeaning{{scalar_type(Scalar::Float32), false}},
      TypeMeaning{{scalar_type(Scalar::Int32), true}},
      TypeMeaning{{scalar_type(Scalar::Bool), true}},
      TypeMeaning{{scalar_type(Scalar::Bool), false}},
      TypeMeaning{{array_type(scalar_type(Scalar::Int8), 2), false}},
      TypeMeaning{{struct_type("Body", fields, 16), false}},
      OpaqueMeaning{"a list (of \"things\")"},
      OpaqueMeaning{""},
      CxxMeaning{3, "app::norm<hetjit::float32, 4>"},
      CxxMeaning{0, ""},
  };
}

TEST(SnapshotText, MeaningsRoundTrip) {
  std::vector<Meaning> all = every_kind_of_meaning();
  for (const Constant& constant : hostile_constants()) all.push_back(constant);
  for (const Meaning& meaning : all) {
    const std::string text = to_text(meaning);
    Result<Meaning> back = parse_meaning(text);
    ASSERT_TRUE(back.ok()) << text << ": " << back.error().text;
    EXPECT_EQ(*back, meaning) << text;
  }
}

Snapshot full_snapshot() {
  Snapshot snapshot;
  snapshot.version = Python::v3_13;
  snapshot.name = "<lambda>";
  snapshot.source = {
      "C:\\odd path\\#x.py", 12, {"", "  indented", "\ttab ", "| bar", "a\rb", "x\n"}};
  snapshot.locals = {"a", ".0", "h\xC3\xA9", "", "with space"};
  snapshot.free_variables = {"free", "#hash"};
  snapshot.parameter_count = 2, snapshot.positional_only_count = 1;
  snapshot.keyword_only_count = 1;
  snapshot.has_varargs = snapshot.has_varkeywords = snapshot.is_generator = true;
  snapshot.defaults = {std::nullopt, Meaning{FunctionMeaning{1}}, Meaning{Constant{-0.0}}};
  snapshot.annotations = {Parameter{scalar_type(Scalar::Int64), false}, std::nullopt};
  for (int i = 0; i < 77; ++i) snapshot.code.push_back(static_cast<uint8_t>(i * 7));
  snapshot.code.push_back(255);
  snapshot.constants = hostile_constants();
  snapshot.attribute_names = {"math", "sqrt", "\n"};
  for (const Meaning& meaning : every_kind_of_meaning())
    snapshot.names.push_back({"name" + std::to_string(snapshot.names.size()), meaning});
  snapshot.positions.resize(39, Position{3, 4, 5, 6});
  snapshot.positions[0] = {};
  snapshot.positions[7] = {0, 1, UINT32_MAX, 0};
  snapshot.handlers = {{1, 2, 3, 4, true}, {5, UINT32_MAX, 7, 8, false}};
  return snapshot;
}

TEST(SnapshotText, ProgramsRoundTrip) {
  Snapshot empty, few_positions = full_snapshot();
  few_positions.positions.resize(5);
  const Program program{{full_snapshot(), empty, few_positions}};
  const std::string text = to_text(program);
  Result<Program> back = parse_program(text);
  ASSERT_TRUE(back.ok()) << back.error().text << "\n" << text;
  ASSERT_EQ(back->functions.size(), 3u);
  EXPECT_EQ(*back, program) << text;
  EXPECT_EQ(to_text(*back), text);
}

TEST(SnapshotText, CommentsAndBlankLinesAreNothing) {
  const Program program{{full_snapshot()}};
  std::string text = "# a comment\n\n";
  for (char c : to_text(program))
    text += c == '\n' ? std::string("\n  # more\n\n") : std::string(1, c);
  Result<Program> back = parse_program(text);
  ASSERT_TRUE(back.ok()) << back.error().text;
  EXPECT_EQ(*back, program);
}

TEST(SnapshotText, EqualityLooksAtEverything) {
  const Snapshot original = full_snapshot();
  Snapshot changed = original;
  changed.constants.back() = {OtherConstant{"set"}};
  EXPECT_NE(changed, original);
  changed = original;
  changed.names[0].meaning = BuiltinMeaning{"len"};
  EXPECT_NE(changed, original);
}

TEST(SnapshotText, FindsMeaningsByPath) {
  Snapshot snapshot = full_snapshot();
  snapshot.names.push_back({"math.sqrt", BuiltinMeaning{"math.sqrt"}});
  EXPECT_EQ(snapshot.meaning("math.sqrt"), Meaning(BuiltinMeaning{"math.sqrt"}));
  EXPECT_EQ(snapshot.meaning("math.sqr"), Meaning(UnboundMeaning{}));
  const Program program{{snapshot, Snapshot{}}};
  ASSERT_EQ(program.sources().size(), 2u);
  EXPECT_EQ(program.sources()[0], snapshot.source);
}

// ---------------------------------------------------------------------- what Python has written

TEST(SnapshotText, RecordingsSurviveReprinting) {
  for (Python version : kAllPythons) {
    const Program program = samples(version);
    Result<Program> back = parse_program(to_text(program));
    ASSERT_TRUE(back.ok()) << back.error().text;
    EXPECT_EQ(*back, program);
    for (const Snapshot& snapshot : program.functions) {
      EXPECT_EQ(snapshot.version, version);
      EXPECT_EQ(snapshot.positions.size(), snapshot.code.size() / 2) << snapshot.name;
      EXPECT_FALSE(snapshot.source.lines.empty()) << snapshot.name;
    }
  }
}

std::vector<Constant> items_of(const Snapshot& snapshot, const char* name) {
  const Constant* constant = std::get_if<Constant>(&snapshot.meaning(name));
  const TupleConstant* tuple = constant ? std::get_if<TupleConstant>(&constant->value) : nullptr;
  EXPECT_NE(tuple, nullptr) << name;
  return tuple ? tuple->items : std::vector<Constant>();
}

// tests/snapshots/values.py
TEST(SnapshotText, PythonWritesTheSameValues) {
  for (Python version : kAllPythons) {
    Result<Program> program = parse_program(read_file(
        HETJIT_SOURCE_DIR "/tests/snapshots/" + std::string(to_text(version)) + "/values.snap"));
    ASSERT_TRUE(program.ok()) << program.error().text;
    const Snapshot& values = sample(*program, "values");
    EXPECT_EQ(items_of(values, "ints"),
              (std::vector<Constant>{{IntConstant{false, 0}},
                                     {IntConstant{true, 1}},
                                     {IntConstant{false, uint64_t{1} << 63}},
                                     {IntConstant{true, uint64_t{1} << 63}},
                                     {IntConstant{false, UINT64_MAX}},
                                     {HugeConstant{"18446744073709551616"}},
                                     {HugeConstant{"-1" + std::string(40, '0')}}}));
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(items_of(values, "floats"),
              (std::vector<Constant>{{0.0},
                                     {-0.0},
                                     {1.0},
                                     {0.1},
                                     {1e16},
                                     {1e-5},
                                     {std::numeric_limits<double>::denorm_min()},
                                     {std::numeric_limits<double>::max()},
                                     {infinity},
                                     {-infinity},
                                     {std::numeric_limits<double>::quiet_NaN()}}));
    EXPECT_EQ(items_of(values, "texts"),
              (std::vector<Constant>{{std::string()},
                                     {std::string("two\nlines")},
                                     {std::string("quo\"te\\")},
                                     {std::string("\ttab\r")},
                                     {std::string("h\xC3\xA9llo \xE6\xBC\xA2 \xF0\x9F\x98\x80")},
                                     {std::string("\xED\xA0\x80")},
                                     {std::string("\0\x1B\x7F", 3)},
                                     {std::string("# | x")}}));
    EXPECT_EQ(items_of(values, "nested").size(), 8u);
    EXPECT_EQ(items_of(values, "nested").back(), Constant{(ComplexConstant{1.5, -0.0})});
    const Snapshot& missing = sample(*program, "missing");
    EXPECT_EQ(missing.meaning("not_defined"), Meaning(UnboundMeaning{}));
    EXPECT_EQ(missing.meaning("values"), Meaning(FunctionMeaning{0}));
    EXPECT_EQ(missing.meaning("len"), Meaning(BuiltinMeaning{"builtins.len"}));
    EXPECT_EQ(missing.meaning("int"), Meaning(TypeMeaning{{scalar_type(Scalar::Int32), true}}));
  }
}

TEST(SnapshotText, PythonWritesParametersAsTheyAre) {
  for (Python version : kAllPythons) {
    Result<Program> program = parse_program(read_file(
        HETJIT_SOURCE_DIR "/tests/snapshots/" + std::string(to_text(version)) + "/values.snap"));
    ASSERT_TRUE(program.ok()) << program.error().text;
    const Snapshot& snapshot = sample(*program, "defaults");
    EXPECT_EQ(snapshot.parameter_count, 3u);
    EXPECT_EQ(snapshot.positional_only_count, 2u);
    EXPECT_EQ(snapshot.keyword_only_count, 2u);
    EXPECT_TRUE(snapshot.has_varargs && snapshot.has_varkeywords && !snapshot.is_generator);
    ASSERT_EQ(snapshot.defaults.size(), 5u);
    EXPECT_EQ(snapshot.defaults[0], std::nullopt);
    EXPECT_EQ(snapshot.defaults[1], Meaning(Constant{-0.0}));
    EXPECT_EQ(snapshot.defaults[2], Meaning(Constant{HugeConstant{"1180591620717411303424"}}));
    EXPECT_EQ(snapshot.defaults[3], std::nullopt);
    EXPECT_EQ(snapshot.defaults[4], Meaning(Constant{std::string("\n")}));
    ASSERT_EQ(snapshot.annotations.size(), 5u);
    EXPECT_EQ(snapshot.annotations[2], std::nullopt);
    EXPECT_EQ(snapshot.annotations[3], (Parameter{vector_type(Scalar::Float32, 3), false}));
    EXPECT_NE(snapshot.source.lines[1].find("tab:\there"), std::string::npos);
    EXPECT_EQ(snapshot.source.lines[2], "    text = \"\"\"two");
  }
}

// ------------------------------------------------------------------------------ malformed input

TEST(SnapshotText, SaysWhichLineIsWrong) {
  const auto problem = [](std::string_view text) {
    Result<Program> program = parse_program(text);
    return program.ok() ? "" : program.error().text;
  };
  EXPECT_EQ(problem(""), "line 1: expected 'snapshot', found the end of the line");
  EXPECT_EQ(problem("snapshot 2\n"), "line 1: expected 'snapshot 1', found the end of the line");
  EXPECT_EQ(problem("snapshot 1\ncode 1\n"), "line 2: expected 'function', found \"code 1\"");
  EXPECT_EQ(problem("snapshot 1\nfunction 1 f 3.11\n"),
            "line 2: expected the function's number, found \" f 3.11\"");
  EXPECT_EQ(problem("snapshot 1\nfunction 0 f 3.10\n"),
            "line 2: expected 3.11, 3.12, 3.13, 3.14 or 3.15, found \"3.10\"");
  const std::string begin = "snapshot 1\nfunction 0 f 3.11\n";
  EXPECT_EQ(problem(begin + "code 256\n"), "line 3: expected a byte, found \"256\"");
  EXPECT_EQ(problem(begin + "constant\n"),
            "line 3: expected a constant, found the end of the line");
  EXPECT_NE(problem(begin + "constant \"open\n"), "");
  EXPECT_NE(problem(begin + "constant (1, 2\n"), "");
  EXPECT_NE(problem(begin + "constant 1 2\n"), "");
  EXPECT_NE(problem(begin + "annotations 1\nannotation 0 floot32\n"), "");
  EXPECT_NE(problem(begin + "annotations 1\nannotation 0 \"int, int\"\n"), "");
  EXPECT_NE(problem(begin + "default 0 1\n"), "");
  EXPECT_NE(problem(begin + "defaults 4000000000\n"), "");
  EXPECT_NE(problem(begin + "positions 4000000000\n"), "");
  EXPECT_NE(problem(begin + "at 0 1:2-3:4\n"), "");
  EXPECT_NE(problem(begin + "code 1 2  3 4\nat 1 1:2-3:4\nat 1 1:2-3:5\n"), "");
  EXPECT_EQ(problem(begin + "code 1 2  3 4\nat 1 1:2-3:4\n"), "");
}

TEST(SnapshotText, DeepNestingIsAnError) {
  EXPECT_FALSE(parse_constant(std::string(100000, '(')).ok());
  std::string slices;
  for (int i = 0; i < 100000; ++i) slices += "slice(";
  EXPECT_FALSE(parse_constant(slices).ok());
  EXPECT_TRUE(parse_constant(std::string(60, '(') + std::string(60, ')')).ok());
}

TEST(SnapshotText, OnlyOneConstantPerText) {
  for (const char* text :
       {"", " ", "1 2", "1\n2", "(1,,2)", "(,)", "1)", "fixed(f32, 1)", "code(-1)", "nan.0",
        "nan.3ff0000000000000", "-", "1.5.5", "0x10", "other"})
    EXPECT_FALSE(parse_constant(text).ok()) << text;
  for (const char* text : {"module()", "function(x)", "type(int, int)", "opaque", "unbound 1"})
    EXPECT_FALSE(parse_meaning(text).ok()) << text;
}

TEST(SnapshotText, DamagedTextDoesNoHarm) {
  std::mt19937 random(5);
  const std::string interesting = "()\"\\|#\n ,.-+0123456789xnaef\xFF";
  const std::string texts[] = {to_text(Program{{full_snapshot()}}), samples_text(Python::v3_14)};
  for (int round = 0; round < 3000; ++round) {
    std::string text = texts[round % 2].substr(0, 6000);
    for (int damage = 0; damage < 1 + round % 8; ++damage) {
      const size_t at = random() % text.size();
      if (round % 3 == 0)
        text.erase(at, random() % 20);
      else if (round % 3 == 1)
        text.insert(at, 1, interesting[random() % interesting.size()]);
      else
        text[at] = interesting[random() % interesting.size()];
    }
    Result<Program> program = parse_program(text);
    if (!program) {
      EXPECT_EQ(program.error().code, ErrorCode::Invalid);
      continue;
    }
    Result<Program> back = parse_program(to_text(*program));
    ASSERT_TRUE(back.ok()) << back.error().text;
    ASSERT_EQ(*back, *program);
  }
}

}  // namespace
}  // namespace hetjit
