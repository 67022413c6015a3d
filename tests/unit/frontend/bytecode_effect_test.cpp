// Our stack effects against CPython's own, dis.stack_effect, for every instruction that has a rule.
#include <sstream>

#include "frontend/bytecode/decode.h"
#include "frontend/bytecode/rules.h"
#include "tests/source_dir.h"
#include "tests/unit/frontend/snapshot_recordings.h"

namespace hetjit::bytecode {
namespace {

struct Row {
  std::string name;
  uint32_t arg = 0;
  int next = 0, jump = 0;
};

std::vector<Row> read_rows(Python version) {
  std::istringstream text(read_file(HETJIT_SOURCE_DIR "/tests/snapshots/" +
                                    std::string(to_text(version)) + "/effects.txt"));
  std::vector<Row> rows;
  for (Row row; text >> row.name >> row.arg >> row.next >> row.jump;) rows.push_back(row);
  return rows;
}

/// Instructions whose effect is ours to move: the loop's end goes into ForIter's jump, function
/// attributes and keyword names into the instruction they belong to, PRECALL's into CALL; from 3.14
/// on CPython counts what RETURN_VALUE pushes for the caller, before 3.13 it does not count what
/// enters a generator.
bool moved(std::string_view name, Python version) {
  if (name == "FOR_ITER" || name == "END_FOR" || name == "SET_FUNCTION_ATTRIBUTE" ||
      name == "KW_NAMES")
    return true;
  if (name == "RETURN_GENERATOR") return version < Python::v3_13;
  if (name == "RETURN_VALUE") return version >= Python::v3_14;
  return version == Python::v3_11 && (name == "PRECALL" || name == "CALL");
}

/// A function around one instruction: LOAD_CONST, it, RETURN_VALUE.
Snapshot around(Python version, uint8_t number, uint32_t arg) {
  Snapshot snapshot;
  snapshot.version = version;
  snapshot.locals.resize(1024, "v");
  snapshot.attribute_names.resize(1024, "n");
  snapshot.constants.resize(1024);
  const auto number_of = [&](std::string_view name) {
    uint8_t found = 0;
    while (table(version)[found].name != name) ++found;
    return found;
  };
  snapshot.code = {number_of("LOAD_CONST"), 0};
  if (arg > 255)
    snapshot.code.insert(snapshot.code.end(),
                         {number_of("EXTENDED_ARG"), static_cast<uint8_t>(arg >> 8)});
  snapshot.code.insert(snapshot.code.end(), {number, static_cast<uint8_t>(arg)});
  snapshot.code.resize(snapshot.code.size() + 2u * table(version)[number].caches);
  snapshot.code.insert(snapshot.code.end(), {number_of("RETURN_VALUE"), 0});
  return snapshot;
}

int net(StackEffect effect) {
  return static_cast<int>(effect.pushes) - static_cast<int>(effect.pops);
}

/// Effects of the instructions that one CPython instruction became.
struct Sums {
  int next = 0, jump = 0;
};

Sums sum(const std::vector<NormalInst>& insts) {
  Sums sums;
  bool jumped = false;
  for (size_t i = 1; i + 1 < insts.size(); ++i) {  // without the LOAD_CONST and the RETURN_VALUE
    if (!jumped) sums.jump += net(stack_effect_of_jump(insts[i]));
    jumped = jumped || jumps(insts[i].op);
    sums.next += net(stack_effect(insts[i]));
  }
  return sums;
}

TEST(BytecodeEffect, AgreesWithCPython) {
  for (Python version : kAllPythons) {
    const std::vector<Row> rows = read_rows(version);
    ASSERT_GT(rows.size(), 1000u) << to_text(version);
    size_t compared = 0;
    for (const Row& row : rows) {
      uint32_t number = 0;
      while (number < 256 && table(version)[number].name != row.name) ++number;
      if (number == 256 || !table(version)[number].rule || moved(row.name, version)) continue;
      Result<Decoded> decoded = decode(around(version, static_cast<uint8_t>(number), row.arg));
      if (!decoded || !decoded->unsupported.empty()) continue;  // an argument it cannot have
      const Sums sums = sum(decoded->insts);
      EXPECT_EQ(sums.next, row.next) << to_text(version) << " " << row.name << " " << row.arg;
      EXPECT_EQ(sums.jump, row.jump) << to_text(version) << " " << row.name << " " << row.arg;
      ++compared;
    }
    EXPECT_GT(compared, 400u) << to_text(version);
  }
}

TEST(BytecodeEffect, OnlyLoopsJumpWithAnotherEffect) {
  for (const NormalOpInfo& row : kNormalOps) {
    const NormalInst inst{row.op, 3, 0};
    const bool loop = row.op == NormalOp::ForIter || row.op == NormalOp::ForIterPair;
    EXPECT_EQ(stack_effect(inst) == stack_effect_of_jump(inst), !loop) << row.text;
  }
  EXPECT_EQ(net(stack_effect_of_jump({NormalOp::ForIter})), -1);
  EXPECT_EQ(net(stack_effect_of_jump({NormalOp::ForIterPair})), -2);
}

TEST(BytecodeEffect, WhatHasARuleIsNotCalledUnsupported) {
  for (Python version : kAllPythons)
    for (const Entry& entry : table(version))
      if (!entry.name.empty() && entry.rule) {
        EXPECT_TRUE(construct_name(entry.name).empty())
            << entry.name << " has a rule, so it needs no name as unsupported";
      }
}

}  // namespace
}  // namespace hetjit::bytecode
