// Passes are functions in a list; run() does the hygiene: verify, dump, time.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string_view>

#include "compiler/ir/ir.h"

namespace hetjit::passes {

struct Pass {
  std::string_view name;
  bool (*run)(ir::Module&);  // true: something changed
};

using AfterPass = std::function<void(const Pass&, const ir::Module&, bool changed,
                                     std::chrono::nanoseconds took)>;

struct PassOptions {
  bool contract = true;   // fuse a product that feeds a sum (contract.cpp)
  bool for_gpus = false;  // what they gain from: share_addresses.cpp, join_ways_round.cpp
  bool verify = false;    // verify after every pass that changed something
};

#ifdef HETJIT_CHECKED
inline constexpr bool kAlwaysVerify = true;
#else
inline constexpr bool kAlwaysVerify = false;
#endif
/// A CHECK that the graph is as the verifier wants it after a pass or step of that name.
void check_graph(const ir::Module& module, std::string_view step);

/// The standard order (pipeline.cpp).
void run_standard(ir::Module& module, const PassOptions& options, const AfterPass& after = {});

/// Every pass by name, for tests that begin at IR text.
std::span<const Pass> all_passes();

}  // namespace hetjit::passes
