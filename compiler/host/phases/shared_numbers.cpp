//   b1: v1 = add i, k; branch v1 < n, b2, b3      b1: v1 = add i, k; branch v1 < n, b2, b3
//   b2: v2 = add i, k; … element x, v2            b2: … element x, v1
#include "compiler/host/phases/shared_numbers.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "compiler/host/facts/structure.h"
#include "compiler/ir/edit.h"
#include "compiler/ir/uses.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::host {
namespace {

/// What an op has beside its operands, of those that integers and indices are made with; nullopt:
/// it is none of them.
std::optional<uint64_t> detail(const auto&) { return std::nullopt; }
std::optional<uint64_t> detail(const ir::Add&) { return 0; }
std::optional<uint64_t> detail(const ir::Sub&) { return 0; }
std::optional<uint64_t> detail(const ir::Mul&) { return 0; }
std::optional<uint64_t> detail(const ir::FloorDiv&) { return 0; }
std::optional<uint64_t> detail(const ir::Mod&) { return 0; }
std::optional<uint64_t> detail(const ir::Neg&) { return 0; }
std::optional<uint64_t> detail(const ir::Abs&) { return 0; }
std::optional<uint64_t> detail(const ir::BitAnd&) { return 0; }
std::optional<uint64_t> detail(const ir::BitOr&) { return 0; }
std::optional<uint64_t> detail(const ir::BitXor&) { return 0; }
std::optional<uint64_t> detail(const ir::BitNot&) { return 0; }
std::optional<uint64_t> detail(const ir::ShiftLeft&) { return 0; }
std::optional<uint64_t> detail(const ir::ShiftRight&) { return 0; }
std::optional<uint64_t> detail(const ir::WrapIndex&) { return 0; }
std::optional<uint64_t> detail(const ir::Convert&) { return 0; }
std::optional<uint64_t> detail(const ir::ConstInt& op) { return op.bits; }
std::optional<uint64_t> detail(const ir::Extent& op) { return op.axis; }

using Key = std::tuple<size_t, TypeId, uint64_t, std::vector<uint32_t>>;

bool is_whole(TypeId id) { return is_scalar(id) && is_integer(type(id).scalar); }

std::optional<Key> key_of(const ir::Function& function, const ir::Inst& inst) {
  if (!inst.result.valid() || !is_whole(function.type_of(inst.result))) return std::nullopt;
  const std::optional<uint64_t> own =
      std::visit([](const auto& op) { return detail(op); }, inst.op);
  if (!own) return std::nullopt;
  std::vector<uint32_t> operands;
  for (ValueId id : ir::operands(inst.op)) operands.push_back(id.index);
  if (ir::info(inst.op).commutes) std::ranges::sort(operands);
  return Key{inst.op.index(), function.type_of(inst.result), *own, std::move(operands)};
}

struct Made {
  ValueId value;
  uint32_t block;
};

/// Behind a loop that lanes leave apart each has its own turn's number: what is made anew there
/// need not be kept from turn to turn.
bool is_in_reach(const Structure& structure, uint32_t made, uint32_t block) {
  const Loop* loop = structure.loop_of(made);
  return !loop || loop->holds(block);
}

/// Loads by one address of a block, until something may be written.
class Loads {
 public:
  /// The value that was loaded by the same address before.
  std::optional<ValueId> again(const ir::Editor& at, const ir::Inst& inst) {
    if (at.block() != block_) before_.clear(), block_ = at.block();
    const ir::OpInfo& facts = ir::info(inst.op);
    if ((facts.effects & (ir::Writes | ir::Calls)) || facts.together()) before_.clear();
    const auto* load = std::get_if<ir::Load>(&inst.op);
    const auto* element = load ? at.made_by<ir::ElementAddress>(load->in[0]) : nullptr;
    if (!element) return std::nullopt;
    const auto [made, is_new] =
        before_.try_emplace({element->in.begin(), element->in.end()}, inst.result);
    return is_new ? std::nullopt : std::optional(made->second);
  }

 private:
  BlockId block_;
  std::map<std::vector<ValueId>, ValueId> before_;  // by the array and its indices
};

}  // namespace

bool share_numbers(ir::Function& function) {
  const std::optional<Structure> structure = Structure::find(function);
  if (!structure) return false;
  const Dominators tree(ir::successors(function));
  std::map<Key, std::vector<Made>> known;
  Loads loads;
  ir::Editor at(function);
  return at.run([&](ir::Inst& inst) -> std::optional<ValueId> {
    if (const std::optional<ValueId> loaded = loads.again(at, inst)) return loaded;
    std::optional<Key> key = key_of(at.function(), inst);
    if (!key) return std::nullopt;
    const uint32_t block = at.block().index;
    std::vector<Made>& before = known[std::move(*key)];
    const auto found = std::ranges::find_if(before, [&](const Made& made) {
      return tree.dominates(made.block, block) && is_in_reach(*structure, made.block, block);
    });
    if (found != before.end()) return found->value;
    before.push_back({inst.result, block});
    return std::nullopt;
  });
}

}  // namespace hetjit::host
