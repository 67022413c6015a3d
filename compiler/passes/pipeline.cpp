// The standard order, and what is done round every pass.
#include <algorithm>
#include <array>
#include <cstdio>

#include "compiler/passes/pass.h"
#include "compiler/passes/passes.h"

namespace hetjit::passes {
namespace {

constexpr Pass kFoldConstants{"fold-constants", fold_constants};
constexpr Pass kSimplify{"simplify", simplify};
constexpr Pass kMergeBlocks{"merge-blocks", merge_blocks};
constexpr Pass kCountLeft{"count-left", count_left};
constexpr Pass kNarrowCounters{"narrow-counters", narrow_counters};
constexpr Pass kNarrowValues{"narrow-values", narrow_values};
constexpr Pass kProveIndices{"prove-indices", prove_indices};
constexpr Pass kSplitAtZero{"split-at-zero", split_at_zero};
constexpr Pass kProveChecks{"prove-checks", prove_checks};
constexpr Pass kShareAddresses{"share-addresses", share_addresses};
constexpr Pass kContract{"contract", contract};
constexpr Pass kDeadCode{"dead-code", remove_dead_code};
constexpr Pass kJoinConditions{"join-conditions", join_conditions};
constexpr Pass kJoinWaysRound{"join-ways-round", join_ways_round};

constexpr std::array kAll = {kFoldConstants,  kSimplify,     kMergeBlocks,    kCountLeft,
                             kNarrowCounters, kNarrowValues, kJoinConditions, kProveIndices,
                             kSplitAtZero,    kProveChecks,  kShareAddresses, kContract,
                             kDeadCode,       kJoinWaysRound};
constexpr std::array kForGpus = {kCountLeft,    kNarrowValues,   kJoinConditions,
                                 kProveIndices, kShareAddresses, kJoinWaysRound};

// The order is the documentation.
constexpr std::array kStandard = {
    kFoldConstants,
    kSimplify,        // decides what folding has found
    kMergeBlocks,     // removes what decided branches leave behind
    kCountLeft,       // while strides look as they were written
    kNarrowCounters,  // after that: fewer blocks, fewer parameters
    kFoldConstants,   // again: a block reached one way only has made its parameters plain values
    kSimplify,        // again: the same, and the conversions round narrowed counters
    kNarrowValues,    // once loops are counted in 32 bits
    kJoinConditions,  // when questions are as short as they get
    kMergeBlocks,     // again: what cannot be reached must not count as a raise or a print
    kProveIndices,    // what simplify could not: an analysis for each array
    kProveChecks,     // when conditions and numbers are as plain as they get
    kShareAddresses,  // the same; sums that only an index needed are dead then
    kDeadCode,        // before contract, which counts uses: an unused one must not decide
    kContract,        // after simplify, which must see products and sums as they were written
    kDeadCode,        // near the end: the others leave garbage behind on purpose
    kJoinWaysRound,   // last: merging blocks would undo it, dead parameters would be joined too
};

bool is_for_gpus(const Pass& pass) {
  return std::ranges::any_of(kForGpus, [&](const Pass& each) { return each.run == pass.run; });
}

}  // namespace

void check_graph(const ir::Module& module, std::string_view step) {
  Status status = ir::verify(module);
  if (status.ok()) return;
  std::fprintf(stderr, "hetjit bug: %s broke the graph: %s\n", std::string(step).c_str(),
               status.error().text.c_str());
  HETJIT_CHECK(status.ok());
}

void run_standard(ir::Module& module, const PassOptions& options, const AfterPass& after) {
  for (const Pass& pass : kStandard) {
    if (pass.run == kContract.run && !options.contract) continue;
    if (is_for_gpus(pass) && !options.for_gpus) continue;
    auto started = std::chrono::steady_clock::now();
    bool changed = pass.run(module);
    auto took = std::chrono::steady_clock::now() - started;
    if (changed && (options.verify || kAlwaysVerify)) check_graph(module, pass.name);
    if (after) after(pass, module, changed, took);
  }
}

std::span<const Pass> all_passes() { return kAll; }

}  // namespace hetjit::passes
