// The phases of a kernel as functions of warps.
#pragma once

#include "compiler/host/entry/warp_functions.h"
#include "compiler/host/plan/tier.h"
#include "compiler/host/warp/frame.h"

namespace hetjit::host {

/// A kernel on its way to code. Stays where it is: forms point into it.
struct PhasedCode {
  lower::ModuleLowering& module;
  const ByPhases& kernel;
  Frame frame;
  std::vector<WarpFunctions> forms;  // by phase; each returns the phase that comes next, u32
};

/// Writes them. A form takes the kernel's parameters, the block slots of its phase, [the active
/// lanes,] the frame (kFrameArguments) and the coordinates of the warp's first thread.
void write_phases(PhasedCode& code);

}  // namespace hetjit::host
