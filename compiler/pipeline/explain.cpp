#include "compiler/pipeline/explain.h"

#include "compiler/host/plan/explain.h"
#include "frontend/diag/render.h"
#include "frontend/snapshot/snapshot_text.h"

namespace hetjit {
namespace {

std::string mark_text(const host::Remark& remark) {
  std::string text = remark.thing;
  if (!remark.word.empty()) text += ": " + remark.word;
  if (!remark.detail.empty()) text += (remark.word.empty() ? ": " : ", ") + remark.detail;
  return text;
}

// The text of a place on one line; "" when it is not at hand.
std::string written(const Span& where, const std::vector<Source>& sources) {
  const std::string* line = line_text(sources, where.source, where.line);
  const bool whole = line && where.end_line == where.line && where.end_column <= line->size();
  return whole ? line->substr(where.column, where.end_column - where.column) : "";
}

// What to change, each thing once.
std::string helps_text(const std::vector<host::Remark>& remarks,
                       const std::vector<Source>& sources) {
  std::string text;
  for (const host::Remark& remark : remarks) {
    if (remark.help.empty()) continue;
    const std::string line =
        "   = help: " + written(remark.where, sources) + ": " + remark.help + "\n";
    if (text.find(line) == std::string::npos) text += line;
  }
  return text;
}

std::string heading(const ssa::Module& code, const ir::Module& module, const Options& options) {
  const std::vector<std::string>& names = module.functions[0].parameter_names;
  std::string text = module.functions[0].name + "(";
  for (size_t i = 0; i < options.signature.parameters.size(); ++i) {
    if (i) text += ", ";
    if (i < names.size()) text += names[i] + ": ";
    const Parameter& parameter = options.signature.parameters[i];
    const std::string value =
        code.program ? bound_text(*code.program, static_cast<uint32_t>(i)) : "";
    const std::string type = parameter.weak ? to_text(parameter) : to_python(parameter.type);
    text += value.empty() ? type : value;
  }
  return text + ") on " + to_text(options.target) + "\n";
}

}  // namespace

std::string explanation_text(const ssa::Module& code, const ir::Module& module,
                             const std::optional<host::Plan>& plan, const Options& options,
                             const Diagnostics& diags) {
  host::Explanation explanation =
      plan ? host::explain(module, *plan) : host::explain_on_gpu(module, warp_size(options.target));
  std::vector<Label> marks;
  for (const host::Remark& remark : explanation.remarks)
    marks.push_back({remark.where, mark_text(remark)});
  const Diagnostics warnings = diags.warnings();
  for (const Diagnostic& warning : warnings.all())
    marks.push_back({warning.where, "warning: " + warning.message});
  std::vector<Source> sources;
  if (code.program) sources = code.program->sources();
  std::string text = heading(code, module, options);
  for (const std::string& line : explanation.summary) text += "  " + line + "\n";
  return text + annotate(marks, sources) + helps_text(explanation.remarks, sources);
}

}  // namespace hetjit
