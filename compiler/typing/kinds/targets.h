// What is compiled for, as a value: device.target(device.is_nvidia), device.warp_size. (HETX-TS)
#pragma once

#include "abi/target_name.h"
#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// What a name of the language means when it is about targets:
/// "hetjit.device.target_description.is_host", "hetjit.device.target_selector.sm_90",
/// "hetjit.device.warp_size". nullopt: it is about something else.
std::optional<Value> target_meaning(Evaluation& at, std::string_view name);

/// Whether the target is of the set that a word names: "is_nvidia", "provides_sm_90".
bool matches(const TargetName& target, std::string_view word);

}  // namespace hetjit::typing
