// The phases of a kernel as functions of warps.
#pragma once

#include "compiler/host/frame.h"
#include "compiler/host/tier.h"
#include "compiler/host/warp_functions.h"

namespace hetjit::host {

/// A kernel on its way to code. Stays where it is: forms point into it.
struct PhasedCode {
  lower::ModuleLowering& module;
  PhasedKernel kernel;
  Frame frame;
  std::vector<WarpFunctions> forms;  // by phase; each returns the phase that comes next, u32
};

/// Writes them. A form takes the kernel's parameters, the block slots of its phase, [the active
/// lanes,] the frame (kFrameArguments) and the coordinates of the warp's first thread.
void write_phases(PhasedCode& code);

/// The kernel by itself: calls taken in, a result stored where the last parameter says. nullopt:
/// functions call each other in a circle, or are too large together.
std::optional<ir::Function> alone(const ir::Module& module);

}  // namespace hetjit::host
