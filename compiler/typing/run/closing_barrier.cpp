#include "compiler/typing/run/closing_barrier.h"

#include <algorithm>

#include "compiler/typing/core/source_text.h"

namespace hetjit::typing {
namespace {

bool has_barrier(const ir::Module& module) {
  for (const ir::Function& function : module.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Inst& inst : block.insts)
        if (ir::info(inst.op).needs == ir::Needs::Block) return true;
  return false;
}

/// As much of a place as is on its first line.
Span first_line(const Source& source, Span span) {
  const size_t line = span.line - source.first_line;
  if (span.end_line == span.line || !span.known() || line >= source.lines.size()) return span;
  span.end_line = span.line;
  span.end_column = static_cast<uint32_t>(source.lines[line].size());
  return span;
}

/// What is told when the thread that comes here is the second to be looked at; its numbers are the
/// runtime's words of the other one (abi/watch.h).
uint32_t add_site(ir::Module& module, const Source& source, const Span& end) {
  Site site;
  site.exception = "BarrierError";
  site.has_message = true;
  for (const char* before : {"this thread ends here, and others of its block wait for it in line ",
                             ", where block (", ", ", ", ", "), thread (", ", ", ", "}) {
    site.text.push_back({before, {}, false});
    site.text.push_back({"", Scalar::Int64, false});
  }
  site.text.push_back({")", {}, false});
  site.function = module.functions[0].name;
  site.file = source.path;
  site.line = end.line;
  module.sites.push_back(std::move(site));
  return static_cast<uint32_t>(module.sites.size() - 1);
}

}  // namespace

bool is_written_return(const ir::Function& kernel, const ir::Inst& inst,
                       const std::vector<Source>& sources) {
  if (!std::holds_alternative<ir::Return>(inst.op)) return false;
  if (!inst.where.valid()) return true;
  const Span& span = kernel.spans[inst.where.index];
  if (span.source >= sources.size()) return true;
  std::string text = text_at(sources[span.source], first_line(sources[span.source], span));
  return text.empty() || text.starts_with("return");
}

void close_with_barrier(ir::Module& module, const std::vector<Source>& sources) {
  ir::Function& kernel = module.functions[0];
  if (kernel.result != none_type() || !has_barrier(module)) return;
  const auto last = static_cast<uint32_t>(kernel.blocks.size());
  SpanId where;
  Span end;
  ir::Inst leave;
  for (ir::Block& block : kernel.blocks) {
    ir::Inst& inst = block.insts.back();
    if (!std::holds_alternative<ir::Return>(inst.op) || is_written_return(kernel, inst, sources))
      continue;
    const Span& span = kernel.spans[inst.where.index];
    if (span.line >= end.line) std::tie(where, end) = std::tie(inst.where, span);
    ir::Jump jump;
    jump.to.to = {last};
    leave = std::exchange(inst, {jump, {}, inst.where});
  }
  if (!end.known()) return;
  ir::Block& closing = kernel.blocks.emplace_back();
  ir::CheckBarrier check;
  check.site = add_site(module, sources[end.source], end);
  const ValueId none{static_cast<uint32_t>(kernel.types.size())};
  kernel.types.push_back(none_type());
  ir::operands(leave.op)[0] = none;
  leave.where = where;
  closing.insts.push_back({check, {}, where});
  closing.insts.push_back({ir::Barrier{}, {}, where});
  closing.insts.push_back({ir::ConstNone{}, none, where});
  closing.insts.push_back(std::move(leave));
}

}  // namespace hetjit::typing
