// The names of host kernels for perf, which knows code by its file, and theirs has none.
#pragma once

#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>

#include <memory>

namespace hetjit::target {

/// Writes each function that is linked into /tmp/perf-<process>.map; null where HETJIT_PERF_MAP
/// does not ask for it.
std::shared_ptr<llvm::orc::ObjectLinkingLayer::Plugin> perf_map();

}  // namespace hetjit::target
