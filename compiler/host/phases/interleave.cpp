#include "compiler/host/phases/interleave.h"

#include <algorithm>
#include <set>

#include "abi/layout.h"
#include "compiler/host/facts/shape.h"
#include "compiler/ir/edit.h"
#include "compiler/ir/uses.h"

namespace hetjit::host {
namespace {

/// What values of a function have to do with local memory.
class LocalUses {
 public:
  explicit LocalUses(const ir::Function& function)
      : function_(function), definitions_(function), uses_(function.types.size()) {
    for (const ir::Block& block : function.blocks)
      for (const ir::Inst& inst : block.insts)
        if (inst.result.valid()) uses_[inst.result.index] = use_of(inst.op);
  }

  /// The memory that a value leads to, by the value that names it.
  ValueId memory(ValueId id) const {
    const Use& use = uses_[id.index];
    if (use.what == What::Memory) return id;
    return use.what == What::Nothing ? ValueId{} : memory(use.from);
  }
  bool is_element(ValueId id) const { return uses_[id.index].what == What::Element; }

  /// Adds the memory of which this function uses more than elements.
  void add_unsuitable(std::set<uint32_t>& to) const {
    auto add = [&](ValueId id) {
      if (ValueId found = memory(id); found.valid()) to.insert(found.index);
    };
    for (const ir::Block& block : function_.blocks)
      for (const ir::Inst& inst : block.insts) {
        std::span<const ValueId> operands = ir::operands(inst.op);
        for (size_t i = 0; i < operands.size(); ++i)
          if (!is_suitable(inst, operands[i], i)) add(operands[i]);
        for (const ir::Edge* edge : ir::edges(inst.op))
          for (ValueId id : edge->args) add(id);
        auto* local = std::get_if<ir::LocalMemory>(&inst.op);
        if (local && local_stride(*local) > kFarthestStride) to.insert(inst.result.index);
      }
  }

 private:
  enum class What : uint8_t { Nothing, Memory, Array, Element };
  struct Use {
    What what = What::Nothing;
    ValueId from;
  };

  Use use_of(const ir::Op& op) const {
    if (std::holds_alternative<ir::LocalMemory>(op)) return {What::Memory, {}};
    if (auto* array = std::get_if<ir::MakeArray>(&op))
      if (definitions_.made_by<ir::LocalMemory>(array->in[0])) return {What::Array, array->in[0]};
    if (auto* element = std::get_if<ir::ElementAddress>(&op))
      if (auto* array = definitions_.made_by<ir::MakeArray>(element->in[0]))
        if (definitions_.made_by<ir::LocalMemory>(array->in[0]))
          return {What::Element, element->in[0]};
    return {};
  }

  bool is_suitable(const ir::Inst& inst, ValueId operand, size_t place) const {
    switch (uses_[operand.index].what) {
      case What::Nothing:
        return true;
      case What::Memory:
        return place == 0 && std::holds_alternative<ir::MakeArray>(inst.op) &&
               has_scalars(type(function_.type_of(inst.result)));
      case What::Array:
        return place == 0 && (std::holds_alternative<ir::ElementAddress>(inst.op) ||
                              std::holds_alternative<ir::Extent>(inst.op) ||
                              std::holds_alternative<ir::Stride>(inst.op));
      case What::Element:
        return place == 0 && (std::holds_alternative<ir::Load>(inst.op) ||
                              std::holds_alternative<ir::Store>(inst.op));
    }
    return false;
  }
  static bool has_scalars(const Type& array) {
    return array.rank > 0 && array.facts.order == Order::Contiguous &&
           is_scalar(without_align(array.element));
  }

  const ir::Function& function_;
  const ir::Definitions definitions_;
  std::vector<Use> uses_;  // by value
};

/// Writes the addresses of elements anew.
class Interleaver {
 public:
  Interleaver(ir::Function& function, const std::set<uint32_t>& unsuitable, unsigned lanes)
      : uses_(function), unsuitable_(unsuitable), lanes_(lanes), at_(function) {}

  void run() {
    at_.run([&](ir::Inst& inst) -> std::optional<ValueId> {
      auto* op = std::get_if<ir::ElementAddress>(&inst.op);
      if (!op || !uses_.is_element(inst.result)) return std::nullopt;
      ValueId memory = uses_.memory(inst.result);
      if (unsuitable_.contains(memory.index)) return std::nullopt;
      return element(*op, memory, at_.type_of(inst.result));
    });
  }

 private:
  // The memory's beginning for lane l is l strides away, where its first element is to be l
  // elements away.
  ValueId element(const ir::ElementAddress& op, ValueId memory, TypeId pointer) {
    auto size = static_cast<int64_t>(layout(type(pointer).element).stride());
    int64_t back = size - local_stride(*at_.made_by<ir::LocalMemory>(memory));
    ValueId lane = at_.emit(ir::LaneIndex{}, scalar_type(Scalar::UInt32));
    ValueId first = move(memory, multiply(word(lane), constant(back)), at_.type_of(memory));
    ValueId row = multiply(position(op), constant(size * int64_t{lanes_}));
    return move(first, row, pointer);
  }

  /// Of an element among the array's.
  ValueId position(const ir::ElementAddress& op) {
    const ir::MakeArray array = *at_.made_by<ir::MakeArray>(op.in[0]);
    ValueId sum = word(op.in[1]);
    for (size_t axis = 1; axis + 1 < op.in.size(); ++axis)
      sum = add(multiply(sum, array.in[1 + axis]), word(op.in[1 + axis]));
    return sum;
  }

  static TypeId i64() { return scalar_type(Scalar::Int64); }
  ValueId word(ValueId id) { return at_.convert(id, i64()); }
  ValueId constant(int64_t value) { return at_.number(static_cast<uint64_t>(value), i64()); }
  ValueId add(ValueId a, ValueId b) { return at_.make<ir::Add>(i64(), a, b); }
  ValueId multiply(ValueId a, ValueId b) { return at_.make<ir::Mul>(i64(), a, b); }
  ValueId move(ValueId address, ValueId bytes, TypeId pointer) {
    return at_.make<ir::MoveAddress>(pointer, address, bytes);
  }

  const LocalUses uses_;
  const std::set<uint32_t>& unsuitable_;
  const unsigned lanes_;
  ir::Editor at_;
};

}  // namespace

void interleave_locals(std::span<ir::Function> functions, unsigned lanes) {
  std::set<uint32_t> unsuitable;
  for (const ir::Function& function : functions) LocalUses(function).add_unsuitable(unsuitable);
  for (ir::Function& function : functions) Interleaver(function, unsuitable, lanes).run();
}

}  // namespace hetjit::host
