// What kernels say to the host, as Python: text goes to sys.stdout, an exception is raised.
#pragma once

#include <memory>
#include <vector>

#include "abi/messages.h"
#include "python/ext/handles/handle.h"
#include "runtime/kernel.h"

namespace hetjit::python {

/// A kernel's sites and name, and what it said.
struct Said {
  const Sites& sites;
  const std::string& kernel;
  const Report& report;
};

/// Prints, then raises. False: an exception is set, the kernel's or one of printing.
bool deliver(const Said& said);

/// What a launch comes to: its own failure, else what the kernel had to say. False: an exception is
/// set.
bool tell_launch(const runtime::Kernel& kernel, const std::string& function, const Status& done,
                 const Report& said);

/// Kernels that were launched where launches are not done when they return, and may have said
/// something since. Guarded by the GIL.
class Speakers {
 public:
  void launched(const std::shared_ptr<runtime::Kernel>& kernel, runtime::Handle stream);
  /// Delivers what kernels of a stream have said. They are done, and `through` is a stream to read
  /// it by. Of several exceptions the first launched kernel's is raised, the others are its notes.
  /// False: an exception is set.
  bool listen(const runtime::Device& device, runtime::Handle stream, runtime::Handle through);
  /// The same of all streams of a device that has done its work.
  bool listen(const runtime::Device& device);

 private:
  template <class Which>
  bool listen_to(Which&& is_here, runtime::Handle through);
  struct Open {
    std::shared_ptr<runtime::Kernel> kernel;
    runtime::Handle stream;
  };
  std::vector<Open> open_;  // each kernel and stream once
};

}  // namespace hetjit::python
