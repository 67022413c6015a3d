#include "compiler/typing/run/lost_names.h"

#include "compiler/typing/core/instance.h"

namespace hetjit::typing {

void warn_of_lost_names(Evaluation& at) {
  const Instance& instance = at.instance();
  const std::vector<ValueId>& parameters = instance.code->blocks[0].params;
  for (const ssa::LostName& lost : instance.code->lost_names) {
    if (!instance.type_of(parameters[lost.local]).holds<ArrayType>()) continue;
    at.error_at(lost.where, Code::LostName, {instance.code->local_names[lost.local]}).report();
  }
}

}  // namespace hetjit::typing
