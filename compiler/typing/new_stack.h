// Inference follows calls, so its own calls nest as deep as the user's functions do.
#pragma once

#include <functional>

namespace hetjit::typing {

/// Runs the work on a stack of its own, and waits for it. Where the system gives none: on this one.
/// Where memory runs out in it, it runs out here (abi/memory_limit.h).
void on_new_stack(const std::function<void()>& work);

}  // namespace hetjit::typing
