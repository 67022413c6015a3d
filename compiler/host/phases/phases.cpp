// Liveness over the whole kernel, then one function per wait: the blocks that can be reached from
// behind it without another wait.
#include "compiler/host/phases/phases.h"

#include <map>

#include "compiler/ir/uses.h"
#include "compiler/passes/passes.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::host {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

/// By block: the values that are needed at its start.
std::vector<std::vector<bool>> live_at_start(const ir::Function& function) {
  ir::BlockLists successors = ir::successors(function);
  std::vector<uint32_t> order = reverse_post_order(successors);
  std::vector<std::vector<bool>> live(function.blocks.size(),
                                      std::vector<bool>(function.types.size()));
  auto visit = [&](uint32_t block) {
    std::vector<bool> now(function.types.size());
    for (uint32_t next : successors[block])
      for (size_t i = 0; i < now.size(); ++i) now[i] = now[i] || live[next][i];
    const std::vector<ir::Inst>& insts = function.blocks[block].insts;
    for (const ir::Edge* edge : ir::edges(insts.back().op)) {
      for (ValueId id : edge->args) now[id.index] = true;
    }
    for (auto inst = insts.rbegin(); inst != insts.rend(); ++inst) {
      if (inst->result.valid()) now[inst->result.index] = false;
      for (ValueId id : ir::operands(inst->op)) now[id.index] = true;
    }
    for (ValueId id : function.blocks[block].params) now[id.index] = false;
    bool changed = now != live[block];
    live[block] = std::move(now);
    return changed;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto block = order.rbegin(); block != order.rend(); ++block) changed |= visit(*block);
  }
  return live;
}

/// What all phases share.
struct Split {
  const Prepared& kernel;
  std::vector<std::vector<ValueId>> kept;  // by wait: what is needed behind it
  std::map<uint32_t, uint32_t> slot_of;    // by value
  Phases made;

  Split(const Prepared& kernel, const KernelShapes& shapes) : kernel(kernel), kept(waits()) {
    if (kernel.keeps_masks) made.slots.push_back({scalar_type(Scalar::UInt32), kVarying, false});
    std::vector<std::vector<bool>> live = live_at_start(kernel.function);
    for (uint32_t wait = 1; wait < waits(); ++wait)
      for (uint32_t i = 0; i < kernel.function.types.size(); ++i)
        if (live[kernel.behind[wait]][i] && !kernel.computed_first[i]) keep(wait, {i}, shapes);
    made.waits = kernel.waits;
  }

  size_t waits() const { return kernel.waits.size(); }

  void keep(uint32_t wait, ValueId id, const KernelShapes& shapes) {
    kept[wait].push_back(id);
    auto [place, fresh] = slot_of.try_emplace(id.index, uint32_t(made.slots.size()));
    if (fresh) made.slots.push_back({kernel.function.type_of(id), {}, true});
    Slot& slot = made.slots[place->second];
    uint32_t at = kernel.behind[wait];
    slot.shape = join(slot.shape, shapes.warp ? shapes.warp->of(id, at) : kVarying);
    slot.of_block = slot.of_block && shapes.block && shapes.block->of(id, at) == kUniform;
  }
};

/// One phase under construction.
///
/// A phase may begin inside of loops. What is left of their turn then stands before them, in blocks
/// of its own, so that every loop is still entered by its header: a block of the kernel is copied
/// once for each number of loops round the wait whose header was not passed yet.
class PhaseBuilder {
 public:
  PhaseBuilder(const Split& split, const Structure& structure, uint32_t wait, bool done_joins)
      : split_(split), whole_(split.kernel.function), wait_(wait), done_joins_(done_joins) {
    out_.name = whole_.name + ".phase" + std::to_string(wait);
    out_.parameter_names = whole_.parameter_names;
    out_.result = scalar_type(Scalar::UInt32);
    out_.types = whole_.types;
    out_.spans = whole_.spans;
    if (wait == 0) return;
    const Loop* loop = structure.loop_of(split.kernel.behind[wait]);
    for (; loop; loop = loop->parent) round_.insert(round_.begin(), loop);
  }

  ir::Function run(std::vector<uint32_t>& block_slots);

 private:
  struct Node {  // a block of the kernel, and how many of the loops round the wait are open
    uint32_t block, open;
    auto operator<=>(const Node&) const = default;
  };
  struct Repair;
  using Definitions = std::map<uint32_t, ValueId>;  // by block of the phase

  ValueId fresh(TypeId type) {
    out_.types.push_back(type);
    return {static_cast<uint32_t>(out_.types.size() - 1)};
  }
  ValueId number(uint32_t value, std::vector<ir::Inst>& to, SpanId where) {
    ir::ConstInt op;
    op.bits = value;
    ValueId id = fresh(scalar_type(Scalar::UInt32));
    to.push_back({op, id, where});
    return id;
  }
  Node after(Node from, uint32_t to) const;
  uint32_t place_of(Node node);

  void copy_blocks();
  void name_copies();
  void define(ValueId& id, uint32_t block);
  void begin(std::vector<uint32_t>& block_slots);
  ValueId take(ValueId id, std::vector<uint32_t>& block_slots, std::vector<ir::Inst>& to);
  void end_block(uint32_t block);
  void end_with(uint32_t next, std::vector<ir::Inst>& insts, SpanId where);
  uint32_t last() const { return static_cast<uint32_t>(out_.blocks.size() - 1); }

  const Split& split_;
  const ir::Function& whole_;
  const uint32_t wait_;
  const bool done_joins_;
  std::vector<const Loop*> round_;  // the loops round the wait, outer ones first
  ir::Function out_;
  std::vector<Node> nodes_;                      // by block of the phase
  std::map<Node, uint32_t> places_;              // and back
  std::map<uint32_t, ValueId> numbers_;          // of phases that are next
  std::map<uint32_t, Definitions> definitions_;  // by value of the kernel
};

PhaseBuilder::Node PhaseBuilder::after(Node from, uint32_t to) const {
  uint32_t open = from.open;
  for (uint32_t i = 0; i < open; ++i)
    if (round_[i]->header == to) return {to, i};
  while (open > 0 && !round_[open - 1]->holds(to)) --open;
  return {to, open};
}

uint32_t PhaseBuilder::place_of(Node node) {
  auto [place, fresh] = places_.try_emplace(node, uint32_t(nodes_.size()));
  if (fresh) nodes_.push_back(node);
  return place->second;
}

// Block 0 is the beginning, the last one the end; between them what can be reached.
void PhaseBuilder::copy_blocks() {
  nodes_.push_back({kNone, 0});
  uint32_t start = wait_ ? split_.kernel.behind[wait_] : 0;
  place_of({start, static_cast<uint32_t>(round_.size())});
  for (uint32_t next = 1; next < nodes_.size(); ++next) {
    Node node = nodes_[next];
    if (split_.kernel.wait_after[node.block]) continue;
    for (const ir::Edge* edge : ir::edges(whole_.blocks[node.block].insts.back().op))
      place_of(after(node, edge->to.index));
  }
  out_.blocks.resize(nodes_.size() + 1);
  for (size_t i = 1; i < nodes_.size(); ++i) out_.blocks[i] = whole_.blocks[nodes_[i].block];
  ir::Block& end = out_.blocks.back();
  end.params = {fresh(out_.result)};
  ir::Return leave;
  leave.in = {end.params[0]};
  end.insts.push_back({leave, {}, {}});
}

void PhaseBuilder::define(ValueId& id, uint32_t block) {
  Definitions& all = definitions_[id.index];
  ValueId own = all.empty() ? id : fresh(whole_.type_of(id));
  all[block] = own;
}

// The first copy of a definition keeps its number.
void PhaseBuilder::name_copies() {
  for (uint32_t block = 1; block < last(); ++block) {
    if (wait_ || block != 1)
      for (ValueId& id : out_.blocks[block].params) define(id, block);
    for (ir::Inst& inst : out_.blocks[block].insts)
      if (inst.result.valid()) define(inst.result, block);
  }
}

// The kernel's parameters; what every phase can compute; what was kept.
void PhaseBuilder::begin(std::vector<uint32_t>& block_slots) {
  ir::Block& start = out_.blocks[0];
  start.params = whole_.blocks[0].params;
  if (wait_ == 0) {
    out_.blocks[1].params.clear();
  } else {
    for (const ir::Inst& inst : whole_.blocks[0].insts)
      if (inst.result.valid() && split_.kernel.computed_first[inst.result.index])
        start.insts.push_back(inst);
    for (ValueId id : split_.kept[wait_])
      definitions_[id.index][0] = take(id, block_slots, start.insts);
  }
  ir::Jump jump;
  jump.to.to = {1};
  start.insts.push_back({jump, {}, {}});
}

ValueId PhaseBuilder::take(ValueId id, std::vector<uint32_t>& block_slots,
                           std::vector<ir::Inst>& to) {
  ValueId taken = definitions_.contains(id.index) ? fresh(whole_.type_of(id)) : id;
  uint32_t place = split_.slot_of.at(id.index);
  const Slot& slot = split_.made.slots[place];
  if (slot.of_block) {
    out_.blocks[0].params.push_back(taken);
    out_.parameter_names.push_back("kept" + std::to_string(place));
    block_slots.push_back(place);
    return taken;
  }
  ir::Take op;
  op.slot = place;
  op.spread = slot.shape.spread == Spread::Uniform  ? ir::KeptSpread::Uniform
              : slot.shape.spread == Spread::Affine ? ir::KeptSpread::Affine
                                                    : ir::KeptSpread::Varying;
  op.stride = static_cast<uint32_t>(slot.shape.stride);
  to.push_back({op, taken, {}});
  return taken;
}

// The same number is the same value: lanes that meet with it agree.
void PhaseBuilder::end_with(uint32_t next, std::vector<ir::Inst>& insts, SpanId where) {
  auto [known, fresh] = numbers_.try_emplace(next);
  if (fresh) {
    std::vector<ir::Inst>& start = out_.blocks[0].insts;
    ir::Inst jump = std::move(start.back());
    start.pop_back();
    known->second = number(next, start, where);
    start.push_back(std::move(jump));
  }
  ir::Jump jump;
  jump.to = {{last()}, {known->second}};
  insts.push_back({jump, {}, where});
}

// Edges to the blocks' new numbers; a wait or the kernel's end ends the phase.
void PhaseBuilder::end_block(uint32_t block) {
  std::vector<ir::Inst>& insts = out_.blocks[block].insts;
  ir::Inst end = std::move(insts.back());
  insts.pop_back();
  if (uint32_t wait = split_.kernel.wait_after[nodes_[block].block]) {
    for (ValueId id : split_.kept[wait]) {
      const Definitions& definitions = definitions_.at(id.index);
      if (definitions.size() == 1 && definitions.contains(0)) continue;  // lies in its slot
      ir::Keep keep;
      keep.in = {id};
      keep.slot = split_.slot_of.at(id.index);
      insts.push_back({keep, {}, end.where});
    }
    return end_with(wait, insts, end.where);
  }
  if (auto* leave = std::get_if<ir::Return>(&end.op)) {
    if (done_joins_) return end_with(0, insts, end.where);
    leave->in = {number(0, insts, end.where)};
  }
  for (ir::Edge* edge : ir::edges(end.op))
    edge->to.index = places_.at(after(nodes_[block], edge->to.index));
  insts.push_back(std::move(end));
}

/// A value with several definitions: what was taken, what copies of blocks make. Blocks where
/// several may arrive get a parameter. (Braun and others, "Simple and Efficient Construction of
/// Static Single Assignment Form", 2013, for one variable.)
struct PhaseBuilder::Repair {
  PhaseBuilder& phase;
  ValueId id;
  const Definitions& definitions;
  std::vector<std::vector<ir::IncomingEdge<ir::Edge>>> incoming;  // by block
  std::map<uint32_t, ValueId> known;  // by block: the parameter that it got
  /// By block: which definition holds at its start, by the definition's block; beyond the blocks'
  /// numbers that of a block where several meet.
  std::vector<uint32_t> origin;

  Repair(PhaseBuilder& phase, ValueId id, const Definitions& definitions)
      : phase(phase), id(id), definitions(definitions), incoming(ir::incoming(phase.out_)) {
    std::vector<bool> meets(incoming.size());
    while (!find_origins(meets)) {
    }
  }

  /// False: one more block was found where several definitions meet. Elsewhere no parameter may
  /// come between: behind a branch that parts lanes, what is the same for all would not look so.
  bool find_origins(std::vector<bool>& meets) {
    auto blocks = static_cast<uint32_t>(incoming.size());
    origin.assign(blocks, kNone);
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t block = 1; block < blocks; ++block) {
        uint32_t found = meets[block] ? blocks + block : kNone;
        for (auto [from, edge] : incoming[block]) {
          uint32_t one = definitions.contains(from) ? from : origin[from];
          if (meets[block] || one == kNone || one == found) continue;
          if (found != kNone) return !(meets[block] = true);
          found = one;
        }
        changed |= origin[block] != found;
        origin[block] = found;
      }
    }
    return true;
  }

  void run() {
    for (uint32_t block = 1; block < phase.last(); ++block) {
      auto own = definitions.find(block);
      bool defined = own != definitions.end() && is_parameter(block);
      auto now = [&] { return defined ? own->second : at_start(block); };
      if (defined) rename_parameter(block, own->second);
      for (size_t i = 0; i < phase.out_.blocks[block].insts.size(); ++i) {
        ir::Inst& inst = phase.out_.blocks[block].insts[i];
        for (ValueId& used : ir::operands(inst.op))
          if (used == id) used = now();
        for (ir::Edge* edge : ir::edges(inst.op))
          for (size_t k = 0; k < edge->args.size(); ++k)
            if (edge->args[k] == id && !added(*edge, k)) edge->args[k] = now();
        if (inst.result != id) continue;
        inst.result = own->second;
        defined = true;
      }
    }
  }

  bool is_parameter(uint32_t block) const {
    for (ValueId param : phase.whole_.blocks[phase.nodes_[block].block].params)
      if (param == id) return true;
    return false;
  }
  void rename_parameter(uint32_t block, ValueId own) {
    for (ValueId& param : phase.out_.blocks[block].params)
      if (param == id) param = own;
  }
  /// Arguments for the parameters that this repair has added are right already.
  bool added(const ir::Edge& edge, size_t index) const {
    auto found = known.find(edge.to.index);
    return found != known.end() && phase.out_.blocks[edge.to.index].params[index] == found->second;
  }
  ValueId at_end(uint32_t block) {
    auto own = definitions.find(block);
    return own != definitions.end() ? own->second : at_start(block);
  }
  ValueId at_start(uint32_t block) {
    if (origin[block] < incoming.size()) return definitions.at(origin[block]);
    HETJIT_CHECK(origin[block] != kNone);
    block = origin[block] - static_cast<uint32_t>(incoming.size());
    if (auto found = known.find(block); found != known.end()) return found->second;
    ValueId param = phase.fresh(phase.whole_.type_of(id));
    known[block] = param;
    phase.out_.blocks[block].params.push_back(param);
    for (auto [from, edge] : incoming[block]) edge->args.push_back(at_end(from));
    return param;
  }
};

ir::Function PhaseBuilder::run(std::vector<uint32_t>& block_slots) {
  copy_blocks();
  name_copies();
  begin(block_slots);
  for (uint32_t block = 1; block < last(); ++block) end_block(block);
  for (auto& [id, definitions] : definitions_)
    if (definitions.size() > 1) Repair(*this, {id}, definitions).run();
  return std::move(out_);
}

}  // namespace

Phases split(const Prepared& kernel, const Structure& structure, const KernelShapes& shapes,
             bool done_joins) {
  Split all(kernel, shapes);
  ir::Module module;
  all.made.block_slots.resize(all.waits());
  for (uint32_t wait = 0; wait < all.waits(); ++wait)
    module.functions.push_back(
        PhaseBuilder(all, structure, wait, done_joins).run(all.made.block_slots[wait]));
  passes::remove_dead_code(module);
  all.made.functions = std::move(module.functions);
  return std::move(all.made);
}

}  // namespace hetjit::host
