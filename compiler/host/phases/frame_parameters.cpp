#include "compiler/host/phases/frame_parameters.h"

namespace hetjit::host {

void add_frame_parameters(ir::Function& function) {
  std::vector<ValueId>& params = function.blocks[0].params;
  TypeId bytes = pointer_type(scalar_type(Scalar::UInt8));
  for (TypeId type : {bytes, bytes, scalar_type(Scalar::UInt32)}) {
    params.push_back({static_cast<uint32_t>(function.types.size())});
    function.types.push_back(type);
    function.parameter_names.push_back("frame");
  }
  for (ir::Block& block : function.blocks)
    for (ir::Inst& inst : block.insts)
      if (auto* call = std::get_if<ir::Call>(&inst.op))
        call->in.insert(call->in.end(), params.end() - kFrameArguments, params.end());
}

}  // namespace hetjit::host
