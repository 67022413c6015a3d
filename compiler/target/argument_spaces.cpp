// Address spaces of pointers that functions are called with. A kernel's parameters say that they
// are of device memory with a cast, which LLVM drops where the kernel itself does nothing with the
// pointer but pass it on; and its inference does not look at callers. So before anything else the
// same cast is put into each function whose callers agree.
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Operator.h>

#include <optional>

#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

using llvm::Argument;
using llvm::Value;

constexpr unsigned kGeneric = 0;
/// Nothing known yet, which agrees with all; else a space.
using Space = std::optional<unsigned>;

Space agreed(Space a, Space b) {
  if (!a || !b) return a ? a : b;
  return *a == *b ? a : Space(kGeneric);
}

class ArgumentSpaces {
 public:
  explicit ArgumentSpaces(llvm::Module& module) {
    for (llvm::Function& function : module)
      if (only_called(function))
        for (Argument& argument : function.args())
          if (is_generic(argument)) spaces_[&argument] = Space();
    // Recursion hands on what it was given, so all are taken for agreed until a caller differs.
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [argument, space] : spaces_) {
        Space next = space_of_callers(*argument);
        changed = changed || next != space;
        space = next;
      }
    }
  }

  void write() {
    for (auto& [argument, space] : spaces_) {
      if (!space || *space == kGeneric || argument->use_empty()) continue;
      llvm::IRBuilder<> build(&*argument->getParent()->getEntryBlock().getFirstInsertionPt());
      auto* special = llvm::PointerType::get(argument->getContext(), *space);
      Value* known = build.CreateAddrSpaceCast(argument, special);
      Value* generic = build.CreateAddrSpaceCast(known, argument->getType());
      argument->replaceUsesWithIf(generic, [&](llvm::Use& use) { return use.getUser() != known; });
    }
  }

 private:
  static bool is_generic(const Value& value) {
    auto* type = llvm::dyn_cast<llvm::PointerType>(value.getType());
    return type && type->getAddressSpace() == kGeneric;
  }

  static bool only_called(const llvm::Function& function) {
    if (function.isDeclaration() || !function.hasLocalLinkage()) return false;
    return llvm::all_of(function.uses(), [](const llvm::Use& use) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      return call && call->isCallee(&use);
    });
  }

  Space space_of_callers(const Argument& argument) const {
    Space space;
    for (const llvm::User* user : argument.getParent()->users()) {
      auto* call = llvm::cast<llvm::CallBase>(user);
      llvm::SmallPtrSet<const Value*, 8> seen;
      space = agreed(space, space_of(*call->getArgOperand(argument.getArgNo()), seen));
    }
    return space;
  }

  Space space_of(const Value& value, llvm::SmallPtrSetImpl<const Value*>& seen) const {
    if (!is_generic(value)) return value.getType()->getPointerAddressSpace();
    if (!seen.insert(&value).second || llvm::isa<llvm::UndefValue>(value)) return Space();
    if (auto* argument = llvm::dyn_cast<Argument>(&value)) {
      auto found = spaces_.find(const_cast<Argument*>(argument));
      return found == spaces_.end() ? Space(kGeneric) : found->second;
    }
    auto* from = llvm::dyn_cast<llvm::Operator>(&value);
    if (!from || !hands_on(*from)) return kGeneric;
    Space space;
    for (const llvm::Use& operand : from->operands())
      if (operand->getType()->isPointerTy()) space = agreed(space, space_of(*operand, seen));
    return space;
  }

  /// Whether the result is in the memory of the pointers among the operands.
  static bool hands_on(const llvm::Operator& from) {
    switch (from.getOpcode()) {
      case llvm::Instruction::AddrSpaceCast:
      case llvm::Instruction::GetElementPtr:
      case llvm::Instruction::PHI:
      case llvm::Instruction::Select:
      case llvm::Instruction::Freeze:
        return true;
      default:
        return false;
    }
  }

  llvm::MapVector<Argument*, Space> spaces_;
};

}  // namespace

void share_argument_spaces(llvm::Module& module) { ArgumentSpaces(module).write(); }

}  // namespace hetjit::target
