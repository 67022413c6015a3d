// Local arrays against what a thread of the target has: the vendors' limit is for all that a thread
// keeps in memory, and a back end that meets it can no longer say where.
#include <set>

#include "compiler/pipeline/phases.h"

namespace hetjit {
namespace {

/// Bytes of a thread for local arrays. The rest of what the hardware addresses (gfx9: 131,056
/// bytes; later ones twice that; NVIDIA: 512 KiB) is for registers that do not fit, and for calls.
uint32_t most_local(const TargetName& target) {
  if (target.kind == TargetKind::Nvidia) return 504 << 10;
  return target.arch.starts_with("gfx9") ? 126 << 10 : 248 << 10;
}

}  // namespace

bool fits_local_memory(const ir::Module& module, const Options& options, Diagnostics& diags) {
  if (options.target.kind == TargetKind::Host) return true;
  const uint32_t most = most_local(options.target);
  std::set<uint32_t> seen;
  uint64_t total = 0;
  for (const ir::Function& function : module.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Inst& inst : block.insts) {
        const auto* local = std::get_if<ir::LocalMemory>(&inst.op);
        if (!local || !seen.insert(local->variable).second) continue;
        total += local->bytes;
        if (total <= most) continue;
        const Span where = inst.where.valid() ? function.spans[inst.where.index] : Span{};
        diags
            .error(Code::MemoryTooLarge, where,
                   {"the local arrays up to this one", "have", std::to_string(total),
                    "a thread of " + to_text(options.target), std::to_string(most)})
            .report();
        return false;
      }
  return true;
}

}  // namespace hetjit
