#include "compiler/host/facts/held_elements.h"

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/host/facts/any_op.h"
#include "compiler/host/facts/structure.h"
#include "compiler/host/facts/written_arrays.h"
#include "compiler/ir/edit.h"
#include "compiler/ir/uses.h"

namespace hetjit::host {
namespace {

/// The one load and the one store of an element in a loop, in this order in a block that each turn
/// passes.
struct Sum {
  uint32_t block;
  size_t load, store;  // instructions of it
};

class Loops {
 public:
  explicit Loops(const ir::Function& kernel, const Structure& structure)
      : kernel_(kernel), structure_(structure), definitions_(kernel) {}

  std::optional<Sum> sum_of(const Loop& loop) const {
    if (!ends_at_head(kernel_, loop) || has_inner(loop) || !only_accesses(loop))
      return std::nullopt;
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block)
      if (loop.holds(block) && loop.goes_on[block])
        if (const std::optional<Sum> found = sum_in(loop, block)) return found;
    return std::nullopt;
  }
  /// Is it the same in each turn, by numbers alone?
  bool stays(ValueId id, const Loop& loop) const {
    if (!loop.holds(definitions_.home(id))) return true;
    const ir::Op* op = definitions_.of(id);
    return op && only_computes(*op) &&
           std::ranges::all_of(ir::operands(*op), [&](ValueId in) { return stays(in, loop); });
  }
  const ir::Op* made(ValueId id) const { return definitions_.of(id); }
  uint32_t home(ValueId id) const { return definitions_.home(id); }

 private:
  bool has_inner(const Loop& loop) const {
    return std::ranges::any_of(structure_.loops(),
                               [&](const auto& other) { return other->parent == &loop; });
  }
  template <class Asked>
  bool all_insts(const Loop& loop, Asked asked) const {
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block)
      if (loop.holds(block) && !std::ranges::all_of(kernel_.blocks[block].insts,
                                                    [&](const auto& i) { return asked(block, i); }))
        return false;
    return true;
  }
  /// Numbers, loads, stores and branches; at its head numbers alone.
  bool only_accesses(const Loop& loop) const {
    return all_insts(loop, [&](uint32_t block, const ir::Inst& inst) {
      const bool ends =
          std::holds_alternative<ir::Jump>(inst.op) || std::holds_alternative<ir::Branch>(inst.op);
      const bool accesses =
          std::holds_alternative<ir::Load>(inst.op) || std::holds_alternative<ir::Store>(inst.op);
      return ends || only_computes(inst.op) || (accesses && block != loop.header);
    });
  }

  std::optional<Sum> sum_in(const Loop& loop, uint32_t block) const {
    const std::vector<ir::Inst>& insts = kernel_.blocks[block].insts;
    for (size_t store = 0; store < insts.size(); ++store) {
      if (!std::holds_alternative<ir::Store>(insts[store].op)) continue;
      const auto array = accessed_parameter(kernel_, definitions_, insts[store].op);
      const ValueId to = ir::operands(insts[store].op)[0];
      if (!array || !definitions_.made_by<ir::ElementAddress>(to) || !stays(to, loop)) continue;
      for (size_t load = 0; load < store; ++load)
        if (std::holds_alternative<ir::Load>(insts[load].op) && can_be_held(insts[load].result) &&
            same(ir::operands(insts[load].op)[0], to) && accesses(loop, *array) == 2)
          return Sum{block, load, store};
    }
    return std::nullopt;
  }
  bool can_be_held(ValueId id) const {
    const TypeId of = kernel_.type_of(id);
    return is_scalar(of) && (is_integer(type(of).scalar) || is_floating(type(of).scalar));
  }
  int accesses(const Loop& loop, uint32_t array) const {
    int count = 0;
    all_insts(loop, [&](uint32_t, const ir::Inst& inst) {
      count +=
          ir::info(inst.op).access && accessed_parameter(kernel_, definitions_, inst.op) == array;
      return true;
    });
    return count;
  }
  bool same(ValueId a, ValueId b) const {
    if (a == b) return true;
    const ir::Op *one = made(a), *other = made(b);
    if (!one || !other || one->index() != other->index() ||
        kernel_.type_of(a) != kernel_.type_of(b))
      return false;
    if (const auto* extent = std::get_if<ir::Extent>(one))
      return extent->axis == std::get<ir::Extent>(*other).axis &&
             same(extent->in[0], std::get<ir::Extent>(*other).in[0]);
    const bool follows = std::holds_alternative<ir::ElementAddress>(*one) ||
                         std::holds_alternative<ir::Convert>(*one) ||
                         std::holds_alternative<ir::WrapIndex>(*one);
    return follows && std::ranges::equal(ir::operands(*one), ir::operands(*other),
                                         [&](ValueId x, ValueId y) { return same(x, y); });
  }

  const ir::Function& kernel_;
  const Structure& structure_;
  const ir::Definitions definitions_;
};

/// Rewrites one loop:
///
///   b0: jump h(k)               b0: jump g(k)
///   h(k): branch k < n, b, x    g(k'): branch k' < n, p, q           its first question
///   b: v = load c; …            p: v' = load c; jump h(k', v', true)
///      store c, w; jump h(k2)   q: jump h(k', 0, false)
///                               h(k, v, any): branch k < n, b, s
///                               b: …; jump h(k2, w, any)
///                               s: branch any, t, x
///                               t: store c, v; jump x
class Holding {
 public:
  Holding(ir::Function& kernel, const Loops& loops, const Loop& loop, Sum sum)
      : kernel_(kernel),
        loops_(loops),
        loop_(loop),
        sum_(sum),
        load_(kernel.blocks[sum.block].insts[sum.load]),
        store_(kernel.blocks[sum.block].insts[sum.store]),
        where_(store_.where),
        element_(kernel.type_of(load_.result)),
        carried_(ir::new_value(kernel, element_)),
        any_(ir::new_value(kernel, truth_)) {}

  void run() {
    auto entries = ir::incoming(kernel_)[loop_.header];
    const uint32_t guard = ask_first();
    for (const auto& in : entries) redirect(in, guard);
    carry();
    write_back();
  }

 private:
  /// g, p and q: where the loop is entered from then on.
  uint32_t ask_first() {
    const ir::Block head = kernel_.blocks[loop_.header];
    const uint32_t guard = add_block(), held = add_block(), none = add_block();
    std::map<uint32_t, ValueId> own;
    std::vector<ValueId> begin;
    for (ValueId param : head.params) {
      const ValueId mine = ir::new_value(kernel_, kernel_.type_of(param));
      kernel_.blocks[guard].params.push_back(mine);
      begin.push_back(own[param.index] = mine);
    }
    for (size_t i = 0; i + 1 < head.insts.size(); ++i) copy(guard, head.insts[i], own);
    const auto& asked = std::get<ir::Branch>(head.insts.back().op);
    ir::Branch first;
    first.in = {renamed(asked.in[0], own)};
    first.yes.to = {loop_.holds(asked.yes.to.index) ? held : none};
    first.no.to = {loop_.holds(asked.yes.to.index) ? none : held};
    put(guard, first);
    ir::Load load;
    load.in = {copy_of(held, ir::operands(store_.op)[0])};
    jump(held, loop_.header, begin, {put(held, load, element_), constant(held, 1, truth_)});
    jump(none, loop_.header, begin, {zero(none, element_), constant(none, 0, truth_)});
    return guard;
  }
  /// h and b.
  void carry() {
    std::vector<ValueId>& params = kernel_.blocks[loop_.header].params;
    params.insert(params.end(), {carried_, any_});
    std::vector<ir::Inst>& insts = kernel_.blocks[sum_.block].insts;
    insts.erase(insts.begin() + static_cast<std::ptrdiff_t>(sum_.store));
    insts.erase(insts.begin() + static_cast<std::ptrdiff_t>(sum_.load));
    rename(load_.result, carried_);
  }
  /// s and t.
  void write_back() {
    const uint32_t end = add_block(), write = add_block();
    auto& leaves = std::get<ir::Branch>(kernel_.blocks[loop_.header].insts.back().op);
    ir::Edge& out = loop_.holds(leaves.yes.to.index) ? leaves.no : leaves.yes;
    const ir::Edge after = std::exchange(out, {{end}, {}});
    ir::Branch was_any;
    was_any.in = {any_};
    was_any.yes.to = {write};
    was_any.no = after;
    put(end, was_any);
    ir::Store store;
    store.in = {copy_of(write, ir::operands(store_.op)[0]), carried_};
    put(write, store);
    ir::Jump on;
    on.to = after;
    put(write, on);
  }

  uint32_t add_block() {
    kernel_.blocks.emplace_back();
    return static_cast<uint32_t>(kernel_.blocks.size() - 1);
  }
  ValueId put(uint32_t block, ir::Op op, TypeId type) {
    const ValueId made = ir::new_value(kernel_, type);
    kernel_.blocks[block].insts.push_back({std::move(op), made, where_});
    return made;
  }
  void put(uint32_t block, ir::Op op) {
    kernel_.blocks[block].insts.push_back({std::move(op), {}, where_});
  }
  ValueId constant(uint32_t block, uint64_t bits, TypeId type) {
    ir::ConstInt made;
    made.bits = bits;
    return put(block, made, type);
  }
  ValueId zero(uint32_t block, TypeId of) {
    return is_integer(type(of).scalar) ? constant(block, 0, of) : put(block, ir::ConstFloat(), of);
  }
  void jump(uint32_t block, uint32_t to, std::vector<ValueId> args,
            std::initializer_list<ValueId> more) {
    args.insert(args.end(), more);
    ir::Jump made;
    made.to = {{to}, std::move(args)};
    put(block, made);
  }
  static ValueId renamed(ValueId id, const std::map<uint32_t, ValueId>& own) {
    const auto found = own.find(id.index);
    return found == own.end() ? id : found->second;
  }
  void copy(uint32_t block, ir::Inst inst, std::map<uint32_t, ValueId>& own) {
    for (ValueId& in : ir::operands(inst.op)) in = renamed(in, own);
    if (inst.result.valid())
      inst.result = own[inst.result.index] = ir::new_value(kernel_, kernel_.type_of(inst.result));
    kernel_.blocks[block].insts.push_back(std::move(inst));
  }
  /// What stays from turn to turn, made here once more.
  ValueId copy_of(uint32_t block, ValueId id) {
    if (!loop_.holds(loops_.home(id))) return id;
    ir::Op op = *loops_.made(id);
    for (ValueId& in : ir::operands(op)) in = copy_of(block, in);
    return put(block, std::move(op), kernel_.type_of(id));
  }
  void redirect(const ir::IncomingEdge<ir::Edge>& in, uint32_t guard) {
    if (loop_.holds(in.from))
      in.edge->args.insert(in.edge->args.end(), {ir::operands(store_.op)[1], any_});
    else
      in.edge->to = {guard};
  }
  void rename(ValueId from, ValueId to) {
    auto all = [&](auto&& ids) {
      for (ValueId& id : ids)
        if (id == from) id = to;
    };
    for (ir::Block& block : kernel_.blocks)
      for (ir::Inst& inst : block.insts) {
        all(ir::operands(inst.op));
        for (ir::Edge* edge : ir::edges(inst.op)) all(edge->args);
      }
  }

  ir::Function& kernel_;
  const Loops& loops_;
  const Loop& loop_;
  const Sum sum_;
  const ir::Inst load_, store_;
  const SpanId where_;
  const TypeId element_, truth_ = scalar_type(Scalar::Bool);
  const ValueId carried_, any_;  // by the loop: the element, and whether it was read
};

/// Holds an element of one loop, if there is one.
bool hold_one(ir::Function& kernel) {
  const ir::Function before = kernel;
  const std::optional<Structure> structure = Structure::find(before);
  if (!structure) return false;
  const Loops loops(before, *structure);
  for (const auto& loop : structure->loops())
    if (const std::optional<Sum> sum = loops.sum_of(*loop)) {
      Holding(kernel, loops, *loop, *sum).run();
      return true;
    }
  return false;
}

}  // namespace

std::optional<HeldElements> hold_elements(const ir::Function& kernel) {
  HeldElements made{kernel, written_arrays(kernel)};
  if (made.written.empty() || !hold_one(made.kernel)) return std::nullopt;
  while (hold_one(made.kernel)) {
  }
  return made;
}

}  // namespace hetjit::host
