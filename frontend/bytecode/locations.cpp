#include "frontend/bytecode/locations.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace hetjit::bytecode {
namespace {

/// How far behind a fused load's position the second name is looked for.
constexpr uint32_t kLines = 8;
/// How many instructions behind a load may be asked whether they use it.
constexpr size_t kUsers = 12;

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

/// The first place inside `span` (as far as it is on its first line) where `name` is a whole word.
std::optional<Span> word_inside(const Source& source, Span span, std::string_view name) {
  if (span.line < source.first_line || span.line - source.first_line >= source.lines.size())
    return std::nullopt;
  std::string_view text = source.lines[span.line - source.first_line];
  if (span.end_line == span.line) text = text.substr(0, span.end_column);
  for (size_t at = text.find(name, span.column); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool starts = at == 0 || !is_identifier(text[at - 1]);
    const bool ends = end == text.size() || !is_identifier(text[end]);
    if (starts && ends)
      return Span{span.source, span.line, static_cast<uint32_t>(at), span.line,
                  static_cast<uint32_t>(end)};
  }
  return std::nullopt;
}

bool is_load(const NormalInst& inst) {
  return inst.op == NormalOp::LoadLocal || inst.op == NormalOp::LoadClosure;
}

class Locator {
 public:
  Locator(const Snapshot& snapshot, const Decoded& decoded, uint32_t source)
      : snapshot_(snapshot), insts_(decoded.insts), source_(source) {}

  Span find(size_t index) const {
    const Span first = plain(index);
    const bool fused =
        index > 0 && is_load(insts_[index]) && insts_[index - 1].offset == insts_[index].offset;
    if (!fused || !first.known()) return first;
    const std::string_view name = local_name(snapshot_, insts_[index].arg);
    std::optional<Span> found = is_load(insts_[index - 1])
                                    ? next_word(snapshot_.source, first, name)
                                    : in_what_follows(index, name);
    return found.value_or(first);
  }

 private:
  Span plain(size_t index) const { return span_of(snapshot_, insts_[index].offset, source_); }

  // A load fused with the store before it begins the next statement, and whoever uses it covers it.
  std::optional<Span> in_what_follows(size_t index, std::string_view name) const {
    const size_t end = std::min(index + kUsers, insts_.size());
    for (size_t user = index + 1; user < end; ++user)
      if (auto found = word_inside(snapshot_.source, plain(user), name)) return found;
    return std::nullopt;
  }

  const Snapshot& snapshot_;
  const std::vector<NormalInst>& insts_;
  uint32_t source_;
};

}  // namespace

std::vector<Span> locations(const Snapshot& snapshot, const Decoded& decoded, uint32_t source) {
  const Locator locator(snapshot, decoded, source);
  std::vector<Span> spans;
  spans.reserve(decoded.insts.size());
  for (size_t i = 0; i < decoded.insts.size(); ++i) spans.push_back(locator.find(i));
  return spans;
}

}  // namespace hetjit::bytecode
