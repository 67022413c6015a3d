#include "compiler/host/facts/row_reads.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "abi/layout.h"
#include "compiler/host/facts/costs.h"

namespace hetjit::host {
namespace {

constexpr unsigned kIndexBits = 32;

/// How much an integer grows from turn to turn. Of numbers of 32 bits or more: one that begins anew
/// is no index of an array whose offsets all fit 32 bits.
class Turned {
 public:
  Turned(const ir::Function& kernel, const ir::Definitions& definitions, const Loop& loop)
      : kernel_(kernel), definitions_(definitions), loop_(loop) {}

  using Step = std::optional<int64_t>;

  Step of(ValueId id, int depth = 0) const {
    if (!loop_.holds(definitions_.home(id))) return 0;
    if (depth == kStepDepth) return std::nullopt;
    const ir::Op* op = definitions_.of(id);
    if (!op) return of_counter(id);
    if (is_number(id)) {
      const auto* sum = std::get_if<ir::Add>(op);
      const auto* difference = std::get_if<ir::Sub>(op);
      if (sum) return both(of(sum->in[0], depth + 1), of(sum->in[1], depth + 1), 1);
      if (difference)
        return both(of(difference->in[0], depth + 1), of(difference->in[1], depth + 1), -1);
      const auto* convert = std::get_if<ir::Convert>(op);
      if (convert && is_number(convert->in[0])) return of(convert->in[0], depth + 1);
    }
    const bool stays =
        ir::info(*op).effects == ir::Pure &&
        std::ranges::all_of(ir::operands(*op), [&](ValueId in) { return of(in, depth + 1) == 0; });
    return stays ? Step(0) : std::nullopt;
  }

 private:
  bool is_number(ValueId id) const {
    const TypeId of = kernel_.type_of(id);
    return is_scalar(of) && is_integer(type(of).scalar) && info(type(of).scalar).bits >= kIndexBits;
  }
  static Step both(Step a, Step b, int64_t sign) {
    return a && b ? Step(*a + sign * *b) : std::nullopt;
  }
  /// A parameter of the head that every way round hands on with one constant added.
  Step of_counter(ValueId id) const {
    const std::vector<ValueId>& params = kernel_.blocks[loop_.header].params;
    const auto found = std::ranges::find(params, id);
    if (found == params.end() || !is_number(id)) return std::nullopt;
    Step step;
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block)
      for (const ir::Edge* edge : ir::edges(kernel_.blocks[block].insts.back().op)) {
        if (!loop_.holds(block) || edge->to.index != loop_.header) continue;
        const auto* sum = definitions_.made_by<ir::Add>(edge->args[found - params.begin()]);
        const auto* number = sum ? definitions_.made_by<ir::ConstInt>(sum->in[1]) : nullptr;
        if (!number || sum->in[0] != id || number->bits != 1) return std::nullopt;
        step = 1;
      }
    return step;
  }

  const ir::Function& kernel_;
  const ir::Definitions& definitions_;
  const Loop& loop_;
};

/// Does the loop end at its head and nowhere else, when a counter comes to its limit?
std::optional<RowRead> counted(const ir::Function& kernel, const ir::Definitions& definitions,
                               const Loop& loop) {
  const auto* branch = std::get_if<ir::Branch>(&kernel.blocks[loop.header].insts.back().op);
  if (!branch || loop.exits != 1) return std::nullopt;
  const bool on_yes = loop.holds(branch->yes.to.index);
  const auto* asked = definitions.made_by<ir::Compare>(branch->in[0]);
  if (on_yes == loop.holds(branch->no.to.index) || !asked) return std::nullopt;
  if (definitions.home(branch->in[0]) != loop.header) return std::nullopt;
  ir::Comparison kind = on_yes ? asked->kind : ir::opposite(asked->kind);
  RowRead made{&loop, asked->in[0], asked->in[1]};
  if (kind == ir::Comparison::Gt) {
    kind = ir::Comparison::Lt;
    std::swap(made.counter, made.limit);
  }
  const Turned turned(kernel, definitions, loop);
  if (kind != ir::Comparison::Lt || turned.of(made.counter) != 1 || turned.of(made.limit) != 0)
    return std::nullopt;
  return made;
}

/// The element that an address is of, or lies some bytes behind.
const ir::ElementAddress* neighbour_of(const ir::Definitions& definitions, ValueId address) {
  const auto* move = definitions.made_by<ir::MoveAddress>(address);
  if (move && definitions.made_by<ir::ConstInt>(move->in[1])) address = move->in[0];
  return definitions.made_by<ir::ElementAddress>(address);
}

}  // namespace

bool only_reads(const ir::Function& kernel, const Loop& loop) {
  for (uint32_t block = 0; block < kernel.blocks.size(); ++block)
    for (const ir::Inst& inst : kernel.blocks[block].insts) {
      const ir::OpInfo& facts = ir::info(inst.op);
      if (loop.holds(block) && (facts.raises || (facts.effects & (ir::Writes | ir::Calls))))
        return false;
    }
  return true;
}

std::optional<RowRead> RowReads::find(const ir::Load& load, uint32_t block) const {
  const Loop* loop = structure.loop_of(block);
  const Shape address = shapes.of(load.in[0]);
  const bool apart =
      address.spread == Spread::Varying || std::abs(address.stride) >= kFarNeighbours;
  if (!loop || !apart || block == loop->header || !loop->goes_on[block] ||
      shapes.leaves_apart(loop) || !only_reads(kernel, *loop))
    return std::nullopt;
  const ir::Definitions& definitions = shapes.definitions();
  const ir::ElementAddress* element = neighbour_of(definitions, load.in[0]);
  if (!element || element->in.size() < 2 || !loop->holds(shapes.home(load.in[0])))
    return std::nullopt;
  const Type& array = type(kernel.type_of(element->in[0]));
  const std::optional<uint8_t> unit = shapes.unit_axis(element->in[0]);
  if (!unit || array.facts.index_bits != kIndexBits || !is_scalar(array.element) ||
      is_complex(type(array.element).scalar))
    return std::nullopt;
  const Turned turned(kernel, definitions, *loop);
  for (size_t i = 0; i < element->in.size(); ++i)
    if (turned.of(element->in[i]) != (i == 1u + *unit ? 1 : 0)) return std::nullopt;
  const std::optional<RowRead> found = counted(kernel, definitions, *loop);
  return found && turns(load) >= kFewestTurned ? found : std::nullopt;
}

unsigned RowReads::turns(const ir::Load& load) const {
  const auto bytes = layout(type(kernel.type_of(load.in[0])).element).stride();
  return std::bit_floor(std::min(width, static_cast<unsigned>(kRegisterBytes / bytes)));
}

size_t RowReads::count(const Loop* loop) const {
  size_t found = 0;
  for (uint32_t block = 0; block < kernel.blocks.size(); ++block)
    for (const ir::Inst& inst : kernel.blocks[block].insts) {
      const auto* load = std::get_if<ir::Load>(&inst.op);
      if (load && (!loop || structure.loop_of(block) == loop))
        found += find(*load, block).has_value();
    }
  return found;
}

}  // namespace hetjit::host
