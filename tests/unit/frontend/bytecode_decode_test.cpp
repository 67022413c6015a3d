// Bytecode of five CPython versions becomes one instruction set (HPY-ABI-2).
#include <map>
#include <random>
#include <set>

#include "frontend/bytecode/decode.h"
#include "frontend/bytecode/locations.h"
#include "frontend/bytecode/rules.h"
#include "tests/unit/frontend/snapshot_recordings.h"

namespace hetjit::bytecode {
namespace {

class EveryPython : public testing::TestWithParam<Python> {
 protected:
  Program program_ = samples(GetParam());

  Decoded decoded(std::string_view name) {
    Result<Decoded> result = decode(sample(program_, name));
    EXPECT_TRUE(result.ok()) << result.error().text;
    return result.ok() ? std::move(*result) : Decoded{};
  }
  std::vector<NormalInst> all(std::string_view name, NormalOp op) {
    std::vector<NormalInst> found;
    for (const NormalInst& inst : decoded(name).insts)
      if (inst.op == op) found.push_back(inst);
    return found;
  }
};

INSTANTIATE_TEST_SUITE_P(Bytecode, EveryPython, testing::ValuesIn(kAllPythons), [](auto& info) {
  std::string name(to_text(info.param));
  name[1] = '_';
  return "v" + name;
});

TEST_P(EveryPython, SamplesDecodeAndTheirStacksBalance) {
  ASSERT_GE(program_.functions.size(), 60u);
  for (const Snapshot& snapshot : program_.functions) {
    Result<Decoded> result = decode(snapshot);
    ASSERT_TRUE(result.ok()) << result.error().text;
    Result<std::vector<int32_t>> depths = stack_depths(result->insts);
    ASSERT_TRUE(depths.ok()) << snapshot.name << ": " << depths.error().text;
    for (size_t i = 0; i < result->insts.size(); ++i)
      if (result->insts[i].op == NormalOp::Return && (*depths)[i] != kUnreached) {
        EXPECT_EQ((*depths)[i], 1) << snapshot.name << " returns with words left over";
      }
  }
}

TEST_P(EveryPython, NamesWhatItDoesNotSupport) {
  std::map<std::string, std::string> found;
  for (const Snapshot& snapshot : program_.functions) {
    Result<Decoded> result = decode(snapshot);
    Result<std::vector<int32_t>> depths = stack_depths(result->insts);
    for (size_t i = 0; i < result->insts.size(); ++i) {
      const NormalInst& inst = result->insts[i];
      if (inst.op == NormalOp::Unsupported && (*depths)[i] != kUnreached)
        found.emplace(snapshot.name, result->unsupported[static_cast<size_t>(inst.arg)]);
    }
  }
  found.erase("comp");        // from 3.12 on with its dict inlined, before that a call
  found.erase("<dictcomp>");  // 3.11
  found.erase("<setcomp>");
  found.erase("__annotate__");  // from 3.14 on
  const std::map<std::string, std::string> wanted = {
      {"imports", "'import'"},        {"lists", "a set"},
      {"match_seq", "this pattern"},  {"set_global", "assigning to a global variable"},
      {"subscr", "'del' of an item"}, {"with_stmt", "'with'"},
  };
  EXPECT_EQ(found, wanted);
}

/// Instructions as text, without what versions may differ in: how constants are loaded, TO_BOOL.
std::vector<std::string> essence(const Snapshot& snapshot) {
  Result<Decoded> result = decode(snapshot);
  std::vector<std::string> lines;
  for (const NormalInst& inst : result->insts) {
    if (inst.op == NormalOp::ToBool) continue;
    if (inst.op == NormalOp::LoadConst)
      lines.push_back(hetjit::to_text(snapshot.constants[static_cast<size_t>(inst.arg)]));
    else if (inst.op == NormalOp::LoadInt)
      lines.push_back(std::to_string(inst.arg));
    else if (inst.op == NormalOp::LoadNone)
      lines.push_back("None");
    else if (inst.op == NormalOp::LoadBool)
      lines.push_back(inst.arg ? "True" : "False");
    else
      lines.push_back(std::string(info(inst.op).text) + " " + std::to_string(inst.arg));
  }
  return lines;
}

TEST_P(EveryPython, StraightLineCodeIsTheSameInAll) {
  const Program first = samples(kFirstPython);
  for (const char* name : {"arith", "aug", "aug_sub", "consts", "compare", "tuples", "unpack_star",
                           "unpack4", "attrs", "long_body", "annotated", "docstring", "fstr"})
    EXPECT_EQ(essence(sample(program_, name)), essence(sample(first, name))) << name;
}

TEST_P(EveryPython, LoopsLeaveThroughOneDoor) {
  for (const char* name : {"for_range", "for_range3", "for_return", "nested", "for_tuple"}) {
    const Decoded code = decoded(name);
    Result<std::vector<int32_t>> depths = stack_depths(code.insts);
    ASSERT_TRUE(depths.ok());
    size_t loops = 0;
    for (size_t i = 0; i < code.insts.size(); ++i) {
      const NormalInst& inst = code.insts[i];
      if (inst.op != NormalOp::ForIter && inst.op != NormalOp::ForIterPair) continue;
      ++loops;
      const int32_t words = inst.op == NormalOp::ForIterPair ? 2 : 1;
      EXPECT_EQ(words == 2, GetParam() == Python::v3_15);
      EXPECT_EQ((*depths)[static_cast<size_t>(inst.arg)], (*depths)[i] - words) << name;
      EXPECT_EQ((*depths)[i + 1], (*depths)[i] + 1) << name;
    }
    EXPECT_EQ(loops, std::string_view(name) == "for_tuple" ? 3u
                     : std::string_view(name) == "nested"  ? 2u
                                                           : 1u);
  }
}

TEST_P(EveryPython, KeywordCallsHaveOneForm) {
  const Decoded code = decoded("calls");
  const Snapshot& snapshot = sample(program_, "calls");
  std::vector<std::string> calls;
  for (size_t i = 0; i < code.insts.size(); ++i) {
    if (code.insts[i].op != NormalOp::CallKeywords) continue;
    const auto names = static_cast<size_t>(code.insts[i - 1].arg);
    calls.push_back(std::to_string(code.insts[i].arg) + " " +
                    hetjit::to_text(snapshot.constants[names]));
  }
  EXPECT_EQ(calls, (std::vector<std::string>{"3 (\"n\",)", "3 (\"key\", \"b\")"}));
}

TEST_P(EveryPython, FunctionsAndClosuresHaveOneForm) {
  for (const char* name : {"make_closure", "closure_cells"}) {
    const auto made = all(name, NormalOp::MakeFunction);
    ASSERT_EQ(made.size(), 1u) << name;
    EXPECT_EQ(made[0].arg, kClosure) << name;
  }
  EXPECT_EQ(all("make_closure", NormalOp::LoadClosure).size(), 3u);
  EXPECT_EQ(all("make_closure", NormalOp::MakeCell).size(), 3u);
  EXPECT_EQ(all("inner", NormalOp::LoadCell).size(), 4u);
  EXPECT_EQ(all("inner", NormalOp::StoreCell).size(), 1u);
}

TEST_P(EveryPython, UnboundCellsAndFormatsDecode) {
  EXPECT_EQ(all("fstr", NormalOp::FormatWithSpec).size(), 1u);
  EXPECT_EQ(all("fstr", NormalOp::FormatSimple).size(), 2u);
  EXPECT_EQ(all("fstr", NormalOp::Convert).size(), 1u);
  EXPECT_EQ(all("asserts", NormalOp::LoadCommon).size(), 3u);
  EXPECT_EQ(all("del_", NormalOp::DeleteLocal).size(), 1u);
  EXPECT_EQ(all("call_star", NormalOp::CallSpread).size(), 4u);
}

// From 3.13 on two loads, or a store and a load, are one instruction with one position.
TEST_P(EveryPython, EveryLoadHasItsOwnPlace) {
  for (const char* name : {"arith", "aug", "tuples", "for_range", "nested", "subscr", "calls"}) {
    const Snapshot& snapshot = sample(program_, name);
    const Decoded code = decoded(name);
    const std::vector<Span> spans = locations(snapshot, code, 7);
    for (size_t i = 0; i < code.insts.size(); ++i) {
      ASSERT_EQ(spans[i].source, 7u);
      const NormalOp op = code.insts[i].op;
      if (op != NormalOp::LoadLocal || !spans[i].known()) continue;
      const Span at = spans[i];
      const std::string& line = snapshot.source.lines[at.line - snapshot.source.first_line];
      EXPECT_EQ(line.substr(at.column, at.end_column - at.column),
                snapshot.locals[static_cast<size_t>(code.insts[i].arg)])
          << name << " " << i << "\n"
          << to_text(snapshot);
    }
  }
}

TEST_P(EveryPython, PrintsADisassembly) {
  const std::string text = to_text(sample(program_, "early"));
  EXPECT_NE(text.find("bytecode early " + std::string(hetjit::to_text(GetParam()))),
            std::string::npos);
  EXPECT_NE(text.find("setattr      x"), std::string::npos) << text;
  EXPECT_NE(text.find(">"), std::string::npos) << text;
}

// ------------------------------------------------------------------------------ malformed input

uint8_t number_of(Python version, std::string_view name) {
  for (size_t i = 0; i < 256; ++i)
    if (table(version)[i].name == name) return static_cast<uint8_t>(i);
  ADD_FAILURE() << "no instruction " << name;
  return 0;
}

struct Unit {
  std::string_view name;
  uint8_t arg;
};

/// A function of these instructions, caches included, with two of everything.
Snapshot assemble(Python version, std::initializer_list<Unit> units) {
  Snapshot snapshot;
  snapshot.version = version;
  snapshot.name = "f";
  snapshot.locals = {"a", "b"};
  snapshot.attribute_names = {"x", "y"};
  snapshot.constants = {Constant{}, Constant{true}};
  for (const Unit& unit : units) {
    const uint8_t number = number_of(version, unit.name);
    snapshot.code.insert(snapshot.code.end(), {number, unit.arg});
    snapshot.code.resize(snapshot.code.size() + 2u * table(version)[number].caches);
  }
  return snapshot;
}

std::string problem(const Snapshot& snapshot) {
  Result<Decoded> result = decode(snapshot);
  return result.ok() ? "" : result.error().text;
}

constexpr Python v3_12 = Python::v3_12, v3_13 = Python::v3_13;

TEST(BytecodeMalformed, SaysWhatIsWrong) {
  EXPECT_EQ(problem(assemble(v3_13, {})),
            "malformed bytecode in 'f': no instructions at code "
            "unit 0");
  EXPECT_NE(problem(assemble(v3_13, {{"NOP", 0}})), "");
  EXPECT_NE(problem(assemble(v3_13, {{"LOAD_CONST", 0}})).find("not a return"), std::string::npos);
  EXPECT_NE(problem(assemble(v3_13, {{"LOAD_CONST", 2}, {"RETURN_VALUE", 0}})).find("constant"),
            std::string::npos);
  EXPECT_NE(problem(assemble(v3_13, {{"LOAD_FAST", 2}, {"RETURN_VALUE", 0}})).find("variable"),
            std::string::npos);
  EXPECT_NE(problem(assemble(v3_13, {{"LOAD_GLOBAL", 4}, {"RETURN_VALUE", 0}})).find("name"),
            std::string::npos);
  EXPECT_NE(problem(assemble(v3_13, {{"LOAD_CONST", 0}, {"JUMP_FORWARD", 9}})).find("out of"),
            std::string::npos);
  EXPECT_NE(problem(assemble(v3_13, {{"LOAD_CONST", 0}, {"JUMP_BACKWARD", 1}})).find("middle"),
            std::string::npos);
  EXPECT_NE(problem(assemble(v3_12, {{"KW_NAMES", 0}, {"RETURN_VALUE", 0}})).find("keyword"),
            std::string::npos);
  EXPECT_NE(
      problem(assemble(v3_13,
                       {{"LOAD_FAST", 0}, {"GET_ITER", 0}, {"FOR_ITER", 0}, {"RETURN_VALUE", 0}}))
          .find("loop"),
      std::string::npos);
  Snapshot half = assemble(v3_13, {{"RETURN_CONST", 0}});
  half.code.push_back(1);
  EXPECT_NE(problem(half).find("half"), std::string::npos);
}

TEST(BytecodeMalformed, StacksThatDoNotBalance) {
  const auto stack_problem = [](const Snapshot& snapshot) {
    Result<Decoded> result = decode(snapshot);
    EXPECT_TRUE(result.ok()) << result.error().text;
    Result<std::vector<int32_t>> depths = stack_depths(result->insts);
    return depths.ok() ? "" : depths.error().text;
  };
  EXPECT_NE(stack_problem(assemble(v3_13, {{"RETURN_VALUE", 0}})).find("too few"),
            std::string::npos);
  // One path pushes a word, the other does not.
  EXPECT_NE(stack_problem(assemble(v3_13, {{"LOAD_CONST", 0},
                                           {"POP_JUMP_IF_TRUE", 1},
                                           {"LOAD_CONST", 0},
                                           {"RETURN_CONST", 0}}))
                .find("different stacks"),
            std::string::npos);
}

TEST(BytecodeMalformed, ExtendedArgumentsAddUp) {
  Snapshot snapshot =
      assemble(v3_13, {{"EXTENDED_ARG", 1}, {"LOAD_CONST", 4}, {"RETURN_VALUE", 0}});
  snapshot.constants.resize(261);
  Result<Decoded> result = decode(snapshot);
  ASSERT_TRUE(result.ok()) << result.error().text;
  EXPECT_EQ(result->insts[0], (NormalInst{NormalOp::LoadConst, 260, 0}));
  EXPECT_EQ(result->insts[1].offset, 2u);
  EXPECT_NE(problem(assemble(v3_13, {{"EXTENDED_ARG", 255},
                                     {"EXTENDED_ARG", 255},
                                     {"EXTENDED_ARG", 255},
                                     {"LOAD_CONST", 255},
                                     {"RETURN_VALUE", 0}}))
                .find("too large"),
            std::string::npos);
}

/// What decode() promises of everything that it accepts.
void expect_promises(const Snapshot& snapshot) {
  Result<Decoded> result = decode(snapshot);
  if (!result) return;
  ASSERT_FALSE(result->insts.empty());
  ASSERT_FALSE(falls_through(result->insts.back().op));
  for (const NormalInst& inst : result->insts)
    if (jumps(inst.op)) {
      ASSERT_LT(static_cast<size_t>(inst.arg), result->insts.size());
    }
  (void)stack_depths(result->insts).ok();
  EXPECT_FALSE(to_text(snapshot).empty());
  EXPECT_EQ(locations(snapshot, *result, 0).size(), result->insts.size());
}

TEST_P(EveryPython, RandomBytesDoNoHarm) {
  std::mt19937 random(static_cast<uint32_t>(GetParam()) + 1);
  Snapshot snapshot = sample(program_, "nested");
  for (int round = 0; round < 20000; ++round) {
    snapshot.code.resize(random() % 40);
    for (uint8_t& byte : snapshot.code)
      byte = static_cast<uint8_t>(random() % 4 ? random() % 8 : random());
    expect_promises(snapshot);
  }
}

TEST_P(EveryPython, DamagedCodeDoesNoHarm) {
  std::mt19937 random(static_cast<uint32_t>(GetParam()) + 1);
  for (const Snapshot& original : program_.functions)
    for (int round = 0; round < 100; ++round) {
      Snapshot snapshot = original;
      for (int damage = 0; damage < 1 + round % 3; ++damage)
        snapshot.code[random() % snapshot.code.size()] = static_cast<uint8_t>(random());
      if (round % 10 == 0) snapshot.locals.clear();
      if (round % 10 == 1) snapshot.constants.clear();
      expect_promises(snapshot);
    }
}

}  // namespace
}  // namespace hetjit::bytecode
