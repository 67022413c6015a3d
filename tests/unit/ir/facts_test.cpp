// Every op with everything that is known of it, as a table: tests/golden/ir/facts.txt, of which
// docs/ir.md prints a part. A fact that changes changes a line there. HETJIT_UPDATE=1 writes it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "compiler/ir/ir.h"
#include "tests/source_dir.h"

namespace hetjit::ir {
namespace {

using Words = std::vector<std::string>;

// The words of the bits that are set, or the first one.
std::string flags(uint8_t bits, const Words& words) {
  std::string text;
  for (size_t bit = 0; bit + 1 < words.size(); ++bit)
    if (bits >> bit & 1) text += (text.empty() ? "" : " ") + words[bit + 1];
  return text.empty() ? words[0] : text;
}

template <class Enum>
std::string word(Enum value, const Words& words) {
  return words.at(static_cast<size_t>(value));
}

std::string row(const OpInfo& op) {
  std::string others;
  if (op.scalar) others += " scalar";
  if (op.raises) others += op.is_check() ? " check" : " raises";
  if (op.host_only) others += " of the host";
  if (op.commutes) others += " commutes";
  const Words columns = {
      "`" + std::string(op.text) + "`",
      flags(op.effects, {"pure", "reads", "writes", "ends", "calls"}),
      word<Gives>(op.gives, {"", "follows", "per block", "per warp", "per thread", "by rule"}),
      word<Needs>(op.needs, {"", "memory", "lanes", "a turn", "its warp", "its block", "the grid"}),
      word<Points>(op.points, {"along", "shared", "dynamic", "local", "anywhere"}),
      flags(op.access, {"", "loads", "stores", "atomic", "if expected"}),
      flags(op.knowledge, {"", "range", "step", "low bits", "factor"}),
      word<Cost>(op.cost, {"index", "plain", "dear"}),
      word<Vectors>(op.vectors, {"no", "yes"}),
      others.substr(!others.empty())};
  std::string text = "|";
  for (const std::string& column : columns) text += column.empty() ? " |" : " " + column + " |";
  return text + "\n";
}

template <class... Ops>
std::vector<OpInfo> infos(OpList<Ops...>) {
  return {Ops::info...};
}
std::vector<OpInfo> all_ops() { return infos(AllOps{}); }

TEST(FactsGolden, AllOfAllOps) {
  std::string found =
      "| op | effects | gives | needs | points | access | knowledge | cost | vectors | |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n";
  for (const OpInfo& op : all_ops()) found += row(op);
  const std::string path = HETJIT_SOURCE_DIR "/tests/golden/ir/facts.txt";
  std::stringstream expected;
  expected << std::ifstream(path).rdbuf();
  if (std::getenv("HETJIT_UPDATE") && found != expected.str())
    std::ofstream(path) << found;
  else
    EXPECT_EQ(found, expected.str()) << "(./dev update rewrites it)";
}

TEST(Facts, AgreeWithOneAnother) {
  std::set<std::string_view> names;
  for (const OpInfo& op : all_ops()) {
    SCOPED_TRACE(op.text.value);
    EXPECT_TRUE(names.insert(op.text.value).second) << "two ops of one name";
    EXPECT_FALSE(op.access && op.effects == Pure);
    EXPECT_FALSE(op.scalar && op.effects != Pure);
    EXPECT_FALSE((op.effects & Ends) && op.gives_result());
    EXPECT_FALSE(op.commutes && op.effects != Pure);
    EXPECT_FALSE(op.knowledge && op.effects != Pure)
        << "what else it depends on is not in its rule";
    EXPECT_FALSE(op.together() && !(op.effects & Writes)) << "it may not vanish";
    EXPECT_FALSE(op.effects == Pure && !op.gives_result()) << "nothing would be left of it";
  }
}

}  // namespace
}  // namespace hetjit::ir
