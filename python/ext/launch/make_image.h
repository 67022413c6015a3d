// What was compiled from a program, wherever it is found: in this process, on disk, or made now.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/images/image_store.h"
#include "compiler/pipeline/options.h"
#include "frontend/ssa/function.h"
#include "python/ext/launch/kernel_object.h"

namespace hetjit::python {

struct MadeImage {
  std::shared_ptr<const ssa::Module> module;  // empty: nobody needed it
  ImageTable::Image image;                    // null: the diagnostics say why
  Sites sites;                                // the image's, as the program at hand has them
  Diagnostics diagnostics;
  bool by_llvm = false;                   // which now knows how
  std::vector<std::string> cache_faults;  // of files that should have had it
};

/// Whether LLVM has made an image. `made.module` is empty when nobody has built the program yet.
/// Without the GIL, and while no other thread forks (compiling.h).
bool make_image(const std::shared_ptr<const Program>& program, const Options& options,
                const ImageStore& store, MadeImage& made);

/// The files that this kernel may be found in. The environment is Python's, so with the GIL.
ImageStore store_for(const KernelData& kernel);

/// What the environment asks for that there is not must not pass for what it would do. False: an
/// exception is set.
bool check_environment();

}  // namespace hetjit::python
