#include "compiler/typing/run/lost_names.h"

#include <algorithm>

#include "compiler/typing/core/instance.h"

namespace hetjit::typing {

void warn_of_lost_names(Evaluation& at) {
  const Instance& instance = at.instance();
  const std::vector<ValueId>& parameters = instance.code->blocks[0].params;
  for (const ssa::LostName& lost : instance.code->lost_names) {
    if (!instance.type_of(parameters[lost.local]).holds<ArrayType>()) continue;
    if (std::ranges::none_of(lost.blocks,
                             [&](uint32_t block) { return instance.live_blocks[block]; }))
      continue;
    at.error_at(lost.where, Code::LostName, {instance.code->local_names[lost.local]}).report();
  }
}

}  // namespace hetjit::typing
