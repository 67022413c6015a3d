#include "compiler/host/phases/interleave.h"

#include <algorithm>
#include <set>

#include "abi/layout.h"
#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/shape.h"
#include "compiler/host/phases/element_uses.h"
#include "compiler/ir/edit.h"

namespace hetjit::host {
namespace {

bool is_local(const ir::Op& op) { return std::holds_alternative<ir::LocalMemory>(op); }
bool is_shared(const ir::Op& op) { return std::holds_alternative<ir::SharedMemory>(op); }

/// Which local memory has lanes too far apart to be told of by a step.
void add_far(const ir::Function& function, std::set<uint32_t>& to) {
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts) {
      auto* local = std::get_if<ir::LocalMemory>(&inst.op);
      if (local && local_stride(*local) > kFarthestStride) to.insert(inst.result.index);
    }
}

/// Writes the addresses of elements anew.
class Interleaver {
 public:
  Interleaver(ir::Function& function, ElementUses::NamesMemory kind,
              const std::set<uint32_t>& unsuitable, unsigned lanes)
      : uses_(function, kind), unsuitable_(unsuitable), lanes_(lanes), at_(function) {}

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
  // elements away. What is the block's begins at one place for all.
  ValueId element(const ir::ElementAddress& op, ValueId memory, TypeId pointer) {
    auto size = static_cast<int64_t>(layout(type(pointer).element).stride());
    const auto* local = at_.made_by<ir::LocalMemory>(memory);
    int64_t back = local ? size - local_stride(*local) : size;
    const TypeId u32 = scalar_type(Scalar::UInt32);
    ValueId lane = local ? at_.emit(ir::LaneIndex{}, u32) : at_.emit(ir::ThreadIndex{}, u32);
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

  const ElementUses uses_;
  const std::set<uint32_t>& unsuitable_;
  const unsigned lanes_;
  ir::Editor at_;
};

}  // namespace

void interleave_locals(std::span<ir::Function> functions, unsigned lanes) {
  std::set<uint32_t> unsuitable;
  for (const ir::Function& function : functions) {
    ElementUses(function, is_local).add_unsuitable(unsuitable);
    add_far(function, unsuitable);
  }
  for (ir::Function& function : functions) Interleaver(function, is_local, unsuitable, lanes).run();
}

bool interleave_shared(ir::Function& kernel, unsigned lanes) {
  std::set<uint32_t> unsuitable;
  ElementUses(kernel, is_shared).add_unsuitable(unsuitable);
  if (!unsuitable.empty()) return false;
  Interleaver(kernel, is_shared, unsuitable, lanes).run();
  for (ir::Block& block : kernel.blocks)
    for (ir::Inst& inst : block.insts)
      if (auto* shared = std::get_if<ir::SharedMemory>(&inst.op)) {
        shared->bytes *= lanes;
        shared->align = std::max<uint32_t>(shared->align, kLineBytes);
      }
  return true;
}

}  // namespace hetjit::host
