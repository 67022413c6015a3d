// Five things are known of a kernel that say what cannot happen at an access:
//
//   memory of a thread's own is no other's, and that of parameters was written before the launch;
//   a read of an array races with nothing if no array that the kernel writes lies in its bytes,
//     which is asked once (`apart`) and not at every read;
//   atomic operations on shared memory race with nothing, and need order nothing, if only they use
//     it between the same barriers, and nothing else is told of there;
//   a read of shared memory races with nothing if nothing writes there between the same barriers;
//   an access races with nothing if all elements of the array that a thread uses are its own, at
//     its place in the launch, and no other array lies there; of shared memory, between the same
//     barriers, at its place in the block.
//
// So reads of tiles between two barriers and of arrays that only go in, and elements that a thread
// keeps to itself, cost little or nothing.
#include "compiler/host/phases/watched_accesses.h"

#include <algorithm>
#include <map>
#include <set>

#include "abi/type.h"
#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/own_elements.h"
#include "compiler/host/facts/roots.h"

namespace hetjit::host {
namespace {

bool writes(const ir::CheckAccess& access) { return access.kind != AccessKind::Read; }

bool is_plain(const ir::CheckAccess& access) {
  return access.kind == AccessKind::Read || access.kind == AccessKind::Write;
}

WatchFor without(WatchFor all, WatchFor one) {
  return static_cast<WatchFor>(static_cast<uint8_t>(all) & ~static_cast<uint8_t>(one));
}

bool is_contiguous(TypeId array) { return type(array).facts.order != Order::Strided; }

bool is_block_barrier(const ir::Op& op) { return ir::info(op).needs >= ir::Needs::Block; }

using Interval = std::vector<const ir::CheckAccess*>;

class Watches {
 public:
  explicit Watches(ir::Function& kernel) : kernel_(kernel), roots_(kernel), own_(kernel) {}

  void run() {
    each([&](ir::CheckAccess& access) {
      if (!has(access.watch, WatchFor::Order)) return;
      used_ |= roots(access);
      if (writes(access)) written_ |= roots(access);
      find_own(access);
    });
    from_barriers([&](const Interval& met) {
      for (const ir::CheckAccess* access : met) meet(*access, met);
    });
    each([&](ir::CheckAccess& access) { trim(access); });
    from_barriers([&](const Interval& met) { keep_orders(met); });
    each([&](ir::CheckAccess& access) {
      bool orders = !is_plain(access) && !(roots(access) & ~roots_.shared());
      if (orders && !orders_.contains(&access))
        access.watch = without(access.watch, WatchFor::Order);
    });
    for (ir::Block& block : kernel_.blocks)
      std::erase_if(block.insts, [](const ir::Inst& inst) {
        auto* access = std::get_if<ir::CheckAccess>(&inst.op);
        return access && access->watch == WatchFor{};
      });
    std::vector<ir::Inst>& first = kernel_.blocks[0].insts;
    first.insert(first.begin(), made_.begin(), made_.end());
  }

 private:
  template <class Visit>
  void each(Visit visit) {
    for (ir::Block& block : kernel_.blocks)
      for (ir::Inst& inst : block.insts)
        if (auto* access = std::get_if<ir::CheckAccess>(&inst.op)) visit(*access);
  }
  RootSet roots(const ir::CheckAccess& access) const { return roots_.of(access.in[0]); }

  void trim(ir::CheckAccess& access) {
    RootSet where = roots(access);
    if (!(where & ~roots_.parameters())) access.watch = without(access.watch, WatchFor::Contents);
    if (!has(access.watch, WatchFor::Order)) return;
    bool needless = where == Roots::kLocal;
    if (!(where & ~roots_.shared())) return trim_shared(access);
    if (!writes(access) && !(written_ & Roots::kUnknown) && !(where & ~roots_.parameters()))
      needless |= !guard(access, where);
    if (!needless) guard_own(access, where);
    if (needless) access.watch = without(access.watch, WatchFor::Order);
  }

  void trim_shared(ir::CheckAccess& access) {
    auto found = meetings_.find(&access);
    PlaceSet places = found == meetings_.end() ? kAnyPlace : found->second;
    if (is_plain(access) && places == kAnyPlace)
      access.watch = without(access.watch, WatchFor::Order);
    if (!is_plain(access) || access.watch != WatchFor::Order || !places) return;
    for (uint8_t axis = 0; axis < 3; ++axis)
      if (!(OwnElements::axes(places) >> axis & 1)) add_guard(access, is_flat(axis));
  }

  // False: there is nothing that the array could overlap.
  bool guard(ir::CheckAccess& access, RootSet where) {
    RootSet others = written_ & roots_.parameters();
    if (!others) return false;
    ValueId array = roots_.parameter(where);
    if (!array.valid() || (others & where) || access.guards || access.watch != WatchFor::Order)
      return true;
    if (static_cast<uint32_t>(__builtin_popcountll(others)) > kMostGuards) return true;
    for (; others; others &= others - 1)
      add_guard(access, apart_from(array, roots_.parameter(others & -others)));
    return true;
  }

  static void add_guard(ir::CheckAccess& access, ValueId guard) {
    access.in.insert(access.in.begin() + 1 + access.guards++, guard);
  }

  void find_own(const ir::CheckAccess& access) {
    for (RootSet left = roots(access) & roots_.parameters(); left; left &= left - 1) {
      ValueId array = roots_.parameter(left & -left);
      bool known = is_plain(access) && is_contiguous(kernel_.type_of(array));
      PlaceSet& places = places_.try_emplace(left & -left, kAnyPlace).first->second;
      places &= known ? own_.places(access.in[0], array) : 0;
    }
  }

  // Threads differ along the axes that tell elements apart, if they do not along others.
  void guard_own(ir::CheckAccess& access, RootSet where) {
    ValueId array = roots_.parameter(where);
    if (!array.valid() || access.guards || access.watch != WatchFor::Order) return;
    uint8_t axes = OwnElements::axes(places_.at(where));
    RootSet others = used_ & roots_.parameters() & ~where;
    auto count = static_cast<uint32_t>(__builtin_popcountll(others));
    if (!axes || (used_ & Roots::kUnknown) || count + 2 > kMostGuards) return;
    for (uint8_t axis = 0; axis < 3; ++axis)
      if (!(axes >> axis & 1)) add_guard(access, is_flat(axis));
    for (; others; others &= others - 1)
      add_guard(access, apart_from(array, roots_.parameter(others & -others)));
  }

  /// Has the launch one thread along the axis?
  ValueId is_flat(uint8_t axis) {
    if (flat_[axis].valid()) return flat_[axis];
    TypeId number = scalar_type(Scalar::UInt32);
    ir::BlockDimension block;
    ir::GridDimension grid;
    block.axis = grid.axis = axis;
    ir::Mul threads;
    threads.in = {make(block, number), make(grid, number)};
    ir::ConstInt one;
    one.bits = 1;
    ir::Compare compare;
    compare.kind = ir::Comparison::Eq;
    compare.in = {make(threads, number), make(one, number)};
    return flat_[axis] = make(compare, scalar_type(Scalar::Bool));
  }

  ValueId make(ir::Op op, TypeId type) {
    ValueId result{static_cast<uint32_t>(kernel_.types.size())};
    kernel_.types.push_back(type);
    made_.push_back({std::move(op), result, {}});
    return result;
  }

  ValueId apart_from(ValueId array, ValueId other) {
    auto [place, is_new] = aparts_.try_emplace({array.index, other.index});
    if (is_new) {
      ir::Apart op;
      op.in = {array, other};
      place->second = make(op, scalar_type(Scalar::Bool));
    }
    return place->second;
  }

  /// Visits the accesses that may come between the same two barriers.
  template <class Visit>
  void from_barriers(Visit visit) {
    visit(from(0, 0));
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block)
      for (size_t i = 0; i < kernel_.blocks[block].insts.size(); ++i)
        if (is_block_barrier(kernel_.blocks[block].insts[i].op)) visit(from(block, i + 1));
  }

  // Everything that can be reached from there without a barrier on the way.
  Interval from(uint32_t block, size_t begin) const {
    std::vector<bool> seen(kernel_.blocks.size());
    std::vector<uint32_t> left;
    Interval met;
    auto scan = [&](uint32_t at, size_t index) {
      const std::vector<ir::Inst>& insts = kernel_.blocks[at].insts;
      for (; index < insts.size(); ++index) {
        if (is_block_barrier(insts[index].op)) return;
        auto* access = std::get_if<ir::CheckAccess>(&insts[index].op);
        if (!access || !has(access->watch, WatchFor::Order)) continue;
        met.push_back(access);
      }
      for (const ir::Edge* edge : ir::edges(insts.back().op)) {
        if (seen[edge->to.index]) continue;
        seen[edge->to.index] = true;
        left.push_back(edge->to.index);
      }
    };
    for (scan(block, begin); !left.empty();) {
      uint32_t next = left.back();
      left.pop_back();
      scan(next, 0);
    }
    return met;
  }

  // Atomic operations on shared memory order what is told of between the same barriers.
  void keep_orders(const Interval& met) {
    bool told = std::any_of(met.begin(), met.end(), [](const ir::CheckAccess* access) {
      return is_plain(*access) && access->guards == 0;
    });
    if (told) orders_.insert(met.begin(), met.end());
  }

  /// What accesses of shared memory have in common with all others of it that may come between the
  /// same two barriers, where there is a write among them.
  void meet(const ir::CheckAccess& access, const Interval& others) {
    if (!(roots(access) & (roots_.shared() | Roots::kUnknown))) return;
    bool written = false;
    PlaceSet common = kAnyPlace;
    ValueId array, same;
    own_.places_in_block(access.in[0], array);
    for (const ir::CheckAccess* other : others) {
      if (!(roots(*other) & (roots(access) | Roots::kUnknown))) continue;
      written |= writes(*other);
      PlaceSet places = own_.places_in_block(other->in[0], same);
      common &= is_plain(*other) && same == array ? places : 0;
    }
    if (written) meetings_.try_emplace(&access, kAnyPlace).first->second &= common;
  }

  ir::Function& kernel_;
  const Roots roots_;
  const OwnElements own_;
  RootSet used_ = 0, written_ = 0;
  std::map<RootSet, PlaceSet> places_;  // by parameter: what all accesses have in common
  ValueId flat_[3];
  std::map<const ir::CheckAccess*, PlaceSet> meetings_;
  std::set<const ir::CheckAccess*> orders_;  // by which others may be ordered
  std::map<std::pair<uint32_t, uint32_t>, ValueId> aparts_;
  std::vector<ir::Inst> made_;  // for the kernel's beginning
};

}  // namespace

void drop_needless_watches(ir::Function& kernel) {
  bool any = false;
  for (const ir::Block& block : kernel.blocks)
    for (const ir::Inst& inst : block.insts)
      any |= std::holds_alternative<ir::CheckAccess>(inst.op);
  if (any) Watches(kernel).run();
}

}  // namespace hetjit::host
