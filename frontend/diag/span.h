// Where something stands in the user's source.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hetjit {

/// Lines count from 1, columns from 0 (Python's convention, in UTF-8 bytes as co_positions gives
/// them); the end column is exclusive. Line 0: unknown.
struct Span {
  uint32_t source = 0;  // index of the Source (= of the function's Snapshot in its Program)
  uint32_t line = 0, column = 0;
  uint32_t end_line = 0, end_column = 0;
  bool known() const { return line != 0; }
  friend bool operator==(const Span&, const Span&) = default;
};

/// The places without width before and behind what a span marks.
inline Span begin_of(Span span) {
  span.end_line = span.line, span.end_column = span.column;
  return span;
}
inline Span end_of(Span span) {
  span.line = span.end_line, span.column = span.end_column;
  return span;
}

/// The text that spans point into: the lines of one function, as far as Python could find them.
struct Source {
  std::string path;
  uint32_t first_line = 1;         // number of lines[0]
  std::vector<std::string> lines;  // empty when the source text is not available
  friend bool operator==(const Source&, const Source&) = default;
};

/// The text of a line, or null when it is not at hand.
inline const std::string* line_text(std::span<const Source> sources, uint32_t source,
                                    uint32_t line) {
  if (source >= sources.size() || line < sources[source].first_line) return nullptr;
  const size_t index = line - sources[source].first_line;
  return index < sources[source].lines.size() ? &sources[source].lines[index] : nullptr;
}

}  // namespace hetjit
