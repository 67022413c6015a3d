// Helpers of the run time's tests.
#pragma once

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/gpu/gpu_device.h"

namespace hetjit::runtime::test {

/// An environment variable for as long as the object lives; no value: not set.
class WithEnvironment {
 public:
  WithEnvironment(std::string name, std::optional<std::string> value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before;
    put(value);
  }
  ~WithEnvironment() { put(before_); }
  WithEnvironment(const WithEnvironment&) = delete;
  WithEnvironment& operator=(const WithEnvironment&) = delete;

 private:
  void put(const std::optional<std::string>& value) {
    if (value)
      setenv(name_.c_str(), value->c_str(), 1);
    else
      unsetenv(name_.c_str());
  }
  std::string name_;
  std::optional<std::string> before_;
};

/// Runs it in a forked child that ends with its answer as exit code. A child that hangs is killed
/// after 20 seconds. -1 for a child that died of a signal.
inline int in_child(const std::function<int()>& run) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(run());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The stand-in of a vendor's library (fake_driver/), from the test's side.
class FakeDriver {
 public:
  explicit FakeDriver(Vendor vendor)
      : path_(vendor == Vendor::Cuda ? HETJIT_FAKE_CUDA : HETJIT_FAKE_HIP),
        chosen_(vendor == Vendor::Cuda ? "HETJIT_CUDA_LIBRARY" : "HETJIT_HIP_LIBRARY", path_),
        arch_("HETJIT_HIP_ARCH", "gfx942"),
        library_(dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    (void)take_calls();
  }
  ~FakeDriver() { dlclose(library_); }

  /// The calls since the last time, one per element.
  std::vector<std::string> take_calls() {
    std::vector<std::string> calls;
    std::istringstream lines(symbol<const char*()>("fake_take_calls")());
    for (std::string line; std::getline(lines, line);) calls.push_back(line);
    return calls;
  }
  void fail(const char* call, int code) { symbol<void(const char*, int)>("fake_fail")(call, code); }
  void set(const char* name, long value) {
    symbol<void(const char*, long)>("fake_set")(name, value);
  }
  template <class F>
  F* symbol(const char* name) {
    return reinterpret_cast<F*>(dlsym(library_, name));
  }

 private:
  std::string path_;
  WithEnvironment chosen_, arch_;
  void* library_;
};

}  // namespace hetjit::runtime::test
