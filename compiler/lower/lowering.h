// What a handler of one op may see. Private to lower/ and host/.
//
// A value of ours is a list of LLVM scalars, its *leaves*: a number is one, a tuple those of its
// parts, an array its data pointer, extents and strides, None nothing. So LLVM sees no aggregates,
// layouts matter only where memory is read or written, and little is left for SROA to do.
//
// A bool is an i1 (i8 in memory). bfloat16 and float8 are i16 and i8: their bits; arithmetic on
// them goes through f32 by our own conversions (small_float.cpp), so that no target needs to know
// them.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "compiler/ir/ir.h"
#include "compiler/lower/integer_facts.h"
#include "compiler/lower/lower.h"
#include "compiler/target/target_impl.h"

namespace hetjit::lower {

class DeviceOps;  // device_ops.h

struct Leaves : llvm::SmallVector<llvm::Value*, 4> {
  using SmallVector::SmallVector;
  Leaves() = default;
  Leaves(llvm::Value* one) { push_back(one); }  // implicit: most results are one value
};

/// One LLVM scalar of a value, and where it lies in the value's memory.
struct Leaf {
  llvm::Type* type;    // as a value
  llvm::Type* stored;  // in memory; differs for bool
  uint32_t offset = 0;
  uint32_t align = 1;  // of the offset, given that the whole is aligned
};

/// Types of one module, made once each.
class Types {
 public:
  explicit Types(llvm::LLVMContext& context) : context_(context) {}
  llvm::ArrayRef<Leaf> leaves(TypeId id);
  /// The scalar's type as a value and in memory.
  llvm::Type* value_type(Scalar scalar);
  llvm::Type* stored_type(Scalar scalar);
  /// How many leaves the fields before `index` of a tuple, vector, complex or struct have.
  uint32_t leaves_before(TypeId id, uint32_t index);

 private:
  void append(TypeId id, uint32_t offset, uint32_t align, llvm::SmallVectorImpl<Leaf>& to);
  llvm::LLVMContext& context_;
  std::unordered_map<uint32_t, llvm::SmallVector<Leaf, 4>> known_;  // by TypeId; nodes stay put
};

/// Where a thread stands: thread index, block index, block dimension, grid dimension, x y z each.
inline constexpr unsigned kCoordinates = 12;
enum class Coordinate : uint8_t { Thread = 0, Block = 3, BlockDimension = 6, GridDimension = 9 };
using Coordinates = std::array<llvm::Value*, kCoordinates>;

class DebugInfo;

/// The module being built.
struct ModuleLowering {
  const ir::Module& ir;
  target::Target& target;
  const DeviceOps& device;
  llvm::Module& module;
  Options options;
  Types types;
  DebugInfo* debug = nullptr;              // null: no line tables
  std::vector<llvm::Function*> functions;  // parallel to ir.functions
  std::vector<bool> raises;                // the same: whether a call may end with an exception
  Sites sites;                             // the module's, and what lowering adds
  std::map<std::pair<llvm::Type*, std::string>, llvm::GlobalVariable*> tables;  // by content

  llvm::LLVMContext& context() { return module.getContext(); }
};

/// The function being built.
class Lowering {
 public:
  Lowering(ModuleLowering& module, uint32_t index);
  /// A function that is not the module's own and raises nothing (compiler/host).
  Lowering(ModuleLowering& module, const ir::Function& ir, llvm::Function& function,
           bool raises = false);

  llvm::IRBuilder<> build;
  ModuleLowering& module;
  const ir::Function& ir;
  llvm::Function& function;
  const bool raises;   // this function may
  ValueId result;      // of the instruction at hand; invalid: none
  TypeId result_type;  // and its type
  BlockId here;        // and its block
  /// Of the function's integers; nothing where the device has no use for it.
  std::optional<IntegerFacts> integers;
  /// The handlers of everything but memory, control and places work on vectors as well: then this
  /// many lanes, and every operand has them (compiler/host).
  unsigned lanes = 1;
  std::unordered_map<uint32_t, llvm::AllocaInst*> locals;  // by LocalMemory::variable

  /// The value of a scalar or pointer.
  llvm::Value* operator()(ValueId id) const {
    HETJIT_CHECK(values_[id.index].size() == 1);
    return values_[id.index][0];
  }
  const Leaves& leaves(ValueId id) const { return values_[id.index]; }
  void define(ValueId id, Leaves value) { values_[id.index] = std::move(value); }
  TypeId type_of(ValueId id) const { return ir.type_of(id); }
  Scalar scalar_of(ValueId id) const { return type(type_of(id)).scalar; }
  Scalar result_scalar() const { return type(result_type).scalar; }

  llvm::BasicBlock* block(BlockId id) const { return blocks_[id.index]; }
  /// Tells the target block's parameters what they are when it is entered from here.
  void pass(const ir::Edge& edge);
  llvm::Value* coordinate(Coordinate kind, uint8_t axis);

  // Types of operands and results, with their lanes.
  llvm::Type* widened(llvm::Type* type) const {
    return lanes == 1 ? type : llvm::FixedVectorType::get(type, lanes);
  }
  llvm::Type* value_type(Scalar scalar) { return widened(module.types.value_type(scalar)); }
  llvm::Type* f32() { return widened(build.getFloatTy()); }
  llvm::Type* f64() { return widened(build.getDoubleTy()); }
  llvm::Type* i8() { return widened(build.getInt8Ty()); }
  llvm::Type* i16() { return widened(build.getInt16Ty()); }
  llvm::Type* i32() { return widened(build.getInt32Ty()); }
  llvm::Type* i64() { return widened(build.getInt64Ty()); }

  /// For a branch round code that some lane wants.
  llvm::Value* any(llvm::Value* condition) {
    return lanes == 1 ? condition : build.CreateOrReduce(condition);
  }
  llvm::Constant* constant(llvm::Type* type, uint64_t bits) {
    return llvm::ConstantInt::get(type, bits);
  }
  llvm::Value* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> operands) {
    return build.CreateIntrinsic(operands[0]->getType(), id, operands);
  }

  void run();  // lowers every reachable block

 private:
  void make_blocks();
  void enter_parameters();
  void lower_block(BlockId id);

  std::vector<Leaves> values_;                              // by ValueId
  std::vector<llvm::BasicBlock*> blocks_;                   // by BlockId; null: unreachable
  std::vector<llvm::SmallVector<llvm::PHINode*, 4>> phis_;  // by BlockId, all parameters' leaves
  std::vector<BlockId> order_;                              // reachable blocks, reverse post-order
};

/// Everything of a module but its entry, which `build_entry` makes: the kernel, null where it is
/// none.
LlvmModule lower_module(const ir::Module& ir, const std::string& name, target::Target& target,
                        const DeviceOps& device, const Options& options,
                        llvm::function_ref<llvm::Function*(ModuleLowering&)> build_entry);
/// The module's functions, as an entry calls them.
void lower_functions(ModuleLowering& module);

/// Declares the LLVM function of one of ours: leaves in, leaves out. One that may raise has one
/// more result, an i1: it has, and the other results mean nothing.
llvm::Function* declare_function(ModuleLowering& module, const ir::Function& function, bool raises);

/// What a call of functions[index] gives.
struct Outcome {
  Leaves leaves;
  llvm::Value* raised = nullptr;  // null: it cannot
};
Outcome outcome(llvm::IRBuilder<>& build, ModuleLowering& module, uint32_t index,
                llvm::Value* call);
/// lower_messages.cpp: returns from a function, saying that it has raised.
void leave_raising(Lowering& at);
/// The same: what a site has to say (abi/messages.h), with scalars as its numbers. `place`: of the
/// thread, as place_of_thread gives it.
void write_record(llvm::IRBuilder<>& build, ModuleLowering& module, SiteKind kind, uint32_t site,
                  llvm::ArrayRef<llvm::Value*> place, llvm::ArrayRef<llvm::Value*> numbers);
/// The same: what whoever loads a module with sites looks for, though its code may say nothing.
void make_boxes(ModuleLowering& module);
/// Block x y z, thread x y z.
llvm::SmallVector<llvm::Value*, 6> place_of_thread(Lowering& at);

/// Reads or writes a value of the type at an address with the type's own alignment.
Leaves load_value(llvm::IRBuilder<>& build, Types& types, TypeId id, llvm::Value* address,
                  bool invariant = false);
void store_value(llvm::IRBuilder<>& build, Types& types, TypeId id, llvm::Value* address,
                 llvm::ArrayRef<llvm::Value*> leaves);

/// A variable on the thread's stack: its generic address.
llvm::Value* stack_variable(Lowering& at, const ir::LocalMemory& op);

/// lower_external.cpp: memory of the thread's own for a value of that type: its generic address.
llvm::Value* memory_for(Lowering& at, TypeId id);
/// The same: a function of C++, which takes addresses: of its result and of so many operands.
llvm::FunctionCallee declare_external(ModuleLowering& module, const std::string& symbol,
                                      size_t operands);

/// What the parameter block holds: the parameters, and for a function with a result a pointer to
/// where each thread stores it.
std::vector<TypeId> block_types(const ir::Function& function);

/// How integers with a sign, or without one, are compared.
llvm::CmpInst::Predicate integer_predicate(ir::Comparison kind, bool with_sign);

// small_float.cpp: formats that LLVM's back ends do not all know, as bits.
bool is_bits_float(Scalar scalar);  // bfloat16, float8
llvm::Value* widen_to_f32(Lowering& at, Scalar from, llvm::Value* bits);
llvm::Value* narrow_f32(Lowering& at, Scalar to, llvm::Value* f32);
/// f64 to f32 so that a second rounding, to 8 bits of precision or fewer, is right: round to odd.
llvm::Value* f64_to_f32_odd(Lowering& at, llvm::Value* f64);
/// The same on to f16.
llvm::Value* f64_to_f16_odd(Lowering& at, llvm::Value* f64);

/// lower_math.cpp: a call of the target's library, or of the native intrinsic. Operands f32 or f64.
llvm::Value* call_math(Lowering& at, ir::MathFunction function,
                       llvm::ArrayRef<llvm::Value*> operands);
/// The same file: the library's function of f32 or f64.
llvm::FunctionCallee library_function(Lowering& at, ir::MathFunction function, llvm::Type* type);

/// A specialisation for each op, in lower_*.cpp; one that is missing does not link.
template <class AnyOp>
Leaves lower(Lowering& at, const AnyOp& op);

}  // namespace hetjit::lower
