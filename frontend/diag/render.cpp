// The layout, for a diagnostic with two labels on its own line:
//
//   error[E0201]: cannot apply '@' to float32 and int64
//     --> saxpy.py:4:14
//      |
//   4  |     return a @ n
//      |              ^
//      |            - this is float32
//      |                - this is int64, from the argument 'n'
//      = help: '@' multiplies arrays; for scalars use '*'
//   4  +     return a * n
#include "frontend/diag/render.h"

#include <algorithm>

#include "frontend/diag/display.h"
#include "frontend/diag/edits.h"

namespace hetjit {
namespace {

constexpr size_t kLeastNumberWidth = 2;

enum class Style : uint8_t { Error, Warning, Title, Frame, Primary, Secondary, Hint };

std::string_view ansi(Style style) {
  switch (style) {
    case Style::Error:
      return "\x1b[1;31m";
    case Style::Warning:
      return "\x1b[1;33m";
    case Style::Title:
      return "\x1b[1m";
    case Style::Frame:
      return "\x1b[1;34m";
    case Style::Primary:
      return "\x1b[1;31m";
    case Style::Secondary:
      return "\x1b[1;34m";
    case Style::Hint:
      return "\x1b[1;36m";
  }
  return "";
}

/// One underlined place: the diagnostic itself, or one of its labels.
struct Mark {
  Span where;
  std::string_view text;
  bool primary = false;
};

class Renderer {
 public:
  Renderer(std::span<const Source> sources, bool colour) : sources_(sources), colour_(colour) {}

  std::string annotations(std::span<const Label> labels) {
    for (const Label& label : labels) marks_.push_back({label.where, label.text});
    sort_marks();
    for (const Mark& mark : marks_)
      if (!visible(mark)) hint("note", where_text(mark.where) + std::string(mark.text));
    for (const Label& label : labels)
      if (visible({label.where, {}}) && !shown(label.where.source)) open_source(label.where, "-->");
    return std::move(text_);
  }

  std::string run(const Diagnostic& diagnostic) {
    const bool warning = is_warning(diagnostic.code);
    text_ += styled(warning ? Style::Warning : Style::Error,
                    (warning ? "warning[" : "error[") + code_text(diagnostic.code) + "]");
    text_ += styled(Style::Title, ": " + diagnostic.message) + "\n";
    marks_.push_back({diagnostic.where, {}, true});
    for (const Label& label : diagnostic.labels) marks_.push_back({label.where, label.text});
    sort_marks();
    open_source(diagnostic.where, "-->");
    for (const Mark& mark : marks_)
      if (visible(mark) && !shown(mark.where.source)) open_source(mark.where, ":::");
    for (const Mark& mark : marks_)
      if (!mark.primary && !visible(mark))
        hint("note", where_text(mark.where) + std::string(mark.text));
    for (const std::string& note : diagnostic.notes) hint("note", note);
    for (const std::string& help : diagnostic.helps) hint("help", help);
    for (const ChangedLine& changed : changed_lines(diagnostic.edits, sources_)) change(changed);
    return std::move(text_);
  }

 private:
  std::string styled(Style style, const std::string& text) const {
    return colour_ ? std::string(ansi(style)) + text + "\x1b[0m" : text;
  }

  bool visible(const Mark& mark) const {
    return mark.where.known() && line_text(sources_, mark.where.source, mark.where.line);
  }
  bool shown(uint32_t source) const {
    return std::find(shown_.begin(), shown_.end(), source) != shown_.end();
  }

  // Lines in order; on one line the primary mark first, then the labels as they were given.
  void sort_marks() {
    // The primary mark is first already, so a stable sort keeps it before labels of its line.
    std::stable_sort(marks_.begin(), marks_.end(), [](const Mark& left, const Mark& right) {
      return left.where.line < right.where.line;
    });
    for (const Mark& mark : marks_)
      if (visible(mark))
        number_width_ = std::max(number_width_, std::to_string(mark.where.line).size());
  }

  /// `saxpy.py:4:14`, as far as it is known.
  std::string place_text(Span where) const {
    if (where.source >= sources_.size() || sources_[where.source].path.empty()) return {};
    const Source& source = sources_[where.source];
    const uint32_t line = where.known() ? where.line : source.first_line;
    std::string text = source.path + ":" + std::to_string(line);
    const std::string* code = line_text(sources_, where.source, where.line);
    if (where.known() && code)
      text += ":" + std::to_string(character_column(*code, where.column) + 1);
    return text;
  }
  std::string where_text(Span where) const {
    const std::string text = where.known() ? place_text(where) : std::string();
    return text.empty() ? text : text + ": ";
  }

  void open_source(Span where, const char* arrow) {
    place(where, arrow);
    excerpt(where.source);
  }

  void place(Span where, const char* arrow) {
    const std::string text = place_text(where);
    if (text.empty()) return;
    text_ += std::string(number_width_, ' ') + styled(Style::Frame, arrow) + " " + text + "\n";
  }

  /// The lines of one source that have marks.
  void excerpt(uint32_t source) {
    shown_.push_back(source);
    uint32_t last_line = 0;
    for (const Mark& mark : marks_) {
      if (mark.where.source != source || !visible(mark)) continue;
      if (mark.where.line != last_line) {
        open_line(mark.where, last_line);
        last_line = mark.where.line;
      }
      underline(mark);
    }
  }

  void open_line(Span where, uint32_t last_line) {
    if (last_line == 0)
      text_ += gutter("") + "\n";
    else if (where.line > last_line + 1)
      text_ += styled(Style::Frame, "...") + "\n";
    const std::string code = printable(*line_text(sources_, where.source, where.line));
    const size_t end = code.find_last_not_of(" \r\n");
    text_ += gutter(std::to_string(where.line));
    if (end != std::string::npos) text_ += " " + code.substr(0, end + 1);
    text_ += "\n";
  }

  /// `12 |`
  std::string gutter(std::string number, char edge = '|') const {
    number.resize(number_width_, ' ');
    return styled(edge == '|' ? Style::Frame : Style::Hint, number + " " + edge);
  }

  /// `12 + the line as the help makes it`
  void change(const ChangedLine& changed) {
    const std::string code = printable(changed.text);
    text_ += gutter(std::to_string(changed.line), '+') + " " +
             code.substr(0, code.find_last_not_of(" \r\n") + 1) + "\n";
  }

  void underline(const Mark& mark) {
    const std::string& code = *line_text(sources_, mark.where.source, mark.where.line);
    const bool goes_on = mark.where.end_line > mark.where.line;
    const size_t last = code.find_last_not_of(" \t\r\n");
    const auto code_end = static_cast<uint32_t>(last == std::string::npos ? 0 : last + 1);
    const uint32_t end = goes_on ? code_end : mark.where.end_column;
    const uint32_t from = display_column(code, mark.where.column);
    const uint32_t to = std::max(display_column(code, end), from + 1);
    std::string line(to - from, mark.primary ? '^' : '-');
    if (goes_on) line += "...";
    if (!mark.text.empty()) line += " " + std::string(mark.text);
    text_ += gutter("") + std::string(from + 1, ' ') +
             styled(mark.primary ? Style::Primary : Style::Secondary, line) + "\n";
  }

  void hint(const char* kind, const std::string& text) {
    // A text of several lines keeps its indent.
    std::string indented;
    for (char c : text) {
      indented += c;
      if (c == '\n') indented.append(number_width_ + 3, ' ');
    }
    text_ += std::string(number_width_ + 1, ' ') + styled(Style::Frame, "=") + " " +
             styled(Style::Hint, kind) + ": " + indented + "\n";
  }

  std::span<const Source> sources_;
  bool colour_;
  size_t number_width_ = kLeastNumberWidth;
  std::vector<Mark> marks_;
  std::vector<uint32_t> shown_;
  std::string text_;
};

}  // namespace

std::string render(const Diagnostic& diagnostic, std::span<const Source> sources, bool colour) {
  return Renderer(sources, colour).run(diagnostic);
}

std::string annotate(std::span<const Label> labels, std::span<const Source> sources, bool colour) {
  return Renderer(sources, colour).annotations(labels);
}

std::string render(const Diagnostics& diagnostics, std::span<const Source> sources, bool colour) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (!text.empty()) text += "\n";
    text += render(diagnostic, sources, colour);
  }
  return text;
}

}  // namespace hetjit
