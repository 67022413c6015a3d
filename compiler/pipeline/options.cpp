#include "compiler/pipeline/options.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>

#include "compiler/pipeline/observer.h"

namespace hetjit {
namespace {

constexpr std::string_view kPhases[] = {"request", "ssa",  "typed",    "optimized",
                                        "plan",    "llvm", "assembly", "explain"};

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value && std::string_view(value) != "0";
}

constexpr std::string_view kTiers[] = {"blocks", "whole", "warps", "threads"};

/// Of a variable; null: it is not set, or empty.
const char* value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value ? value : nullptr;
}

/// 1, 2, … 64; 0: something else.
unsigned lanes_of(std::string_view text) {
  unsigned count = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  bool all = error == std::errc() && end == text.data() + text.size();
  return all && std::has_single_bit(count) && count <= 64 ? count : 0;
}

bool is_tier(std::string_view text) {
  return std::find(std::begin(kTiers), std::end(kTiers), text) != std::end(kTiers);
}

template <class Known>
bool are_all(std::string_view list, Known known) {
  for (size_t comma; (comma = list.find(',')) != std::string_view::npos;
       list.remove_prefix(comma + 1))
    if (!known(list.substr(0, comma))) return false;
  return known(list);
}

bool is_shown(std::string_view list) {
  return are_all(list, [](std::string_view word) {
    return word.empty() || word == "all" || word == "time" ||
           std::find(std::begin(kPhases), std::end(kPhases), word) != std::end(kPhases);
  });
}

bool is_debug(std::string_view list) {
  return are_all(list, [](std::string_view word) {
    return word.empty() || word == "handles" || word == "trace";
  });
}

struct Variable {
  const char* name;
  bool (*accepts)(std::string_view value);
  const char* known;  // what it may be
};
constexpr Variable kVariables[] = {
    {"HETJIT_CHECK", [](std::string_view value) { return parse_checks(value).has_value(); },
     "known are bounds, race, init, arith, warp, assert and all"},
    {"HETJIT_LANES", [](std::string_view value) { return lanes_of(value) != 0; },
     "it must be 1, 2, 4, 8, 16, 32 or 64"},
    {"HETJIT_DEBUG", is_debug, "known are handles and trace"},
    {"HETJIT_TIER", is_tier, "known are blocks, whole, warps and threads"},
    {"HETJIT_SHOW", is_shown,
     "known are request, ssa, typed, optimized, plan, llvm, assembly, explain, time and all"},
};

}  // namespace

std::string wrong_in_environment() {
  for (const Variable& row : kVariables)
    if (const char* value = value_of(row.name); value && !row.accepts(value))
      return std::string(row.name) + " is '" + value + "'; " + row.known;
  return "";
}

std::string_view to_text(Phase phase) { return kPhases[static_cast<size_t>(phase)]; }

Options Options::from_environment() {
  Options options;
  options.verify = is_set("HETJIT_VERIFY");
  if (const char* lanes = value_of("HETJIT_LANES")) options.lanes = lanes_of(lanes);
  if (const char* tier = value_of("HETJIT_TIER"); tier && is_tier(tier))
    options.tier =
        static_cast<unsigned>(std::find(std::begin(kTiers), std::end(kTiers), tier) - kTiers) + 1;
  if (const char* checks = std::getenv("HETJIT_CHECK"))
    options.checks = parse_checks(checks).value_or(Checks());
  const char* show = std::getenv("HETJIT_SHOW");
  const char* keep = std::getenv("HETJIT_KEEP");
  options.observer = make_observer(show ? show : "", keep ? keep : "");
  return options;
}

}  // namespace hetjit
