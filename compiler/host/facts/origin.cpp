#include "compiler/host/facts/origin.h"

namespace hetjit::host {
namespace {

struct Origin {
  const Shapes& shapes;
  template <class Op>
  bool operator()(const Op&) const {
    return false;
  }
  bool operator()(const ir::SharedMemory&) const { return true; }
  bool operator()(const ir::DynamicSharedMemory&) const { return true; }
  bool operator()(const ir::ElementAddress& op) const { return is_shared(shapes, op.in[0]); }
  bool operator()(const ir::FieldAddress& op) const { return is_shared(shapes, op.in[0]); }
  bool operator()(const ir::MoveAddress& op) const { return is_shared(shapes, op.in[0]); }
  bool operator()(const ir::MakeArray& op) const { return is_shared(shapes, op.in[0]); }
  bool operator()(const ir::ArrayData& op) const { return is_shared(shapes, op.in[0]); }
};

}  // namespace

bool is_shared(const Shapes& shapes, ValueId address) {
  const ir::Op* op = shapes.definition(address);
  return op && std::visit(Origin{shapes}, *op);
}

}  // namespace hetjit::host
