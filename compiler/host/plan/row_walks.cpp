#include "compiler/host/plan/row_walks.h"

#include <algorithm>
#include <cstdlib>

#include "compiler/host/facts/any_op.h"
#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/counted_loops.h"
#include "compiler/host/facts/row_reads.h"
#include "compiler/host/plan/estimates.h"
#include "compiler/host/plan/grid_rows.h"
#include "compiler/ir/uses.h"

namespace hetjit::host {
namespace {

/// How much a number grows from turn to turn of a loop.
struct Growth {
  const ir::Function& kernel;
  const ir::Definitions& definitions;
  const Loop& loop;
  int depth = 0;
  using Step = std::optional<int64_t>;

  Step of(ValueId id) const {
    if (!loop.holds(definitions.home(id))) return 0;
    if (depth == kStepDepth) return std::nullopt;
    const ir::Op* op = definitions.of(id);
    const Growth next{kernel, definitions, loop, depth + 1};
    return op ? std::visit(next, *op) : next.of_counter(id);
  }
  template <class Op>
  requires(!(Op::info.knowledge & ir::Stepped)) Step operator()(const Op& op) const {
    return unchanging(op);
  }
  Step operator()(const ir::WrapIndex& op) const { return of(op.in[0]); }
  Step operator()(const ir::Convert& op) const { return of(op.in[0]); }
  Step operator()(const ir::Add& op) const { return sum(op.in[0], op.in[1], 1); }
  Step operator()(const ir::Sub& op) const { return sum(op.in[0], op.in[1], -1); }
  Step operator()(const ir::Select& op) const { return unchanging(op); }
  Step operator()(const ir::Mod& op) const { return unchanging(op); }

  /// Made anew in each turn of what stays.
  template <class Op>
  Step unchanging(const Op& op) const {
    const bool stays =
        Op::info.effects == ir::Pure &&
        std::ranges::all_of(ir::operands(op), [&](ValueId id) { return of(id) == 0; });
    return stays ? Step(0) : std::nullopt;
  }
  Step sum(ValueId a, ValueId b, int64_t sign) const {
    const Step left = of(a), right = of(b);
    return left && right ? Step(*left + sign * *right) : std::nullopt;
  }
  /// A parameter of the loop's head that a constant is added to on the way round.
  Step of_counter(ValueId id) const {
    const std::vector<ValueId>& params = kernel.blocks[loop.header].params;
    const auto found = std::ranges::find(params, id);
    if (found == params.end()) return std::nullopt;
    Step step;
    for (uint32_t block = 0; block < kernel.blocks.size(); ++block)
      for (const ir::Edge* edge : ir::edges(kernel.blocks[block].insts.back().op)) {
        if (!loop.holds(block) || edge->to.index != loop.header) continue;
        const Step own = added(edge->args[found - params.begin()], id);
        if (!own || (step && step != own)) return std::nullopt;
        step = own;
      }
    return step;
  }
  Step added(ValueId next, ValueId before) const {
    const auto* sum = definitions.made_by<ir::Add>(next);
    const auto* number = sum ? definitions.made_by<ir::ConstInt>(sum->in[1]) : nullptr;
    if (!number || sum->in[0] != before) return std::nullopt;
    return static_cast<int32_t>(number->bits);
  }
};

/// What turns of loops cost a thread, in loads of one vector.
class Turns {
 public:
  Turns(const ir::Function& kernel, const Structure& structure, const Shapes& shapes,
        unsigned width, WalkingRows rows)
      : kernel_(kernel), structure_(structure), shapes_(shapes), width_(width), rows_(rows) {
    if (rows.alike) {
      turned_ = kernel;
      turn(turned_, {1, 0, 2});
      across_.emplace(turned_, structure, Lanes{View::Row, width, 1, /*of_grid=*/true});
    }
    for (const ir::Block& block : kernel.blocks)
      for (const ir::Edge* edge : ir::edges(block.insts.back().op)) ++entries_[edge->to.index];
  }

  /// Are the costs of all loops known?
  bool add_all() {
    for (const auto& loop : structure_.loops())
      if (is_innermost(*loop) && !add(*loop)) return false;
    return true;
  }
  /// Thread by thread is so many times as fast.
  double gain() const { return alone_ != 0 ? side_by_side_ / alone_ : 0; }
  bool walk() const { return walks_ != 0 && 2 * walks_ >= each_its_own_; }

 private:
  bool is_innermost(const Loop& loop) const {
    return std::ranges::none_of(structure_.loops(),
                                [&](const auto& other) { return other->parent == &loop; });
  }
  /// Does it end when a counter comes to an end that was known before it began? And are its turns
  /// the same for all threads?
  bool is_counted(const Loop& loop) const {
    const ir::Op& last = kernel_.blocks[loop.header].insts.back().op;
    const auto* branch = std::get_if<ir::Branch>(&last);
    const auto* end = branch ? shapes_.definitions().made_by<ir::Compare>(branch->in[0]) : nullptr;
    if (!end || loop.exits != 1) return false;
    const Growth growth{kernel_, shapes_.definitions(), loop};
    if (!growth.of(end->in[0]) || !growth.of(end->in[1])) return false;
    const bool few_may_part = may_be_vectors(loop) && only_adds(loop);
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block)
      if (loop.holds(block) && block != loop.header && shapes_.diverges(block) &&
          !(few_may_part && parts_lightly(block)))
        return false;
    return true;
  }
  /// Are the numbers that are carried from turn to turn asked by nothing but sums, beside the
  /// loop's own question?
  bool only_adds(const Loop& loop) const {
    const std::vector<ValueId>& carried = kernel_.blocks[loop.header].params;
    const Growth growth{kernel_, shapes_.definitions(), loop};
    auto is_counter = [&](ValueId id) { return growth.of(id).has_value(); };
    auto is_float = [&](ValueId id) {
      return id.valid() && is_scalar(kernel_.type_of(id)) &&
             is_floating(type(kernel_.type_of(id)).scalar);
    };
    auto adds = [&](const ir::Inst& inst) {
      if (is_float(inst.result)) return false;
      return std::holds_alternative<ir::Add>(inst.op) || std::holds_alternative<ir::Sub>(inst.op) ||
             std::ranges::none_of(ir::operands(inst.op), [&](ValueId id) {
               return std::ranges::find(carried, id) != carried.end() && !is_counter(id);
             });
    };
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block)
      if (loop.holds(block) && !std::ranges::all_of(kernel_.blocks[block].insts, adds))
        return false;
    return true;
  }
  /// Is what only some lanes do behind the block as well computed for nothing? Vectors of one
  /// thread's turns do so.
  bool parts_lightly(uint32_t block) const {
    return std::ranges::all_of(ir::edges(kernel_.blocks[block].insts.back().op),
                               [&](const ir::Edge* edge) {
                                 const uint32_t to = edge->to.index;
                                 return entries_[to] != 1 || is_light(to, block);
                               });
  }
  bool is_light(uint32_t block, uint32_t before) const {
    const std::vector<ir::Inst>& insts = kernel_.blocks[block].insts;
    return insts.size() <= kFewOperations && std::ranges::all_of(insts, [&](const ir::Inst& inst) {
             const ir::OpInfo& facts = ir::info(inst.op);
             return (!facts.access || is_loaded(inst, before)) && facts.cost != ir::Cost::Dear;
           });
  }
  /// Has the block that comes before loaded the same element?
  bool is_loaded(const ir::Inst& inst, uint32_t before) const {
    const auto* load = std::get_if<ir::Load>(&inst.op);
    const ir::ElementAddress* element =
        load ? ir::element_of(shapes_.definitions(), load->in[0]) : nullptr;
    return element && std::ranges::any_of(kernel_.blocks[before].insts, [&](const ir::Inst& one) {
             const auto* other = std::get_if<ir::Load>(&one.op);
             const ir::ElementAddress* there =
                 other ? ir::element_of(shapes_.definitions(), other->in[0]) : nullptr;
             return there && std::ranges::equal(element->in, there->in, [&](ValueId a, ValueId b) {
                      return before_widened(a) == before_widened(b);
                    });
           });
  }
  ValueId before_widened(ValueId id) const {
    const auto* convert = shapes_.definitions().made_by<ir::Convert>(id);
    return convert ? convert->in[0] : id;
  }
  /// Nothing but whole numbers is carried from turn to turn, whose sums LLVM may take in any order;
  /// and no element that is another one in each turn may count from the end.
  bool may_be_vectors(const Loop& loop) const {
    return std::ranges::all_of(kernel_.blocks[loop.header].params,
                               [&](ValueId param) {
                                 const TypeId id = kernel_.type_of(param);
                                 return is_scalar(id) && is_integer(type(id).scalar);
                               }) &&
           !walks_from_ends(loop);
  }
  bool walks_from_ends(const Loop& loop) const {
    return any_inst(loop, [&](const ir::Inst& inst) {
      const auto* wrap = std::get_if<ir::WrapIndex>(&inst.op);
      return wrap && Growth{kernel_, shapes_.definitions(), loop}.of(wrap->in[0]) != 0;
    });
  }
  /// So few turns, known from the text, that those of several such loops are under way at a time.
  bool is_short(const Loop& loop) const {
    const std::optional<int64_t> turns = known_turns(kernel_, shapes_.definitions(), loop);
    return turns && *turns <= kFewTurns;
  }
  bool adds_floats(const Loop& loop) const {
    return std::ranges::any_of(kernel_.blocks[loop.header].params, [&](ValueId param) {
      const TypeId id = kernel_.type_of(param);
      return is_scalar(id) && is_floating(type(id).scalar);
    });
  }
  template <class Asked>
  bool any_inst(const Loop& loop, Asked asked) const {
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block)
      if (loop.holds(block) && std::ranges::any_of(kernel_.blocks[block].insts, asked)) return true;
    return false;
  }

  bool add(const Loop& loop) {
    if (!is_counted(loop)) return false;
    double alone = 0, side_by_side = 0;
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block)
      for (const ir::Inst& inst : kernel_.blocks[block].insts) {
        if (!loop.holds(block)) continue;
        const auto [one, share] = cost_of(inst, loop);
        alone += one;
        side_by_side += share;
      }
    if (may_be_vectors(loop))
      alone *= kAloneAsVectors;
    else if (adds_floats(loop) && !is_short(loop))
      alone = std::max(alone, kCarriedFloat);
    if (shapes_.leaves_apart(&loop)) {
      side_by_side *= kLanesApart;
      if (rows_.has_masks) alone += kUnforeseenTurns;
    }
    double turns = 1;
    for (const Loop* outer = loop.parent; outer; outer = outer->parent) turns *= kUsualTurns;
    alone_ += turns * alone;
    side_by_side_ += turns * side_by_side;
    return true;
  }

  /// Of one thread by itself, and of one among `width_`.
  std::pair<double, double> cost_of(const ir::Inst& inst, const Loop& loop) {
    const ir::OpInfo& facts = ir::info(inst.op);
    const double work = weight_of(inst.op);
    if (facts.access) {
      const ValueId address = ir::operands(inst.op)[0];
      if (!is_each_its_own(shapes_, address)) return {kAloneOperation, 1.0 / width_};
      ++each_its_own_;
      walks_ += walks(address, loop);
      const double one = is_turned(inst) ? kTurnedAccess : kLaneAccess;
      const bool once = across_ && across_->of(address) == kUniform;
      return {kAloneOperation, once ? one / kMostRowsAsOne : one};
    }
    if (!inst.result.valid() || shapes_.of(inst.result).spread != Spread::Varying) return {0, 0};
    const bool asks = std::holds_alternative<ir::WrapIndex>(inst.op);
    return {makes_index(inst) && !asks ? 0 : work * kAloneOperation, work / width_};
  }
  /// Are some turns' elements read at once?
  bool is_turned(const ir::Inst& inst) const {
    const auto* load = std::get_if<ir::Load>(&inst.op);
    const RowReads reads{kernel_, structure_, shapes_, width_};
    return load && reads.find(*load, shapes_.home(inst.result)).has_value();
  }
  bool makes_index(const ir::Inst& inst) const {
    const TypeId id = kernel_.type_of(inst.result);
    const bool whole = is_scalar(id) && is_integer(type(id).scalar);
    return type(id).kind == TypeKind::Pointer ||
           (whole && ir::info(inst.op).cost == ir::Cost::Index);
  }
  bool walks(ValueId address, const Loop& loop) const {
    const ir::ElementAddress* element = ir::element_of(shapes_.definitions(), address);
    const auto unit = element ? shapes_.unit_axis(element->in[0]) : std::nullopt;
    if (!unit) return false;
    const auto step = Growth{kernel_, shapes_.definitions(), loop}.of(element->in[1u + *unit]);
    return step && std::abs(*step) == 1;
  }

  const ir::Function& kernel_;
  const Structure& structure_;
  const Shapes& shapes_;
  const unsigned width_;
  const WalkingRows rows_;
  std::vector<uint32_t> entries_ = std::vector<uint32_t>(kernel_.blocks.size());  // by block
  ir::Function turned_;
  std::optional<Shapes> across_;  // of threads above one another, where they load the same
  double alone_ = 0, side_by_side_ = 0;
  int walks_ = 0, each_its_own_ = 0;
};

}  // namespace

std::optional<std::string> why_threads_walk(const ir::Function& kernel, const Structure& structure,
                                            const Shapes& shapes, unsigned width,
                                            WalkingRows rows) {
  Turns turns(kernel, structure, shapes, width, rows);
  const bool has_locals =
      any_op(kernel, [](const ir::Op& op) { return std::holds_alternative<ir::LocalMemory>(op); });
  if (structure.loops().empty() || has_locals || !turns.add_all() || !turns.walk() ||
      turns.gain() <= 1)
    return std::nullopt;
  return "each walks along memory of its own; " + vectors_would_take(turns.gain());
}

}  // namespace hetjit::host
