// The callable types: a Kernel is a Python function to compile, kernel[grid, block, …] a Bound that
// launches it. A call reads the arguments, finds the specialisation by its exact key words and
// enqueues; what misses goes to specialize.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "abi/kernel_image.h"
#include "compiler/checks/checks.h"
#include "compiler/pipeline/options.h"
#include "frontend/ssa/function.h"
#include "python/ext/arguments/read_arguments.h"
#include "python/ext/capture/capture.h"
#include "python/ext/handles/handle.h"
#include "runtime/kernel.h"

namespace hetjit::python {

struct State;

/// One compiled and loaded kernel. Immutable.
struct Specialization {
  uint64_t generation = 0;  // the number of the one that it belongs to
  std::vector<uint64_t> words;
  runtime::Device* device = nullptr;
  std::shared_ptr<runtime::Kernel> kernel;               // shared with Speakers
  enum Waits { Never, WhenFull, Always } waits = Never;  // a launch: null device, GPU, host
  uint64_t checked = 0;  // number of the configuration that was launched last: it is right

  bool serves(const Arguments& arguments, const runtime::Device* where) const {
    if (where != device) return false;
    for (size_t i = 0; i < arguments.count; ++i)
      if (words[i] != arguments.words[i]) return false;
    return true;
  }
};

/// What was compiled for the same constant arguments, while all names the function uses meant the
/// same.
struct Generation {
  uint64_t number = 0;  // of the kernel's, from 1 on
  Watches watches;
  std::vector<uint64_t> constants;  // words of the arguments that are constants
  std::shared_ptr<const Program> program;
  std::shared_ptr<const ssa::Module> module;  // empty until first needed
  std::vector<std::unique_ptr<Specialization>> ready;
  Specialization* last = nullptr;
  bool failed = false;  // nothing compiled: captured again next time, for what was missing
};

struct KernelOptions {
  bool contract = true, fastmath = false, portable_math = false, device_function = false;
  bool cached = true;  // found on disk, and kept there
  bool debug = false;  // line tables
  Checks checks;
  KernelLimits limits;
  std::string name;               // of the entry; empty: the function's
  runtime::Device* on = nullptr;  // always runs here; null: the arrays decide
  bool anywhere = false;          // `on` is the null device
};

/// Compilations in a row for no other reason than that a name means something else.
struct Rebound {
  std::string name;
  uint32_t times = 0;
};

/// What a Kernel object holds. Guarded by the GIL.
struct KernelData {
  State* state = nullptr;
  Kept function;
  std::unique_ptr<Parameters> parameters;             // null: not read, since nobody launches it
  uint64_t readings = 0;                              // how often that was read
  std::vector<std::unique_ptr<Parameters>> replaced;  // calls under way may use them
  KernelOptions options;
  std::vector<std::unique_ptr<Generation>> generations;  // the current one first
  uint64_t generations_made = 0;
  Rebound rebound;
  int running = 0;  // calls under way: none of the above may be freed meanwhile
  Kept last_key;    // the object last given to kernel[…], and what came of it
  Kept last_bound;

  /// On the null device memory is never touched, so it may be anywhere.
  bool runs_anywhere() const { return options.anywhere; }
  LaunchPlace place() const { return {options.on, options.anywhere}; }
};

/// Counts a call that is under way, so that nothing it uses is thrown away.
struct Running {
  explicit Running(KernelData& kernel) : kernel(kernel) { ++kernel.running; }
  ~Running() {
    if (--kernel.running || kernel.replaced.empty()) return;
    auto gone = std::move(kernel.replaced);
    kernel.replaced.clear();
  }
  KernelData& kernel;
};

/// The type `Kernel` of a module. Empty: an exception is set.
Handle make_kernel_type(Borrowed module);

/// What the type Kernel has beside the brackets (launch_functions.cpp).
extern PyMethodDef kernel_methods[];

/// What the last `kernel[…]` gave, if that is so many blocks of so many threads along x and nothing
/// else was said. Empty without an exception: it is another one, or a number is less than 1.
Handle last_bound(Borrowed kernel, int64_t blocks, int64_t threads);

/// Of an instance of Kernel.
KernelData& data_of_kernel(Borrowed kernel);
/// Whether it was made by @device.func.
bool is_device_function(Borrowed kernel);

/// Reads `function`'s parameters. False: an exception is set.
bool read_parameters(State& state, Borrowed function, Parameters& to);
/// The kernel's parameters as they are now, read again when its function has got other code or
/// defaults. Null: an exception is set.
const Parameters* parameters_anew(KernelData& kernel);
inline const Parameters* parameters_now(KernelData& kernel) {
  const Parameters* known = kernel.parameters.get();
  return known && known->watches.hold() ? known : parameters_anew(kernel);
}

/// Puts arguments as they were called into the order of the parameters, with defaults. `ordered`
/// has room for kMostParameters; borrowed. False: an exception is set.
bool order_arguments(const Parameters& parameters, PyObject* const* arguments, size_t count,
                     Borrowed keywords, PyObject** ordered);

/// Where a launch with these arguments goes. Null: an exception is set.
runtime::Device* device_for(KernelData& kernel, const Arguments& arguments);
/// How a launch with these arguments is compiled.
Options options_for(const KernelData& kernel, const Arguments& arguments, const TargetName& target);

/// The miss path (specialize.cpp): captures, builds, compiles and loads. Null: an exception is set.
Specialization* specialize(KernelData& kernel, const Arguments& arguments, runtime::Device& device);
/// The generation that is valid now, capturing when there is none. Null: an exception is set.
Generation* current_generation(KernelData& kernel, const Arguments& arguments);

}  // namespace hetjit::python
