// The user's mistakes. A phase that finds one reports it here and returns failure; the wrong value
// gets the type "error", which silences whatever depends on it: one mistake, one message. What the
// user should know of a program that compiles is a warning: the same, but nothing fails.
//
//   return diags.error(Code::NoBinaryOperator, where, {"@", "float32", "int64"})
//       .label(lhs, "this is float32")
//       .help("'@' multiplies arrays; for scalars use '*'")
//       .report();
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "frontend/diag/span.h"

namespace hetjit {

enum class Code : uint16_t {
#define DIAG(number, name, text) name = number,
#include "frontend/diag/codes.def"
#undef DIAG
};

std::string_view code_name(Code code);     // "TypesDisagree"
std::string code_text(Code code);          // "E0202", of a warning "W0701"
std::string_view code_pattern(Code code);  // the text with {0} {1} …
/// Warnings are the codes from 700 on.
constexpr bool is_warning(Code code) { return static_cast<uint16_t>(code) >= 700; }

struct Label {
  Span where;
  std::string text;
};

/// A change of the source: what stands at `where` becomes `text`. A place without width inserts.
struct Edit {
  Span where;
  std::string text;
};

struct Diagnostic {
  Code code;
  Span where;
  std::string message;             // the pattern with its arguments filled in
  std::vector<Label> labels;       // why here: secondary marks
  std::vector<std::string> notes;  // facts that have no place in the source
  std::vector<std::string> helps;  // what to write instead
  std::vector<Edit> edits;         // the first help as a change of the source: all of them together
};

/// A type whose default value says that something failed: an id (`valid()`), a value or type that
/// is the error (`erroneous()`).
template <class T>
concept FailsByDefault = std::is_default_constructible_v<T> &&(
    requires(const T& value) { value.valid(); } || requires(const T& value) { value.erroneous(); });

/// Converts to whatever a failing function returns: false, nullopt, an invalid id. Not to any other
/// type with a default value: an optional<T> would then hold a T.
struct Failed {
  operator bool() const { return false; }
  template <FailsByDefault T>
  operator T() const {
    return T{};
  }
  template <class T>
  operator std::optional<T>() const&& {
    return std::nullopt;
  }
};

class Diagnostics {
 public:
  class Builder {
   public:
    Builder(Diagnostics& to, Diagnostic made) : to_(to), made_(std::move(made)) {}
    Builder& label(Span where, std::string text);
    Builder& note(std::string text);
    Builder& help(std::string text);
    /// A change that carries the help out. Where the place is not known there is none.
    Builder& edit(Span where, std::string text);
    /// The change that makes what stands there `before` + itself + `after`.
    Builder& enclose(Span where, std::string before, std::string after);
    Failed report();

   private:
    Diagnostics& to_;
    Diagnostic made_;
  };

  /// Starts a diagnostic. `arguments` fill {0}, {1}, … of the code's pattern.
  Builder error(Code code, Span where, std::initializer_list<std::string_view> arguments = {});

  void add(Diagnostic diagnostic) { all_.push_back(std::move(diagnostic)); }
  void add_all(const Diagnostics& other);
  bool empty() const { return all_.empty(); }
  const std::vector<Diagnostic>& all() const { return all_; }
  /// One half of them. What has errors has failed.
  Diagnostics errors() const;
  Diagnostics warnings() const;

 private:
  std::vector<Diagnostic> all_;
};

}  // namespace hetjit
