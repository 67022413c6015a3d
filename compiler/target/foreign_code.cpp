#include "compiler/target/foreign_code.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>

namespace hetjit::target {
namespace {

constexpr const char* kFiles = "llvm.dependent-libraries";  // of a module
constexpr const char* kSection = ".deplibs";                // of an object

Error unreadable(const std::string& path, const std::string& why) {
  return {ErrorCode::Invalid, path + " cannot be linked: " + why};
}

Status take(llvm::Module& module, const std::string& path, const Target& target) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) return unreadable(path, file.getError().message());
  auto code = llvm::parseBitcodeFile((*file)->getMemBufferRef(), module.getContext());
  if (!code) return unreadable(path, llvm::toString(code.takeError()));
  if ((*code)->getTargetTriple().getArch() != target.triple().getArch()) return ok();
  adopt(**code, target);
  if (llvm::Linker::linkModules(module, std::move(*code)))
    return unreadable(path, "it defines what is defined already");
  return ok();
}

}  // namespace

void need_file(llvm::Module& module, const std::string& path) {
  llvm::LLVMContext& context = module.getContext();
  module.getOrInsertNamedMetadata(kFiles)->addOperand(
      llvm::MDNode::get(context, llvm::MDString::get(context, path)));
}

std::vector<std::string> files_needed(const llvm::Module& module) {
  std::vector<std::string> paths;
  const llvm::NamedMDNode* files = module.getNamedMetadata(kFiles);
  if (!files) return paths;
  for (const llvm::MDNode* file : files->operands()) {
    std::string path = llvm::cast<llvm::MDString>(file->getOperand(0))->getString().str();
    if (std::ranges::find(paths, path) == paths.end()) paths.push_back(std::move(path));
  }
  return paths;
}

std::vector<std::string> files_needed(llvm::MemoryBufferRef object) {
  std::vector<std::string> paths;
  auto file = llvm::object::ObjectFile::createObjectFile(object);
  if (!file) {
    llvm::consumeError(file.takeError());  // who links it will say so
    return paths;
  }
  for (const llvm::object::SectionRef& section : (*file)->sections()) {
    llvm::Expected<llvm::StringRef> name = section.getName(), text = section.getContents();
    if (name && text && *name == kSection)
      for (llvm::StringRef rest = *text; !rest.empty();) {
        auto [path, others] = rest.split('\0');
        paths.push_back(path.str());
        rest = others;
      }
    llvm::consumeError(name.takeError());
    llvm::consumeError(text.takeError());
  }
  return paths;
}

Status take_bitcode(llvm::Module& module, const Target& target) {
  const std::vector<std::string> files = files_needed(module);
  if (llvm::NamedMDNode* list = module.getNamedMetadata(kFiles)) list->eraseFromParent();
  for (const std::string& path : files) {
    if (!path.ends_with(".bc"))
      need_file(module, path);
    else
      HETJIT_TRY(take(module, path, target));
  }
  return ok();
}

}  // namespace hetjit::target
