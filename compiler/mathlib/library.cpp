#include "compiler/mathlib/library.h"

#include <cctype>
#include <map>
#include <memory>
#include <mutex>

#include "abi/fork_safe_mutex.h"
#include "compiler/passes/inline.h"
#include "compiler/passes/pass.h"

namespace hetjit::mathlib {
namespace {

// A text of each family, made by compile.py.
constexpr std::string_view kTexts[] = {
#include "compiler/mathlib/error_function.inc"
    ,
#include "compiler/mathlib/exponential.inc"
    ,
#include "compiler/mathlib/hyperbolic.inc"
    ,
#include "compiler/mathlib/inverse.inc"
    ,
#include "compiler/mathlib/logarithm.inc"
    ,
#include "compiler/mathlib/power.inc"
    ,
#include "compiler/mathlib/trigonometric.inc"
};

using Index = std::map<std::string_view, std::string_view>;

/// By name: each function's lines. Functions are parted by an empty line.
Index index_of_texts() {
  Index index;
  for (std::string_view text : kTexts)
    while (!text.empty()) {
      size_t end = std::min(text.find("\n\n"), text.size());
      std::string_view function = text.substr(0, end);
      function.remove_prefix(std::min(function.find_first_not_of('\n'), function.size()));
      if (!function.empty()) index[function.substr(0, function.find('('))] = function;
      text.remove_prefix(std::min(end + 2, text.size()));
    }
  return index;
}

/// "log1p_f64"
std::string name_of(ir::MathFunction function, Scalar format) {
  std::string name;
  for (char c : std::string_view(ir::info(function).name))
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name + (format == Scalar::Float64 ? "_f64" : "_f32");
}

struct Library {
  ForkSafeMutex mutex;
  const Index index = index_of_texts();
  std::map<std::string, std::unique_ptr<const ir::Function>> parsed;
};

Library& library() {
  static auto* made = new Library;
  return *made;
}

}  // namespace

const ir::Function* find(ir::MathFunction function, Scalar format) {
  if (*ir::info(function).native) return nullptr;
  std::string name = name_of(function, format);
  Library& all = library();
  std::lock_guard lock(all.mutex);
  auto& known = all.parsed[name];
  if (known) return known.get();
  auto text = all.index.find(name);
  if (text == all.index.end()) return nullptr;
  Result<ir::Module> module = ir::parse(text->second);
  HETJIT_CHECK(module.ok() && module->functions.size() == 1);
  module->functions[0].name = "math." + name;
  known = std::make_unique<const ir::Function>(std::move(module->functions[0]));
  return known.get();
}

bool flatten(ir::Module& module) {
  if (!passes::inline_calls(module)) return false;
  passes::run_standard(module, {.contract = false, .verify = true});
  return true;
}

void expand(ir::Module& module, const std::function<bool(ir::MathFunction, Scalar)>& is_wanted,
            const std::function<bool(const Span&)>& is_exact) {
  std::map<const ir::Function*, uint32_t> added;
  const size_t own = module.functions.size();
  for (size_t i = 0; i < own; ++i)
    for (size_t block = 0; block < module.functions[i].blocks.size(); ++block)
      for (size_t at = 0; at < module.functions[i].blocks[block].insts.size(); ++at) {
        const ir::Function& function = module.functions[i];
        ir::Inst& inst = module.functions[i].blocks[block].insts[at];
        const ir::Math* op = std::get_if<ir::Math>(&inst.op);
        if (!op) continue;
        const bool exact = inst.where.valid() && is_exact(function.spans[inst.where.index]);
        const Scalar format = type(function.type_of(inst.result)).scalar;
        if (!exact && !is_wanted(op->function, format)) continue;
        const ir::Function* ours = find(op->function, format);
        if (!ours) {
          if (exact && *ir::info(op->function).native) inst.where = {};
          continue;
        }
        auto [place, fresh] = added.try_emplace(ours, module.functions.size());
        ir::Call call;
        call.function = place->second;
        call.in.assign(op->in.begin(), op->in.end());
        inst.op = std::move(call);
        if (fresh) module.functions.push_back(*ours);
      }
}

}  // namespace hetjit::mathlib
