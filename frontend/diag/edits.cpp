#include "frontend/diag/edits.h"

#include <algorithm>

namespace hetjit {
namespace {

bool within_a_line(const Edit& edit, std::span<const Source> sources) {
  const std::string* text = line_text(sources, edit.where.source, edit.where.line);
  return text && edit.where.end_line == edit.where.line &&
         edit.where.column <= edit.where.end_column && edit.where.end_column <= text->size();
}

// From the back, so that the columns of those to come still hold.
bool later(const Edit& left, const Edit& right) {
  return std::pair(left.where.line, left.where.column) >
         std::pair(right.where.line, right.where.column);
}

}  // namespace

std::vector<ChangedLine> changed_lines(std::span<const Edit> edits,
                                       std::span<const Source> sources) {
  std::vector<Edit> left(edits.rbegin(),
                         edits.rend());  // of two at one place the first is in front
  std::stable_sort(left.begin(), left.end(), later);
  std::vector<ChangedLine> lines;
  for (const Edit& edit : left) {
    if (!within_a_line(edit, sources)) return {};
    const Span& where = edit.where;
    if (lines.empty() || lines.back().line != where.line)
      lines.push_back({where.line, *line_text(sources, where.source, where.line)});
    lines.back().text.replace(where.column, where.end_column - where.column, edit.text);
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

}  // namespace hetjit
