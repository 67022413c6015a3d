#include "compiler/host/plan/rows_as_one.h"

#include <algorithm>
#include <utility>

#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/head.h"
#include "compiler/host/plan/side_by_side.h"

namespace hetjit::host {
namespace {

constexpr uint8_t kRowAxis = 1;

bool may_be_repeated(const ir::Op& op) {
  const ir::OpInfo& facts = ir::info(op);
  if (std::holds_alternative<ir::Load>(op) || std::holds_alternative<ir::Store>(op)) return true;
  return (facts.effects == ir::Pure || facts.effects == ir::Ends) && !facts.raises &&
         facts.needs == ir::Needs::Nothing;
}

/// Which values are another in each row.
std::vector<bool> differing(const ir::Function& kernel, const Structure& structure) {
  std::vector<bool> differs(kernel.types.size());
  auto differ = [&](ValueId id) { return differs[id.index]; };
  bool changed = true;
  auto mark = [&](ValueId id) {
    changed = changed || !differs[id.index];
    differs[id.index] = true;
  };
  while (std::exchange(changed, false))
    for (const uint32_t block : structure.reverse_post_order())
      for (const ir::Inst& inst : kernel.blocks[block].insts) {
        const auto* place = std::get_if<ir::ThreadIndex>(&inst.op);
        if (inst.result.valid() && ((place && place->axis == kRowAxis) ||
                                    std::ranges::any_of(ir::operands(inst.op), differ)))
          mark(inst.result);
        for (const ir::Edge* edge : ir::edges(inst.op))
          for (size_t i = 0; i < edge->args.size(); ++i)
            if (differ(edge->args[i])) mark(kernel.blocks[edge->to.index].params[i]);
      }
  return differs;
}

/// Writes the kernel for several rows.
class RowWriter {
 public:
  RowWriter(const ir::Function& kernel, const Structure& structure, const Shapes& shapes,
            unsigned rows)
      : kernel_(kernel),
        structure_(structure),
        shapes_(shapes),
        rows_(rows),
        differs_(differing(kernel, structure)) {}

  std::optional<RowsAsOne> run() {
    if (!one_way()) return std::nullopt;
    made_.name = kernel_.name;
    made_.parameter_names = kernel_.parameter_names;
    made_.result = kernel_.result;
    made_.spans = kernel_.spans;
    made_.blocks.resize(kernel_.blocks.size());
    copies_.resize(kernel_.types.size());
    const auto again = static_cast<uint32_t>(kernel_.blocks.size());
    for (const uint32_t block : structure_.reverse_post_order())
      for (const ValueId param : kernel_.blocks[block].params)
        for (unsigned row = 0; row < copies_of(param); ++row)
          made_.blocks[block].params.push_back(copy(param));
    for (const uint32_t block : structure_.reverse_post_order()) write(block, again);
    if (asks_) made_.blocks.push_back(returning(*asks_));
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block)
      if (!structure_.reachable(block)) made_.blocks[block] = unreachable();
    return RowsAsOne{std::move(made_), rows_, 1, again};
  }

 private:
  /// Do all rows go the same way, but for those that go nowhere, and can all they do be repeated?
  bool one_way() const {
    const std::vector<bool> head = asking_blocks();
    for (const uint32_t block : structure_.reverse_post_order())
      for (const ir::Inst& inst : kernel_.blocks[block].insts) {
        if (!may_be_repeated(inst.op)) return false;
        const auto* store = std::get_if<ir::Store>(&inst.op);
        if (store && !differs_[store->in[0].index]) return false;
        const auto* branch = std::get_if<ir::Branch>(&inst.op);
        if (branch && differs_[branch->in[0].index] && !head[block]) return false;
      }
    return true;
  }
  /// By block: at the kernel's head, where all lanes of a row that have a place come together and
  /// nothing was written, does it ask whether to go on, the same for the whole row?
  std::vector<bool> asking_blocks() const {
    std::vector<bool> asks(kernel_.blocks.size());
    uint32_t block = 0;
    for (;;) {
      const std::vector<ir::Inst>& insts = kernel_.blocks[block].insts;
      if (structure_.loop_of(block) ||
          std::ranges::any_of(insts, [](const ir::Inst& inst) { return writes(inst.op); }))
        return asks;
      const auto* branch = std::get_if<ir::Branch>(&insts.back().op);
      if (!branch) return asks;
      const bool by_yes = only_returns(kernel_.blocks[branch->yes.to.index]);
      const ir::Edge &out = by_yes ? branch->yes : branch->no,
                     &on = by_yes ? branch->no : branch->yes;
      if (!only_returns(kernel_.blocks[out.to.index]) || !out.args.empty()) return asks;
      const bool same = shapes_.of(branch->in[0], block) == kUniform;
      if (!same && !gives_up(kernel_, shapes_, block, out)) return asks;
      asks[block] = same;
      block = on.to.index;
    }
  }

  unsigned copies_of(ValueId id) const { return differs_[id.index] ? rows_ : 1; }
  ValueId copy(ValueId of) {
    made_.types.push_back(kernel_.type_of(of));
    copies_[of.index].push_back({static_cast<uint32_t>(made_.types.size() - 1)});
    return copies_[of.index].back();
  }
  ValueId in_row(ValueId id, unsigned row) const {
    const std::vector<ValueId>& copies = copies_[id.index];
    return copies[std::min<size_t>(row, copies.size() - 1)];
  }
  ir::Op of_row(ir::Op op, unsigned row) const {
    for (ValueId& operand : ir::operands(op)) operand = in_row(operand, row);
    return op;
  }
  ValueId fresh(TypeId type) {
    made_.types.push_back(type);
    return {static_cast<uint32_t>(made_.types.size() - 1)};
  }
  template <class AnyOp, class... In>
  ValueId make(const ir::Inst& at, AnyOp op, TypeId type, In... in) {
    if constexpr (sizeof...(In) > 0) op.in = {in...};
    const ValueId result = fresh(type);
    made_.blocks[block_].insts.push_back({std::move(op), result, at.where});
    return result;
  }

  void write(uint32_t block, uint32_t again) {
    block_ = block;
    for (const ir::Inst& inst : kernel_.blocks[block].insts) {
      if (ir::info(inst.op).effects & ir::Ends)
        end(inst, again);
      else
        repeat(inst);
    }
  }
  void repeat(const ir::Inst& inst) {
    const auto* store = std::get_if<ir::Store>(&inst.op);
    const ValueId telling = store ? store->in[0] : inst.result;
    for (unsigned row = 0; row < copies_of(telling); ++row) {
      const auto* place = std::get_if<ir::ThreadIndex>(&inst.op);
      if (place && place->axis == kRowAxis && row > 0) {
        const TypeId type = kernel_.type_of(inst.result);
        const ValueId number = make(inst, ir::ConstInt{{}, row}, type);
        const ValueId first = copies_[inst.result.index][0];
        copies_[inst.result.index].push_back(make(inst, ir::Add{}, type, first, number));
        continue;
      }
      ir::Op op = of_row(inst.op, row);
      const ValueId result = inst.result.valid() ? copy(inst.result) : ValueId{};
      made_.blocks[block_].insts.push_back({std::move(op), result, inst.where});
    }
  }
  void end(const ir::Inst& inst, uint32_t again) {
    ir::Op op = of_row(inst.op, 0);
    for (ir::Edge* edge : ir::edges(op)) expand(*edge);
    auto* branch = std::get_if<ir::Branch>(&op);
    const ValueId asked = branch ? std::get<ir::Branch>(inst.op).in[0] : ValueId{};
    if (branch && differs_[asked.index]) {
      ir::Edge* out = only_returns(kernel_.blocks[branch->yes.to.index]) ? &branch->yes : nullptr;
      const bool by_yes = out != nullptr;
      if (!out) out = &branch->no;
      asks_ = inst.where;
      out->to = {again};
      ValueId whole = in_row(asked, 0);
      for (unsigned row = 1; row < rows_; ++row) {
        const TypeId type = kernel_.type_of(asked);
        whole = by_yes ? make(inst, ir::BitOr{}, type, whole, in_row(asked, row))
                       : make(inst, ir::BitAnd{}, type, whole, in_row(asked, row));
      }
      branch->in[0] = whole;
    }
    made_.blocks[block_].insts.push_back({std::move(op), {}, inst.where});
  }
  void expand(ir::Edge& edge) const {
    std::vector<ValueId> args;
    const std::vector<ValueId>& params = kernel_.blocks[edge.to.index].params;
    for (size_t i = 0; i < params.size(); ++i)
      for (unsigned row = 0; row < copies_of(params[i]); ++row)
        args.push_back(in_row(edge.args[i], row));
    edge.args = std::move(args);
  }
  ir::Block returning(SpanId where) {
    ir::Return end;
    end.in = {fresh(none_type())};
    return {{}, {{ir::ConstNone{}, end.in[0], where}, {end, {}, where}}};
  }
  static ir::Block unreachable() { return {{}, {{ir::Unreachable{}, {}, {}}}}; }

  const ir::Function& kernel_;
  const Structure& structure_;
  const Shapes& shapes_;
  const unsigned rows_;
  const std::vector<bool> differs_;
  ir::Function made_;
  std::vector<std::vector<ValueId>> copies_;  // by value of the kernel: by row
  std::optional<SpanId> asks_;                // where rows may part, if they may
  uint32_t block_ = 0;
};

}  // namespace

std::optional<RowsAsOne> write_rows_as_one(const ir::Function& kernel, const Structure& structure,
                                           const Shapes& shapes, unsigned rows) {
  return RowWriter(kernel, structure, shapes, rows).run();
}

std::optional<RowsAsOne> choose_rows_as_one(const ir::Function& kernel, const Structure& structure,
                                            const Shapes& shapes, unsigned width, unsigned vectors,
                                            size_t register_bytes) {
  for (unsigned rows = kMostRowsAsOne; rows > 1; rows /= 2) {
    std::optional<RowsAsOne> made = write_rows_as_one(kernel, structure, shapes, rows);
    if (!made) return std::nullopt;
    const std::optional<Structure> own = Structure::find(made->kernel);
    const size_t carried =
        carried_bytes(made->kernel, *own, Shapes(made->kernel, *own, shapes.lanes()), width);
    if (carried == 0) return std::nullopt;
    for (const unsigned side_by_side : {vectors, 1u})
      if (2 * carried * side_by_side <= register_bytes) {
        made->vectors = side_by_side;
        return made;
      }
  }
  return std::nullopt;
}

}  // namespace hetjit::host
