// The fingerprint changes with what can change compiled code, and with nothing else.
#include <set>

#include "frontend/snapshot/fingerprint.h"
#include "frontend/snapshot/sha256.h"
#include "tests/unit/frontend/snapshot_recordings.h"

namespace hetjit {
namespace {

std::string sha256(std::string_view text) {
  Sha256 hash;
  hash.add({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  std::string digest;
  for (uint32_t word : hash.finish()) {
    char buffer[9];
    std::snprintf(buffer, sizeof buffer, "%08x", word);
    digest += buffer;
  }
  return digest;
}

// The examples of FIPS 180-4, and lengths around a block's end.
TEST(Sha256, IsSha256) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

Program small_program() {
  Snapshot snapshot;
  snapshot.name = "f";
  snapshot.source = {"f.py", 3, {"def f(a): return a + 1.0"}};
  snapshot.locals = {"a"};
  snapshot.parameter_count = 1;
  snapshot.defaults.resize(1);
  snapshot.annotations.resize(1);
  snapshot.code = {151, 0, 124, 0, 100, 1, 122, 0, 0, 0, 83, 0};
  snapshot.constants = {{NoneConstant{}}, {1.0}};
  snapshot.attribute_names = {"g"};
  snapshot.names = {{"g", BuiltinMeaning{"math.sin"}}};
  snapshot.positions.resize(6, Position{3, 3, 17, 24});
  return {{snapshot}};
}

// Caches on disk live longer than a process: the number itself must not change by accident.
TEST(Fingerprint, IsTheSameEverywhere) {
  EXPECT_EQ(to_text(fingerprint(small_program())), "5db44e4b089983295ed7d48021d26723");
  EXPECT_EQ(to_text(Fingerprint{1, 0xABCDEF}), "00000000000000010000000000abcdef");
}

TEST(Fingerprint, IgnoresWhereAFunctionStandsAndComments) {
  const Program original = small_program();
  Program changed = original;
  changed.functions[0].source.path = "/elsewhere/f.py";
  changed.functions[0].source.first_line += 7;
  changed.functions[0].source.lines[0] += "  # the next number";
  for (Position& position : changed.functions[0].positions)
    position.line += 7, position.end_line += 7;
  EXPECT_EQ(fingerprint(changed), fingerprint(original));
}

// Messages quote what stands there, and how a block ends is read from it.
TEST(Fingerprint, SeesTheTextOfCode) {
  const Program original = small_program();
  Program changed = original;
  changed.functions[0].source.lines[0] = "def f(a): return a  +1.0";
  EXPECT_NE(fingerprint(changed), fingerprint(original));
  changed.functions[0].source.lines = {};
  EXPECT_NE(fingerprint(changed), fingerprint(original));
}

TEST(Fingerprint, OfTexts) {
  EXPECT_EQ(fingerprint("a"), fingerprint("a"));
  EXPECT_NE(fingerprint("a"), fingerprint("b"));
  EXPECT_NE(fingerprint(std::string(200, 'a')), fingerprint(std::string(201, 'a')));
}

// Each makes another function of it.
const std::vector<void (*)(Snapshot&)> kChanges = {
    [](Snapshot& s) { s.version = Python::v3_12; },
    [](Snapshot& s) { s.name = "g"; },
    [](Snapshot& s) { s.source.first_line = 4; },
    [](Snapshot& s) { s.locals = {"b"}; },
    [](Snapshot& s) { s.locals = {}, s.free_variables = {"a"}; },
    [](Snapshot& s) { s.parameter_count = 0; },
    [](Snapshot& s) { s.positional_only_count = 1; },
    [](Snapshot& s) { s.keyword_only_count = 1; },
    [](Snapshot& s) { s.has_varargs = true; },
    [](Snapshot& s) { s.has_varkeywords = true; },
    [](Snapshot& s) { s.is_generator = true; },
    [](Snapshot& s) { s.defaults[0] = UnboundMeaning{}; },
    [](Snapshot& s) {
      s.annotations[0] = Parameter{scalar_type(Scalar::Int32), true};
    },
    [](Snapshot& s) {
      s.annotations[0] = Parameter{scalar_type(Scalar::Int32), false};
    },
    [](Snapshot& s) { s.constant_parameters = {0}; },
    [](Snapshot& s) {
      s.bound.push_back({0, Constant{true}});
    },
    [](Snapshot& s) { s.code[3] = 1; },
    [](Snapshot& s) { s.constants[1] = {-1.0}; },
    [](Snapshot& s) {
      s.constants[1] = {IntConstant{false, 1}};
    },
    [](Snapshot& s) {
      s.constants[1] = {IntConstant{false, 1, true}};
    },
    [](Snapshot& s) { s.constants[1] = {true}; },
    [](Snapshot& s) { s.constants[1] = {std::string("1.0")}; },
    [](Snapshot& s) { s.constants[1] = {0.0}; },
    [](Snapshot& s) { s.constants[1] = {-0.0}; },
    [](Snapshot& s) { s.constants[1] = {TupleConstant{{{1.0}}}}; },
    [](Snapshot& s) { s.constants[1] = {SliceConstant{{{1.0}}}}; },
    [](Snapshot& s) { s.constants.pop_back(); },
    [](Snapshot& s) { s.attribute_names = {"h"}; },
    [](Snapshot& s) {
      s.attribute_names = {"g", ""};
    },
    [](Snapshot& s) { s.names[0].path = "h"; },
    [](Snapshot& s) { s.names[0].meaning = BuiltinMeaning{"math.cos"}; },
    [](Snapshot& s) { s.names[0].meaning = ModuleMeaning{"math.sin"}; },
    [](Snapshot& s) { s.names[0].meaning = OpaqueMeaning{"math.sin"}; },
    [](Snapshot& s) { s.names[0].meaning = Constant{std::string("math.sin")}; },
    [](Snapshot& s) { s.names[0].meaning = FunctionMeaning{0}; },
    [](Snapshot& s) {
      s.names[0].meaning = CxxMeaning{0, "math"};
    },
    [](Snapshot& s) {
      s.names[0].meaning = CxxMeaning{1, "math"};
    },
    [](Snapshot& s) { s.positions[2].line = 4; },
    [](Snapshot& s) { s.positions[2].end_line = 4; },
    [](Snapshot& s) { s.positions[2].column = 16; },
    [](Snapshot& s) { s.positions[2].end_column = 23; },
    [](Snapshot& s) {
      s.handlers = {{0, 1, 2, 0, false}};
    },
};

TEST(Fingerprint, SeesEverythingElse) {
  std::set<std::string> seen = {to_text(fingerprint(small_program()))};
  for (size_t i = 0; i < kChanges.size(); ++i) {
    Program changed = small_program();
    kChanges[i](changed.functions[0]);
    EXPECT_TRUE(seen.insert(to_text(fingerprint(changed))).second) << "change " << i;
  }
  Program two = small_program();
  two.functions.push_back(two.functions[0]);
  EXPECT_TRUE(seen.insert(to_text(fingerprint(two))).second);
}

TEST(Fingerprint, TellsAllSamplesApart) {
  std::set<std::string> fingerprints, texts;
  for (Python version : kAllPythons)
    for (Program program = samples(version); Snapshot & snapshot : program.functions) {
      fingerprints.insert(to_text(fingerprint(Program{{snapshot}})));
      const uint32_t above = snapshot.source.first_line - 1;
      for (Position& at : snapshot.positions)
        if (at.line) at.line -= above, at.end_line -= above;
      snapshot.source = {"", 1, snapshot.source.lines};
      texts.insert(to_text(Program{{snapshot}}));
    }
  EXPECT_GT(texts.size(), 300u);
  EXPECT_EQ(fingerprints.size(), texts.size());
}

}  // namespace
}  // namespace hetjit
