// The meaning of every op, executable, without LLVM: the oracle that targets are compared with.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "abi/kernel_image.h"
#include "compiler/ir/ir.h"

namespace hetjit::ir {

/// Runs the entry as a kernel: every thread of the geometry, one after another; those that wait for
/// others go on when these have come as far. `parameters` is the parameter block (abi/layout.h);
/// pointers in it are host memory. A warp is `warp_size` threads, whose masks have as many bits.
/// Errors: Invalid when a limit of `max_steps` instructions per thread is passed (an endless loop,
/// or an endless wait), or where threads wait for one another at different barriers. What threads
/// raise and print goes to `report`; a thread that raises ends, the others go on.
Status interpret_kernel(const Module& module, std::span<const std::byte> parameters,
                        const Geometry& geometry, Report& report, uint32_t warp_size = 32,
                        uint64_t max_steps = 1ull << 32);

/// Calls functions[0] once; `parameters` as above, the result is the returned value's bytes in its
/// memory layout (empty for none, and when the function has raised).
Result<std::vector<std::byte>> interpret_function(const Module& module,
                                                  std::span<const std::byte> parameters,
                                                  Report& report, uint64_t max_steps = 1ull << 32);

/// The same where nobody listens: what is printed is lost, an exception is an Error (Invalid).
Status interpret_kernel(const Module& module, std::span<const std::byte> parameters,
                        const Geometry& geometry, uint32_t warp_size = 32,
                        uint64_t max_steps = 1ull << 32);
Result<std::vector<std::byte>> interpret_function(const Module& module,
                                                  std::span<const std::byte> parameters,
                                                  uint64_t max_steps = 1ull << 32);

}  // namespace hetjit::ir
