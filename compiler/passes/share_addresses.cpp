// Neighbours have one address: of a[i, j - 1], a[i, j] and a[i, j + 1] the first is computed, and
// the others are so many bytes further, which machines add to an address for nothing.
//
// LLVM does so itself only where it can prove what the language knows: that no index wraps, and
// that j is not negative. Elements share an address where all are accessed or none: within a block,
// up to an op that may end the thread. The address is that of the first element accessed, which
// therefore lies in the array; or, if that is j + c, of j, when j is not negative. Elements of a
// thread's own array do not: LLVM takes them into registers, and loops over them apart, by what
// each has for an index.
#include <algorithm>
#include <map>
#include <tuple>

#include "abi/layout.h"
#include "compiler/ir/edit.h"
#include "compiler/ir/numbers.h"
#include "compiler/ir/uses.h"
#include "compiler/passes/limits.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/value_ranges.h"

namespace hetjit::passes {
namespace {

/// Values by what they are, so that the same sum written twice is one. Of a function that stays as
/// it is.
class Numbering {
 public:
  explicit Numbering(const ir::Function& function)
      : function_(function), definitions_(function), known_(function.types.size()) {}

  template <class AnyOp>
  const AnyOp* made_by(ValueId id) const {
    return definitions_.made_by<AnyOp>(id);
  }

  std::optional<uint8_t> unit_axis(ValueId array) const {
    return ir::unit_axis(function_, definitions_, array);
  }

  /// Does it lie in a thread's own memory?
  bool is_own(ValueId array) const {
    auto* made = made_by<ir::MakeArray>(array);
    return made && made_by<ir::LocalMemory>(made->in[0]);
  }

  /// Of the first value found that is the same.
  uint32_t number(ValueId id) {
    if (!known_[id.index].valid()) known_[id.index] = first_like(id);
    return known_[id.index].index;
  }

 private:
  using Key = std::tuple<size_t, TypeId, uint64_t, uint32_t, uint32_t>;

  ValueId first_like(ValueId id) {
    const ir::Op* op = definitions_.of(id);
    auto* constant = made_by<ir::ConstInt>(id);
    auto* extent = made_by<ir::Extent>(id);
    bool sum = made_by<ir::Add>(id) || made_by<ir::Sub>(id) || made_by<ir::Mul>(id) ||
               made_by<ir::Convert>(id);
    if (!constant && !extent && !sum) return id;
    uint64_t detail = constant ? constant->bits : extent ? extent->axis : 0;
    uint32_t of[2] = {UINT32_MAX, UINT32_MAX};
    std::span<const ValueId> operands = ir::operands(*op);
    for (size_t i = 0; i < operands.size(); ++i) of[i] = number(operands[i]);
    Key key{op->index(), function_.type_of(id), detail, of[0], of[1]};
    return by_meaning_.try_emplace(key, id).first->second;
  }

  const ir::Function& function_;
  const ir::Definitions definitions_;
  std::vector<ValueId> known_;  // by value
  std::map<Key, ValueId> by_meaning_;
};

/// An index as a value and a distance, whose sum does not wrap. No value: zero.
struct Split {
  ValueId value;
  Wide distance = 0;
};

/// Elements of one array that differ by known distances along the axis on which they follow one
/// another.
struct Group {
  size_t run = 0;
  size_t place = 0;             // of that axis's index among an element's operands
  std::optional<Wide> first;    // of those accessed
  bool value_is_index = false;  // the value they share is not negative
  Wide base = 0;                // the distance of the element whose address they share
  ValueId address;              // its address, once there is one
};

struct Member {
  size_t group;
  Split index;
};

/// Which elements go together.
class Finder {
 public:
  explicit Finder(const ir::Function& function)
      : function_(function), numbering_(function), ranges_(function) {
    for (uint32_t block = 0; block < function.blocks.size(); ++block) {
      begin_run();
      for (const ir::Inst& inst : function.blocks[block].insts) look_at(inst, {block});
    }
    for (Group& group : groups)
      if (group.first)
        group.base = group.value_is_index ? std::min(*group.first, Wide{0}) : *group.first;
  }

  std::vector<Group> groups;
  std::map<uint32_t, Member> members;  // by the element's address

 private:
  using Key = std::vector<uint32_t>;  // the array, the other indices, its value

  void begin_run() {
    of_run_.clear();
    ++run_;
  }

  void look_at(const ir::Inst& inst, BlockId block) {
    if (auto* element = std::get_if<ir::ElementAddress>(&inst.op))
      return add(*element, inst.result, block);
    const ir::OpInfo& facts = ir::info(inst.op);
    if (facts.access && !(facts.access & ir::Atomic)) return note_access(ir::operands(inst.op)[0]);
    if (facts.effects != ir::Pure) begin_run();
  }

  void add(const ir::ElementAddress& op, ValueId result, BlockId block) {
    const std::optional<uint8_t> unit = numbering_.unit_axis(op.in[0]);
    if (!unit || numbering_.is_own(op.in[0])) return;
    const size_t place = 1u + *unit;
    Split index = split(op.in[place], block);
    if (index.distance < -kFarAway || index.distance > kFarAway) return;
    Key key;
    for (size_t i = 0; i < op.in.size(); ++i)
      if (i != place) key.push_back(numbering_.number(op.in[i]));
    key.push_back(index.value.valid() ? numbering_.number(index.value) : UINT32_MAX);
    auto [found, is_new] = of_run_.try_emplace(std::move(key), groups.size());
    if (is_new) {
      Group& group = groups.emplace_back();
      group.run = run_;
      group.place = place;
      group.value_is_index = !index.value.valid() || ranges_.interval(index.value, block).lo >= 0;
    }
    members[result.index] = {found->second, index};
  }

  // An access in a later run says nothing of this one.
  void note_access(ValueId address) {
    auto found = members.find(address.index);
    if (found == members.end()) return;
    Group& group = groups[found->second.group];
    if (group.run != run_) return;
    Wide distance = found->second.index.distance;
    group.first = group.first ? std::min(*group.first, distance) : distance;
  }

  Split split(ValueId id, BlockId block) const {
    if (auto number = constant(id)) return {{}, *number};
    Split parts{id, 0};
    while (std::optional<Split> next = step(parts.value, block))
      parts = {next->value, parts.distance + next->distance};
    return parts;
  }

  // A sum or difference with a constant that does not wrap.
  std::optional<Split> step(ValueId id, BlockId block) const {
    std::optional<Split> parts;
    if (auto* sum = numbering_.made_by<ir::Add>(id)) {
      for (int side : {0, 1})
        if (auto number = constant(sum->in[side])) parts = {sum->in[1 - side], *number};
    } else if (auto* difference = numbering_.made_by<ir::Sub>(id)) {
      if (auto number = constant(difference->in[1])) parts = {difference->in[0], -*number};
    }
    if (!parts || constant(parts->value)) return std::nullopt;
    Interval is = ranges_.interval(parts->value, block);
    Interval all = numbers_of(type(function_.type_of(id)).scalar);
    bool fits = all.holds({is.lo + parts->distance, is.hi + parts->distance});
    return fits ? parts : std::nullopt;
  }

  std::optional<Wide> constant(ValueId id) const {
    auto* number = numbering_.made_by<ir::ConstInt>(id);
    if (!number) return std::nullopt;
    return number_of(type(function_.type_of(id)).scalar, number->bits);
  }

  const ir::Function& function_;
  Numbering numbering_;
  ValueRanges ranges_;
  std::map<Key, size_t> of_run_;  // its groups
  size_t run_ = 0;
};

/// Writes the addresses anew.
class Sharer {
 public:
  Sharer(ir::Function& function, Finder found) : found_(std::move(found)), at_(function) {}

  bool run() {
    return at_.run([&](ir::Inst& inst) -> std::optional<ValueId> {
      auto* op = std::get_if<ir::ElementAddress>(&inst.op);
      auto member = op ? found_.members.find(inst.result.index) : found_.members.end();
      if (member == found_.members.end()) return std::nullopt;
      const Split& index = member->second.index;
      Group& group = found_.groups[member->second.group];
      if (!group.first) return std::nullopt;
      if (!group.address.valid()) {
        if (index.distance == group.base) {
          group.address = inst.result;
          return std::nullopt;
        }
        group.address = element(*op, index.value, group, at_.type_of(inst.result));
      }
      return moved(group.address, index.distance - group.base, at_.type_of(inst.result));
    });
  }

 private:
  ValueId constant(TypeId type, Wide value) {
    uint64_t bits = ir::wrap_bits(hetjit::type(type).scalar, static_cast<uint64_t>(value));
    return at_.number(bits, type);
  }

  ValueId element(ir::ElementAddress op, ValueId value, const Group& group, TypeId pointer) {
    ValueId& index = op.in[group.place];
    TypeId type = at_.type_of(index);
    index = value.valid() ? value : constant(type, group.base);
    if (value.valid() && group.base != 0)
      index = at_.make<ir::Add>(type, value, constant(type, group.base));
    return at_.emit(std::move(op), pointer);
  }

  ValueId moved(ValueId address, Wide elements, TypeId pointer) {
    if (elements == 0) return address;
    Wide bytes = elements * Wide{layout(type(pointer).element).stride()};
    return at_.make<ir::MoveAddress>(pointer, address, constant(scalar_type(Scalar::Int64), bytes));
  }

  Finder found_;
  ir::Editor at_;
};

}  // namespace

bool share_addresses(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions)
    changed |= Sharer(function, Finder(function)).run();
  return changed;
}

}  // namespace hetjit::passes
