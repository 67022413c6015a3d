// Tuples, vectors and structs are the leaves of their parts, one after another. Tables of constants
// are constant globals of the module.
#include <cstring>

#include "compiler/lower/lowering.h"

namespace hetjit::lower {
namespace {

using llvm::Value;

/// The table's bytes, as its numbers lie in memory.
std::string bytes_of(const std::vector<uint64_t>& table, size_t size) {
  std::string bytes(table.size() * size, 0);
  for (size_t i = 0; i < table.size(); ++i)  // little endian: the low bytes
    std::memcpy(bytes.data() + i * size, &table[i], size);
  return bytes;
}

/// In the memory that everything lies in: on GPUs, constant memory of its own is small and serves
/// one address at a time.
llvm::GlobalVariable* table_of(ModuleLowering& module, Scalar scalar,
                               const std::vector<uint64_t>& table) {
  llvm::Type* stored = module.types.stored_type(scalar);
  std::string bytes = bytes_of(table, info(scalar).bytes());
  llvm::GlobalVariable*& made = module.tables[{stored, bytes}];
  if (made) return made;
  llvm::Constant* numbers = llvm::ConstantDataArray::getRaw(bytes, table.size(), stored);
  made = new llvm::GlobalVariable(module.module, numbers->getType(), /*isConstant=*/true,
                                  llvm::GlobalValue::InternalLinkage, numbers,
                                  "hetjit.table." + std::to_string(module.tables.size()), nullptr,
                                  llvm::GlobalValue::NotThreadLocal, module.target.spaces().global);
  made->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  made->setAlignment(llvm::Align(info(scalar).bytes()));
  return made;
}

}  // namespace

template <>
Leaves lower(Lowering& at, const ir::MakeTuple& op) {
  Leaves leaves;
  for (ValueId part : op.in) leaves.append(at.leaves(part));
  return leaves;
}

template <>
Leaves lower(Lowering& at, const ir::Extract& op) {
  const Leaves& whole = at.leaves(op.in[0]);
  uint32_t first = at.module.types.leaves_before(at.type_of(op.in[0]), op.index);
  size_t count = at.module.types.leaves(at.result_type).size();
  Leaves part;
  part.append(whole.begin() + first, whole.begin() + first + count);
  return part;
}

template <>
Leaves lower(Lowering& at, const ir::TableItem& op) {
  auto& build = at.build;
  const Scalar scalar = at.result_scalar();
  llvm::GlobalVariable* table = table_of(at.module, scalar, *op.table);
  // Lanes that are not active have a number too, but it may be poison.
  Value* asked = at.lanes == 1 ? at(op.in[0]) : build.CreateFreeze(at(op.in[0]));
  Value* last = at.constant(asked->getType(), op.table->size() - 1);
  Value* place =
      build.CreateZExt(build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, asked, last), at.i64());
  llvm::Type* stored = at.module.types.stored_type(scalar);
  Value* address = build.CreateInBoundsGEP(stored, table, place);
  llvm::Align align(info(scalar).bytes());
  llvm::Instruction* item = nullptr;
  if (at.lanes == 1)
    item = build.CreateAlignedLoad(stored, address, align);
  else
    item = build.CreateMaskedGather(at.widened(stored), address, align);
  item->setMetadata(llvm::LLVMContext::MD_invariant_load,
                    llvm::MDNode::get(at.module.context(), {}));
  return scalar == Scalar::Bool ? build.CreateIsNotNull(item) : item;
}

}  // namespace hetjit::lower
