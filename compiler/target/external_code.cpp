#include "compiler/target/external_code.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <algorithm>
#include <map>

#include "compiler/target/foreign_code.h"
#include "compiler/target/rewrites.h"
#include "compiler/target/target_impl.h"

namespace hetjit::target {
namespace {

Result<std::unique_ptr<llvm::Module>> read(const std::string& bitcode, llvm::LLVMContext& context) {
  auto read = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "C++"), context);
  if (read) return std::move(*read);
  return Error{ErrorCode::Invalid,
               "the C++ compiler's output cannot be read: " + llvm::toString(read.takeError())};
}

/// Modules of one library are of the same text: a variable that has a definition in several is one
/// thing, those included that the text keeps to itself. So no module alone knows what they hold;
/// nor does a host, which CUDA would let write them. Functions each has for itself: what they do is
/// then known here.
void share_definitions(llvm::Module& module, const std::string& symbol) {
  for (llvm::GlobalObject& global : module.global_objects()) {
    if (global.isDeclaration() || global.hasAppendingLinkage() || global.getName() == symbol)
      continue;
    auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&global);
    if (variable) variable->setExternallyInitialized(false);
    if (global.hasLocalLinkage() && (!variable || variable->isConstant())) continue;
    global.setVisibility(llvm::GlobalValue::DefaultVisibility);
    global.setComdat(nullptr);
    global.setLinkage(variable ? llvm::GlobalValue::LinkOnceODRLinkage
                               : llvm::GlobalValue::InternalLinkage);
  }
}

/// Nothing is kept only because the text says so.
void keep_nothing(llvm::Module& module) {
  for (const char* kept : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable* list = module.getNamedGlobal(kept)) list->eraseFromParent();
}

/// All that the functions need of one library, as a module.
Result<std::unique_ptr<llvm::Module>> linked(const std::vector<const ir::External*>& of_library,
                                             llvm::LLVMContext& context, const Target& target) {
  auto whole = std::make_unique<llvm::Module>("C++", context);
  adopt(*whole, target);
  for (const ir::External* external : of_library) {
    auto part = read(*external->bitcode, context);
    if (!part.ok()) return part.error();
    adopt(**part, target);
    if (llvm::Linker::linkModules(*whole, std::move(*part)))
      return Error{ErrorCode::Internal, "functions of a C++ library could not be linked"};
  }
  HETJIT_TRY(take_bitcode(*whole, target));
  auto called = [&](const llvm::GlobalValue& global) {
    return std::any_of(of_library.begin(), of_library.end(), [&](const ir::External* external) {
      return global.getName() == external->symbol;
    });
  };
  llvm::internalizeModule(*whole, called);
  return whole;
}

using Globals = llvm::SmallPtrSet<const llvm::GlobalValue*, 32>;

/// What a value needs, and all that this needs.
void add_needed(const llvm::Value& by, Globals& needed) {
  llvm::SmallVector<const llvm::Value*, 32> left{&by};
  while (!left.empty()) {
    const llvm::Value* value = left.pop_back_val();
    const auto* global = llvm::dyn_cast<llvm::GlobalValue>(value);
    if (global && !needed.insert(global).second) continue;
    if (const auto* function = llvm::dyn_cast<llvm::Function>(value)) {
      for (const llvm::Instruction& inst : llvm::instructions(*function))
        left.append(inst.value_op_begin(), inst.value_op_end());
    } else if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
      left.append(constant->value_op_begin(), constant->value_op_end());
    }
  }
}

/// Takes away what would run before everything else. Whether the function needs a variable that
/// this has to do with.
bool needs_constructors(llvm::Module& module, const llvm::Function& function) {
  llvm::GlobalVariable* list = module.getNamedGlobal("llvm.global_ctors");
  if (!list) return false;
  Globals made, needed;
  add_needed(*list, made);
  add_needed(function, needed);
  const bool needs = std::any_of(made.begin(), made.end(), [&](const llvm::GlobalValue* global) {
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(global);
    return variable && !variable->isConstant() && needed.contains(global);
  });
  list->eraseFromParent();
  return needs;
}

/// What is only declared, in the order of their names.
std::vector<Needed> declarations_for(const llvm::Function& function) {
  Globals all;
  add_needed(function, all);
  std::vector<Needed> needed;
  for (const llvm::GlobalValue* global : all) {
    const auto* called = llvm::dyn_cast<llvm::Function>(global);
    if (!global->isDeclaration() || (called && called->isIntrinsic())) continue;
    const std::string symbol = global->getName().str();
    needed.push_back({symbol, llvm::demangle(symbol), called == nullptr});
  }
  std::ranges::sort(needed, {}, &Needed::symbol);
  return needed;
}

/// Reads a constant and takes it away.
template <class Read>
auto taken(llvm::Module& module, const std::string& name, Read&& read) {
  llvm::GlobalVariable* constant = module.getNamedGlobal(name);
  HETJIT_CHECK(constant && constant->hasInitializer());
  auto value = read(constant->getInitializer());
  constant->eraseFromParent();
  return value;
}

/// Takes away what names files of code by others, `hetjit_link_0` and so on; the module names them.
void take_links(llvm::Module& module) {
  for (llvm::GlobalVariable& global : llvm::make_early_inc_range(module.globals())) {
    if (!global.getName().starts_with("hetjit_link_")) continue;
    auto* path = llvm::cast<llvm::ConstantDataArray>(global.getInitializer());
    need_file(module, path->getAsCString().str());
    global.eraseFromParent();
  }
}

ExternalResult take_result(llvm::Module& module, const std::string& symbol) {
  auto number = [](const llvm::Constant* value) {
    return llvm::cast<llvm::ConstantInt>(value)->getSExtValue();
  };
  auto text = [](const llvm::Constant* value) {  // a struct of an array
    auto* letters = llvm::cast<llvm::ConstantDataArray>(value->getAggregateElement(0u));
    return letters->getAsCString().str();
  };
  return {taken(module, symbol + "_result", number), taken(module, symbol + "_size", number),
          taken(module, symbol + "_align", number), taken(module, symbol + "_type", text)};
}

}  // namespace

void adopt(llvm::Module& module, const Target& target) {
  module.setTargetTriple(target.triple());
  module.setDataLayout(target.data_layout());
  if (llvm::NamedMDNode* flags = module.getModuleFlagsMetadata()) flags->eraseFromParent();
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    for (const char* other : {"target-cpu", "target-features", "tune-cpu"})
      function.removeFnAttr(other);
    target.prepare_function(function);
  }
}

Result<ExternalCode> prepare_external(const std::string& bitcode, const std::string& symbol,
                                      bool division_traps) {
  llvm::LLVMContext context;
  auto read_module = read(bitcode, context);
  if (!read_module.ok()) return read_module.error();
  llvm::Module& module = **read_module;
  ExternalCode code;
  keep_nothing(module);
  code.result = take_result(module, symbol);
  take_links(module);
  share_definitions(module, symbol);
  if (division_traps) divide_without_traps(module);
  optimize_apart(module);
  const llvm::Function* function = module.getFunction(symbol);
  HETJIT_CHECK(function);
  if (needs_constructors(module, *function))
    return Error{ErrorCode::Unsupported,
                 "a variable with a constructor would have to be made before the kernel runs"};
  if (files_needed(module).empty()) code.needed = declarations_for(*function);
  code.pure = function->onlyAccessesArgMemory() && function->willReturn() &&
              !function->hasFnAttribute(llvm::Attribute::Convergent);
  for (const llvm::Argument& address : function->args()) {
    code.kept.push_back(!address.hasNoCaptureAttr());
    code.changed.push_back(!address.onlyReadsMemory());
  }
  code.bitcode = bitcode_of(module);
  return code;
}

std::string bitcode_of(const llvm::Module& module) {
  std::string bitcode;
  llvm::raw_string_ostream to(bitcode);
  llvm::WriteBitcodeToFile(module, to);
  return bitcode;
}

/// Variables that all functions for C++ of a program share: raised.hpp's and says.hpp's are among.
constexpr llvm::StringRef kShared[] = {kThreadPlace, "hetjit_on_raise", "hetjit_raised",
                                       "hetjit_raised_here"};

Status link_entry(LlvmModule& module, const Target& target, const CxxEntry& entry) {
  auto cxx = read(entry.bitcode, module.context());
  if (!cxx.ok()) return cxx.error();
  keep_nothing(**cxx);
  adopt(**cxx, target);
  if (llvm::Linker::linkModules(module.module(), std::move(*cxx)))
    return Error{ErrorCode::Internal, "the entry for C++ could not be linked"};
  if (llvm::Function* inner = module.module().getFunction(entry.inner))
    inner->addFnAttr(llvm::Attribute::AlwaysInline);
  llvm::internalizeModule(module.module(), [&](const llvm::GlobalValue& global) {
    return global.getName() == entry.symbol || llvm::is_contained(kShared, global.getName());
  });
  return ok();
}

Status link_externals(LlvmModule& module, const Target& target) {
  std::map<std::string, std::vector<const ir::External*>> libraries;
  for (const ir::External& external : module.externals)
    libraries[external.library].push_back(&external);
  for (const auto& [name, functions] : libraries) {
    auto library = linked(functions, module.context(), target);
    if (!library.ok()) return library.error();
    if (llvm::Linker::linkModules(module.module(), std::move(*library)))
      return Error{ErrorCode::Internal, "a C++ library could not be linked"};
  }
  for (const ir::External& external : module.externals) {
    llvm::Function* function = module.module().getFunction(external.symbol);
    if (!function || function->isDeclaration()) continue;  // nothing calls it any more
    function->setLinkage(llvm::GlobalValue::InternalLinkage);
    if (!function->hasFnAttribute(llvm::Attribute::NoInline))
      function->addFnAttr(llvm::Attribute::AlwaysInline);
  }
  return ok();
}

}  // namespace hetjit::target
