#include "frontend/bytecode/locations.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace hetjit::bytecode {
namespace {

/// How far behind a fused load's position the second name is looked for.
constexpr uint32_t kLines = 8;

bool is_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<uint8_t>(c) >= 0x80;
}

std::string_view local_name(const Snapshot& snapshot, int32_t index) {
  const auto at = static_cast<size_t>(index), locals = snapshot.locals.size();
  return at < locals ? snapshot.locals[at] : snapshot.free_variables[at - locals];
}

Span span_of(const Snapshot& snapshot, uint32_t unit, uint32_t source) {
  Span span;
  span.source = source;
  if (unit >= snapshot.positions.size()) return span;
  const Position& at = snapshot.positions[unit];
  return {source, at.line, at.column, at.end_line, at.end_column};
}

/// Where `name` stands when it is the next word behind `first`. Between two fused loads the source
/// has only punctuation, so any other word means that the second load is elsewhere.
std::optional<Span> next_word(const Source& source, Span first, std::string_view name) {
  for (uint32_t line = first.end_line; line - first.end_line < kLines; ++line) {
    if (line < source.first_line || line - source.first_line >= source.lines.size()) break;
    const std::string_view text = source.lines[line - source.first_line];
    size_t begin = std::min<size_t>(line == first.end_line ? first.end_column : 0, text.size());
    while (begin < text.size() && !is_identifier(text[begin]) && text[begin] != '#') ++begin;
    if (begin == text.size() || text[begin] == '#') continue;
    size_t end = begin;
    while (end < text.size() && is_identifier(text[end])) ++end;
    if (text.substr(begin, end - begin) != name) return std::nullopt;
    return Span{first.source, line, static_cast<uint32_t>(begin), line, static_cast<uint32_t>(end)};
  }
  return std::nullopt;
}

bool is_load(const NormalInst& inst) {
  return inst.op == NormalOp::LoadLocal || inst.op == NormalOp::LoadClosure;
}

}  // namespace

std::vector<Span> locations(const Snapshot& snapshot, const Decoded& decoded, uint32_t source) {
  std::vector<Span> spans;
  spans.reserve(decoded.insts.size());
  for (size_t i = 0; i < decoded.insts.size(); ++i) {
    const NormalInst& inst = decoded.insts[i];
    Span span = span_of(snapshot, inst.offset, source);
    const bool fused = i > 0 && is_load(inst) && decoded.insts[i - 1].offset == inst.offset;
    if (fused && span.known())
      span = next_word(snapshot.source, span, local_name(snapshot, inst.arg)).value_or(span);
    spans.push_back(span);
  }
  return spans;
}

}  // namespace hetjit::bytecode
