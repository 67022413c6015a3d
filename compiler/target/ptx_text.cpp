#include "compiler/target/ptx_text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

namespace hetjit::target {
namespace {

constexpr std::string_view kVersion = ".version ";
constexpr std::string_view kBlanks = " \t\r\n";

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

bool begins_name(char c) { return in_name(c) && !std::isdigit(static_cast<unsigned char>(c)); }

/// Where a text in quotation marks ends that begins there.
size_t end_of_quotation(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

std::string without_comments(std::string_view text) {
  std::string left;
  for (size_t at = 0; at < text.size();) {
    const std::string_view two = text.substr(at, 2);
    const size_t from = at;
    if (two == "//")
      at = std::min(text.find('\n', at), text.size());
    else if (two == "/*")
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    else
      at = text[at] == '"' ? end_of_quotation(text, at) : at + 1;
    left += two == "/*" ? " " : two == "//" ? "" : text.substr(from, at - from);
  }
  return left;
}

/// A name, register or directive with all its parts, or a single letter.
size_t end_of_word(std::string_view text, size_t at) {
  const bool whole = in_name(text[at]) || text[at] == '%' || text[at] == '.';
  for (++at; whole && at < text.size() && (in_name(text[at]) || text[at] == '.');) ++at;
  return at;
}

/// Words in order: names, registers and directives with their first letter, whatever else alone.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = end_of_word(text, at);
    if (kBlanks.find(text[at]) == std::string_view::npos)
      words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

bool has_word(const std::vector<std::string_view>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// Statements of the top level: a function ends with its body, all else with a semicolon. Those of
/// one line without either, ".version 9.0", are none.
std::vector<std::string_view> statements_of(std::string_view text) {
  std::vector<std::string_view> statements;
  int depth = 0;
  size_t from = 0;
  bool is_function = false;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') {
      at = end_of_quotation(text, at) - 1;
    } else if (text[at] == '{') {
      if (depth++ == 0) {
        const auto words = words_of(text.substr(from, at - from));
        is_function = has_word(words, ".func") || has_word(words, ".entry");
      }
    } else if (text[at] == '}') {
      --depth;
    }
    const bool body_ends = text[at] == '}' && is_function;
    if (depth > 0 || (text[at] != ';' && !body_ends)) continue;
    statements.push_back(text.substr(from, at + 1 - from));
    from = at + 1;
    is_function = false;
  }
  return statements;
}

/// The name behind a function's result, or of a variable before its brackets and value.
std::string name_in(const std::vector<std::string_view>& words, bool is_function) {
  int depth = 0;
  std::string last;
  for (std::string_view word : words) {
    if (word == "(") {
      if (depth++ == 0 && is_function && !last.empty()) return last;
    } else if (word == ")") {
      --depth;
    } else if (depth == 0 && (word == "[" || word == "=" || word == ";" || word == "{")) {
      return last;
    } else if (depth == 0 && begins_name(word.front())) {
      last = word;
    }
  }
  return last;
}

/// What stands behind the lines that say of which version and for whom it is.
std::string_view behind_heading(std::string_view text) {
  constexpr std::string_view kLast = ".address_size";
  const size_t last = text.find(kLast);
  const size_t end = last == std::string_view::npos ? 0 : text.find('\n', last);
  return text.substr(std::min(end, text.size()));
}

/// Where an instruction of a body begins there is what it does, which may have a function's name:
/// behind the one before, a label, or the predicate of a guard.
class Position {
 public:
  explicit Position(bool in_body) : in_body_(in_body) {}

  bool is_operation() const { return in_body_ && (begins_ || guarded_); }
  void pass(std::string_view word) {
    guarded_ = in_guard_ && word != "!";
    in_guard_ = word == "@" || (in_guard_ && word == "!");
    begins_ = word.size() == 1 && std::string_view("{};:").find(word) != std::string_view::npos;
  }

 private:
  bool in_body_, begins_ = false, in_guard_ = false, guarded_ = false;
};

std::string replaced(const PtxSymbol& symbol, const std::map<std::string, std::string>& names) {
  const std::string_view text = symbol.text;
  std::string made;
  Position position(symbol.is_function);
  for (size_t at = 0; at < text.size();) {
    const size_t end = text[at] == '"' ? end_of_quotation(text, at) : end_of_word(text, at);
    const std::string word(text.substr(at, end - at));
    const size_t next = text.find_first_not_of(kBlanks, end);
    const bool is_label = next != std::string_view::npos && text[next] == ':';
    auto found = position.is_operation() && !is_label ? names.end() : names.find(word);
    made += found == names.end() ? word : found->second;
    if (kBlanks.find(text[at]) == std::string_view::npos) position.pass(word);
    at = end;
  }
  return made;
}

std::string without_words(std::string text, std::initializer_list<std::string_view> words) {
  for (std::string_view word : words)
    if (const size_t at = text.find(word); at != std::string::npos) text.erase(at, word.size());
  return text;
}

/// The instructions of a body, each as its words.
std::vector<std::vector<std::string_view>> instructions_of(std::string_view text) {
  std::vector<std::vector<std::string_view>> instructions;
  size_t at = std::min(text.find('{'), text.size());
  while (at < text.size()) {
    const size_t end = std::min(text.find(';', at), text.size());
    auto words = words_of(text.substr(at, end - at));
    while (!words.empty() && (words.front() == "{" || words.front() == "}"))
      words.erase(words.begin());
    if (!words.empty()) instructions.push_back(std::move(words));
    at = end + 1;
  }
  return instructions;
}

using Set = uint64_t;  // of parameters, by their bits

/// What registers may hold addresses of what parameters point to.
class Addresses {
 public:
  explicit Addresses(const PtxSymbol& function) : name_(function.name) {
    instructions_ = instructions_of(function.text);
    for (bool more = true; more;) {
      more = false;
      for (const auto& words : instructions_) more |= follow(words);
    }
  }
  Set kept = 0, changed = 0;

 private:
  using Words = std::vector<std::string_view>;

  Set of(std::string_view word) const {
    auto found = held_.find(word);
    return found == held_.end() ? 0 : found->second;
  }
  Set of(const Words& words, size_t from, size_t to) const {
    Set all = 0;
    for (size_t i = from; i < to; ++i) all |= of(words[i]);
    return all;
  }

  bool add(Set& to, Set more) {
    const Set before = to;
    to |= more;
    return to != before;
  }

  /// One instruction; whether it told anything new.
  bool follow(const Words& words) {
    const size_t op = operation_in(words);
    if (op == words.size()) return false;
    const std::string_view code = words[op];
    const size_t comma = end_of_operand(words, op + 1), end = words.size();
    if (code.starts_with("ld.param")) return load_parameter(words, op + 1, comma);
    if (code.starts_with("ld")) return false;
    if (code.starts_with("st.param")) {
      const Set given = of(words, comma, end);  // nobody looks at what is called
      return add(kept, given) | add(changed, given);
    }
    if (code.starts_with("st") || code.starts_with("atom") || code.starts_with("red")) {
      const bool has_result = code.starts_with("atom");
      const size_t last = has_result ? end_of_operand(words, comma + 1) : comma;
      return add(changed, of(words, op + 1, last)) | add(kept, of(words, last, end));
    }
    return hold(words, op + 1, comma, of(words, comma, end));
  }

  /// Where it stands behind labels and the predicate of a guard.
  static size_t operation_in(const Words& words) {
    size_t at = 0;
    while (at + 1 < words.size() && words[at + 1] == ":") at += 2;
    while (at < words.size() && (words[at] == "@" || words[at] == "!" || words[at].front() == '%'))
      ++at;
    return at;
  }

  static size_t end_of_operand(const Words& words, size_t from) {
    int depth = 0;
    for (size_t i = from; i < words.size(); ++i) {
      if (words[i] == "{" || words[i] == "[") ++depth;
      if (words[i] == "}" || words[i] == "]") --depth;
      if (words[i] == "," && depth == 0) return i;
    }
    return words.size();
  }

  bool load_parameter(const Words& words, size_t from, size_t to) {
    const std::string begins = name_ + "_param_";
    for (size_t i = to; i < words.size(); ++i)
      if (words[i].starts_with(begins))
        return hold(words, from, to,
                    Set(1) << std::atoi(std::string(words[i].substr(begins.size())).c_str()));
    return false;
  }

  bool hold(const Words& words, size_t from, size_t to, Set what) {
    bool is_new = false;
    for (size_t i = from; what && i < to; ++i)
      if (words[i].front() == '%') is_new |= add(held_[words[i]], what);
    return is_new;
  }

  std::string name_;
  std::vector<Words> instructions_;
  std::map<std::string_view, Set> held_;
};

/// Takes away declarations of what is defined now.
void drop_declarations(std::string& ptx, const std::vector<std::string>& functions) {
  constexpr std::string_view kDeclared = ".extern .func";
  for (size_t at = ptx.find(kDeclared); at != std::string::npos; at = ptx.find(kDeclared, at)) {
    const size_t end = std::min(ptx.find(';', at), ptx.size() - 1) + 1;
    const auto words = words_of(std::string_view(ptx).substr(at, end - at));
    const std::string name = name_in(words, true);
    if (std::ranges::find(functions, name) == functions.end())
      at = end;
    else
      ptx.erase(at, end - at);
  }
}

/// "9.0" as two numbers to compare: 8.10 is newer than 8.8.
std::pair<int, int> numbers_of(const std::string& version) {
  const size_t point = std::min(version.find('.'), version.size());
  const std::string minor = version.substr(std::min(point + 1, version.size()));
  return {std::atoi(version.c_str()), std::atoi(minor.c_str())};
}

}  // namespace

std::vector<PtxSymbol> symbols_of_ptx(std::string_view ptx) {
  std::vector<PtxSymbol> symbols;
  const std::string text = without_comments(behind_heading(ptx));
  for (std::string_view statement : statements_of(text)) {
    const auto words = words_of(statement);
    PtxSymbol symbol{.name = {}, .text = std::string(statement)};
    symbol.is_function = has_word(words, ".func") || has_word(words, ".entry");
    symbol.is_extern = has_word(words, ".extern") ||
                       (symbol.is_function && statement.find('{') == std::string_view::npos);
    symbol.name = name_in(words, symbol.is_function);
    symbols.push_back(std::move(symbol));
  }
  return symbols;
}

int64_t number_in(const PtxSymbol& variable) {
  const size_t value = variable.text.find('=');
  if (value == std::string::npos) return 0;
  const char* digits = variable.text.c_str() + value + 1;
  return static_cast<int64_t>(std::strtoull(digits, nullptr, 0));
}

std::string text_in(const PtxSymbol& variable) {
  std::string text;
  const size_t value = variable.text.find('{');
  if (value == std::string::npos) return text;
  const char* at = variable.text.c_str() + value + 1;
  for (char* end = nullptr;; at = end + 1) {
    const long letter = std::strtol(at, &end, 0);
    if (end == at || letter == 0) return text;
    text += static_cast<char>(letter);
  }
}

PtxAddresses addresses_in(const PtxSymbol& function, size_t count) {
  const Addresses seen(function);
  PtxAddresses found;
  for (size_t i = 0; i < count; ++i) {
    const bool followed = i < 64;
    const Set bit = followed ? Set(1) << i : 0;
    found.kept.push_back(!followed || (seen.kept & bit));
    found.changed.push_back(!followed || (seen.changed & bit));
  }
  return found;
}

std::string made_internal(std::string_view ptx, const std::vector<std::string>& functions,
                          const std::string& prefix) {
  const std::vector<PtxSymbol> symbols = symbols_of_ptx(ptx);
  std::set<std::string> defined;
  for (const PtxSymbol& symbol : symbols)
    if (!symbol.is_extern) defined.insert(symbol.name);
  std::map<std::string, std::string> names;
  for (const std::string& name : defined)
    if (std::ranges::find(functions, name) == functions.end()) names[name] = prefix + name;
  std::string text(ptx.substr(0, ptx.size() - behind_heading(ptx).size()));
  text += "\n";
  for (const PtxSymbol& symbol : symbols)
    text += without_words(replaced(symbol, names), {".visible ", ".weak ", ".common "}) + "\n";
  return text;
}

std::string ptx_version(std::string_view ptx) {
  const size_t at = ptx.find(kVersion);
  if (at == std::string_view::npos) return "";
  const size_t from = at + kVersion.size();
  return std::string(ptx.substr(from, ptx.find_first_of(kBlanks, from) - from));
}

std::string with_definitions(std::string ptx, std::string_view definitions,
                             const std::vector<std::string>& functions) {
  const std::string ours = ptx_version(ptx), theirs = ptx_version(definitions);
  drop_declarations(ptx, functions);
  if (numbers_of(ours) < numbers_of(theirs))
    ptx.replace(ptx.find(kVersion) + kVersion.size(), ours.size(), theirs);
  const size_t heading = ptx.size() - behind_heading(ptx).size();
  ptx.insert(heading, "\n" + std::string(behind_heading(definitions)));
  return ptx;
}

}  // namespace hetjit::target
