#include "compiler/host/plan/free_turns.h"

#include <algorithm>

#include "compiler/host/facts/written_arrays.h"
#include "compiler/ir/uses.h"

namespace hetjit::host {
namespace {

class Turns {
 public:
  Turns(const ir::Function& kernel, const Loop& loop, ValueId counter)
      : kernel_(kernel),
        loop_(loop),
        counter_(counter),
        definitions_(kernel),
        uses_(ir::count_uses(kernel)) {}

  /// Does a turn use anything but its counter that depends on the thread?
  bool ask_whose() const {
    std::vector<bool> tells(kernel_.types.size());
    for (const ir::Inst& inst : kernel_.blocks[0].insts) {
      if (inst.result.valid())
        tells[inst.result.index] = ir::tells_threads_apart(inst.op) || uses(inst, tells);
    }
    return any_in_loop([&](const ir::Inst& inst) {
      return ir::tells_threads_apart(inst.op) || uses(inst, tells);
    });
  }

  /// Is every access of an array of an element of the turn's own?
  bool keep_apart(ValueId array) const {
    for (size_t axis = 0; axis < type(kernel_.type_of(array)).rank; ++axis) {
      const bool leaves = any_in_loop([&](const ir::Inst& inst) {
        if (!ir::info(inst.op).access) return false;
        const ir::ElementAddress* element = ir::element_of(definitions_, ir::operands(inst.op)[0]);
        return element->in[0] == array &&
               number_behind(kernel_, definitions_, element->in[1 + axis]) != counter_;
      });
      if (!leaves) return true;
    }
    return false;
  }

  /// Is every access of an array an update whose order nobody asks for, nor its result?
  bool only_add_up(ValueId array) const {
    return !any_in_loop([&](const ir::Inst& inst) {
      return ir::info(inst.op).access && of_array(inst, array) && !adds_up(inst);
    });
  }

  bool wait_for_others() const {
    return any_in_loop([&](const ir::Inst& inst) {
      return (ir::info(inst.op).access & ir::Atomic) && !adds_up(inst);
    });
  }

 private:
  template <class Holds>
  bool any_in_loop(Holds holds) const {
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block)
      if (loop_.holds(block) && std::ranges::any_of(kernel_.blocks[block].insts, holds))
        return true;
    return false;
  }
  static bool uses(const ir::Inst& inst, const std::vector<bool>& values) {
    return std::ranges::any_of(ir::operands(inst.op),
                               [&](ValueId operand) { return values[operand.index]; }) ||
           std::ranges::any_of(ir::edges(inst.op), [&](const ir::Edge* edge) {
             return std::ranges::any_of(edge->args, [&](ValueId arg) { return values[arg.index]; });
           });
  }
  bool of_array(const ir::Inst& inst, ValueId array) const {
    return ir::element_of(definitions_, ir::operands(inst.op)[0])->in[0] == array;
  }
  bool adds_up(const ir::Inst& inst) const {
    const auto* update = std::get_if<ir::AtomicUpdate>(&inst.op);
    return update && update->order == ir::MemoryOrder::Relaxed &&
           update->operation != ir::AtomicOperation::Exchange && uses_[inst.result.index] == 0;
  }
  const ir::Function& kernel_;
  const Loop& loop_;
  const ValueId counter_;
  const ir::Definitions definitions_;
  const std::vector<uint32_t> uses_;
};

}  // namespace

ValueId number_behind(const ir::Function& kernel, const ir::Definitions& definitions, ValueId id) {
  auto counts = [&](ValueId number) {
    const Type& of = type(kernel.type_of(number));
    return of.kind == TypeKind::Scalar && is_integer(of.scalar) && info(of.scalar).bits >= 32;
  };
  while (const auto* convert = definitions.made_by<ir::Convert>(id)) {
    if (!counts(id) || !counts(convert->in[0])) break;
    id = convert->in[0];
  }
  return id;
}

std::vector<uint32_t> written_apart(const ir::Function& kernel, const Loop& loop, ValueId counter) {
  const std::vector<uint32_t> written = written_arrays(kernel);
  const Turns turns(kernel, loop, counter);
  if (written.empty() || turns.wait_for_others() || turns.ask_whose()) return {};
  const bool free = std::ranges::all_of(written, [&](uint32_t parameter) {
    const ValueId array = kernel.blocks[0].params[parameter];
    return turns.keep_apart(array) || turns.only_add_up(array);
  });
  return free ? written : std::vector<uint32_t>{};
}

}  // namespace hetjit::host
