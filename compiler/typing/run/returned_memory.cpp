#include "compiler/typing/run/returned_memory.h"

#include "compiler/ir/own_memory.h"

namespace hetjit::typing {

bool keeps_own_memory(const ir::Module& module, Diagnostics& diags) {
  if (!ir::is_recursive(module)) return true;
  const std::vector<bool> given = ir::return_own_memory(module);
  for (uint32_t i = 0; i < given.size(); ++i) {
    const ir::Function& function = module.functions[i];
    if (!given[i] || !ir::calls_itself(module, i)) continue;
    const SpanId where = ir::returned_own_memory(function, given)->where;
    return diags
        .error(Code::ReturnsOwnMemory, where.valid() ? function.spans[where.index] : Span{},
               {function.name})
        .report();
  }
  return true;
}

}  // namespace hetjit::typing
