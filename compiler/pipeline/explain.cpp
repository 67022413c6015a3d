#include "compiler/pipeline/explain.h"

#include "compiler/host/plan/explain.h"
#include "compiler/pipeline/backends.h"
#include "frontend/diag/render.h"

namespace hetjit {
namespace {

std::string mark_text(const host::Remark& remark) {
  std::string text = remark.thing;
  if (!remark.word.empty()) text += ": " + remark.word;
  if (!remark.detail.empty()) text += (remark.word.empty() ? ": " : ", ") + remark.detail;
  return text;
}

std::string heading(const ir::Module& module, const Options& options) {
  const std::vector<std::string>& names = module.functions[0].parameter_names;
  std::string text = module.functions[0].name + "(";
  for (size_t i = 0; i < options.signature.parameters.size(); ++i) {
    if (i) text += ", ";
    if (i < names.size()) text += names[i] + ": ";
    const Parameter& parameter = options.signature.parameters[i];
    text += parameter.weak ? to_text(parameter) : to_python(parameter.type);
  }
  return text + ") on " + to_text(options.target) + "\n";
}

}  // namespace

std::string explanation_text(const ssa::Module& code, const ir::Module& module,
                             const Options& options, const target::Target& target,
                             const Diagnostics& diags) {
  host::Machine machine;
  machine.host = backend(options.target).is_planned;
  machine.lanes_asked = machine.host && options.lanes;
  machine.least = static_cast<host::Tier>(options.tier);
  machine.lanes = !machine.host         ? warp_size(options.target)
                  : machine.lanes_asked ? options.lanes
                                        : target::lanes(target);
  host::Explanation explanation = host::explain(module, machine);
  std::vector<Label> marks;
  for (const host::Remark& remark : explanation.remarks)
    marks.push_back({remark.where, mark_text(remark)});
  const Diagnostics warnings = diags.warnings();
  for (const Diagnostic& warning : warnings.all())
    marks.push_back({warning.where, "warning: " + warning.message});
  std::vector<Source> sources;
  if (code.program) sources = code.program->sources();
  std::string text = heading(module, options);
  for (const std::string& line : explanation.summary) text += "  " + line + "\n";
  return text + annotate(marks, sources);
}

}  // namespace hetjit
