// What an image is found by: equal keys have equal images, wherever their functions stand.
#pragma once

#include "compiler/pipeline/options.h"
#include "frontend/snapshot/fingerprint.h"

namespace hetjit {

/// Of everything that `compile` is given: the program and all options that change what comes of
/// them. What it finds by itself (this build of the compiler, the CPU behind `cpu:native`, device
/// libraries) is the same for as long as the process lives; who keeps images longer adds it. The
/// same in every process. Messages of an image that was found have to be moved: image_places.h.
Fingerprint image_key(const Program& program, const Options& options);

}  // namespace hetjit
