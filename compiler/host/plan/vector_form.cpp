#include "compiler/host/plan/vector_form.h"

#include <algorithm>

#include "compiler/host/facts/structure.h"
#include "compiler/host/phases/watched_accesses.h"
#include "compiler/passes/inline.h"
#include "compiler/passes/passes.h"

namespace hetjit::host {
namespace {

/// Numbers, and what is made of numbers only: memory of these is read and written lane by lane.
bool is_plain(TypeId id) {
  const Type& it = type(without_align(id));
  if (it.kind == TypeKind::Scalar || it.kind == TypeKind::Vector) return true;
  if (it.kind != TypeKind::Tuple && it.kind != TypeKind::Struct) return false;
  return std::all_of(it.fields.begin(), it.fields.end(),
                     [](const Field& field) { return is_plain(field.type); });
}

struct HasVectorForm {
  const ir::Function& function;
  const ir::Inst& inst;
  template <class Op>
  bool operator()(const Op&) const {
    return !(Op::info.effects & (ir::Writes | ir::Calls));
  }
  bool operator()(const ir::CheckBelow&) const { return true; }
  bool operator()(const ir::CheckAccess&) const { return true; }
  bool operator()(const ir::CheckBarrier&) const { return true; }
  bool operator()(const ir::Print&) const { return true; }
  bool operator()(const ir::AtomicLoad&) const { return true; }
  bool operator()(const ir::AtomicStore&) const { return true; }
  bool operator()(const ir::AtomicUpdate&) const { return true; }
  bool operator()(const ir::AtomicCompareExchange&) const { return true; }
  bool operator()(const ir::Fence&) const { return true; }
  bool operator()(const ir::Load&) const { return is_plain(function.type_of(inst.result)); }
  bool operator()(const ir::Store& op) const { return is_plain(function.type_of(op.in[1])); }
};

std::string reason(const ir::Function& function, const ir::Inst& inst) {
  if (std::holds_alternative<ir::Load>(inst.op))
    return "vectors do not load values of type " + to_python(function.type_of(inst.result));
  if (auto* store = std::get_if<ir::Store>(&inst.op))
    return "vectors do not store values of type " + to_python(function.type_of(store->in[1]));
  return "vectors have no '" + std::string(ir::info(inst.op).text) + "'";
}

}  // namespace

std::optional<ir::Function> flattened(const ir::Module& module) {
  ir::Module flat = module;
  if (!passes::inline_calls(flat)) return std::nullopt;
  passes::merge_blocks(flat);  // a block where each call was would have a guard of its own
  drop_needless_watches(flat.functions[0]);
  return std::move(flat.functions[0]);
}

std::optional<NoVectorForm> why_no_vector_form(const ir::Function& function) {
  if (function.result != none_type()) return NoVectorForm{"it has a result", {}};
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts)
      if (!std::visit(HasVectorForm{function, inst}, inst.op))
        return NoVectorForm{reason(function, inst), inst.where};
  if (!Structure::find(function)) return NoVectorForm{"its jumps are no nest of loops", {}};
  return std::nullopt;
}

}  // namespace hetjit::host
