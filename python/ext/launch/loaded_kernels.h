// Kernels that are loaded, for other functions with the same content: a module of a device is
// loaded once for all that can use it. Guarded by the GIL.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "compiler/images/image_table.h"
#include "runtime/kernel.h"

namespace hetjit::python {

class LoadedKernels {
 public:
  /// One of this image that says what it says at these sites; null: none is loaded.
  std::shared_ptr<runtime::Kernel> find(const Compiled& image, const runtime::Device& device,
                                        const Sites& sites) const {
    for (const Loaded& one : all_) {
      std::shared_ptr<runtime::Kernel> kernel = one.image == &image ? one.kernel.lock() : nullptr;
      if (kernel && &kernel->device() == &device && kernel->sites() == sites) return kernel;
    }
    return nullptr;
  }
  /// The kernel keeps its image alive, so that no other can come to lie at its address.
  void add(const Compiled& image, const std::shared_ptr<runtime::Kernel>& kernel) {
    std::erase_if(all_, [](const Loaded& one) { return one.kernel.expired(); });
    all_.push_back({&image, kernel});
  }

 private:
  struct Loaded {
    const Compiled* image;
    std::weak_ptr<runtime::Kernel> kernel;
  };
  std::vector<Loaded> all_;
};

}  // namespace hetjit::python
