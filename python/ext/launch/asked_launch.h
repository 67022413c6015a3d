// A launch that is asked about and not made: what it would be compiled from, and for which target.
#pragma once

#include <memory>
#include <optional>

#include "compiler/pipeline/options.h"
#include "python/ext/launch/kernel_object.h"
#include "python/ext/state.h"

namespace hetjit::python {

/// What stands for arguments: themselves; or their types, numbers and constants among them.
enum class Given : uint8_t { Arguments, ArgumentsOrTypes };

class AskedLaunch {
 public:
  AskedLaunch(State& state, KernelData& kernel) : state_(state), kernel(kernel), running_(kernel) {}

  /// Reads a tuple and a dict of arguments. `target`: null: that of the device where the launch
  /// would go. False: an exception is set.
  bool read(Given given, Borrowed positional, Borrowed keywords, const char* target);

 private:
  bool read_arguments_or_types(Given given, Borrowed positional, Borrowed keywords,
                               const LaunchPlace& place);

  State& state_;

 public:
  KernelData& kernel;
  const Parameters* parameters = nullptr;
  Arguments arguments;  // of types the words alone
  Generation* generation = nullptr;
  Options options;

 private:
  Running running_;  // so that the generation stays
};

}  // namespace hetjit::python
