#include "compiler/pipeline/options.h"

#include <bit>
#include <cstdlib>

#include "compiler/pipeline/observer.h"

namespace hetjit {
namespace {

constexpr std::string_view kPhases[] = {"request", "ssa",      "typed",  "optimized",
                                        "llvm",    "assembly", "explain"};

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value && std::string_view(value) != "0";
}

}  // namespace

std::string_view to_text(Phase phase) { return kPhases[static_cast<size_t>(phase)]; }

Options Options::from_environment() {
  Options options;
  options.verify = is_set("HETJIT_VERIFY");
  if (const char* lanes = std::getenv("HETJIT_LANES")) {
    unsigned wanted = static_cast<unsigned>(std::strtoul(lanes, nullptr, 10));
    if (std::has_single_bit(wanted) && wanted <= 64) options.lanes = wanted;
  }
  constexpr std::string_view kTiers[] = {"whole", "warps", "threads"};
  if (const char* tier = std::getenv("HETJIT_TIER"))
    for (unsigned i = 0; i < std::size(kTiers); ++i)
      if (kTiers[i] == tier) options.tier = i;
  if (const char* checks = std::getenv("HETJIT_CHECK"))
    options.checks = parse_checks(checks).value_or(Checks());
  const char* show = std::getenv("HETJIT_SHOW");
  const char* keep = std::getenv("HETJIT_KEEP");
  options.observer = make_observer(show ? show : "", keep ? keep : "");
  return options;
}

}  // namespace hetjit
