#include "compiler/host/plan/vector_form.h"

#include <algorithm>

#include "compiler/host/facts/structure.h"
#include "compiler/host/phases/choose_values.h"
#include "compiler/host/phases/shared_numbers.h"
#include "compiler/host/phases/straighten_loops.h"
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

/// Why not; nullopt: there is one.
std::optional<std::string> why_no_vector_form(const ir::Function& function, const ir::Inst& inst) {
  const ir::OpInfo& facts = ir::info(inst.op);
  if (facts.vectors == ir::Vectors::No) return "vectors have no '" + std::string(facts.text) + "'";
  if (!facts.access || (facts.access & ir::Atomic)) return std::nullopt;
  const bool stores = facts.access & ir::Stores;
  TypeId moved = function.type_of(stores ? ir::operands(inst.op)[1] : inst.result);
  if (is_plain(moved)) return std::nullopt;
  return std::string("vectors do not ") + (stores ? "store" : "load") + " values of type " +
         to_python(moved);
}

}  // namespace

std::optional<ir::Function> flattened(const ir::Module& module) {
  ir::Module flat = module;
  if (!passes::inline_calls(flat)) return std::nullopt;
  passes::merge_blocks(flat);  // a block where each call was would have a guard of its own
  const bool shared = share_numbers(flat.functions[0]);
  if (choose_values(flat.functions[0]) || shared) {
    passes::simplify(flat);  // an index that was asked for before need not count from the end
    passes::merge_blocks(flat);
    passes::remove_dead_code(flat);
  }
  drop_needless_watches(flat.functions[0]);
  straighten_loops(flat.functions[0]);
  return std::move(flat.functions[0]);
}

std::optional<NoVectorForm> why_no_vector_form(const ir::Function& function) {
  if (function.result != none_type()) return NoVectorForm{"it has a result", {}};
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts)
      if (auto why = why_no_vector_form(function, inst)) return NoVectorForm{*why, inst.where};
  if (!Structure::find(function)) return NoVectorForm{"its jumps are no nest of loops", {}};
  return std::nullopt;
}

}  // namespace hetjit::host
