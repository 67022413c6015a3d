#include "compiler/checks/checks.h"

namespace hetjit {
namespace {

struct Name {
  std::string_view text;
  Checks checks;
};
constexpr Name kNames[] = {
    {"bounds", Check::Bounds},
    {"race", Check::Race},
    {"init", Check::Init},
    {"arith", Check::Arith},
    {"warp", Check::Warp},
    {"assert", {}},  // always on
    {"all", Checks(Check::Bounds) | Check::Race | Check::Init | Check::Arith | Check::Warp},
};

}  // namespace

std::optional<Checks> parse_checks(std::string_view text) {
  Checks all;
  while (!text.empty()) {
    size_t comma = text.find(',');
    std::string_view word = text.substr(0, comma);
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
    bool known = false;
    for (const Name& name : kNames)
      if (name.text == word) {
        all = all | name.checks;
        known = true;
      }
    if (!known) return std::nullopt;
  }
  return all;
}

std::string to_text(Checks checks) {
  std::string text;
  for (Check one : {Check::Bounds, Check::Race, Check::Init, Check::Arith, Check::Warp})
    for (const Name& name : kNames)
      if (checks.has(one) && name.checks == Checks(one))
        text += (text.empty() ? "" : ",") + std::string(name.text);
  return text;
}

}  // namespace hetjit
