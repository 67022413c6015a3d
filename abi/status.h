// The machine's condition: a Result is a value or an Error. A user's mistake is a Diagnostic
// (frontend/diag), a bug of ours is a CHECK; the three are never mixed (docs/style.md).
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace hetjit {

enum class ErrorCode : uint8_t {
  Unavailable,  // a device, library or file that this machine does not have
  Unsupported,  // present, but it cannot do this
  OutOfMemory,
  Invalid,       // data from outside that is malformed (an image on disk, a text form, a geometry)
  DriverFailed,  // a driver call returned an error
  Interrupted,   // the user wants to wait no longer
  Internal,      // a library below us failed (LLVM, lld); the text says how
};

struct Error {
  ErrorCode code = ErrorCode::Internal;
  std::string text;  // a sentence for the user, without a full stop
};

/// A value of type T or the Error that explains why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  explicit Result(std::in_place_t) : state_(std::in_place_index<0>) {}  // a T(), made here
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() { return value(); }
  T* operator->() { return &value(); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success, or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}
  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

inline Status ok() { return {}; }

/// Where a failed CHECK leaves its reproducer; set by compiler/pipeline while it works. May be
/// null. It is called with the failed condition's text and returns what to tell the user (a
/// command).
using BugReporter = std::string (*)(const char* condition, const char* file, int line);
inline thread_local BugReporter bug_reporter = nullptr;

[[noreturn]] inline void fail_check(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "hetjit bug: CHECK(%s) failed at %s:%d\n", condition, file, line);
  if (bug_reporter) std::fprintf(stderr, "%s\n", bug_reporter(condition, file, line).c_str());
  std::abort();
}

}  // namespace hetjit

/// An invariant of our own code. Never for input of any kind.
#define HETJIT_CHECK(condition) \
  ((condition) ? (void)0 : ::hetjit::fail_check(#condition, __FILE__, __LINE__))

/// Leaves the function with the error of a Status or Result expression that failed.
#define HETJIT_TRY(expression)                                                                \
  do {                                                                                        \
    if (auto hetjit_status = (expression); !hetjit_status.ok()) return hetjit_status.error(); \
  } while (0)
