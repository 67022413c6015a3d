#include "compiler/target/device_library.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/BLAKE3.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "abi/fork_safe_mutex.h"
#include "compiler/ir/ops_arith.h"

namespace hetjit::target {
namespace {

bool is_named(const DeviceLibrary& library) {
  const char* given = std::getenv(library.environment);
  return given && *given;
}

std::vector<std::string> candidates(const DeviceLibrary& library) {
  std::vector<std::string> paths;
  if (is_named(library)) {
    // What was said is meant: no other place is tried.
    std::error_code ignored;
    std::filesystem::path path = std::getenv(library.environment);
    if (std::filesystem::is_directory(path, ignored)) path /= library.file;
    return {path.string()};
  }
  for (const std::string& folder : library.folders()) paths.push_back(folder + "/" + library.file);
  return paths;
}

/// The file's bytes, kept for good: lazily read bitcode refers to them. Null: not found. Keyed by
/// path, so that a change of the environment is seen.
const llvm::MemoryBuffer* open_library(const DeviceLibrary& library) {
  static ForkSafeMutex mutex;
  static auto* opened = new std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>>;
  std::lock_guard lock(mutex);
  for (const std::string& path : candidates(library)) {
    auto& buffer = (*opened)[path];
    if (!buffer)
      if (auto read = llvm::MemoryBuffer::getFile(path)) buffer = std::move(*read);
    if (buffer) return buffer.get();
  }
  return nullptr;
}

/// "sin" for "__nv_sinf".
std::string user_name(llvm::StringRef symbol) {
  for (size_t i = 0; i <= static_cast<size_t>(ir::MathFunction::NextAfter); ++i) {
    const ir::MathInfo& row = ir::info(static_cast<ir::MathFunction>(i));
    for (int wide = 0; wide < 2; ++wide)
      if (symbol == row.libdevice[wide] || symbol == row.ocml[wide])
        return std::string("'").append(llvm::StringRef(row.name).lower()).append("'");
  }
  return symbol.str();
}

Error missing(const DeviceLibrary& library, llvm::StringRef symbol) {
  std::string where;
  for (const std::string& path : candidates(library)) where += (where.empty() ? "" : ", ") + path;
  return {ErrorCode::Unavailable, user_name(symbol) + " needs " + library.file +
                                      ", which was not found; looked for " + where + "; set " +
                                      library.environment + " to its path"};
}

/// A function that the module calls of the library, or null.
const llvm::Function* first_needed(const llvm::Module& module, llvm::StringRef prefix) {
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && function.getName().starts_with(prefix)) return &function;
  return nullptr;
}

}  // namespace

const char* approximate_in(std::span<const ApproximateName> names, const ir::MathInfo& function) {
  for (const ApproximateName& each : names)
    if (each.function == function.name) return each.symbol;
  return "";
}

void add_folder(std::vector<std::string>& to, const char* variable, const char* rest) {
  if (const char* value = std::getenv(variable); value && *value)
    to.push_back(std::string(value) + rest);
}

bool is_missing(const DeviceLibrary& library) {
  return !is_named(library) && !open_library(library);
}

std::string library_digest(const DeviceLibrary& library) {
  const llvm::MemoryBuffer* buffer = open_library(library);
  if (!buffer) return "none";
  return llvm::toHex(llvm::BLAKE3::hash<16>(llvm::arrayRefFromStringRef(buffer->getBuffer())),
                     /*LowerCase=*/true);
}

Status link_device_library(llvm::Module& module, const DeviceLibrary& library) {
  const llvm::Function* needed = first_needed(module, library.prefix);
  if (!needed) return ok();
  const llvm::MemoryBuffer* buffer = open_library(library);
  if (!buffer) return missing(library, needed->getName());

  llvm::StringSet<> ours;
  for (const llvm::Function& function : module)
    if (!function.isDeclaration()) ours.insert(function.getName());
  // Reading it whole would cost ten times more than the few functions that are needed.
  auto bitcode = llvm::getLazyBitcodeModule(buffer->getMemBufferRef(), module.getContext(),
                                            /*ShouldLazyLoadMetadata=*/true);
  if (!bitcode)
    return Error{ErrorCode::Invalid,
                 buffer->getBufferIdentifier().str() +
                     " is not LLVM bitcode: " + llvm::toString(bitcode.takeError())};
  (*bitcode)->setTargetTriple(module.getTargetTriple());
  (*bitcode)->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(*bitcode), llvm::Linker::LinkOnlyNeeded))
    return Error{ErrorCode::Internal, std::string(library.file) + " could not be linked"};
  llvm::internalizeModule(
      module, [&](const llvm::GlobalValue& global) { return ours.contains(global.getName()); });
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || ours.contains(function.getName())) continue;
    function.removeFnAttr("target-cpu");  // another CPU's would forbid inlining
    function.removeFnAttr("target-features");
  }
  if (const llvm::Function* unknown = first_needed(module, library.prefix))
    return Error{ErrorCode::Unavailable, buffer->getBufferIdentifier().str() + " does not have " +
                                             unknown->getName().str() + ", which " +
                                             user_name(unknown->getName()) + " needs"};
  return ok();
}

}  // namespace hetjit::target
