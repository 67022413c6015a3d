// With HETJIT_DEBUG=trace, how often Python called each of our functions and how long they took.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace hetjit::python {

/// A function that Python calls. All there are, are found from the first.
struct Traced {
  explicit Traced(const char* pretty);
  static const Traced* first();

  const std::string name;  // "call" of what the compiler calls it
  std::atomic<uint64_t> calls{0}, nanoseconds{0};
  const Traced* const next;
};

/// HETJIT_DEBUG has `trace`: read once, when the extension is loaded.
extern const bool calls_are_traced;

/// A call in progress.
class TracedCall {
 public:
  explicit TracedCall(Traced& function) : function_(calls_are_traced ? &function : nullptr) {
    if (function_) began_ = std::chrono::steady_clock::now();
  }
  ~TracedCall() {
    if (!function_) return;
    const auto took = std::chrono::steady_clock::now() - began_;
    ++function_->calls;
    function_->nanoseconds += static_cast<uint64_t>(took / std::chrono::nanoseconds(1));
  }
  TracedCall(const TracedCall&) = delete;

 private:
  Traced* const function_;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace hetjit::python
