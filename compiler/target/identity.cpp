#include "compiler/target/identity.h"

#include <llvm/TargetParser/Host.h>

#include "compiler/target/build_id.h"
#include "compiler/target/device_library.h"

namespace hetjit::target {
namespace {

std::string line_of(const TargetName& target) {
  if (const DeviceLibrary* library = math_library(target))
    return std::string("library ") + library->file + " " + library_digest(*library) + "\n";
  return target.arch == "native" ? "cpu " + native_cpu() + "\n" : "";
}

const char kHere = 0;  // in this library

/// Of LLVM, which is in this library or another one.
std::string llvm_build() { return build_id(reinterpret_cast<void*>(&llvm::sys::getHostCPUName)); }

}  // namespace

std::string identity(const TargetName& target) {
  const std::string ours = build_id(&kHere), llvms = llvm_build();
  if (ours.empty() || llvms.empty()) return "";
  return "build " + ours + (llvms == ours ? "" : " with LLVM " + llvms) + "\n" + line_of(target);
}

}  // namespace hetjit::target
