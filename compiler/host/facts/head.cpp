#include "compiler/host/facts/head.h"

#include <algorithm>

#include "compiler/host/facts/bounds.h"

namespace hetjit::host {
namespace {

bool raises(const ir::Block& block) {
  return std::holds_alternative<ir::Raise>(block.insts.back().op);
}

/// Does a branch compare what steps evenly from lane to lane? Then it parts few warps.
bool asks_for_place(const Shapes& shapes, uint32_t block, const ir::Branch& op) {
  const auto* asked = shapes.definitions().made_by<ir::Compare>(op.in[0]);
  return asked && std::ranges::all_of(asked->in, [&](ValueId id) {
           return shapes.of(id, block).spread <= Spread::Affine;
         });
}

/// By which edge all lanes go on, where a branch asks them; null: not all by one.
const ir::Edge* way_on(const ir::Function& function, const Shapes& shapes, uint32_t block,
                       const ir::Branch& op) {
  bool yes_ends, no_ends;
  if (shapes.of(op.in[0], block) == kUniform) {
    yes_ends = only_returns(function.blocks[op.yes.to.index]);
    no_ends = only_returns(function.blocks[op.no.to.index]);
    if (yes_ends == no_ends) return nullptr;
  } else {
    yes_ends = gives_up(function, shapes, block, op.yes);
    no_ends = gives_up(function, shapes, block, op.no);
  }
  return yes_ends ? &op.no : no_ends ? &op.yes : nullptr;
}

}  // namespace

bool only_returns(const ir::Block& block) {
  return std::ranges::all_of(block.insts, [](const ir::Inst& inst) {
    return std::holds_alternative<ir::ConstNone>(inst.op) ||
           std::holds_alternative<ir::Return>(inst.op);
  });
}

bool gives_up(const ir::Function& function, const Shapes& shapes, uint32_t block,
              const ir::Edge& edge) {
  const ir::Block& to = function.blocks[edge.to.index];
  const auto& branch = std::get<ir::Branch>(function.blocks[block].insts.back().op);
  return raises(to) || (only_returns(to) && (block == 0 || asks_for_place(shapes, block, branch)));
}

bool writes(const ir::Op& op) {
  const ir::OpInfo& facts = ir::info(op);
  return facts.raises || (facts.effects & (ir::Writes | ir::Calls));
}

std::vector<bool> before_writes(const ir::Function& function, const Structure& structure,
                                const Shapes& shapes) {
  std::vector<bool> before(function.blocks.size());
  auto has_writes = [&](uint32_t block) {
    return std::ranges::any_of(function.blocks[block].insts,
                               [](const ir::Inst& inst) { return writes(inst.op); });
  };
  const std::vector<uint32_t>& order = structure.in_loop_order();
  auto first = std::ranges::find_if(order, has_writes);
  auto end = first == order.end() ? first : first + 1;
  for (auto each = order.begin(); each != end; ++each) before[*each] = true;
  for (const auto& loop : structure.loops()) {
    const bool has_first = first != order.end() && loop->holds(*first);
    if (!has_first && is_written_out(function, shapes, *loop)) continue;
    for (uint32_t block = 0; block < before.size(); ++block)
      if (loop->holds(block)) before[block] = false;
  }
  return before;
}

bool parts_at_ends(const ir::Function& function, const Structure& structure, const Shapes& shapes,
                   uint32_t block) {
  const auto* branch = std::get_if<ir::Branch>(&function.blocks[block].insts.back().op);
  const Loop* loop = structure.loop_of(block);
  return branch && !gives_up(function, shapes, block, branch->yes) &&
         !gives_up(function, shapes, block, branch->no) &&
         !(loop && asks_for_bounds(function, structure, shapes, *loop)) &&
         edge_question(function, shapes, loop, block).has_value();
}

bool has_rows_between_ends(const ir::Function& function, const Structure& structure,
                           const Shapes& shapes) {
  const std::vector<bool> before = before_writes(function, structure, shapes);
  for (uint32_t block = 0; block < before.size(); ++block) {
    if (!before[block]) continue;
    if (parts_at_ends(function, structure, shapes, block)) return true;
    for (const ir::Inst& inst : function.blocks[block].insts) {
      if (writes(inst.op)) break;
      if (ir::info(inst.op).access && shapes.is_row_between_ends(ir::operands(inst.op)[0]))
        return true;
    }
  }
  return false;
}

std::optional<uint32_t> next_of_head(const ir::Function& function, const Structure& structure,
                                     const Shapes& shapes, uint32_t block) {
  const ir::Block& here = function.blocks[block];
  if (std::ranges::any_of(here.insts, [](const ir::Inst& inst) { return writes(inst.op); }))
    return std::nullopt;
  const ir::Edge* on = nullptr;
  if (const auto* jump = std::get_if<ir::Jump>(&here.insts.back().op)) on = &jump->to;
  if (const auto* branch = std::get_if<ir::Branch>(&here.insts.back().op))
    on = way_on(function, shapes, block, *branch);
  if (!on || structure.loop_of(on->to.index)) return std::nullopt;
  return on->to.index;
}

}  // namespace hetjit::host
