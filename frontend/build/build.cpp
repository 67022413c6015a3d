#include "frontend/build/build.h"

#include <algorithm>

#include "frontend/build/blocks.h"
#include "frontend/build/builder.h"
#include "frontend/build/copy_loops.h"
#include "frontend/build/join_copies.h"
#include "frontend/build/lost_names.h"
#include "frontend/bytecode/decode.h"
#include "frontend/bytecode/locations.h"

namespace hetjit {

/// `def name`, below the decorators; the first line where the text does not show it.
Span reader::head_of(const Snapshot& snapshot, uint32_t source) {
  uint32_t line = snapshot.source.first_line;
  const bool named = !snapshot.name.starts_with('<');
  for (size_t row = 0; named && row < snapshot.source.lines.size(); ++row) {
    const std::string_view text = snapshot.source.lines[row];
    const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    const std::string_view code = text.substr(begin);
    if (!code.starts_with("def ") && !code.starts_with("async def ")) continue;
    line += static_cast<uint32_t>(row);
    const size_t end = begin + std::min(code.find('('), code.size());
    return {source, line, static_cast<uint32_t>(begin), line, static_cast<uint32_t>(end)};
  }
  return {source, line, 0, line, 0};
}

namespace {

using reader::head_of;

/// The first `yield` or `await`; of `async def` without one its head.
Span yield_of(const Snapshot& snapshot, const bytecode::Decoded& decoded, uint32_t source) {
  const std::vector<Span> spans = bytecode::locations(snapshot, decoded, source);
  for (size_t i = 0; i < decoded.insts.size(); ++i)
    if (decoded.insts[i].op == bytecode::NormalOp::Yield && spans[i].known()) return spans[i];
  return head_of(snapshot, source);
}

Failed no_generator(const Snapshot& snapshot, const bytecode::Decoded& decoded, uint32_t source,
                    Diagnostics& diags) {
  const Span where = yield_of(snapshot, decoded, source);
  Diagnostics::Builder error = diags.error(Code::UnsupportedGenerator, where);
  Span head = head_of(snapshot, source);
  const std::string* text = line_text({&snapshot.source, 1}, 0, head.line);
  constexpr std::string_view kAsync = "async ";
  if (where == head && text && text->substr(head.column).starts_with(kAsync)) {
    head.end_line = head.line, head.end_column = head.column + kAsync.size();
    error
        .help(
            "leave 'async' out: a launch on a GPU returns before the kernel is done, and the "
            "host waits for it")
        .edit(head, "");
  }
  return error.report();
}

/// Inner functions are named by their index in the Program.
bool inner_functions_exist(const ssa::Function& function, size_t count, Diagnostics& diags) {
  for (const ssa::Block& block : function.blocks)
    for (const ssa::Inst& inst : block.insts)
      if (auto* make = std::get_if<ssa::MakeFunction>(&inst.op); make && make->function >= count)
        return diags
            .error(Code::InvalidBytecode, ssa::span_of(function, inst.where),
                   {"an inner function is missing"})
            .report();
  return true;
}

}  // namespace

/// Its yields are taken one by one by what it is passed to (Reading::yields).
constexpr const char* kGeneratorExpression = "<genexpr>";

std::optional<ssa::Function> build(const Snapshot& snapshot, uint32_t source, Diagnostics& diags,
                                   const Reading& reading) {
  auto invalid = [&](const Error& error) -> Failed {
    return diags.error(Code::InvalidBytecode, head_of(snapshot, source), {error.text}).report();
  };
  auto decoded = bytecode::decode(snapshot);
  if (!decoded) return invalid(decoded.error());
  if (snapshot.is_generator && snapshot.name != kGeneratorExpression)
    return no_generator(snapshot, *decoded, source, diags);
  // The builder relies on this: no word is taken from an empty stack, and paths agree.
  auto depths = bytecode::stack_depths(decoded->insts);
  if (!depths) return invalid(depths.error());
  std::vector<Span> spans = bytecode::locations(snapshot, *decoded, source);
  auto blocks = reader::find_blocks(snapshot, *decoded, spans, diags);
  if (!blocks) return std::nullopt;
  reader::join_copies(*blocks, *decoded, spans, *depths);
  if (!reader::copy_loops(*blocks, *decoded, reading))
    return diags
        .error(Code::UnsupportedInstruction, head_of(snapshot, source), {"a loop this long"})
        .report();
  std::vector<ssa::LostName> lost = reader::find_lost_names(snapshot, *decoded, spans, *blocks);
  std::optional<ssa::Function> function =
      reader::Builder(snapshot, *decoded, spans, std::move(*blocks), source, diags, reading.yields)
          .run();
  if (function) function->lost_names = std::move(lost);
  return function;
}

ssa::Module build(std::shared_ptr<const Program> program) {
  ssa::Module module{program, {}};
  for (uint32_t i = 0; i < program->functions.size(); ++i) {
    ssa::Built& built = module.functions.emplace_back();
    built.function = build(program->functions[i], i, built.problems);
    if (built.function &&
        !inner_functions_exist(*built.function, program->functions.size(), built.problems))
      built.function.reset();
  }
  return module;
}

}  // namespace hetjit
