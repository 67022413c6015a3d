#include "frontend/diag/diagnostic.h"

#include <algorithm>
#include <charconv>

namespace hetjit {
namespace {

struct CodeRow {
  Code code;
  std::string_view name, pattern;
};

constexpr CodeRow kCodes[] = {
#define DIAG(number, name, text) {Code::name, #name, text},
#include "frontend/diag/codes.def"
#undef DIAG
};

struct Remedy {
  Code code;
  std::string_view words, text;
};

constexpr Remedy kRemedies[] = {
#define REMEDY(name, words, text) {Code::name, words, text},
#include "frontend/diag/remedies.def"
#undef REMEDY
};

/// Whether some of the words, "tuple|list[", are in a message.
bool has_words(std::string_view message, std::string_view words) {
  const size_t bar = words.find('|');
  if (message.find(words.substr(0, bar)) != std::string_view::npos) return true;
  return bar != std::string_view::npos && has_words(message, words.substr(bar + 1));
}

std::string_view remedy_of(const Diagnostic& diagnostic) {
  for (const Remedy& row : kRemedies)
    if (row.code == diagnostic.code && has_words(diagnostic.message, row.words)) return row.text;
  return {};
}

const CodeRow* find_row(Code code) {
  for (const CodeRow& row : kCodes)
    if (row.code == code) return &row;
  return nullptr;
}

constexpr size_t kLongest = 400;  // bytes of one argument; a type within types may have a million

/// A text that a reader can take in: the beginning of one that is too long.
std::string shortened(std::string_view text) {
  if (text.size() <= kLongest) return std::string(text);
  return std::string(text.substr(0, kLongest / 4)) + "…";
}

/// Replaces {0}, {1}, … by the arguments. A placeholder without an argument stays as it is, so that
/// the mistake is seen in the message.
std::string fill(std::string_view pattern, std::initializer_list<std::string_view> arguments) {
  std::string text;
  while (!pattern.empty()) {
    const size_t open = pattern.find('{');
    text += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    pattern.remove_prefix(open);
    const size_t close = pattern.find('}');
    size_t index = arguments.size();
    if (close != std::string_view::npos)
      std::from_chars(pattern.data() + 1, pattern.data() + close, index);
    if (index < arguments.size()) {
      text += shortened(arguments.begin()[index]);
      pattern.remove_prefix(close + 1);
    } else {
      text += '{';
      pattern.remove_prefix(1);
    }
  }
  return text;
}

}  // namespace

std::string_view code_name(Code code) {
  const CodeRow* row = find_row(code);
  return row ? row->name : "unknown";
}

std::string_view code_pattern(Code code) {
  const CodeRow* row = find_row(code);
  return row ? row->pattern : std::string_view();
}

std::string code_text(Code code) {
  const std::string digits = std::to_string(static_cast<unsigned>(code));
  return (is_warning(code) ? "W" : "E") +
         std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

Diagnostics::Builder& Diagnostics::Builder::label(Span where, std::string text) {
  Label added{where, shortened(text)};
  auto same = [&](const Label& one) { return one.where == where && one.text == added.text; };
  // CPython writes some instructions twice: what they say of one place is said once.
  if (std::ranges::none_of(made_.labels, same)) made_.labels.push_back(std::move(added));
  return *this;
}

Diagnostics::Builder& Diagnostics::Builder::note(std::string text) {
  made_.notes.push_back(std::move(text));
  return *this;
}

Diagnostics::Builder& Diagnostics::Builder::help(std::string text) {
  made_.helps.push_back(std::move(text));
  return *this;
}

Diagnostics::Builder& Diagnostics::Builder::edit(Span where, std::string text) {
  if (where.known()) made_.edits.push_back({where, std::move(text)});
  return *this;
}

Diagnostics::Builder& Diagnostics::Builder::enclose(Span where, std::string before,
                                                    std::string after) {
  return edit(begin_of(where), std::move(before)).edit(end_of(where), std::move(after));
}

namespace {

/// A name that is wrong is one mistake, wherever it stands: its first message says all of it.
bool is_of_name(Code code) {
  return code == Code::UnboundName || code == Code::NotInModule || code == Code::OpaqueValue;
}

}  // namespace

Failed Diagnostics::Builder::report() {
  for (Diagnostic& earlier : to_.all_)
    if (is_of_name(made_.code) && earlier.code == made_.code && earlier.message == made_.message &&
        earlier.where.source == made_.where.source) {
      if (earlier.where != made_.where)
        earlier.edits.insert(earlier.edits.end(), made_.edits.begin(), made_.edits.end());
      return {};
    }
  if (made_.helps.empty())
    if (std::string_view text = remedy_of(made_); !text.empty()) made_.helps.emplace_back(text);
  to_.add(std::move(made_));
  return {};
}

Diagnostics::Builder Diagnostics::error(Code code, Span where,
                                        std::initializer_list<std::string_view> arguments) {
  Diagnostic made{code, where, fill(code_pattern(code), arguments), {}, {}, {}, {}};
  return Builder(*this, std::move(made));
}

namespace {

Diagnostics chosen(const Diagnostics& from, bool warnings) {
  Diagnostics result;
  for (const Diagnostic& one : from.all())
    if (is_warning(one.code) == warnings) result.add(one);
  return result;
}

}  // namespace

Diagnostics Diagnostics::errors() const { return chosen(*this, false); }

Diagnostics Diagnostics::warnings() const { return chosen(*this, true); }

void Diagnostics::add_all(const Diagnostics& other) {
  all_.insert(all_.end(), other.all_.begin(), other.all_.end());
}

}  // namespace hetjit
