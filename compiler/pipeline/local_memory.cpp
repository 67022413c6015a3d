// Local arrays against what a thread of the target has: the vendors' limit is for all that a thread
// keeps in memory, and a back end that meets it can no longer say where.
#include <set>

#include "compiler/pipeline/backends.h"
#include "compiler/pipeline/phases.h"

namespace hetjit {
bool fits_local_memory(const ir::Module& module, const Options& options, Diagnostics& diags) {
  const uint32_t most = backend(options.target).most_local(options.target.arch);
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
