#include "compiler/typing/kinds/targets.h"

#include <charconv>

#include "compiler/typing/core/specializer.h"
#include "compiler/typing/known/target_facts.h"

namespace hetjit::typing {
namespace {

constexpr std::string_view kDevice = "hetjit.device.";

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// sm_100f: 100 and 'f'.
struct Architecture {
  int number = 0;
  char suffix = 0;
};

std::optional<Architecture> nvidia(std::string_view name) {
  if (!take(name, "sm_")) return std::nullopt;
  Architecture found;
  auto read = std::from_chars(name.data(), name.data() + name.size(), found.number);
  if (read.ec != std::errc()) return std::nullopt;
  if (read.ptr != name.data() + name.size()) found.suffix = *read.ptr;
  return found;
}

// `sm_90` is every sm_90, whatever of its features the code may use.
bool is_exactly(const std::string& arch, std::string_view asked) {
  std::optional<Architecture> here = nvidia(arch), there = nvidia(asked);
  if (!here || !there) return arch == asked;
  return here->number == there->number && (!there->suffix || here->suffix == there->suffix);
}

bool provides(const std::string& arch, std::string_view asked) {
  std::optional<Architecture> here = nvidia(arch), there = nvidia(asked);
  if (!here || !there || there->suffix == 'a') return is_exactly(arch, asked);
  if (!there->suffix) return here->number >= there->number;
  return here->suffix && here->number / 10 == there->number / 10 && here->number >= there->number;
}

Value description(bool matches) { return static_value({TargetType{"", matches}}); }

// A description that the host made, in postfix: is_nvidia.provides_sm_90.and
Value described(const TargetName& target, std::string_view words) {
  std::vector<bool> stack;
  while (!words.empty()) {
    std::string_view word = words.substr(0, words.find('.'));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    size_t wants = word == "not" ? 1 : word == "and" || word == "or" ? 2 : 0;
    if (stack.size() < wants) return {};
    bool last = wants ? stack.back() : matches(target, word);
    if (wants) stack.pop_back();
    if (wants == 2) {
      bool first = stack.back();
      stack.pop_back();
      last = word == "and" ? first && last : first || last;
    }
    stack.push_back(word == "not" ? !last : last);
  }
  return stack.size() == 1 ? description(stack[0]) : Value{};
}

Value lane(Evaluation& at) {
  Emitter& code = at.code();
  if (!code.on()) return at.number({Scalar::Int32, false}, {}, true);
  Leaf place = code.builder().emit(ir::LaneIndex{}, scalar_type(Scalar::UInt32));
  return at.number({Scalar::Int32, false}, code.convert(place, Scalar::Int32), true);
}

}  // namespace

bool matches(const TargetName& target, std::string_view word) {
  if (word == "any_target") return true;
  const TargetFacts& facts = target_facts(target.kind);
  if (take(word, "is_")) return word == facts.word || (word == "device" && facts.is_gpu);
  if (!facts.is_gpu) return false;
  if (take(word, "exactly_")) return is_exactly(target.arch, word);
  if (take(word, "provides_")) return provides(target.arch, word);
  return false;  // no_target
}

std::optional<Value> target_meaning(Evaluation& at, std::string_view name) {
  if (!take(name, kDevice)) return std::nullopt;
  const TargetName& target = at.whole().target();
  if (name == "warp_size")
    return at.literal({Scalar::Int32, false}, Literal{Integer{warp_size(target)}});
  if (name == "lane_id") return lane(at);
  if (take(name, "target_selector.")) return static_value({TargetType{std::string(name), false}});
  if (take(name, "target_description.")) return described(target, name);
  return std::nullopt;
}

}  // namespace hetjit::typing
