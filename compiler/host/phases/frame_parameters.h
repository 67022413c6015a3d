// Where the memory of a block comes from, in functions of one thread.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::host {

/// A phase's function has three parameters before the coordinates: the block's part of the frame
/// (warp/frame.h), the warp's context, and how many bytes of shared memory the launch asked for
/// (u32).
constexpr unsigned kFrameArguments = 3;

/// Adds them as the function's last parameters, and hands them on to whatever is called.
void add_frame_parameters(ir::Function& function);

}  // namespace hetjit::host
